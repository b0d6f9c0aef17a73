import {
  BreakerActs,
  BreakerState,
  Breakers,
  askDeleteBreaker,
  editBreaker
} from "./chunk-TEGVHJCG.js";
import {
  Menu,
  MenuItem,
  columns
} from "./chunk-DPIERHAX.js";
import "./chunk-7FLTJP2Q.js";
import "./chunk-HQEIUNT4.js";
import {
  Ago,
  Button,
  Command,
  Count,
  Empty,
  Gauge,
  Head,
  Icon,
  Panel,
  Segments,
  Shown,
  Table,
  Tabs,
  Tag,
  askFor,
  fillIn,
  options,
  outdateAll,
  quoted,
  refusal,
  tellRefusal,
  toast,
  useResource
} from "./chunk-IBKJQSZ2.js";
import {
  asked,
  both,
  count,
  duration,
  get,
  link,
  linkWith,
  now,
  part,
  percent,
  post,
  put,
  query,
  rate,
  remove,
  serverNow,
  setQuery,
  words
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $
} from "./chunk-DPBHMWAZ.js";

// pages/alerts/firing.tsx
var HOUR = 36e5;
var left = both("no longer watched", "不再监视");
function Firing() {
  const w = words.value;
  const resource = useResource(asked("state") === "all" ? "alerts?limit=100" : "alerts?limit=100&state=pending&state=firing", { every: 5e3 });
  const columns3 = [
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(StateTag, { of: one }) },
    { id: "rule", name: w.alerts.rule, cell: (one) => /* @__PURE__ */ a("b", { children: one.rule }) },
    { id: "severity", name: w.alerts.severity, cell: (one) => /* @__PURE__ */ a(SeverityTag, { of: one.severity }) },
    { id: "words", name: w.alerts.says, wide: true, cell: (one) => /* @__PURE__ */ a($, { children: [
      one.words || one.subject,
      one.run && /* @__PURE__ */ a($, { children: [
        " ",
        /* @__PURE__ */ a("a", { href: link("runs", one.run), children: w.alerts.theRun })
      ] })
    ] }) },
    { id: "since", name: w.breakers.since, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.since_at }) },
    { id: "acked", name: w.alerts.acked, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.acked_by }), minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) => one.state !== "resolved" && /* @__PURE__ */ a("span", { class: "acts", children: [
        one.acked_at === null && /* @__PURE__ */ a(Button, { small: true, icon: "check", refused: refusal("alerts:steer"), onClick: () => askAck(one), children: [
          w.alerts.ack,
          "…"
        ] }),
        /* @__PURE__ */ a(Button, { small: true, icon: "moon", refused: refusal("alerts:steer"), onClick: () => askSilence(one), children: [
          w.alerts.silence,
          "…"
        ] })
      ] })
    }
  ];
  return /* @__PURE__ */ a(Panel, { title: w.alerts.tabs.firing, more: /* @__PURE__ */ a(Segments, { small: true, label: w.alerts.which, on: asked("state"), choices: [{ id: "", name: w.alerts.open }, { id: "all", name: w.alerts.also }], onChoose: (state) => setQuery({ state }) }), children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ alerts }) => alerts.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.calm, children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", { class: "link", href: linkWith({ tab: "rules" }, "alerts"), children: w.alerts.seeRules }) }) }) : /* @__PURE__ */ a(Table, { label: w.pages.alerts, rows: alerts, columns: columns3, keyOf: (one) => one.id }) }) });
}
function askAck(alert) {
  const w = words.value.alerts;
  askFor({
    title: w.askAck(alert.rule),
    says: w.ackSays,
    reason: "no",
    confirm: w.ack,
    command: () => `mainspring alerts ack ${alert.id}`,
    run: async () => {
      await post(`alerts/${part(alert.id)}/acknowledge`, {});
      outdateAll();
    }
  });
}
function askSilence(alert) {
  const w = words.value;
  askFor({
    title: w.alerts.askSilence(alert.rule),
    says: w.alerts.silenceSays,
    reason: "needed",
    confirm: w.alerts.silence,
    command: (reason) => `mainspring alerts silence --rule ${quoted(alert.rule)} --for 1h${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      const until = new Date(serverNow() + HOUR).toISOString();
      const { data } = await post("silences", { rule: alert.rule, subject: alert.subject, until, reason });
      outdateAll();
      toast({ text: w.alerts.silenced(alert.rule), act: { name: w.undo, run: () => remove(`silences/${part(data.id)}`).then(outdateAll) } });
    }
  });
}
function StateTag({ of }) {
  if (of.rule_deleted) return /* @__PURE__ */ a(Tag, { children: left.value });
  return /* @__PURE__ */ a(Tag, { kind: of.state === "firing" ? "bad" : of.state === "pending" ? "warn" : "good", children: words.value.alerts.states[of.state] });
}
function SeverityTag({ of }) {
  const names = words.value.alerts.severities;
  return /* @__PURE__ */ a(Tag, { kind: of === "page" ? "bad" : of === "warn" ? "warn" : "", children: names[of] ?? of });
}

// pages/alerts/reads.ts
var READS = {
  run_failed: [["job", "queue"], ["over", "at_least"]],
  failure_rate: [["job", "queue"], ["over", "at_least", "above"]],
  stale: [["job", "trigger"], ["older_than"]],
  trigger_late: [["job", "trigger"], ["older_than"]],
  fires_skipped: [["job", "trigger"], ["over", "at_least"]],
  trigger_paused: [["job", "trigger"], ["older_than"]],
  queue_age: [["queue"], ["older_than"]],
  queue_depth: [["queue"], ["at_least"]],
  budget_near: [["queue"], ["above"]],
  no_executor: [["queue"], ["older_than"]],
  run_long: [["job"], ["older_than"]],
  dead_letters: [["job"], ["over", "at_least"]],
  executor_lost: [["executor"], ["over"]],
  executors_few: [["queue"], ["at_least"]],
  strays: [["executor"], ["at_least"]],
  servers_few: [[], ["at_least"]],
  breaker_open: [["breaker"], ["older_than"]],
  canary_stopped: [["job"], ["older_than"]],
  workflow_stuck: [["job"], ["older_than"]],
  slo_burn: [["slo"], []],
  slo_budget: [["slo"], ["above"]]
};

// pages/alerts/rules.tsx
var SUBJECTS = ["job", "queue", "trigger", "executor", "breaker", "slo"];
function Rules() {
  const w = words.value;
  const resource = useResource("alert-rules", { every: 15e3 });
  const kinds = w.alerts.kinds;
  const columns3 = [
    { id: "name", name: w.name, cell: (one) => /* @__PURE__ */ a("button", { type: "button", class: "strong-link", onClick: () => void editRule(one), children: one.name }) },
    { id: "says", name: w.alerts.condition, wide: true, cell: (one) => /* @__PURE__ */ a($, { children: [
      kinds[one.spec.kind] ?? one.spec.kind,
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: saysOf(one.spec) })
    ] }) },
    { id: "severity", name: w.alerts.severity, cell: (one) => /* @__PURE__ */ a(SeverityTag, { of: one.spec.severity ?? "warn" }) },
    { id: "tells", name: w.alerts.tells, cell: (one) => one.spec.notify?.length ? one.spec.notify.join(", ") : /* @__PURE__ */ a("span", { class: "faint", children: w.alerts.consoleOnly }) },
    { id: "owner", name: w.alerts.owner, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.owner || one.author }), minor: true },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(RowActs, { permission: "alerts:write", onEdit: () => void editRule(one), onDelete: () => askDelete("rule", one.name, `alert-rules/${part(one.name)}`, `mainspring alerts delete ${quoted(one.name)}`) }) }
  ];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ alert_rules }) => alert_rules.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.noRules }) : /* @__PURE__ */ a(Table, { label: w.alerts.tabs.rules, rows: alert_rules, columns: columns3, keyOf: (one) => one.name }) }) });
}
function RowActs({ permission, onEdit, onDelete, children }) {
  const w = words.value;
  return /* @__PURE__ */ a("span", { class: "acts", children: [
    children,
    /* @__PURE__ */ a(Button, { small: true, icon: "edit", label: w.people.edit, refused: refusal(permission), onClick: onEdit }),
    /* @__PURE__ */ a(Button, { small: true, icon: "trash", label: w.jobs.remove, refused: refusal(permission), onClick: onDelete })
  ] });
}
function saysOf(spec) {
  const w = words.value.alerts.says_;
  const subject = SUBJECTS.map((name) => spec[name]).find((name) => name);
  const parts = [
    subject,
    spec.above !== null && spec.above !== void 0 && w.above(percent(spec.above)),
    spec.at_least !== null && spec.at_least !== void 0 && w.atLeast(spec.at_least),
    spec.older_than !== null && spec.older_than !== void 0 && w.olderThan(duration(spec.older_than)),
    spec.over !== null && spec.over !== void 0 && w.over(duration(spec.over)),
    spec.for ? w.for(duration(spec.for)) : null
  ];
  return parts.filter(Boolean).join(" · ");
}
function askDelete(kind, name, path, command) {
  const w = words.value;
  askFor({
    title: w.alerts.askDelete(name),
    says: w.alerts.deleteSays[kind],
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    command: () => command,
    run: async () => {
      await remove(path);
      outdateAll();
    }
  });
}
async function channelNames() {
  return (await get("channels")).data.channels.map(({ name }) => name);
}
function reads(draft, field) {
  const [subjects, numbers] = READS[draft["kind"] ?? ""] ?? [[], []];
  return subjects.includes(field) || numbers.includes(field);
}
async function editRule(rule, start = {}) {
  const w = words.value;
  const labels = w.forms.labels;
  const help = w.forms.help;
  const known = await channelNames().catch(() => []);
  const field = (name, kind, more = {}) => ({ name, kind, label: labels[name] ?? name, ...help[name] ? { help: help[name] } : {}, ...more });
  fillIn({
    title: rule ? w.alerts.editRule(rule.name) : w.alerts.make.rules,
    start: rule ? { ...rule.spec, name: rule.name, recovery: rule.spec.recovery ?? true, quiet: rule.spec.quiet?.calendar } : { kind: "queue_age", queue: "*", older_than: 120, severity: "warn", recovery: true, ...start },
    fields: [
      field("name", "name", { required: true, when: () => rule === null }),
      field("kind", "choice", { choices: Object.keys(READS).map((id) => [id, w.alerts.kinds[id] ?? id]) }),
      ...SUBJECTS.map((name) => field(name, "text", { when: (draft) => reads(draft, name) })),
      field("above", "share", { when: (draft) => reads(draft, "above") }),
      field("at_least", "number", { when: (draft) => reads(draft, "at_least") }),
      field("older_than", "span", { when: (draft) => reads(draft, "older_than") }),
      field("over", "span", { when: (draft) => reads(draft, "over") }),
      field("for", "span"),
      field("severity", "choice", { choices: Object.entries(w.alerts.severities) }),
      field("notify", "list", { known }),
      field("escalate_to", "list", { known }),
      field("escalate_after", "span"),
      field("runbook", "text"),
      field("quiet", "text"),
      field("recovery", "check")
    ],
    confirm: w.people.save,
    command: ({ name, kind, ...rest }) => `mainspring alerts set ${quoted(rule?.name ?? name ?? "NAME")} --kind ${quoted(kind ?? "")}${Object.entries(rest).map(([key, value]) => ` --set ${quoted(`${key}=${Array.isArray(value) ? value.join(",") : String(value)}`)}`).join("")}`,
    send: ({ name, quiet, ...body }) => put(`alert-rules/${part(rule?.name ?? String(name))}`, { ...body, recovery: body["recovery"] === true, ...quiet ? { quiet: { calendar: quiet } } : {} })
  });
}

// pages/alerts/channels.tsx
var KINDS = ["webhook", "slack", "teams", "pagerduty", "email", "dingtalk", "feishu", "wecom", "alertmanager", "apprise"];
var OWN = {
  webhook: ["url", "secret"],
  slack: ["url"],
  teams: ["url"],
  pagerduty: ["url", "routing_key"],
  email: ["host", "port", "encryption", "username", "password", "sender", "to"],
  dingtalk: ["url", "secret", "at_mobiles"],
  feishu: ["url", "secret"],
  wecom: ["url", "at_mobiles"],
  alertmanager: ["url"],
  apprise: ["url"]
};
var SECRETS = ["secret", "routing_key", "password"];
function Channels() {
  const w = words.value;
  const resource = useResource("channels", { every: 15e3 });
  const columns3 = [
    { id: "name", name: w.name, cell: (one) => /* @__PURE__ */ a("button", { type: "button", class: "strong-link", onClick: () => editChannel(one), children: one.name }) },
    { id: "kind", name: w.alerts.kind, cell: (one) => one.spec.kind },
    { id: "to", name: w.alerts.address, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.spec.url || one.spec.to?.join(", ") || one.spec.host }) },
    { id: "warn", name: "", cell: (one) => one.warnings.map((text) => /* @__PURE__ */ a(Tag, { kind: "warn", children: text }, text)) },
    { id: "sent", name: w.alerts.tabs.deliveries, cell: (one) => /* @__PURE__ */ a("a", { class: "link", href: linkWith({ tab: "deliveries", channel: one.name }, "alerts"), children: w.overview.look }) },
    {
      id: "acts",
      name: "",
      cell: (one) => /* @__PURE__ */ a(RowActs, { permission: "alerts:write", onEdit: () => editChannel(one), onDelete: () => askDelete("channel", one.name, `channels/${part(one.name)}`, `mainspring channels delete ${quoted(one.name)}`), children: /* @__PURE__ */ a(Button, { small: true, icon: "play", refused: refusal("alerts:steer"), onClick: () => void test(one.name), children: w.alerts.test }) })
    }
  ];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ channels }) => channels.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.noChannels }) : /* @__PURE__ */ a(Table, { label: w.alerts.tabs.channels, rows: channels, columns: columns3, keyOf: (one) => one.name }) }) });
}
async function test(name) {
  try {
    const { data } = await post(`channels/${part(name)}/test`);
    toast({ text: `${name}: ${data.ok ? "✓" : "✕"} ${data.answer}` });
  } catch (error) {
    tellRefusal(error);
  }
}
function editChannel(channel) {
  const w = words.value;
  const labels = w.forms.labels;
  const help = w.forms.help;
  const names = [...new Set(Object.values(OWN).flat())];
  const kindOf = (name) => SECRETS.includes(name) ? "secret" : name === "port" ? "number" : name === "to" || name === "at_mobiles" ? "list" : name === "encryption" ? "choice" : "text";
  const field = (name) => ({ name, kind: kindOf(name), label: labels[name] ?? name, ...help[name] ? { help: help[name] } : {}, ...name === "encryption" ? { choices: ["starttls", "tls", "none"].map((id) => [id, id]) } : {}, wide: name === "url", when: (draft) => (OWN[draft["kind"] ?? ""] ?? []).includes(name) });
  fillIn({
    title: channel ? w.alerts.editChannel(channel.name) : w.alerts.make.channels,
    start: channel ? { ...channel.spec, name: channel.name } : { kind: "webhook", encryption: "starttls" },
    fields: [
      { name: "name", kind: "name", label: labels["name"] ?? "", required: true, when: () => channel === null },
      { name: "kind", kind: "choice", label: w.alerts.kind, choices: KINDS.map((id) => [id, id]) },
      ...names.map(field),
      { name: "per_minute", kind: "number", label: labels["per_minute"] ?? "", help: help["per_minute"] ?? "" },
      { name: "alive", kind: "span", label: labels["alive"] ?? "", help: help["alive"] ?? "" },
      { name: "details", kind: "check", label: labels["details"] ?? "" },
      { name: "cluster", kind: "check", label: labels["cluster"] ?? "" }
    ],
    confirm: w.people.save,
    command: ({ name, kind, ...rest }) => `mainspring channels set ${quoted(channel?.name ?? name ?? "NAME")} --kind ${quoted(kind ?? "")}${Object.entries(rest).map(([key, value]) => ` --set ${quoted(`${key}=${SECRETS.includes(key) ? "…" : Array.isArray(value) ? value.join(",") : String(value)}`)}`).join("")}`,
    send: ({ name, ...body }) => put(`channels/${part(channel?.name ?? String(name))}`, body)
  });
}

// pages/alerts/deliveries.tsx
function Deliveries() {
  const w = words.value;
  const channels = useResource("channels", { every: 15e3 });
  return /* @__PURE__ */ a(Shown, { of: channels, rows: 4, children: ({ channels: found }) => {
    const on = found.find(({ name }) => name === asked("channel"))?.name ?? found[0]?.name;
    if (on === void 0) return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Empty, { title: w.alerts.noChannels }) });
    return /* @__PURE__ */ a(Panel, { title: w.alerts.tabs.deliveries, more: /* @__PURE__ */ a(Segments, { small: true, label: w.alerts.tabs.channels, on, choices: found.map(({ name }) => ({ id: name, name })), onChoose: (channel) => setQuery({ channel }) }), children: /* @__PURE__ */ a(Notices, { channel: on }, on) });
  } });
}
function Notices({ channel }) {
  const w = words.value;
  const resource = useResource(`channels/${part(channel)}/notices?limit=100`, { every: 5e3 });
  const tones = { sent: "good", failed: "bad", waiting: "warn", sending: "warn" };
  const columns3 = [
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(Tag, { kind: tones[one.state] ?? "", children: w.alerts.noticeStates[one.state] }) },
    { id: "kind", name: w.alerts.kind, cell: (one) => w.alerts.noticeKinds[one.kind] },
    { id: "rule", name: w.alerts.rule, cell: (one) => one.rule },
    { id: "made", name: w.runs.created, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.made_at }) },
    { id: "tries", name: w.runs.try, num: true, cell: (one) => /* @__PURE__ */ a(Count, { value: one.tries }) },
    { id: "answer", name: w.alerts.answer, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.answer }) }
  ];
  return /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ notices }) => notices.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.noDeliveries }) : /* @__PURE__ */ a(Table, { label: w.alerts.tabs.deliveries, rows: notices, columns: columns3, keyOf: (one) => one.id }) });
}

// pages/alerts/silences.tsx
function Silences() {
  const w = words.value;
  const resource = useResource("silences", { every: 15e3 });
  const end = (one) => remove(`silences/${part(one.id)}`).then(outdateAll, tellRefusal);
  const columns3 = [
    { id: "rule", name: w.alerts.rule, cell: (one) => /* @__PURE__ */ a("b", { children: one.rule || "*" }) },
    { id: "subject", name: w.alerts.of, cell: (one) => one.subject || "*" },
    { id: "until", name: w.breakers.until, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.until }) },
    { id: "reason", name: w.breakers.reason, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: [
      one.reason,
      " (",
      one.author,
      ")"
    ] }) },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(Button, { small: true, icon: "x", refused: refusal("alerts:steer"), onClick: () => void end(one), children: w.alerts.end }) }
  ];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ silences }) => silences.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.noSilences }) : /* @__PURE__ */ a(Table, { label: w.alerts.tabs.silences, rows: silences, columns: columns3, keyOf: (one) => one.id }) }) });
}
function editSilence() {
  const w = words.value;
  const labels = w.forms.labels;
  fillIn({
    title: w.alerts.make.silences,
    says: w.alerts.silenceSays,
    start: { rule: "*", subject: "*", lasts: 3600 },
    fields: [
      { name: "rule", kind: "text", label: w.alerts.rule, help: w.forms.help.pattern },
      { name: "subject", kind: "text", label: w.alerts.of, help: w.forms.help.pattern },
      { name: "lasts", kind: "span", label: labels.lasts, required: true },
      { name: "reason", kind: "text", label: w.reason, required: true, wide: true }
    ],
    confirm: w.alerts.make.silences,
    command: ({ rule, subject, reason }, draft) => `mainspring alerts silence --rule ${quoted(rule ?? "*")} --subject ${quoted(subject ?? "*")} --for ${quoted((draft["lasts"] ?? "").replaceAll(" ", ""))} --reason ${quoted(reason ?? "")}`,
    send: ({ lasts, ...body }) => post("silences", { ...body, until: typeof lasts === "number" ? new Date(serverNow() + lasts * 1e3).toISOString() : lasts })
  });
}

// pages/alerts/slos.tsx
var DAY = 864e5;
var MONTH = 30 * DAY;
function Slos() {
  const w = words.value;
  const resource = useResource("slos", { every: 15e3 });
  const marks = useResource(query("marks", { since: new Date(serverNow() - MONTH).toISOString() }), { every: 6e4 }).data.value?.marks ?? [];
  const columns3 = [
    { id: "name", name: w.name, cell: (one) => /* @__PURE__ */ a("button", { type: "button", class: "strong-link", onClick: () => void editSlo(one), children: one.name }) },
    { id: "job", name: w.job, cell: (one) => one.spec.trigger ? /* @__PURE__ */ a("a", { class: "plain", href: link("triggers", one.spec.trigger), children: one.spec.trigger }) : /* @__PURE__ */ a("a", { class: "plain", href: link("jobs", one.spec.job ?? ""), children: one.spec.job }) },
    { id: "says", name: w.alerts.objective, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: w.alerts.sloSays[one.spec.indicator ?? "success"](percent(one.spec.objective ?? 0.99), one.within === null ? "" : duration(one.within), one.spec.window_days ?? 30) }) },
    { id: "left", name: w.alerts.budgetLeft, cell: (one) => /* @__PURE__ */ a(Budget, { of: one }) },
    { id: "bad", name: w.alerts.bad, num: true, cell: (one) => /* @__PURE__ */ a($, { children: [
      count(one.bad),
      " ",
      /* @__PURE__ */ a("span", { class: "faint", children: [
        w.of,
        " ",
        count(one.good + one.bad)
      ] })
    ] }) },
    { id: "burn", name: w.alerts.burn, num: true, title: w.alerts.burnHelp, cell: (one) => /* @__PURE__ */ a("span", { class: one.burn_1h > 1 ? "is-failed" : "", children: [one.burn_1h, one.burn_6h, one.burn_3d].map((burn) => `${rate(burn)}×`).join(" · ") }) },
    { id: "worst", name: w.alerts.worstDay, minor: true, cell: (one) => /* @__PURE__ */ a(WorstDay, { of: one, marks }) },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(RowActs, { permission: "alerts:write", onEdit: () => void editSlo(one), onDelete: () => askDelete("slo", one.name, `slos/${part(one.name)}`, `mainspring slos delete ${quoted(one.name)}`) }) }
  ];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ slos }) => slos.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.noSlos, children: /* @__PURE__ */ a(Command, { line: "mainspring slos set mail-in-time --job welcome_mail --indicator start --objective 99% --within 30s" }) }) : /* @__PURE__ */ a(Table, { label: w.alerts.tabs.slos, rows: slos, columns: columns3, keyOf: (one) => one.name }) }) });
}
function WorstDay({ of, marks }) {
  const w = words.value;
  const worst = of.worst?.[0];
  if (!worst) return null;
  const subject = of.spec.trigger ? `trigger:${of.spec.trigger}` : `job:${of.spec.job}`;
  const bad = { success: "state:failed", start: `wait:>${of.within}s`, duration: `duration:>${of.within}s` };
  const terms = bad[of.spec.indicator ?? "success"];
  const says = /* @__PURE__ */ a($, { children: [
    worst.day,
    ": ",
    count(worst.bad),
    " ",
    /* @__PURE__ */ a("span", { class: "faint", children: [
      w.of,
      " ",
      count(worst.good + worst.bad)
    ] })
  ] });
  const mine = marks.filter((mark) => mark.kind === "change" && mark.at.startsWith(worst.day) && mark.subject.endsWith(of.spec.job || of.spec.trigger || "?"));
  return /* @__PURE__ */ a($, { children: [
    terms ? /* @__PURE__ */ a("a", { class: "plain", href: linkWith({ q: `${subject} ${terms} since:${worst.day} until:${nextDay(worst.day)}` }, "runs"), children: says }) : says,
    mine.slice(0, 2).map((mark) => /* @__PURE__ */ a("div", { class: "faint", children: [
      "▾ ",
      mark.act,
      " · ",
      mark.by
    ] }, mark.at))
  ] });
}
function nextDay(day) {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
}
function Budget({ of }) {
  const w = words.value;
  if (of.budget_left === null) return /* @__PURE__ */ a("span", { class: "faint", children: w.alerts.noRunsYet });
  const left2 = Math.max(0, of.budget_left);
  return /* @__PURE__ */ a("span", { class: of.budget_left <= 0 ? "is-failed" : "", children: [
    /* @__PURE__ */ a(Gauge, { taken: left2, room: Math.max(1, left2) }),
    " ",
    percent(of.budget_left),
    " %",
    of.few && /* @__PURE__ */ a("span", { class: "faint", children: [
      " ",
      w.alerts.few
    ] })
  ] });
}
async function editSlo(slo, start = {}) {
  const w = words.value;
  const labels = w.forms.labels;
  const help = w.forms.help;
  const known = await channelNames().catch(() => []);
  fillIn({
    title: slo ? w.alerts.editSlo(slo.name) : w.alerts.make.slos,
    start: slo ? { ...slo.spec, name: slo.name } : { indicator: "success", objective: 0.99, window_days: 30, ...start },
    fields: [
      { name: "name", kind: "name", label: labels.name, required: true, when: () => slo === null },
      { name: "job", kind: "text", label: labels.job, when: (draft) => draft["indicator"] !== "fired" },
      { name: "trigger", kind: "text", label: w.triggers.name, help: w.alerts.orTrigger },
      { name: "indicator", kind: "choice", label: labels.indicator, choices: Object.entries(w.alerts.indicators) },
      { name: "objective", kind: "share", label: labels.objective, help: help.objective },
      { name: "within", kind: "span", label: labels.within, help: help.within, when: (draft) => draft["indicator"] !== "success" },
      { name: "window_days", kind: "number", label: labels.window_days, help: "1–90" },
      { name: "notify", kind: "list", label: labels.notify, help: help.notify, known }
    ],
    confirm: w.people.save,
    command: ({ name, ...rest }) => `mainspring slos set ${quoted(slo?.name ?? name ?? "NAME")}${options(rest)}`,
    send: ({ name, ...body }) => put(`slos/${part(slo?.name ?? String(name))}`, body)
  });
}

// pages/alerts/alerts.tsx
var TABS = ["firing", "rules", "slos", "channels", "deliveries", "silences"];
var BODIES = { firing: Firing, rules: Rules, slos: Slos, channels: Channels, deliveries: Deliveries, silences: Silences };
var MAKE = { rules: () => editRule(null), slos: () => editSlo(null), channels: () => editChannel(null), silences: () => editSilence() };
function Alerts() {
  const w = words.value;
  const tab = asked("tab") || "firing";
  const Body = BODIES[tab] ?? Firing;
  const make = MAKE[tab];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.alerts, children: make && /* @__PURE__ */ a(Button, { kind: "main", icon: "plus", refused: refusal(tab === "silences" ? "alerts:steer" : "alerts:write"), onClick: () => void make(), children: w.alerts.make[tab] }) }),
    /* @__PURE__ */ a(Tabs, { label: w.pages.alerts, on: tab, tabs: TABS.map((id) => ({ id, name: w.alerts.tabs[id], href: linkWith({ tab: id === "firing" ? null : id }, "alerts") })) }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: /* @__PURE__ */ a(Body, {}) })
  ] });
}

// pages/guards/band.ts
function bandOf(changes, state, since, until) {
  const pieces = [];
  let end = until;
  let shown = changes[0]?.state ?? state;
  for (const change of changes) {
    const at = Math.max(since, Date.parse(change.at));
    if (at < end) pieces.push(pieceOf(shown, at, end, until - since));
    end = Math.min(end, at);
    shown = change.was;
    if (at <= since) break;
  }
  if (end > since) pieces.push(pieceOf(shown, since, end, until - since));
  return pieces.reverse();
}
function pieceOf(state, from, to, whole) {
  return { state, from, seconds: (to - from) / 1e3, share: (to - from) / whole };
}

// pages/guards/breaker.tsx
var SHOWN = 36e5;
function Breaker({ name }) {
  const w = words.value;
  const resource = useResource(`breakers/${part(name)}`, { every: 2e3 });
  const history = useResource(`breakers/${part(name)}/history?limit=100`, { every: 5e3 });
  const found = resource.data.value;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("breakers"), children: w.pages.breakers }), beside: found && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(BreakerState, { of: found.state }),
      /* @__PURE__ */ a("span", { class: "dim", children: /* @__PURE__ */ a(Ago, { at: found.since }) })
    ] }), children: [
      found && /* @__PURE__ */ a(BreakerActs, { of: found }),
      found && /* @__PURE__ */ a(Menu, { label: w.run.more, face: /* @__PURE__ */ a(Icon, { name: "more" }), kind: "button", children: [
        /* @__PURE__ */ a(MenuItem, { icon: "edit", refused: refusal("queues:write"), onChoose: () => editBreaker(found), children: [
          w.people.edit,
          "…"
        ] }),
        /* @__PURE__ */ a(MenuItem, { icon: "trash", refused: refusal("queues:write"), onChoose: () => askDeleteBreaker(name), children: [
          w.jobs.remove,
          "…"
        ] })
      ] })
    ] }),
    /* @__PURE__ */ a(Shown, { of: resource, children: (one) => /* @__PURE__ */ a(Counted, { of: one }) }),
    /* @__PURE__ */ a(Band, { of: history.data.value?.changes ?? [], state: found?.state ?? "closed" }),
    /* @__PURE__ */ a("div", { class: "columns two", children: [
      /* @__PURE__ */ a(Guards, { name }),
      /* @__PURE__ */ a(Panel, { title: w.breakers.ruleTitle, more: found && /* @__PURE__ */ a(Button, { small: true, icon: "edit", refused: refusal("queues:write"), onClick: () => editBreaker(found), children: [
        w.people.edit,
        "…"
      ] }), children: found && /* @__PURE__ */ a(RuleFacts, { of: found }) })
    ] }),
    /* @__PURE__ */ a(Panel, { title: w.breakers.history, children: /* @__PURE__ */ a(Shown, { of: history, children: ({ changes }) => changes.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w.breakers.noHistory }) : /* @__PURE__ */ a(Changes, { of: changes }) }) })
  ] });
}
function Counted({ of }) {
  const w = words.value;
  const share = (some) => of.calls === 0 ? 0 : some / of.calls;
  const left2 = of.until === null ? null : Math.max(0, (Date.parse(of.until) - now.value) / 1e3);
  return /* @__PURE__ */ a("section", { class: "panel figures four", children: [
    /* @__PURE__ */ a("div", { class: "figure", children: [
      /* @__PURE__ */ a("span", { class: "caps", children: w.breakers.calls }),
      /* @__PURE__ */ a("span", { class: "value", children: count(of.calls) }),
      /* @__PURE__ */ a("span", { class: "note", children: of.rule.window_calls ? w.breakers.newest(count(of.rule.window_calls)) : w.breakers.inWindow(duration(of.rule.window)) })
    ] }),
    /* @__PURE__ */ a("div", { class: "figure", children: [
      /* @__PURE__ */ a("span", { class: "caps", children: w.states.failed }),
      /* @__PURE__ */ a("span", { class: `value ${share(of.failures) >= of.rule.failures && of.calls >= of.rule.min_calls ? "is-failed" : ""}`, children: [
        percent(share(of.failures)),
        /* @__PURE__ */ a("small", { children: "%" })
      ] }),
      /* @__PURE__ */ a("span", { class: "note", children: [
        /* @__PURE__ */ a(Gauge, { taken: share(of.failures), room: of.rule.failures, wide: true }),
        " ",
        w.breakers.opensAtShare(percent(of.rule.failures))
      ] })
    ] }),
    /* @__PURE__ */ a("div", { class: "figure", children: [
      /* @__PURE__ */ a("span", { class: "caps", children: w.breakers.slow }),
      /* @__PURE__ */ a("span", { class: "value", children: [
        percent(share(of.slow)),
        /* @__PURE__ */ a("small", { children: "%" })
      ] }),
      /* @__PURE__ */ a("span", { class: "note", children: of.rule.slow === null ? w.breakers.slowOff : w.breakers.opensAtShare(percent(of.rule.slow)) })
    ] }),
    /* @__PURE__ */ a("div", { class: "figure", children: [
      /* @__PURE__ */ a("span", { class: "caps", children: of.state === "half_open" ? w.breakers.probing : w.breakers.next }),
      /* @__PURE__ */ a("span", { class: "value", children: of.state === "open" && left2 !== null ? duration(Math.round(left2)) : "–" }),
      /* @__PURE__ */ a("span", { class: "note", children: of.reason || w.breakers.sayings[of.state] })
    ] })
  ] });
}
function RuleFacts({ of: { rule } }) {
  const w = words.value.breakers;
  const labels = words.value.forms.labels;
  return /* @__PURE__ */ a("dl", { class: "facts body", children: [
    /* @__PURE__ */ a("dt", { children: labels.failures }),
    /* @__PURE__ */ a("dd", { children: w.rule(Math.round(rule.failures * 100), rule.min_calls, rule.window) }),
    rule.slow !== null && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("dt", { children: labels.slow }),
      /* @__PURE__ */ a("dd", { children: [
        percent(rule.slow),
        " % > ",
        duration(rule.slow_after ?? 0)
      ] })
    ] }),
    /* @__PURE__ */ a("dt", { children: labels.wait }),
    /* @__PURE__ */ a("dd", { children: [
      duration(rule.wait),
      " – ",
      duration(rule.wait_max)
    ] }),
    /* @__PURE__ */ a("dt", { children: labels.probes }),
    /* @__PURE__ */ a("dd", { children: w.probesSay(rule.probes, duration(rule.probe_within)) }),
    /* @__PURE__ */ a("dt", { children: labels.witnesses }),
    /* @__PURE__ */ a("dd", { children: rule.witnesses }),
    rule.record.length > 0 && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("dt", { children: labels.record }),
      /* @__PURE__ */ a("dd", { children: rule.record.join(", ") })
    ] }),
    rule.ignore.length > 0 && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("dt", { children: labels.ignore }),
      /* @__PURE__ */ a("dd", { children: rule.ignore.join(", ") })
    ] })
  ] });
}
function Guards({ name }) {
  const w = words.value;
  const jobs = useResource("jobs?limit=500", { every: 3e4 }).data.value?.jobs.filter((job) => job.policy.breaker === name) ?? [];
  const first = jobs[0]?.name;
  const parked = useResource(first ? `runs?q=${encodeURIComponent(`job:${first} state:waiting reason:breaker`)}&sort=oldest&limit=5` : null, { every: 3e3 });
  return /* @__PURE__ */ a(Panel, { title: w.breakers.guards, note: jobs.length === 0 ? w.breakers.guardsNone : jobs.map((job) => job.name).join(", "), more: first && /* @__PURE__ */ a("a", { class: "link", href: linkWith({ q: `job:${first} state:waiting`, sort: "oldest" }, "runs"), children: w.breakers.parked }), children: first && /* @__PURE__ */ a(Shown, { of: parked, children: ({ runs }) => runs.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w.breakers.noneParked }) : /* @__PURE__ */ a(Table, { label: w.breakers.parked, rows: runs, columns: columns(["queue", "executor", "took", "wait", "by", "try", "error"]), keyOf: (run) => run.id, peekOf: (run) => `run:${run.id}` }) }) });
}
function Band({ of, state }) {
  const w = words.value;
  const pieces = bandOf(of, state, now.value - SHOWN, now.value);
  const names = w.breakers.states;
  const opened = of.filter((one) => one.state === "open" && one.was === "closed" && Date.parse(one.at) > now.value - SHOWN).length;
  return /* @__PURE__ */ a(Panel, { title: w.breakers.lastHour, note: w.breakers.opened(opened), children: [
    /* @__PURE__ */ a("div", { class: "state-band", role: "img", "aria-label": `${w.breakers.lastHour}: ${w.breakers.opened(opened)}`, children: pieces.map((piece) => /* @__PURE__ */ a("i", { class: `band-${piece.state}`, style: { width: `${piece.share * 100}%` }, title: `${names[piece.state] ?? piece.state} ${duration(Math.round(piece.seconds))}` }, piece.from)) }),
    /* @__PURE__ */ a("p", { class: "band-foot", children: [
      /* @__PURE__ */ a("span", { children: w.breakers.hourAgo }),
      /* @__PURE__ */ a("span", { class: "legend", children: [
        /* @__PURE__ */ a("span", { children: [
          /* @__PURE__ */ a("i", { class: "band-closed" }),
          " ",
          names["closed"]
        ] }),
        /* @__PURE__ */ a("span", { children: [
          /* @__PURE__ */ a("i", { class: "band-half_open" }),
          " ",
          names["half_open"]
        ] }),
        /* @__PURE__ */ a("span", { children: [
          /* @__PURE__ */ a("i", { class: "band-open" }),
          " ",
          names["open"]
        ] })
      ] }),
      /* @__PURE__ */ a("span", { children: w.charts.now })
    ] })
  ] });
}
function Changes({ of }) {
  const w = words.value;
  return /* @__PURE__ */ a(
    Table,
    {
      label: w.breakers.history,
      rows: of.slice(0, 50),
      keyOf: (one) => String(one.epoch),
      columns: [
        { id: "at", name: w.breakers.since, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.at }) },
        { id: "was", name: w.breakers.was, cell: (one) => /* @__PURE__ */ a(BreakerState, { of: one.was }) },
        { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(BreakerState, { of: one.state }) },
        { id: "calls", name: w.breakers.calls, num: true, cell: (one) => count(one.calls) },
        { id: "failed", name: w.states.failed, num: true, cell: (one) => count(one.failures) },
        { id: "reason", name: w.breakers.reason, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: [
          one.reason,
          one.by && ` (${one.by})`
        ] }) }
      ]
    }
  );
}

// pages/guards/limits.tsx
function Limits() {
  const w = words.value;
  const resource = useResource("limits", { every: 3e3 });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.limits, children: /* @__PURE__ */ a(Button, { kind: "main", icon: "plus", refused: refusal("queues:write"), onClick: () => edit(null), children: w.limits.make }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ limits }) => limits.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.limits.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring limits set gateway --at-once 20" }) }) : /* @__PURE__ */ a(Table, { label: w.pages.limits, rows: limits, columns: columns2(), keyOf: (one) => `${one.scope} ${one.name}` }) }) })
  ] });
}
function columns2() {
  const w = words.value;
  const scopes = w.limits.scopes;
  return [
    { id: "name", name: w.name, cell: (one) => /* @__PURE__ */ a("b", { children: one.name }) },
    { id: "scope", name: w.limits.scope, cell: (one) => scopes[one.scope] ?? one.scope },
    { id: "held", name: w.limits.atOnce, cell: (one) => one.at_once === null ? /* @__PURE__ */ a($, { children: count(one.held) }) : /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Gauge, { taken: one.held, room: one.at_once }),
      count(one.held),
      " ",
      /* @__PURE__ */ a("span", { class: "faint", children: [
        w.of,
        " ",
        count(one.at_once)
      ] })
    ] }) },
    { id: "rate", name: w.limits.rate, num: true, cell: (one) => one.rate ?? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) },
    { id: "key", name: w.limits.key, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.key.join(", ") }), minor: true },
    { id: "opens", name: w.limits.opens, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.opens_at }), minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) => /* @__PURE__ */ a("span", { class: "acts", children: [
        /* @__PURE__ */ a(Button, { small: true, icon: "edit", refused: refusal("queues:write"), onClick: () => edit(one), children: [
          w.people.edit,
          "…"
        ] }),
        /* @__PURE__ */ a(Button, { small: true, icon: "trash", kind: "danger", refused: refusal("queues:write"), onClick: () => askDelete2(one), children: [
          w.jobs.remove,
          "…"
        ] })
      ] })
    }
  ];
}
function pathOf(scope, name) {
  if (scope === "queue") return `queues/${part(name)}/limit`;
  return scope === "namespace" ? `namespaces/${part(name)}/limit` : `limits/${part(name)}`;
}
var scoped = (scope) => scope === "limit" ? "" : ` --scope ${scope}`;
function askDelete2(limit) {
  const w = words.value;
  askFor({
    title: w.limits.askDelete(limit.name),
    says: w.limits.deleteSays,
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring limits delete ${quoted(limit.name)}${scoped(limit.scope)}`,
    run: async () => {
      await remove(pathOf(limit.scope, limit.name));
      outdateAll();
    }
  });
}
function edit(limit) {
  const w = words.value;
  const { labels, help } = w.forms;
  const scope = limit?.scope ?? "limit";
  fillIn({
    title: limit ? limit.name : w.limits.make,
    start: limit ? { ...limit } : {},
    fields: [
      { name: "name", kind: "name", label: labels.name, required: true, when: () => limit === null },
      { name: "at_once", kind: "number", label: labels.at_once },
      { name: "rate", kind: "text", label: labels.rate, help: help.rate },
      { name: "burst", kind: "number", label: labels.burst },
      { name: "key", kind: "list", label: labels.key, help: help.key, when: () => scope === "limit" }
    ],
    confirm: w.people.save,
    command: ({ name, ...rest }) => `mainspring limits set ${quoted(limit?.name ?? name ?? "NAME")}${scoped(scope)}${options(rest)}`,
    send: ({ name, ...body }) => put(pathOf(scope, limit?.name ?? String(name)), body)
  });
}
export {
  Alerts,
  Breaker,
  Breakers,
  Limits
};
