// Changes as they happen: which resources are out of date, and whether the stream lives.
import { effect, signal } from "@preact/signals";
import { signedIn } from "./session.ts";
import { type Condition, follow } from "./follow.ts";
import { namespace } from "./route.ts";
import { outdate, outdateAll } from "./resource.ts";
import type { ServerEvent } from "./sse.ts";
import type { Listen, Told } from "./stream-worker.ts";

const REST = 15_000;

export const condition = signal<Condition>("connecting");
/** When the stream was lost; 0 while it lives. */
export const lostSince = signal(0);
/** Grows with every change: the mark beats with it. */
export const beats = signal(0);

/** Which paths a change puts out of date. */
const TOUCHES: Record<string, RegExp> = {
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
  "fire.skipped": /^(triggers|findings)/,
};

export function take(events: ServerEvent[]): void {
  for (const { kind } of events) {
    if (kind === "gap") outdateAll();
    const touched = TOUCHES[kind] ?? new RegExp(`^${kind.split(".")[0]}`);
    outdate((path) => touched.test(path));
  }
  beats.value += events.length;
}

function note(next: Condition): void {
  if (next === "live") {
    if (lostSince.peek() > 0) outdateAll();
    lostSince.value = 0;
  } else if (next !== "connecting" && lostSince.peek() === 0) {
    lostSince.value = Date.now();
  }
  // Trying again is not yet better news than having lost it.
  if (next !== "connecting" || lostSince.peek() === 0) condition.value = next;
}

export function startStream(): void {
  let stop = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    stop();
    stop = signedIn.peek() ? listen({ url: "/api/v1/events/stream", headers: headersOf() }) : () => {};
  };
  effect(() => {
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

function headersOf(): Record<string, string> {
  return { "mainspring-namespace": namespace.peek() };
}

function listen(wanted: Listen): () => void {
  const script = workerScript();
  if (script === null) return follow({ ...wanted, onEvents: take, onCondition: note });
  const worker = new SharedWorker(script as unknown as string, { type: "module", name: "mainspring" });
  worker.port.onmessage = ({ data }: MessageEvent<Told>) => ("events" in data ? take(data.events) : note(data.condition));
  worker.port.postMessage(wanted);
  const leave = () => worker.port.postMessage("leave");
  addEventListener("pagehide", leave);
  return () => {
    leave();
    removeEventListener("pagehide", leave);
    worker.port.close();
  };
}

/** The address of the worker as browsers with trusted types want it; null where there are no shared workers. */
function workerScript(): unknown {
  const address = document.querySelector<HTMLElement>("script[data-worker]")?.dataset["worker"];
  if (typeof SharedWorker === "undefined" || !address) return null;
  const types = (globalThis as { trustedTypes?: { createPolicy: Function } }).trustedTypes;
  if (!types) return address;
  policy ??= types.createPolicy("mainspring", { createScriptURL: (url: string) => onlyWorker(url, address) });
  return (policy as { createScriptURL: (url: string) => unknown }).createScriptURL(address);
}

let policy: unknown = null;

function onlyWorker(url: string, address: string): string {
  if (url !== address) throw new TypeError("no other script is loaded");
  return url;
}
