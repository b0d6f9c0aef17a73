// Steps over time: when each began and ended, which of them made the run as long as it is, and where the bars stand.

export interface StepTimes {
  step: string;
  state: string;
  /** When its first run was made, started, and its last ended; milliseconds. */
  made: number;
  began: number | null;
  ended: number | null;
  items: number;
}

export interface StepRun {
  step: string;
  state: string | null;
  created_at: string | null;
  started_at: string | null;
  finished_at: string | null;
}

/** The runs of each step as one span; an item of a map widens it. */
export function timesOf(runs: StepRun[]): Map<string, StepTimes> {
  const found = new Map<string, StepTimes>();
  for (const run of runs) {
    if (!run.created_at) continue;
    const known = found.get(run.step);
    const [made, began, ended] = [run.created_at, run.started_at, run.finished_at].map((at) => (at ? Date.parse(at) : null)) as [number, number | null, number | null];
    found.set(run.step, {
      step: run.step,
      state: worse(known?.state, run.state ?? "queued"),
      made: Math.min(known?.made ?? made, made),
      began: least(known?.began ?? null, began),
      ended: known && (known.ended === null || ended === null) ? null : Math.max(known?.ended ?? 0, ended ?? 0) || null,
      items: (known?.items ?? 0) + 1,
    });
  }
  return found;
}

const WORST = ["failed", "running", "waiting", "queued", "cancelled", "skipped", "succeeded"];

const worse = (one: string | undefined, other: string) => (one !== undefined && WORST.indexOf(one) <= WORST.indexOf(other) ? one : other);

function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** The steps that made the run as long as it is: from the last one back, each time the parent that ended last. */
export function criticalPath(parents: Map<string, string[]>, times: Map<string, StepTimes>, now: number): Set<string> {
  const end = (name: string) => times.get(name)?.ended ?? now;
  const path = new Set<string>();
  let at = latest([...times.keys()], end);
  while (at !== null && !path.has(at)) {
    path.add(at);
    at = latest((parents.get(at) ?? []).filter((name) => times.has(name)), end);
  }
  return path;
}

function latest(names: string[], end: (name: string) => number): string | null {
  return names.reduce<string | null>((best, name) => (best === null || end(name) > end(best) ? name : best), null);
}

/** Ticks of a time axis at round steps, at most so many. */
export function ticksOf(seconds: number, most: number): number[] {
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
  const step = steps.find((one) => seconds / one <= most) ?? 604_800;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, place) => place * step);
}
