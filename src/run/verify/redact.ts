// Keeps credentials out of everything that `fourgate verify` says, in every form in which a system may echo them.

/** Gives a function that takes each credential out of a text: as it is, in base64, percent-encoded, and as JSON spells it. */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (!secret) continue;
    const base64 = Buffer.from(secret).toString("base64");
    for (const form of [
      secret,
      base64,
      base64.replace(/=+$/, ""),
      encodeURIComponent(secret),
      JSON.stringify(secret),
    ]) {
      forms.add(form.replace(/^"|"$/g, ""));
    }
  }
  // The longest first, so that no part of a longer form stays.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, "[REDACTED]"), text);
}
