// A server that answers every request as fast as Node can; `size` in the arguments asks for that many characters of text.
let rest = "";
const texts = new Map();

function textOf(size) {
  if (!size) return "ok";
  if (!texts.has(size)) texts.set(size, "x".repeat(size));
  return texts.get(size);
}

process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  let out = "";
  for (const line of lines) {
    const { id, params } = JSON.parse(line);
    if (id === undefined) continue;
    const text = textOf(params?.arguments?.size);
    out += `{"result":{"content":[{"type":"text","text":"${text}"}],"structuredContent":{"id":1}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
  }
  if (out !== "") process.stdout.write(out);
});
