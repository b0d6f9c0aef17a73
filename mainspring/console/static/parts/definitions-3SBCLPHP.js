import {
  Log
} from "./chunk-OTRTTZWB.js";
import {
  Audit,
  AuditList
} from "./chunk-3MBCSSBL.js";
import {
  Menu,
  MenuItem
} from "./chunk-5JKEIROZ.js";
import {
  Pulse,
  RunDialogButton,
  Strip,
  beatsOf,
  columns
} from "./chunk-ZZUTMSP7.js";
import {
  $,
  A,
  Ago,
  Button,
  ButtonLink,
  Empty,
  Failed,
  Field,
  Head,
  Icon,
  Id,
  Panel,
  Shown,
  State,
  StateIcon,
  Table,
  Tabs,
  Tag,
  a,
  askFor,
  asked,
  count,
  duration,
  go,
  link,
  linkWith,
  outdateAll,
  parseDuration,
  part,
  patch,
  percent,
  post,
  query,
  refusal,
  remove,
  setQuery,
  tellRefusal,
  toast,
  useResource,
  useSignal,
  w,
  words,
  writeDuration
} from "./chunk-HCILFUK6.js";

// pages/jobs/list.tsx
function Jobs() {
  const w2 = words.value;
  const prefix = asked("prefix");
  const resource = useResource(query("jobs", { prefix, limit: 200 }), { every: 2e4 });
  const figures = useResource("rates/jobs?step=hour&steps=24", { every: 15e3 }).data.value?.jobs ?? [];
  const runs = useResource("runs?limit=500", { every: 1e4 }).data.value?.runs ?? [];
  const triggers = useResource("triggers?limit=200", { every: 2e4 }).data.value?.triggers ?? [];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.jobs, children: [
      /* @__PURE__ */ a("input", { class: "input", "data-filter": true, "aria-label": w2.jobs.filter, placeholder: w2.jobs.filter, value: prefix, onInput: (event) => setQuery({ prefix: event.currentTarget.value }) }),
      /* @__PURE__ */ a(RunDialogButton, {})
    ] }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 8, children: ({ jobs }) => jobs.length === 0 ? /* @__PURE__ */ a(NoJobs, { filtered: prefix !== "" }) : /* @__PURE__ */ a(Table, { label: w2.pages.jobs, rows: jobs, columns: columns2(new Map(figures.map((one) => [one.job, one])), groupBy(runs), triggers), keyOf: (job) => job.name }) }) })
  ] });
}
function groupBy(runs) {
  const found = /* @__PURE__ */ new Map();
  for (const run of runs) found.set(run.job, [...found.get(run.job) ?? [], run]);
  return found;
}
function columns2(figures, runs, triggers) {
  const w2 = words.value;
  const of = (job) => figures.get(job.name);
  return [
    { id: "name", name: w2.job, cell: (job) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("a", { href: link("jobs", job.name), children: job.name }),
      " ",
      job.drifted && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.jobs.drifted })
    ] }) },
    { id: "starts", name: w2.jobs.starts, wide: true, cell: (job) => /* @__PURE__ */ a(Starts, { triggers: triggers.filter((one) => one.spec.job === job.name) }), minor: true },
    { id: "strip", name: w2.jobs.lastRuns, cell: (job) => /* @__PURE__ */ a(Strip, { runs: runs.get(job.name) ?? [] }) },
    { id: "runs", name: w2.jobs.runsDay, num: true, cell: (job) => /* @__PURE__ */ a(Total, { figure: of(job), job: job.name }) },
    { id: "ok", name: w2.jobs.succeeded, num: true, cell: (job) => /* @__PURE__ */ a(Share, { figure: of(job) }) },
    { id: "p50", name: "p50", num: true, cell: (job) => of(job)?.duration ? duration(of(job)?.duration?.p50 ?? 0) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }), minor: true },
    { id: "p95", name: "p95", num: true, cell: (job) => of(job)?.duration ? duration(of(job)?.duration?.p95 ?? 0) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) },
    { id: "queue", name: w2.queues.name, cell: (job) => /* @__PURE__ */ a("a", { class: "plain dim", href: link("queues", job.queue), children: job.queue }) },
    { id: "retry", name: w2.jobs.attempts, num: true, cell: (job) => count(job.retry.attempts), minor: true },
    { id: "version", name: w2.jobs.version, num: true, cell: (job) => /* @__PURE__ */ a("span", { class: "faint", children: [
      "v",
      job.version
    ] }), minor: true }
  ];
}
function Starts({ triggers }) {
  const [first] = triggers;
  if (!first) return /* @__PURE__ */ a("span", { class: "faint", children: words.value.jobs.byHand });
  return /* @__PURE__ */ a("span", { class: "dim", children: [
    /* @__PURE__ */ a("a", { class: "plain", href: link("triggers", first.name), children: first.words }),
    first.next_due && /* @__PURE__ */ a($, { children: [
      " · ",
      /* @__PURE__ */ a(Ago, { at: first.next_due })
    ] }),
    triggers.length > 1 && ` +${triggers.length - 1}`
  ] });
}
function Total({ figure, job }) {
  if (!figure) return /* @__PURE__ */ a("span", { class: "faint", children: "0" });
  return /* @__PURE__ */ a("a", { class: "plain", href: linkWith({ q: `job:${job} since:24h` }, "runs"), children: count(figure.succeeded + figure.failed + figure.cancelled + figure.skipped) });
}
function Share({ figure }) {
  const ended = (figure?.succeeded ?? 0) + (figure?.failed ?? 0);
  if (!figure || ended === 0) return /* @__PURE__ */ a("span", { class: "faint", children: "–" });
  const share = figure.succeeded / ended;
  return /* @__PURE__ */ a("span", { class: share < 0.95 ? "is-failed" : "", children: [
    percent(share),
    " %"
  ] });
}
function NoJobs({ filtered }) {
  const w2 = words.value.jobs;
  if (filtered) return /* @__PURE__ */ a(Empty, { title: w2.noneMatch });
  return /* @__PURE__ */ a(Empty, { title: w2.empty, children: /* @__PURE__ */ a("pre", { class: "block", children: 'from mainspring import App\n\napp = App("shop")\n\n@app.job\ndef greet(name: str) -> str:\n    return f"hello {name}"' }) });
}

// pages/jobs/curve.ts
var SHOWN = 12;
function triesOf(policy) {
  const tries = [{ number: 1, wait: 0, at: 0 }];
  for (let number = 2; number <= Math.min(policy.attempts, SHOWN); number += 1) {
    const wait = Math.min(policy.backoff * policy.multiplier ** (number - 2), policy.backoff_max);
    const at = (tries.at(-1)?.at ?? 0) + wait;
    if (policy.budget !== null && at > policy.budget) break;
    tries.push({ number, wait, at });
  }
  return tries;
}

// pages/jobs/policy.tsx
function draftOf(job) {
  return {
    queue: job.queue,
    priority: String(job.priority),
    description: job.description,
    attempts: String(job.retry.attempts),
    backoff: writeDuration(job.retry.backoff),
    backoff_max: writeDuration(job.retry.backoff_max),
    multiplier: String(job.retry.multiplier),
    budget: writeDuration(job.retry.budget),
    retry_on: job.retry.retry_on.join(", "),
    give_up_on: job.retry.give_up_on.join(", "),
    timeout: writeDuration(job.timeout),
    deadline: writeDuration(job.deadline),
    start_within: writeDuration(job.start_within),
    on_lost: job.on_lost,
    losses_max: String(job.losses_max)
  };
}
var RETRY = ["attempts", "backoff", "backoff_max", "multiplier", "budget", "retry_on", "give_up_on"];
var SPANS = ["backoff", "backoff_max", "budget", "timeout", "deadline", "start_within"];
var NUMBERS = ["attempts", "multiplier", "priority", "losses_max"];
function valueOf(name, text) {
  const cleaned = text.trim();
  if (name === "retry_on" || name === "give_up_on") return cleaned === "" ? [] : cleaned.split(/[\s,]+/);
  if (SPANS.includes(name)) return cleaned === "" ? null : parseDuration(cleaned) ?? cleaned;
  if (NUMBERS.includes(name)) return cleaned !== "" && Number.isFinite(Number(cleaned)) ? Number(cleaned) : cleaned;
  return text;
}
function changesOf(job, draft) {
  const before = draftOf(job);
  const names = Object.keys(draft).filter((name) => JSON.stringify(valueOf(name, draft[name] ?? "")) !== JSON.stringify(valueOf(name, before[name] ?? "")));
  const body = {};
  const retry = {};
  for (const name of names) (RETRY.includes(name) ? retry : body)[name] = valueOf(name, draft[name] ?? "");
  if (Object.keys(retry).length > 0) body["retry"] = retry;
  return { body, names };
}
function PolicyEditor({ job, etag }) {
  const w2 = words.value;
  const draft = useSignal(draftOf(job));
  const note = useSignal("");
  const error = useSignal(null);
  const base = useSignal(job);
  const theirs = base.value.version !== job.version;
  A(() => {
    if (changesOf(base.peek(), draft.peek()).names.length > 0) return;
    base.value = job;
    draft.value = draftOf(job);
  }, [job.version]);
  const { body, names } = changesOf(base.value, draft.value);
  const save = async () => {
    error.value = null;
    try {
      await patch(`jobs/${part(job.name)}`, { ...body, note: note.value }, { headers: { "if-match": `"${base.value.version}"` } });
      toast({ text: w2.jobs.saved(job.name) });
      base.value = { ...base.value, version: -1 };
      draft.value = draftOf(job);
      outdateAll();
    } catch (refused) {
      error.value = refused;
    }
  };
  const field = (name, label, help = "") => /* @__PURE__ */ a(TextField, { name, label, help, draft, error: errorOf(error.value, name), changed: names.includes(name) }, name);
  void etag;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "columns editor", children: [
      /* @__PURE__ */ a(Panel, { class: "form", children: [
        /* @__PURE__ */ a(Section, { title: w2.policy.retry, children: [
          field("attempts", w2.policy.attempts, w2.policy.attemptsHelp),
          field("backoff", w2.policy.backoff),
          field("multiplier", w2.policy.multiplier),
          field("backoff_max", w2.policy.backoffMax),
          field("budget", w2.policy.budget, w2.policy.budgetHelp),
          field("retry_on", w2.policy.retryOn, w2.policy.retryOnHelp),
          field("give_up_on", w2.policy.giveUpOn, w2.policy.giveUpOnHelp)
        ] }),
        /* @__PURE__ */ a(Section, { title: w2.policy.time, children: [
          field("timeout", w2.policy.timeout, w2.policy.timeoutHelp),
          field("deadline", w2.policy.deadline, w2.policy.deadlineHelp),
          field("start_within", w2.policy.startWithin, w2.policy.startWithinHelp)
        ] }),
        /* @__PURE__ */ a(Section, { title: w2.policy.lost, children: [
          /* @__PURE__ */ a(Field, { label: w2.policy.onLost, error: errorOf(error.value, "on_lost"), children: /* @__PURE__ */ a("select", { class: "input", value: draft.value["on_lost"], onChange: (event) => draft.value = { ...draft.value, on_lost: event.currentTarget.value }, children: ["retry", "fail", "ask"].map((id) => /* @__PURE__ */ a("option", { value: id, children: w2.policy.lostChoices[id] }, id)) }) }),
          field("losses_max", w2.policy.lossesMax, w2.policy.lossesHelp)
        ] }),
        /* @__PURE__ */ a(Section, { title: w2.policy.place, children: [
          field("queue", w2.queues.name),
          field("priority", w2.run.priority, "0–9"),
          field("description", w2.policy.description)
        ] })
      ] }),
      /* @__PURE__ */ a(Meaning, { draft: draft.value, job })
    ] }),
    theirs && names.length > 0 && /* @__PURE__ */ a("p", { class: "note-box", children: [
      w2.policy.theirs(job.version),
      " ",
      /* @__PURE__ */ a(Button, { small: true, onClick: () => {
        base.value = job;
      }, children: w2.policy.keepMine }),
      " ",
      /* @__PURE__ */ a(Button, { small: true, onClick: () => {
        base.value = job;
        draft.value = draftOf(job);
      }, children: w2.policy.takeTheirs })
    ] }),
    error.value && !error.value.field && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    names.length > 0 && /* @__PURE__ */ a("div", { class: "savebar", role: "region", "aria-label": w2.policy.changes(names.length), children: [
      /* @__PURE__ */ a("b", { children: w2.policy.changes(names.length) }),
      /* @__PURE__ */ a("span", { class: "grow cut", children: names.map((name) => /* @__PURE__ */ a("span", { class: "change", children: [
        name,
        " ",
        /* @__PURE__ */ a("s", { children: draftOf(base.value)[name] || "–" }),
        " ",
        draft.value[name] || "–"
      ] }, name)) }),
      /* @__PURE__ */ a("input", { class: "input", placeholder: w2.policy.note, "aria-label": w2.policy.note, value: note.value, onInput: (event) => note.value = event.currentTarget.value }),
      /* @__PURE__ */ a(Button, { onClick: () => {
        draft.value = draftOf(job);
        base.value = job;
        error.value = null;
      }, children: w2.policy.drop }),
      /* @__PURE__ */ a(Button, { kind: "main", refused: refusal("jobs:write"), onClick: () => void save(), children: w2.policy.save(job.version + 1) })
    ] }),
    job.origin === "code" && names.length > 0 && /* @__PURE__ */ a("p", { class: "dim", children: w2.policy.drift })
  ] });
}
function errorOf(error, name) {
  const field = error?.field ?? "";
  return field === name || field === `retry.${name}` ? error?.message : void 0;
}
function Section({ title, children }) {
  return /* @__PURE__ */ a("section", { children: [
    /* @__PURE__ */ a("h2", { children: title }),
    /* @__PURE__ */ a("div", { class: "grid-fields", children })
  ] });
}
function TextField({ name, label, help, draft, error, changed }) {
  return /* @__PURE__ */ a(Field, { label, help, error, children: /* @__PURE__ */ a("input", { class: `input ${changed ? "is-changed" : ""}`, "aria-invalid": error !== void 0, value: draft.value[name], onInput: (event) => draft.value = { ...draft.value, [name]: event.currentTarget.value } }) });
}
function Meaning({ draft, job }) {
  const w2 = words.value;
  const number = (name, otherwise) => {
    const value = valueOf(name, draft[name] ?? "");
    return typeof value === "number" ? value : otherwise;
  };
  const budget = valueOf("budget", draft["budget"] ?? "");
  const tries = triesOf({ attempts: number("attempts", 1), backoff: number("backoff", 1), backoff_max: number("backoff_max", 600), multiplier: number("multiplier", 2), budget: typeof budget === "number" ? budget : null });
  const figure = useResource("rates/jobs?step=hour&steps=168", { every: 6e4 }).data.value?.jobs.find((one) => one.job === job.name);
  const timeout = valueOf("timeout", draft["timeout"] ?? "");
  const last = tries.at(-1)?.at ?? 0;
  const x = (at) => 12 + (last === 0 ? 0 : Math.log1p(at) / Math.log1p(last) * 400);
  return /* @__PURE__ */ a(Panel, { title: w2.policy.meaning, children: /* @__PURE__ */ a("div", { class: "body", children: [
    /* @__PURE__ */ a("svg", { class: "curve chart", viewBox: "0 0 430 66", role: "img", "aria-label": w2.policy.tries(tries.length, duration(last)), children: [
      /* @__PURE__ */ a("line", { x1: "12", x2: x(last), y1: "24", y2: "24", class: "axis" }),
      tries.map((one) => /* @__PURE__ */ a("g", { children: [
        /* @__PURE__ */ a("circle", { cx: x(one.at), cy: "24", r: "5", fill: "var(--accent-fill)" }),
        /* @__PURE__ */ a("text", { x: x(one.at), y: "11", "text-anchor": "middle", children: one.number }),
        one.number > 1 && /* @__PURE__ */ a("text", { x: x(one.at), y: "44", "text-anchor": "middle", children: one.wait > 0 ? `+${duration(one.wait)}` : "" })
      ] }, one.number))
    ] }),
    /* @__PURE__ */ a("p", { children: tries.length === 1 ? w2.policy.oneTry : w2.policy.tries(tries.length, duration(last)) }),
    figure?.duration && /* @__PURE__ */ a("p", { class: "dim", children: w2.policy.took(duration(figure.duration.p50), duration(figure.duration.p99), duration(figure.duration.max)) }),
    figure?.duration && typeof timeout === "number" && /* @__PURE__ */ a("p", { class: timeout < figure.duration.p99 ? "is-failed" : "is-succeeded", children: timeout < figure.duration.p50 ? w2.policy.cutsMost : timeout < figure.duration.p95 ? w2.policy.cutsMany : timeout < figure.duration.p99 ? w2.policy.cutsSome : timeout < figure.duration.max ? w2.policy.cutsFew : w2.policy.cutsNone }),
    figure && /* @__PURE__ */ a("p", { class: "dim", children: w2.policy.lately(percent(figure.succeeded / Math.max(1, figure.succeeded + figure.failed))) }),
    job.code && /* @__PURE__ */ a("p", { class: "dim", children: job.drifted ? w2.policy.drifted : w2.policy.asCode })
  ] }) });
}

// pages/jobs/job.tsx
function Job({ name }) {
  const w2 = words.value;
  const resource = useResource(`jobs/${part(name)}`, { every: 1e4 });
  const job = resource.data.value;
  const tab = asked("tab") || "overview";
  const tabs = ["overview", "runs", "triggers", "policy", "versions", "audit"].map((id) => ({ id, name: w2.jobs.tabs[id], href: linkWith({ tab: id === "overview" ? null : id }, "jobs", name), note: id === "versions" && job ? `v${job.version}` : null }));
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("jobs"), children: w2.pages.jobs }), beside: job && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Tag, { children: job.origin === "code" ? w2.jobs.byCode : w2.jobs.byApi }),
      job.drifted && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.jobs.drifted }),
      /* @__PURE__ */ a("a", { class: "tag", href: link("queues", job.queue), children: job.queue })
    ] }), children: [
      /* @__PURE__ */ a(RunDialogButton, { job: name }),
      /* @__PURE__ */ a(Menu, { label: w2.run.more, face: /* @__PURE__ */ a(Icon, { name: "more" }), kind: "button only", children: [
        /* @__PURE__ */ a(MenuItem, { icon: "plus", onChoose: () => go(linkWith({ job: name }, "triggers", "new")), children: w2.jobs.newTrigger }),
        /* @__PURE__ */ a(MenuItem, { icon: "trash", danger: true, refused: refusal("jobs:write"), onChoose: () => askDelete(name), children: [
          w2.jobs.remove,
          "…"
        ] })
      ] })
    ] }),
    /* @__PURE__ */ a(Tabs, { tabs, on: tab, label: name }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (found) => /* @__PURE__ */ a($, { children: [
      tab === "overview" && /* @__PURE__ */ a(JobOverview, { job: found }),
      tab === "runs" && /* @__PURE__ */ a(JobRuns, { name }),
      tab === "triggers" && /* @__PURE__ */ a(JobTriggers, { name }),
      tab === "policy" && /* @__PURE__ */ a(PolicyEditor, { job: found, etag: resource.etag.value }),
      tab === "versions" && /* @__PURE__ */ a(Versions, { job: found }),
      tab === "audit" && /* @__PURE__ */ a(AuditList, { kind: "job", name })
    ] }) }) })
  ] });
}
function JobOverview({ job }) {
  const w2 = words.value;
  const rates = useResource(`rates?step=hour&steps=48&job=${encodeURIComponent(job.name)}`, { every: 15e3 });
  const figure = useResource("rates/jobs?step=hour&steps=24", { every: 15e3 }).data.value?.jobs.find((one) => one.job === job.name);
  const recent = useResource(`runs?job=${encodeURIComponent(job.name)}&limit=60`, { every: 5e3 }).data.value?.runs ?? [];
  const failed = useResource(`runs?job=${encodeURIComponent(job.name)}&state=failed&limit=8`, { every: 1e4 });
  return /* @__PURE__ */ a($, { children: [
    job.description && /* @__PURE__ */ a("p", { class: "dim", children: job.description }),
    /* @__PURE__ */ a("section", { class: "panel figures four", children: [
      /* @__PURE__ */ a("a", { class: "figure", href: linkWith({ q: `job:${job.name} since:24h` }, "runs"), children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w2.jobs.runsDay }),
        /* @__PURE__ */ a("span", { class: "value", children: count((figure?.succeeded ?? 0) + (figure?.failed ?? 0) + (figure?.cancelled ?? 0)) }),
        /* @__PURE__ */ a("span", { class: "note", children: w2.jobs.failedDay(count(figure?.failed ?? 0)) })
      ] }),
      /* @__PURE__ */ a("div", { class: "figure", children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w2.jobs.succeeded }),
        /* @__PURE__ */ a("span", { class: "value", children: /* @__PURE__ */ a(Share, { figure }) }),
        /* @__PURE__ */ a("span", { class: "note", children: w2.jobs.lastDay })
      ] }),
      /* @__PURE__ */ a("div", { class: "figure", children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w2.jobs.took }),
        /* @__PURE__ */ a("span", { class: "value", children: [
          figure?.duration ? duration(figure.duration.p50) : "–",
          /* @__PURE__ */ a("small", { children: "p50" })
        ] }),
        /* @__PURE__ */ a("span", { class: "note", children: figure?.duration ? `p95 ${duration(figure.duration.p95)} · p99 ${duration(figure.duration.p99)}` : "" })
      ] }),
      /* @__PURE__ */ a("div", { class: "figure", children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w2.jobs.lastRuns }),
        /* @__PURE__ */ a(Strip, { runs: recent, most: 40, wide: 6 })
      ] })
    ] }),
    /* @__PURE__ */ a(Panel, { title: w2.overview.pulse, note: w2.overview.pulseHours, children: /* @__PURE__ */ a(Shown, { of: rates, children: (found) => /* @__PURE__ */ a(Pulse, { beats: beatsOf(found), step: 3600, hrefOf: (beat) => linkWith({ q: `job:${job.name} since:${new Date(beat.at).toISOString()} until:${new Date(beat.at + 36e5).toISOString()}` }, "runs") }) }) }),
    /* @__PURE__ */ a(Panel, { title: w2.jobs.newestFailed, children: /* @__PURE__ */ a(Shown, { of: failed, children: ({ runs }) => runs.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.noneFailed }) : /* @__PURE__ */ a(Table, { label: w2.jobs.newestFailed, rows: runs, columns: columns(["queue"]), keyOf: (run) => run.id, peekOf: (run) => `run:${run.id}` }) }) })
  ] });
}
function JobRuns({ name }) {
  const w2 = words.value;
  const runs = useResource(`runs?job=${encodeURIComponent(name)}&limit=50`, { every: 3e3 });
  return /* @__PURE__ */ a(Panel, { more: /* @__PURE__ */ a("a", { class: "link", href: linkWith({ q: `job:${name}` }, "runs"), children: w2.jobs.allRuns }), title: w2.pages.runs, children: /* @__PURE__ */ a(Shown, { of: runs, children: ({ runs: found }) => found.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.noRuns }) : /* @__PURE__ */ a(Table, { label: w2.pages.runs, rows: found, columns: columns(), keyOf: (run) => run.id, peekOf: (run) => `run:${run.id}` }) }) });
}
function JobTriggers({ name }) {
  const w2 = words.value;
  const triggers = useResource(`triggers?job=${encodeURIComponent(name)}&limit=100`, { every: 1e4 });
  return /* @__PURE__ */ a(Panel, { title: w2.pages.triggers, more: /* @__PURE__ */ a("a", { class: "link", href: linkWith({ job: name }, "triggers", "new"), children: w2.jobs.newTrigger }), children: /* @__PURE__ */ a(Shown, { of: triggers, children: ({ triggers: found }) => found.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.noTriggers }) : /* @__PURE__ */ a("table", { children: /* @__PURE__ */ a("tbody", { children: found.map((one) => /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: link("triggers", one.name), children: one.name }) }),
    /* @__PURE__ */ a("td", { class: "wide dim", children: one.words }),
    /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: one.next_due }) })
  ] }, one.name)) }) }) }) });
}
function Versions({ job }) {
  const w2 = words.value;
  const versions = useResource(`jobs/${part(job.name)}/versions?limit=100`, { every: 2e4 });
  const from = Number(asked("from")) || Math.max(1, job.version - 1);
  const to = Number(asked("to")) || job.version;
  const diff = useResource(from === to ? null : `jobs/${part(job.name)}/diff?from=${from}&to=${to}`);
  const busy = useSignal(false);
  return /* @__PURE__ */ a("div", { class: "columns two", children: [
    /* @__PURE__ */ a(Panel, { title: w2.jobs.tabs.versions, children: /* @__PURE__ */ a(Shown, { of: versions, children: ({ versions: found }) => /* @__PURE__ */ a("table", { children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("th", { children: w2.jobs.version }),
        /* @__PURE__ */ a("th", { children: w2.jobs.from }),
        /* @__PURE__ */ a("th", { children: w2.jobs.to }),
        /* @__PURE__ */ a("th", { children: w2.runs.by }),
        /* @__PURE__ */ a("th", { children: w2.jobs.note }),
        /* @__PURE__ */ a("th", { class: "num", children: w2.runs.created })
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: found.map((one) => /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: [
          "v",
          one.version
        ] }) }),
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("input", { type: "radio", name: "from", "aria-label": `${w2.jobs.from} v${one.version}`, checked: one.version === from, onChange: () => setQuery({ from: one.version }) }) }),
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("input", { type: "radio", name: "to", "aria-label": `${w2.jobs.to} v${one.version}`, checked: one.version === to, onChange: () => setQuery({ to: one.version }) }) }),
        /* @__PURE__ */ a("td", { class: "dim", children: one.source.origin === "code" ? `${w2.jobs.byCode} ${one.source.code_version}` : one.source.author }),
        /* @__PURE__ */ a("td", { class: "wide dim", children: one.note }),
        /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: one.at }) })
      ] }, one.version)) })
    ] }) }) }),
    /* @__PURE__ */ a(Panel, { title: w2.jobs.diff(from, to), more: from < job.version && /* @__PURE__ */ a(Button, { small: true, icon: "undo", refused: refusal("jobs:write"), onClick: () => !busy.value && askRollback(job, from), children: w2.jobs.rollback(from) }), children: from === to ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.oneVersion }) : /* @__PURE__ */ a(Shown, { of: diff, children: (found) => /* @__PURE__ */ a(Changes, { changes: found.changes }) }) })
  ] });
}
function Changes({ changes }) {
  if (changes.length === 0) return /* @__PURE__ */ a("p", { class: "quiet", children: words.value.jobs.same });
  return /* @__PURE__ */ a("table", { children: /* @__PURE__ */ a("tbody", { children: changes.map((one) => /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("code", { children: one.path }) }),
    /* @__PURE__ */ a("td", { class: "wide", children: [
      /* @__PURE__ */ a("s", { class: "faint", children: one.before === void 0 ? "–" : JSON.stringify(one.before) }),
      " ",
      /* @__PURE__ */ a("b", { children: one.after === void 0 ? "–" : JSON.stringify(one.after) })
    ] })
  ] }, one.path)) }) });
}
function askRollback(job, version) {
  const w2 = words.value;
  askFor({
    title: w2.jobs.askRollback(version),
    says: w2.jobs.rollbackSays(job.version + 1, version),
    confirm: w2.jobs.rollback(version),
    command: (reason) => `mainspring jobs rollback ${job.name} ${version}${reason && ` --note '${reason}'`}`,
    run: async (reason) => {
      await post(`jobs/${part(job.name)}/rollback`, { version, note: reason }, { headers: { "if-match": `"${job.version}"` } });
      outdateAll();
      toast({ text: w2.jobs.rolledBack(version), act: { name: w2.undo, run: () => post(`jobs/${part(job.name)}/rollback`, { version: job.version, note: w2.run.undone }).then(outdateAll) } });
    }
  });
}
function askDelete(name) {
  const w2 = words.value;
  askFor({
    title: w2.jobs.askRemove(name),
    says: w2.jobs.removeSays,
    reason: "needed",
    typed: name,
    confirm: w2.jobs.remove,
    danger: true,
    command: () => `mainspring jobs delete ${name}`,
    run: async (reason) => {
      await remove(`jobs/${part(name)}?note=${encodeURIComponent(reason)}`);
      outdateAll();
      go(link("jobs"));
    }
  });
}

// pages/workflows/layout.ts
var WIDE = 168;
var HIGH = 46;
var GAP_X = 56;
var GAP_Y = 18;
var LANE = 10;
var MARGIN = 14;
var SWEEPS = 6;
function layoutOf(nodes) {
  const known = new Set(nodes.map((node) => node.name));
  const parents = new Map(nodes.map((node) => [node.name, node.parents.filter((parent) => known.has(parent) && parent !== node.name)]));
  const plain = layersOf(nodes, parents);
  const routes = routesOf(nodes, parents, plain);
  const layers = orderLayers(plain, linksOf(routes));
  const heights = layers.map((layer) => layer.reduce((sum, name) => sum + (known.has(name) ? HIGH : LANE) + GAP_Y, -GAP_Y));
  const tallest = Math.max(HIGH, ...heights);
  const boxes = /* @__PURE__ */ new Map();
  layers.forEach((layer, column) => {
    let y = MARGIN + (tallest - (heights[column] ?? 0)) / 2;
    for (const name of layer) {
      boxes.set(name, { name, x: MARGIN + column * (WIDE + GAP_X), y });
      y += (known.has(name) ? HIGH : LANE) + GAP_Y;
    }
  });
  const edges = routes.map((route) => ({ from: route[0] ?? "", to: route.at(-1) ?? "", path: pathOf(route, boxes, known) }));
  for (const name of boxes.keys()) if (!known.has(name)) boxes.delete(name);
  return { boxes, edges, width: 2 * MARGIN + layers.length * (WIDE + GAP_X) - GAP_X, height: 2 * MARGIN + tallest };
}
function routesOf(nodes, parents, layers) {
  const depth = new Map(layers.flatMap((layer, column) => layer.map((name) => [name, column])));
  return nodes.flatMap(
    (node) => (parents.get(node.name) ?? []).map((parent) => {
      const [first, last] = [depth.get(parent) ?? 0, depth.get(node.name) ?? 0];
      const passed = Array.from({ length: Math.max(0, last - first - 1) }, (_, step) => `${parent}>${node.name}#${step}`);
      passed.forEach((name, step) => layers[first + step + 1]?.push(name));
      return [parent, ...passed, node.name];
    })
  );
}
function linksOf(routes) {
  const links = /* @__PURE__ */ new Map();
  for (const route of routes) route.slice(1).forEach((name, place) => links.set(name, [...links.get(name) ?? [], route[place] ?? ""]));
  return links;
}
function layersOf(nodes, parents) {
  const depth = /* @__PURE__ */ new Map();
  const under = /* @__PURE__ */ new Set();
  const visit = (name) => {
    const seen = depth.get(name);
    if (seen !== void 0 || under.has(name)) return seen ?? 0;
    under.add(name);
    const found = Math.max(-1, ...(parents.get(name) ?? []).map(visit)) + 1;
    under.delete(name);
    depth.set(name, found);
    return found;
  };
  const layers = [];
  for (const node of nodes) (layers[visit(node.name)] ??= []).push(node.name);
  return [...layers].map((layer) => layer ?? []);
}
function orderLayers(layers, parents) {
  const children = /* @__PURE__ */ new Map();
  for (const [name, own] of parents) for (const parent of own) children.set(parent, [...children.get(parent) ?? [], name]);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const near = sweep % 2 === 0 ? parents : children;
    const place = new Map(layers.flatMap((layer) => layer.map((name, row) => [name, row])));
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const middle = (name) => {
        const rows = (near.get(name) ?? []).map((one) => place.get(one) ?? 0);
        return rows.length === 0 ? place.get(name) ?? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
      };
      layer.sort((one, other) => middle(one) - middle(other));
      layer.forEach((name, row) => place.set(name, row));
    }
  }
  return layers;
}
function pathOf(route, boxes, known) {
  let path = "";
  for (let place = 1; place < route.length; place += 1) {
    const [one, other] = [boxes.get(route[place - 1] ?? ""), boxes.get(route[place] ?? "")];
    if (!one || !other) return "";
    const middle = (box) => box.y + (known.has(box.name) ? HIGH : LANE) / 2;
    const [x1, y1, x2, y2] = [one.x + WIDE, middle(one), other.x - (place === route.length - 1 ? 2 : 0), middle(other)];
    const bend = Math.max(24, (x2 - x1) / 2);
    path += `${place === 1 ? `M${x1} ${y1}` : `L${x1} ${y1}`}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  return path;
}

// pages/workflows/graph.tsx
function toneOf(state) {
  if (!state) return "";
  if (["queued", "waiting", "running", "succeeded", "failed", "cancelled", "skipped"].includes(state)) return state;
  if (state === "begun") return "running";
  return state === "blocked" || state === "paused" || state === "pending" ? "waiting" : "queued";
}
function Graph({ steps, on, onChoose }) {
  const w2 = words.value;
  const shape = steps.map((step) => `${step.name}<${step.parents.join(",")}`).join(";");
  const layout = w(() => layoutOf(steps), [shape]);
  return /* @__PURE__ */ a("div", { class: "graph", tabIndex: 0, role: "region", "aria-label": w2.workflows.graph, children: /* @__PURE__ */ a("svg", { width: layout.width, height: layout.height, role: "group", "aria-label": w2.workflows.graphSays(steps.length), children: [
    /* @__PURE__ */ a("defs", { children: /* @__PURE__ */ a("marker", { id: "arrow", viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "7", markerHeight: "7", orient: "auto", children: /* @__PURE__ */ a("path", { d: "M1 1 7 4 1 7", class: "arrow" }) }) }),
    layout.edges.map((edge) => /* @__PURE__ */ a("path", { d: edge.path, class: `edge ${on === edge.from || on === edge.to ? "lit" : ""}`, "marker-end": "url(#arrow)" }, `${edge.from}>${edge.to}`)),
    steps.map((step) => {
      const box = layout.boxes.get(step.name);
      const tone = toneOf(step.state);
      if (!box) return null;
      return /* @__PURE__ */ a("g", { role: "button", tabIndex: 0, "aria-pressed": on === step.name, class: `box ${tone ? `is-${tone}` : ""} ${on === step.name ? "on" : ""}`, transform: `translate(${box.x} ${box.y})`, onClick: () => onChoose(step.name), onKeyDown: (event) => event.key === "Enter" && onChoose(step.name), children: [
        /* @__PURE__ */ a("rect", { width: WIDE, height: HIGH, rx: "6" }),
        step.state && /* @__PURE__ */ a("title", { children: w2.states[step.state] ?? step.state }),
        tone && /* @__PURE__ */ a("rect", { width: "4", height: HIGH, rx: "2", class: `band fill-svg-${tone}` }),
        tone && /* @__PURE__ */ a("use", { href: `#s-${tone}`, x: "12", y: "9", width: "14", height: "14" }),
        /* @__PURE__ */ a("text", { x: tone ? 32 : 14, y: "20", class: "title", children: cut(step.name, tone ? 17 : 20) }),
        /* @__PURE__ */ a("text", { x: tone ? 32 : 14, y: "36", class: "sub", children: cut(step.note || step.job, 22) })
      ] }, step.name);
    })
  ] }) });
}
var cut = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

// pages/workflows/workflow.tsx
function Workflow({ name }) {
  const run = asked("run");
  return run ? /* @__PURE__ */ a(WorkflowRun, { name, id: run }) : /* @__PURE__ */ a(Definition, { name });
}
function Definition({ name }) {
  const w2 = words.value;
  const resource = useResource(`workflows/${part(name)}`, { every: 15e3 });
  const runs = useResource(`runs?job=${encodeURIComponent(name)}&limit=50`, { every: 3e3 });
  const tab = asked("tab") || "graph";
  const tabs = ["graph", "runs", "definition"].map((id) => ({ id, name: w2.workflows.tabs[id], href: linkWith({ tab: id === "graph" ? null : id }, "workflows", name) }));
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("workflows"), children: w2.pages.workflows }), beside: resource.data.value && /* @__PURE__ */ a(Tag, { children: [
      "v",
      resource.data.value.version
    ] }), children: [
      /* @__PURE__ */ a(ButtonLink, { href: link("jobs", name), children: w2.jobs.tabs.versions }),
      /* @__PURE__ */ a(RunDialogButton, { job: name })
    ] }),
    /* @__PURE__ */ a(Tabs, { tabs, on: tab, label: name }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: tab === "runs" ? /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: runs, children: ({ runs: found }) => found.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.noRuns }) : /* @__PURE__ */ a(Table, { label: w2.pages.runs, rows: found, columns: [{ id: "open", name: w2.workflows.run, cell: (run) => /* @__PURE__ */ a("a", { class: "mono", href: linkWith({ run: run.id }, "workflows", name), children: [
      "…",
      run.id.slice(-8)
    ] }) }, ...columns(["job", "id", "executor", "try"])], keyOf: (run) => run.id }) }) }) : /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (found) => /* @__PURE__ */ a($, { children: [
      found.description && /* @__PURE__ */ a("p", { class: "dim", children: found.description }),
      tab === "definition" ? /* @__PURE__ */ a(Panel, { title: w2.workflows.tabs.definition, children: /* @__PURE__ */ a("div", { class: "body", children: /* @__PURE__ */ a("pre", { class: "block", children: JSON.stringify(found.definition, null, 2) }) }) }) : /* @__PURE__ */ a(Panel, { title: w2.workflows.graph, note: w2.workflows.nSteps(found.graph.length), children: /* @__PURE__ */ a(Graph, { steps: found.graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents ?? [], note: [step.job, step.each ? `× ${step.each}` : "", step.ending].filter(Boolean).join(" · ") })), on: asked("step"), onChoose: (step) => setQuery({ step }) }) })
    ] }) }) })
  ] });
}
var OVER = ["succeeded", "failed", "cancelled", "skipped"];
function WorkflowRun({ name, id }) {
  const w2 = words.value;
  const resource = useResource(`workflow-runs/${id}`, { every: 1e3 });
  const runs = useResource(`workflow-runs/${id}/steps?limit=200`, { every: 2e3 }).data.value?.runs ?? [];
  const found = resource.data.value;
  const denied = refusal("runs:write");
  const over = found ? OVER.includes(found.state) : false;
  const done = found?.steps.filter((step2) => OVER.includes(step2.state)).length ?? 0;
  const act = (what, body = {}) => void post(`workflow-runs/${id}/${what}`, body).then(outdateAll, tellRefusal);
  const step = found?.steps.find((one) => one.name === asked("step"));
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("a", { href: link("workflows"), children: w2.pages.workflows }),
      " / ",
      /* @__PURE__ */ a("a", { href: link("workflows", name), children: name }),
      " / ",
      /* @__PURE__ */ a(Id, { id, whole: true })
    ] }), beside: found && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(State, { state: found.state }),
      found.paused && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.triggers.states.paused }),
      /* @__PURE__ */ a("span", { class: "dim", children: [
        w2.workflows.doneOf(done, found.steps.length),
        " · ",
        /* @__PURE__ */ a(Ago, { at: found.began_at })
      ] })
    ] }), children: [
      found && over && found.state !== "succeeded" && /* @__PURE__ */ a(Button, { icon: "retry", refused: denied, onClick: () => askResume(id), children: [
        w2.workflows.resume,
        "…"
      ] }),
      found && !over && (found.paused ? /* @__PURE__ */ a(Button, { icon: "play", refused: denied, onClick: () => act("unpause"), children: w2.queues.resume }) : /* @__PURE__ */ a(Button, { icon: "pause", refused: denied, onClick: () => act("pause"), children: w2.queues.pause })),
      found && !over && /* @__PURE__ */ a(Button, { icon: "stop", kind: "danger", refused: denied, onClick: () => askStop(id), children: [
        w2.workflows.stop,
        "…"
      ] }),
      /* @__PURE__ */ a(ButtonLink, { href: link("runs", id), children: w2.workflows.asRun })
    ] }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (seen) => /* @__PURE__ */ a(Graph, { steps: seen.steps.map((one) => ({ name: one.name, job: one.job, parents: one.parents, state: one.state, note: noteOf(one) })), on: asked("step"), onChoose: (chosen) => setQuery({ step: chosen }) }) }) }),
    step && /* @__PURE__ */ a(StepPanel, { id, step, runs: runs.filter((one) => one.step === step.name).map((one) => one.run) }, step.name),
    /* @__PURE__ */ a(Panel, { title: w2.workflows.steps, children: /* @__PURE__ */ a("table", { children: /* @__PURE__ */ a("tbody", { children: found?.steps.map((one) => /* @__PURE__ */ a("tr", { class: one.name === step?.name ? "chosen" : "", children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("button", { type: "button", class: "strong-link", onClick: () => setQuery({ step: one.name }), children: one.name }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("span", { class: `state is-${toneOf(one.state)}`, children: [
        /* @__PURE__ */ a(StateIcon, { state: toneOf(one.state) }),
        w2.states[one.state] ?? one.state
      ] }) }),
      /* @__PURE__ */ a("td", { class: "dim", children: one.job }),
      /* @__PURE__ */ a("td", { class: "wide dim", children: noteOf(one) === one.job ? "" : noteOf(one) }),
      /* @__PURE__ */ a("td", { children: runs.filter((run) => run.step === one.name).slice(0, 4).map((run) => /* @__PURE__ */ a("a", { class: "mono link", href: link("runs", run.run), children: [
        "…",
        run.run.slice(-8),
        " "
      ] }, run.run)) })
    ] }, one.name)) }) }) })
  ] });
}
function noteOf(step) {
  if (step.size !== null && step.size !== void 0) return words.value.workflows.mapOf(count(step.succeeded ?? 0), count(step.size), step.failed ?? 0);
  return step.why ?? step.job;
}
function StepPanel({ id, step, runs }) {
  const w2 = words.value;
  const denied = refusal("runs:write");
  const last = runs.at(-1);
  const over = OVER.includes(step.state);
  return /* @__PURE__ */ a(Panel, { title: step.name, note: step.why ?? void 0, more: /* @__PURE__ */ a("span", { class: "acts", children: [
    over && /* @__PURE__ */ a(Button, { small: true, icon: "retry", refused: denied, onClick: () => askStep(id, step.name, "retry"), children: [
      w2.workflows.retryFrom,
      "…"
    ] }),
    !over && /* @__PURE__ */ a(Button, { small: true, icon: "skip", refused: denied, onClick: () => askStep(id, step.name, "skip"), children: [
      w2.workflows.skip,
      "…"
    ] }),
    last && /* @__PURE__ */ a(ButtonLink, { small: true, href: link("runs", last), children: w2.open })
  ] }), children: last ? /* @__PURE__ */ a(Log, { id: last, over }) : /* @__PURE__ */ a("p", { class: "quiet", children: w2.run.notStarted }) });
}
async function askStep(id, step, what) {
  const w2 = words.value.workflows;
  try {
    const { data } = await post(`workflow-runs/${id}/${what}`, { step, dry_run: true });
    askFor({
      title: what === "retry" ? w2.askRetry(step) : w2.askSkip(step),
      says: /* @__PURE__ */ a($, { children: [
        w2.again(data.steps.length),
        " ",
        /* @__PURE__ */ a("code", { children: data.steps.join(", ") }),
        ". ",
        w2.kept
      ] }),
      confirm: what === "retry" ? w2.retryFrom : w2.skip,
      command: (reason) => `mainspring workflows ${what} ${id} ${step}${reason && ` --reason '${reason}'`}`,
      run: async (reason) => {
        await post(`workflow-runs/${id}/${what}`, { step, reason });
        outdateAll();
        toast({ text: w2.begun });
      }
    });
  } catch (error) {
    tellRefusal(error);
  }
}
async function askResume(id) {
  const w2 = words.value.workflows;
  try {
    const { data } = await post(`workflow-runs/${id}/resume`, { dry_run: true });
    askFor({
      title: w2.askResume,
      says: /* @__PURE__ */ a($, { children: [
        w2.again(data.steps.length),
        " ",
        /* @__PURE__ */ a("code", { children: data.steps.join(", ") }),
        ". ",
        w2.kept
      ] }),
      confirm: w2.resume,
      command: () => `mainspring workflows resume ${id}`,
      run: async (reason) => {
        await post(`workflow-runs/${id}/resume`, { reason });
        outdateAll();
      }
    });
  } catch (error) {
    tellRefusal(error);
  }
}
function askStop(id) {
  const w2 = words.value.workflows;
  askFor({ title: w2.askStop, says: w2.stopSays, reason: "no", confirm: w2.stop, danger: true, command: () => `mainspring workflows stop ${id}`, run: async () => {
    await post(`workflow-runs/${id}/stop`, {});
    outdateAll();
  } });
}

// pages/workflows/list.tsx
var SAMPLE = `month-end:
  steps:
    extract: {job: extract}
    convert: {job: convert, after: extract}
    post: {job: post, after: convert}`;
function Workflows() {
  const w2 = words.value;
  const resource = useResource("jobs?handler=workflow&limit=200", { every: 1e4 });
  const figures = useResource("rates/jobs?step=hour&steps=24", { every: 15e3 }).data.value?.jobs ?? [];
  const runs = useResource("runs?limit=500", { every: 1e4 }).data.value?.runs ?? [];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.workflows, children: /* @__PURE__ */ a(RunDialogButton, {}) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ jobs }) => jobs.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.workflows.empty, children: /* @__PURE__ */ a("pre", { class: "block", children: SAMPLE }) }) : /* @__PURE__ */ a(Table, { label: w2.pages.workflows, rows: jobs, columns: columns3(figures, runs), keyOf: (job) => job.name }) }) })
  ] });
}
function columns3(figures, runs) {
  const w2 = words.value;
  const of = (job) => figures.find((one) => one.job === job.name);
  return [
    { id: "name", name: w2.workflows.word, cell: (job) => /* @__PURE__ */ a("a", { href: link("workflows", job.name), children: job.name }) },
    { id: "description", name: w2.policy.description, wide: true, cell: (job) => /* @__PURE__ */ a("span", { class: "dim", children: job.description }) },
    { id: "strip", name: w2.jobs.lastRuns, cell: (job) => /* @__PURE__ */ a(Strip, { runs: runs.filter((run) => run.job === job.name) }) },
    { id: "ok", name: w2.jobs.succeeded, num: true, cell: (job) => /* @__PURE__ */ a(Share, { figure: of(job) }) },
    { id: "p95", name: "p95", num: true, cell: (job) => of(job)?.duration ? duration(of(job)?.duration?.p95 ?? 0) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) },
    { id: "queue", name: w2.queues.name, cell: (job) => /* @__PURE__ */ a("span", { class: "dim", children: job.queue }), minor: true },
    { id: "version", name: w2.jobs.version, num: true, cell: (job) => /* @__PURE__ */ a("span", { class: "faint", children: [
      "v",
      job.version
    ] }) }
  ];
}
export {
  Audit,
  Job,
  Jobs,
  Workflow,
  Workflows
};
