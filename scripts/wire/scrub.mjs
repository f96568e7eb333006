// Takes out of a recording what differs from one machine or run to the next; everything else stays byte for byte.

const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Ids that servers draw at random: 32 hexadecimal digits, or a UUID. */
const DRAWN = /\b[0-9a-f]{32}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** A scrubber for one session: the same id is the same everywhere in it. `folder` is where its servers may write. */
export function scrubber(folder) {
  const drawn = new Map();
  const count = (id) => {
    if (!drawn.has(id)) drawn.set(id, drawn.size + 1);
    const digits = String(drawn.get(id)).padStart(id.replaceAll("-", "").length, "0");
    let at = 0;
    return id.replace(/[0-9a-f]/g, () => digits[at++]);
  };
  return (text) => text.replaceAll(folder, "/recorded").replace(TIME, "2026-01-01T00:00:00.000Z").replace(DRAWN, count);
}
