// Verifier for create_ticket: asks the ticket desk itself, with a key that only this program is given, whether the ticket is there.
// TICKET_DESK_URL says where the desk is. Whatever is not an answer of the desk is a doubt: exit status 1, which fourgate records as UNKNOWN.

/** Well inside the contract's timeout_ms, so that a slow desk gets a message instead of a kill. */
const REQUEST_TIMEOUT_MS = 1500;

try {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const { ticket_id: id, title } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  process.stdout.write(JSON.stringify(await check(id, title)));
} catch (error) {
  process.stderr.write(`in doubt: ${error.cause?.code ?? error.code ?? error.message}\n`);
  process.exitCode = 1;
}

async function check(id, title) {
  const { TICKET_DESK_URL: desk, TICKET_READ_KEY: key } = process.env;
  if (!desk || !key) throw new Error("TICKET_DESK_URL or TICKET_READ_KEY is not set");
  if (typeof id !== "string" || !/^T-\d+$/.test(id)) throw new Error("not a ticket id");
  const response = await fetch(`${desk}/tickets/${id}`, {
    headers: { authorization: `Bearer ${key}` },
    redirect: "error",
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  // The desk says "not there" to a known reader only; 401 and the like say nothing about the ticket.
  if (response.status === 404) return { status: "fail", reason_code: "record_missing" };
  if (response.status !== 200) throw new Error(`the desk answered ${response.status}`);
  const ticket = await response.json();
  if (ticket.ticket_id !== id) throw new Error("the desk answered for another ticket");
  return ticket.title === title ? { status: "pass" } : { status: "fail", reason_code: "field_mismatch" };
}
