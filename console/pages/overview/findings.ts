// What needs somebody, by rules over what was surveyed; pure, so that each rule is tested without a browser.
import type { DeadGroupInfo, ExecutorInfo, QueueInfo, RateStep, TriggerInfo } from "../../api/schema.ts";

export type Finding =
  | { kind: "no_executors"; queued: number }
  | { kind: "no_listener"; queue: string; queued: number }
  | { kind: "behind"; queue: string; seconds: number; queued: number; drains: number | null; running: number; slots: number }
  | { kind: "paused"; queue: string; queued: number; by: string; reason: string }
  | { kind: "failing"; share: number; failed: number; usual: number }
  | { kind: "new_error"; group: DeadGroupInfo }
  | { kind: "trigger_paused"; trigger: string; reason: string }
  | { kind: "stuck"; executor: string; pool: string }
  | { kind: "blocked"; executor: string; handler: string; seconds: number };

export interface Surveyed {
  queues: QueueInfo[];
  executors: ExecutorInfo[];
  groups: DeadGroupInfo[];
  steps: RateStep[];
  triggers: TriggerInfo[];
  now: number;
}

const LATE = 30;
const NEW = 86_400_000;
const RECENT = 600_000;

export function findingsOf(seen: Surveyed): Finding[] {
  return [...ofExecutors(seen), ...seen.queues.flatMap((queue) => ofQueue(queue, seen)), ...ofFailures(seen), ...ofTriggers(seen)];
}

/** Red is for what fails; what waits is amber. */
export function toneOf(finding: Finding): "failed" | "waiting" {
  return ["failing", "new_error", "no_executors"].includes(finding.kind) ? "failed" : "waiting";
}

function ofExecutors({ executors, queues, now }: Surveyed): Finding[] {
  const queued = queues.reduce((total, queue) => total + queue.queued, 0);
  if (executors.length === 0) return queued > 0 ? [{ kind: "no_executors", queued }] : [];
  return executors.flatMap((one) => [
    ...one.stuck.map((stuck): Finding => ({ kind: "stuck", executor: one.name, pool: stuck.pool })),
    ...one.blocked
      .filter((blocked) => now - Date.parse(blocked.at) < RECENT)
      .slice(-1)
      .map((blocked): Finding => ({ kind: "blocked", executor: one.name, handler: blocked.handler, seconds: blocked.seconds })),
  ]);
}

function ofQueue(queue: QueueInfo, { executors }: Surveyed): Finding[] {
  if (queue.queued === 0) return [];
  if (queue.paused) return [{ kind: "paused", queue: queue.name, queued: queue.queued, by: queue.paused.by, reason: queue.paused.reason }];
  if (queue.executors === 0) return executors.length > 0 ? [{ kind: "no_listener", queue: queue.name, queued: queue.queued }] : [];
  const seconds = queue.oldest_seconds ?? 0;
  if (seconds < LATE) return [];
  return [{ kind: "behind", queue: queue.name, seconds, queued: queue.queued, drains: drainsIn(queue), running: queue.running, slots: queue.slots }];
}

/** Seconds until the queue is empty at the pace of the last minutes; null: never, as it looks. */
export function drainsIn(queue: QueueInfo): number | null {
  if (queue.queued === 0) return 0;
  const pace = queue.rates?.finished ?? 0;
  return pace > 0 ? (queue.queued / pace) * 60 : null;
}

function ofFailures({ steps, groups, now }: Surveyed): Finding[] {
  const found: Finding[] = [];
  const [recent, before] = [shareOf(steps.slice(-5)), shareOf(steps.slice(0, -5))];
  if (recent.failed >= 5 && recent.share >= 0.05 && recent.share >= 2 * before.share) {
    found.push({ kind: "failing", share: recent.share, failed: recent.failed, usual: before.share });
  }
  const fresh = groups.filter((group) => now - Date.parse(group.first_at) < NEW).sort((one, other) => other.runs - one.runs)[0];
  if (fresh) found.push({ kind: "new_error", group: fresh });
  return found;
}

export function shareOf(steps: RateStep[]): { share: number; failed: number; finished: number } {
  const failed = steps.reduce((total, step) => total + step.failed, 0);
  const finished = steps.reduce((total, step) => total + step.succeeded + step.failed + step.cancelled + step.skipped, 0);
  return { share: finished === 0 ? 0 : failed / finished, failed, finished };
}

function ofTriggers({ triggers }: Surveyed): Finding[] {
  return triggers
    .filter((one) => one.state === "paused" && one.failures > 0)
    .map((one) => ({ kind: "trigger_paused", trigger: one.name, reason: one.paused?.reason ?? "" }));
}
