// When the last of many runs starts that are due at once: slots take them in waves, each as long as a run usually takes.
import type { HerdMember, JobFigure } from "../../api/schema.ts";

/** Seconds behind the instant; 0 if there is a slot for each, or nothing is known. */
export function lastStart(runs: number, slots: number, usual: number): number {
  return slots <= 0 ? 0 : (Math.ceil(runs / slots) - 1) * usual;
}

/** Seconds that a run of these triggers usually takes: the medians of their jobs, each as often as it runs. */
export function usualOf(triggers: HerdMember[], figures: JobFigure[]): number {
  const medians = new Map(figures.map((one) => [one.job, one.duration?.p50]));
  let [runs, seconds] = [0, 0];
  for (const one of triggers) {
    const median = medians.get(one.job);
    if (median === undefined) continue;
    runs += one.runs;
    seconds += one.runs * median;
  }
  return runs === 0 ? 0 : seconds / runs;
}
