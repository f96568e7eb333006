// The five scenes of the demo: what is set up, what must come out, and what a reader should take from it.

import type { Mode } from "../../core/contract/types.ts";

export interface Scene {
  readonly title: string;
  readonly setting: string;
  readonly moral: string;
  readonly server: "lying" | "healthy";
  /** Absent: the client talks to the server directly. */
  readonly mode?: Mode;
  /** Whether the ticket desk, the system of record, can be reached. */
  readonly deskOpen: boolean;
  readonly expected: Expected;
}

export interface Expected {
  /** `unchanged`: byte for byte what the server itself answers. */
  readonly answer: "unchanged" | "verdict";
  readonly stored: boolean;
  /** The record that the scene leaves, as mode/status/reason. */
  readonly record?: string;
}

/** What the agent asks for in every scene. */
export const TICKET_TITLE = "The printer on floor 3 is on fire";

export const scenes: readonly Scene[] = [
  {
    title: "a lying server, and no fourgate",
    setting: "The agent talks to a server that says it stores tickets and does not.",
    moral: "Nothing in the answer gives the lie away. The agent goes on, and nobody comes.",
    server: "lying",
    deskOpen: true,
    expected: { answer: "unchanged", stored: false },
  },
  {
    title: "the same lying server behind fourgate, enforce mode",
    setting: "fourgate holds the answer for a moment and asks the ticket desk itself.",
    moral: "The server's own answer is still there, with the finding in front of it.",
    server: "lying",
    mode: "enforce",
    deskOpen: true,
    expected: { answer: "verdict", stored: false, record: "enforce/fail/record_missing" },
  },
  {
    title: "an honest server behind fourgate, enforce mode",
    setting: "The same question to the desk, about a ticket that was really stored.",
    moral: "For an honest server nothing changes: not one byte of the answer.",
    server: "healthy",
    mode: "enforce",
    deskOpen: true,
    expected: { answer: "unchanged", stored: true, record: "enforce/pass/postcondition_satisfied" },
  },
  {
    title: "the lying server behind fourgate, shadow mode",
    setting: "Shadow mode only watches: the answer goes on at once, the desk is asked beside it.",
    moral: "The agent is not disturbed; the log knows. This is how to begin with a server of yours.",
    server: "lying",
    mode: "shadow",
    deskOpen: true,
    expected: { answer: "unchanged", stored: false, record: "shadow/fail/record_missing" },
  },
  {
    title: "an honest server, and the desk cannot be reached, enforce mode",
    setting: "The ticket is stored, but the desk's door is shut when fourgate wants to look.",
    moral: "Not being able to look proves nothing. UNKNOWN is never a PASS, and never stops the agent.",
    server: "healthy",
    mode: "enforce",
    deskOpen: false,
    expected: { answer: "unchanged", stored: true, record: "enforce/unknown/verifier_error" },
  },
];
