// A system of record that answers every request with one record; says its port, and ends with its stdin.

import { createServer } from "node:http";

const server = createServer((_, response) => response.end('{"id":1,"title":"t"}'));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit());
