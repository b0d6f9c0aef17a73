import {
  Ago,
  Button,
  Command,
  Empty,
  Failed,
  Head,
  Moment,
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
} from "./chunk-IBKJQSZ2.js";
import {
  Refusal,
  both,
  count,
  duration,
  go,
  link,
  part,
  post,
  put,
  remove,
  useSignal,
  words
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A
} from "./chunk-DPBHMWAZ.js";

// pages/guards/words.ts
var tried = both(
  {
    title: "With this rule, in the past",
    asking: "Trying it …",
    noJobs: "No job names this breaker: there are no attempts to try the rule on.",
    none: "No attempt of its jobs is kept.",
    looked: (calls, failures, slow) => `${calls} attempts, ${failures} failed, ${slow} slow`,
    since: "since",
    never: "It would not have opened.",
    opened: (times, open, held) => `It would have opened ${times === 1 ? "once" : `${times} times`}, for ${open} in all, and held back ${held} attempts.`,
    really: (times) => times === 0 ? "It did not open then." : `It really opened ${times === 1 ? "once" : `${times} times`}.`,
    lasted: (time) => `for ${time}`,
    toTheEnd: "and not closed again",
    notKnown: "What the past does not tell",
    unknown: {
      handler_calls: "calls that handlers make by ctx.breaker: they are not kept",
      held_calls: "when the attempts that it would have held back would have come: they are left out",
      open_then: "what attempts would have found while it really was open",
      kinds: "the bases of error classes: errors are judged by their own names",
      retry_after: "when the downstream asked for a pause",
      older_attempts: "the first attempts of the oldest runs that failed",
      jobs: "the jobs beyond the first twenty"
    }
  },
  {
    title: "若用此规则，过去会怎样",
    asking: "正在试算 …",
    noJobs: "没有任务使用此熔断器：没有可供试算的尝试。",
    none: "没有保留其任务的尝试。",
    looked: (calls, failures, slow) => `${calls} 次尝试，${failures} 次失败，${slow} 次缓慢`,
    since: "自",
    never: "不会打开。",
    opened: (times, open, held) => `会打开 ${times} 次，共 ${open}，并拦下 ${held} 次尝试。`,
    really: (times) => times === 0 ? "当时没有打开。" : `当时实际打开 ${times} 次。`,
    lasted: (time) => `持续 ${time}`,
    toTheEnd: "之后未再关闭",
    notKnown: "过去的记录不能说明什么",
    unknown: {
      handler_calls: "处理程序通过 ctx.breaker 发起的调用：不予保留",
      held_calls: "被拦下的尝试原本会在何时到来：未计入",
      open_then: "实际打开期间的尝试会遇到什么",
      kinds: "错误类的基类：仅按其自身名称判断",
      retry_after: "下游何时要求暂停",
      older_attempts: "较早失败运行的前几次尝试",
      jobs: "前二十个以外的任务"
    }
  }
);

// pages/guards/tried.tsx
var REST = 300;
var SHOWN = 5;
function Tried({ name, rule }) {
  const w = tried.value;
  const found = useSignal(null);
  const error = useSignal(null);
  const asked = JSON.stringify(rule);
  A(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void post(`breakers/${part(name)}/what-if`, { rule }, { signal: stop.signal }).then(
        ({ data }) => {
          found.value = data;
          error.value = null;
        },
        // A rule that cannot be is told at its field when it is saved.
        (refused) => {
          if (refused instanceof Refusal) {
            found.value = null;
            error.value = refused.field ? null : refused;
          }
        }
      );
    }, REST);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked, name]);
  return /* @__PURE__ */ a("section", { class: "what-if meaning", "aria-live": "polite", "aria-label": w.title, children: [
    /* @__PURE__ */ a("h3", { children: w.title }),
    error.value ? /* @__PURE__ */ a(Failed, { error: error.value, slim: true }) : found.value ? /* @__PURE__ */ a(Past, { of: found.value }) : /* @__PURE__ */ a("p", { class: "dim", children: w.asking })
  ] });
}
function Past({ of }) {
  const w = tried.value;
  if (of.jobs.length === 0) return /* @__PURE__ */ a("p", { class: "dim", children: w.noJobs });
  if (of.calls === 0 || of.since === null) return /* @__PURE__ */ a("p", { class: "dim", children: w.none });
  const times = of.opened.reduce((sum, one) => sum + one.openings, 0);
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("p", { children: [
      w.looked(count(of.calls), count(of.failures), count(of.slow)),
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: [
        w.since,
        " ",
        /* @__PURE__ */ a(Moment, { at: of.since, date: true })
      ] })
    ] }),
    /* @__PURE__ */ a("p", { class: times === 0 ? "is-succeeded" : "is-waiting", children: [
      times === 0 ? w.never : w.opened(times, duration(of.open_seconds), count(of.held)),
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: w.really(of.opened_then) })
    ] }),
    of.opened.length > 0 && /* @__PURE__ */ a("ul", { class: "effects", children: of.opened.slice(-SHOWN).toReversed().map((one) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Opening, { of: one }) }, one.at)) }),
    /* @__PURE__ */ a("details", { children: [
      /* @__PURE__ */ a("summary", { children: w.notKnown }),
      /* @__PURE__ */ a("ul", { children: of.unknown.map((code) => /* @__PURE__ */ a("li", { class: "dim", children: w.unknown[code] ?? code }, code)) })
    ] })
  ] });
}
function Opening({ of }) {
  const w = tried.value;
  const lasted = of.until === null ? w.toTheEnd : w.lasted(duration((Date.parse(of.until) - Date.parse(of.at)) / 1e3));
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Moment, { at: of.at, date: true }),
    " ",
    lasted,
    " ",
    /* @__PURE__ */ a("span", { class: "dim", children: of.reason })
  ] });
}

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
    ...breaker && { beside: (body) => /* @__PURE__ */ a(Tried, { name: breaker.name, rule: { ...body, name: void 0 } }) },
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
