// The completion script for fish.

import type { OptionSpec } from "../options.ts";
import type { Operands, Page } from "../pages.ts";
import { valueKind } from "./values.ts";

export function fishCompletion(pages: readonly Page[]): string {
  const commands = pages.filter(({ name }) => !name.includes(" "));
  const wrapping = commands.filter(({ operands }) => operands === "command").map(({ name }) => name);
  const withActions = commands.filter(({ name }) => pages.some((page) => page.name.startsWith(`${name} `)));
  const valued = new Set(
    commands
      .filter(({ operands }) => operands === "command")
      .flatMap(({ options }) =>
        Object.entries(options)
          .filter(([, { value }]) => value !== undefined)
          .map(([flag]) => `--${flag}`),
      ),
  );
  return `# fish completion for fourgate, made by: fourgate completion fish

# The command that the cursor stands in, with its action; behind a server's command line: server, and that command line.
function __fourgate_place
    set -l words (commandline -opc)
    set -e words[1]
    if test (count $words) -eq 0
        return
    end
    set -l command $words[1]
    set -e words[1]
    if contains -- $command ${withActions.map(({ name }) => name).join(" ")}; and test (count $words) -gt 0
        set command "$command $words[1]"
    end
    if contains -- $command ${wrapping.join(" ")}
        while test (count $words) -gt 0
            switch $words[1]
                case --
                    set -e words[1]
                    printf '%s\\n' server $words
                    return
                case ${[...valued].join(" ")}
                    set -e words[1]
                case '-*'
                case '*'
                    printf '%s\\n' server $words
                    return
            end
            set -e words[1]
        end
    end
    echo $command
end

function __fourgate_in
    set -l place (__fourgate_place)
    test "$place[1]" = "$argv[1]"
end

# What the server's own command line would be completed with.
function __fourgate_server
    set -l place (__fourgate_place)
    set -l current (commandline -ct)
    if test "$place[1]" = server; and test (count $place) -gt 1
        complete -C (string join ' ' -- (string escape -- $place[2..-1]))" $current"
    else
        __fish_complete_command
    end
end

complete -c fourgate -f
complete -c fourgate -n '__fourgate_in ""' -s h -l help -d 'what the commands are'
complete -c fourgate -n '__fourgate_in ""' -s V -l version -d 'the version'
complete -c fourgate -n '__fourgate_in ""' -a help -d 'the help of a command'
${commands.map(({ name, summary }) => `complete -c fourgate -n '__fourgate_in ""' -a ${name} -d ${quoted(summary)}`).join("\n")}
complete -c fourgate -n '__fourgate_in help' -a '${commands.map(({ name }) => name).join(" ")}'
complete -c fourgate -n '__fourgate_in server' -a '(__fourgate_server)'
${pages.map((page) => linesOf(page).join("\n")).join("\n")}
`;
}

function linesOf(page: Page): string[] {
  const where = `complete -c fourgate -n '__fourgate_in "${page.name}"'`;
  const flags = Object.entries(page.options).map(([flag, spec]) => `${where} -l ${flag} ${flagWords(flag, spec)}`);
  return [...flags, ...operandWords(page.operands).map((words) => `${where} ${words}`)];
}

function operandWords(operands: Operands): string[] {
  if (operands === "files") return ["-F"];
  if (operands === "command") return ["-a '(__fourgate_server)'"];
  return typeof operands === "string" ? [] : [`-a '${operands.join(" ")}'`];
}

function flagWords(flag: string, spec: OptionSpec): string {
  const value = valueKind(spec);
  const takes = {
    none: "",
    text: "-x ",
    file: "-r -F ",
    directory: "-x -a '(__fish_complete_directories)' ",
    words: `-x -a '${value.type === "words" ? value.words.join(" ") : ""}' `,
  }[value.type];
  return `${flag === "help" ? "-s h " : ""}${takes}-d ${quoted(spec.help)}`;
}

/** In single quotes, where fish reads only a backslash and the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
