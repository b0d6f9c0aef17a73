import {
  Log
} from "./chunk-3XXHR6W3.js";
import {
  Approvals,
  beatsOf
} from "./chunk-NR6Z6OU7.js";
import {
  Graph,
  toneOf,
  withEndings
} from "./chunk-MNKVY42Y.js";
import {
  Audit,
  AuditOf
} from "./chunk-WH4VYIXP.js";
import {
  Menu,
  MenuItem,
  RunDialogButton,
  Strip,
  columns
} from "./chunk-DPIERHAX.js";
import {
  Pulse,
  useWidth
} from "./chunk-7FLTJP2Q.js";
import {
  member,
  parseExact,
  writeExact
} from "./chunk-HQEIUNT4.js";
import {
  Ago,
  Button,
  ButtonLink,
  Command,
  Empty,
  Failed,
  Gauge,
  Head,
  Icon,
  Id,
  Modal,
  Panel,
  Segments,
  Shown,
  State,
  StateIcon,
  Table,
  Tabs,
  Tag,
  TheirsTable,
  Took,
  TypedField,
  Waiting,
  askFor,
  copy,
  fillIn,
  fullTime,
  outdateAll,
  quoted,
  read,
  refusal,
  tellRefusal,
  toast,
  useResource,
  written
} from "./chunk-IBKJQSZ2.js";
import {
  Refusal,
  asked,
  both,
  count,
  duration,
  get,
  go,
  link,
  linkWith,
  now,
  part,
  patch,
  percent,
  post,
  put,
  query,
  relative,
  remove,
  setQuery,
  shortId,
  theme,
  useSignal,
  words,
  y
} from "./chunk-K2CDJBIM.js";
import {
  Field,
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A,
  F,
  T,
  w
} from "./chunk-DPBHMWAZ.js";

// pages/workflows/batches.tsx
function Batches() {
  const w2 = words.value;
  const found = useResource("batches?limit=100", { every: 3e3 });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.batches }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: found, children: ({ batches }) => batches.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.batches.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring batches list" }) }) : /* @__PURE__ */ a(Table, { label: w2.pages.batches, rows: batches, columns: columns2(), keyOf: (one) => one.id }) }) })
  ] });
}
function columns2() {
  const w2 = words.value;
  return [
    { id: "name", name: w2.name, cell: (one) => /* @__PURE__ */ a("a", { href: link("batches", one.id), children: one.name || `…${one.id.slice(-8)}` }) },
    { id: "state", name: w2.runs.state, cell: (one) => /* @__PURE__ */ a(Tag, { kind: one.failed > 0 ? "bad" : "", children: one.state }) },
    { id: "progress", name: w2.batches.progress, cell: (one) => /* @__PURE__ */ a(Progress, { of: one }) },
    { id: "succeeded", name: w2.states.succeeded, num: true, cell: (one) => count(one.succeeded) },
    { id: "failed", name: w2.states.failed, num: true, cell: (one) => one.failed > 0 ? /* @__PURE__ */ a("b", { class: "is-failed", children: count(one.failed) }) : "0" },
    { id: "cancelled", name: w2.states.cancelled, num: true, cell: (one) => count(one.cancelled), minor: true },
    { id: "created", name: w2.runs.created, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.created_at }) }
  ];
}
function Progress({ of }) {
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Gauge, { wide: true, taken: of.size - of.unfinished, room: of.size }),
    count(of.size - of.unfinished),
    " ",
    /* @__PURE__ */ a("span", { class: "faint", children: [
      words.value.of,
      " ",
      count(of.size)
    ] })
  ] });
}
function Batch({ name: id }) {
  const w2 = words.value;
  const resource = useResource(`batches/${id}`, { every: 2e3 });
  const failed = asked("failed") === "1";
  const runs = useResource(`batches/${id}/runs?limit=100&times=true${failed ? "&failed=true" : ""}`, { every: 4e3 });
  const batch = resource.data.value;
  const denied = refusal("runs:steer");
  const tabs = [
    { id: "all", name: w2.runs.all, href: linkWith({}, "batches", id), note: batch ? count(batch.size) : null },
    { id: "failed", name: w2.states.failed, href: linkWith({ failed: 1 }, "batches", id), note: batch ? count(batch.failed) : null }
  ];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: batch?.name || `…${id.slice(-8)}`, trail: /* @__PURE__ */ a("a", { href: link("batches"), children: w2.pages.batches }), beside: batch && /* @__PURE__ */ a(Tag, { kind: batch.failed > 0 ? "bad" : "", children: batch.state }), children: [
      batch && /* @__PURE__ */ a(Button, { icon: "retry", refused: denied ?? (batch.failed + batch.cancelled === 0 ? w2.runs.onlyFailed : void 0), onClick: () => void askRetry(batch), children: [
        w2.batches.retry,
        "…"
      ] }),
      batch && /* @__PURE__ */ a(Button, { icon: "stop", kind: "danger", refused: denied ?? (batch.unfinished === 0 ? w2.runs.onlyLive : void 0), onClick: () => askCancel(batch), children: [
        w2.runs.cancel,
        "…"
      ] })
    ] }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, children: (one) => /* @__PURE__ */ a("dl", { class: "facts body", children: [
      /* @__PURE__ */ a("dt", { children: w2.batches.progress }),
      /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Progress, { of: one }) }),
      /* @__PURE__ */ a("dt", { children: w2.states.succeeded }),
      /* @__PURE__ */ a("dd", { children: count(one.succeeded) }),
      /* @__PURE__ */ a("dt", { children: w2.states.failed }),
      /* @__PURE__ */ a("dd", { children: count(one.failed) }),
      /* @__PURE__ */ a("dt", { children: w2.states.cancelled }),
      /* @__PURE__ */ a("dd", { children: count(one.cancelled) }),
      /* @__PURE__ */ a("dt", { children: w2.runs.created }),
      /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Ago, { at: one.created_at }) }),
      one.finished_at && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("dt", { children: w2.overview.finished }),
        /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Ago, { at: one.finished_at }) })
      ] })
    ] }) }) }),
    /* @__PURE__ */ a(Panel, { children: [
      /* @__PURE__ */ a(Tabs, { tabs, on: failed ? "failed" : "all", label: w2.pages.runs }),
      /* @__PURE__ */ a(Shown, { of: runs, children: ({ runs: found }) => found.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.runs.noneMatch }) : /* @__PURE__ */ a(Table, { label: w2.pages.runs, rows: found, columns: runColumns(), keyOf: (one) => one.run, peekOf: (one) => `run:${one.run}` }) })
    ] })
  ] });
}
function runColumns() {
  const w2 = words.value;
  return [
    { id: "state", name: w2.runs.state, cell: (one) => one.state ? /* @__PURE__ */ a(State, { state: one.state }) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) },
    { id: "run", name: "id", cell: (one) => /* @__PURE__ */ a("a", { class: "mono", href: link("runs", one.run), children: [
      "…",
      one.run.slice(-8)
    ] }) },
    { id: "executor", name: w2.runs.executor, cell: (one) => one.executor ?? /* @__PURE__ */ a("span", { class: "faint", children: "–" }), minor: true },
    { id: "created", name: w2.runs.created, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.created_at }) },
    { id: "finished", name: w2.overview.finished, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.finished_at }) }
  ];
}
function askCancel(batch) {
  const w2 = words.value;
  askFor({
    title: w2.runs.ask.cancel(count(batch.unfinished)),
    says: w2.runs.askSays.cancel,
    reason: batch.unfinished > 100 ? "needed" : "optional",
    confirm: w2.runs.cancel,
    danger: true,
    command: (reason) => `mainspring batches cancel ${batch.id}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      await post(`batches/${batch.id}/cancel`, { reason });
      outdateAll();
    }
  });
}
async function askRetry(batch) {
  const w2 = words.value;
  try {
    await post(`batches/${batch.id}/retry`, { dry_run: true });
    askFor({
      title: w2.runs.ask.retry(count(batch.failed + batch.cancelled)),
      says: w2.runs.askSays.retry,
      reason: "optional",
      confirm: w2.batches.retry,
      command: (reason) => `mainspring batches retry ${batch.id}${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        await post(`batches/${batch.id}/retry`, { reason });
        outdateAll();
        toast({ text: w2.batches.retried });
      }
    });
  } catch (error) {
    tellRefusal(error);
  }
}

// pages/jobs/acts.tsx
function PausedTag({ job }) {
  return job.paused && /* @__PURE__ */ a(Tag, { kind: "warn", title: job.paused.reason, children: [
    "❚❚ ",
    words.value.triggers.pausedBy(job.paused.by)
  ] });
}
function PauseButton({ job }) {
  const w2 = words.value;
  const denied = refusal("queues:steer");
  const act = (what, reason = "") => post(`jobs/${part(job.name)}/${what}`, what === "pause" ? { reason } : void 0).then(outdateAll);
  const resume = () => act("resume").then(() => toast({ text: w2.jobs.resumed(job.name), act: { name: w2.undo, run: () => act("pause", w2.run.undone) } }), tellRefusal);
  if (job.paused) return /* @__PURE__ */ a(Button, { icon: "play", refused: denied, onClick: () => void resume(), children: w2.queues.resume });
  const ask = () => askFor({
    title: w2.jobs.askPause(job.name),
    says: w2.jobs.pauseSays,
    confirm: w2.queues.pause,
    command: (reason) => `mainspring jobs pause ${quoted(job.name)}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      await act("pause", reason);
      toast({ text: w2.jobs.pausedNow(job.name), act: { name: w2.undo, run: () => act("resume") } });
    }
  });
  return /* @__PURE__ */ a(Button, { icon: "pause", refused: denied, onClick: ask, children: [
    w2.queues.pause,
    "…"
  ] });
}
async function makeJob(like) {
  const w2 = words.value;
  const labels = w2.policy.labels;
  const known = await get("jobs?limit=500").then(({ data }) => [...new Set(data.jobs.map((job) => job.handler))], () => []);
  const kept = like ? { retry: like.retry, timeout: like.timeout, deadline: like.deadline, start_within: like.start_within, on_lost: like.on_lost, losses_max: like.losses_max, policy: like.policy } : {};
  fillIn({
    title: like ? w2.jobs.cloneOf(like.name) : w2.jobs.make,
    says: w2.jobs.makeSays,
    start: like ? { handler: like.handler, queue: like.queue, priority: like.priority, description: like.description, input: like.input } : { queue: "default", priority: 5 },
    fields: [
      { name: "name", kind: "name", label: w2.forms.labels.name, required: true },
      { name: "handler", kind: "name", label: w2.executors.handler, required: true, known },
      { name: "queue", kind: "text", label: labels.queue },
      { name: "priority", kind: "number", label: labels.priority, help: w2.policy.help.priority },
      { name: "description", kind: "text", label: labels.description, wide: true },
      { name: "input", kind: "json", label: w2.jobs.usualInput, help: w2.jobs.usualInputHelp }
    ],
    confirm: w2.jobs.make,
    command: ({ name, handler, ...rest }) => `mainspring jobs create ${quoted(name ?? "NAME")} --handler ${quoted(handler ?? "")}${Object.entries(rest).map(([key, value]) => ` --set ${quoted(`${key}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`)}`).join("")}`,
    send: async ({ name, ...body }) => {
      await put(`jobs/${part(String(name))}`, { ...kept, ...body }, { headers: { "if-none-match": "*" } });
      go(link("jobs", String(name)));
    }
  });
}

// pages/jobs/words.ts
var many = (n, one, more) => `${count(n)} ${n === 1 ? one : more}`;
var replayed = both(
  {
    title: "What it would have done",
    ask: "Change a field: the last runs are played again under what is typed here.",
    looked: (runs, succeeded, failed) => `The last ${many(runs, "run", "runs")}: ${count(succeeded)} succeeded, ${count(failed)} failed.`,
    none: "No run has ended yet.",
    same: "All of them would have gone as they did.",
    atOnce: (most) => `At most ${count(most)} of them were under way at once.`,
    effects: {
      timed_out: (runs, share) => `${runs} (${share} %) succeeded, and would be timed out`,
      too_late: (runs, share) => `${runs} (${share} %) succeeded, and would be past the deadline`,
      not_started: (runs, share) => `${runs} (${share} %) would not have started in time`,
      failed_instead: (runs, share) => `${runs} (${share} %) succeeded by a try that they would not get`,
      failed_sooner: (runs, share) => `${runs} (${share} %) failed, and would fail by fewer tries`,
      tried_again: (runs, share) => `${runs} (${share} %) failed, and would be tried again`,
      waited: (runs, share) => `${runs} (${share} %) would wait for room`,
      skipped: (runs, share) => `${runs} (${share} %) would be skipped`
    },
    waits: (all, longest) => `${all} in all, ${longest} at most`,
    unjudged: (fields) => `Past runs do not tell what these do: ${fields}.`,
    python: "Show as Python",
    pythonOf: (job) => `${job} as Python`,
    pythonSays: "Pasted into the code of an executor, it defines the job as it is now; a function keeps its own body."
  },
  {
    title: "用在过去会怎样",
    ask: "改动任一字段，即按此处所填重放最近的运行。",
    looked: (runs, succeeded, failed) => `最近 ${count(runs)} 次运行：成功 ${count(succeeded)}，失败 ${count(failed)}。`,
    none: "还没有结束的运行。",
    same: "结果都与当时相同。",
    atOnce: (most) => `其中最多有 ${count(most)} 次同时进行。`,
    effects: {
      timed_out: (runs, share) => `${runs} 次（${share} %）当时成功，将会超时`,
      too_late: (runs, share) => `${runs} 次（${share} %）当时成功，将会超过期限`,
      not_started: (runs, share) => `${runs} 次（${share} %）将不能按时开始`,
      failed_instead: (runs, share) => `${runs} 次（${share} %）当时靠重试成功，将不再有那次重试`,
      failed_sooner: (runs, share) => `${runs} 次（${share} %）当时失败，将以更少的尝试失败`,
      tried_again: (runs, share) => `${runs} 次（${share} %）当时失败，将会再试`,
      waited: (runs, share) => `${runs} 次（${share} %）将会等待空位`,
      skipped: (runs, share) => `${runs} 次（${share} %）将会被跳过`
    },
    waits: (all, longest) => `共 ${all}，最长 ${longest}`,
    unjudged: (fields) => `过去的运行无法说明这些改动：${fields}。`,
    python: "显示为 Python",
    pythonOf: (job) => `${job} 的 Python 定义`,
    pythonSays: "粘贴到执行器的代码中，即按现状定义该作业；函数体仍由您编写。"
  }
);
var imported = both({ title: "Import a crontab" }, { title: "导入 crontab" });
var added = both(
  {
    labels: { weight: "Weight", stop_when_open: "Ask attempts to stop while the breaker is open" },
    help: { weight: "its part of the slots that it shares with other jobs; empty: 1" }
  },
  {
    labels: { weight: "权重", stop_when_open: "熔断器断开时请求进行中的尝试停止" },
    help: { weight: "与其他作业共享槽位时所占的份额；空：1" }
  }
);
var tried = both(
  {
    title: "Canary",
    of: (version, share) => `version ${version} gets ${share} % of the runs`,
    none: (version) => `version ${version} gets no runs`,
    stopped: "stopped",
    version: "version",
    others: "all others",
    share: "share",
    retrying: "to be tried again",
    rate: "failure rate",
    nobody: "Nothing stops it but a person.",
    above: (share, runs) => `It is stopped when more than ${share} % of at least ${runs} of its runs fail.`,
    since: "counted since",
    end: "End the trial",
    askEnd: (job) => `End the trial of ${job}?`,
    endSays: (version) => `Runs go to any version of the code again, ${version} and all others.`
  },
  {
    title: "金丝雀",
    of: (version, share) => `版本 ${version} 得到 ${share} % 的运行`,
    none: (version) => `版本 ${version} 不再得到运行`,
    stopped: "已停止",
    version: "版本",
    others: "其余版本",
    share: "份额",
    retrying: "待重试",
    rate: "失败率",
    nobody: "只有人能停止它。",
    above: (share, runs) => `至少 ${runs} 次运行中失败超过 ${share} % 时停止。`,
    since: "统计自",
    end: "结束试用",
    askEnd: (job) => `结束 ${job} 的试用？`,
    endSays: (version) => `运行重新分给任一代码版本，包括 ${version} 和其余版本。`
  }
);

// pages/jobs/canary.tsx
function CanaryPanel({ job, canary }) {
  const w2 = tried.value;
  const resource = useResource(`jobs/${part(job.name)}/canary`, { every: 5e3 });
  const stopped = canary.share === 0;
  const note = stopped ? w2.none(canary.version) : w2.of(canary.version, percent(canary.share));
  return /* @__PURE__ */ a(Panel, { title: w2.title, note, more: /* @__PURE__ */ a(Button, { small: true, refused: refusal("jobs:write"), onClick: () => askEnd(job, canary), children: [
    w2.end,
    "…"
  ] }), children: [
    stopped && /* @__PURE__ */ a(Stopped, { job, canary }),
    /* @__PURE__ */ a(Shown, { of: resource, rows: 2, children: (found) => /* @__PURE__ */ a(Sides, { of: found }) })
  ] });
}
function Sides({ of }) {
  const w2 = tried.value;
  const states = words.value.states;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("table", { children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("th", { children: w2.version }),
        /* @__PURE__ */ a("th", { class: "num", children: w2.share }),
        /* @__PURE__ */ a("th", { class: "num", children: words.value.pages.runs }),
        /* @__PURE__ */ a("th", { class: "num", children: states.succeeded }),
        /* @__PURE__ */ a("th", { class: "num", children: states.failed }),
        /* @__PURE__ */ a("th", { class: "num", children: w2.retrying }),
        /* @__PURE__ */ a("th", { class: "num", children: w2.rate })
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: [
        /* @__PURE__ */ a(Side, { name: of.version, share: of.share, of: of.canary, most: of.stop_above }),
        /* @__PURE__ */ a(Side, { name: w2.others, share: 1 - of.share, of: of.others, most: null })
      ] })
    ] }),
    /* @__PURE__ */ a("p", { class: "quiet", children: [
      of.stop_above === null ? w2.nobody : w2.above(percent(of.stop_above), count(of.min_runs)),
      " ",
      w2.since,
      " ",
      /* @__PURE__ */ a(Ago, { at: of.since })
    ] })
  ] });
}
function Side({ name, share, of, most }) {
  const bad = most !== null && of.failure_rate > most;
  return /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: name }) }),
    /* @__PURE__ */ a("td", { class: "num", children: [
      percent(share),
      " %"
    ] }),
    /* @__PURE__ */ a("td", { class: "num", children: count(of.runs) }),
    /* @__PURE__ */ a("td", { class: "num", children: count(of.succeeded) }),
    /* @__PURE__ */ a("td", { class: "num", children: count(of.failed) }),
    /* @__PURE__ */ a("td", { class: "num", children: count(of.retrying) }),
    /* @__PURE__ */ a("td", { class: "num", children: of.runs === 0 ? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) : /* @__PURE__ */ a("b", { class: bad ? "is-failed" : "", children: [
      percent(of.failure_rate),
      " %"
    ] }) })
  ] });
}
function Stopped({ job, canary }) {
  const versions = useResource(`jobs/${part(job.name)}/versions?limit=100`, { every: 2e4 }).data.value?.versions;
  const since = versions && stoppedIn(versions, canary.version);
  return /* @__PURE__ */ a("p", { class: "quiet", children: [
    /* @__PURE__ */ a(Tag, { kind: "bad", children: tried.value.stopped }),
    " ",
    since && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Ago, { at: since.at }),
      " · ",
      /* @__PURE__ */ a("a", { href: linkWith({ tab: "versions", to: since.version, from: Math.max(1, since.version - 1) }, "jobs", job.name), children: since.note || `v${since.version}` })
    ] })
  ] });
}
function stoppedIn(versions, version) {
  const stops = (one) => one.definition.policy.canary?.version === version && one.definition.policy.canary.share === 0;
  const end = versions.findIndex((one) => !stops(one));
  return (end === -1 ? versions : versions.slice(0, end)).at(-1);
}
function askEnd(job, canary) {
  const w2 = tried.value;
  askFor({
    title: w2.askEnd(job.name),
    says: w2.endSays(canary.version),
    confirm: w2.end,
    command: () => `mainspring jobs canary ${quoted(job.name)} --end`,
    run: async (reason) => {
      await patch(`jobs/${part(job.name)}`, { policy: { ...job.policy, canary: null }, note: reason }, { headers: { "if-match": `"${job.version}"` } });
      outdateAll();
    }
  });
}

// pages/jobs/several.tsx
function SeveralJobs({ chosen, jobs }) {
  const w2 = words.value;
  const some = jobs.filter((job) => chosen.value.has(job.name));
  if (some.length === 0) return null;
  const denied = refusal("queues:steer");
  const running = some.filter((job) => !job.paused).map((job) => job.name);
  const paused = some.filter((job) => job.paused).map((job) => job.name);
  const leave = () => chosen.value = /* @__PURE__ */ new Set();
  return /* @__PURE__ */ a("div", { class: "bulk", role: "region", "aria-label": w2.jobs.several, children: [
    /* @__PURE__ */ a("b", { children: w2.runs.chosen(count(some.length)) }),
    /* @__PURE__ */ a("span", { class: "grow" }),
    /* @__PURE__ */ a(Button, { icon: "pause", refused: denied ?? (running.length === 0 ? w2.jobs.noneToPause : void 0), onClick: () => askPause(running, leave), children: [
      w2.queues.pause,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { icon: "play", refused: denied ?? (paused.length === 0 ? w2.jobs.noneToResume : void 0), onClick: () => void each("resume", paused).then(() => toast({ text: w2.jobs.resumedSeveral(count(paused.length)), act: { name: w2.undo, run: () => each("pause", paused, w2.run.undone) } }), tellRefusal).then(leave), children: w2.queues.resume }),
    /* @__PURE__ */ a(Button, { icon: "x", label: w2.close, onClick: leave })
  ] });
}
async function each(act, names, reason = "") {
  for (const name of names) await post(`jobs/${part(name)}/${act}`, act === "pause" ? { reason } : void 0);
  outdateAll();
}
function askPause(names, done) {
  const w2 = words.value;
  askFor({
    title: w2.jobs.askPauseSeveral(count(names.length)),
    says: /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("code", { children: [
        names.slice(0, 5).join(", "),
        names.length > 5 && ` ${w2.runs.andMore(count(names.length - 5))}`
      ] }),
      /* @__PURE__ */ a("br", {}),
      w2.jobs.pauseSays
    ] }),
    confirm: w2.jobs.pauseSeveral(count(names.length)),
    command: (reason) => names.slice(0, 5).map((name) => `mainspring jobs pause ${quoted(name)}${reason && ` --reason ${quoted(reason)}`}`).join("\n"),
    run: async (reason) => {
      await each("pause", names, reason);
      done();
      toast({ text: w2.jobs.pausedSeveral(count(names.length)), act: { name: w2.undo, run: () => each("resume", names) } });
    }
  });
}

// pages/jobs/list.tsx
var FEW = 10;
var RARE = 20;
function Jobs() {
  const w2 = words.value;
  const prefix = asked("prefix");
  const chosen = useSignal(/* @__PURE__ */ new Set());
  const resource = useResource(query("jobs", { prefix, limit: 200 }), { every: 2e4 });
  const figures = useResource("rates/jobs?step=hour&steps=24", { every: 15e3 }).data.value?.jobs ?? [];
  const runs = useResource("runs?limit=500", { every: 1e4 }).data.value?.runs ?? [];
  const recent = groupBy(runs);
  const rare = (resource.data.value?.jobs ?? []).map(({ name }) => name).filter((name) => (recent.get(name)?.length ?? 0) < FEW).slice(0, RARE);
  const wanted = [rare.slice(0, RARE / 2), rare.slice(RARE / 2)].map((names) => runs.length === 0 || names.length === 0 ? null : query("figures/jobs", { name: names }));
  const parts = [useResource(wanted[0] ?? null, { every: 3e4 }), useResource(wanted[1] ?? null, { every: 3e4 })];
  for (const one of parts.flatMap((part2) => part2.data.value?.jobs ?? [])) recent.set(one.job, one.runs);
  const triggers = useResource("triggers?limit=200", { every: 2e4 }).data.value?.triggers ?? [];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.jobs, children: [
      /* @__PURE__ */ a("input", { class: "input", "data-filter": true, "aria-label": w2.jobs.filter, placeholder: w2.jobs.filter, value: prefix, onInput: (event) => setQuery({ prefix: event.currentTarget.value }) }),
      /* @__PURE__ */ a(Button, { icon: "plus", refused: refusal("jobs:write"), onClick: () => void makeJob(null), children: [
        w2.jobs.make,
        "…"
      ] }),
      /* @__PURE__ */ a(ButtonLink, { icon: "save", href: linkWith({ view: "crontab" }, "triggers"), children: imported.value.title }),
      /* @__PURE__ */ a(RunDialogButton, {})
    ] }),
    /* @__PURE__ */ a("div", { class: "above-list", children: /* @__PURE__ */ a(Segments, { small: true, label: w2.runs.byState, on: asked("is"), choices: ["", "failing", "paused", "drifted", "idle"].map((id) => ({ id, name: id === "" ? w2.runs.all : w2.jobs.is[id] })), onChoose: (is) => setQuery({ is }) }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 8, children: ({ jobs: all }) => {
      const jobs = all.filter((job) => fits(job, figures.find((one) => one.job === job.name), asked("is")));
      return jobs.length === 0 ? /* @__PURE__ */ a(NoJobs, { filtered: prefix !== "" || asked("is") !== "" }) : /* @__PURE__ */ a(Table, { label: w2.pages.jobs, rows: jobs, columns: columns3(new Map(figures.map((one) => [one.job, one])), recent, triggers), keyOf: (job) => job.name, peekOf: (job) => `job:${job.name}`, chosen });
    } }) }),
    /* @__PURE__ */ a(SeveralJobs, { chosen, jobs: resource.data.value?.jobs ?? [] })
  ] });
}
function fits(job, figure, is) {
  const ended = (figure?.succeeded ?? 0) + (figure?.failed ?? 0);
  if (is === "failing") return ended > 0 && (figure?.succeeded ?? 0) / ended < 0.95;
  if (is === "paused") return job.paused !== null;
  return is === "drifted" ? job.drifted : is === "idle" ? ended === 0 : true;
}
function groupBy(runs) {
  const found = /* @__PURE__ */ new Map();
  for (const run of runs) found.set(run.job, [...found.get(run.job) ?? [], run]);
  return found;
}
function columns3(figures, runs, triggers) {
  const w2 = words.value;
  const of = (job) => figures.get(job.name);
  return [
    { id: "name", name: w2.job, cell: (job) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("a", { href: link("jobs", job.name), children: job.name }),
      " ",
      job.drifted && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.jobs.drifted }),
      " ",
      /* @__PURE__ */ a(PausedTag, { job })
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
function triesOf(policy2) {
  const tries = [{ number: 1, wait: 0, at: 0 }];
  for (let number = 2; number <= Math.min(policy2.attempts, SHOWN); number += 1) {
    const wait = Math.min(policy2.backoff * policy2.multiplier ** (number - 2), policy2.backoff_max);
    const at = (tries.at(-1)?.at ?? 0) + wait;
    if (policy2.budget !== null && at > policy2.budget) break;
    tries.push({ number, wait, at });
  }
  return tries;
}

// pages/jobs/policy-draft.ts
var own = (kind, more = {}) => ({ kind, in: "", ...more });
var retry = (kind) => ({ kind, in: "retry" });
var policy = (kind, more = {}) => ({ kind, in: "policy", ...more });
var SPECS = {
  attempts: retry("number"),
  backoff: retry("span"),
  multiplier: retry("number"),
  backoff_max: retry("span"),
  budget: retry("span"),
  retry_on: retry("list"),
  give_up_on: retry("list"),
  timeout: own("span"),
  deadline: own("span"),
  start_within: own("span"),
  on_lost: own("choice"),
  losses_max: own("number"),
  queue: own("text"),
  priority: own("number"),
  description: own("text"),
  at_once: policy("number"),
  limit_key: policy("list"),
  rate: policy("text", { below: "of" }),
  executor_limit: policy("number"),
  fair: policy("list", { below: "key" }),
  weight: policy("number"),
  blocking: policy("choice"),
  debounce: policy("span", { below: "period" }),
  throttle: policy("text", { below: "of" }),
  strategy: policy("choice", { part: "route" }),
  route_key: policy("list", { part: "route", field: "key" }),
  executors: policy("list", { part: "route" }),
  on_absent: policy("choice", { part: "route" }),
  requires: policy("lines"),
  prefers: policy("lines"),
  uses: policy("json"),
  runs_on: policy("text"),
  breaker: policy("text"),
  stop_when_open: policy("check"),
  history: policy("choice")
};
function valueIn(job, name, spec) {
  const holder = spec.in === "" ? job : job[spec.in];
  const place = spec.part ? holder[spec.part] : holder;
  const value = place?.[spec.field ?? name];
  return spec.below && value ? value[spec.below] : value;
}
function writtenOf(spec, value) {
  if (spec.kind === "lines") return (value ?? []).join("; ");
  if (spec.kind === "json" && (value === void 0 || Object.keys(value).length === 0)) return "";
  return written(spec.kind, value);
}
var USUAL = { blocking: "queue", strategy: "any", history: "all" };
function policyDraft(job) {
  return Object.fromEntries(Object.entries(SPECS).map(([name, spec]) => [name, writtenOf(spec, valueIn(job, name, spec)) || (USUAL[name] ?? "")]));
}
function valueOf(name, text) {
  const kind = SPECS[name]?.kind ?? "text";
  if (kind === "lines") return text.split(";").map((one) => one.trim()).filter((one) => one !== "");
  const value = read(kind, text);
  return kind === "choice" && value === "" ? null : value;
}
function policyChanges(job, draft) {
  const before = policyDraft(job);
  const names = Object.keys(SPECS).filter((name) => JSON.stringify(valueOf(name, draft[name] ?? "")) !== JSON.stringify(valueOf(name, before[name] ?? "")));
  const body = {};
  const tries = {};
  for (const name of names.filter((one) => SPECS[one]?.in !== "policy")) (SPECS[name]?.in === "retry" ? tries : body)[name] = valueOf(name, draft[name] ?? "");
  if (Object.keys(tries).length > 0) body["retry"] = tries;
  const changed = names.filter((name) => SPECS[name]?.in === "policy");
  if (changed.length > 0) body["policy"] = policyWith(job.policy, changed, draft);
  return { body, names };
}
function policyWith(before, names, draft) {
  const next = structuredClone(before);
  for (const name of names) {
    const spec = SPECS[name];
    const value = valueOf(name, draft[name] ?? "");
    const empty = value === "" || value === null || Array.isArray(value) && value.length === 0;
    const holder = spec.part ? next[spec.part] ??= {} : next;
    const field = spec.field ?? name;
    if (empty) delete holder[field];
    else holder[field] = spec.below ? { ...holder[field], [spec.below]: value } : value;
  }
  return next;
}

// pages/jobs/meaning.tsx
function Meaning({ draft, job }) {
  const w2 = words.value.policy;
  const figure = useResource("rates/jobs?step=hour&steps=168", { every: 6e4 }).data.value?.jobs.find((one) => one.job === job.name);
  const timeout = valueOf("timeout", draft["timeout"] ?? "");
  const spread = figure?.duration;
  return /* @__PURE__ */ a(Panel, { title: w2.meaning, children: /* @__PURE__ */ a("div", { class: "body meaning", children: [
    /* @__PURE__ */ a(Curve, { draft }),
    spread && /* @__PURE__ */ a("p", { class: "dim", children: w2.took(duration(spread.p50), duration(spread.p99), duration(spread.max)) }),
    spread && typeof timeout === "number" && /* @__PURE__ */ a("p", { class: timeout < spread.p99 ? "is-failed" : "is-succeeded", children: timeout < spread.p50 ? w2.cutsMost : timeout < spread.p95 ? w2.cutsMany : timeout < spread.p99 ? w2.cutsSome : timeout < spread.max ? w2.cutsFew : w2.cutsNone }),
    figure && /* @__PURE__ */ a("p", { class: "dim", children: w2.lately(percent(figure.succeeded / Math.max(1, figure.succeeded + figure.failed))) }),
    spread && /* @__PURE__ */ a(Pace, { draft, seconds: spread.mean, figure: figure.succeeded + figure.failed }),
    /* @__PURE__ */ a(Qualify, { draft }),
    draft["breaker"] && /* @__PURE__ */ a(BreakerSays, { name: draft["breaker"] }),
    job.code && /* @__PURE__ */ a("p", { class: "dim", children: job.drifted ? w2.drifted : w2.asCode })
  ] }) });
}
function Curve({ draft }) {
  const w2 = words.value.policy;
  const number = (name, otherwise) => {
    const value = valueOf(name, draft[name] ?? "");
    return typeof value === "number" ? value : otherwise;
  };
  const budget = valueOf("budget", draft["budget"] ?? "");
  const tries = triesOf({ attempts: number("attempts", 1), backoff: number("backoff", 1), backoff_max: number("backoff_max", 600), multiplier: number("multiplier", 2), budget: typeof budget === "number" ? budget : null });
  const last = tries.at(-1)?.at ?? 0;
  const x = (at) => 12 + (last === 0 ? 0 : Math.log1p(at) / Math.log1p(last) * 400);
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("svg", { class: "curve chart", viewBox: "0 0 430 66", role: "img", "aria-label": w2.tries(tries.length, duration(last)), children: [
      /* @__PURE__ */ a("line", { x1: "12", x2: x(last), y1: "24", y2: "24", class: "axis" }),
      tries.map((one) => /* @__PURE__ */ a("g", { children: [
        /* @__PURE__ */ a("circle", { cx: x(one.at), cy: "24", r: "5", fill: "var(--accent-fill)" }),
        /* @__PURE__ */ a("text", { x: x(one.at), y: "11", "text-anchor": "middle", children: one.number }),
        one.number > 1 && /* @__PURE__ */ a("text", { x: x(one.at), y: "44", "text-anchor": "middle", children: one.wait > 0 ? `+${duration(one.wait)}` : "" })
      ] }, one.number))
    ] }),
    /* @__PURE__ */ a("p", { children: tries.length === 1 ? w2.oneTry : w2.tries(tries.length, duration(last)) })
  ] });
}
function Pace({ draft, seconds, figure }) {
  const w2 = words.value.policy;
  const atOnce = valueOf("at_once", draft["at_once"] ?? "");
  if (typeof atOnce !== "number" || seconds <= 0) return null;
  const room = atOnce / seconds * 3600;
  const usual = figure / 168;
  return /* @__PURE__ */ a("p", { class: room < usual ? "is-failed" : "dim", children: w2.pace(count(Math.floor(room)), count(Math.round(usual))) });
}
function Qualify({ draft }) {
  const w2 = words.value.policy;
  const executors = useResource("executors?limit=100", { every: 15e3 }).data.value?.executors;
  const limits = useResource("limits", { every: 15e3 }).data.value?.limits.filter((one) => one.scope === "queue" && one.name === draft["queue"]);
  if (!executors) return null;
  const listen = executors.filter((one) => one.queues.includes(draft["queue"] ?? ""));
  const named = (valueOf("requires", draft["requires"] ?? "") ?? []).filter((one) => /^[\w./-]+$/.test(one));
  const fit = listen.filter((one) => named.every((label) => one.labels[label] !== void 0 && one.labels[label] !== "false"));
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("p", { class: fit.length === 0 ? "is-failed" : "dim", children: w2.qualify(fit.length, executors.length, draft["queue"] ?? "") }),
    limits?.map((one) => /* @__PURE__ */ a("p", { class: "dim", children: w2.queueLimit(one.at_once === null ? "–" : count(one.at_once), one.rate ?? "–") }, one.name))
  ] });
}
function BreakerSays({ name }) {
  const w2 = words.value;
  const resource = useResource(`breakers/${part(name)}`, { every: 5e3 });
  const found = resource.data.value;
  if (!found) return /* @__PURE__ */ a("p", { class: "dim", children: resource.error.value ? w2.policy.noBreaker(name) : "" });
  return /* @__PURE__ */ a("p", { class: found.state === "closed" ? "dim" : "is-failed", children: [
    /* @__PURE__ */ a("a", { class: "link", href: link("breakers", name), children: name }),
    ": ",
    w2.breakers.states[found.state],
    ", ",
    w2.breakers.window(count(found.calls), count(found.failures), count(found.slow))
  ] });
}

// pages/jobs/what-if.tsx
var REST = 300;
var BAD = /* @__PURE__ */ new Set(["timed_out", "too_late", "not_started", "failed_instead", "skipped"]);
function WhatIf({ job, body }) {
  const w2 = replayed.value;
  const found = useSignal(null);
  const error = useSignal(null);
  const asked2 = JSON.stringify(body);
  A(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      if (asked2 === "{}") found.value = error.value = null;
      else void post(`jobs/${part(job.name)}/what-if`, { changes: body }, { signal: stop.signal }).then(
        ({ data }) => {
          found.value = data;
          error.value = null;
        },
        (refused) => {
          if (refused instanceof Refusal && !refused.field) error.value = refused;
        }
      );
    }, REST);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked2, job.version]);
  return /* @__PURE__ */ a(Panel, { title: w2.title, class: "what-if", children: /* @__PURE__ */ a("div", { class: "body meaning", "aria-live": "polite", children: [
    error.value ? /* @__PURE__ */ a(Failed, { error: error.value, slim: true }) : found.value ? /* @__PURE__ */ a(Replayed, { found: found.value }) : /* @__PURE__ */ a("p", { class: "dim", children: w2.ask }),
    found.value && /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: words.value.asCommand }),
      /* @__PURE__ */ a(Command, { line: `mainspring jobs what-if ${quoted(job.name)}${settings(body)}` })
    ] })
  ] }) });
}
function Replayed({ found }) {
  const w2 = replayed.value;
  if (found.runs === 0) return /* @__PURE__ */ a("p", { class: "dim", children: w2.none });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("p", { children: [
      w2.looked(found.runs, found.succeeded, found.failed),
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: w2.atOnce(found.at_once) })
    ] }),
    found.effects.length === 0 && /* @__PURE__ */ a("p", { class: "is-succeeded", children: w2.same }),
    found.effects.length > 0 && /* @__PURE__ */ a("ul", { class: "effects", children: found.effects.map((one) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(One, { one, of: found.runs }) }, one.effect)) }),
    found.unjudged.length > 0 && /* @__PURE__ */ a("p", { class: "dim", children: w2.unjudged(found.unjudged.join(", ")) })
  ] });
}
function One({ one, of }) {
  const w2 = replayed.value;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("span", { class: BAD.has(one.effect) ? "is-failed" : "", children: w2.effects[one.effect](count(one.runs), percent(one.runs / of)) }),
    one.seconds > 0 && /* @__PURE__ */ a("span", { class: "dim", children: [
      ": ",
      w2.waits(duration(one.seconds), duration(one.longest))
    ] }),
    /* @__PURE__ */ a("span", { class: "samples", children: one.samples.map((id) => /* @__PURE__ */ a("a", { class: "link mono", href: link("runs", id), children: shortId(id) }, id)) })
  ] });
}
function settings(body) {
  const plain = (value) => Array.isArray(value) ? value.join(",") : value;
  return Object.entries(body).flatMap(([name, value]) => name === "retry" ? Object.entries(value).map(([inner, one]) => [`retry.${inner}`, one]) : [[name, value]]).map(([name, value]) => ` --set ${quoted(`${name}=${typeof plain(value) === "string" ? plain(value) : JSON.stringify(plain(value))}`)}`).join("");
}

// pages/jobs/policy.tsx
var SECTIONS = {
  retry: ["attempts", "backoff", "multiplier", "backoff_max", "budget", "retry_on", "give_up_on"],
  time: ["timeout", "deadline", "start_within"],
  lost: ["on_lost", "losses_max"],
  place: ["queue", "priority", "description"],
  limits: ["at_once", "limit_key", "rate", "executor_limit", "fair", "weight"],
  overlap: ["blocking", "debounce", "throttle"],
  routing: ["strategy", "route_key", "executors", "on_absent", "requires", "prefers", "uses", "runs_on"],
  guard: ["breaker", "stop_when_open", "history"]
};
var STRATEGIES = ["any", "least_loaded", "least_used", "least_recent", "round_robin", "random", "hash", "first", "last", "failover", "fixed", "broadcast"];
function PolicyEditor({ job }) {
  const w2 = words.value;
  const draft = useSignal(policyDraft(job));
  const note = useSignal("");
  const error = useSignal(null);
  const base = useSignal(job);
  const theirs = base.value.version !== job.version;
  A(() => {
    if (policyChanges(base.peek(), draft.peek()).names.length > 0) return;
    base.value = job;
    draft.value = policyDraft(job);
  }, [job.version]);
  const { body, names } = policyChanges(base.value, draft.value);
  const drop = () => {
    draft.value = policyDraft(job);
    base.value = job;
    error.value = null;
  };
  const save = async () => {
    error.value = null;
    try {
      await patch(`jobs/${part(job.name)}`, { ...body, note: note.value }, { headers: { "if-match": `"${base.value.version}"` } });
      toast({ text: w2.jobs.saved(job.name) });
      base.value = { ...base.value, version: -1 };
      draft.value = policyDraft(job);
      outdateAll();
    } catch (refused) {
      error.value = refused;
      if (error.value.status === 412) outdateAll();
    }
  };
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "columns editor", children: [
      /* @__PURE__ */ a(Panel, { class: "form", children: Object.entries(SECTIONS).map(([id, fields]) => /* @__PURE__ */ a(Section, { id, fields, draft, error: error.value, changed: names }, id)) }),
      /* @__PURE__ */ a("div", { class: "stack", children: [
        /* @__PURE__ */ a(Meaning, { draft: draft.value, job }),
        /* @__PURE__ */ a(WhatIf, { job, body })
      ] })
    ] }),
    theirs && names.length > 0 && /* @__PURE__ */ a(TheirsTable, { fields: fieldSpecs(), draft, theirs: policyDraft(job), only: names, onSettled: () => base.value = job }),
    error.value && !error.value.field && error.value.status !== 412 && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    names.length > 0 && /* @__PURE__ */ a("div", { class: "savebar", role: "region", "aria-label": w2.policy.changes(names.length), children: [
      /* @__PURE__ */ a("b", { children: w2.policy.changes(names.length) }),
      /* @__PURE__ */ a("span", { class: "grow cut", children: names.map((name) => /* @__PURE__ */ a("span", { class: "change", children: [
        name,
        " ",
        /* @__PURE__ */ a("s", { children: policyDraft(base.value)[name] || "–" }),
        " ",
        draft.value[name] || "–"
      ] }, name)) }),
      /* @__PURE__ */ a("input", { class: "input", placeholder: w2.policy.note, "aria-label": w2.policy.note, value: note.value, onInput: (event) => note.value = event.currentTarget.value }),
      /* @__PURE__ */ a(Button, { onClick: drop, children: w2.policy.drop }),
      /* @__PURE__ */ a(Button, { kind: "main", refused: refusal("jobs:write"), onClick: () => void save(), children: w2.policy.save(job.version + 1) })
    ] }),
    job.origin === "code" && names.length > 0 && /* @__PURE__ */ a("p", { class: "dim", children: w2.policy.drift })
  ] });
}
function choicesOf(name) {
  const w2 = words.value.policy;
  if (name === "on_lost") return Object.entries(w2.lostChoices);
  if (name === "blocking") return Object.entries(w2.blockingChoices);
  if (name === "history") return Object.entries(w2.historyChoices);
  if (name === "on_absent") return Object.entries(w2.absentChoices);
  return name === "strategy" ? STRATEGIES.map((id) => [id, w2.strategies[id]]) : void 0;
}
function fieldSpecs(names = Object.keys(SPECS)) {
  const w2 = words.value.policy;
  return names.map((name) => {
    const kind = SPECS[name]?.kind ?? "text";
    const choices = choicesOf(name);
    const help = w2.help[name] ?? added.value.help[name];
    return { name, kind: kind === "lines" ? "text" : kind, label: w2.labels[name] ?? added.value.labels[name] ?? name, ...help ? { help } : {}, ...choices ? { choices } : {} };
  });
}
function Section({ id, fields, draft, error, changed }) {
  const w2 = words.value.policy;
  const breakers = useResource(id === "guard" ? "breakers" : null, { every: 3e4 }).data.value?.breakers.map((one) => one.name);
  const wrong = error?.field?.split(".").at(-1)?.replace(/\[.*$/, "");
  return /* @__PURE__ */ a("section", { children: [
    /* @__PURE__ */ a("h2", { children: w2.sections[id] }),
    /* @__PURE__ */ a("div", { class: "grid-fields", children: fieldSpecs(fields).map((field) => /* @__PURE__ */ a("div", { class: `${changed.includes(field.name) ? "is-changed" : ""} ${field.kind === "json" ? "all-columns" : ""}`, children: /* @__PURE__ */ a(TypedField, { field: field.name === "breaker" && breakers ? { ...field, known: breakers } : field, draft, error: wrong === field.name || error?.field === field.name ? error?.message : void 0 }) }, field.name)) })
  ] });
}

// pages/jobs/python.tsx
var shown = y("");
function showPython(job) {
  shown.value = job;
}
function PythonDialog() {
  return shown.value === "" ? null : /* @__PURE__ */ a(Code, { job: shown.value });
}
function Code({ job }) {
  const w2 = replayed.value;
  const resource = useResource(`jobs/${part(job)}/python`);
  return /* @__PURE__ */ a(Modal, { title: w2.pythonOf(job), onClose: () => shown.value = "", wide: true, children: [
    /* @__PURE__ */ a("p", { class: "says", children: w2.pythonSays }),
    /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: ({ code }) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("pre", { class: "block", tabIndex: 0, children: code }),
      /* @__PURE__ */ a(Button, { icon: "copy", onClick: () => void copy(code), children: words.value.copy })
    ] }) }),
    /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: words.value.asCommand }),
      /* @__PURE__ */ a(Command, { line: `mainspring jobs python ${quoted(job)}` })
    ] })
  ] });
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
      /* @__PURE__ */ a(PausedTag, { job }),
      /* @__PURE__ */ a("a", { class: "tag", href: link("queues", job.queue), children: job.queue })
    ] }), children: [
      job && /* @__PURE__ */ a(PauseButton, { job }),
      /* @__PURE__ */ a(RunDialogButton, { job: name }),
      /* @__PURE__ */ a(Menu, { label: w2.run.more, face: /* @__PURE__ */ a(Icon, { name: "more" }), kind: "button only", children: [
        /* @__PURE__ */ a(MenuItem, { icon: "plus", onChoose: () => go(linkWith({ job: name }, "triggers", "new")), children: w2.jobs.newTrigger }),
        job && /* @__PURE__ */ a(MenuItem, { icon: "copy", refused: refusal("jobs:write"), onChoose: () => void makeJob(job), children: [
          w2.jobs.clone,
          "…"
        ] }),
        /* @__PURE__ */ a(MenuItem, { icon: "command", onChoose: () => showPython(name), children: [
          replayed.value.python,
          "…"
        ] }),
        /* @__PURE__ */ a(MenuItem, { icon: "trash", danger: true, refused: refusal("jobs:write"), onChoose: () => askDelete(name), children: [
          w2.jobs.remove,
          "…"
        ] })
      ] })
    ] }),
    /* @__PURE__ */ a(PythonDialog, {}),
    /* @__PURE__ */ a(Tabs, { tabs, on: tab, label: name }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (found) => /* @__PURE__ */ a($, { children: [
      tab === "overview" && /* @__PURE__ */ a(JobOverview, { job: found }),
      tab === "runs" && /* @__PURE__ */ a(JobRuns, { name }),
      tab === "triggers" && /* @__PURE__ */ a(JobTriggers, { name }),
      tab === "policy" && /* @__PURE__ */ a(PolicyEditor, { job: found }),
      tab === "versions" && /* @__PURE__ */ a(Versions, { job: found }),
      tab === "audit" && /* @__PURE__ */ a(AuditOf, { kind: "job", name })
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
    job.policy.canary && /* @__PURE__ */ a(CanaryPanel, { job, canary: job.policy.canary }),
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

// pages/workflows/words.ts
var written2 = both(
  {
    form: "written as",
    add: "Add a step",
    note: "The server checks the text while it is typed. Comments are not kept.",
    at: (line, column) => `line ${line}, column ${column}`
  },
  {
    form: "写法",
    add: "添加步骤",
    note: "输入时由服务器检查。注释不会保存。",
    at: (line, column) => `第 ${line} 行第 ${column} 列`
  }
);

// pages/workflows/editor.tsx
var REST2 = 250;
var SAMPLE = "steps:\n  extract:\n    job: extract\n  convert:\n    job: convert\n    after: [extract]\n  post:\n    job: post\n    after: [convert]\n";
var FORMS = [{ id: "yaml", name: "YAML" }, { id: "json", name: "JSON" }];
function DefinitionEditor({ workflow, raw = "" }) {
  const start = useSignal(workflow ? null : SAMPLE);
  const error = useSignal(null);
  A(() => {
    if (!workflow) return;
    void check(wholeOf(workflow, raw)).then(([found, refused]) => [start.value, error.value] = [found?.text ?? null, refused]);
  }, []);
  if (error.value) return /* @__PURE__ */ a(Failed, { error: error.value });
  return start.value === null ? /* @__PURE__ */ a(Waiting, { rows: 8 }) : /* @__PURE__ */ a(Editor, { workflow, start: start.value });
}
function Editor({ workflow, start }) {
  const w2 = words.value;
  const name = useSignal(workflow?.name ?? "");
  const text = useSignal(start);
  const form = useSignal("yaml");
  const kept = useSignal(start);
  const note = useSignal("");
  const error = useSignal(null);
  const checked = useSignal(null);
  const area = T(null);
  A(() => {
    const timer = setTimeout(() => void check(text.value).then((found2) => [checked.value, error.value] = found2), REST2);
    return () => clearTimeout(timer);
  }, [text.value]);
  const found = checked.value;
  const faults = found?.faults ?? [];
  const turn = (to) => {
    if (!found?.definition || to === form.value) return;
    const isKept = text.value === kept.value;
    form.value = to;
    text.value = to === "yaml" ? found.text : writeExact({ kind: "object", entries: found.exact });
    if (isKept) kept.value = text.value;
  };
  const save = async () => {
    try {
      await put(`workflows/${part(name.value)}`, writeExact({ kind: "object", entries: [...found?.exact ?? [], ["note", { kind: "string", value: note.value }]] }), workflow ? { headers: { "if-match": `"${workflow.version}"` } } : {});
      outdateAll();
      toast({ text: w2.jobs.saved(name.value) });
      go(link("workflows", name.value));
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
    }
  };
  const dirty = workflow === null || text.value !== kept.value;
  const ready = found?.definition && faults.length === 0 && error.value === null;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "columns two", children: [
      /* @__PURE__ */ a(Panel, { title: w2.workflows.tabs.definition, note: written2.value.note, more: /* @__PURE__ */ a(Segments, { small: true, label: written2.value.form, on: form.value, choices: FORMS, onChoose: (to) => turn(to) }), children: /* @__PURE__ */ a("div", { class: "body", children: [
        !workflow && /* @__PURE__ */ a(Field, { label: w2.forms.labels.name, children: /* @__PURE__ */ a("input", { class: "input mono", value: name.value, onInput: (event) => name.value = event.currentTarget.value }) }),
        /* @__PURE__ */ a(Written, { text, faults, area }),
        form.value === "yaml" && found?.definition && /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a(Button, { small: true, icon: "plus", onClick: () => text.value = withStep(text.value, found.graph.map((step) => step.name)), children: written2.value.add }) }),
        /* @__PURE__ */ a(Faults, { of: faults, onGo: (fault) => goTo(area.current, fault) }),
        error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true })
      ] }) }),
      /* @__PURE__ */ a(Panel, { title: w2.workflows.graph, note: found && faults.length === 0 ? w2.workflows.nSteps(found.graph.length) : void 0, children: [
        found && found.graph.length > 0 && /* @__PURE__ */ a(Graph, { steps: found.graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents, note: step.job })), on: "", onChoose: () => {
        } }),
        found && found.unserved.length > 0 && /* @__PURE__ */ a("p", { class: "note-box", children: w2.workflows.unserved(found.unserved.join(", ")) })
      ] })
    ] }),
    dirty && /* @__PURE__ */ a("div", { class: "savebar", role: "region", "aria-label": w2.people.save, children: [
      /* @__PURE__ */ a("b", { children: ready ? w2.workflows.checkedWell : w2.workflows.notYet }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a("input", { class: "input", placeholder: w2.policy.note, "aria-label": w2.policy.note, value: note.value, onInput: (event) => note.value = event.currentTarget.value }),
      workflow && /* @__PURE__ */ a(Button, { onClick: () => text.value = kept.value, children: w2.policy.drop }),
      /* @__PURE__ */ a(Button, { kind: "main", refused: refusal("jobs:write") ?? (!ready || name.value.trim() === "" ? w2.fillFirst : void 0), onClick: () => void save(), children: w2.policy.save((workflow?.version ?? 0) + 1) })
    ] })
  ] });
}
function Written({ text, faults, area }) {
  const gutter = T(null);
  const wrong = new Set(faults.map((fault) => fault.line));
  return /* @__PURE__ */ a("div", { class: "written", children: [
    /* @__PURE__ */ a("div", { class: "gutter", ref: gutter, "aria-hidden": "true", children: text.value.split("\n").map((_, line) => /* @__PURE__ */ a("span", { class: wrong.has(line + 1) ? "wrong" : "", children: line + 1 }, line)) }),
    /* @__PURE__ */ a(
      "textarea",
      {
        ref: area,
        class: "input code",
        rows: 24,
        wrap: "off",
        spellcheck: false,
        "aria-label": words.value.workflows.text,
        "aria-invalid": faults.length > 0,
        "aria-describedby": "text-faults",
        value: text.value,
        onInput: (event) => text.value = event.currentTarget.value,
        onScroll: (event) => gutter.current && (gutter.current.scrollTop = event.currentTarget.scrollTop)
      }
    )
  ] });
}
function Faults({ of, onGo }) {
  const w2 = written2.value;
  return /* @__PURE__ */ a("ul", { id: "text-faults", class: "text-faults", "aria-live": "polite", children: of.map((fault) => /* @__PURE__ */ a("li", { children: [
    /* @__PURE__ */ a("button", { type: "button", class: "link", onClick: () => onGo(fault), children: w2.at(count(fault.line), count(fault.column)) }),
    " ",
    fault.field && /* @__PURE__ */ a("code", { children: fault.field }),
    " ",
    /* @__PURE__ */ a("span", { class: "is-failed", children: fault.reason })
  ] }, `${fault.line} ${fault.column} ${fault.reason}`)) });
}
function withStep(text, names) {
  const lines = text.replace(/\n*$/, "").split("\n");
  const first = lines.findIndex((line) => /^steps:\s*$/.test(line));
  if (first < 0) return text;
  const behind = lines.findIndex((line, at2) => at2 > first && /^[^\s#]/.test(line));
  const at = behind < 0 ? lines.length : behind;
  const last = names.at(-1);
  let name = `step-${names.length + 1}`;
  while (names.includes(name)) name += "x";
  const made = [`  ${name}:`, "    job: name-of-a-job", ...last ? [`    after: [${last}]`] : []];
  return [...lines.slice(0, at), ...made, ...lines.slice(at), ""].join("\n");
}
function goTo(area, { line, column }) {
  if (!area) return;
  const before = area.value.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(before + column - 1, before + column);
  area.scrollTop = Math.max(0, (line - 8) * 18);
}
function wholeOf(workflow, raw) {
  const beside = { ...workflow.description ? { description: workflow.description } : {}, queue: workflow.queue, priority: workflow.priority };
  return writeExact({ kind: "object", entries: [...entriesOf(JSON.stringify(beside)), ...entriesOf(raw, "definition")] });
}
function entriesOf(text, name = "") {
  const whole = parseExact(text);
  const found = name === "" ? whole : member(whole, name);
  return found?.kind === "object" ? found.entries : [];
}
async function check(text) {
  try {
    const answer = await post("workflow-texts", { text });
    return [{ ...answer.data, exact: entriesOf(answer.text, "definition") }, null];
  } catch (refused) {
    return [null, refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) })];
  }
}

// parts/shapes.ts
var SIDE = 16;
var PAINTS = ["fill", "stroke"];
function colourOf(on, token) {
  on.style.color = `var(--${token})`;
  return getComputedStyle(on).color;
}
function shapeOf(state, size, colours) {
  const image = document.createElement("canvas");
  image.width = image.height = size;
  const pen = image.getContext("2d");
  const symbol = document.getElementById(`s-${state}`);
  if (!pen || !symbol) return image;
  pen.scale(size / SIDE, size / SIDE);
  for (const child of symbol.children) paint(pen, child, colours);
  return image;
}
function paint(pen, shape, colours) {
  const said = (name) => shape.getAttribute(name);
  const path = pathOf(shape);
  pen.globalAlpha = Number(said("opacity") ?? 1);
  pen.lineWidth = Number(said("stroke-width") ?? 1);
  pen.lineCap = said("stroke-linecap") ?? "butt";
  pen.lineJoin = said("stroke-linejoin") ?? "miter";
  pen.setLineDash((said("stroke-dasharray") ?? "").split(" ").filter(Boolean).map(Number));
  for (const kind of PAINTS) {
    const wanted = said(kind);
    if (!wanted || wanted === "none") continue;
    pen[`${kind}Style`] = wanted === "currentColor" ? colours.currentColor : colours.surface;
    pen[kind](path);
  }
}
function pathOf(shape) {
  if (shape.tagName !== "circle") return new Path2D(shape.getAttribute("d") ?? "");
  const path = new Path2D();
  const [x, y2, radius] = ["cx", "cy", "r"].map((name) => Number(shape.getAttribute(name)));
  path.arc(x ?? 0, y2 ?? 0, radius ?? 0, 0, 2 * Math.PI);
  return path;
}

// pages/workflows/grid.ts
var CELL = 24;
var ROW = 26;
var NAMES = 190;
var MARGIN = 4;
var STATE_OF = { w: "queued", b: "running", s: "succeeded", f: "failed", c: "cancelled", k: "skipped" };
function windowOf(view, rows, columns5) {
  return { rows: range(view.top / ROW - 1, view.height / ROW, rows), columns: range((view.left - NAMES) / CELL, (view.width + NAMES) / CELL, columns5) };
}
function range(first, size, all) {
  const from = Math.max(0, Math.floor(first) - MARGIN);
  const to = Math.min(all, Math.ceil(first + size) + MARGIN);
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);
}
function moved(key, [row, column], rows, columns5) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -columns5], End: [0, columns5] };
  const step = steps[key];
  if (!step) return null;
  return [Math.max(0, Math.min(rows - 1, row + step[0])), Math.max(0, Math.min(columns5 - 1, column + step[1]))];
}
function scrollTo(view, [row, column]) {
  return { left: within(view.left, column * CELL, view.width - NAMES - CELL), top: within(view.top, row * ROW, view.height - 2 * ROW) };
}
function within(at, wanted, room) {
  return Math.max(wanted - room, Math.min(at, wanted));
}

// pages/workflows/cells.tsx
var SHAPE = 14;
function CellPicture({ runs, rows, columns: columns5, chosen, onOpen }) {
  const canvas = T(null);
  const isDark = useDark();
  const [top, left] = [rows[0] ?? 0, columns5[0] ?? 0];
  const [width, height] = [columns5.length * CELL, rows.length * ROW];
  F(() => {
    if (canvas.current) draw(canvas.current, { runs, rows, columns: columns5, chosen, onOpen });
  }, [runs, top, left, width, height, chosen[0], chosen[1], isDark, theme.value]);
  const open2 = (event) => onOpen(top + Math.floor(event.offsetY / ROW), left + Math.floor(event.offsetX / CELL));
  return /* @__PURE__ */ a("canvas", { ref: canvas, "aria-hidden": "true", onClick: open2, style: { left: `${NAMES + left * CELL}px`, top: `${(top + 1) * ROW}px`, width: `${width}px`, height: `${height}px` } });
}
function useDark() {
  const dark = useSignal(matchMedia("(prefers-color-scheme: dark)").matches);
  A(() => {
    const query2 = matchMedia("(prefers-color-scheme: dark)");
    const hear = () => dark.value = query2.matches;
    query2.addEventListener("change", hear);
    return () => query2.removeEventListener("change", hear);
  }, []);
  return dark.value;
}
function draw(canvas, { runs, rows, columns: columns5, chosen }) {
  const scale = devicePixelRatio;
  canvas.width = columns5.length * CELL * scale;
  canvas.height = rows.length * ROW * scale;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(scale, scale);
  const surface = colourOf(canvas, "surface");
  const shapes = new Map(Object.entries(STATE_OF).map(([letter, state]) => [letter, shapeOf(state, SHAPE * scale, { currentColor: colourOf(canvas, state), surface })]));
  const none = colourOf(canvas, "line-strong");
  const [tint, accent] = [colourOf(canvas, "accent-tint"), colourOf(canvas, "accent")];
  rows.forEach((row, down) => columns5.forEach((column, along) => {
    const [x, y2] = [along * CELL, down * ROW];
    if (row === chosen[0] && column === chosen[1]) mark(pen, x, y2, tint, accent);
    const shape = shapes.get(runs[column]?.cells[row] ?? "-");
    if (shape) pen.drawImage(shape, x + (CELL - SHAPE) / 2, y2 + (ROW - SHAPE) / 2, SHAPE, SHAPE);
    else dash(pen, x, y2, none);
  }));
}
function mark(pen, x, y2, tint, accent) {
  pen.fillStyle = tint;
  pen.strokeStyle = accent;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.roundRect(x + 1, y2 + 2, CELL - 2, ROW - 4, 3);
  pen.fill();
  pen.stroke();
}
function dash(pen, x, y2, colour) {
  pen.fillStyle = colour;
  pen.fillRect(x + CELL / 2 - 3, y2 + ROW / 2 - 0.5, 6, 1);
}

// pages/workflows/grid.tsx
function Grid({ name }) {
  const w2 = words.value;
  const resource = useResource(`workflows/${part(name)}/grid?limit=100`, { every: 3e3 });
  return /* @__PURE__ */ a(Panel, { title: w2.workflows.tabs.grid, note: w2.workflows.gridNote, children: /* @__PURE__ */ a(Shown, { of: resource, rows: 8, children: (grid) => grid.runs.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.noRuns }) : /* @__PURE__ */ a(Cells, { name, grid }) }) });
}
function Cells({ name, grid }) {
  const w2 = words.value;
  const box = T(null);
  const view = useSignal({ left: 0, top: 0, width: 1200, height: 560 });
  const at = useSignal([0, grid.runs.length - 1]);
  const runs = w(() => [...grid.runs].reverse(), [grid]);
  const look = () => box.current && (view.value = { left: box.current.scrollLeft, top: box.current.scrollTop, width: box.current.clientWidth, height: box.current.clientHeight });
  A(() => {
    box.current?.scrollTo({ left: box.current.scrollWidth });
    look();
  }, [name]);
  const shown2 = windowOf(view.value, grid.steps.length, runs.length);
  const [row, column] = at.value;
  const key = (event) => {
    const next = moved(event.key, at.value, grid.steps.length, runs.length);
    if (next) {
      event.preventDefault();
      at.value = next;
      box.current?.scrollTo(scrollTo(view.peek(), next));
    } else if (event.key === "Enter") open(name, runs[column], grid.steps[row]);
  };
  const states = w2.states;
  const chosen = runs[column];
  const state = STATE_OF[chosen?.cells[row] ?? "-"] ?? "";
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "grid-box", ref: box, onScroll: look, tabIndex: 0, role: "application", "aria-label": w2.workflows.gridSays(grid.steps.length, runs.length), "aria-describedby": "grid-at", onKeyDown: key, children: /* @__PURE__ */ a("div", { class: "grid-inside", style: { width: `${NAMES + runs.length * CELL}px`, height: `${(grid.steps.length + 1) * ROW}px` }, children: [
      /* @__PURE__ */ a("div", { class: "grid-head", style: { height: `${ROW}px` }, children: shown2.columns.map((place) => {
        const run = runs[place];
        return run && /* @__PURE__ */ a("a", { href: linkWith({ run: run.id }, "workflows", name), tabIndex: -1, title: fullTime(Date.parse(run.began_at)), "aria-label": `${states[run.state] ?? run.state}, ${relative((Date.parse(run.began_at) - now.peek()) / 1e3)}`, style: { left: `${NAMES + place * CELL}px` }, class: `head-${run.state}`, children: /* @__PURE__ */ a("i", { class: `fill-${run.state}` }) }, run.id);
      }) }),
      /* @__PURE__ */ a(CellPicture, { runs, rows: shown2.rows, columns: shown2.columns, chosen: at.value, onOpen: (one, other) => open(name, runs[other], grid.steps[one]) }),
      /* @__PURE__ */ a("div", { class: "grid-names", style: { height: `${grid.steps.length * ROW}px` }, children: shown2.rows.map((place) => /* @__PURE__ */ a("span", { class: "grid-name cut", style: { top: `${place * ROW}px` }, title: grid.steps[place], children: grid.steps[place] }, grid.steps[place])) })
    ] }) }),
    /* @__PURE__ */ a("p", { class: "grid-foot", id: "grid-at", role: "status", children: [
      grid.steps[row],
      ": ",
      /* @__PURE__ */ a("b", { children: states[state] ?? w2.workflows.noCell }),
      chosen && ` · ${fullTime(Date.parse(chosen.began_at))} · v${chosen.version}`
    ] })
  ] });
}
function open(name, run, step) {
  if (run) go(linkWith({ run: run.id, step: step ?? null }, "workflows", name));
}

// pages/workflows/acts.tsx
async function askAgain(id, what, step = "") {
  const w2 = words.value.workflows;
  const body = what === "resume" ? {} : { step };
  const titles = { retry: w2.askRetry(step), skip: w2.askSkip(step), resume: w2.askResume };
  const names = { retry: w2.retryFrom, skip: w2.skip, resume: w2.resume };
  try {
    const { data } = await post(`workflow-runs/${id}/${what}`, { ...body, dry_run: true });
    askFor({
      title: titles[what],
      says: /* @__PURE__ */ a($, { children: [
        w2.again(data.steps.length),
        " ",
        /* @__PURE__ */ a("code", { children: data.steps.join(", ") }),
        ". ",
        w2.kept
      ] }),
      confirm: names[what],
      command: (reason) => `mainspring workflows runs ${what} ${id}${step && ` ${quoted(step)}`}${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        await post(`workflow-runs/${id}/${what}`, { ...body, reason });
        outdateAll();
        toast({ text: w2.begun });
      }
    });
  } catch (error) {
    tellRefusal(error);
  }
}
function askStop(id) {
  const w2 = words.value.workflows;
  askFor({
    title: w2.askStop,
    says: w2.stopSays,
    reason: "no",
    confirm: w2.stop,
    danger: true,
    command: () => `mainspring workflows runs stop ${id}`,
    run: async () => {
      await post(`workflow-runs/${id}/stop`, {});
      outdateAll();
    }
  });
}
async function setPaused(id, paused) {
  const act = (what) => post(`workflow-runs/${id}/${what}`, {}).then(outdateAll);
  const w2 = words.value;
  try {
    await act(paused ? "pause" : "unpause");
    toast({ text: paused ? w2.workflows.paused : w2.workflows.begun, act: { name: w2.undo, run: () => act(paused ? "unpause" : "pause") } });
  } catch (error) {
    tellRefusal(error);
  }
}

// pages/workflows/gantt.ts
function timesOf(runs) {
  const found = /* @__PURE__ */ new Map();
  for (const run of runs) {
    if (!run.created_at) continue;
    const known = found.get(run.step);
    const [made, began, ended] = [run.created_at, run.started_at, run.finished_at].map((at) => at ? Date.parse(at) : null);
    found.set(run.step, {
      step: run.step,
      state: worse(known?.state, run.state ?? "queued"),
      made: Math.min(known?.made ?? made, made),
      began: least(known?.began ?? null, began),
      ended: known && (known.ended === null || ended === null) ? null : Math.max(known?.ended ?? 0, ended ?? 0) || null,
      items: (known?.items ?? 0) + 1
    });
  }
  return found;
}
var WORST = ["failed", "running", "waiting", "queued", "cancelled", "skipped", "succeeded"];
var worse = (one, other) => one !== void 0 && WORST.indexOf(one) <= WORST.indexOf(other) ? one : other;
function least(one, other) {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
function criticalPath(parents, times, now2) {
  const end = (name) => times.get(name)?.ended ?? now2;
  const path = /* @__PURE__ */ new Set();
  let at = latest([...times.keys()], end);
  while (at !== null && !path.has(at)) {
    path.add(at);
    at = latest((parents.get(at) ?? []).filter((name) => times.has(name)), end);
  }
  return path;
}
function latest(names, end) {
  return names.reduce((best, name) => best === null || end(name) > end(best) ? name : best, null);
}
function ticksOf(seconds, most) {
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];
  const step = steps.find((one) => seconds / one <= most) ?? 604800;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, place) => place * step);
}

// pages/workflows/gantt.tsx
var NAMES2 = 190;
var ROW2 = 28;
var TOP = 26;
function Gantt({ run, page, on, onChoose }) {
  const w2 = words.value;
  const [box, width] = useWidth();
  const usual = useResource("rates/jobs?step=hour&steps=168", { every: 6e4 }).data.value?.jobs ?? [];
  const times = timesOf(page.runs);
  const since = Date.parse(run.began_at);
  const until = run.finished_at ? Date.parse(run.finished_at) : now.value;
  const whole = Math.max(1e3, until - since);
  const room = Math.max(200, (width || 900) - NAMES2 - 90);
  const x = (at) => NAMES2 + Math.max(0, Math.min(whole, at - since)) / whole * room;
  const path = criticalPath(new Map(withEndings(run.steps).map((step) => [step.name, step.parents])), times, until);
  const height = TOP + run.steps.length * ROW2 + 8;
  return /* @__PURE__ */ a("div", { class: "gantt", ref: box, children: [
    /* @__PURE__ */ a("svg", { width: "100%", height, role: "group", "aria-label": w2.workflows.ganttSays(run.steps.length, duration(whole / 1e3)), children: [
      ticksOf(whole / 1e3, 8).map((at) => /* @__PURE__ */ a("g", { children: [
        /* @__PURE__ */ a("line", { x1: x(since + at * 1e3), x2: x(since + at * 1e3), y1: TOP - 4, y2: height, class: "grid" }),
        /* @__PURE__ */ a("text", { x: x(since + at * 1e3), y: "14", "text-anchor": "middle", children: at === 0 ? "0" : `+${duration(at)}` })
      ] }, at)),
      run.steps.map((step, row) => {
        const figure = usual.find((one) => one.job === step.job)?.duration;
        return /* @__PURE__ */ a(Row, { step, times: times.get(step.name), y: TOP + row * ROW2, x, until, usual: figure?.p50 ?? null, critical: path.has(step.name), on: on === step.name, onChoose, width: width || 900 }, step.name);
      }),
      !run.finished_at && /* @__PURE__ */ a("line", { x1: x(until), x2: x(until), y1: TOP - 8, y2: height, class: "now" })
    ] }),
    /* @__PURE__ */ a("p", { class: "legend gantt-legend", children: [
      /* @__PURE__ */ a("span", { children: [
        /* @__PURE__ */ a("i", { class: "critical" }),
        " ",
        w2.workflows.critical
      ] }),
      /* @__PURE__ */ a("span", { children: [
        /* @__PURE__ */ a("i", { class: "wait" }),
        " ",
        w2.runs.wait
      ] }),
      /* @__PURE__ */ a("span", { children: [
        /* @__PURE__ */ a("i", { class: "ghost" }),
        " ",
        w2.workflows.usual
      ] })
    ] })
  ] });
}
function Row({ step, times, y: y2, x, until, usual, critical, on, onChoose, width }) {
  const w2 = words.value;
  const tone = toneOf(step.state, step.job === "");
  const began = times?.began ?? null;
  const ended = times?.ended ?? until;
  const took = began === null ? null : (ended - began) / 1e3;
  const says = [step.name, w2.states[step.state] ?? step.state, took === null ? "" : duration(took), critical ? w2.workflows.critical : ""].filter(Boolean).join(", ");
  return /* @__PURE__ */ a("g", { class: `gantt-row ${on ? "on" : ""}`, role: "button", tabIndex: 0, "aria-pressed": on, "aria-label": says, onClick: () => onChoose(step.name), onKeyDown: (event) => event.key === "Enter" && onChoose(step.name), children: [
    /* @__PURE__ */ a("rect", { x: "0", y: y2, width, height: ROW2, class: "under" }),
    /* @__PURE__ */ a("use", { href: `#s-${tone || "queued"}`, x: "12", y: y2 + 6, width: "15", height: "15", class: `is-${tone || "queued"}` }),
    /* @__PURE__ */ a("text", { x: "34", y: y2 + 18, class: "title", children: [
      step.name.length > 19 ? `${step.name.slice(0, 18)}…` : step.name,
      step.size ? ` ×${step.size}` : ""
    ] }),
    times && began !== null && began > times.made && /* @__PURE__ */ a("rect", { x: x(times.made), y: y2 + 11, width: Math.max(1, x(began) - x(times.made)), height: "6", class: "wait" }),
    began !== null && usual !== null && times?.items === 1 && /* @__PURE__ */ a("rect", { x: x(began), y: y2 + 20, width: Math.max(2, x(began + usual * 1e3) - x(began)), height: "3", class: "ghost" }),
    times && began === null && /* @__PURE__ */ a("rect", { x: x(times.made), y: y2 + 8, width: Math.max(2, x(until) - x(times.made)), height: "12", class: "wait" }),
    began !== null && /* @__PURE__ */ a("rect", { x: x(began), y: y2 + 7, width: Math.max(2, x(ended) - x(began)), height: "13", rx: "2", class: `fill-svg-${step.job === "" ? "waiting" : tone || "queued"} ${critical ? "critical" : ""}` }),
    took !== null && /* @__PURE__ */ a("text", { x: x(ended) + 6, y: y2 + 18, children: duration(took) })
  ] });
}
function StepState({ step }) {
  const names = words.value.states;
  const tone = toneOf(step.state, step.job === "");
  return /* @__PURE__ */ a("span", { class: `state is-${tone}`, children: [
    /* @__PURE__ */ a(StateIcon, { state: tone }),
    names[tone === "waiting" ? tone : step.state] ?? step.state
  ] });
}

// pages/workflows/run.tsx
var OVER = ["succeeded", "failed", "cancelled", "skipped"];
function WorkflowRun({ name, id }) {
  const w2 = words.value;
  const resource = useResource(`workflow-runs/${id}`, { every: 1e3 });
  const runs = useResource(`workflow-runs/${id}/steps?limit=200&times=true`, { every: 2e3 }).data.value ?? { runs: [], next: null };
  const found = resource.data.value;
  const view = asked("view") || "graph";
  const step = found?.steps.find((one) => one.name === asked("step"));
  const choose = (chosen) => setQuery({ step: chosen === asked("step") ? null : chosen });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("a", { href: link("workflows"), children: w2.pages.workflows }),
      " / ",
      /* @__PURE__ */ a("a", { href: link("workflows", name), children: name }),
      " / ",
      /* @__PURE__ */ a(Id, { id, whole: true })
    ] }), beside: found && /* @__PURE__ */ a(Standing, { of: found }), children: found && /* @__PURE__ */ a(RunActs, { of: found, id }) }),
    /* @__PURE__ */ a(Approvals, { run: id }),
    /* @__PURE__ */ a(Panel, { title: w2.workflows.views[view] ?? w2.workflows.graph, more: /* @__PURE__ */ a(Segments, { small: true, label: w2.workflows.viewAs, on: view, choices: ["graph", "gantt", "steps"].map((one) => ({ id: one, name: w2.workflows.views[one] })), onChoose: (one) => setQuery({ view: one === "graph" ? null : one }) }), children: /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (seen) => view === "gantt" ? /* @__PURE__ */ a(Gantt, { run: seen, page: runs, on: step?.name ?? "", onChoose: choose }) : view === "steps" ? /* @__PURE__ */ a(Steps, { steps: seen.steps, runs: runs.runs, onChoose: choose }) : /* @__PURE__ */ a(Graph, { steps: seen.steps.map((one) => ({ name: one.name, job: one.job, parents: one.parents, state: one.state, note: noteOf(one) })), on: step?.name ?? "", onChoose: choose }) }) }),
    step && /* @__PURE__ */ a(StepPanel, { id, step, runs: runs.runs.filter((one) => one.step === step.name) }, step.name)
  ] });
}
function Standing({ of }) {
  const w2 = words.value;
  const done = of.steps.filter((step) => OVER.includes(step.state)).length;
  const took = ((of.finished_at ? Date.parse(of.finished_at) : now.value) - Date.parse(of.began_at)) / 1e3;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(State, { state: of.state }),
    of.paused && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.triggers.states.paused }),
    /* @__PURE__ */ a("span", { class: "dim", children: [
      w2.workflows.doneOf(done, of.steps.length),
      " · ",
      duration(Math.max(0, Math.round(took))),
      " · v",
      of.version,
      " · ",
      /* @__PURE__ */ a(Ago, { at: of.began_at })
    ] })
  ] });
}
function RunActs({ of, id }) {
  const w2 = words.value;
  const denied = refusal("runs:write");
  const over = OVER.includes(of.state);
  return /* @__PURE__ */ a($, { children: [
    over && of.state !== "succeeded" && /* @__PURE__ */ a(Button, { icon: "retry", refused: denied, onClick: () => void askAgain(id, "resume"), children: [
      w2.workflows.resume,
      "…"
    ] }),
    !over && /* @__PURE__ */ a(Button, { icon: of.paused ? "play" : "pause", refused: denied, onClick: () => void setPaused(id, !of.paused), children: of.paused ? w2.queues.resume : w2.queues.pause }),
    !over && /* @__PURE__ */ a(Button, { icon: "stop", kind: "danger", refused: denied, onClick: () => askStop(id), children: [
      w2.workflows.stop,
      "…"
    ] }),
    /* @__PURE__ */ a(ButtonLink, { href: link("runs", id), children: w2.workflows.asRun })
  ] });
}
function noteOf(step) {
  if (step.size !== null && step.size !== void 0) return words.value.workflows.mapOf(count(step.succeeded ?? 0), count(step.size), step.failed ?? 0);
  return step.why ?? step.job;
}
function Steps({ steps, runs, onChoose }) {
  const w2 = words.value;
  const of = (step) => runs.filter((run) => run.step === step.name);
  const columns5 = [
    { id: "name", name: w2.name, cell: (one) => /* @__PURE__ */ a("button", { type: "button", class: "strong-link", onClick: () => onChoose(one.name), children: one.name }) },
    { id: "state", name: w2.runs.state, cell: (one) => /* @__PURE__ */ a(StepState, { step: one }) },
    { id: "job", name: w2.job, cell: (one) => /* @__PURE__ */ a("a", { class: "plain dim", href: link("jobs", one.job), children: one.job }) },
    { id: "note", name: "", wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: noteOf(one) === one.job ? "" : noteOf(one) }) },
    { id: "took", name: w2.runs.took, num: true, cell: (one) => /* @__PURE__ */ a(Took, { seconds: tookOf(of(one).at(-1)) }) },
    { id: "runs", name: w2.pages.runs, cell: (one) => of(one).slice(0, 4).map((run) => /* @__PURE__ */ a("a", { class: "mono link", href: link("runs", run.run), children: [
      "…",
      run.run.slice(-8),
      " "
    ] }, run.run)) }
  ];
  return /* @__PURE__ */ a(Table, { label: w2.workflows.steps, rows: steps, columns: columns5, keyOf: (one) => one.name });
}
function tookOf(run) {
  if (!run?.started_at) return null;
  return ((run.finished_at ? Date.parse(run.finished_at) : now.value) - Date.parse(run.started_at)) / 1e3;
}
function StepPanel({ id, step, runs }) {
  const w2 = words.value;
  const denied = refusal("runs:write");
  const over = OVER.includes(step.state);
  const wanted = asked("item");
  const shown2 = runs.find((run) => String(run.item ?? "") === wanted) ?? runs.find((run) => run.state === "failed") ?? runs.at(-1);
  return /* @__PURE__ */ a(
    Panel,
    {
      title: step.name,
      note: /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a(StepState, { step }),
        " ",
        step.why
      ] }),
      more: /* @__PURE__ */ a("span", { class: "acts", children: [
        runs.length > 1 && /* @__PURE__ */ a(Segments, { small: true, label: w2.workflows.items, on: String(shown2?.item ?? ""), choices: runs.slice(0, 12).map((run) => ({ id: String(run.item ?? ""), name: `${run.item ?? ""}${run.state === "failed" ? " ✕" : ""}` })), onChoose: (item) => setQuery({ item }) }),
        over && /* @__PURE__ */ a(Button, { small: true, icon: "retry", refused: denied, onClick: () => void askAgain(id, "retry", step.name), children: [
          w2.workflows.retryFrom,
          "…"
        ] }),
        !over && /* @__PURE__ */ a(Button, { small: true, icon: "skip", refused: denied, onClick: () => void askAgain(id, "skip", step.name), children: [
          w2.workflows.skip,
          "…"
        ] }),
        shown2 && /* @__PURE__ */ a(ButtonLink, { small: true, href: link("runs", shown2.run), children: w2.open })
      ] }),
      children: shown2 ? /* @__PURE__ */ a(Log, { id: shown2.run, over }, shown2.run) : /* @__PURE__ */ a("p", { class: "quiet", children: w2.run.notStarted })
    }
  );
}

// pages/workflows/workflow.tsx
function Workflow({ name }) {
  const run = asked("run");
  if (name === "new") return /* @__PURE__ */ a(NewWorkflow, {});
  return run ? /* @__PURE__ */ a(WorkflowRun, { name, id: run }) : /* @__PURE__ */ a(Definition, { name });
}
function NewWorkflow() {
  const w2 = words.value;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.workflows.make, trail: /* @__PURE__ */ a("a", { href: link("workflows"), children: w2.pages.workflows }) }),
    /* @__PURE__ */ a(DefinitionEditor, { workflow: null })
  ] });
}
var TABS = ["graph", "grid", "runs", "definition"];
function Definition({ name }) {
  const w2 = words.value;
  const resource = useResource(`workflows/${part(name)}`, { every: 15e3 });
  const tab = asked("tab") || "graph";
  const found = resource.data.value;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("workflows"), children: w2.pages.workflows }), beside: found && /* @__PURE__ */ a(Tag, { children: [
      "v",
      found.version
    ] }), children: [
      /* @__PURE__ */ a(ButtonLink, { href: linkWith({ tab: "versions" }, "jobs", name), children: w2.jobs.tabs.versions }),
      /* @__PURE__ */ a(RunDialogButton, { job: name })
    ] }),
    /* @__PURE__ */ a(Tabs, { tabs: TABS.map((id) => ({ id, name: w2.workflows.tabs[id], href: linkWith({ tab: id === "graph" ? null : id }, "workflows", name) })), on: tab, label: name }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: [
      tab === "grid" && /* @__PURE__ */ a(Grid, { name }),
      tab === "runs" && /* @__PURE__ */ a(RunsOf, { name }),
      tab === "definition" && /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (workflow) => /* @__PURE__ */ a(DefinitionEditor, { workflow, raw: resource.text.value }, workflow.version) }),
      tab === "graph" && /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: ({ graph, description }) => /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a(Panel, { title: w2.workflows.graph, note: description || w2.workflows.nSteps(graph.length), children: /* @__PURE__ */ a(Graph, { steps: graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents ?? [], note: [step.job, step.each ? `× ${step.each}` : "", step.ending].filter(Boolean).join(" · ") })), on: asked("step"), onChoose: (step) => setQuery({ step }) }) }),
        /* @__PURE__ */ a(Grid, { name })
      ] }) })
    ] })
  ] });
}
function RunsOf({ name }) {
  const w2 = words.value;
  const runs = useResource(`runs?job=${encodeURIComponent(name)}&limit=100`, { every: 3e3 });
  const shown2 = [{ id: "open", name: w2.workflows.run, cell: (run) => /* @__PURE__ */ a("a", { class: "mono", href: linkWith({ run: run.id }, "workflows", name), children: [
    "…",
    run.id.slice(-8)
  ] }) }, ...columns(["job", "id", "executor", "try"])];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: runs, children: ({ runs: found }) => {
    const own2 = found.filter((run) => run.workflow === null);
    return own2.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.noRuns }) : /* @__PURE__ */ a(Table, { label: w2.pages.runs, rows: own2, columns: shown2, keyOf: (run) => run.id });
  } }) });
}

// pages/workflows/list.tsx
var SAMPLE2 = `month-end:
  steps:
    extract: {job: extract}
    convert: {job: convert, after: extract}
    post: {job: post, after: convert}`;
function Workflows() {
  const w2 = words.value;
  const resource = useResource("jobs?handler=workflow&limit=200", { every: 1e4 });
  const figures = useResource("rates/jobs?step=hour&steps=24", { every: 15e3 }).data.value?.jobs ?? [];
  const runs = useResource("runs?limit=500", { every: 1e4 }).data.value?.runs.filter((run) => run.workflow === null) ?? [];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.workflows, children: [
      /* @__PURE__ */ a(RunDialogButton, {}),
      /* @__PURE__ */ a(ButtonLink, { icon: "plus", href: link("workflows", "new"), children: w2.workflows.make })
    ] }),
    /* @__PURE__ */ a(Approvals, { workflows: new Map(runs.map((run) => [run.id, run.job])) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ jobs }) => jobs.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.workflows.empty, children: /* @__PURE__ */ a("pre", { class: "block", children: SAMPLE2 }) }) : /* @__PURE__ */ a(Table, { label: w2.pages.workflows, rows: jobs, columns: columns4(figures, runs), keyOf: (job) => job.name, peekOf: (job) => `workflow:${job.name}` }) }) })
  ] });
}
function columns4(figures, runs) {
  const w2 = words.value;
  const of = (job) => figures.find((one) => one.job === job.name);
  return [
    { id: "name", name: w2.workflows.word, cell: (job) => /* @__PURE__ */ a("a", { href: link("workflows", job.name), children: job.name }) },
    { id: "description", name: w2.policy.labels.description, wide: true, cell: (job) => /* @__PURE__ */ a("span", { class: "dim", children: job.description }) },
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
  Batch,
  Batches,
  Job,
  Jobs,
  Workflow,
  Workflows
};
