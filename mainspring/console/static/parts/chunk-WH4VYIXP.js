import {
  instantOf
} from "./chunk-DPIERHAX.js";
import {
  Button,
  Empty,
  Head,
  Moment,
  Panel,
  Segments,
  Shown,
  tellRefusal,
  useResource
} from "./chunk-IBKJQSZ2.js";
import {
  asked,
  get,
  link,
  now,
  query,
  setQuery,
  useSignal,
  words
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A,
  w
} from "./chunk-DPBHMWAZ.js";

// pages/audit-text.ts
var text = (value) => value === void 0 || value === null ? "–" : typeof value === "string" ? value : JSON.stringify(value);
function shownChanges(details) {
  const given = details["changes"] ?? details["changed"];
  if (Array.isArray(given)) return given.flatMap((one) => isPair(one) ? [{ name: String(one["path"] ?? ""), before: text(one.before), after: text(one.after) }] : []);
  const fields = given && typeof given === "object" ? given : details;
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isPair(value)) return [{ name, before: text(value.before), after: text(value.after) }];
    return Array.isArray(value) && value.length === 2 && given ? [{ name, before: text(value[0]), after: text(value[1]) }] : [];
  });
}
function isPair(value) {
  return typeof value === "object" && value !== null && ("before" in value || "after" in value);
}
function auditRows(entries) {
  return [["at", "actor", "token", "namespace", "act", "kind", "key", "details"], ...entries.map((one) => [one.at, one.actor.name, one.actor.token ?? "", one.namespace, one.act, one.kind, one.key, JSON.stringify(one.details)])];
}
function csvOf(rows) {
  const cell = (value) => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(cell).join(",")).join("\r\n");
}
function save(name, content, type) {
  const made = document.createElement("a");
  made.href = URL.createObjectURL(new Blob([content], { type }));
  made.download = name;
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 1e4);
}

// pages/audit.tsx
var KINDS = ["run", "failure", "job", "trigger", "workflow", "calendar", "queue", "limit", "breaker", "executor", "server", "backfill", "sweep", "alert_rule", "channel", "silence", "slo", "token", "user", "namespace", "view"];
var PAGES = { run: "runs", failure: "failures", job: "jobs", trigger: "triggers", calendar: "calendars", queue: "queues", executor: "executors", backfill: "backfills", breaker: "breakers", workflow: "workflows" };
var RANGES = ["", "1h", "24h", "7d", "30d"];
var PAGE = 100;
var EXPORTED = 1e4;
function filtersOf(since) {
  const from = instantOf(since, Math.ceil(now.peek() / 3e4) * 3e4);
  return { kind: asked("kind"), actor: asked("actor"), act: asked("act"), key: asked("key"), ...from ? { since: from } : {} };
}
function Audit() {
  const w2 = words.value;
  const since = asked("since");
  const filters = w(() => filtersOf(since), [asked("kind"), asked("actor"), asked("act"), asked("key"), since]);
  const field = (name, label, filter = false) => /* @__PURE__ */ a("input", { class: "input", "data-filter": filter || void 0, "aria-label": label, placeholder: label, value: asked(name), onChange: (event) => setQuery({ [name]: event.currentTarget.value.trim() }) });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.audit, children: [
      /* @__PURE__ */ a(Button, { icon: "save", onClick: () => void exported(filters, "csv"), children: w2.audit.csv }),
      /* @__PURE__ */ a(Button, { icon: "save", onClick: () => void exported(filters, "json"), children: w2.audit.json })
    ] }),
    /* @__PURE__ */ a("div", { class: "above-list audit-filters", children: [
      /* @__PURE__ */ a("select", { class: "input", "aria-label": w2.audit.kind, value: asked("kind"), onChange: (event) => setQuery({ kind: event.currentTarget.value }), children: [
        /* @__PURE__ */ a("option", { value: "", children: w2.audit.allKinds }),
        KINDS.map((one) => /* @__PURE__ */ a("option", { value: one, children: one }, one))
      ] }),
      field("actor", w2.audit.actor, true),
      field("act", w2.audit.actExample),
      field("key", w2.audit.object),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a(Segments, { small: true, label: w2.overview.range, on: since, choices: RANGES.map((id) => ({ id, name: id === "" ? w2.runs.all : id })), onChoose: (id) => setQuery({ since: id }) })
    ] }),
    /* @__PURE__ */ a(AuditList, { filters })
  ] });
}
function AuditOf({ kind, name }) {
  return /* @__PURE__ */ a(AuditList, { filters: { kind, key: name } });
}
function AuditList({ filters }) {
  const w2 = words.value;
  const path = query("audit", { ...filters, limit: PAGE });
  const entries = useResource(path, { every: 1e4 });
  const older = useSignal(null);
  A(() => {
    older.value = null;
  }, [path]);
  const next = older.value ? older.value.next : entries.data.value?.next ?? null;
  const more = async () => {
    try {
      const { data } = await get(query("audit", { ...filters, limit: PAGE, cursor: next ?? "" }));
      older.value = { ...data, entries: [...older.value?.entries ?? [], ...data.entries] };
    } catch (error) {
      tellRefusal(error);
    }
  };
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: entries, rows: 8, children: ({ entries: found }) => found.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.audit.empty }) : /* @__PURE__ */ a("div", { class: "table-box", role: "region", "aria-label": w2.pages.audit, tabIndex: 0, children: [
    /* @__PURE__ */ a("table", { children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("th", { children: w2.audit.at }),
        /* @__PURE__ */ a("th", { children: w2.audit.actor }),
        /* @__PURE__ */ a("th", { children: w2.audit.act }),
        /* @__PURE__ */ a("th", { children: w2.audit.object }),
        /* @__PURE__ */ a("th", { class: "wide", children: w2.audit.details })
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: joined(found, older.value?.entries ?? []).map((one) => /* @__PURE__ */ a(Entry, { entry: one }, one.position)) })
    ] }),
    next && /* @__PURE__ */ a("div", { class: "table-foot", children: [
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a(Button, { small: true, onClick: () => void more(), children: w2.runs.more })
    ] })
  ] }) }) });
}
function joined(newest, older) {
  const seen = new Set(newest.map((one) => one.position));
  return [...newest, ...older.filter((one) => !seen.has(one.position))];
}
function Entry({ entry }) {
  const open = useSignal(false);
  const page = PAGES[entry.kind];
  const details = entry.details;
  const reason = typeof details["reason"] === "string" ? details["reason"] : typeof details["note"] === "string" ? details["note"] : "";
  const many = Object.keys(details).length > 0;
  const changes = shownChanges(details);
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("tr", { "data-key": String(entry.position), children: [
      /* @__PURE__ */ a("td", { class: "dim", children: /* @__PURE__ */ a(Moment, { at: entry.at, date: true }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: entry.actor.name }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("button", { type: "button", class: "link plain", onClick: () => setQuery({ act: entry.act }), children: entry.act }) }),
      /* @__PURE__ */ a("td", { children: page && entry.key ? /* @__PURE__ */ a("a", { href: link(page, entry.key), children: entry.key }) : entry.key }),
      /* @__PURE__ */ a("td", { class: "wide", children: [
        many && /* @__PURE__ */ a(Button, { small: true, icon: open.value ? "down" : "right", label: words.value.audit.details, pressed: open.value, onClick: () => open.value = !open.value }),
        " ",
        reason && /* @__PURE__ */ a("span", { class: "dim", children: [
          "“",
          reason,
          "” "
        ] })
      ] })
    ] }),
    open.value && /* @__PURE__ */ a("tr", { children: /* @__PURE__ */ a("td", { colSpan: 5, children: [
      changes.length > 0 && /* @__PURE__ */ a("table", { children: /* @__PURE__ */ a("tbody", { children: changes.map((one) => /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("code", { children: one.name }) }),
        /* @__PURE__ */ a("td", { class: "wide", children: [
          /* @__PURE__ */ a("s", { class: "faint", children: one.before }),
          " ",
          /* @__PURE__ */ a("b", { children: one.after })
        ] })
      ] }, one.name)) }) }),
      /* @__PURE__ */ a("pre", { class: "block", children: JSON.stringify(details, null, 2) })
    ] }) })
  ] });
}
async function exported(filters, kind) {
  const found = [];
  try {
    for (let cursor = ""; cursor !== null && found.length < EXPORTED; ) {
      const page = (await get(query("audit", { ...filters, limit: 500, cursor }))).data;
      found.push(...page.entries);
      cursor = page.next;
    }
    save(`audit.${kind}`, kind === "csv" ? csvOf(auditRows(found)) : JSON.stringify(found, null, 2), kind === "csv" ? "text/csv" : "application/json");
  } catch (error) {
    tellRefusal(error);
  }
}

export {
  Audit,
  AuditOf
};
