import {
  member,
  parseExact,
  writeExact
} from "./chunk-HQEIUNT4.js";
import {
  Field,
  a
} from "./chunk-SNVQWMQR.js";
import "./chunk-DPBHMWAZ.js";

// pages/runs/input-form.tsx
var NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
var SIMPLE = /* @__PURE__ */ new Set(["string", "integer", "number", "boolean"]);
function InputForm({ schema, text }) {
  const read = objectIn(text.value);
  const fields = Object.entries(schema.properties ?? {}).filter(([, one]) => one.enum || SIMPLE.has(one.type ?? ""));
  if (!read || fields.length === 0) return null;
  return /* @__PURE__ */ a("div", { class: "grid-fields", children: fields.map(([name, one]) => {
    const needed = schema.required?.includes(name) ?? false;
    const set = (value) => text.value = writeExact(withMember(read, name, value));
    return /* @__PURE__ */ a(Field, { label: needed ? `${name} *` : name, help: one.description ?? one.type, children: /* @__PURE__ */ a(Entry, { of: one, name, value: member(read, name), needed, onSet: set }) }, name);
  }) });
}
function Entry({ of, name, value, needed, onSet }) {
  const choices = of.enum?.map((one) => JSON.stringify(one)) ?? (of.type === "boolean" ? ["true", "false"] : null);
  if (choices) {
    return /* @__PURE__ */ a("select", { class: "input", name, value: value ? writeExact(value) : "", onChange: (event) => onSet(event.currentTarget.value === "" ? null : parseExact(event.currentTarget.value)), children: [
      (!needed || !value) && /* @__PURE__ */ a("option", { value: "", children: "–" }),
      choices.map((one) => /* @__PURE__ */ a("option", { value: one, children: one.replaceAll('"', "") }, one))
    ] });
  }
  const shown = value === void 0 ? "" : value.kind === "string" ? value.value : writeExact(value);
  const write = (event) => onSet(entryOf(of, event.currentTarget.value, needed));
  if (of.format === "date") return /* @__PURE__ */ a("input", { class: "input", name, type: "date", value: shown, onInput: write });
  return /* @__PURE__ */ a("input", { class: "input", name, type: "text", value: shown, inputMode: of.type === "string" ? "text" : "decimal", autoComplete: "off", placeholder: of.format === "date-time" ? "2030-01-01T09:00:00Z" : "", onInput: write });
}
function entryOf(of, typed, needed) {
  if (typed === "" && !needed) return null;
  if (of.type !== "string" && NUMBER.test(typed)) return { kind: "number", text: typed };
  return { kind: "string", value: typed };
}
function withMember(node, name, value) {
  const at = node.entries.findIndex(([key]) => key === name);
  if (value === null) return { kind: "object", entries: node.entries.filter(([key]) => key !== name) };
  return { kind: "object", entries: at < 0 ? [...node.entries, [name, value]] : node.entries.map((one, place) => place === at ? [name, value] : one) };
}
function objectIn(text) {
  try {
    const found = parseExact(text.trim() || "{}");
    return found.kind === "object" ? found : null;
  } catch {
    return null;
  }
}
export {
  InputForm,
  entryOf,
  withMember
};
