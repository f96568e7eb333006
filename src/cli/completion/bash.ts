// The completion script for bash; it needs nothing of the bash-completion package, and runs on the bash 3.2 of macOS.

import type { Page } from "../pages.ts";
import { type Value, valueKind } from "./values.ts";

/** `pages` without blanks or quotes in their names, as a test of the tables holds. */
export function bashCompletion(pages: readonly Page[]): string {
  const commands = pages.filter(({ name }) => !name.includes(" ")).map(({ name }) => name);
  const withActions = commands.filter((name) => pages.some((page) => page.name.startsWith(`${name} `)));
  return `# bash completion for fourgate, made by: fourgate completion bash

# The flags of a command.
_fourgate_flags() {
  case $1 in
${pages.map(({ name, options }) => `    ${label(name)}) echo '${flags(options)}' ;;`).join("\n")}
  esac
}

# What a flag of a command takes; nothing for one without a value.
_fourgate_value() {
  case "$1 $2" in
${pages.flatMap(valueLines).join("\n")}
  esac
}

# What stands beside a command's flags.
_fourgate_operands() {
  case $1 in
${pages.map(({ name, operands }) => `    ${label(name)}) echo '${typeof operands === "string" ? operands : `words ${operands.join(" ")}`}' ;;`).join("\n")}
  esac
}

# Offers what begins like the word under the cursor.
_fourgate_offer() {
  local found
  while IFS= read -r found; do
    COMPREPLY+=("$found")
  done < <(compgen "$@" -- "$word")
}

_fourgate_offer_kind() {
  case $1 in
    words*) _fourgate_offer -W "\${1#words }" ;;
    file | files) compopt -o filenames 2> /dev/null; _fourgate_offer -f ;;
    directory) compopt -o filenames 2> /dev/null; _fourgate_offer -d ;;
  esac
}

_fourgate() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} at=2 flag='' wraps='' ended=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _fourgate_offer -W '${[...commands, "help", "--help", "--version"].join(" ")}'
    return
  fi
  if [[ $command == help ]]; then
    if ((COMP_CWORD == 2)); then _fourgate_offer -W '${commands.join(" ")}'; return; fi
    command=\${COMP_WORDS[2]}
    at=3
  fi
  case $command in
    ${withActions.join(" | ")}) if ((COMP_CWORD > at)); then command="$command \${COMP_WORDS[at]}"; at=$((at + 1)); fi ;;
  esac
  [[ $(_fourgate_operands "$command") == command ]] && wraps=1
  # Steps over what was typed; bash makes a word of its own of the = in --flag=value.
  while ((at < COMP_CWORD)); do
    flag=''
    if [[ \${COMP_WORDS[at]} == -- ]]; then
      ended=1
      at=$((at + 1))
      break
    elif [[ \${COMP_WORDS[at]} != -* ]]; then
      [[ $wraps ]] && { ended=1; break; }
      at=$((at + 1))
    else
      flag=\${COMP_WORDS[at]}
      if [[ \${COMP_WORDS[at + 1]} == = ]]; then
        at=$((at + 3))
      elif [[ $(_fourgate_value "$command" "$flag") ]]; then
        at=$((at + 2))
      else
        at=$((at + 1))
      fi
    fi
  done
  if ((at > COMP_CWORD)); then
    [[ $word == = ]] && word=''
    _fourgate_offer_kind "$(_fourgate_value "$command" "$flag")"
  elif [[ $wraps && $ended ]]; then
    if declare -F _command_offset > /dev/null; then
      _command_offset "$at"
    elif ((at == COMP_CWORD)); then
      _fourgate_offer -c
    else
      _fourgate_offer_kind file
    fi
  elif [[ $word == -* && ! $ended ]]; then
    _fourgate_offer -W "$(_fourgate_flags "$command")"
  elif [[ $wraps ]]; then
    _fourgate_offer -c
  else
    _fourgate_offer_kind "$(_fourgate_operands "$command")"
  fi
}

complete -F _fourgate fourgate
`;
}

const label = (name: string): string => (name.includes(" ") ? `'${name}'` : name);
const flags = (options: Page["options"]): string =>
  Object.keys(options)
    .map((name) => `--${name}`)
    .join(" ");
const kind = (value: Value): string => (value.type === "words" ? `words ${value.words.join(" ")}` : value.type);

function valueLines({ name, options }: Page): string[] {
  return Object.entries(options).flatMap(([flag, spec]) => {
    const value = valueKind(spec);
    return value.type === "none" ? [] : [`    '${name} --${flag}') echo '${kind(value)}' ;;`];
  });
}
