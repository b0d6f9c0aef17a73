// words/pseudo.ts
var seen = /* @__PURE__ */ new WeakMap();
function pseudo(texts) {
  if (typeof texts === "string") return marked(texts);
  if (typeof texts === "function") return (...given) => pseudo(texts(...given));
  if (typeof texts !== "object" || texts === null) return texts;
  const known = seen.get(texts);
  if (known !== void 0) return known;
  const made = Array.isArray(texts) ? texts.map(pseudo) : Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, pseudo(text)]));
  seen.set(texts, made);
  return made;
}
function marked(text) {
  const plain = text.replaceAll(/[⟦⟧]|~+(?=⟧)/g, "");
  return plain.trim() === "" ? text : `⟦${plain}${"~".repeat(Math.ceil(plain.length * 0.4))}⟧`;
}
export {
  pseudo
};
