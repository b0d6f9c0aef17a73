import {
  $,
  Ago,
  Button,
  Command,
  Empty,
  Failed,
  Field,
  Gauge,
  Head,
  Modal,
  Panel,
  Shown,
  Table,
  Tabs,
  Tag,
  a,
  askFor,
  asked,
  count,
  link,
  linkWith,
  outdateAll,
  part,
  post,
  put,
  refusal,
  remove,
  serverNow,
  tellRefusal,
  toast,
  useResource,
  useSignal,
  words
} from "./chunk-3SDRPGSH.js";

// pages/guards/alerts.tsx
var TABS = ["firing", "rules", "channels", "silences"];
var HOUR = 36e5;
function Alerts() {
  const w = words.value;
  const tab = asked("tab") || "firing";
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.alerts }),
    /* @__PURE__ */ a(Tabs, { label: w.pages.alerts, on: tab, tabs: TABS.map((id) => ({ id, name: w.alerts.tabs[id], href: linkWith({ tab: id }, "alerts") })) }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: [
      tab === "firing" && /* @__PURE__ */ a(Firing, {}),
      tab === "rules" && /* @__PURE__ */ a(Rules, {}),
      tab === "channels" && /* @__PURE__ */ a(Channels, {}),
      tab === "silences" && /* @__PURE__ */ a(Silences, {})
    ] })
  ] });
}
function Firing() {
  const w = words.value;
  const resource = useResource("alerts?limit=100", { every: 5e3 });
  const columns3 = [
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(Tag, { kind: one.state === "firing" ? "bad" : one.state === "pending" ? "warn" : "good", children: w.alerts.states[one.state] }) },
    { id: "rule", name: w.alerts.rule, cell: (one) => /* @__PURE__ */ a("b", { children: one.rule }) },
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
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ alerts }) => alerts.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.calm }) : /* @__PURE__ */ a(Table, { label: w.pages.alerts, rows: alerts, columns: columns3, keyOf: (one) => one.id }) }) });
}
function askAck(alert) {
  const w = words.value.alerts;
  askFor({
    title: w.askAck(alert.rule),
    says: w.ackSays,
    reason: "no",
    confirm: w.ack,
    command: () => `mainspring alerts acknowledge ${alert.id}`,
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
    run: async (reason) => {
      const until = new Date(serverNow() + HOUR).toISOString();
      const { data } = await post("silences", { rule: alert.rule, subject: alert.subject, until, reason });
      outdateAll();
      toast({ text: w.alerts.silenced(alert.rule), act: { name: w.undo, run: () => remove(`silences/${part(data.id)}`).then(outdateAll) } });
    }
  });
}
function Rules() {
  const w = words.value;
  const resource = useResource("alert-rules", { every: 15e3 });
  const columns3 = [
    { id: "name", name: w.queues.name, cell: (one) => /* @__PURE__ */ a("b", { children: one.name }) },
    { id: "kind", name: w.alerts.kind, cell: (one) => one.spec.kind.replaceAll("_", " ") },
    { id: "of", name: w.alerts.of, cell: (one) => one.spec.queue ?? one.spec.job ?? one.spec.trigger ?? one.spec.breaker ?? one.spec.slo ?? one.spec.executor ?? "" },
    { id: "severity", name: w.alerts.severity, cell: (one) => /* @__PURE__ */ a(Tag, { kind: one.spec.severity === "page" ? "bad" : "warn", children: one.spec.severity ?? "warn" }) },
    { id: "tells", name: w.alerts.tells, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: (one.spec.notify ?? []).join(", ") }) },
    { id: "by", name: w.runs.by, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.owner || one.author }), minor: true }
  ];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ alert_rules: rules }) => rules.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.noRules, children: /* @__PURE__ */ a(Command, { line: "mainspring alerts --help" }) }) : /* @__PURE__ */ a(Table, { label: w.alerts.tabs.rules, rows: rules, columns: columns3, keyOf: (one) => one.name }) }) });
}
function Channels() {
  const w = words.value;
  const resource = useResource("channels", { every: 15e3 });
  const columns3 = [
    { id: "name", name: w.queues.name, cell: (one) => /* @__PURE__ */ a("b", { children: one.name }) },
    { id: "kind", name: w.alerts.kind, wide: true, cell: (one) => /* @__PURE__ */ a($, { children: [
      one.spec.kind,
      one.warnings.map((text) => /* @__PURE__ */ a(Tag, { kind: "warn", children: text }, text))
    ] }) },
    { id: "since", name: w.runs.created, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.updated_at }) },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(Button, { small: true, icon: "play", refused: refusal("alerts:steer"), onClick: () => void test(one.name), children: w.alerts.test }) }
  ];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ channels }) => channels.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.alerts.noChannels, children: /* @__PURE__ */ a(Command, { line: "mainspring channels --help" }) }) : /* @__PURE__ */ a(Table, { label: w.alerts.tabs.channels, rows: channels, columns: columns3, keyOf: (one) => one.name }) }) });
}
async function test(name) {
  try {
    const { data } = await post(`channels/${part(name)}/test`);
    toast({ text: `${name}: ${data.ok ? "✓" : "✕"} ${data.answer}` });
  } catch (error) {
    tellRefusal(error);
  }
}
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

// pages/guards/breakers.tsx
function Breakers() {
  const w = words.value;
  const resource = useResource("breakers", { every: 3e3 });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.breakers }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ breakers }) => breakers.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.breakers.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring breakers set payments-api --failures 0.5" }) }) : /* @__PURE__ */ a(Table, { label: w.pages.breakers, rows: breakers, columns: columns(), keyOf: (one) => one.name }) }) })
  ] });
}
function columns() {
  const w = words.value;
  return [
    { id: "name", name: w.queues.name, cell: (one) => /* @__PURE__ */ a("a", { href: link("breakers", one.name), children: one.name }) },
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(BreakerState, { of: one.state }) },
    { id: "since", name: w.breakers.since, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.since }) },
    { id: "calls", name: w.breakers.calls, num: true, cell: (one) => count(one.calls) },
    { id: "failed", name: w.states.failed, num: true, cell: (one) => /* @__PURE__ */ a(Share, { part: one.failures, of: one.calls }) },
    { id: "slow", name: w.breakers.slow, num: true, cell: (one) => /* @__PURE__ */ a(Share, { part: one.slow, of: one.calls }), minor: true },
    { id: "reason", name: w.breakers.reason, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.reason }) },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(Acts, { of: one, small: true }) }
  ];
}
var Share = ({ part: some, of }) => of === 0 ? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) : /* @__PURE__ */ a($, { children: [
  Math.round(100 * some / of),
  " %"
] });
function BreakerState({ of }) {
  const names = words.value.breakers.states;
  const kind = of === "closed" ? "good" : of.includes("open") && !of.includes("half") ? "bad" : "warn";
  return /* @__PURE__ */ a(Tag, { kind, children: names[of] ?? of });
}
function Acts({ of, small = false }) {
  const w = words.value.breakers;
  const denied = refusal("queues:steer");
  const byHand = ["forced_open", "disabled", "metrics_only"].includes(of.state);
  return /* @__PURE__ */ a("span", { class: "acts", children: [
    byHand && /* @__PURE__ */ a(Button, { small, icon: "play", refused: denied, onClick: () => ask("resume", of), children: [
      w.acts.resume,
      "…"
    ] }),
    !byHand && /* @__PURE__ */ a(Button, { small, icon: "stop", kind: "danger", refused: denied, onClick: () => ask("force-open", of), children: [
      w.acts["force-open"],
      "…"
    ] }),
    !byHand && !small && /* @__PURE__ */ a(Button, { icon: "eye", refused: denied, onClick: () => ask("watch-only", of), children: [
      w.acts["watch-only"],
      "…"
    ] }),
    !byHand && !small && /* @__PURE__ */ a(Button, { icon: "pause", refused: denied, onClick: () => ask("disable", of), children: [
      w.acts.disable,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { small, icon: "undo", refused: denied, onClick: () => ask("reset", of), children: [
      w.acts.reset,
      "…"
    ] })
  ] });
}
function ask(act, breaker) {
  const w = words.value.breakers;
  askFor({
    title: `${w.acts[act]}: ${breaker.name}`,
    says: w.says[act],
    reason: act === "resume" || act === "reset" ? "optional" : "needed",
    confirm: w.acts[act],
    danger: act === "force-open",
    command: (reason) => `mainspring breakers ${act} ${breaker.name}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`breakers/${part(breaker.name)}/${act}`, { reason });
      outdateAll();
      const back = act === "resume" || act === "reset" ? void 0 : { name: words.value.undo, run: () => post(`breakers/${part(breaker.name)}/resume`, {}).then(outdateAll) };
      toast({ text: `${breaker.name}: ${w.acts[act]}`, ...back ? { act: back } : {} });
    }
  });
}
function Breaker({ name }) {
  const w = words.value;
  const resource = useResource(`breakers/${part(name)}`, { every: 2e3 });
  const found = resource.data.value;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, children: found && /* @__PURE__ */ a(Acts, { of: found }) }),
    /* @__PURE__ */ a(Shown, { of: resource, children: (one) => /* @__PURE__ */ a(Panel, { title: w.breakers.now, children: /* @__PURE__ */ a("dl", { class: "facts", children: [
      /* @__PURE__ */ a("dt", { children: w.runs.state }),
      /* @__PURE__ */ a("dd", { children: [
        /* @__PURE__ */ a(BreakerState, { of: one.state }),
        " ",
        /* @__PURE__ */ a(Ago, { at: one.since })
      ] }),
      one.until && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("dt", { children: w.breakers.until }),
        /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Ago, { at: one.until }) })
      ] }),
      one.reason && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("dt", { children: w.breakers.reason }),
        /* @__PURE__ */ a("dd", { children: [
          one.reason,
          one.by && ` (${one.by})`
        ] })
      ] }),
      /* @__PURE__ */ a("dt", { children: w.breakers.calls }),
      /* @__PURE__ */ a("dd", { children: w.breakers.window(count(one.calls), count(one.failures), count(one.slow)) }),
      /* @__PURE__ */ a("dt", { children: w.breakers.opensAt }),
      /* @__PURE__ */ a("dd", { children: w.breakers.rule(Math.round(one.rule.failures * 100), one.rule.min_calls, one.rule.window) })
    ] }) }) }),
    /* @__PURE__ */ a(History, { name })
  ] });
}
function History({ name }) {
  const w = words.value;
  const resource = useResource(`breakers/${part(name)}/history?limit=50`, { every: 5e3 });
  return /* @__PURE__ */ a(Panel, { title: w.breakers.history, children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ changes }) => /* @__PURE__ */ a(
    Table,
    {
      label: w.breakers.history,
      rows: changes,
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
  ) }) });
}

// pages/guards/limits.tsx
function Limits() {
  const w = words.value;
  const resource = useResource("limits", { every: 3e3 });
  const editing = useSignal(null);
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.limits, children: /* @__PURE__ */ a(Button, { kind: "main", icon: "plus", refused: refusal("queues:write"), onClick: () => editing.value = "new", children: w.limits.make }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ limits }) => limits.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.limits.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring limits set gateway --at-once 20" }) }) : /* @__PURE__ */ a(Table, { label: w.pages.limits, rows: limits, columns: columns2((one) => editing.value = one), keyOf: (one) => `${one.scope} ${one.name}` }) }) }),
    editing.value && /* @__PURE__ */ a(Editor, { limit: editing.value === "new" ? null : editing.value, onClose: () => editing.value = null })
  ] });
}
function columns2(onEdit) {
  const w = words.value;
  const scopes = w.limits.scopes;
  return [
    { id: "name", name: w.queues.name, cell: (one) => /* @__PURE__ */ a("b", { children: one.name }) },
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
        /* @__PURE__ */ a(Button, { small: true, icon: "edit", refused: refusal("queues:write"), onClick: () => onEdit(one), children: [
          w.people.edit,
          "…"
        ] }),
        /* @__PURE__ */ a(Button, { small: true, icon: "trash", kind: "danger", refused: refusal("queues:write"), onClick: () => askDelete(one), children: [
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
function commandOf(scope, name) {
  if (scope === "queue") return `mainspring queues limit ${name}`;
  return scope === "namespace" ? `mainspring namespaces limit ${name}` : `mainspring limits set ${name}`;
}
function askDelete(limit) {
  const w = words.value;
  askFor({
    title: w.limits.askDelete(limit.name),
    says: w.limits.deleteSays,
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    run: async () => {
      await remove(pathOf(limit.scope, limit.name));
      outdateAll();
    }
  });
}
function Editor({ limit, onClose }) {
  const w = words.value;
  const name = useSignal(limit?.name ?? "");
  const atOnce = useSignal(limit?.at_once == null ? "" : String(limit.at_once));
  const pace = useSignal(limit?.rate ?? "");
  const error = useSignal(null);
  const scope = limit?.scope ?? "named";
  const submit = async (event) => {
    event.preventDefault();
    try {
      const kept = limit ? { burst: limit.burst, ...scope === "named" ? { key: limit.key } : {} } : {};
      await put(pathOf(scope, name.value), { ...kept, at_once: atOnce.value === "" ? null : Number(atOnce.value), rate: pace.value || null });
      outdateAll();
      onClose();
    } catch (refused) {
      error.value = refused;
    }
  };
  const at = (field) => error.value?.field === field ? error.value.message : void 0;
  const command = `${commandOf(scope, name.value || "NAME")}${atOnce.value && ` --at-once ${atOnce.value}`}${pace.value && ` --rate ${pace.value}`}`;
  return /* @__PURE__ */ a(Modal, { title: limit ? limit.name : w.limits.make, onClose, children: /* @__PURE__ */ a("form", { onSubmit: submit, children: [
    !limit && /* @__PURE__ */ a(Field, { label: w.queues.name, error: at("name"), children: /* @__PURE__ */ a("input", { class: "input", required: true, autoFocus: true, value: name.value, onInput: (event) => name.value = event.currentTarget.value }) }),
    /* @__PURE__ */ a(Field, { label: w.limits.atOnce, error: at("at_once"), children: /* @__PURE__ */ a("input", { class: "input", type: "number", min: "1", value: atOnce.value, onInput: (event) => atOnce.value = event.currentTarget.value }) }),
    /* @__PURE__ */ a(Field, { label: w.limits.rate, help: "100/s, 30/m, 500/10m", error: at("rate"), children: /* @__PURE__ */ a("input", { class: "input", value: pace.value, onInput: (event) => pace.value = event.currentTarget.value }) }),
    error.value && !error.value.field && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a(Command, { line: command }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: w.cancel }),
      /* @__PURE__ */ a(Button, { kind: "main", type: "submit", children: w.people.save })
    ] })
  ] }) });
}
export {
  Alerts,
  Breaker,
  Breakers,
  Limits
};
