// What the core must ask of the machine to check and compile a contract; io/ answers it, tests answer it with plain values.

export interface ContractHost {
  /** Absolute path of the contract file. */
  readonly file: string;
  /** The absolute path of an existing directory, `path` being relative to the contract file; undefined when there is none. */
  readonly directory: (path: string) => string | undefined;
  /** What the placeholders stand for: program first, then arguments. */
  readonly placeholders: {
    readonly node: readonly string[];
    readonly fourgate: readonly string[];
    readonly python: readonly string[];
  };
}
