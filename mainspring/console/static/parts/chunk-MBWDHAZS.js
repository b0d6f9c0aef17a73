import {
  outdate,
  outdateAll
} from "./chunk-IBKJQSZ2.js";
import {
  namespace,
  signedIn,
  x,
  y
} from "./chunk-K2CDJBIM.js";

// live/sse.ts
var EventReader = class {
  rest = "";
  lastId = "";
  /** The events that are whole now. */
  feed(piece) {
    const blocks = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => this.read(block));
  }
  read(block) {
    let kind = "message";
    const data = [];
    for (const line of block.split("\n")) {
      const [name, value] = cut(line);
      if (name === "event") kind = value;
      else if (name === "data") data.push(value);
      else if (name === "id") this.lastId = value;
    }
    return data.length === 0 ? [] : [{ kind, data: data.join("\n"), id: this.lastId }];
  }
};
function cut(line) {
  const at = line.indexOf(":");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
}

// live/follow.ts
var FIRST_WAIT = 1e3;
var LAST_WAIT = 15e3;
function follow(following) {
  const ending = new AbortController();
  void keep(following, ending.signal);
  return () => ending.abort();
}
async function keep({ url, headers, onEvents, onCondition }, signal) {
  const reader = new EventReader();
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    onCondition("connecting");
    try {
      const again = reader.lastId === "" ? {} : { "last-event-id": reader.lastId };
      const response = await fetch(url, { headers: { ...headers, ...again }, signal, cache: "no-store" });
      if (response.status === 401 || response.status === 403) return onCondition("refused");
      if (response.ok && response.body) {
        onCondition("live");
        wait = FIRST_WAIT;
        await drink(response.body, reader, onEvents);
      }
    } catch {
    }
    if (signal.aborted) return;
    onCondition("lost");
    await pause(wait, signal);
    wait = Math.min(wait * 2, LAST_WAIT);
  }
}
async function drink(body, reader, onEvents) {
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader();
  for (; ; ) {
    const { done, value } = await pieces.read();
    if (done) return;
    const events = reader.feed(value);
    if (events.length > 0) onEvents(events);
  }
}
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// live/stream.ts
var REST = 15e3;
var condition = y("connecting");
var lostSince = y(0);
var beats = y(0);
var TOUCHES = {
  "runs.settled": /^(runs|queues|rates|dead-letters|executors|sweeps|backfills|findings|workflow-runs|workflows|approvals|breakers)/,
  "queue.depth": /^(queues|findings|runs\?)/,
  "queue.paused": /^(queues|findings|overview)/,
  "queue.resumed": /^(queues|findings|overview)/,
  "queue.budget": /^(queues|findings)/,
  "executor.attached": /^(executors|overview|queues|findings|jobs)/,
  "executor.left": /^(executors|overview|queues|findings|runs)/,
  "job.changed": /^jobs/,
  "trigger.paused": /^(triggers|forecast|findings)/,
  "trigger.overdue": /^(triggers|findings)/,
  "fire.skipped": /^(triggers|findings)/
};
function take(events) {
  for (const { kind } of events) {
    if (kind === "gap") outdateAll();
    const touched = TOUCHES[kind] ?? new RegExp(`^${kind.split(".")[0]}`);
    outdate((path) => touched.test(path));
  }
  beats.value += events.length;
}
function note(next) {
  if (next === "live") {
    if (lostSince.peek() > 0) outdateAll();
    lostSince.value = 0;
  } else if (next !== "connecting" && lostSince.peek() === 0) {
    lostSince.value = Date.now();
  }
  if (next !== "connecting" || lostSince.peek() === 0) condition.value = next;
}
function startStream() {
  let stop = () => {
  };
  let timer;
  const open = () => {
    stop();
    stop = signedIn.peek() ? listen({ url: "/api/v1/events/stream", headers: headersOf() }) : () => {
    };
  };
  x(() => {
    void signedIn.value;
    void namespace.value;
    open();
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => stop(), REST);
    else open();
  });
}
function headersOf() {
  return { "mainspring-namespace": namespace.peek() };
}
function listen(wanted) {
  const script = workerScript();
  if (script === null) return follow({ ...wanted, onEvents: take, onCondition: note });
  const worker = new SharedWorker(script, { type: "module", name: "mainspring" });
  worker.port.onmessage = ({ data }) => "events" in data ? take(data.events) : note(data.condition);
  worker.port.postMessage(wanted);
  const leave = () => worker.port.postMessage("leave");
  addEventListener("pagehide", leave);
  return () => {
    leave();
    removeEventListener("pagehide", leave);
    worker.port.close();
  };
}
function workerScript() {
  const address = document.querySelector("script[data-worker]")?.dataset["worker"];
  if (typeof SharedWorker === "undefined" || !address) return null;
  const types = globalThis.trustedTypes;
  if (!types) return address;
  policy ??= types.createPolicy("mainspring", { createScriptURL: (url) => onlyWorker(url, address) });
  return policy.createScriptURL(address);
}
var policy = null;
function onlyWorker(url, address) {
  if (url !== address) throw new TypeError("no other script is loaded");
  return url;
}

export {
  condition,
  lostSince,
  beats,
  startStream
};
