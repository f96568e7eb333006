// The completion script for zsh, an autoloaded function of its completion system.

import type { OptionSpec } from "../options.ts";
import type { Operands, Page } from "../pages.ts";
import { valueKind } from "./values.ts";

export function zshCompletion(pages: readonly Page[]): string {
  const commands = pages.filter(({ name }) => !name.includes(" "));
  return `#compdef fourgate
# zsh completion for fourgate, made by: fourgate completion zsh

_fourgate_commands() {
  local -a commands
  commands=(
${described(commands)}
    'help:the help of a command'
  )
  _describe command commands
}

${pages.map((page) => functionOf(page, pages)).join("\n\n")}

_fourgate() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C \\
    '(- *)'{-h,--help}'[what the commands are]' \\
    '(- *)'{-V,--version}'[the version]' \\
    '1:command:_fourgate_commands' \\
    '*::argument:->argument' && return
  [[ $state == argument ]] || return 1
  if [[ $words[1] == help ]]; then
    _arguments '1:command:_fourgate_commands'
  elif (( $+functions[_fourgate_command_$words[1]] )); then
    curcontext="\${curcontext%:*}-$words[1]:"
    _fourgate_command_$words[1]
  fi
}

# Sourced, it registers itself; found by compinit, it is called.
if [[ $funcstack[1] == _fourgate ]]; then
  _fourgate "$@"
else
  compdef _fourgate fourgate
fi
`;
}

function functionOf({ name, options, operands }: Page, pages: readonly Page[]): string {
  const flags = Object.entries(options).map(([flag, spec]) => `    ${flagSpec(flag, spec)}`);
  const actions = pages.filter((page) => page.name.startsWith(`${name} `));
  const begin = `_fourgate_command_${name.replace(" ", "_")}() {\n`;
  if (actions.length === 0) return `${begin}  _arguments -S \\\n${[...flags, ...rest(operands)].join(" \\\n")}\n}`;
  const list = described(actions.map((page) => ({ ...page, name: page.name.slice(name.length + 1) })));
  return `_fourgate_actions_${name}() {
  local -a actions
  actions=(
${list}
  )
  _describe action actions
}

${begin}  if (( CURRENT > 2 && $+functions[_fourgate_command_${name}_$words[2]] )); then
    shift words
    (( CURRENT-- ))
    _fourgate_command_${name}_$words[1]
    return
  fi
  _arguments \\
${flags.join(" \\\n")} \\
    '1:action:_fourgate_actions_${name}'
}`;
}

function rest(operands: Operands): string[] {
  if (operands === "files") return ["    '*:file:_files'"];
  if (operands === "command") return ["    '(-):server command: _command_names -e'", "    '*::argument: _normal'"];
  if (operands === "name") return ["    '1:name: '"];
  return operands === "nothing" ? [] : [`    '1:choice:(${operands.join(" ")})'`];
}

function flagSpec(flag: string, spec: OptionSpec): string {
  const value = valueKind(spec);
  if (flag === "help") return `'(- *)'{-h,--help}'[${quoted(spec.help, /[[\]\\:]/g)}]'`;
  const start = `'${spec.many ? "*" : ""}--${flag}${value.type === "none" ? "" : "="}[${quoted(spec.help, /[[\]\\:]/g)}]`;
  if (value.type === "none") return `${start}'`;
  const action = {
    text: () => " ",
    file: () => "_files",
    directory: () => "_files -/",
    words: () => `(${value.type === "words" ? value.words.join(" ") : ""})`,
  }[value.type]();
  return `${start}:${quoted(spec.value ?? "", /[[\]\\:]/g)}:${action}'`;
}

const described = (pages: readonly Page[]): string =>
  pages.map(({ name, summary }) => `    '${name}:${quoted(summary, /[\\:]/g)}'`).join("\n");

/** For a text in single quotes: a backslash before what zsh's functions would read as syntax. */
const quoted = (text: string, syntax: RegExp): string => text.replace(syntax, "\\$&").replaceAll("'", "'\\''");
