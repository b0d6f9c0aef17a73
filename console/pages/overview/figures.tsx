// The row of figures: what finished, failed, runs, is queued and waits, and how long it took from due to started.
import type { JSX } from "preact";
import type { OverviewTotals, RatesInfo } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { linkWith } from "../../live/route.ts";
import type { Children } from "../../parts/basics.tsx";
import { Spark } from "../../parts/chart.tsx";
import { duration, percent } from "../../words/format.ts";
import { count, rate, words } from "../../words/index.ts";
import { shareOf } from "./findings.ts";

const KEPT = 60;
const NONE = { finished: 0, running: 0, queued: 0, waiting: 0, later: 0, slots: 0 };
/** Live counts have no history on the server: these are what this page saw while it was open. */
const watched: Record<string, { at: number; value: number }[]> = {};

function watch(name: string, value: number): number[] {
  const list = (watched[name] ??= []);
  const last = list.at(-1);
  if (!last || now.peek() - last.at >= 4000) list.push({ at: now.peek(), value });
  else last.value = value;
  if (list.length > KEPT) list.shift();
  return list.map((one) => one.value);
}

interface FiguresProps {
  totals: OverviewTotals | undefined;
  rates: RatesInfo | undefined;
  since: string;
}

export function Figures({ totals, rates, since }: FiguresProps): JSX.Element {
  const w = words.value;
  const steps = rates?.steps ?? [];
  const { share, failed } = shareOf(steps);
  const { finished: pace, running, queued, waiting, later, slots } = totals ?? NONE;
  const oldest = totals?.oldest_seconds ?? 0;
  const wait = [...steps].reverse().find((step) => step.wait !== null)?.wait;
  const series = steps.map((step) => step.succeeded + step.failed + step.cancelled + step.skipped);
  return (
    <section class="panel figures" aria-label={w.overview.figures}>
      <Figure name={w.overview.finished} href={linkWith({ q: `since:${since}` }, "runs")} value={rate(pace)} unit={w.overview.perMinute} note={w.overview.inRange(count(series.reduce((sum, one) => sum + one, 0)), w.ranges[since as keyof typeof w.ranges] ?? since)} spark={<Spark values={series.slice(0, -1)} tone="succeeded" />} />
      <Figure name={w.states.failed} bad={share >= 0.05} href={linkWith({ q: `state:failed since:${since}` }, "runs")} value={percent(share)} unit="%" note={w.nRuns(failed)} spark={<Spark values={steps.slice(0, -1).map((step) => step.failed)} tone="failed" />} />
      <Figure name={w.states.running} href={linkWith({ q: "state:running" }, "runs")} value={count(running)} note={w.overview.slots(count(running), count(slots))} spark={<Spark values={watch("running", running)} tone="running" />} />
      <Figure name={w.states.queued} href={linkWith({ q: "state:queued" }, "runs")} value={count(queued)} note={oldest > 0 ? w.overview.oldest(duration(oldest)) : w.overview.later(count(later))} spark={<Spark values={watch("queued", queued)} tone="queued" />} />
      <Figure name={w.states.waiting} href={linkWith({ q: "state:waiting" }, "runs")} value={count(waiting)} note={waiting === 0 ? w.overview.nothingHeld : w.overview.held} spark={<Spark values={watch("waiting", waiting)} tone="waiting" />} />
      <div class="figure">
        <span class="caps">{w.overview.startDelay}</span>
        <div class="pair">
          <Big seconds={wait?.p50} unit="p50" />
          <Big seconds={wait?.p99} unit="p99" />
        </div>
        <span class="note">{wait ? w.overview.worst(duration(wait.max)) : w.overview.nothingYet}</span>
      </div>
    </section>
  );
}

function Big({ seconds, unit }: { seconds: number | undefined; unit: string }): JSX.Element {
  const [value = "–", scale = ""] = seconds === undefined ? [] : duration(seconds).split(/ (.*)/);
  return <span class="value">{value}<small>{scale} {unit}</small></span>;
}

interface FigureProps {
  name: string;
  value: string;
  unit?: string;
  note: string;
  href: string;
  bad?: boolean;
  spark?: Children;
}

function Figure({ name, value, unit, note, href, bad, spark }: FigureProps): JSX.Element {
  return (
    <a class="figure" href={href}>
      <span class="caps">{name}</span>
      {spark}
      <span class={`value ${bad ? "is-failed" : ""}`}>{value}{unit && <small>{unit}</small>}</span>
      <span class="note">{note}</span>
    </a>
  );
}
