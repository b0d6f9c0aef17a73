// What needs a person: the server's findings, and what only a page that reads queues and executors sees; pure, so that each rule is tested without a browser.
import type { ExecutorInfo, FindingInfo, QueueInfo, RateStep } from "../../api/schema.ts";

export type Finding =
  | { kind: "found"; is: FindingInfo; noun: string; name: string; more: string }
  | { kind: "paused"; queue: string; queued: number; by: string; reason: string }
  | { kind: "stuck"; executor: string; pool: string }
  | { kind: "blocked"; executor: string; handler: string; seconds: number };

export interface Surveyed {
  found: FindingInfo[];
  queues: QueueInfo[];
  executors: ExecutorInfo[];
  now: number;
}

const RECENT = 600_000;

export function findingsOf(seen: Surveyed): Finding[] {
  return [...ofServer(seen.found), ...seen.queues.flatMap(ofQueue), ...seen.executors.flatMap((one) => ofExecutor(one, seen.now))];
}

/** Red is for what fails; what waits is amber. */
export function toneOf(finding: Finding): "failed" | "waiting" {
  if (finding.kind !== "found") return "waiting";
  return finding.is.severity === "page" || ["run_failed", "failure_rate", "dead_letters", "breaker_open"].includes(finding.is.kind) ? "failed" : "waiting";
}

/** A subject is a noun, a name and what tells it apart; that a job's runs fail is told once, by the kind of failure. */
function ofServer(found: FindingInfo[]): Finding[] {
  const told = new Set(found.filter((one) => one.kind === "dead_letters").map((one) => one.subject.split(" ").slice(0, 2).join(" ")));
  return found
    .filter((one) => one.kind !== "run_failed" || !told.has(one.subject))
    .map((one) => {
      const [noun = "", name = "", ...more] = one.subject.split(" ");
      return { kind: "found", is: one, noun, name, more: more.join(" ") };
    });
}

function ofExecutor(one: ExecutorInfo, now: number): Finding[] {
  const blocked = one.blocked.filter((each) => now - Date.parse(each.at) < RECENT).at(-1);
  return [
    ...one.stuck.map((stuck): Finding => ({ kind: "stuck", executor: one.name, pool: stuck.pool })),
    ...(blocked ? [{ kind: "blocked" as const, executor: one.name, handler: blocked.handler, seconds: blocked.seconds }] : []),
  ];
}

function ofQueue(queue: QueueInfo): Finding[] {
  if (queue.queued === 0 || !queue.paused) return [];
  return [{ kind: "paused", queue: queue.name, queued: queue.queued, by: queue.paused.by, reason: queue.paused.reason }];
}

/** Seconds until the queue is empty at the pace of the last minutes; null: never, as it looks. */
export function drainsIn(queue: QueueInfo): number | null {
  if (queue.queued === 0) return 0;
  const pace = queue.rates?.finished ?? 0;
  return pace > 0 ? (queue.queued / pace) * 60 : null;
}

export function shareOf(steps: RateStep[]): { share: number; failed: number; finished: number } {
  const failed = steps.reduce((total, step) => total + step.failed, 0);
  const finished = steps.reduce((total, step) => total + step.succeeded + step.failed + step.cancelled + step.skipped, 0);
  return { share: finished === 0 ? 0 : failed / finished, failed, finished };
}
