// What the report writers cut, so that one long text cannot make a report unreadable; the JSON report is always whole.

/** A name, path or reason in a line or a cell (UTF-16 units). */
export const MAX_LINE_UNITS = 200;

/** A value in a line or a cell (UTF-16 units). */
export const MAX_VALUE_UNITS = 400;

/** One block of evidence on the page, and all that one JUnit element says (UTF-16 units). */
export const MAX_BLOCK_UNITS = 128 * 1024;

/** The whole report as JSON at the end of the page (UTF-16 units): a browser shows more only slowly. */
export const MAX_PAGE_JSON_UNITS = 4 * 1024 * 1024;

/** Levels of lists and objects that are written of what a server answered: a deeper one could exhaust the stack. */
export const MAX_JSON_DEPTH = 200;

/** GitHub shows ten errors and ten warnings a step, and fifty annotations a job. */
export const MAX_ANNOTATIONS = 50;

/** An annotation's message (UTF-16 units); GitHub itself cuts at 64 KiB, and nobody reads as much. */
export const MAX_ANNOTATION_UNITS = 4096;

/** GitHub drops a whole job summary past 1 MiB (bytes); the rest is left to the lines that close the table. */
export const MAX_MARKDOWN_BYTES = 960 * 1024;

/** Characters of the progress bar, and how often it is drawn anew while a case runs (ms). */
export const BAR_CHARACTERS = 24;
export const BAR_INTERVAL_MS = 500;

/** A terminal that does not tell its width. */
export const DEFAULT_COLUMNS = 80;
