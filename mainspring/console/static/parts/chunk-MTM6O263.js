import {
  Ago,
  Button,
  Command,
  Empty,
  Head,
  Panel,
  Shown,
  StateIcon,
  Table,
  Tag,
  askFor,
  fillIn,
  options,
  outdateAll,
  quoted,
  refusal,
  toast,
  useResource
} from "./chunk-C4O6T4HB.js";
import {
  count,
  go,
  link,
  part,
  post,
  put,
  remove,
  words
} from "./chunk-2K4RHF4S.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $
} from "./chunk-DPBHMWAZ.js";

// pages/guards/breaker-form.tsx
var KINDS = [
  ["failures", "share"],
  ["min_calls", "number"],
  ["window", "span"],
  ["window_calls", "number"],
  ["slow", "share"],
  ["slow_after", "span"],
  ["wait", "span"],
  ["wait_max", "span"],
  ["probes", "number"],
  ["probe_within", "span"],
  ["witnesses", "number"],
  ["record", "list"],
  ["ignore", "list"],
  ["open_on_retry_after", "check"]
];
var DEFAULTS = { failures: 0.5, min_calls: 20, window: 30, wait: 10, wait_max: 600, probes: 5, probe_within: 60, witnesses: 2 };
function editBreaker(breaker) {
  const w = words.value;
  const labels = w.forms.labels;
  const help = w.forms.help;
  const fields = KINDS.map(([name, kind]) => ({ name, kind, label: labels[name] ?? name, ...help[name] ? { help: help[name] } : {} }));
  fillIn({
    title: breaker ? w.breakers.edit(breaker.name) : w.breakers.make,
    start: breaker ? { ...breaker.rule } : DEFAULTS,
    fields: [{ name: "name", kind: "name", label: labels["name"] ?? "", required: true, when: () => breaker === null }, ...fields],
    confirm: w.people.save,
    command: ({ name, ...rest }) => `mainspring breakers set ${quoted(breaker?.name ?? name ?? "NAME")}${options({ ...rest, open_on_retry_after: rest["open_on_retry_after"] === true ? true : [] })}`,
    send: ({ name, ...rule }) => put(`breakers/${part(breaker?.name ?? String(name))}`, rule)
  });
}
function askDeleteBreaker(name) {
  const w = words.value;
  askFor({
    title: w.breakers.askDelete(name),
    says: w.breakers.deleteSays,
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring breakers delete ${quoted(name)}`,
    run: async () => {
      await remove(`breakers/${part(name)}`);
      outdateAll();
      go(link("breakers"));
    }
  });
}

// pages/guards/breakers.tsx
function Breakers() {
  const w = words.value;
  const resource = useResource("breakers", { every: 3e3 });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.breakers, children: /* @__PURE__ */ a(Button, { kind: "main", icon: "plus", refused: refusal("queues:write"), onClick: () => editBreaker(null), children: w.breakers.make }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ breakers }) => breakers.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.breakers.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring breakers set payments-api --failures 0.5" }) }) : /* @__PURE__ */ a(Table, { label: w.pages.breakers, rows: breakers, columns: columns(), keyOf: (one) => one.name, peekOf: (one) => `breaker:${one.name}` }) }) })
  ] });
}
function columns() {
  const w = words.value;
  return [
    { id: "name", name: w.name, cell: (one) => /* @__PURE__ */ a("a", { href: link("breakers", one.name), children: one.name }) },
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(BreakerState, { of: one.state }) },
    { id: "since", name: w.breakers.since, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.since }) },
    { id: "calls", name: w.breakers.calls, num: true, cell: (one) => count(one.calls) },
    { id: "failed", name: w.states.failed, num: true, cell: (one) => /* @__PURE__ */ a(Share, { part: one.failures, of: one.calls }) },
    { id: "slow", name: w.breakers.slow, num: true, cell: (one) => /* @__PURE__ */ a(Share, { part: one.slow, of: one.calls }), minor: true },
    { id: "reason", name: w.breakers.reason, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.reason }) },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(BreakerActs, { of: one, small: true }) }
  ];
}
var Share = ({ part: some, of }) => of === 0 ? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) : /* @__PURE__ */ a($, { children: [
  Math.round(100 * some / of),
  " %"
] });
function BreakerState({ of }) {
  const names = words.value.breakers.states;
  const kind = of === "closed" ? "good" : of.includes("open") && !of.includes("half") ? "bad" : "warn";
  const shape = kind === "good" ? "succeeded" : kind === "bad" ? "failed" : "waiting";
  return /* @__PURE__ */ a(Tag, { kind, children: [
    /* @__PURE__ */ a(StateIcon, { state: shape }),
    " ",
    names[of] ?? of
  ] });
}
function BreakerActs({ of, small = false }) {
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

export {
  editBreaker,
  askDeleteBreaker,
  Breakers,
  BreakerState,
  BreakerActs
};
