// What `fourgate clients list` says of each configured server: names and kinds, never a value.

/** One server of one client. */
export interface ListedServer {
  readonly client: string;
  readonly title: string;
  /** `local` is a project's own part of a user's file. */
  readonly scope: "user" | "local" | "project" | "file";
  /** Of `local`, the project. */
  readonly project: string | undefined;
  readonly file: string;
  readonly name: string;
  readonly type: "command" | "remote" | "other";
  /** The program's name without its folder. */
  readonly command: string | undefined;
  readonly wrapped: boolean;
  readonly disabled: boolean;
}

export interface Listing {
  readonly servers: readonly ListedServer[];
  readonly problems: readonly string[];
}

/** A command's program without its folder, and without what a shell line would carry behind it. */
export function programName(command: string): string {
  const program = /^[^/\\\s]+\s/.test(command) ? command.split(/\s/)[0]! : command;
  return program.split(/[/\\]/).at(-1)!;
}
