import {
  $,
  Button,
  Empty,
  Head,
  Moment,
  Panel,
  Shown,
  a,
  asked,
  link,
  query,
  setQuery,
  useResource,
  useSignal,
  words
} from "./chunk-O3AZDRBW.js";

// pages/audit.tsx
var KINDS = ["run", "job", "trigger", "calendar", "queue", "executor", "backfill", "sweep", "token", "namespace"];
var PAGES = { run: "runs", job: "jobs", trigger: "triggers", calendar: "calendars", queue: "queues", executor: "executors", backfill: "backfills" };
function Audit() {
  const w = words.value;
  const kind = asked("kind");
  const actor = asked("actor");
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.audit, children: [
      /* @__PURE__ */ a("select", { class: "input", "aria-label": w.audit.kind, value: kind, onChange: (event) => setQuery({ kind: event.currentTarget.value }), children: [
        /* @__PURE__ */ a("option", { value: "", children: w.audit.allKinds }),
        KINDS.map((one) => /* @__PURE__ */ a("option", { value: one, children: one }, one))
      ] }),
      /* @__PURE__ */ a("input", { class: "input", "data-filter": true, "aria-label": w.audit.actor, placeholder: w.audit.actor, value: actor, onChange: (event) => setQuery({ actor: event.currentTarget.value.trim() }) })
    ] }),
    /* @__PURE__ */ a(AuditList, { kind, actor })
  ] });
}
function AuditList({ kind = "", name = "", actor = "" }) {
  const w = words.value;
  const entries = useResource(query("audit", { kind, key: name, actor, limit: 100 }), { every: 1e4 });
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: entries, rows: 8, children: ({ entries: found }) => found.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.audit.empty }) : /* @__PURE__ */ a("div", { class: "table-box", role: "region", "aria-label": w.pages.audit, tabIndex: 0, children: /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.audit.at }),
      /* @__PURE__ */ a("th", { children: w.audit.actor }),
      /* @__PURE__ */ a("th", { children: w.audit.act }),
      /* @__PURE__ */ a("th", { children: w.audit.object }),
      /* @__PURE__ */ a("th", { class: "wide", children: w.audit.details })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: found.map((one) => /* @__PURE__ */ a(Entry, { entry: one }, one.position)) })
  ] }) }) }) });
}
function Entry({ entry }) {
  const open = useSignal(false);
  const page = PAGES[entry.kind];
  const details = entry.details;
  const reason = typeof details["reason"] === "string" ? details["reason"] : typeof details["note"] === "string" ? details["note"] : "";
  const many = Object.keys(details).length > 0;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("tr", { "data-key": String(entry.position), children: [
      /* @__PURE__ */ a("td", { class: "dim", children: /* @__PURE__ */ a(Moment, { at: entry.at, date: true }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: entry.actor.name }) }),
      /* @__PURE__ */ a("td", { children: entry.act }),
      /* @__PURE__ */ a("td", { children: page && entry.key ? /* @__PURE__ */ a("a", { href: link(page, entry.key), children: entry.key }) : entry.key }),
      /* @__PURE__ */ a("td", { class: "wide", children: [
        reason && /* @__PURE__ */ a("span", { class: "dim", children: [
          "“",
          reason,
          "” "
        ] }),
        many && /* @__PURE__ */ a(Button, { small: true, icon: open.value ? "down" : "right", label: words.value.audit.details, onClick: () => open.value = !open.value })
      ] })
    ] }),
    open.value && /* @__PURE__ */ a("tr", { children: /* @__PURE__ */ a("td", { colSpan: 5, children: /* @__PURE__ */ a("pre", { class: "block", children: JSON.stringify(details, null, 2) }) }) })
  ] });
}

export {
  Audit,
  AuditList
};
