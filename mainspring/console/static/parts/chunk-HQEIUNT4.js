// parts/exact.ts
function parseExact(text) {
  const reader = new Reader(text);
  const found = reader.value();
  reader.blank();
  if (reader.at < text.length) throw new SyntaxError(`something follows the value at ${reader.at}`);
  return found;
}
var Reader = class {
  at = 0;
  text;
  constructor(text) {
    this.text = text;
  }
  blank() {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
  }
  value() {
    this.blank();
    const first = this.text[this.at];
    if (first === "{") return { kind: "object", entries: this.list("}", () => this.entry()) };
    if (first === "[") return { kind: "array", items: this.list("]", () => this.value()) };
    if (first === '"') return { kind: "string", value: this.string() };
    const found = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/.exec(this.text.slice(this.at, this.at + 400));
    if (!found) throw new SyntaxError(`no value at ${this.at}`);
    this.at += found[0].length;
    return { kind: /[a-z]/.test(found[0][0] ?? "") ? "literal" : "number", text: found[0] };
  }
  list(end, read) {
    const found = [];
    this.at += 1;
    this.blank();
    while (this.text[this.at] !== end) {
      if (found.length > 0) this.take(",");
      found.push(read());
      this.blank();
    }
    this.at += 1;
    return found;
  }
  entry() {
    this.blank();
    const key = this.string();
    this.blank();
    this.take(":");
    return [key, this.value()];
  }
  take(sign) {
    if (this.text[this.at] !== sign) throw new SyntaxError(`'${sign}' is missing at ${this.at}`);
    this.at += 1;
  }
  string() {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1;
    const raw = this.text.slice(this.at, end + 1);
    this.at = end + 1;
    return JSON.parse(raw);
  }
};
function member(node, key) {
  return node?.kind === "object" ? node.entries.find(([name]) => name === key)?.[1] : void 0;
}
function writeExact(node, depth = 0) {
  if (node.kind === "string") return JSON.stringify(node.value);
  if (node.kind === "number" || node.kind === "literal") return node.text;
  const [open, close] = node.kind === "object" ? ["{", "}"] : ["[", "]"];
  const parts = node.kind === "object" ? node.entries.map(([key, value]) => `${JSON.stringify(key)}: ${writeExact(value, depth + 1)}`) : node.items.map((item) => writeExact(item, depth + 1));
  if (parts.length === 0) return open + close;
  const line = `${open}${node.kind === "object" ? " " : ""}${parts.join(", ")}${node.kind === "object" ? " " : ""}${close}`;
  if (line.length + depth * 2 <= 72 && !line.includes("\n")) return line;
  const indent = "  ".repeat(depth + 1);
  return `${open}
${parts.map((part) => indent + part).join(",\n")}
${"  ".repeat(depth)}${close}`;
}

export {
  parseExact,
  member,
  writeExact
};
