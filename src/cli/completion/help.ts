// The words and the option table of `fourgate completion`.

import { type OptionTable, optionHelp } from "../options.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export const completionOptions: OptionTable = { help: { help: "this text" } };

export const completionHelp = `fourgate completion: a script that makes a shell complete commands, flags and their values

Usage: fourgate completion ${SHELLS.join("|")}

${optionHelp(completionOptions)}

The script goes to stdout. Put it where your shell looks for completions, and open a new shell.
Exit status: 0, 2 usage.

Examples:
  fourgate completion bash > ~/.local/share/bash-completion/completions/fourgate
  fourgate completion zsh > ~/.zfunc/_fourgate    # with fpath+=~/.zfunc before compinit in ~/.zshrc
  fourgate completion fish > ~/.config/fish/completions/fourgate.fish
`;
