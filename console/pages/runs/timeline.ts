// The geometry of a run's timeline: one lane for each attempt, long idle times folded, so that a retry days later does not flatten the rest.

export interface Span {
  from: number;
  to: number;
}

export interface Folded extends Span {
  x: number;
  width: number;
}

export interface Scale {
  at: (instant: number) => number;
  folds: Folded[];
  ticks: { at: number; x: number }[];
}

const FOLD = 64;
const SHARE = 0.3;

/** A scale over the busy spans between two instants, `width` wide. */
export function scaleOf(busy: Span[], from: number, to: number, width: number): Scale {
  const gaps = gapsOf(busy, from, to);
  const total = Math.max(1, to - from);
  const worked = total - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const long = gaps.filter((gap) => gap.to - gap.from > Math.max(2000, worked * SHARE, total * 0.2));
  const left = Math.max(1, total - long.reduce((sum, gap) => sum + gap.to - gap.from, 0));
  const room = Math.max(40, width - FOLD * long.length);
  const at = (instant: number) => {
    const capped = Math.min(Math.max(instant, from), to);
    let x = 0;
    let last = from;
    for (const gap of long) {
      if (capped <= gap.from) break;
      x += ((gap.from - last) / left) * room + FOLD * Math.min(1, (capped - gap.from) / (gap.to - gap.from));
      last = Math.min(gap.to, capped);
      if (capped < gap.to) return x;
    }
    return x + ((capped - last) / left) * room;
  };
  const folds = long.map((gap) => ({ ...gap, x: at(gap.from), width: FOLD }));
  return { at, folds, ticks: ticksOf(from, to, left, room, folds, at) };
}

export function gapsOf(busy: Span[], from: number, to: number): Span[] {
  const gaps: Span[] = [];
  let last = from;
  for (const span of [...busy].sort((one, other) => one.from - other.from)) {
    if (span.from > last) gaps.push({ from: last, to: span.from });
    last = Math.max(last, span.to);
  }
  if (to > last) gaps.push({ from: last, to });
  return gaps;
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 86_400_000, 604_800_000];

function ticksOf(from: number, to: number, shown: number, room: number, folds: Folded[], at: (instant: number) => number): Scale["ticks"] {
  const step = STEPS.find((one) => (one / shown) * room >= 84) ?? 604_800_000;
  const ticks: Scale["ticks"] = [{ at: from, x: 0 }];
  for (const piece of gapsOf(folds, from, to)) {
    for (let instant = Math.ceil((piece.from + 1) / step) * step; instant < piece.to; instant += step) {
      const x = at(instant);
      if (x - (ticks.at(-1)?.x ?? 0) >= 64 && ticks.length < 40) ticks.push({ at: instant, x });
    }
  }
  return ticks;
}

export interface Lane {
  number: number;
  executor: string;
  from: number;
  to: number;
  /** How it ended; `running` while it has not. */
  outcome: string;
  error: string;
  host: string;
}

interface RunLike {
  attempt: number;
  state: string;
  started_at: string | null;
  finished_at: string | null;
  executor: string | null;
}

interface AttemptLike {
  number: number;
  outcome: string;
  executor: string;
  host: string;
  started_at: string | null;
  ended_at: string;
  error: { class: string } | null;
}

/** The attempts that did not succeed are kept; the one that did, or goes on, is told by the run. */
export function lanesOf(run: RunLike, attempts: AttemptLike[], now: number): Lane[] {
  const lanes: Lane[] = attempts.map((one) => ({
    number: one.number,
    executor: one.executor,
    host: one.host,
    from: Date.parse(one.started_at ?? one.ended_at),
    to: Date.parse(one.ended_at),
    outcome: one.outcome,
    error: one.error?.class ?? "",
  }));
  const last = { number: run.attempt, executor: run.executor ?? "", host: "", from: Date.parse(run.started_at ?? ""), error: "" };
  const told = lanes.some((lane) => lane.number === run.attempt);
  if (run.started_at && !told && run.state === "running") lanes.push({ ...last, to: now, outcome: "running" });
  else if (run.started_at && !told && run.state === "succeeded") lanes.push({ ...last, to: Date.parse(run.finished_at ?? run.started_at), outcome: "succeeded" });
  return lanes.sort((one, other) => one.number - other.number);
}

export function toneOfOutcome(outcome: string): string {
  if (outcome === "running" || outcome === "succeeded" || outcome === "cancelled") return outcome;
  if (outcome === "suspended") return "waiting";
  return outcome === "released" || outcome === "snoozed" ? "queued" : "failed";
}
