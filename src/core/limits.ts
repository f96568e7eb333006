// Every bound, time-out and default of fourgate, each with its unit in the name and its reason beside it.

// Lines and ids on the wire.

/** Longest line that is kept for inspection (bytes); `--max-inspect` changes it. Past it a line only streams through. */
export const DEFAULT_MAX_INSPECT_BYTES = 16 * 1024 * 1024;

/** All bytes kept for inspection or held at one time, as a multiple of the longest line: bounds memory in a flood of answers. */
export const MAX_KEPT_LINES_FACTOR = 4;

/** SDK clients close the connection at a line past this (MCP SDK 1.32.2, ReadBuffer), so no verdict may push a line over it. */
export const CLIENT_LINE_LIMIT_BYTES = 10 * 1024 * 1024;

/** A token longer than this (bytes) cannot be a request id that we match on. */
export const MAX_ID_BYTES = 4096;

/** Bounds of `--max-inspect` (bytes): room for any sensible request, and less than a process can hold several times over. */
export const MIN_MAX_INSPECT_BYTES = 4096;
export const MAX_MAX_INSPECT_BYTES = 256 * 1024 * 1024;

/** Ids, methods or names that are kept of one message when it gives several (count): the first ones and the last. */
export const MAX_REPEATED_MEMBERS = 4;

/** Messages of one line that are kept until the line ends (count); past it the line is looked at as it comes. */
export const MAX_MESSAGES_PER_LINE = 10_000;

// A session: holding, checks in flight, given-up calls.

/** Checks that run side by side; more wait, and the wait counts against their budget. */
export const DEFAULT_MAX_PARALLEL_CHECKS = 16;

/** What a held answer may wait beyond its verifier's budget before it goes out unverified (docs/architecture.md). */
export const HOLD_GRACE_MS = 250;

/** How long a decided answer waits for its record to reach the log before it goes out all the same. */
export const RECORD_WAIT_MS = 100;

/** Ids that are remembered because an answer to an earlier request may still come under them: cancelled, or used twice at once. */
export const MAX_DOUBTFUL_IDS = 4096;

/** A tick that comes so much too late (milliseconds) shows that the guard was stopped, or the machine slept. */
export const LATE_MS = 5;

/** What happened meanwhile then has this long to be seen before time is told to the session: an exit whose output is still drained needs it (milliseconds). */
export const AWAKENING_MS = 100;

/** And so many times more where the machine is too busy even for that (count). */
export const AWAKENINGS = 2;

/** The part of a tool's own text that is repeated inside a verdict (characters), for clients that show only the first item. */
export const MAX_QUOTED_TEXT_CHARACTERS = 2048;

/** Longest server label (characters); it stands in every record. */
export const MAX_LABEL_CHARACTERS = 64;

/** Bytes that may wait for a slow reader before the other side is made to wait too. */
export const MAX_UNSENT_BYTES = 256 * 1024;

/** A call that was given up may still write: for this long a FAIL about its record proves nothing (milliseconds). */
export const UNSETTLED_WRITE_MS = 60_000;

/** Records of such calls that are remembered (count). */
export const MAX_UNSETTLED_RECORDS = 10_000;

/** Tasks, and calls to be sent again with input, that a session follows at once; the oldest one more is recorded as `deferred`. */
export const MAX_FOLLOWED_CALLS = 1000;

/** Lists of tools that a client reads page by page at once. */
export const MAX_LIST_PAGES = 16;

// The end of a session.

/** Closing the runner, the log or stderr waits at most this long for what is still going on. */
export const CLOSE_WAIT_MS = 1000;

/** After the client closed its end and nothing is in flight: what the server gets to end by itself. */
export const SERVER_EXIT_GRACE_MS = 2000;

/** After the client closed its end with calls in flight: how long the server may stay silent over them. */
export const SERVER_DRAIN_MS = 30_000;

/** Between asking a server to end and killing it with all that it started. */
export const SERVER_KILL_GRACE_MS = 1000;

/** After the server has ended, output that others still hold open counts as ended once it is silent for this long (milliseconds). */
export const SERVER_OUTPUT_QUIET_MS = 500;

/** And after this long in any case (milliseconds). */
export const SERVER_OUTPUT_MAX_MS = 5000;

/** Told to stop, fourgate gives a client this long to take what is left (milliseconds). */
export const STOPPED_FLUSH_MS = 1000;

/** A chunk of this size shows a server that is busy writing; a notification now and then does not (bytes). */
export const BUSY_CHUNK_BYTES = 16 * 1024;

// The contract file.

/** Text longer than this (characters) is not searched by `parse` selectors. */
export const MAX_PARSED_TEXT_CHARACTERS = 8192;

/** Braces in such a text that are tried as the start of a JSON object: keeps hostile text from costing more than milliseconds. */
export const MAX_EMBEDDED_CANDIDATES = 256;

/** Longest regular expression in a contract (characters). */
export const MAX_PATTERN_CHARACTERS = 256;

/** Most processes that a contract may ask to have started ahead (`verifier.prewarm`). */
export const MAX_PREWARM = 4;

/** Largest contract file that is read (bytes): far above any real one, far below what would slow a start. */
export const MAX_CONTRACT_BYTES = 4 * 1024 * 1024;

/** Deepest nesting of a contract file (levels); the format itself needs 5. Keeps every walk over it off the stack's end. */
export const MAX_CONTRACT_DEPTH = 64;

/** Most values in a contract file once YAML aliases are expanded (count), so that nested aliases cannot blow up. */
export const MAX_CONTRACT_VALUES = 200_000;

/** Most problems shown for one contract file (count); the rest is only counted. */
export const MAX_CONTRACT_ISSUES = 200;

/** Key names longer than this (characters) are cut where they are shown. */
export const MAX_SHOWN_NAME_CHARACTERS = 80;

/** Longest code in `allowed_failure_reasons` (characters); it stands in every record and verdict. */
export const MAX_REASON_CHARACTERS = 64;

// Verifiers.

/** Bounds of `verifier.timeout_ms`: long enough for a read, short against the 60 s after which clients give up a call. */
export const MIN_VERIFIER_TIMEOUT_MS = 1;
export const MAX_VERIFIER_TIMEOUT_MS = 2000;

/** A verifier that writes more than this (bytes) is killed at once. */
export const MAX_VERIFIER_OUTPUT_BYTES = 1024 * 1024;

/** The end of a verifier's stderr that is kept in memory for `--verbose` and reports (bytes). */
export const VERIFIER_STDERR_TAIL_BYTES = 4096;

/** After a verifier's exit its pipes may still be held by a child of it; we wait this long for the rest of its output. */
export const VERIFIER_DRAIN_MS = 50;

/** After an exit the drain goes on while output still arrives, but an answer must be there within 100 ms; this leaves room for it. */
export const VERIFIER_DRAIN_MAX_MS = 85;

/** Kept of a verifier's stderr beyond the tail that is shown (bytes), so that a secret cut in two at its start is still recognised. */
export const VERIFIER_STDERR_MARGIN_BYTES = 4096;

/** Input longer than this (characters) is not searched for values to keep out of a verifier's stderr; that stderr is not shown then. */
export const MAX_REDACTED_INPUT_CHARACTERS = 64 * 1024;

/**
 * Looking for the descendants of a verifier past its limit may take this long before its group is killed all the same. The
 * group is stopped meanwhile and its check is answered already, so only a fault of the process list comes near it.
 */
export const DESCENDANT_WALK_MS = 500;

/** A sweep for escaped processes starts this long after a check ended, so that a burst of checks costs one sweep. */
export const SWEEP_DELAY_MS = 25;

/** Sweeps start at least this far apart, so that a busy session does not spend its time reading the process list. */
export const SWEEP_MIN_GAP_MS = 200;

/** Between two rounds of one sweep: time for a killed process to go and for a child that it had just made to show. */
export const SWEEP_ROUND_MS = 15;

/** Environments that a sweep reads side by side; few, because the relay's own work shares the thread. */
export const SWEEP_PARALLEL_READS = 8;

/** Rounds of one sweep that found something to kill; a program that breeds faster than this is beyond an ordinary user's means. */
export const SWEEP_MAX_ROUNDS = 60;

/** Further rounds when processes only vanished while being looked at: each may have left a child that the list did not show. */
export const SWEEP_VANISHED_ROUNDS = 3;

/** First pause before a prewarmed verifier that died while waiting is replaced; it doubles with each death, up to the second. */
export const PREWARM_BACKOFF_MS = 250;
export const PREWARM_BACKOFF_MAX_MS = 30_000;

// The outcome log and stderr.

/** Records that wait for a slow log or stderr (bytes); some 80,000 of the usual size. */
export const MAX_WAITING_RECORD_BYTES = 32 * 1024 * 1024;

/** Notes that wait for an unread stderr (bytes); past it they are dropped and counted. */
export const MAX_WAITING_NOTE_BYTES = 64 * 1024;

/** A full stderr pipe is tried again after this pause; the reader is a person or a file, so speed does not matter. */
export const STDERR_RETRY_MS = 25;

/** A log that ends in the middle of a line is looked at again after this (milliseconds): another session may be writing that line just now. */
export const LOG_SETTLE_MS = 5;

/** Records that go to the log in one write when several wait: bounds a write to some 64 KiB. */
export const MAX_RECORDS_PER_WRITE = 200;

// Comparing and reading back.

/** Deepest nesting of a value that is compared (levels); deeper ones cannot be judged. */
export const MAX_COMPARED_DEPTH = 100;

/** Characters of re-encoded texts that `sha256` hashes (count): some tenths of a second. Past it the answer is UNKNOWN rather than late. */
export const MAX_HASHED_CHARACTERS = 8 * 1024 * 1024;

/** Pairs of list items that one comparison looks at (count); past it the answer is UNKNOWN rather than late. */
export const MAX_ITEM_COMPARISONS = 200_000;

/** Bounds and defaults of a read-back's own keys (docs/read-back.md). */
export const MAX_READBACK_ATTEMPTS = 5;
export const DEFAULT_READBACK_ATTEMPTS = 3;
export const MAX_READBACK_INTERVAL_MS = 2000;
export const DEFAULT_READBACK_INTERVAL_MS = 250;
export const MAX_READBACK_TIMEOUT_MS = 10_000;
export const DEFAULT_READBACK_TIMEOUT_MS = 5000;

/** Under guard a read-back gets no more than this, whatever it says: a client waits for it. */
export const MAX_GUARDED_READBACK_MS = 1500;

/** Longest time after an answer before which absence proves nothing (`settle_ms`). */
export const MAX_SETTLE_MS = 60_000;

/** Largest body of an HTTP read (bytes): a record, not a download. */
export const MAX_READBACK_BODY_BYTES = 1024 * 1024;

/** Largest head of an HTTP answer, its status line and all headers together (bytes). */
export const MAX_READBACK_HEADER_BYTES = 16 * 1024;

/** What one attempt may take (milliseconds), so that a connection that hangs leaves time for another. */
export const READBACK_ATTEMPT_LIMIT_MS = 2000;

/** How long an idle connection to a system of record is kept, unless its server says less. */
export const READBACK_KEEP_ALIVE_MS = 15_000;

/** A reader that has not answered this long after a check's budget is settled without it (milliseconds). */
export const READER_GRACE_MS = 100;

/** And one that is silent this long after it is taken for hung and started anew (milliseconds). */
export const READER_HANG_MS = 1000;

/** First pause before a reader that ended is started anew, after the first time; it doubles up to the second (milliseconds). */
export const READER_BACKOFF_MS = 250;
export const READER_BACKOFF_MAX_MS = 30_000;

/** Pages of a list that one attempt reads (count); beyond them absence is not proven. */
export const MAX_READBACK_PAGES = 10;

/**
 * When `fourgate verify`, as a verifier, is to have its answer (milliseconds from its start): before the 2 s of
 * MAX_VERIFIER_TIMEOUT_MS, of which a busy machine takes its part for starting and ending a process.
 */
export const VERIFY_DONE_BY_MS = 1600;

/** Fields on the stdin of `fourgate verify` (bytes). */
export const MAX_VERIFY_INPUT_BYTES = 1024 * 1024;

/** Longest line that a reader may say (bytes). */
export const MAX_READER_LINE_BYTES = 256 * 1024;

/** Connections to one database, or processes that hold one, that a reader keeps (count); further reads wait for one. */
export const MAX_READBACK_CONNECTIONS = 4;

/** Rows that are looked through for the record (count); beyond them absence is not proven. */
export const MAX_READBACK_ROWS = 1000;

/** Longest line that an MCP server may answer a read with (bytes). */
export const MAX_READBACK_LINE_BYTES = 4 * 1024 * 1024;

/** How long an MCP server for reading may take to start (milliseconds): `npx` may have to fetch it first. */
export const MCP_START_LIMIT_MS = 60_000;

// The demo.

/** Longest pause between the scenes of the demo (seconds, `--pace`). */
export const MAX_DEMO_PACE_SECONDS = 10;

/** What one request of the demo's client may take (milliseconds): far beyond the need, so that only a hang meets it. */
export const DEMO_SESSION_TIMEOUT_MS = 15_000;

/** How long a program of the demo may take to end after its stdin did; a guard may still finish a check then (milliseconds). */
export const DEMO_CLOSE_GRACE_MS = 8000;

/** And how long after a signal (milliseconds). */
export const DEMO_KILL_GRACE_MS = 2000;

// The start of a session.

/** Readers and prewarmed verifiers start when the server has said its first word, or this long after it was started (milliseconds). */
export const START_AHEAD_MS = 250;

// Scans.

/** Bounds and default of `server.call_timeout_ms`: a test account's call, not a batch job (milliseconds). */
export const MAX_SCAN_CALL_TIMEOUT_MS = 10_000;
export const DEFAULT_SCAN_CALL_TIMEOUT_MS = 5000;

/** Bounds and default of `server.start_timeout_ms`: `npx` may have to fetch the server first (milliseconds). */
export const MAX_SCAN_START_TIMEOUT_MS = 120_000;
export const DEFAULT_SCAN_START_TIMEOUT_MS = 30_000;

/** What one page of `tools/list` may take (milliseconds). */
export const SCAN_LIST_TIMEOUT_MS = 5000;

/** Pages of `tools/list` that are read (count); a server whose pages never end has no list. */
export const MAX_SCAN_LIST_PAGES = 1000;

/** Longest name of a case (characters); it stands in every report. */
export const MAX_CASE_NAME_CHARACTERS = 200;

/** What all clean-up that is still due may take once a scan is told to stop (milliseconds): CI kills what does not end soon. */
export const SCAN_STOP_CLEANUP_MS = 5000;

/** Of that, what the call under way may still take to be answered, since its answer names what is to be removed (milliseconds). */
export const SCAN_STOP_ANSWER_MS = 2500;

/** Longest id that goes into a call that removes (characters); longer is no name. */
export const MAX_CLEANUP_ID_CHARACTERS = 512;

/** After the last case: what the server gets by the end of its stdin, and after SIGTERM, before its tree is killed (milliseconds). */
export const SCAN_SERVER_EXIT_MS = 400;
export const SCAN_SERVER_TERM_MS = 250;

/** Between two questions about a task that the server does not pace itself (milliseconds). */
export const SCAN_TASK_POLL_MS = 200;

/** Longest part of a case's evidence that is shown in full (characters of JSON); of a longer one its structure is. */
export const MAX_EVIDENCE_CHARACTERS = 64 * 1024;

/** Longest value that a report shows of a record (characters of JSON): a cut one could hold half a secret, so longer ones are not shown. */
export const MAX_TOLD_VALUE_CHARACTERS = 4096;

/** Comparisons that a report shows of one read (count). */
export const MAX_TOLD_COMPARISONS = 24;

/** What connections and processes of read-backs get to be let go of at the end of a scan (milliseconds). */
export const SCAN_READS_CLOSE_MS = 500;

/** Shorter secrets are not looked for in texts (characters): blanking every "1234" would blank the report. */
export const MIN_REDACTED_CHARACTERS = 8;

/** The end of the server's stderr that is shown when it could not be spoken to (characters). */
export const SCAN_SERVER_STDERR_CHARACTERS = 2048;

/** The longest credential that is read from a file (bytes). */
export const MAX_SECRET_BYTES = 64 * 1024;

/** How long a program may take that prints a credential (milliseconds); some ask a person. */
export const SECRET_COMMAND_MS = 30_000;
