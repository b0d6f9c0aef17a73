import {
  blocks
} from "./chunk-6R5O5UW6.js";
import {
  FailureNote,
  Muted,
  noted
} from "./chunk-W6RKMWQH.js";
import {
  RANGES,
  askRange,
  beatsOf,
  drainsIn,
  rangeAsked
} from "./chunk-NR6Z6OU7.js";
import {
  askMany,
  columns,
  commandOf,
  writeTerm
} from "./chunk-DPIERHAX.js";
import {
  Bars,
  Pulse
} from "./chunk-7FLTJP2Q.js";
import "./chunk-HQEIUNT4.js";
import {
  Ago,
  Button,
  ButtonLink,
  Command,
  Empty,
  Gauge,
  Head,
  Icon,
  Id,
  Moment,
  Panel,
  Segments,
  Shown,
  Table,
  Tabs,
  Tag,
  askFor,
  copy,
  fillIn,
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
  link,
  linkWith,
  now,
  parseDuration,
  part,
  patch,
  percent,
  post,
  put,
  query,
  rate,
  setQuery,
  shortId,
  size,
  useSignal,
  words
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $
} from "./chunk-DPBHMWAZ.js";

// pages/executors/acts.tsx
function ExecutorActs({ name, cordoned, taken, small = false }) {
  const w = words.value.executors;
  const denied = refusal("executors:steer");
  return /* @__PURE__ */ a("span", { class: "acts", children: [
    cordoned ? /* @__PURE__ */ a(Button, { small, icon: "play", refused: denied, onClick: () => void uncordon(name), children: w.uncordon }) : /* @__PURE__ */ a(Button, { small, icon: "pause", refused: denied, onClick: () => void cordon(name), children: w.cordon }),
    /* @__PURE__ */ a(Button, { small, icon: "drain", kind: "danger", refused: denied, onClick: () => askDrain(name, taken), children: [
      w.drain,
      "…"
    ] })
  ] });
}
async function cordon(name) {
  const w = words.value;
  try {
    await post(`executors/${part(name)}/cordon`, {});
    outdateAll();
    toast({ text: w.executors.cordonedSays(name), act: { name: w.undo, run: () => post(`executors/${part(name)}/uncordon`, {}).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}
async function uncordon(name) {
  const w = words.value;
  try {
    await post(`executors/${part(name)}/uncordon`, {});
    outdateAll();
    toast({ text: w.executors.uncordonedSays(name), act: { name: w.undo, run: () => post(`executors/${part(name)}/cordon`, {}).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}
function askDrain(name, taken) {
  const w = words.value;
  const grace = { text: "30 s" };
  askFor({
    title: w.executors.askDrain(name),
    says: w.executors.drainSays(count(taken)),
    fields: /* @__PURE__ */ a("label", { class: "field", children: [
      /* @__PURE__ */ a("span", { children: w.executors.grace }),
      /* @__PURE__ */ a("input", { class: "input", defaultValue: grace.text, onInput: (event) => grace.text = event.currentTarget.value }),
      /* @__PURE__ */ a("small", { children: w.executors.graceHelp })
    ] }),
    confirm: w.executors.drain,
    danger: true,
    command: (reason) => `mainspring executors drain ${name} --grace ${parseDuration(grace.text) ?? 30}s${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`executors/${part(name)}/drain`, { reason, grace: parseDuration(grace.text) ?? grace.text });
      outdateAll();
      toast({ text: w.executors.drained(name) });
    }
  });
}

// pages/executors/several.tsx
var GRACE = 30;
async function each(act2, names, body = {}) {
  for (const name of names) await post(`executors/${part(name)}/${act2}`, body);
  outdateAll();
}
function SeveralExecutors({ chosen, executors }) {
  const w = words.value;
  const some = executors.filter((one) => chosen.value.has(one.session));
  if (some.length === 0) return null;
  const denied = refusal("executors:steer");
  const names = [...new Set(some.map((one) => one.name))];
  const n = count(names.length);
  const leave = () => chosen.value = /* @__PURE__ */ new Set();
  const turn = (act2, said2) => void each(act2, names).then(() => toast({ text: said2, act: { name: w.undo, run: () => each(act2 === "cordon" ? "uncordon" : "cordon", names) } }), tellRefusal).then(leave);
  const drain = () => askFor({
    title: w.executors.askDrainSeveral(n),
    says: /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("code", { children: [
        names.slice(0, 5).join(", "),
        names.length > 5 && ` ${w.runs.andMore(count(names.length - 5))}`
      ] }),
      /* @__PURE__ */ a("br", {}),
      w.executors.drainSays(count(some.reduce((sum, one) => sum + (one.load?.running ?? 0), 0)))
    ] }),
    confirm: w.executors.drainSeveral(n),
    danger: true,
    command: (reason) => names.slice(0, 5).map((name) => `mainspring executors drain ${quoted(name)} --grace ${GRACE}s${reason && ` --reason ${quoted(reason)}`}`).join("\n"),
    run: async (reason) => {
      await each("drain", names, { reason, grace: GRACE });
      leave();
      toast({ text: w.executors.drainedSeveral(n) });
    }
  });
  return /* @__PURE__ */ a("div", { class: "bulk", role: "region", "aria-label": w.executors.several, children: [
    /* @__PURE__ */ a("b", { children: w.runs.chosen(n) }),
    /* @__PURE__ */ a("span", { class: "grow" }),
    /* @__PURE__ */ a(Button, { icon: "pause", refused: denied, onClick: () => turn("cordon", w.executors.cordonedSeveral(n)), children: w.executors.cordon }),
    /* @__PURE__ */ a(Button, { icon: "play", refused: denied, onClick: () => turn("uncordon", w.executors.uncordonedSeveral(n)), children: w.executors.uncordon }),
    /* @__PURE__ */ a(Button, { icon: "drain", kind: "danger", refused: denied, onClick: drain, children: [
      w.executors.drain,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { icon: "x", label: w.close, onClick: leave })
  ] });
}

// pages/executors/list.tsx
function Executors() {
  const w = words.value;
  const resource = useResource("executors?limit=200", { every: 2e3 });
  const view = asked("view");
  const chosen = useSignal(/* @__PURE__ */ new Set());
  const groups = view === "host" || view === "zone";
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.executors, children: /* @__PURE__ */ a(Segments, { label: w.executors.view, on: view, onChoose: (id) => setQuery({ view: id }), choices: [{ id: "", name: w.executors.list }, { id: "host", name: w.executors.byHost }, { id: "zone", name: w.executors.byLabel }, { id: "coverage", name: w.executors.coverage }] }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ executors }) => executors.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.executors.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring executor jobs:app" }) }) : view === "coverage" ? /* @__PURE__ */ a(Coverage, { executors }) : /* @__PURE__ */ a(Table, { label: w.pages.executors, rows: groups ? [...executors].sort((one, other) => placeOf(one, view).localeCompare(placeOf(other, view))) : executors, columns: columns2(groups ? view : ""), keyOf: (one) => one.session, peekOf: (one) => `executor:${one.name}`, chosen }) }) }),
    /* @__PURE__ */ a(SeveralExecutors, { chosen, executors: resource.data.value?.executors ?? [] })
  ] });
}
function placeOf(one, view) {
  if (view === "host") return one.host;
  return Object.entries(one.labels).map(([key, value]) => `${key}=${value}`).sort().join(" ") || "–";
}
function columns2(by) {
  const w = words.value;
  return [
    ...by ? [{ id: "place", name: by === "host" ? w.executors.host : w.run.labels, cell: (one) => /* @__PURE__ */ a("b", { children: placeOf(one, by) }) }] : [],
    { id: "name", name: w.runs.executor, cell: (one) => /* @__PURE__ */ a("a", { href: link("executors", one.name), children: one.name }) },
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(ExecutorState, { one }) },
    { id: "slots", name: w.queues.slots, cell: (one) => /* @__PURE__ */ a(Slots, { one }) },
    { id: "pools", name: w.executors.pools, cell: (one) => /* @__PURE__ */ a("span", { class: "pools", children: one.pools.filter((pool) => pool.max > 0).map((pool) => /* @__PURE__ */ a("span", { title: w.executors.poolHelp(pool.core, pool.max, pool.queue), children: [
      /* @__PURE__ */ a("span", { class: "faint", children: pool.pool }),
      " ",
      pool.taken ?? 0,
      "/",
      pool.max
    ] }, pool.pool)) }), minor: true },
    { id: "cpu", name: w.executors.cpu, num: true, cell: (one) => one.load ? `${percent(one.load.cpu)} %` : "–" },
    { id: "memory", name: w.executors.memory, num: true, cell: (one) => one.load ? size(one.load.memory) : "–", minor: true },
    { id: "beat", name: w.executors.beat, num: true, cell: (one) => duration(one.lease_age), minor: true },
    { id: "up", name: w.executors.since, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.opened_at }), minor: true },
    { id: "host", name: w.executors.host, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.host }), minor: true },
    { id: "code", name: w.run.code, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.code_version || "–" }), minor: true },
    { id: "labels", name: w.run.labels, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "tags", children: [
      Object.entries(one.labels).map(([key, value]) => /* @__PURE__ */ a(Tag, { children: [
        key,
        "=",
        value
      ] }, key)),
      one.queues.slice(0, 2).map((queue) => /* @__PURE__ */ a("a", { class: "tag", href: link("queues", queue), children: queue }, queue)),
      one.queues.length > 2 && /* @__PURE__ */ a("span", { class: "faint", title: one.queues.join(", "), children: [
        "+",
        one.queues.length - 2
      ] })
    ] }), minor: true },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(ExecutorActs, { name: one.name, cordoned: one.cordon !== null || one.state !== "live", taken: one.load?.running ?? 0, small: true }) }
  ];
}
function Slots({ one }) {
  const room = one.pools.reduce((sum, pool) => sum + pool.max, 0);
  const taken = one.pools.reduce((sum, pool) => sum + (pool.taken ?? 0), 0);
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Gauge, { taken, room }),
    count(taken),
    " ",
    /* @__PURE__ */ a("span", { class: "faint", children: [
      words.value.of,
      " ",
      count(room)
    ] })
  ] });
}
function ExecutorState({ one }) {
  const w = words.value.executors;
  if (one.stuck.length > 0) return /* @__PURE__ */ a(Tag, { kind: "bad", children: w.stuck });
  if (one.state === "draining") return /* @__PURE__ */ a(Tag, { kind: "warn", children: w.draining });
  if (one.state === "cordoned") return /* @__PURE__ */ a(Tag, { kind: "warn", title: one.cordon?.reason ?? "", children: w.cordoned });
  return /* @__PURE__ */ a(Tag, { kind: "good", children: w.live });
}
function Coverage({ executors }) {
  const w = words.value;
  const queues = [...new Set(executors.flatMap((one) => one.queues))].sort();
  return /* @__PURE__ */ a("div", { class: "table-box", tabIndex: 0, role: "region", "aria-label": w.executors.coverage, children: /* @__PURE__ */ a("table", { class: "matrix", children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.queues.name }),
      executors.map((one) => /* @__PURE__ */ a("th", { children: one.name }, one.session)),
      /* @__PURE__ */ a("th", { class: "num", children: w.executors.ifOneLeft })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: queues.map((queue) => {
      const able = executors.filter((one) => one.queues.includes(queue));
      return /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: linkWith({}, "queues", queue), children: queue }) }),
        executors.map((one) => /* @__PURE__ */ a("td", { children: able.includes(one) ? /* @__PURE__ */ a("span", { class: "is-succeeded", children: "●" }) : /* @__PURE__ */ a("span", { class: "faint", children: "·" }) }, one.session)),
        /* @__PURE__ */ a("td", { class: "num", children: able.length < 2 ? /* @__PURE__ */ a(Tag, { kind: "warn", children: w.executors.noneLeft }) : count(able.length - 1) })
      ] }, queue);
    }) })
  ] }) });
}

// pages/executors/pools.tsx
function Pools({ of, wanted }) {
  const w = words.value.executors;
  return /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.pool }),
      /* @__PURE__ */ a("th", { children: words.value.queues.slots }),
      /* @__PURE__ */ a("th", { class: "num", children: w.core }),
      /* @__PURE__ */ a("th", { class: "num", children: w.max }),
      /* @__PURE__ */ a("th", { class: "num", children: w.queueLength }),
      /* @__PURE__ */ a("th", { class: "num", children: w.room }),
      /* @__PURE__ */ a("th", { children: /* @__PURE__ */ a("span", { class: "away", children: words.value.actsColumn }) })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: of.pools.map((pool) => /* @__PURE__ */ a(PoolRow, { executor: of.name, pool, wish: wanted.find((one) => one.pool === pool.pool) }, pool.pool)) })
  ] });
}
function PoolRow({ executor, pool, wish }) {
  const w = words.value.executors;
  const denied = refusal("executors:steer");
  const differs = wish !== void 0 && !same(wish, pool);
  return /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { children: [
      /* @__PURE__ */ a("b", { children: pool.pool }),
      wish && /* @__PURE__ */ a("div", { class: "faint", children: [
        differs ? w.wanted(`${wish.core}:${wish.max}:${wish.queue}`) : w.resizedBy(wish.actor),
        " ",
        /* @__PURE__ */ a(Ago, { at: wish.at }),
        " ",
        wish.reason && `“${wish.reason}”`
      ] })
    ] }),
    /* @__PURE__ */ a("td", { children: [
      /* @__PURE__ */ a(Gauge, { taken: pool.taken ?? 0, room: pool.max, wide: true }),
      count(pool.taken ?? 0)
    ] }),
    /* @__PURE__ */ a("td", { class: "num", children: pool.core }),
    /* @__PURE__ */ a("td", { class: "num", children: pool.max }),
    /* @__PURE__ */ a("td", { class: "num", children: pool.queue }),
    /* @__PURE__ */ a("td", { class: "num", children: pool.room }),
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("span", { class: "acts", children: [
      /* @__PURE__ */ a(Button, { small: true, icon: "edit", refused: denied, onClick: () => askResize(executor, pool, wish), children: [
        w.resize,
        "…"
      ] }),
      wish && /* @__PURE__ */ a(Button, { small: true, icon: "undo", refused: denied, onClick: () => void resize(executor, pool.pool, null, wish), children: w.asStarted })
    ] }) })
  ] });
}
var same = (one, other) => one.core === other.core && one.max === other.max && one.queue === other.queue;
function askResize(executor, pool, wish) {
  const w = words.value.executors;
  const from = wish ?? pool;
  fillIn({
    title: w.askResize(pool.pool, executor),
    says: w.resizeSays,
    start: { core: from.core, max: from.max, queue: from.queue },
    fields: [
      { name: "core", kind: "number", label: w.core, required: true, help: w.coreHelp },
      { name: "max", kind: "number", label: w.max, required: true, help: w.maxHelp },
      { name: "queue", kind: "number", label: w.queueLength, required: true, help: w.queueHelp },
      { name: "reason", kind: "text", label: words.value.reason, wide: true }
    ],
    confirm: w.resize,
    done: w.resized(pool.pool),
    command: ({ core, max, queue, reason }) => `mainspring executors pools ${quoted(executor)} ${pool.pool}=${core}:${max}:${queue}${reason ? ` --reason ${quoted(String(reason))}` : ""}`,
    send: ({ reason, ...size2 }) => patch(`executors/${part(executor)}/pools`, { pools: { [pool.pool]: size2 }, reason: reason ?? "" })
  });
}
async function resize(executor, pool, size2, before) {
  const w = words.value;
  const set = (to) => patch(`executors/${part(executor)}/pools`, { pools: { [pool]: to && { core: to.core, max: to.max, queue: to.queue } } }).then(outdateAll);
  try {
    await set(size2);
    toast({ text: w.executors.resized(pool), act: { name: w.undo, run: () => set(before) } });
  } catch (error) {
    tellRefusal(error);
  }
}

// pages/executors/executor.tsx
var own = both(
  { labels: "as the executor says of itself: labels in its settings, or MAINSPRING_EXECUTOR_LABELS" },
  { labels: "由执行器自己声明：其设置中的 labels，或 MAINSPRING_EXECUTOR_LABELS" }
);
function Executor({ name }) {
  const w = words.value;
  const resource = useResource(`executors/${encodeURIComponent(name)}`, { every: 2e3 });
  const found = resource.data.value;
  const first = found?.sessions[0];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("executors"), children: w.pages.executors }), beside: first ? /* @__PURE__ */ a(ExecutorState, { one: first }) : found && /* @__PURE__ */ a(Tag, { kind: "warn", children: w.executors.away }), children: found && /* @__PURE__ */ a(ExecutorActs, { name, cordoned: found.cordon !== null, taken: found.runs.length }) }),
    /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (seen) => /* @__PURE__ */ a($, { children: [
      seen.cordon && /* @__PURE__ */ a("section", { class: "panel telling", children: [
        /* @__PURE__ */ a(Icon, { name: "pause", class: "is-waiting" }),
        /* @__PURE__ */ a("span", { class: "grow", children: [
          w.executors.cordonBy(seen.cordon.actor),
          " ",
          /* @__PURE__ */ a(Ago, { at: seen.cordon.at }),
          " ",
          seen.cordon.reason && `“${seen.cordon.reason}”`
        ] })
      ] }),
      seen.sessions.length === 0 && /* @__PURE__ */ a("section", { class: "panel", children: /* @__PURE__ */ a(Empty, { title: w.executors.awaySays }) }),
      seen.sessions.map((one) => /* @__PURE__ */ a(Session, { one, wanted: seen.wanted ?? [] }, one.session)),
      /* @__PURE__ */ a("div", { class: "columns two", children: [
        /* @__PURE__ */ a(Panel, { title: w.executors.running, note: seen.more ? w.executors.some : void 0, children: seen.runs.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w.executors.idle }) : /* @__PURE__ */ a("table", { children: [
          /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
            /* @__PURE__ */ a("th", { children: w.job }),
            /* @__PURE__ */ a("th", { children: "id" }),
            /* @__PURE__ */ a("th", { class: "num", children: w.runs.try }),
            /* @__PURE__ */ a("th", { class: "num", children: w.runs.took })
          ] }) }),
          /* @__PURE__ */ a("tbody", { children: seen.runs.map((run) => /* @__PURE__ */ a("tr", { children: [
            /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: link("runs", run.id), children: run.job }) }),
            /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a(Id, { id: run.id }) }),
            /* @__PURE__ */ a("td", { class: "num", children: run.attempt }),
            /* @__PURE__ */ a("td", { class: "num", children: duration(Math.max(0, Math.round((now.value - Date.parse(run.claimed_at)) / 1e3))) })
          ] }, run.id)) })
        ] }) }),
        /* @__PURE__ */ a(Panel, { title: w.executors.handlers, note: count(Object.keys(seen.handlers).length), children: /* @__PURE__ */ a("table", { children: [
          /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
            /* @__PURE__ */ a("th", { children: w.executors.handler }),
            /* @__PURE__ */ a("th", { children: w.executors.pool })
          ] }) }),
          /* @__PURE__ */ a("tbody", { children: Object.entries(seen.handlers).map(([handler, pool]) => /* @__PURE__ */ a("tr", { children: [
            /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: linkWith({ q: `job:${handler}` }, "runs"), children: handler }) }),
            /* @__PURE__ */ a("td", { class: "dim", children: pool })
          ] }, handler)) })
        ] }) })
      ] })
    ] }) })
  ] });
}
function Session({ one, wanted }) {
  const w = words.value;
  return /* @__PURE__ */ a("div", { class: "columns side session", children: [
    /* @__PURE__ */ a(Panel, { title: w.executors.pools, note: w.executors.poolsNote, children: [
      /* @__PURE__ */ a(Pools, { of: one, wanted }),
      one.blocked.map((blocked) => /* @__PURE__ */ a("p", { class: "note-box in-panel", children: [
        /* @__PURE__ */ a(Icon, { name: "warn" }),
        /* @__PURE__ */ a("span", { children: [
          w.executors.blockedBy(blocked.handler || "?", duration(blocked.seconds)),
          " ",
          /* @__PURE__ */ a("code", { children: blocked.place }),
          " ",
          /* @__PURE__ */ a(Ago, { at: blocked.at })
        ] })
      ] }, blocked.at)),
      one.stuck.map((stuck) => /* @__PURE__ */ a("p", { class: "note-box in-panel", children: [
        /* @__PURE__ */ a(Icon, { name: "warn" }),
        /* @__PURE__ */ a("span", { children: w.executors.stuckSays(stuck.pool, stuck.strays, stuck.waits) })
      ] }, stuck.pool))
    ] }),
    /* @__PURE__ */ a(Panel, { title: w.run.facts, children: /* @__PURE__ */ a("div", { class: "body", children: /* @__PURE__ */ a("dl", { class: "facts", children: [
      /* @__PURE__ */ a("dt", { children: w.executors.host }),
      /* @__PURE__ */ a("dd", { children: one.host }),
      /* @__PURE__ */ a("dt", { children: w.executors.server }),
      /* @__PURE__ */ a("dd", { children: one.server }),
      /* @__PURE__ */ a("dt", { children: w.executors.since }),
      /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Ago, { at: one.opened_at }) }),
      /* @__PURE__ */ a("dt", { children: w.executors.lease }),
      /* @__PURE__ */ a("dd", { children: w.executors.renewed(duration(one.lease_age)) }),
      one.load && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("dt", { children: w.executors.cpu }),
        /* @__PURE__ */ a("dd", { children: [
          percent(one.load.cpu),
          " %"
        ] }),
        /* @__PURE__ */ a("dt", { children: w.executors.memory }),
        /* @__PURE__ */ a("dd", { children: size(one.load.memory) })
      ] }),
      one.load && one.load.strays > 0 && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("dt", { children: w.executors.strays }),
        /* @__PURE__ */ a("dd", { children: one.load.strays })
      ] }),
      one.code_version && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("dt", { children: w.run.code }),
        /* @__PURE__ */ a("dd", { children: one.code_version })
      ] }),
      /* @__PURE__ */ a("dt", { children: w.pages.queues }),
      /* @__PURE__ */ a("dd", { class: "tags", children: one.queues.map((queue) => /* @__PURE__ */ a("a", { class: "tag", href: link("queues", queue), children: queue }, queue)) }),
      /* @__PURE__ */ a("dt", { children: w.run.labels }),
      /* @__PURE__ */ a("dd", { children: [
        /* @__PURE__ */ a("span", { class: "tags", children: Object.entries(one.labels).map(([key, value]) => /* @__PURE__ */ a(Tag, { children: [
          key,
          "=",
          value
        ] }, key)) }),
        " ",
        /* @__PURE__ */ a("span", { class: "dim", children: own.value.labels })
      ] })
    ] }) }) })
  ] });
}

// pages/failures/differs.ts
var FEW = 3;
var LEAST_SHARE = 0.3;
var LEAST_LEAD = 0.2;
var SHOWN = 3;
var HOUR = 36e5;
function traitsOf(run) {
  const labels = Object.entries(run.labels).map(([name, value]) => [`label.${name}`, value]);
  const tags = run.tags.map((tag) => ["tag", tag]);
  const one = [["executor", run.executor], ["trigger", run.trigger], ["queue", run.queue], ["by", run.created_by]];
  return [...one.flatMap(([key, value]) => value ? [[key, value]] : []), ...labels, ...tags];
}
function counted(runs) {
  const found = /* @__PURE__ */ new Map();
  for (const run of runs) for (const [key, value] of traitsOf(run)) found.set(`${key}:${value}`, (found.get(`${key}:${value}`) ?? 0) + 1);
  return found;
}
function differencesOf(failed, all) {
  if (failed.length < FEW || all.length < FEW) return [];
  const whole = counted(all);
  return [...counted(failed)].map(([name, times]) => {
    const colon = name.indexOf(":");
    return { key: name.slice(0, colon), value: name.slice(colon + 1), here: times / failed.length, everywhere: (whole.get(name) ?? 0) / all.length };
  }).filter((one) => one.here >= LEAST_SHARE && one.here - one.everywhere >= LEAST_LEAD).sort((one, other) => other.here - other.everywhere - (one.here - one.everywhere)).slice(0, SHOWN);
}
function changeBefore(marks, job, began) {
  const near = marks.filter((one) => Date.parse(one.at) <= began && began - Date.parse(one.at) < HOUR);
  return near.filter((one) => one.subject === `job ${job}`).at(-1) ?? near.at(-1) ?? null;
}
function retriedOf(runs) {
  const found = /* @__PURE__ */ new Map();
  for (const run of runs) {
    if (!run.error || run.attempt === 0) continue;
    const key = `${run.job}
${run.error.class}`;
    const one = found.get(key) ?? { job: run.job, error: run.error.class, message: run.error.message, runs: 0, next: run.due_at, example: run.id };
    found.set(key, { ...one, runs: one.runs + 1, next: run.due_at < one.next ? run.due_at : one.next });
  }
  return [...found.values()].sort((one, other) => other.runs - one.runs);
}

// pages/failures/differs.tsx
var LOOKED_AT = 200;
var HOUR2 = 36e5;
function Differs({ group }) {
  const w = words.value.failures;
  const same2 = [writeTerm("job", group.job), "state:failed", writeTerm("error", group.class)].join(" ");
  const failed = useResource(query("runs", { q: same2, limit: LOOKED_AT }), { every: 6e4 }).data.value?.runs;
  const all = useResource(query("runs", { q: `${writeTerm("job", group.job)} state:succeeded,failed`, limit: LOOKED_AT }), { every: 6e4 }).data.value?.runs;
  const began = Date.parse(group.first_at);
  const since = new Date(Math.floor((began - HOUR2) / HOUR2) * HOUR2).toISOString();
  const marks = useResource(query("marks", { since })).data.value?.marks;
  if (!failed || !all || !marks) return /* @__PURE__ */ a($, {});
  const traits = differencesOf(failed, all);
  const change2 = changeBefore(marks, group.job, began);
  return /* @__PURE__ */ a(Panel, { title: w.differs, note: w.differsNote(count(failed.length), count(all.length)), children: /* @__PURE__ */ a("ul", { class: "body differs", children: [
    change2 && /* @__PURE__ */ a("li", { children: w.beganAfter(duration(Math.max(1, Math.round((began - Date.parse(change2.at)) / 1e3))), `${change2.subject} · ${change2.act}`, change2.by) }),
    traits.map((one) => /* @__PURE__ */ a("li", { children: [
      w.share(percent(one.here)),
      " ",
      /* @__PURE__ */ a("a", { class: "link", href: linkWith({ q: `${same2} ${writeTerm(one.key, one.value)}` }, "runs"), children: [
        one.key,
        "=",
        one.value
      ] }),
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: w.shareOfAll(percent(one.everywhere)) })
    ] }, `${one.key}:${one.value}`)),
    traits.length === 0 && !change2 && /* @__PURE__ */ a("li", { class: "dim", children: w.nothingDiffers })
  ] }) });
}

// pages/failures/retried.tsx
var LOOKED_AT2 = 200;
function BeingRetried() {
  const w = words.value;
  const found = useResource(query("runs", { q: "state:queued,waiting attempt:>0", limit: LOOKED_AT2 }), { every: 5e3 });
  return /* @__PURE__ */ a(Shown, { of: found, children: ({ runs, next }) => {
    const groups = retriedOf(runs);
    if (groups.length === 0) return /* @__PURE__ */ a(Empty, { title: w.failures.noneRetried });
    return /* @__PURE__ */ a(Table, { label: w.failures.retried, rows: groups, columns: columns3(next !== null), keyOf: (one) => `${one.job} ${one.error}`, peekOf: (one) => `run:${one.example}` });
  } });
}
function columns3(more) {
  const w = words.value;
  const runsOf = (one) => linkWith({ q: `${writeTerm("job", one.job)} state:queued,waiting attempt:>0 ${writeTerm("error", one.error)}` }, "runs");
  return [
    { id: "error", name: w.failures.error, wide: true, cell: (one) => /* @__PURE__ */ a("a", { href: runsOf(one), children: [
      /* @__PURE__ */ a("b", { children: one.error }),
      /* @__PURE__ */ a("span", { class: "dim", children: [
        ": ",
        one.message
      ] })
    ] }) },
    { id: "job", name: w.job, cell: (one) => /* @__PURE__ */ a("a", { class: "plain", href: link("jobs", one.job), children: one.job }) },
    { id: "runs", name: w.runs.word, num: true, cell: (one) => /* @__PURE__ */ a("b", { children: count(one.runs, more) }) },
    { id: "next", name: w.failures.nextTry, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.next }) }
  ];
}
function Quarantined() {
  const w = words.value;
  const found = useResource(query("runs", { q: "state:failed reason:quarantined", limit: 50 }), { every: 1e4 });
  return /* @__PURE__ */ a(Shown, { of: found, children: ({ runs }) => runs.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.failures.noneQuarantined }) : /* @__PURE__ */ a(Table, { label: w.failures.quarantined, rows: runs, columns: columns(["queue", "wait"]), keyOf: (run) => run.id, peekOf: (run) => `run:${run.id}` }) });
}

// pages/failures/list.tsx
var NEW = 864e5;
function Failures() {
  const w = words.value;
  const tab = asked("tab") || "dead";
  const groups = useResource("dead-letters?limit=100", { every: 5e3 });
  const kinds = groups.data.value?.groups.map((one) => one.fingerprint) ?? [];
  const figures = useResource(kinds.length === 0 ? null : query("figures/failures", { fingerprint: kinds.toSorted() }), { every: 3e4 }).data.value?.failures ?? [];
  const sweeps = useResource("sweeps?limit=50", { every: 3e3 });
  const tabs = [
    { id: "dead", name: w.failures.dead, href: linkWith({}, "failures"), note: groups.data.value ? count(groups.data.value.groups.length, groups.data.value.next !== null) : null },
    { id: "retried", name: w.failures.retried, href: linkWith({ tab: "retried" }, "failures") },
    { id: "quarantined", name: w.failures.quarantined, href: linkWith({ tab: "quarantined" }, "failures") },
    { id: "sweeps", name: w.failures.sweeps, href: linkWith({ tab: "sweeps" }, "failures"), note: sweeps.data.value?.sweeps.filter((one) => !isOver(one)).length || null }
  ];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.failures }),
    /* @__PURE__ */ a(Panel, { children: [
      /* @__PURE__ */ a(Tabs, { tabs, on: tab, label: w.pages.failures }),
      tab === "retried" ? /* @__PURE__ */ a(BeingRetried, {}) : tab === "quarantined" ? /* @__PURE__ */ a(Quarantined, {}) : tab === "sweeps" ? /* @__PURE__ */ a(Shown, { of: sweeps, children: ({ sweeps: found }) => found.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.failures.noSweeps }) : /* @__PURE__ */ a(Table, { label: w.failures.sweeps, rows: found, columns: sweepColumns(), keyOf: (one) => one.id }) }) : /* @__PURE__ */ a(Shown, { of: groups, children: ({ groups: found }) => found.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.failures.noneSays }) : /* @__PURE__ */ a(Table, { label: w.failures.dead, rows: found, columns: groupColumns(new Map(figures.map((one) => [one.fingerprint, one]))), keyOf: (one) => one.fingerprint, peekOf: (one) => `failure:${one.fingerprint}` }) })
    ] })
  ] });
}
var isOver = (sweep) => ["done", "stopped", "cancelled"].includes(sweep.state);
function groupColumns(figures) {
  const w = words.value;
  return [
    { id: "error", name: w.failures.error, wide: true, cell: (one) => /* @__PURE__ */ a($, { children: [
      one.muted ? /* @__PURE__ */ a(Muted, { group: one }) : now.value - Date.parse(one.first_at) < NEW && /* @__PURE__ */ a(Tag, { kind: "new", children: w.failures.new }),
      " ",
      /* @__PURE__ */ a("a", { href: link("failures", one.fingerprint), children: [
        /* @__PURE__ */ a("b", { children: one.class }),
        /* @__PURE__ */ a("span", { class: "dim", children: [
          ": ",
          one.message
        ] })
      ] }),
      one.note && /* @__PURE__ */ a("span", { class: "row-note", title: one.note, children: one.note })
    ] }) },
    { id: "job", name: w.job, cell: (one) => /* @__PURE__ */ a("a", { class: "plain", href: link("jobs", one.job), children: one.job }) },
    { id: "runs", name: w.runs.word, num: true, cell: (one) => /* @__PURE__ */ a("b", { children: count(one.runs, one.more) }) },
    { id: "day", name: noted.value.day, title: noted.value.daySays, cell: (one) => /* @__PURE__ */ a(Day, { of: figures.get(one.fingerprint) }), minor: true },
    { id: "first", name: w.failures.first, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.first_at }) },
    { id: "last", name: w.failures.last, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.last_at }) },
    { id: "versions", name: noted.value.versions, title: noted.value.versionsSay, cell: (one) => /* @__PURE__ */ a(Versions, { of: figures.get(one.fingerprint)?.versions ?? [] }), minor: true },
    { id: "owner", name: noted.value.owner, cell: (one) => one.owner || /* @__PURE__ */ a("span", { class: "dim", children: "–" }) },
    { id: "example", name: w.failures.example, cell: (one) => /* @__PURE__ */ a("a", { class: "mono link", href: link("runs", one.example), children: [
      "…",
      one.example.slice(-8)
    ] }), minor: true }
  ];
}
function Day({ of }) {
  if (!of) return /* @__PURE__ */ a("span", { class: "dim", children: "–" });
  const says = noted.value.dayOf(count(of.hours.reduce((sum, runs) => sum + runs, 0), of.more));
  return /* @__PURE__ */ a("span", { class: "mono", title: says, children: [
    /* @__PURE__ */ a("span", { "aria-hidden": "true", children: blocks(of.hours) }),
    /* @__PURE__ */ a("span", { class: "away", children: says })
  ] });
}
function Versions({ of }) {
  const [first] = of;
  if (!first) return /* @__PURE__ */ a("span", { class: "dim", children: "–" });
  return /* @__PURE__ */ a("span", { class: "mono", title: of.join(", "), children: of.length === 1 ? noted.value.only(first) : `${first} … ${of.at(-1)}` });
}
function sweepColumns() {
  const w = words.value;
  return [
    { id: "act", name: w.failures.act, cell: (one) => /* @__PURE__ */ a("a", { href: link("failures", "sweeps", one.id), children: w.sweepActs[one.act] ?? one.act }) },
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(SweepState, { sweep: one }) },
    { id: "done", name: w.failures.changed, num: true, cell: (one) => `${count(one.changed)}${one.expected === null ? "" : ` ${w.of} ${count(one.expected)}`}` },
    { id: "reason", name: w.reason, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.reason || one.note }) },
    { id: "by", name: w.runs.by, cell: (one) => one.by },
    { id: "at", name: w.runs.created, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.created_at }) }
  ];
}
function SweepState({ sweep }) {
  const states = words.value.sweepStates;
  const kind = sweep.state === "done" ? "good" : isOver(sweep) ? "warn" : "";
  return /* @__PURE__ */ a(Tag, { kind, children: states[sweep.state] ?? sweep.state });
}

// pages/failures/group.tsx
function Failure({ name }) {
  const [kind, id] = name.split("/");
  return kind === "sweeps" && id ? /* @__PURE__ */ a(Sweep, { id }) : /* @__PURE__ */ a(Group, { fingerprint: name });
}
function Group({ fingerprint }) {
  const w = words.value;
  const group = useResource("dead-letters?limit=100", { every: 5e3 }).data.value?.groups.find((one) => one.fingerprint === fingerprint);
  const letters = useResource(`dead-letters/${encodeURIComponent(fingerprint)}?limit=100`, { every: 5e3 });
  const example = useResource(group ? `runs/${group.example}` : null).data.value;
  const denied = refusal("runs:steer");
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: group ? group.class : w.failures.group, trail: /* @__PURE__ */ a("a", { href: link("failures"), children: w.pages.failures }), beside: group && /* @__PURE__ */ a(Tag, { kind: "bad", children: [
      count(group.runs, group.more),
      " ",
      w.pages.runs
    ] }), children: [
      group && group.runs > 5 && /* @__PURE__ */ a(Button, { icon: "play", refused: denied, onClick: () => askGroup(group, "retry", 5), children: w.failures.retryFew }),
      group && /* @__PURE__ */ a(Button, { icon: "retry", refused: denied, onClick: () => askGroup(group, "retry", 0), children: [
        w.failures.retryAll,
        "…"
      ] }),
      group && /* @__PURE__ */ a(Button, { icon: "trash", kind: "danger", refused: denied, onClick: () => askGroup(group, "discard", 0), children: [
        w.failures.discardAll,
        "…"
      ] })
    ] }),
    group && /* @__PURE__ */ a("section", { class: "panel telling", children: [
      /* @__PURE__ */ a("span", { class: "grow", children: [
        /* @__PURE__ */ a("b", { children: group.class }),
        ": ",
        group.message,
        " ",
        /* @__PURE__ */ a("span", { class: "dim", children: [
          "· ",
          w.failures.firstSeen,
          " ",
          /* @__PURE__ */ a(Ago, { at: group.first_at }),
          ", ",
          w.failures.lastSeen,
          " ",
          /* @__PURE__ */ a(Ago, { at: group.last_at })
        ] })
      ] }),
      /* @__PURE__ */ a(Button, { small: true, icon: "copy", onClick: () => copy(reportOf(group, example)), children: noted.value.copyReport }),
      /* @__PURE__ */ a(ButtonLink, { small: true, href: link("jobs", group.job), children: group.job }),
      /* @__PURE__ */ a(ButtonLink, { small: true, href: link("runs", group.example), children: w.failures.showExample })
    ] }),
    group && /* @__PURE__ */ a(FailureNote, { group }),
    group && /* @__PURE__ */ a(Differs, { group }),
    /* @__PURE__ */ a("div", { class: "columns two", children: [
      /* @__PURE__ */ a(Panel, { title: w.pages.runs, note: w.failures.oldestFirst, children: /* @__PURE__ */ a(Shown, { of: letters, children: ({ letters: found }) => /* @__PURE__ */ a(Table, { label: w.pages.runs, rows: found, columns: columns4(), keyOf: (one) => one.run, peekOf: (one) => `run:${one.run}` }) }) }),
      /* @__PURE__ */ a(Panel, { title: w.failures.exampleTitle, more: example && /* @__PURE__ */ a(Id, { id: example.id }), children: /* @__PURE__ */ a("div", { class: "body", children: example?.error && /* @__PURE__ */ a("pre", { class: "block traceback", children: example.error.traceback || example.error.message }) }) })
    ] })
  ] });
}
function reportOf(group, example) {
  const w = words.value.failures;
  const facts = [`${group.job}: ${group.class}: ${group.message}`, `${count(group.runs, group.more)} ${words.value.pages.runs} · ${w.firstSeen} ${group.first_at} · ${w.lastSeen} ${group.last_at}`, `${w.example}: ${location.origin}${link("runs", group.example)}`];
  return [...facts, ...group.note ? [`${noted.value.note}: ${group.note}`] : [], "", example?.error?.traceback || example?.error?.message || ""].join("\n").trimEnd();
}
function columns4() {
  const w = words.value;
  return [
    { id: "run", name: "id", cell: (one) => /* @__PURE__ */ a("a", { class: "mono", href: link("runs", one.run), children: [
      "…",
      one.run.slice(-8)
    ] }) },
    { id: "queue", name: w.queues.name, cell: (one) => one.queue },
    { id: "message", name: w.failures.error, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.message }) },
    { id: "at", name: w.failures.failedAt, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.failed_at }) }
  ];
}
function askGroup(group, act2, canaries) {
  void askMany({ act: act2, filter: { fingerprint: group.fingerprint }, canaries, says: `${group.job}: ${group.class}`, command: `mainspring dead ${act2} ${group.fingerprint}` });
}
function Sweep({ id }) {
  const w = words.value;
  const resource = useResource(`sweeps/${id}`, { every: 1e3 });
  const acts = w.sweepActs;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: resource.data.value ? acts[resource.data.value.act] ?? resource.data.value.act : w.failures.sweep, trail: /* @__PURE__ */ a("a", { href: link("failures"), children: w.pages.failures }), beside: resource.data.value && /* @__PURE__ */ a(SweepState, { sweep: resource.data.value }), children: resource.data.value && !isOver(resource.data.value) && /* @__PURE__ */ a(Button, { icon: "stop", kind: "danger", refused: refusal("runs:steer"), onClick: () => void post(`sweeps/${id}/cancel`, {}).then(outdateAll), children: w.failures.stopSweep }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, children: (sweep) => /* @__PURE__ */ a("div", { class: "body sweep", children: [
      /* @__PURE__ */ a("p", { class: "sweep-count", children: [
        /* @__PURE__ */ a(Gauge, { wide: true, taken: sweep.changed + sweep.passed, room: sweep.expected ?? (isOver(sweep) ? sweep.changed + sweep.passed : 0) }),
        " ",
        /* @__PURE__ */ a("b", { children: count(sweep.changed) }),
        " ",
        sweep.expected !== null && /* @__PURE__ */ a("span", { class: "dim", children: [
          w.of,
          " ",
          count(sweep.expected)
        ] }),
        " ",
        sweep.passed > 0 && /* @__PURE__ */ a("span", { class: "dim", children: w.failures.passed(count(sweep.passed)) })
      ] }),
      sweep.canaries > 0 && /* @__PURE__ */ a("p", { class: "dim", children: [
        w.failures.canaries,
        ": ",
        sweep.tried.map((run) => /* @__PURE__ */ a("a", { class: "link mono", href: link("runs", run), children: [
          "…",
          run.slice(-8),
          " "
        ] }, run))
      ] }),
      /* @__PURE__ */ a("dl", { class: "facts", children: [
        /* @__PURE__ */ a("dt", { children: w.runs.state }),
        /* @__PURE__ */ a("dd", { children: sweep.note || "–" }),
        sweep.held_until && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w.runs.held }),
          /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Ago, { at: sweep.held_until }) })
        ] }),
        /* @__PURE__ */ a("dt", { children: w.reason }),
        /* @__PURE__ */ a("dd", { children: sweep.reason || "–" }),
        /* @__PURE__ */ a("dt", { children: w.runs.by }),
        /* @__PURE__ */ a("dd", { children: sweep.by }),
        /* @__PURE__ */ a("dt", { children: w.runs.created }),
        /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Moment, { at: sweep.created_at, date: true }) }),
        /* @__PURE__ */ a("dt", { children: w.failures.filter }),
        /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("code", { children: JSON.stringify(sweep.filter) }) })
      ] })
    ] }) }) })
  ] });
}

// pages/queues/acts.tsx
function QueueActs({ queue, small = false }) {
  const w = words.value.queues;
  const denied = refusal("queues:steer");
  return queue.paused ? /* @__PURE__ */ a(Button, { small, icon: "play", refused: denied, onClick: () => void resume(queue.name), children: w.resume }) : /* @__PURE__ */ a(Button, { small, icon: "pause", refused: denied, onClick: () => askPause(queue), children: [
    w.pause,
    "…"
  ] });
}
async function resume(name) {
  const w = words.value;
  try {
    await post(`queues/${part(name)}/resume`);
    outdateAll();
    toast({ text: w.queues.resumed(name), act: { name: w.undo, run: () => post(`queues/${part(name)}/pause`, { reason: w.run.undone }).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}
function askPause(queue) {
  const w = words.value;
  askFor({
    title: w.queues.askPause(queue.name),
    says: w.queues.pauseSays(count(queue.queued), count(queue.running)),
    confirm: w.queues.pause,
    command: (reason) => `mainspring queues pause ${queue.name}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`queues/${part(queue.name)}/pause`, { reason });
      outdateAll();
      toast({ text: w.queues.paused(queue.name), act: { name: w.undo, run: () => post(`queues/${part(queue.name)}/resume`).then(outdateAll) } });
    }
  });
}
var emptied = both({ cancel: "Cancel the whole line" }, { cancel: "取消整个队列" });
var weighed = both(
  { weight: "Weight", of: (weight) => `weight ${weight}`, help: "its part of the slots that it shares with the other queues of its namespace; empty: 1", ask: (name) => `Weight of ${name}` },
  { weight: "权重", of: (weight) => `权重 ${weight}`, help: "与本命名空间其他队列共享槽位时所占的份额；空：1", ask: (name) => `${name} 的权重` }
);
function askWeight(queue) {
  const w = weighed.value;
  fillIn({
    title: w.ask(queue.name),
    start: { weight: queue.policy.weight },
    fields: [{ name: "weight", kind: "number", label: w.weight, help: w.help, wide: true }],
    confirm: words.value.save,
    command: ({ weight }) => `mainspring queues change ${quoted(queue.name)} --weight ${quoted(weight ?? "none")}`,
    send: ({ weight }) => patch(`queues/${part(queue.name)}`, { weight: weight ?? null })
  });
}
function askCancelQueued(name) {
  const filter = { queue: name, states: ["queued", "waiting"] };
  void askMany({ act: "cancel", filter, canaries: 0, says: `queue:${name} state:queued,waiting`, command: commandOf("cancel", filter) });
}
function askBudget(queue) {
  const w = words.value;
  const given = { text: queue.max_queued === null ? "" : String(queue.max_queued) };
  askFor({
    title: w.queues.askBudget(queue.name),
    says: w.queues.budgetSays,
    reason: "no",
    fields: /* @__PURE__ */ a("label", { class: "field", children: [
      /* @__PURE__ */ a("span", { children: w.queues.budgetField }),
      /* @__PURE__ */ a("input", { class: "input", inputMode: "numeric", defaultValue: given.text, onInput: (event) => given.text = event.currentTarget.value })
    ] }),
    confirm: w.save,
    command: () => `mainspring queues budget ${queue.name} ${given.text || "--none"}`,
    run: async () => {
      await put(`queues/${part(queue.name)}/budget`, { max_queued: given.text.trim() === "" ? null : Number(given.text) });
      outdateAll();
    }
  });
}

// pages/queues/list.tsx
function Queues() {
  const w = words.value;
  const resource = useResource("queues?limit=200", { every: 3e3 });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.queues }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: ({ queues }) => queues.length === 0 ? /* @__PURE__ */ a(Empty, { title: w.queues.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring enqueue JOB --queue mail" }) }) : /* @__PURE__ */ a(Table, { label: w.pages.queues, rows: queues, columns: columns5(), keyOf: (queue) => queue.name, peekOf: (queue) => `queue:${queue.name}` }) }) })
  ] });
}
function columns5() {
  const w = words.value;
  return [
    { id: "name", name: w.queues.name, cell: (queue) => /* @__PURE__ */ a("a", { href: link("queues", queue.name), children: queue.name }) },
    { id: "state", name: w.runs.state, cell: (queue) => /* @__PURE__ */ a(QueueState, { queue }) },
    { id: "queued", name: w.states.queued, num: true, cell: (queue) => /* @__PURE__ */ a("b", { children: count(queue.queued) }) },
    { id: "oldest", name: w.queues.oldest, num: true, cell: (queue) => queue.oldest_seconds ? duration(queue.oldest_seconds) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) },
    { id: "later", name: w.queues.later, num: true, cell: (queue) => /* @__PURE__ */ a(Zero, { value: queue.later }), minor: true },
    { id: "waiting", name: w.states.waiting, num: true, cell: (queue) => /* @__PURE__ */ a(Zero, { value: queue.waiting }) },
    { id: "running", name: w.queues.slots, cell: (queue) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Gauge, { taken: queue.running, room: queue.slots }),
      count(queue.running),
      " ",
      /* @__PURE__ */ a("span", { class: "faint", children: [
        w.of,
        " ",
        count(queue.slots)
      ] })
    ] }) },
    { id: "rate", name: w.queues.perMinute, num: true, cell: (queue) => queue.rates ? rate(queue.rates.finished) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) },
    { id: "recent", name: w.queues.recent, cell: (queue) => queue.rates && /* @__PURE__ */ a(Bars, { values: queue.rates.recent, tone: "succeeded" }), minor: true },
    { id: "drains", name: w.queues.emptyIn, num: true, cell: (queue) => /* @__PURE__ */ a(Drains, { queue }) },
    { id: "budget", name: w.queues.budget, num: true, cell: (queue) => queue.max_queued === null ? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) : `${count(queue.queued + queue.later + queue.waiting)} ${w.of} ${count(queue.max_queued)}`, minor: true },
    { id: "acts", name: "", cell: (queue) => /* @__PURE__ */ a(QueueActs, { queue, small: true }) }
  ];
}
var Zero = ({ value }) => value === 0 ? /* @__PURE__ */ a("span", { class: "faint", children: "0" }) : /* @__PURE__ */ a($, { children: count(value) });
function Drains({ queue }) {
  const drains = drainsIn(queue);
  if (queue.queued === 0) return /* @__PURE__ */ a("span", { class: "faint", children: "–" });
  return drains === null ? /* @__PURE__ */ a("b", { class: "is-failed", children: words.value.never }) : /* @__PURE__ */ a($, { children: drains < 1 ? "< 1 s" : duration(Math.round(drains)) });
}
function QueueState({ queue }) {
  const w = words.value.queues;
  if (queue.paused) return /* @__PURE__ */ a(Tag, { kind: "warn", title: queue.paused.reason, children: [
    "❚❚ ",
    w.pausedBy(queue.paused.by)
  ] });
  if (queue.queued > 0 && queue.executors === 0) return /* @__PURE__ */ a(Tag, { kind: "bad", children: w.noExecutor });
  if ((queue.oldest_seconds ?? 0) > 30) return /* @__PURE__ */ a(Tag, { kind: "warn", children: w.behind });
  return /* @__PURE__ */ a(Tag, { kind: "good", children: w.active });
}

// pages/queues/queue.tsx
function Queue({ name }) {
  const w = words.value;
  const path = `queues/${encodeURIComponent(name)}`;
  const resource = useResource(path, { every: 2e3 });
  const range = rangeAsked();
  const rates = useResource(`${path}/rates?step=${range.step}&steps=${range.steps}`, { every: 1e4 });
  const line = useResource(`runs?queue=${encodeURIComponent(name)}&state=queued&state=waiting&sort=oldest&limit=20`, { every: 3e3 });
  const held = useResource(`runs?queue=${encodeURIComponent(name)}&state=running&sort=oldest&limit=20`, { every: 3e3 });
  const executors = useResource("executors?limit=100", { every: 1e4 }).data.value?.executors.filter((one) => one.queues.includes(name)) ?? [];
  const queue = resource.data.value;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("queues"), children: w.pages.queues }), beside: queue && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(QueueState, { queue }),
      queue.policy.weight !== null && /* @__PURE__ */ a(Tag, { children: weighed.value.of(queue.policy.weight) })
    ] }), children: [
      /* @__PURE__ */ a(Segments, { label: w.overview.range, on: range.id, choices: RANGES.map(({ id }) => ({ id, name: w.ranges[id] })), onChoose: (id) => askRange(id) }),
      queue && /* @__PURE__ */ a(Button, { refused: refusal("queues:write"), onClick: () => askBudget(queue), children: [
        w.queues.budget,
        "…"
      ] }),
      queue && /* @__PURE__ */ a(Button, { refused: refusal("queues:write"), onClick: () => askWeight(queue), children: [
        weighed.value.weight,
        "…"
      ] }),
      queue && queue.queued + queue.waiting > 0 && /* @__PURE__ */ a(Button, { icon: "stop", kind: "danger", refused: refusal("runs:steer"), onClick: () => askCancelQueued(name), children: [
        emptied.value.cancel,
        "…"
      ] }),
      queue && /* @__PURE__ */ a(QueueActs, { queue })
    ] }),
    /* @__PURE__ */ a("section", { class: "panel figures four", children: /* @__PURE__ */ a(Shown, { of: resource, rows: 2, children: (found) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("a", { class: "figure", href: linkWith({ q: `queue:${name} state:queued`, sort: "oldest" }, "runs"), children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w.states.queued }),
        /* @__PURE__ */ a("span", { class: "value", children: count(found.queued) }),
        /* @__PURE__ */ a("span", { class: "note", children: found.oldest_seconds ? w.overview.oldest(duration(found.oldest_seconds)) : w.overview.later(count(found.later)) })
      ] }),
      /* @__PURE__ */ a("a", { class: "figure", href: linkWith({ q: `queue:${name} state:running` }, "runs"), children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w.states.running }),
        /* @__PURE__ */ a("span", { class: "value", children: [
          count(found.running),
          /* @__PURE__ */ a("small", { children: [
            w.of,
            " ",
            count(found.slots)
          ] })
        ] }),
        /* @__PURE__ */ a("span", { class: "note", children: /* @__PURE__ */ a(Gauge, { taken: found.running, room: found.slots, wide: true }) })
      ] }),
      /* @__PURE__ */ a("a", { class: "figure", href: linkWith({ q: `queue:${name} state:waiting` }, "runs"), children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w.states.waiting }),
        /* @__PURE__ */ a("span", { class: "value", children: count(found.waiting) }),
        /* @__PURE__ */ a("span", { class: "note", children: found.waiting === 0 ? w.overview.nothingHeld : w.overview.held })
      ] }),
      /* @__PURE__ */ a("div", { class: "figure", children: [
        /* @__PURE__ */ a("span", { class: "caps", children: w.queues.perMinute }),
        /* @__PURE__ */ a("span", { class: "value", children: found.rates ? rate(found.rates.finished) : "–" }),
        /* @__PURE__ */ a("span", { class: "note", children: [
          w.queues.emptyIn,
          " ",
          /* @__PURE__ */ a(Drains, { queue: found })
        ] })
      ] })
    ] }) }) }),
    /* @__PURE__ */ a(Panel, { title: w.overview.pulse, note: range.step === "hour" ? w.overview.pulseHours : w.overview.pulseMinutes, children: /* @__PURE__ */ a(Shown, { of: rates, rows: 4, children: (found) => /* @__PURE__ */ a(Pulse, { beats: beatsOf(found), step: range.step === "hour" ? 3600 : 60, hrefOf: (beat) => linkWith({ q: `queue:${name} since:${new Date(beat.at).toISOString()}` }, "runs") }) }) }),
    /* @__PURE__ */ a(Panel, { title: w.queues.line, note: w.queues.lineNote, children: /* @__PURE__ */ a(Shown, { of: line, children: ({ runs }) => runs.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w.queues.noLine }) : /* @__PURE__ */ a(Table, { label: w.queues.line, rows: runs, columns: columns(["queue", "took", "executor", "wait"]), keyOf: (run) => run.id, peekOf: (run) => `run:${run.id}` }) }) }),
    /* @__PURE__ */ a(Panel, { title: w.queues.holders, note: w.queues.holdersNote(executors.length), children: /* @__PURE__ */ a(Shown, { of: held, children: ({ runs }) => runs.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w.queues.noHolders }) : /* @__PURE__ */ a(Table, { label: w.queues.holders, rows: runs, columns: columns(["queue"]), keyOf: (run) => run.id, peekOf: (run) => `run:${run.id}` }) }) })
  ] });
}

// pages/runs/remedies.ts
var act = (deed, permission, path, body = {}) => (name = "") => ({ kind: "act", deed, name, permission, method: "POST", path: path(part(name)), body });
var page = (...names) => (name = "") => ({ kind: "page", page: names.map((one) => one === "{}" ? name : one), query: {} });
var change = (deed, body) => (id = "") => ({ kind: "act", deed, name: id, permission: "runs:steer", method: "POST", path: "runs/change", body: { runs: [id], ...body() } });
var FRONT = 9;
var KNOWN = [
  ["queues resume {}", act("resume", "queues:steer", (name) => `queues/${name}/resume`)],
  ["jobs resume {}", act("resume", "queues:steer", (name) => `jobs/${name}/resume`)],
  ["namespaces resume {}", act("resume", "namespaces:write", (name) => `namespaces/${name}/resume`)],
  ["maintenance off", () => ({ kind: "act", deed: "end", name: "", permission: "namespaces:write", method: "PUT", path: "maintenance", body: { on: false } })],
  ["breakers resume {}", act("decide", "queues:steer", (name) => `breakers/${name}/resume`)],
  ["breakers reset {}", act("reset", "queues:steer", (name) => `breakers/${name}/reset`)],
  ["runs resume {}", act("resume", "runs:steer", (id) => `runs/${id}/resume`)],
  ["runs retry {}", act("retry", "runs:steer", (id) => `runs/${id}/retry`)],
  ["runs change {} --priority 9", change("front", () => ({ priority: FRONT }))],
  ["runs change {} --at +1s", change("now", () => ({ due_at: (/* @__PURE__ */ new Date()).toISOString() }))],
  ["jobs edit {}", (name = "") => ({ kind: "page", page: ["jobs", name], query: { tab: "policy" } })],
  ["calendars show {}", page("calendars", "{}")],
  ["approvals approve {}", page("overview")],
  ["executors uncordon", page("executors")],
  ["executors pools {}", page("executors", "{}")],
  ["limits set {}", page("limits")]
];
function remedyOf(command) {
  const said2 = wordsOf(command);
  if (said2.shift() !== "mainspring") return null;
  for (const [pattern, made] of KNOWN) {
    const names = namesIn(pattern.split(" "), said2);
    const found = names && made(...names);
    if (found && (found.kind === "page" || said2.length === pattern.split(" ").length)) return found;
  }
  return null;
}
function namesIn(pattern, said2) {
  if (said2.length < pattern.length) return null;
  const names = [];
  for (const [at, word] of pattern.entries()) {
    const given = said2[at] ?? "";
    if (word === "{}") names.push(given);
    else if (word !== given) return null;
  }
  return names;
}
function wordsOf(command) {
  return (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, "$1"));
}

// pages/runs/removes.tsx
var said = both(
  {
    deeds: { resume: "Resume", decide: "Let it decide again", reset: "Reset the breaker", retry: "Retry now", front: "To the front", now: "Start it now", end: "End the maintenance" },
    done: (deed, name) => `Done: ${deed} ${name}`,
    look: "Where it is changed"
  },
  {
    deeds: { resume: "恢复", decide: "恢复自行判断", reset: "重置熔断器", retry: "立即重试", front: "移到最前", now: "立即开始", end: "结束维护" },
    done: (deed, name) => `已完成：${deed} ${name}`,
    look: "去修改"
  }
);
function Removes({ of: reason }) {
  const found = remedyOf(reason.remedy);
  if (found?.kind === "act") {
    return /* @__PURE__ */ a(Button, { small: true, refused: refusal(found.permission), onClick: () => ask(reason, found), children: [
      said.value.deeds[found.deed],
      "…"
    ] });
  }
  return /* @__PURE__ */ a($, { children: [
    found && /* @__PURE__ */ a(ButtonLink, { small: true, href: linkWith(found.query, ...found.page), children: said.value.look }),
    /* @__PURE__ */ a(Command, { line: reason.remedy })
  ] });
}
function ask(reason, remedy) {
  const deed = said.value.deeds[remedy.deed];
  const name = /^[0-9a-f-]{32,36}$/.test(remedy.name) ? shortId(remedy.name) : remedy.name;
  askFor({
    title: name ? `${deed}: ${name}` : deed,
    says: reason.text,
    reason: "no",
    confirm: deed,
    command: () => reason.remedy,
    run: async () => {
      await (remedy.method === "PUT" ? put : post)(remedy.path, remedy.body);
      outdateAll();
      toast({ text: said.value.done(deed, name) });
    }
  });
}
export {
  Executor,
  Executors,
  Failure,
  Failures,
  Queue,
  Queues,
  Removes
};
