// The version of this build; scripts/build.mjs puts it in from package.json.

declare const FOURGATE_VERSION: string | undefined;

export const version: string = typeof FOURGATE_VERSION === "string" ? FOURGATE_VERSION : "0.0.0-source";
