// What a summary keeps of a log of any length.

/** A longer line is no record of ours (bytes). */
export const MAX_SUMMARY_LINE_BYTES = 64 * 1024;

/** Names of servers, tools, modes and reasons are cut here (UTF-16 units). */
export const MAX_SUMMARY_NAME_UNITS = 200;

/** Different servers, modes, tools and reasons that are counted each by itself; those that come later are counted together. */
export const MAX_SUMMARY_NAMES = 1000;

/** Days that are counted each by itself: ten years. */
export const MAX_SUMMARY_DAYS = 3653;

/** Hours that are counted; a log of more is shown by days. */
export const MAX_SUMMARY_HOURS = 24 * 14;

/** FAILs that are shown. */
export const MAX_SUMMARY_FAILURES = 20;
