// The protocol revisions that a scan can offer to a server.

/** The first one without a handshake: every request says its revision, and `server/discover` what the server is. */
export const WITHOUT_HANDSHAKE = "2026-07-28";

export const PROTOCOL_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", WITHOUT_HANDSHAKE] as const;

export const DEFAULT_PROTOCOL_VERSION = "2024-11-05";
