// How reads introduce themselves to a system of record.

declare const FOURGATE_VERSION: string | undefined;

export const userAgent = `fourgate/${typeof FOURGATE_VERSION === "string" ? FOURGATE_VERSION : "0"}`;
