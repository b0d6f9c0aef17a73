// What can be looked into beside a list; all but a run comes when it is looked into first.
import { RunPeek } from "../pages/runs/peek.tsx";
import { type Named, later } from "./later.tsx";

const peeks = () => import("../pages/peeks.tsx");

export const peekers: Record<string, Named> = {
  run: RunPeek,
  job: later(async () => (await peeks()).JobPeek),
  trigger: later(async () => (await peeks()).TriggerPeek),
  queue: later(async () => (await peeks()).QueuePeek),
  executor: later(async () => (await peeks()).ExecutorPeek),
  failure: later(async () => (await peeks()).FailurePeek),
  breaker: later(async () => (await peeks()).BreakerPeek),
  workflow: later(async () => (await peeks()).WorkflowPeek),
};
