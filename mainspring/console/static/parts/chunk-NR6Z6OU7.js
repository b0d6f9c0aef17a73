import {
  Bars,
  Pulse,
  Spark
} from "./chunk-7FLTJP2Q.js";
import {
  Ago,
  Button,
  ButtonLink,
  Command,
  Failed,
  Gauge,
  Head,
  Icon,
  Panel,
  Segments,
  Shown,
  StateIcon,
  Tag,
  copy,
  fillIn,
  grant,
  outdateAll,
  quoted,
  refusal,
  tellRefusal,
  toast,
  useResource
} from "./chunk-IBKJQSZ2.js";
import {
  asked,
  count,
  duration,
  language,
  link,
  linkWith,
  now,
  part,
  percent,
  post,
  query,
  range,
  rate,
  setQuery,
  useSignal,
  words,
  y
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $
} from "./chunk-DPBHMWAZ.js";

// live/settled.ts
var SETTLED = 400;
var settled = y(false);

// pages/overview/reads.ts
var OVERVIEW_EVERY = 3e3;

// pages/overview/findings.ts
var RECENT = 6e5;
function findingsOf(seen) {
  return [...ofServer(seen.found), ...seen.queues.flatMap(ofQueue), ...seen.executors.flatMap((one) => ofExecutor(one, seen.now))];
}
function toneOf(finding) {
  if (finding.kind !== "found") return "waiting";
  return finding.is.severity === "page" || ["run_failed", "failure_rate", "dead_letters", "breaker_open"].includes(finding.is.kind) ? "failed" : "waiting";
}
function ofServer(found) {
  const told = new Set(found.filter((one) => one.kind === "dead_letters").map((one) => one.subject.split(" ").slice(0, 2).join(" ")));
  return found.filter((one) => one.kind !== "run_failed" || !told.has(one.subject)).map((one) => {
    const [noun = "", name = "", ...more] = one.subject.split(" ");
    return { kind: "found", is: one, noun, name, more: more.join(" ") };
  });
}
function ofExecutor(one, now2) {
  const blocked = one.blocked.filter((each) => now2 - Date.parse(each.at) < RECENT).at(-1);
  return [
    ...one.stuck.map((stuck) => ({ kind: "stuck", executor: one.name, pool: stuck.pool })),
    ...blocked ? [{ kind: "blocked", executor: one.name, handler: blocked.handler, seconds: blocked.seconds }] : []
  ];
}
function ofQueue(queue) {
  if (queue.queued === 0 || !queue.paused) return [];
  return [{ kind: "paused", queue: queue.name, queued: queue.queued, by: queue.paused.by, reason: queue.paused.reason }];
}
function drainsIn(queue) {
  if (queue.queued === 0) return 0;
  const pace = queue.rates?.finished ?? 0;
  return pace > 0 ? queue.queued / pace * 60 : null;
}
function shareOf(steps) {
  const failed = steps.reduce((total, step) => total + step.failed, 0);
  const finished = steps.reduce((total, step) => total + step.succeeded + step.failed + step.cancelled + step.skipped, 0);
  return { share: finished === 0 ? 0 : failed / finished, failed, finished };
}

// pages/workflows/approvals.tsx
function Approvals({ run, workflows }) {
  const found = useResource("approvals?limit=50", { every: 5e3 }).data.value?.approvals ?? [];
  return /* @__PURE__ */ a(ApprovalsShown, { found: found.filter((one) => run === void 0 || one.workflow_run === run), ...run === void 0 ? {} : { run }, ...workflows ? { workflows } : {} });
}
function ApprovalsShown({ found: shown, run, workflows }) {
  const w = words.value.approvals;
  if (shown.length === 0) return null;
  return /* @__PURE__ */ a(Panel, { title: w.title, note: w.note(shown.length), class: "approvals", children: shown.slice(0, 8).map((one) => /* @__PURE__ */ a("div", { class: "finding", children: [
    /* @__PURE__ */ a(StateIcon, { state: "waiting" }),
    /* @__PURE__ */ a("span", { class: "what", children: [
      /* @__PURE__ */ a("b", { children: one.title }),
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: Object.entries(one.details).map(([name, value]) => `${name} ${String(value)}`).join(", ") }),
      " ",
      one.approvals > 1 && /* @__PURE__ */ a(Tag, { children: w.votes(one.votes.filter((vote) => vote.approved).length, one.approvals) }),
      " ",
      one.four_eyes && /* @__PURE__ */ a(Tag, { title: w.fourEyesHelp, children: w.fourEyes })
    ] }),
    /* @__PURE__ */ a("span", { class: "acts", children: [
      run === void 0 && /* @__PURE__ */ a("a", { class: "button plain small", href: linkWith({ run: one.workflow_run, step: one.step }, "workflows", workflows?.get(one.workflow_run) ?? "-"), children: words.value.overview.look }),
      /* @__PURE__ */ a(Button, { small: true, refused: mayNot(one), onClick: () => decide(one, false), children: [
        w.reject,
        "…"
      ] }),
      /* @__PURE__ */ a(Button, { small: true, icon: "check", refused: mayNot(one), onClick: () => decide(one, true), children: [
        w.approve,
        "…"
      ] })
    ] })
  ] }, one.run)) });
}
function mayNot(one) {
  const w = words.value.approvals;
  const name = grant.value?.name ?? "";
  if (one.approvers.length > 0 && !one.approvers.includes(name)) return w.onlyBy(one.approvers.join(", "));
  if (one.four_eyes && one.created_by === name) return w.fourEyesHelp;
  return refusal("runs:approve");
}
function decide(one, good) {
  const w = words.value.approvals;
  const act = good ? "approve" : "reject";
  const fields = good ? formFields(one.form) : [];
  fillIn({
    title: good ? w.askApprove(one.title) : w.askReject(one.title),
    says: good ? w.approveSays : w.rejectSays,
    start: Object.fromEntries(fields.map((field) => [field.name, defaultOf(one.form, field.name)])),
    fields: [...fields, { name: "note", kind: "text", label: w.comment, wide: true }],
    confirm: good ? w.approve : w.reject,
    done: good ? w.approved : w.rejected,
    command: ({ note, ...form }) => `mainspring approvals ${act} ${one.run}${Object.keys(form).length > 0 ? ` --form ${quoted(JSON.stringify(form))}` : ""}${note ? ` --note ${quoted(note)}` : ""}`,
    send: ({ note = "", ...form }) => post(`runs/${one.run}/${act}`, good ? { form, note } : { note })
  });
}
function formFields(form) {
  const { properties = {}, required = [] } = form;
  const kinds = { string: "text", integer: "number", number: "number", boolean: "check" };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    kind: one.enum ? "choice" : kinds[one.type ?? ""] ?? "json",
    label: one.title ?? name,
    ...one.description ? { help: one.description } : {},
    ...one.enum ? { choices: one.enum.map((value) => [String(value), String(value)]) } : {},
    required: required.includes(name) && one.type !== "boolean"
  }));
}
var defaultOf = (form, name) => form.properties?.[name]?.default ?? form.properties?.[name]?.enum?.[0];

// pages/overview/figures.tsx
var KEPT = 60;
var NONE = { finished: 0, running: 0, queued: 0, waiting: 0, later: 0, slots: 0 };
var watched = {};
function watch(name, value) {
  const list = watched[name] ??= [];
  const last = list.at(-1);
  if (!last || now.peek() - last.at >= 4e3) list.push({ at: now.peek(), value });
  else last.value = value;
  if (list.length > KEPT) list.shift();
  return list.map((one) => one.value);
}
function Figures({ totals, rates, since }) {
  const w = words.value;
  const steps = rates?.steps ?? [];
  const { share, failed } = shareOf(steps);
  const { finished: pace, running, queued, waiting, later, slots } = totals ?? NONE;
  const oldest = totals?.oldest_seconds ?? 0;
  const wait = [...steps].reverse().find((step) => step.wait !== null)?.wait;
  const series = steps.map((step) => step.succeeded + step.failed + step.cancelled + step.skipped);
  return /* @__PURE__ */ a("section", { class: "panel figures", "aria-label": w.overview.figures, children: [
    /* @__PURE__ */ a(Figure, { name: w.overview.finished, href: linkWith({ q: `since:${since}` }, "runs"), value: rate(pace), unit: w.overview.perMinute, note: w.overview.inRange(count(series.reduce((sum, one) => sum + one, 0)), w.ranges[since] ?? since), spark: /* @__PURE__ */ a(Spark, { values: series.slice(0, -1), tone: "succeeded" }) }),
    /* @__PURE__ */ a(Figure, { name: w.states.failed, bad: share >= 0.05, href: linkWith({ q: `state:failed since:${since}` }, "runs"), value: percent(share), unit: "%", note: w.nRuns(failed), spark: /* @__PURE__ */ a(Spark, { values: steps.slice(0, -1).map((step) => step.failed), tone: "failed" }) }),
    /* @__PURE__ */ a(Figure, { name: w.states.running, href: linkWith({ q: "state:running" }, "runs"), value: count(running), note: w.overview.slots(count(running), count(slots)), spark: /* @__PURE__ */ a(Spark, { values: watch("running", running), tone: "running" }) }),
    /* @__PURE__ */ a(Figure, { name: w.states.queued, href: linkWith({ q: "state:queued" }, "runs"), value: count(queued), note: oldest > 0 ? w.overview.oldest(duration(oldest)) : w.overview.later(count(later)), spark: /* @__PURE__ */ a(Spark, { values: watch("queued", queued), tone: "queued" }) }),
    /* @__PURE__ */ a(Figure, { name: w.states.waiting, href: linkWith({ q: "state:waiting" }, "runs"), value: count(waiting), note: waiting === 0 ? w.overview.nothingHeld : w.overview.held, spark: /* @__PURE__ */ a(Spark, { values: watch("waiting", waiting), tone: "waiting" }) }),
    /* @__PURE__ */ a("div", { class: "figure", children: [
      /* @__PURE__ */ a("span", { class: "caps", children: w.overview.startDelay }),
      /* @__PURE__ */ a("div", { class: "pair", children: [
        /* @__PURE__ */ a(Big, { seconds: wait?.p50, unit: "p50" }),
        /* @__PURE__ */ a(Big, { seconds: wait?.p99, unit: "p99" })
      ] }),
      /* @__PURE__ */ a("span", { class: "note", children: wait ? w.overview.worst(duration(wait.max)) : w.overview.nothingYet })
    ] })
  ] });
}
function Big({ seconds, unit }) {
  const [value = "–", scale = ""] = seconds === void 0 ? [] : duration(seconds).split(/ (.*)/);
  return /* @__PURE__ */ a("span", { class: "value", children: [
    value,
    /* @__PURE__ */ a("small", { children: [
      scale,
      " ",
      unit
    ] })
  ] });
}
function Figure({ name, value, unit, note, href, bad, spark }) {
  return /* @__PURE__ */ a("a", { class: "figure", href, children: [
    /* @__PURE__ */ a("span", { class: "caps", children: name }),
    spark,
    /* @__PURE__ */ a("span", { class: `value ${bad ? "is-failed" : ""}`, children: [
      value,
      unit && /* @__PURE__ */ a("small", { children: unit })
    ] }),
    /* @__PURE__ */ a("span", { class: "note", children: note })
  ] });
}

// pages/overview/spent.ts
var endedOf = (one) => one.succeeded + one.failed + one.cancelled;
function spentOf(jobs) {
  const spent = jobs.flatMap((one) => one.duration ? [{ job: one.job, seconds: one.duration.mean * endedOf(one), share: 0, p95: one.duration.p95 }] : []);
  const whole = spent.reduce((sum, one) => sum + one.seconds, 0);
  return spent.filter((one) => one.seconds > 0).map((one) => ({ ...one, share: one.seconds / whole })).sort((one, other) => other.seconds - one.seconds);
}
function slowestOf(jobs) {
  return jobs.filter((one) => one.wait !== null && endedOf(one) > 0).sort((one, other) => (other.wait?.p95 ?? 0) - (one.wait?.p95 ?? 0));
}

// pages/overview/time.tsx
var SHOWN = 6;
function TimeSpent({ step, steps, since }) {
  const w = words.value.overview;
  const found = useResource(settled.value ? query("rates/jobs", { step, steps }) : null, { every: 3e4 });
  const week = useResource(settled.value ? "rates/jobs?step=hour&steps=168" : null, { every: 3e5 }).data.value;
  const usual = new Map((week?.jobs ?? []).map((one) => [one.job, one]));
  return /* @__PURE__ */ a("div", { class: "columns two even", children: [
    /* @__PURE__ */ a(Panel, { title: w.timeSpent, note: w.timeSpentNote, children: /* @__PURE__ */ a(Shown, { of: found, children: ({ jobs }) => /* @__PURE__ */ a(SpentTable, { spent: spentOf(jobs).slice(0, SHOWN), usual, since }) }) }),
    /* @__PURE__ */ a(Panel, { title: w.slowStarts, note: w.slowStartsNote, children: /* @__PURE__ */ a(Shown, { of: found, children: ({ jobs }) => /* @__PURE__ */ a(StartsTable, { jobs: slowestOf(jobs).slice(0, SHOWN), usual, since }) }) })
  ] });
}
function SpentTable({ spent, usual, since }) {
  const w = words.value;
  if (spent.length === 0) return /* @__PURE__ */ a("p", { class: "quiet", children: w.overview.noTime });
  return /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.job }),
      /* @__PURE__ */ a("th", { class: "num", children: w.overview.inAll }),
      /* @__PURE__ */ a("th", { children: /* @__PURE__ */ a("span", { class: "away", children: w.overview.share }) }),
      /* @__PURE__ */ a("th", { class: "num", children: "p95" }),
      /* @__PURE__ */ a("th", { class: "num", children: w.overview.week })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: spent.map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: link("jobs", one.job), children: one.job }) }),
      /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a("a", { class: "plain", href: linkWith({ q: `job:${one.job} since:${since}` }, "runs"), children: duration(one.seconds) }) }),
      /* @__PURE__ */ a("td", { children: [
        /* @__PURE__ */ a("span", { class: "gauge wide", "aria-hidden": "true", children: /* @__PURE__ */ a("i", { style: { width: `${one.share * 100}%` } }) }),
        percent(one.share),
        " %"
      ] }),
      /* @__PURE__ */ a(Against, { is: one.p95, usual: usual.get(one.job)?.duration?.p95 })
    ] }, one.job)) })
  ] });
}
function StartsTable({ jobs, usual, since }) {
  const w = words.value;
  if (jobs.length === 0) return /* @__PURE__ */ a("p", { class: "quiet", children: w.overview.nothingYet });
  return /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.job }),
      /* @__PURE__ */ a("th", { class: "num", children: "p50" }),
      /* @__PURE__ */ a("th", { class: "num", children: "p95" }),
      /* @__PURE__ */ a("th", { class: "num", children: w.overview.week })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: jobs.map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: linkWith({ q: `job:${one.job} since:${since}` }, "runs"), children: one.job }) }),
      /* @__PURE__ */ a("td", { class: "num", children: duration(one.wait?.p50 ?? 0) }),
      /* @__PURE__ */ a(Against, { is: one.wait?.p95 ?? 0, usual: usual.get(one.job)?.wait?.p95 })
    ] }, one.job)) })
  ] });
}
function Against({ is, usual }) {
  const slow = usual !== void 0 && is > 0.05 && is > usual * 2;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("td", { class: `num ${slow ? "is-failed" : ""}`, children: duration(is) }),
    /* @__PURE__ */ a("td", { class: "num faint", children: usual === void 0 ? "–" : duration(usual) })
  ] });
}

// pages/overview/says.tsx
var SHOWN2 = 4;
function Says({ findings, more, pace }) {
  const w = words.value.overview;
  const all = useSignal(false);
  const shown = all.value ? findings : findings.slice(0, SHOWN2);
  const worst = findings.some((one) => toneOf(one) === "failed") ? "failed" : "waiting";
  return /* @__PURE__ */ a("section", { class: "panel findings", "aria-label": w.findings, children: [
    /* @__PURE__ */ a("div", { class: "say", children: [
      /* @__PURE__ */ a(StateIcon, { state: findings.length === 0 ? "succeeded" : worst }),
      findings.length === 0 ? w.allWell(rate(pace)) : w.needs(findings.length + more)
    ] }),
    shown.map((one) => /* @__PURE__ */ a("div", { class: "finding", children: [
      /* @__PURE__ */ a(StateIcon, { state: toneOf(one) }),
      /* @__PURE__ */ a("span", { class: "what", children: textOf(one) }),
      /* @__PURE__ */ a("span", { class: "acts", children: actsOf(one) })
    ] }, keyOf(one))),
    findings.length > shown.length && /* @__PURE__ */ a("button", { type: "button", class: "finding link", onClick: () => all.value = true, children: w.andMore(findings.length + more - SHOWN2) })
  ] });
}
var keyOf = (one) => one.kind === "found" ? `${one.is.kind} ${one.is.subject}` : JSON.stringify([one.kind, "queue" in one ? one.queue : one.executor]);
function textOf(one) {
  const w = words.value.overview;
  switch (one.kind) {
    case "found":
      return /* @__PURE__ */ a(Found, { of: one });
    case "paused":
      return /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("b", { children: one.queue }),
        " ",
        w.queuePaused(one.by, count(one.queued)),
        " ",
        one.reason && /* @__PURE__ */ a("span", { class: "dim", children: [
          "“",
          one.reason,
          "”"
        ] })
      ] });
    case "stuck":
      return /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("b", { children: one.executor }),
        " ",
        w.stuck(one.pool)
      ] });
    case "blocked":
      return /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("b", { children: one.executor }),
        " ",
        w.blocked(one.handler, duration(one.seconds))
      ] });
  }
}
function Found({ of }) {
  const kinds = words.value.alerts.kinds;
  const since = of.is.since_at;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("b", { children: of.name || of.noun }),
    " ",
    language.value === "en" ? /* @__PURE__ */ a($, { children: of.is.words.replace(/:\s*$/, "") }) : /* @__PURE__ */ a($, { children: [
      kinds[of.is.kind] ?? of.is.kind,
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: of.is.words })
    ] }),
    since && /* @__PURE__ */ a("span", { class: "dim", children: [
      " · ",
      /* @__PURE__ */ a(Ago, { at: since })
    ] }),
    of.is.acked_by && /* @__PURE__ */ a("span", { class: "dim", children: [
      " · ",
      words.value.alerts.acked,
      " ",
      of.is.acked_by
    ] })
  ] });
}
var PLACES = { job: "jobs", queue: "queues", trigger: "triggers", executor: "executors", breaker: "breakers" };
function actsOf(one) {
  const w = words.value;
  switch (one.kind) {
    case "found":
      return /* @__PURE__ */ a(FoundActs, { of: one });
    case "paused":
      return /* @__PURE__ */ a(Button, { small: true, icon: "play", refused: refusal("queues:steer"), onClick: () => void resumeQueue(one.queue), children: w.queues.resume });
    case "stuck":
    case "blocked":
      return /* @__PURE__ */ a(ButtonLink, { small: true, href: link("executors", one.executor), children: w.overview.look });
  }
}
function FoundActs({ of: { is, noun, name, more } }) {
  const w = words.value;
  const place = PLACES[noun];
  const href = is.kind === "dead_letters" && more ? link("failures", more) : noun === "slo" ? linkWith({ tab: "slos" }, "alerts") : place ? link(place, name) : is.run ? link("runs", is.run) : link("cluster");
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Button, { small: true, icon: "command", label: `${w.copy}: ${is.remedy}`, onClick: () => void copy(is.remedy) }),
    noun === "queue" && /* @__PURE__ */ a(ButtonLink, { small: true, href: linkWith({ q: `queue:${name} state:running` }, "runs"), children: w.overview.holders }),
    is.run && /* @__PURE__ */ a(ButtonLink, { small: true, href: link("runs", is.run), children: w.failures.showExample }),
    /* @__PURE__ */ a(ButtonLink, { small: true, href, children: noun === "queue" ? w.overview.why : w.overview.look })
  ] });
}
async function resumeQueue(queue) {
  try {
    await post(`queues/${part(queue)}/resume`);
    outdateAll();
    toast({ text: words.value.queues.resumed(queue) });
  } catch (error) {
    tellRefusal(error);
  }
}
function FirstSteps({ queues, executors, triggers, rules }) {
  const w = words.value.first;
  const ran = queues > 0;
  const steps = [[w.server, true], [w.executor, executors > 0], [w.run, ran], [w.trigger, triggers > 0], [w.told, rules > 0]];
  if (executors > 0 && ran) return null;
  return /* @__PURE__ */ a("section", { class: "panel first-steps", children: [
    /* @__PURE__ */ a("header", { children: /* @__PURE__ */ a("h2", { children: w.title }) }),
    /* @__PURE__ */ a("div", { class: "body", children: [
      /* @__PURE__ */ a("ul", { children: steps.map(([name, done]) => /* @__PURE__ */ a("li", { class: done ? "is-succeeded" : "", children: [
        /* @__PURE__ */ a(Icon, { name: done ? "check" : "clock" }),
        " ",
        name
      ] }, name)) }),
      executors === 0 && /* @__PURE__ */ a(Command, { line: "mainspring executor jobs:app" }),
      executors > 0 && !ran && /* @__PURE__ */ a(Command, { line: "mainspring enqueue welcome_mail email=anna@example.com name=Anna --wait" })
    ] })
  ] });
}

// pages/overview/overview.tsx
var RANGES = [
  { id: "15m", step: "minute", steps: 15 },
  { id: "1h", step: "minute", steps: 60 },
  { id: "24h", step: "hour", steps: 24 },
  { id: "7d", step: "hour", steps: 168 }
];
function rangeAsked() {
  return RANGES.find((one) => one.id === (asked("since") || range.value)) ?? RANGES[1];
}
function askRange(id) {
  setQuery({ since: id === range.peek() ? null : id });
}
function Overview() {
  const w = words.value;
  const range2 = rangeAsked();
  const queue = asked("queue");
  const overview = useResource("overview", { every: OVERVIEW_EVERY });
  const seen = overview.data.value;
  const isNew = seen !== void 0 && (seen.totals.queues === 0 || seen.totals.executors === 0);
  const rules = useResource(isNew ? "alert-rules" : null).data.value?.alert_rules.length ?? 0;
  const usual = range2.id === "1h" && !queue;
  const path = queue ? `queues/${encodeURIComponent(queue)}/rates` : "rates";
  const chosen = useResource(usual ? null : `${path}?step=${range2.step}&steps=${range2.steps}`, { every: 1e4 });
  const rates = usual ? seen?.rates : chosen.data.value;
  const changes = useResource(settled.value ? query("marks", { since: hourOf(range2) }) : null, { every: 3e4 }).data.value?.marks ?? [];
  const marks = changes.map((change) => ({ at: Date.parse(change.at), text: `${change.subject} · ${change.act} · ${change.by}` }));
  const one = useResource(queue ? `queues/${encodeURIComponent(queue)}` : null, { every: 5e3 }).data.value;
  const names = [.../* @__PURE__ */ new Set([...seen?.queues.map(({ name }) => name) ?? [], ...queue ? [queue] : []])].sort();
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.overview, children: [
      /* @__PURE__ */ a(Segments, { label: w.overview.range, on: range2.id, choices: RANGES.map(({ id }) => ({ id, name: w.ranges[id] })), onChoose: (id) => askRange(id) }),
      /* @__PURE__ */ a("select", { class: "input", "aria-label": w.overview.queue, value: queue, onChange: (event) => setQuery({ queue: event.currentTarget.value }), children: [
        /* @__PURE__ */ a("option", { value: "", children: w.overview.allQueues }),
        names.map((name) => /* @__PURE__ */ a("option", { value: name, children: name }, name))
      ] })
    ] }),
    seen && isNew && /* @__PURE__ */ a(FirstSteps, { queues: seen.totals.queues, executors: seen.totals.executors, triggers: seen.next_fires.length, rules }),
    seen && /* @__PURE__ */ a(Says, { findings: findingsOf({ found: seen.findings, queues: seen.queues, executors: seen.executors, now: now.value }), more: seen.findings_more, pace: seen.totals.finished }),
    overview.error.value && !seen && /* @__PURE__ */ a(Failed, { error: overview.error.value, slim: true }),
    seen && /* @__PURE__ */ a(ApprovalsShown, { found: seen.approvals }),
    /* @__PURE__ */ a(Figures, { totals: queue ? ofQueue2(one, seen?.totals) : seen?.totals, rates, since: range2.id }),
    /* @__PURE__ */ a(
      Panel,
      {
        class: "pulse-panel",
        title: w.overview.pulse,
        note: range2.step === "hour" ? w.overview.pulseHours : w.overview.pulseMinutes,
        more: /* @__PURE__ */ a("span", { class: "legend", children: ["succeeded", "cancelled", "failed"].map((state) => /* @__PURE__ */ a("span", { children: [
          /* @__PURE__ */ a("i", { style: { background: `var(--${state}-fill)` } }),
          w.states[state]
        ] }, state)) }),
        children: rates ? /* @__PURE__ */ a(Pulse, { beats: beatsOf(rates), step: range2.step === "hour" ? 3600 : 60, hrefOf: (beat) => runsOf(beat, range2.step, queue), hrefOfSpan: (from, until) => spanOf(from, until, queue), marks }) : /* @__PURE__ */ a(Shown, { of: usual ? overview : chosen, rows: 5, children: () => null })
      }
    ),
    /* @__PURE__ */ a("div", { class: "columns thirds even", children: [
      /* @__PURE__ */ a(Queues, { of: overview }),
      /* @__PURE__ */ a(Failing, { of: overview }),
      /* @__PURE__ */ a(NextFires, { of: overview })
    ] }),
    !queue && /* @__PURE__ */ a(TimeSpent, { step: range2.step, steps: range2.steps, since: range2.id })
  ] });
}
function hourOf({ step, steps }) {
  const length = steps * (step === "hour" ? 36e5 : 6e4);
  return new Date(Math.floor((now.peek() - length) / 36e5) * 36e5).toISOString();
}
function ofQueue2(queue, all) {
  if (!queue || !all) return void 0;
  const { queued, later, waiting, running, oldest_seconds, slots, executors } = queue;
  return { ...all, queued, later, waiting, running, oldest_seconds: oldest_seconds ?? null, slots, executors, finished: queue.rates?.finished ?? 0, failed: queue.rates?.failed ?? 0 };
}
function beatsOf(rates) {
  return rates.steps.map((step) => ({ ...step, at: Date.parse(step.at) }));
}
function runsOf(beat, step, queue) {
  return spanOf(beat.at, beat.at + (step === "hour" ? 36e5 : 6e4), queue, beat.failed > 0 ? "state:failed " : "");
}
function spanOf(from, until, queue, state = "") {
  return linkWith({ q: `${state}${queue ? `queue:${queue} ` : ""}since:${new Date(from).toISOString()} until:${new Date(until).toISOString()}` }, "runs");
}
function Queues({ of }) {
  const w = words.value;
  return /* @__PURE__ */ a(Panel, { title: /* @__PURE__ */ a("a", { href: link("queues"), children: w.pages.queues }), more: /* @__PURE__ */ a(CountedAt, { of }), children: /* @__PURE__ */ a(Shown, { of, children: ({ queues }) => /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.queues.name }),
      /* @__PURE__ */ a("th", { class: "num", children: w.states.queued }),
      /* @__PURE__ */ a("th", { class: "num", children: w.queues.oldest }),
      /* @__PURE__ */ a("th", { children: w.queues.running }),
      /* @__PURE__ */ a("th", { class: "num", children: w.queues.emptyIn })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: queues.slice(0, 7).map((queue) => /* @__PURE__ */ a(QueueRow, { queue }, queue.name)) })
  ] }) }) });
}
function QueueRow({ queue }) {
  const drains = drainsIn(queue);
  return /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: link("queues", queue.name), children: queue.name }) }),
    /* @__PURE__ */ a("td", { class: "num", children: count(queue.queued) }),
    /* @__PURE__ */ a("td", { class: "num", children: queue.oldest_seconds ? duration(queue.oldest_seconds) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) }),
    /* @__PURE__ */ a("td", { children: [
      /* @__PURE__ */ a(Gauge, { taken: queue.running, room: queue.slots }),
      count(queue.running),
      " ",
      /* @__PURE__ */ a("span", { class: "faint", children: [
        words.value.of,
        " ",
        count(queue.slots)
      ] })
    ] }),
    /* @__PURE__ */ a("td", { class: "num", children: queue.queued === 0 ? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) : drains === null ? /* @__PURE__ */ a("b", { class: "is-failed", children: words.value.never }) : drains < 1 ? "< 1 s" : duration(Math.round(drains)) })
  ] });
}
function CountedAt({ of }) {
  const at = of.data.value?.queues[0]?.taken_at;
  return at ? /* @__PURE__ */ a($, { children: [
    words.value.overview.counted,
    " ",
    /* @__PURE__ */ a(Ago, { at })
  ] }) : null;
}
function Failing({ of }) {
  const w = words.value;
  return /* @__PURE__ */ a(Panel, { title: /* @__PURE__ */ a("a", { href: link("failures"), children: w.overview.failing }), more: w.overview.byKind, children: /* @__PURE__ */ a(Shown, { of, children: ({ failing: groups }) => groups.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w.failures.none }) : /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.failures.error }),
      /* @__PURE__ */ a("th", { children: w.job }),
      /* @__PURE__ */ a("th", { class: "num", children: w.runs.word }),
      /* @__PURE__ */ a("th", { class: "num", children: w.failures.last })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: groups.slice(0, 7).map((group) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { class: "wide", children: [
        now.value - Date.parse(group.first_at) < 36e5 && /* @__PURE__ */ a("span", { class: "tag new", children: w.failures.new }),
        " ",
        /* @__PURE__ */ a("a", { href: link("failures", group.fingerprint), title: `${group.class}: ${group.message}`, children: [
          /* @__PURE__ */ a("b", { children: group.class }),
          /* @__PURE__ */ a("span", { class: "dim", children: [
            ": ",
            group.message
          ] })
        ] })
      ] }),
      /* @__PURE__ */ a("td", { class: "dim", children: group.job }),
      /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a("b", { children: count(group.runs, group.more) }) }),
      /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: group.last_at }) })
    ] }, group.fingerprint)) })
  ] }) }) });
}
function NextFires({ of }) {
  const w = words.value;
  const forecast = useResource(settled.value ? "forecast?hours=24&step=3600" : null, { every: 6e4 }).data.value;
  return /* @__PURE__ */ a(Panel, { title: /* @__PURE__ */ a("a", { href: link("triggers"), children: w.overview.nextFires }), more: forecast && /* @__PURE__ */ a("a", { href: linkWith({ view: "forecast" }, "triggers"), children: w.overview.inDay(count(forecast.total, !forecast.complete)) }), children: [
    forecast && forecast.total > 0 && /* @__PURE__ */ a("div", { class: "herd", children: [
      /* @__PURE__ */ a(Bars, { values: forecast.counts, tone: "queued", width: 150, height: 26 }),
      /* @__PURE__ */ a("span", { class: "faint", children: w.overview.day })
    ] }),
    /* @__PURE__ */ a(Shown, { of, children: ({ next_fires: next }) => next.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w.overview.noFires }) : /* @__PURE__ */ a("table", { children: /* @__PURE__ */ a("tbody", { children: next.map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { class: "num dim", children: /* @__PURE__ */ a(Ago, { at: one.at }) }),
      /* @__PURE__ */ a("td", { class: "wide", children: [
        /* @__PURE__ */ a("a", { href: link("triggers", one.trigger), children: one.trigger }),
        " ",
        /* @__PURE__ */ a("span", { class: "faint", children: one.words })
      ] })
    ] }, one.trigger)) }) }) })
  ] });
}

export {
  SETTLED,
  settled,
  OVERVIEW_EVERY,
  drainsIn,
  Approvals,
  RANGES,
  rangeAsked,
  askRange,
  Overview,
  beatsOf
};
