import {
  Pulse,
  logHeight
} from "./chunk-7FLTJP2Q.js";
import {
  member,
  parseExact,
  writeExact
} from "./chunk-HQEIUNT4.js";
import {
  Ago,
  Button,
  Command,
  Count,
  Empty,
  FINAL,
  Failed,
  Head,
  Icon,
  Id,
  Modal,
  Segments,
  State,
  StateIcon,
  Table,
  Took,
  Waiting,
  askFor,
  fillIn,
  options,
  outdate,
  outdateAll,
  quoted,
  refusal,
  tellRefusal,
  toast,
  useResource
} from "./chunk-IBKJQSZ2.js";
import {
  Refusal,
  asked,
  count,
  duration,
  get,
  link,
  linkWith,
  now,
  parseDuration,
  part,
  post,
  put,
  query,
  remove,
  setQuery,
  useSignal,
  words,
  y
} from "./chunk-K2CDJBIM.js";
import {
  Field,
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A,
  P,
  T,
  w
} from "./chunk-DPBHMWAZ.js";

// pages/runs/start.tsx
var Form = y(null);
var wanted = y(null);
function startRun(job = "", like = null) {
  wanted.value = { job, like };
}
function RunDialogButton({ job = "" }) {
  return /* @__PURE__ */ a(Button, { kind: "main", icon: "play", refused: refusal("runs:write"), onClick: () => startRun(job), children: words.value.start.button });
}
function StartDialog() {
  const one = wanted.value;
  return one && /* @__PURE__ */ a(StartForm, { first: one.job, like: one.like, onClose: () => wanted.value = null }, `${one.job}${one.like?.id}`);
}
function StartForm({ first, like, onClose }) {
  const w2 = words.value.start;
  const job = useSignal(first);
  const names = useSignal([]);
  const found = useSignal(null);
  const text = useSignal("{}");
  const more = { key: useSignal(""), delay: useSignal(""), priority: useSignal(like ? String(like.priority) : ""), tags: useSignal(like?.tags.join(" ") ?? ""), queue: useSignal(like?.queue ?? "") };
  const error = useSignal(null);
  A(() => {
    void import("./input-form-PKXSBTWD.js").then((one) => Form.value = one.InputForm);
    void get(query("jobs", { limit: 200 })).then(({ data }) => names.value = data.jobs.map(({ name }) => name));
  }, []);
  A(() => {
    found.value = null;
    if (job.value === "") return;
    void get(`jobs/${part(job.value)}`).then(
      async ({ data }) => {
        found.value = data;
        text.value = like && like.job === job.value ? await inputOf(like.id) : sampleOf(data);
      },
      () => {
      }
    );
  }, [job.value]);
  const submit = async (event) => {
    event.preventDefault();
    error.value = null;
    try {
      const body = writeBody(text.value, more);
      const { data } = await post(`jobs/${part(job.value)}/runs`, body);
      outdateAll();
      onClose();
      toast({ text: data.existing ? w2.existing : w2.started(job.value), href: link("runs", data.id) });
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(422, { code: "bad_input", detail: String(refused), field: "input" });
    }
  };
  const line = `mainspring enqueue ${job.value || "JOB"} --input '${text.value.replaceAll(/\s+/g, " ")}'`;
  return /* @__PURE__ */ a(Modal, { title: like ? w2.again : w2.title, onClose, wide: true, children: /* @__PURE__ */ a("form", { onSubmit: submit, children: [
    /* @__PURE__ */ a(Field, { label: w2.job, error: error.value?.field === "job" ? error.value.message : "", children: [
      /* @__PURE__ */ a("input", { class: "input", list: "start-jobs", required: true, value: job.value, onChange: (event) => job.value = event.currentTarget.value.trim() }),
      /* @__PURE__ */ a("datalist", { id: "start-jobs", children: names.value.map((name) => /* @__PURE__ */ a("option", { value: name }, name)) })
    ] }),
    found.value?.description && /* @__PURE__ */ a("p", { class: "dim", children: found.value.description }),
    found.value && Form.value && /* @__PURE__ */ a(Form.value, { schema: found.value.schema, text }),
    /* @__PURE__ */ a(Field, { label: w2.input, help: found.value ? fieldsOf(found.value) : w2.inputHelp, error: error.value?.field?.startsWith("input") ? error.value.message : "", children: /* @__PURE__ */ a("textarea", { class: "input", rows: 5, spellcheck: false, value: text.value, onInput: (event) => text.value = event.currentTarget.value }) }),
    /* @__PURE__ */ a("details", { class: "more-fields", children: [
      /* @__PURE__ */ a("summary", { children: w2.more }),
      /* @__PURE__ */ a("div", { class: "grid-fields", children: [
        /* @__PURE__ */ a(Field, { label: w2.key, help: w2.keyHelp, children: /* @__PURE__ */ a("input", { class: "input", value: more.key.value, onInput: (event) => more.key.value = event.currentTarget.value }) }),
        /* @__PURE__ */ a(Field, { label: w2.delay, help: "2 m, 1 h 30 m", children: /* @__PURE__ */ a("input", { class: "input", value: more.delay.value, onInput: (event) => more.delay.value = event.currentTarget.value }) }),
        /* @__PURE__ */ a(Field, { label: w2.priority, help: "0–9", children: /* @__PURE__ */ a("input", { class: "input", inputMode: "numeric", value: more.priority.value, onInput: (event) => more.priority.value = event.currentTarget.value }) }),
        /* @__PURE__ */ a(Field, { label: w2.queue, children: /* @__PURE__ */ a("input", { class: "input", value: more.queue.value, placeholder: found.value?.queue ?? "", onInput: (event) => more.queue.value = event.currentTarget.value }) }),
        /* @__PURE__ */ a(Field, { label: w2.tags, help: "vip eu", children: /* @__PURE__ */ a("input", { class: "input", value: more.tags.value, onInput: (event) => more.tags.value = event.currentTarget.value }) })
      ] })
    ] }),
    /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: words.value.asCommand }),
      /* @__PURE__ */ a(Command, { line })
    ] }),
    error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: words.value.cancel }),
      /* @__PURE__ */ a(Button, { kind: "main", type: "submit", icon: "play", refused: job.value === "" ? words.value.fillFirst : void 0, children: w2.button })
    ] })
  ] }) });
}
async function inputOf(id) {
  const { text } = await get(`runs/${id}`);
  const input = member(parseExact(text), "input");
  return input ? writeExact(input) : "{}";
}
function sampleOf(job) {
  const schema = job.schema;
  const blanks = { string: "", integer: 0, number: 0, boolean: false, array: [], object: {} };
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name) && !(name in job.input)).map(([name, { type, default: value, enum: choices }]) => [name, value ?? choices?.[0] ?? blanks[type ?? "string"] ?? null]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}
function fieldsOf(job) {
  const schema = job.schema;
  return Object.entries(schema.properties ?? {}).map(([name, { type }]) => `${name}${schema.required?.includes(name) ? "" : "?"}: ${type ?? "any"}`).join(", ");
}
function writeBody(input, more) {
  const read = parseExact(input.trim() || "{}");
  const rest = {};
  if (more.key.value) rest["key"] = more.key.value;
  if (more.delay.value) rest["delay"] = parseDuration(more.delay.value) ?? more.delay.value;
  if (more.priority.value) rest["priority"] = Number(more.priority.value);
  if (more.queue.value) rest["queue"] = more.queue.value;
  if (more.tags.value.trim()) rest["tags"] = more.tags.value.trim().split(/[\s,]+/);
  const others = JSON.stringify(rest).slice(1, -1);
  return `{"input": ${writeExact(read)}${others ? `, ${others}` : ""}}`;
}

// parts/menu.tsx
function Menu({ label, face, kind = "button", children }) {
  const id = P();
  const button = T(null);
  const box = T(null);
  const put2 = () => {
    const at = button.current?.getBoundingClientRect();
    const menu = box.current;
    if (!at || !menu) return;
    const left = Math.min(at.left, innerWidth - menu.offsetWidth - 8);
    menu.style.setProperty("left", `${Math.max(8, left)}px`);
    menu.style.setProperty("top", `${at.bottom + 4}px`);
  };
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("button", { ref: button, type: "button", class: `menu-button ${kind}`, "aria-label": label, "aria-haspopup": "true", popovertarget: id, children: face }),
    /* @__PURE__ */ a("div", { ref: box, id, popover: "auto", class: "menu", onToggle: put2, onKeyDown: (event) => walk(event, box.current), onClick: () => box.current?.hidePopover(), children })
  ] });
}
function MenuItem(props) {
  return /* @__PURE__ */ a(
    "button",
    {
      type: "button",
      class: `menu-item ${props.danger ? "danger" : ""}`,
      "aria-disabled": props.refused ? "true" : void 0,
      title: props.refused,
      onClick: () => !props.refused && props.onChoose(),
      children: [
        props.icon && /* @__PURE__ */ a(Icon, { name: props.icon }),
        /* @__PURE__ */ a("span", { class: "grow", children: props.children }),
        props.note && /* @__PURE__ */ a("span", { class: "faint", children: props.note }),
        props.on && /* @__PURE__ */ a(Icon, { name: "check" })
      ]
    }
  );
}
function walk(event, box) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !box) return;
  event.preventDefault();
  const items = [...box.querySelectorAll(".menu-item")];
  const at = items.findIndex((item) => item === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
}

// parts/strip.tsx
var HEIGHT = 26;
var LINE = 19;
function secondsOf(run) {
  if (!run.started_at || !run.finished_at) return null;
  return (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1e3;
}
function Strip({ runs, most = 30, wide = 6, on = "" }) {
  const w2 = words.value;
  const shown = runs.slice(0, most).reverse();
  const longest = Math.max(0, ...shown.map((run) => secondsOf(run) ?? 0));
  const states = w2.states;
  const failed = shown.filter((run) => run.state === "failed").length;
  return /* @__PURE__ */ a("span", { class: "strip", role: "group", "aria-label": w2.charts.strip(shown.length, failed), onKeyDown: (event) => walkWithin(event, "a"), children: shown.map((run, place) => {
    const seconds = secondsOf(run);
    const height = seconds === null ? 4 : Math.max(3, logHeight(seconds, longest) * (LINE - 1));
    const hangs = run.state === "failed";
    return /* @__PURE__ */ a(
      "a",
      {
        href: link("runs", run.id),
        tabIndex: place === shown.length - 1 ? 0 : -1,
        title: `${states[run.state] ?? run.state}${seconds === null ? "" : `, ${duration(seconds)}`}`,
        "aria-label": `${states[run.state] ?? run.state}${seconds === null ? "" : `, ${duration(seconds)}`}`,
        class: run.id === on ? "on" : "",
        style: { width: `${wide}px` },
        children: /* @__PURE__ */ a("i", { class: `fill-${run.state}`, style: { top: `${hangs ? LINE : LINE - height}px`, height: `${hangs ? HEIGHT - LINE : height}px` } })
      },
      run.id
    );
  }) });
}
function walkWithin(event, selector) {
  const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (by === 0) return;
  const all = [...event.currentTarget.querySelectorAll(selector)];
  const next = all[all.indexOf(document.activeElement) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// pages/runs/sweep.tsx
var HOLD = 10;
var CANARIES = 5;
var MANY = 100;
async function askMany({ act, filter, canaries, says, command }) {
  const w2 = words.value;
  try {
    const { data: found } = await post("sweep-previews", { act, filter });
    const n = count(found.count, !found.is_complete);
    const more = found.count - found.sample.length;
    askFor({
      title: canaries > 0 ? w2.failures.askFew(n) : w2.runs.ask[act](n),
      says: /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("code", { children: says }),
        /* @__PURE__ */ a("br", {}),
        canaries > 0 ? w2.failures.fewSays : w2.runs.askSays[act],
        " ",
        w2.runs.sweepGoesOn,
        " ",
        w2.runs.holdSays(HOLD)
      ] }),
      samples: found.sample,
      more: more > 0 ? w2.runs.andMore(count(more, !found.is_complete)) : void 0,
      reason: found.count > MANY || !found.is_complete || act === "discard" ? "needed" : "optional",
      confirm: canaries > 0 ? w2.failures.retryFew : w2.runs.confirm[act](n),
      danger: act !== "retry",
      command: (reason) => `${command}${canaries > 0 ? ` --canaries ${canaries}` : ""} --hold ${HOLD}s${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        const { data } = await post("sweeps", { act, filter, canaries, reason, hold: HOLD });
        outdateAll();
        tellHeld(data, n);
      }
    });
  } catch (error) {
    tellRefusal(error);
  }
}
function tellHeld(sweep, n) {
  const w2 = words.value;
  const begins = Date.parse(sweep.held_until ?? sweep.created_at);
  const left = () => Math.max(0, Math.ceil((begins - now.value) / 1e3));
  const undo = () => post(`sweeps/${sweep.id}/cancel`, { reason: w2.run.undone }).then(() => toast({ text: w2.runs.takenBack }));
  toast({ text: () => w2.runs.beginsIn[sweep.act](n, left()), act: { name: w2.undo, run: undo }, href: link("failures", "sweeps", sweep.id) });
}

// pages/runs/query.ts
var KEYS = ["state", "job", "queue", "tag", "label", "key", "parent", "id", "since", "until", "duration", "wait", "attempt", "priority", "executor", "trigger", "backfill", "handler", "by", "reason", "error", "code", "step", "input"];
var STATE_VALUES = ["queued", "waiting", "running", "succeeded", "failed", "cancelled", "skipped"];
var SINCE_VALUES = ["15m", "1h", "6h", "24h", "7d", "30d"];
var TERM = /(?:(-?[a-z_]+)(\.[^\s:"]+)?:)?("(?:[^"\\]|\\.)*"?|\S+)/g;
function parseQuery(text) {
  const terms = [];
  const wrong = [];
  for (const found of text.matchAll(TERM)) {
    const [whole, name, dotted, raw = ""] = found;
    const value = unquoted(raw);
    if (name === void 0) wrong.push({ text: whole, code: "no_key", meant: `job:${whole}` });
    else if (name === "label" && dotted) terms.push(termOf("label", `${dotted.slice(1)}=${value}`, found));
    else if (dotted && name.replace("-", "") === "input") terms.push(termOf(`${name}${dotted}`, value, found));
    else if (dotted || !KEYS.includes(name.replace("-", ""))) wrong.push({ text: whole, code: "unknown_key", meant: nearest(name, KEYS) });
    else checked(name, value, found, terms, wrong);
  }
  return { terms, wrong };
}
function checked(name, value, found, terms, wrong) {
  const bad = value === "" ? null : name === "state" ? value.split(",").find((one) => !STATE_VALUES.includes(one)) : isTime(name) && instantOf(value, 0) === null ? value : void 0;
  if (bad === void 0) terms.push(termOf(name, value, found));
  else if (bad !== null) wrong.push({ text: `${name}:${bad}`, code: "bad_value", meant: name === "state" ? `state:${nearest(bad, STATE_VALUES)}` : `${name}:24h` });
}
var isTime = (name) => name === "since" || name === "until";
function termOf(key, value, found) {
  const from = found.index ?? 0;
  return { key, value, from, to: from + found[0].length };
}
function unquoted(raw) {
  return raw.startsWith('"') ? raw.replace(/^"|"$/g, "").replaceAll('\\"', '"') : raw;
}
function writeTerm(key, value) {
  const [name, text] = key === "label" && value.includes("=") ? [`label.${value.slice(0, value.indexOf("="))}`, value.slice(value.indexOf("=") + 1)] : [key, value];
  return `${name}:${/[\s"]/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text}`;
}
function writeQuery(terms) {
  return terms.map(({ key, value }) => writeTerm(key, value)).join(" ");
}
function withTerm(text, key, value) {
  const others = parseQuery(text).terms.filter((term) => term.key !== key);
  return writeQuery(value === "" ? others : [...others, { key, value }]);
}
function parametersOf(terms, now2) {
  const many = {};
  const one = {};
  const moment = Math.ceil(now2 / 3e4) * 3e4;
  for (const { key, value } of terms) {
    if (value === "") continue;
    if (key === "state") (many["state"] ??= []).push(...value.split(","));
    else if (key === "tag" || key === "label") (many[key] ??= []).push(value);
    else if (isTime(key)) one[key] = instantOf(value, moment) ?? value;
    else one[key === "id" ? "prefix" : key] = value;
  }
  return { ...one, ...many };
}
var UNITS = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };
function instantOf(value, now2) {
  const span = /^(\d+)([smhdw])$/.exec(value);
  if (span) return new Date(now2 - Number(span[1]) * (UNITS[span[2] ?? "s"] ?? 1) * 1e3).toISOString();
  return /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : null;
}
function nearest(word, known) {
  return [...known].sort((one, other) => distance(word, one) - distance(word, other))[0] ?? word;
}
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

// parts/filter.tsx
var WAIT = 90;
function Filter({ label, chips, keys, suggest: suggest2, read, write, onChange }) {
  const w2 = words.value;
  const text = useSignal("");
  const offers = useSignal([]);
  const at = useSignal(-1);
  const wrong = useSignal(null);
  const open = useSignal(false);
  const input = T(null);
  A(() => {
    let stale = false;
    const timer = setTimeout(() => void offered(text.value, keys, suggest2).then((found) => !stale && (offers.value = found)), WAIT);
    at.value = -1;
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [text.value]);
  const take = () => {
    const found = read(text.value);
    wrong.value = found.wrong;
    if (found.wrong !== null) return;
    text.value = "";
    open.value = false;
    onChange([...chips, ...found.chips]);
  };
  const choose = (offer) => {
    text.value = text.value.replace(/\S*$/, "") + offer;
    if (!offer.endsWith(":")) take();
    input.current?.focus();
  };
  const onKey = (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const offer = offers.value[at.value] ?? (event.key === "Tab" && text.value !== "" ? offers.value[0] : void 0);
    if (step !== 0 && offers.value.length > 0) {
      event.preventDefault();
      open.value = true;
      at.value = (at.value + step + offers.value.length) % offers.value.length;
    } else if ((event.key === "Tab" || event.key === "Enter") && offer) {
      event.preventDefault();
      choose(offer);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (text.value.trim() !== "") take();
    } else if (event.key === "Backspace" && text.value === "" && chips.length > 0) {
      event.preventDefault();
      const last = chips.at(-1);
      if (last) text.value = write(last);
      onChange(chips.slice(0, -1));
    } else if (event.key === "Escape") {
      open.value = false;
      input.current?.blur();
    }
  };
  return /* @__PURE__ */ a("div", { class: "filter", children: [
    /* @__PURE__ */ a("div", { class: "filter-box", children: [
      /* @__PURE__ */ a(Icon, { name: "find" }),
      chips.map((chip, place) => /* @__PURE__ */ a("button", { type: "button", class: "chip", title: w2.filter.drop, onClick: () => onChange(chips.filter((_, other) => other !== place)), children: [
        write(chip),
        " ",
        /* @__PURE__ */ a(Icon, { name: "x" })
      ] }, `${chip.key}:${chip.value}`)),
      /* @__PURE__ */ a(
        "input",
        {
          ref: input,
          "data-filter": true,
          role: "combobox",
          "aria-label": label,
          "aria-expanded": open.value,
          "aria-controls": "filter-offers",
          "aria-autocomplete": "list",
          "aria-invalid": wrong.value !== null,
          placeholder: chips.length === 0 ? w2.filter.placeholder : "",
          value: text.value,
          onInput: (event) => {
            text.value = event.currentTarget.value;
            wrong.value = null;
            open.value = true;
          },
          onFocus: () => open.value = true,
          onBlur: () => setTimeout(() => open.value = false, 150),
          onKeyDown: onKey
        }
      )
    ] }),
    wrong.value !== null && /* @__PURE__ */ a("p", { class: "wrong", role: "alert", children: wrong.value }),
    /* @__PURE__ */ a("ul", { id: "filter-offers", role: "listbox", "aria-label": label, hidden: !open.value || offers.value.length === 0, children: [
      offers.value.map((offer, place) => /* @__PURE__ */ a("li", { role: "option", "aria-selected": place === at.value, onMouseDown: (event) => {
        event.preventDefault();
        choose(offer);
      }, children: /* @__PURE__ */ a("code", { children: offer }) }, offer)),
      /* @__PURE__ */ a("li", { class: "help", role: "presentation", children: w2.filter.help })
    ] })
  ] });
}
async function offered(text, keys, suggest2) {
  const word = /\S*$/.exec(text)?.[0] ?? "";
  const colon = word.indexOf(":");
  if (colon < 0) return keys.filter((key2) => key2.startsWith(word)).map((key2) => key2 === "label" ? "label." : `${key2}:`);
  const key = word.slice(0, colon);
  const parts = word.slice(colon + 1).split(",");
  const done = parts.slice(0, -1).map((one) => `${one},`).join("");
  const values = await suggest2(key, parts.at(-1) ?? "").catch(() => []);
  return values.slice(0, 8).map((value) => `${key}:${done}${value}`);
}

// pages/runs/change.tsx
var FRONT = 9;
var canChange = (run) => run.state === "queued" || run.state === "waiting";
function askChange(runs) {
  const w2 = words.value;
  const ids = runs.map((run) => run.id);
  const [first] = runs;
  fillIn({
    title: w2.run.askChange(count(runs.length)),
    says: w2.run.changeSays,
    start: runs.length === 1 && first ? { priority: first.priority, queue: first.queue } : {},
    fields: [
      { name: "priority", kind: "number", label: w2.run.priority, help: w2.run.priorityHelp },
      { name: "queue", kind: "name", label: w2.queues.name },
      { name: "due_at", kind: "name", label: w2.run.due, help: w2.run.dueHelp },
      { name: "reason", kind: "text", label: w2.reason, wide: true }
    ],
    confirm: w2.run.change,
    done: w2.run.changed(count(runs.length)),
    command: ({ due_at, ...rest }) => `mainspring runs change ${ids.slice(0, 3).join(" ")}${ids.length > 3 ? " …" : ""}${options({ ...rest, ...due_at ? { at: due_at } : {} })}`,
    send: (body) => post("runs/change", { ...body, runs: ids })
  });
}
async function toFront(run) {
  const w2 = words.value;
  const set = (priority) => post("runs/change", { runs: [run.id], priority }).then(outdateAll);
  try {
    await set(FRONT);
    toast({ text: w2.run.inFront, act: { name: w2.undo, run: () => set(run.priority) } });
  } catch (error) {
    tellRefusal(error);
  }
}

// pages/runs/bulk.tsx
function BulkBar({ chosen, rows, terms, more }) {
  const w2 = words.value;
  const all = useSignal(false);
  const some = rows.filter((run) => chosen.value.has(run.id));
  if (some.length === 0) return null;
  const live = some.filter((run) => !FINAL.includes(run.state));
  const failed = some.filter((run) => run.state === "failed");
  const startable = some.filter(canChange);
  const sweepable = (act) => terms.length > 0 && terms.every((term) => ["state", "job", "queue", "tag", "label", "since", "until"].includes(term.key)) && stateFits(act, terms);
  const begin = (act, ids) => all.value && sweepable(act) ? void askSweep(act, terms) : askSome(act, ids, () => chosen.value = /* @__PURE__ */ new Set());
  return /* @__PURE__ */ a("div", { class: "bulk", role: "region", "aria-label": w2.runs.bulk, children: [
    /* @__PURE__ */ a("b", { children: w2.runs.chosen(all.value ? `${count(rows.length)}${more ? "+" : ""}` : count(some.length)) }),
    (sweepable("cancel") || sweepable("retry")) && /* @__PURE__ */ a("label", { class: "check-field", children: [
      /* @__PURE__ */ a("input", { type: "checkbox", checked: all.value, onChange: () => all.value = !all.value }),
      " ",
      w2.runs.allMatching
    ] }),
    /* @__PURE__ */ a("span", { class: "grow" }),
    /* @__PURE__ */ a(Button, { icon: "retry", refused: refusal("runs:steer") ?? (failed.length === 0 ? w2.runs.onlyFailed : void 0), onClick: () => begin("retry", failed.map((run) => run.id)), children: [
      w2.runs.retry,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { icon: "trash", refused: refusal("runs:steer") ?? (failed.length === 0 ? w2.runs.onlyFailed : void 0), onClick: () => begin("discard", failed.map((run) => run.id)), children: [
      w2.runs.discard,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { icon: "stop", kind: "danger", refused: refusal("runs:steer") ?? (live.length === 0 ? w2.runs.onlyLive : void 0), onClick: () => begin("cancel", live.map((run) => run.id)), children: [
      w2.runs.cancel,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { icon: "moon", refused: refusal("runs:steer") ?? (live.length === 0 ? w2.runs.onlyLive : void 0), onClick: () => askSuspend(live, () => chosen.value = /* @__PURE__ */ new Set()), children: [
      w2.run.suspend,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { icon: "edit", refused: refusal("runs:steer") ?? (startable.length === 0 ? w2.runs.onlyStartable : void 0), onClick: () => askChange(startable), children: [
      w2.run.change,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { icon: "x", label: w2.close, onClick: () => chosen.value = /* @__PURE__ */ new Set() })
  ] });
}
function stateFits(act, terms) {
  const states = terms.filter((term) => term.key === "state").flatMap((term) => term.value.split(","));
  return act === "cancel" ? states.length > 0 && states.every((state) => !FINAL.includes(state)) : states.length === 1 && states[0] === "failed";
}
function askSome(act, ids, done) {
  const w2 = words.value;
  askFor({
    title: w2.runs.ask[act](count(ids.length)),
    says: w2.runs.askSays[act],
    samples: ids,
    more: ids.length > 5 ? w2.runs.andMore(count(ids.length - 5)) : void 0,
    confirm: w2.runs.confirm[act](count(ids.length)),
    danger: act !== "retry",
    command: (reason) => `mainspring ${act === "discard" ? "dead" : "runs"} ${act} ${ids.slice(0, 3).join(" ")}${ids.length > 3 ? " …" : ""}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      const body = act === "retry" ? {} : { reason };
      if (act === "cancel") await post("runs/cancel", { runs: ids, reason });
      else for (const id of ids) await post(`runs/${id}/${act}`, body);
      done();
      outdateAll();
      toast({ text: w2.runs.done[act](count(ids.length)) });
    }
  });
}
function askSuspend(runs, done) {
  const w2 = words.value;
  const ids = runs.map((run) => run.id);
  askFor({
    title: w2.run.askSuspendMany(count(ids.length)),
    says: w2.run.suspendManySays,
    samples: ids,
    more: ids.length > 5 ? w2.runs.andMore(count(ids.length - 5)) : void 0,
    confirm: w2.run.suspend,
    command: (reason) => `for run in ${ids.slice(0, 3).join(" ")}${ids.length > 3 ? " …" : ""}; do mainspring runs suspend $run${reason && ` --reason ${quoted(reason)}`}; done`,
    run: async (reason) => {
      for (const id of ids) await post(`runs/${id}/suspend`, { reason });
      done();
      outdateAll();
      const resume = async () => {
        for (const id of ids) await post(`runs/${id}/resume`, {});
        outdateAll();
      };
      toast({ text: w2.run.suspendedMany(count(ids.length)), act: { name: w2.undo, run: resume } });
    }
  });
}
async function askSweep(act, terms) {
  const filter = sweepFilter(terms);
  await askMany({ act, filter, canaries: act === "retry" ? CANARIES : 0, says: writeQuery(terms), command: commandOf(act, filter) });
}
function commandOf(act, filter) {
  const { states, tags, labels, ...rest } = filter;
  const named = Object.entries(labels ?? {}).map(([name, value]) => `${name}=${value}`);
  return `mainspring sweeps create ${act}${options({ ...rest, ...states ? { state: states } : {}, ...tags ? { tag: tags } : {}, ...named.length > 0 ? { label: named } : {} })}`;
}
function sweepFilter(terms) {
  const { state, tag, label, ...rest } = parametersOf(terms, now.peek());
  const labels = Object.fromEntries((label ?? []).map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]));
  const live = (state ?? []).filter((one) => !FINAL.includes(one));
  return { ...rest, ...live.length > 0 ? { states: live } : {}, ...tag ? { tags: tag } : {}, ...label ? { labels } : {} };
}

// pages/runs/steady.ts
var LOOKED_AFTER = 10;
var ENOUGH = 50;
var LOOKS_MAX = 20;
function useSteadyList(resource, path) {
  const held = w(() => y(null), [path]);
  const page = resource.data.value;
  A(() => {
    if (!page) return;
    const before = held.peek();
    if (before === null || before.rows.length === 0) {
      held.value = { rows: page.runs, next: page.next, fresh: 0 };
      return;
    }
    const merged = mergeRuns(before.rows, page.runs);
    held.value = { ...before, ...merged };
    void lookAfter(before.rows, page.runs).then((later) => {
      const current = held.peek();
      if (current && later.size > 0) held.value = { ...current, rows: current.rows.map((row) => later.get(row.id) ?? row) };
    });
  }, [page, held]);
  A(() => {
    let wanted2 = true;
    const lookOn = async (looks) => {
      const current = held.peek();
      if (!wanted2 || looks >= LOOKS_MAX || !current?.next || current.rows.length >= ENOUGH) return;
      await readMore();
      await lookOn(looks + 1);
    };
    void lookOn(0).catch(() => void 0);
    return () => wanted2 = false;
  }, [page !== null && page !== void 0, held]);
  const readMore = async () => {
    const current = held.peek();
    if (!current?.next) return;
    const { data } = await get(`${path}&cursor=${encodeURIComponent(current.next)}`);
    const known = new Set(current.rows.map((row) => row.id));
    held.value = { ...current, rows: [...current.rows, ...data.runs.filter((run) => !known.has(run.id))], next: data.next };
  };
  return {
    rows: held.value?.rows ?? [],
    known: held.value !== null,
    fresh: held.value?.fresh ?? 0,
    more: held.value?.next ?? null,
    adopt: () => page && (held.value = { rows: page.runs, next: page.next, fresh: 0 }),
    readMore: () => void readMore()
  };
}
function mergeRuns(shown, page) {
  const now2 = new Map(page.map((run) => [run.id, run]));
  const rows = shown.map((row) => now2.get(row.id) ?? row);
  const known = new Set(shown.map((row) => row.id));
  return { rows, fresh: page.filter((run) => !known.has(run.id)).length };
}
async function lookAfter(shown, page) {
  const there = new Set(page.map((run) => run.id));
  const gone = shown.filter((row) => !there.has(row.id) && !FINAL.includes(row.state)).slice(0, LOOKED_AFTER);
  const found = await Promise.allSettled(gone.map((row) => get(`runs/${row.id}`)));
  return new Map(found.flatMap((one) => one.status === "fulfilled" ? [[one.value.data.id, one.value.data]] : []));
}

// pages/runs/views.tsx
function ViewsMenu({ q }) {
  const w2 = words.value.views;
  const found = useResource("views", { every: 6e4 }).data.value?.views ?? [];
  const here = found.find((one) => one.q === q);
  return /* @__PURE__ */ a(Menu, { label: w2.menu, face: /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Icon, { name: "star" }),
    " ",
    /* @__PURE__ */ a("span", { class: "cut", children: here?.name ?? w2.saved }),
    /* @__PURE__ */ a(Icon, { name: "down" })
  ] }), children: [
    found.map((one) => /* @__PURE__ */ a(MenuItem, { icon: one.shared ? "globe" : "star", on: one === here, note: one.q, onChoose: () => setQuery({ q: one.q }, { push: true }), children: one.name }, `${one.shared} ${one.name}`)),
    /* @__PURE__ */ a(MenuItem, { icon: "plus", refused: q === "" ? w2.nothing : refusal("views:write"), onChoose: () => save(q), children: [
      w2.save,
      "…"
    ] }),
    here && /* @__PURE__ */ a(MenuItem, { icon: "trash", danger: true, refused: refusal(here.shared ? "views:share" : "views:write"), onChoose: () => void drop(here), children: w2.drop(here.name) })
  ] });
}
function save(q) {
  const w2 = words.value.views;
  const shares = refusal("views:share") === void 0;
  fillIn({
    title: w2.save,
    says: /* @__PURE__ */ a("code", { children: q }),
    start: {},
    fields: [
      { name: "name", kind: "text", label: w2.name, required: true, wide: true },
      ...shares ? [{ name: "shared", kind: "check", label: w2.shared }] : []
    ],
    confirm: w2.save,
    done: w2.isSaved,
    command: ({ name, shared }) => `mainspring views save ${quoted(String(name ?? ""))} ${quoted(q)}${shared ? " --shared" : ""}`,
    send: ({ name, shared }) => put(`${shared ? "shared-views" : "views"}/${part(String(name))}`, { q })
  });
}
async function drop(view) {
  const w2 = words.value.views;
  const place = `${view.shared ? "shared-views" : "views"}/${part(view.name)}`;
  const tell = () => outdate((path) => path === "views");
  try {
    await remove(place);
    tell();
    toast({ text: w2.dropped(view.name), act: { name: words.value.undo, run: () => void put(place, { q: view.q }).then(tell, tellRefusal) } });
  } catch (error) {
    tellRefusal(error);
  }
}

// pages/runs/list.tsx
var PAGE = 50;
function Runs() {
  const w2 = words.value;
  const text = asked("q");
  const { terms, wrong } = w(() => parseQuery(text), [text]);
  const oldest = asked("sort") === "oldest";
  const path = w(() => query("runs", { q: writeQuery(terms), sort: oldest ? "oldest" : "", limit: PAGE }), [text, oldest]);
  const counts = useResource(terms.length === 0 ? null : query("runs/count", { q: writeQuery(terms.filter((term) => term.key !== "state")) }), { every: 15e3 }).data.value;
  const counted = (id) => counts?.states[id] ? ` ${count(counts.states[id], !counts.is_complete)}` : "";
  const resource = useResource(path, { every: 3e3 });
  const list = useSteadyList(resource, path);
  const chosen = useSignal(/* @__PURE__ */ new Set());
  A(() => {
    chosen.value = /* @__PURE__ */ new Set();
  }, [path]);
  const state = terms.find((term) => term.key === "state")?.value ?? "";
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.runs, children: [
      /* @__PURE__ */ a(ViewsMenu, { q: writeQuery(terms) }),
      /* @__PURE__ */ a(RunDialogButton, {})
    ] }),
    /* @__PURE__ */ a(RunFilter, { terms }),
    wrong.map((one) => /* @__PURE__ */ a("p", { class: "wrong", role: "alert", children: [
      w2.filter.wrong(one.text),
      " ",
      /* @__PURE__ */ a("button", { type: "button", class: "link", onClick: () => setQuery({ q: text.replace(one.text, one.meant.includes(":") ? one.meant : one.text.replace(/^[^:]*/, one.meant)) }), children: w2.filter.meant(one.meant) })
    ] }, one.text)),
    /* @__PURE__ */ a(Histogram, { terms }),
    /* @__PURE__ */ a("div", { class: "above-list", children: [
      /* @__PURE__ */ a(Segments, { small: true, label: w2.runs.byState, on: state, choices: [{ id: "", name: w2.runs.all }, ...STATE_VALUES.map((id) => ({ id, name: (w2.states[id] ?? id) + counted(id) }))], onChoose: (id) => setQuery({ q: withTerm(text, "state", id) }) }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      list.fresh > 0 && /* @__PURE__ */ a(Button, { small: true, icon: "arrow", onClick: list.adopt, children: w2.runs.fresh(list.fresh) }),
      /* @__PURE__ */ a(Segments, { small: true, label: w2.runs.order, on: oldest ? "oldest" : "", choices: [{ id: "", name: w2.runs.newest }, { id: "oldest", name: w2.runs.oldest }], onChoose: (id) => setQuery({ sort: id }) })
    ] }),
    /* @__PURE__ */ a("section", { class: "panel", children: [
      resource.error.value && /* @__PURE__ */ a(Failed, { error: resource.error.value, slim: list.rows.length > 0 }),
      !list.known && !resource.error.value && /* @__PURE__ */ a(Waiting, { rows: 8 }),
      list.known && list.rows.length === 0 && /* @__PURE__ */ a(NoRuns, { terms, text }),
      list.rows.length > 0 && /* @__PURE__ */ a(
        Table,
        {
          label: w2.pages.runs,
          rows: list.rows,
          columns: columns(),
          keyOf: (run) => run.id,
          peekOf: (run) => `run:${run.id}`,
          chosen,
          foot: /* @__PURE__ */ a("div", { class: "table-foot", children: [
            /* @__PURE__ */ a("span", { children: w2.runs.shown(list.rows.length) }),
            /* @__PURE__ */ a("span", { class: "grow" }),
            list.more && /* @__PURE__ */ a(Button, { small: true, onClick: list.readMore, children: w2.runs.more })
          ] })
        }
      )
    ] }),
    /* @__PURE__ */ a(BulkBar, { chosen, rows: list.rows, terms, more: list.more !== null })
  ] });
}
function RunFilter({ terms }) {
  const w2 = words.value;
  return /* @__PURE__ */ a(
    Filter,
    {
      label: w2.filter.label,
      chips: terms,
      keys: KEYS,
      suggest,
      read: (typed) => {
        const { terms: found, wrong } = parseQuery(typed);
        const [first] = wrong;
        return { chips: found, wrong: first ? `${w2.filter.wrong(first.text)} ${w2.filter.meant(first.meant)}` : null };
      },
      write: ({ key, value }) => writeTerm(key, value),
      onChange: (next) => setQuery({ q: writeQuery(next) }, { push: true })
    }
  );
}
async function suggest(key, prefix) {
  if (key === "state") return STATE_VALUES.filter((value) => value.startsWith(prefix));
  if (key === "since" || key === "until") return SINCE_VALUES.filter((value) => value.startsWith(prefix));
  if (key === "job") return (await get(query("jobs", { prefix, limit: 8 }))).data.jobs.map(({ name }) => name);
  if (key === "queue") return (await get("queues?limit=100")).data.queues.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  return [];
}
function Histogram({ terms }) {
  const w2 = words.value.runs;
  const found = useResource(query("runs/histogram", { q: writeQuery(terms) }), { every: 15e3 }).data.value;
  if (!found || found.steps.length === 0) return null;
  const text = writeQuery(terms.filter((term) => term.key !== "since" && term.key !== "until"));
  const step = found.step_seconds;
  const narrowed = (from, until) => linkWith({ q: `${text} since:${new Date(from).toISOString()} until:${new Date(until).toISOString()}`.trim() }, "runs");
  return /* @__PURE__ */ a("section", { class: "panel slim-pulse", "aria-label": words.value.overview.pulse, children: [
    /* @__PURE__ */ a(Pulse, { slim: true, beats: beatsOfSteps(found), step, hrefOf: (beat) => narrowed(beat.at, beat.at + step * 1e3), hrefOfSpan: narrowed }),
    !found.is_complete && /* @__PURE__ */ a("p", { class: "note", children: [
      w2.reached(count(found.count)),
      " ",
      /* @__PURE__ */ a(Ago, { at: found.reached })
    ] })
  ] });
}
function beatsOfSteps(found) {
  return found.steps.map(({ at, states }) => {
    const of = (...names) => names.reduce((sum, name) => sum + (states[name] ?? 0), 0);
    return { at: Date.parse(at), succeeded: of("succeeded", "queued", "waiting", "running"), failed: of("failed"), cancelled: of("cancelled"), skipped: of("skipped") };
  });
}
function columns(without = []) {
  const w2 = words.value;
  const all = [
    { id: "state", name: w2.runs.state, cell: (run) => /* @__PURE__ */ a(State, { state: run.state, note: run.state === "running" && run.progress ? `${Math.round(run.progress.fraction * 100)} %` : run.reason && run.state === "waiting" ? run.reason : void 0 }) },
    { id: "job", name: w2.job, cell: (run) => /* @__PURE__ */ a("a", { href: link("runs", run.id), children: run.job }) },
    { id: "id", name: "id", cell: (run) => /* @__PURE__ */ a(Id, { id: run.id }), minor: true },
    { id: "queue", name: w2.queues.name, cell: (run) => /* @__PURE__ */ a("a", { class: "plain dim", href: link("queues", run.queue), children: run.queue }) },
    { id: "executor", name: w2.runs.executor, cell: (run) => run.executor ? /* @__PURE__ */ a("span", { class: "dim", children: run.executor }) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }), minor: true },
    { id: "created", name: w2.runs.created, num: true, cell: (run) => /* @__PURE__ */ a(Ago, { at: run.created_at }) },
    { id: "wait", name: w2.runs.wait, num: true, cell: (run) => /* @__PURE__ */ a(Took, { seconds: waitOf(run) }), minor: true, title: w2.runs.waitHelp },
    { id: "took", name: w2.runs.took, num: true, cell: (run) => /* @__PURE__ */ a(Took, { seconds: tookOf(run) }) },
    { id: "try", name: w2.runs.try, num: true, cell: (run) => /* @__PURE__ */ a(Count, { value: run.attempt }), minor: true },
    { id: "by", name: w2.runs.by, cell: (run) => /* @__PURE__ */ a("span", { class: "dim", children: run.trigger ? /* @__PURE__ */ a("a", { class: "plain", href: link("triggers", run.trigger), children: run.trigger }) : run.parent ? /* @__PURE__ */ a("a", { class: "plain", href: link("runs", run.parent), children: w2.runs.parent }) : run.created_by }), minor: true },
    { id: "error", name: w2.failures.error, wide: true, cell: (run) => run.state === "waiting" || run.state === "queued" && run.until ? /* @__PURE__ */ a("span", { class: "dim", children: run.why }) : run.error && run.state !== "succeeded" ? /* @__PURE__ */ a("span", { class: "dim", children: [
      /* @__PURE__ */ a("b", { children: run.error.class }),
      ": ",
      run.error.message
    ] }) : "" }
  ];
  return all.filter((column) => !without.includes(column.id));
}
function waitOf(run) {
  if (!run.started_at) return null;
  return Math.max(0, Date.parse(run.started_at) - Math.max(Date.parse(run.due_at), Date.parse(run.created_at))) / 1e3;
}
function tookOf(run) {
  if (run.state === "running" && run.started_at) return Math.max(0, Math.round((now.value - Date.parse(run.started_at)) / 1e3));
  return secondsOf(run);
}
function NoRuns({ terms, text }) {
  const w2 = words.value;
  if (terms.length === 0) {
    return /* @__PURE__ */ a(Empty, { title: w2.runs.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring enqueue JOB name=value --wait" }) });
  }
  return /* @__PURE__ */ a(Empty, { title: w2.runs.noneMatch, children: [
    /* @__PURE__ */ a("p", { class: "tags", children: terms.map((term) => /* @__PURE__ */ a(Button, { small: true, icon: "x", onClick: () => setQuery({ q: `${text.slice(0, term.from)}${text.slice(term.to)}`.trim() }), children: writeTerm(term.key, term.value) }, `${term.key}${term.from}`)) }),
    /* @__PURE__ */ a(StateIcon, { state: "skipped" })
  ] });
}

export {
  Menu,
  MenuItem,
  secondsOf,
  Strip,
  walkWithin,
  canChange,
  askChange,
  toFront,
  startRun,
  RunDialogButton,
  StartDialog,
  askMany,
  writeTerm,
  instantOf,
  commandOf,
  Runs,
  columns,
  waitOf
};
