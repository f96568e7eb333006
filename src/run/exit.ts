// How a command ends.

/** The exit status, and whether the process must leave although stdout still holds what nobody takes. */
export interface Exit {
  readonly code: number;
  readonly now: boolean;
}

/** An end that lets every stream finish. */
export const exitWith = (code: number): Exit => ({ code, now: false });
