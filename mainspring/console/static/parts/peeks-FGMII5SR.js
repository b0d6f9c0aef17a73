import {
  BreakerActs,
  BreakerState
} from "./chunk-TEGVHJCG.js";
import {
  FailureNote,
  noted
} from "./chunk-W6RKMWQH.js";
import {
  Graph
} from "./chunk-MNKVY42Y.js";
import {
  Ago,
  Gauge,
  Shown,
  State,
  Took,
  useResource
} from "./chunk-IBKJQSZ2.js";
import {
  count,
  link,
  part,
  percent,
  words
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $
} from "./chunk-DPBHMWAZ.js";

// pages/peeks.tsx
function About({ title, facts, runs }) {
  const found = useResource(runs ? `runs?limit=8&q=${encodeURIComponent(runs)}` : null, { every: 5e3 }).data.value?.runs ?? [];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "peek-head", children: /* @__PURE__ */ a("h2", { children: title }) }),
    /* @__PURE__ */ a("dl", { class: "facts", children: facts.filter(([, value]) => value !== "" && value !== null && value !== void 0).map(([name, value]) => [/* @__PURE__ */ a("dt", { children: name }, name), /* @__PURE__ */ a("dd", { children: value }, `${name}-is`)]) }),
    found.length > 0 && /* @__PURE__ */ a("table", { "aria-label": words.value.pages.runs, children: /* @__PURE__ */ a("tbody", { children: found.map((run) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a(State, { state: run.state }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { class: "mono", href: link("runs", run.id), children: [
        "…",
        run.id.slice(-8)
      ] }) }),
      /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: run.created_at }) })
    ] }, run.id)) }) })
  ] });
}
function JobPeek({ name }) {
  const w = words.value;
  const of = useResource(`jobs/${encodeURIComponent(name)}`, { every: 1e4 });
  return /* @__PURE__ */ a(Shown, { of, children: (job) => /* @__PURE__ */ a(About, { title: job.name, runs: `job:"${job.name}"`, facts: [[w.queues.name, job.queue], [w.executors.handler, job.handler], ["v", String(job.version)], ["", job.description]] }) });
}
function TriggerPeek({ name }) {
  const w = words.value;
  const of = useResource(`triggers/${encodeURIComponent(name)}`, { every: 1e4 });
  return /* @__PURE__ */ a(Shown, { of, children: (one) => /* @__PURE__ */ a(About, { title: one.name, runs: `trigger:"${one.name}" since:7d`, facts: [[w.triggers.fires, one.words], [w.overview.nextFires, /* @__PURE__ */ a(Ago, { at: one.next_due }, "next")], [w.job, one.spec.job]] }) });
}
function QueuePeek({ name }) {
  const w = words.value;
  const of = useResource(`queues/${encodeURIComponent(name)}`, { every: 3e3 });
  return /* @__PURE__ */ a(Shown, { of, children: (queue) => /* @__PURE__ */ a(About, { title: queue.name, runs: `queue:"${queue.name}"`, facts: [[w.states.queued, count(queue.queued)], [w.queues.oldest, /* @__PURE__ */ a(Took, { seconds: queue.oldest_seconds }, "age")], [w.states.running, /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Gauge, { taken: queue.running, room: queue.slots }),
    count(queue.running),
    " ",
    w.of,
    " ",
    count(queue.slots)
  ] })], [w.states.waiting, count(queue.waiting)], ["", queue.paused ? w.overview.queuePaused(queue.paused.by, count(queue.queued)) : ""]] }) });
}
function ExecutorPeek({ name }) {
  const w = words.value;
  const of = useResource(`executors/${encodeURIComponent(name)}`, { every: 3e3 });
  return /* @__PURE__ */ a(Shown, { of, children: (one) => /* @__PURE__ */ a(About, { title: one.name, facts: [[w.executors.host, one.sessions[0]?.host], [w.executors.since, /* @__PURE__ */ a(Ago, { at: one.sessions[0]?.opened_at }, "since")], [w.executors.running, count(one.runs.length, one.more)], [w.executors.handlers, count(Object.keys(one.handlers).length)], [w.pages.queues, one.sessions[0]?.queues.join(", ")], ...(one.sessions[0]?.pools ?? []).map((pool) => [pool.pool, /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Gauge, { taken: pool.taken ?? 0, room: pool.max }),
    count(pool.taken ?? 0),
    " ",
    w.of,
    " ",
    count(pool.max)
  ] })])] }) });
}
function FailurePeek({ name }) {
  const w = words.value;
  const of = useResource("dead-letters?limit=100", { every: 5e3 });
  const group = of.data.value?.groups.find((one) => one.fingerprint === name);
  const example = useResource(group ? `runs/${group.example}` : null).data.value;
  return /* @__PURE__ */ a(Shown, { of, children: () => !group ? /* @__PURE__ */ a("p", { class: "body dim", children: noted.value.gone }) : /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(About, { title: group.class, runs: `job:"${group.job}" state:failed error:"${group.class}"`, facts: [[w.failures.error, group.message], [w.job, /* @__PURE__ */ a("a", { class: "link", href: link("jobs", group.job), children: group.job }, "job")], [w.runs.word, count(group.runs, group.more)], [w.failures.first, /* @__PURE__ */ a(Ago, { at: group.first_at }, "first")], [w.failures.last, /* @__PURE__ */ a(Ago, { at: group.last_at }, "last")]] }),
    /* @__PURE__ */ a(FailureNote, { group }),
    example?.error && /* @__PURE__ */ a("pre", { class: "block traceback", children: example.error.traceback || example.error.message })
  ] }) });
}
function BreakerPeek({ name }) {
  const w = words.value;
  const of = useResource(`breakers/${part(name)}`, { every: 2e3 });
  const share = (some, one) => one.calls === 0 ? "–" : `${percent(some / one.calls)} %`;
  return /* @__PURE__ */ a(Shown, { of, children: (one) => /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(About, { title: one.name, facts: [[w.runs.state, /* @__PURE__ */ a(BreakerState, { of: one.state }, "state")], [w.breakers.since, /* @__PURE__ */ a(Ago, { at: one.since }, "since")], [w.breakers.calls, count(one.calls)], [w.states.failed, `${share(one.failures, one)} · ${w.breakers.opensAtShare(percent(one.rule.failures))}`], [w.breakers.slow, one.rule.slow === null ? w.breakers.slowOff : share(one.slow, one)], [w.breakers.reason, one.reason || w.breakers.sayings[one.state]]] }),
    /* @__PURE__ */ a("p", { class: "body", children: /* @__PURE__ */ a(BreakerActs, { of: one }) })
  ] }) });
}
function WorkflowPeek({ name }) {
  const w = words.value;
  const of = useResource(`workflows/${part(name)}`, { every: 1e4 });
  return /* @__PURE__ */ a(Shown, { of, children: (one) => /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(About, { title: one.name, runs: `job:"${one.name}"`, facts: [[w.queues.name, one.queue], [w.jobs.version, `v${one.version}`], ["", one.description], [w.workflows.graph, w.workflows.nSteps(one.graph.length)]] }),
    /* @__PURE__ */ a(Graph, { steps: one.graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents ?? [], note: step.job })), on: "", onChoose: () => {
    } })
  ] }) });
}
export {
  BreakerPeek,
  ExecutorPeek,
  FailurePeek,
  JobPeek,
  QueuePeek,
  TriggerPeek,
  WorkflowPeek
};
