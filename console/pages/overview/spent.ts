// Jobs by the time that their runs took in all, and by how late these began; pure, so that tests need no browser.
import type { JobFigure } from "../../api/schema.ts";

export interface Spent {
  job: string;
  seconds: number;
  /** Of the time of all jobs. */
  share: number;
  p95: number;
}

const endedOf = (one: JobFigure) => one.succeeded + one.failed + one.cancelled;

export function spentOf(jobs: JobFigure[]): Spent[] {
  const spent = jobs.flatMap((one) => (one.duration ? [{ job: one.job, seconds: one.duration.mean * endedOf(one), share: 0, p95: one.duration.p95 }] : []));
  const whole = spent.reduce((sum, one) => sum + one.seconds, 0);
  return spent
    .filter((one) => one.seconds > 0)
    .map((one) => ({ ...one, share: one.seconds / whole }))
    .sort((one, other) => other.seconds - one.seconds);
}

export function slowestOf(jobs: JobFigure[]): JobFigure[] {
  return jobs.filter((one) => one.wait !== null && endedOf(one) > 0).sort((one, other) => (other.wait?.p95 ?? 0) - (one.wait?.p95 ?? 0));
}
