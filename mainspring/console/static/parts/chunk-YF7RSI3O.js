import {
  Button,
  Command,
  Failed,
  Modal,
  Refusal,
  bodyOf,
  differences,
  draftOf,
  outdateAll,
  toast,
  useSignal,
  words,
  y
} from "./chunk-QKVOVX6E.js";
import {
  Field,
  P,
  a
} from "./chunk-U5NKIOU3.js";

// parts/form.tsx
var shown = y(null);
function fillIn(form) {
  shown.value = { form, draft: y(draftOf(form.fields, form.start)) };
}
function Forms() {
  const one = shown.value;
  return one && /* @__PURE__ */ a(FormDialog, { form: one.form, draft: one.draft, onClose: () => shown.value = null }, one.form.title);
}
function FormDialog({ form, draft, onClose }) {
  const w = words.value;
  const busy = useSignal(false);
  const error = useSignal(null);
  const other = useSignal(null);
  const asked = form.fields.filter((field) => !field.when || field.when(draft.value));
  const lacks = asked.some((field) => field.required && (draft.value[field.name] ?? "").trim() === "");
  const submit = async (event) => {
    event.preventDefault();
    if (lacks || busy.value) return;
    busy.value = true;
    error.value = null;
    try {
      await form.send(bodyOf(form.fields, draft.value), draft.value);
      outdateAll();
      if (form.done) toast({ text: form.done });
      onClose();
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
      if (error.value.status === 412 && form.theirs) other.value = draftOf(form.fields, await form.theirs());
      else focusWrong();
    } finally {
      busy.value = false;
    }
  };
  const wrong = fieldOf(error.value, asked);
  return /* @__PURE__ */ a(Modal, { title: form.title, wide: true, onClose, children: /* @__PURE__ */ a("form", { onSubmit: submit, noValidate: true, children: [
    form.says && /* @__PURE__ */ a("p", { class: "says", children: form.says }),
    /* @__PURE__ */ a("div", { class: "grid-fields", children: asked.map((field) => /* @__PURE__ */ a(TypedField, { field, draft, error: wrong === field.name ? error.value?.message : void 0 }, field.name)) }),
    other.value && /* @__PURE__ */ a(TheirsTable, { fields: form.fields, draft, theirs: other.value, onSettled: () => other.value = null }),
    form.command && /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: w.asCommand }),
      /* @__PURE__ */ a(Command, { line: form.command(bodyOf(form.fields, draft.value), draft.value) })
    ] }),
    error.value && wrong === null && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: w.cancel }),
      /* @__PURE__ */ a(Button, { type: "submit", kind: "main", refused: lacks ? w.fillFirst : void 0, children: form.confirm })
    ] })
  ] }) });
}
function fieldOf(error, fields) {
  const named = error?.field?.split(".").at(-1)?.replace(/\[.*$/, "");
  return fields.find((field) => field.name === error?.field || field.name === named)?.name ?? null;
}
function focusWrong() {
  requestAnimationFrame(() => document.querySelector("dialog [aria-invalid=true]")?.focus());
}
function TypedField({ field, draft, error }) {
  const id = P();
  const value = draft.value[field.name] ?? "";
  const set = (text) => draft.value = { ...draft.value, [field.name]: text };
  if (field.kind === "check") {
    return /* @__PURE__ */ a("label", { class: "check-field", children: [
      /* @__PURE__ */ a("input", { type: "checkbox", name: field.name, checked: value !== "", onChange: (event) => set(event.currentTarget.checked ? "1" : "") }),
      " ",
      field.label
    ] });
  }
  const common = { name: field.name, required: field.required ?? false, "aria-invalid": error !== void 0 };
  return /* @__PURE__ */ a("div", { class: field.wide || field.kind === "json" ? "all-columns" : "", children: [
    /* @__PURE__ */ a(Field, { label: field.required ? `${field.label} *` : field.label, help: field.help, error, children: field.kind === "choice" ? /* @__PURE__ */ a("select", { class: "input", ...common, value, onChange: (event) => set(event.currentTarget.value), children: field.choices?.map(([choice, name]) => /* @__PURE__ */ a("option", { value: choice, children: name }, choice)) }) : field.kind === "json" ? /* @__PURE__ */ a("textarea", { class: "input", ...common, rows: 3, spellcheck: false, value, onInput: (event) => set(event.currentTarget.value) }) : /* @__PURE__ */ a(Typed, { field, value, set, common, list: field.known ? id : void 0 }) }),
    field.known && /* @__PURE__ */ a("datalist", { id, children: field.known.map((name) => /* @__PURE__ */ a("option", { value: name }, name)) })
  ] });
}
function Typed({ field, value, set, common, list }) {
  const type = (event) => set(event.currentTarget.value);
  if (field.kind === "secret") return /* @__PURE__ */ a("input", { class: "input", ...common, type: "password", autoComplete: "new-password", value, onInput: type });
  return /* @__PURE__ */ a("input", { class: `input ${field.kind === "name" ? "mono" : ""}`, ...common, type: "text", autoComplete: "off", list, value, onInput: type });
}
function TheirsTable({ fields, draft, theirs, only, onSettled }) {
  const w = words.value.forms;
  const rows = differences(fields, draft.value, theirs).filter((row) => !only || only.includes(row.name));
  const settle = (names) => {
    const kept = only ? Object.fromEntries(only.filter((name) => !names.includes(name)).map((name) => [name, draft.value[name] ?? ""])) : draft.value;
    draft.value = only ? { ...theirs, ...kept } : { ...draft.value, ...Object.fromEntries(names.map((name) => [name, theirs[name] ?? ""])) };
    onSettled();
  };
  return /* @__PURE__ */ a("div", { class: "theirs", role: "alert", children: [
    /* @__PURE__ */ a("p", { children: [
      /* @__PURE__ */ a("b", { children: w.changed }),
      " ",
      w.changedSays
    ] }),
    /* @__PURE__ */ a("table", { children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("th", { children: w.field }),
        /* @__PURE__ */ a("th", { children: w.yours }),
        /* @__PURE__ */ a("th", { children: w.theirs }),
        /* @__PURE__ */ a("th", { children: /* @__PURE__ */ a("span", { class: "away", children: words.value.actsColumn }) })
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: rows.map((row) => /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: row.label }),
        /* @__PURE__ */ a("td", { class: "mono", children: row.mine || "–" }),
        /* @__PURE__ */ a("td", { class: "mono", children: row.theirs || "–" }),
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a(Button, { small: true, onClick: () => settle([row.name]), children: w.take }) })
      ] }, row.name)) })
    ] }),
    /* @__PURE__ */ a("p", { class: "acts", children: [
      /* @__PURE__ */ a(Button, { small: true, onClick: () => settle([]), children: w.keepMine }),
      /* @__PURE__ */ a(Button, { small: true, onClick: () => settle(rows.map((row) => row.name)), children: w.takeAll })
    ] })
  ] });
}

export {
  fillIn,
  Forms,
  TypedField,
  TheirsTable
};
