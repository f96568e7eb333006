// A command's help taken apart: the words of the manual page are those of --help.

export interface HelpParts {
  readonly usage: readonly string[];
  /** Paragraphs between the options and the exit status. */
  readonly notes: readonly string[];
  readonly exit: string;
  readonly examples: readonly string[];
}

const EXIT = "Exit status: ";

/** Help reads: `NAME: title`, `Usage: ...`, options, notes with `Exit status: ...`, `Example(s): ...`; each behind an empty line. */
export function helpParts(help: string): HelpParts {
  const blocks = help.trimEnd().split("\n\n").slice(1);
  const usage = (blocks.shift() ?? "").split("\n").map((line) => line.replace(/^(?:Usage:)?\s*/, ""));
  const example = blocks.findIndex((block) => /^Examples?:/.test(block) || /\bExample: /.test(block));
  const examples = (blocks[example] ?? "").replace(/^[\s\S]*?Examples?:\s*/, "").split("\n");
  const between = blocks.slice(0, example).filter((block) => !block.startsWith("  "));
  // It ends its paragraph, on a line of its own or behind a sentence.
  const exits = between.map((block) => block.indexOf(EXIT));
  const notes = between
    .map((block, at) => (exits[at]! < 0 ? block : block.slice(0, exits[at])).replaceAll("\n", " ").trim())
    .filter((note) => note !== "");
  const exit = between.map((block, at) => (exits[at]! < 0 ? "" : block.slice(exits[at]! + EXIT.length))).join("");
  return {
    usage,
    notes,
    exit,
    examples: examples.map((line) => line.replace(/^ {2}/, "")),
  };
}
