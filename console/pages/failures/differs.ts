// What tells the runs of one kind of failure from all runs of their job: where a trait is much more frequent among them; pure.
import type { MarkInfo, RunInfo } from "../../api/schema.ts";

export interface Trait {
  /** Such as `executor` or `label.country`: a key of the query of runs. */
  key: string;
  value: string;
  /** Of the failed ones, and of all. */
  here: number;
  everywhere: number;
}

const FEW = 3;
const LEAST_SHARE = 0.3;
const LEAST_LEAD = 0.2;
const SHOWN = 3;
const HOUR = 3_600_000;

function traitsOf(run: RunInfo): [string, string][] {
  const labels = Object.entries(run.labels).map(([name, value]): [string, string] => [`label.${name}`, value]);
  const tags = run.tags.map((tag): [string, string] => ["tag", tag]);
  const one: [string, string | null][] = [["executor", run.executor], ["trigger", run.trigger], ["queue", run.queue], ["by", run.created_by]];
  return [...one.flatMap(([key, value]): [string, string][] => (value ? [[key, value]] : [])), ...labels, ...tags];
}

function counted(runs: RunInfo[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const run of runs) for (const [key, value] of traitsOf(run)) found.set(`${key}:${value}`, (found.get(`${key}:${value}`) ?? 0) + 1);
  return found;
}

/** The traits that lead most, the greatest lead first. */
export function differencesOf(failed: RunInfo[], all: RunInfo[]): Trait[] {
  if (failed.length < FEW || all.length < FEW) return [];
  const whole = counted(all);
  return [...counted(failed)]
    .map(([name, times]) => {
      const colon = name.indexOf(":");
      return { key: name.slice(0, colon), value: name.slice(colon + 1), here: times / failed.length, everywhere: (whole.get(name) ?? 0) / all.length };
    })
    .filter((one) => one.here >= LEAST_SHARE && one.here - one.everywhere >= LEAST_LEAD)
    .sort((one, other) => other.here - other.everywhere - (one.here - one.everywhere))
    .slice(0, SHOWN);
}

/** The last change before it began, if that was within the hour: of the job itself before one of anything else. */
export function changeBefore(marks: MarkInfo[], job: string, began: number): MarkInfo | null {
  const near = marks.filter((one) => Date.parse(one.at) <= began && began - Date.parse(one.at) < HOUR);
  return near.filter((one) => one.subject === `job ${job}`).at(-1) ?? near.at(-1) ?? null;
}

export interface Retried {
  job: string;
  error: string;
  message: string;
  runs: number;
  next: string;
  example: string;
}

/** Runs that failed and have tries left, by job and error; the most frequent first. */
export function retriedOf(runs: RunInfo[]): Retried[] {
  const found = new Map<string, Retried>();
  for (const run of runs) {
    if (!run.error || run.attempt === 0) continue;
    const key = `${run.job}\n${run.error.class}`;
    const one = found.get(key) ?? { job: run.job, error: run.error.class, message: run.error.message, runs: 0, next: run.due_at, example: run.id };
    found.set(key, { ...one, runs: one.runs + 1, next: run.due_at < one.next ? run.due_at : one.next });
  }
  return [...found.values()].sort((one, other) => other.runs - one.runs);
}
