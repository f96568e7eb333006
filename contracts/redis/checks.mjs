// The checks of set and delete. Each takes the extracted fields and `ask`, and gives fourgate's reply object, or throws when it cannot tell.

const pass = { status: "pass" };
const missing = { status: "fail", reason_code: "record_missing" };
const mismatch = { status: "fail", reason_code: "field_mismatch" };
const present = { status: "fail", reason_code: "record_present" };

export const checks = new Map([
  ["set", checkSet],
  ["delete", checkDeleted],
]);

/** PASS: the key holds exactly the value, and expires no later than asked for. */
async function checkSet({ key, value, arguments: call }, ask) {
  if (typeof key !== "string" || typeof value !== "string") throw new Error("key or value is not text");
  const expires = call.expireSeconds;
  if (expires !== undefined && typeof expires !== "number") throw new Error("expireSeconds is not a number");
  const stored = await ask("GET", key).catch((error) => {
    // A list or a hash stands there, which the server would have put its text in the place of.
    if (error.code === "WRONGTYPE") return undefined;
    throw error;
  });
  if (stored === null) {
    if (expires) throw new Error("the key is not there, and may have expired");
    return missing;
  }
  if (stored === undefined || !stored.equals(Buffer.from(value, "utf8"))) return mismatch;
  // The server takes 0 for "does not expire".
  if (!expires) return pass;
  const left = await ask("PTTL", key);
  if (left === -2) throw new Error("the key has just expired");
  return left >= 0 && left <= expires * 1000 ? pass : mismatch;
}

/** PASS: none of the keys is there. That one was before cannot be known. */
async function checkDeleted({ key }, ask) {
  const keys = Array.isArray(key) ? key : [key];
  if (keys.length === 0 || keys.some((name) => typeof name !== "string")) throw new Error("the call names no keys");
  return (await ask("EXISTS", ...keys)) === 0 ? pass : present;
}
