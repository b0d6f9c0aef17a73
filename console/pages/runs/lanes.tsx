// The timeline of a run, drawn.
import type { JSX } from "preact";
import type { RunInfo } from "../../api/schema.ts";
import { zone } from "../../live/preferences.ts";
import { useWidth } from "../../parts/chart.tsx";
import { duration } from "../../words/format.ts";
import { words, zoned } from "../../words/index.ts";
import { type Lane, scaleOf, toneOfOutcome } from "./timeline.ts";

const LEFT = 128;
const RIGHT = 40;
/** Room for the words beside a last lane that is too short to hold them. */
const BESIDE = 200;
const TOP = 34;
const ROW = 30;

export interface Usual {
  p50: number;
  p95: number;
}

export function Lanes({ run, lanes, usual, now }: { run: RunInfo; lanes: Lane[]; usual: Usual | null; now: number }): JSX.Element {
  const w = words.value;
  const [box, measured] = useWidth();
  const width = Math.max(320, measured || 820);
  const created = Date.parse(run.created_at);
  const first = lanes[0];
  // A run that is tried again is due anew: that its first attempt began before is what tells.
  const due = first && Date.parse(run.due_at) > first.from ? created : Math.max(Date.parse(run.due_at), created);
  const over = run.finished_at !== null;
  const last = lanes.at(-1);
  const usualEnd = last && last.outcome === "running" && usual ? last.from + usual.p95 * 1000 : 0;
  const future = !over && Date.parse(run.due_at) > now ? Date.parse(run.due_at) : 0;
  const end = Math.max(over ? Date.parse(run.finished_at ?? "") : now, ...lanes.map((lane) => lane.to), usualEnd, future);
  const start = Math.min(due, created, ...lanes.map((lane) => lane.from));
  const tight = last && scaleOf(lanes, start, Math.max(end, start + 1), 500).at(last.to) - scaleOf(lanes, start, Math.max(end, start + 1), 500).at(last.from) < 200;
  const room = width - LEFT - (tight && width > 600 ? BESIDE : RIGHT);
  const scale = scaleOf(lanes, start, Math.max(end, start + 1), room);
  const x = (instant: number) => LEFT + scale.at(instant);
  const height = TOP + ROW * (lanes.length + 1) + 18;
  return (
    <div class="chart lanes" ref={box}>
      <svg width={width} height={height} role="img" aria-label={w.run.timelineSays(lanes.length, run.state)}>
        <defs>
          <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" class="hatch" /></pattern>
        </defs>
        {scale.ticks.map((tick, place) => (
          <g key={tick.at}>
            <line x1={LEFT + tick.x} x2={LEFT + tick.x} y1={TOP - 10} y2={height - 14} class="grid" />
            <text x={LEFT + tick.x} y={16} text-anchor={place === 0 ? "start" : "middle"} class="tick">{clock(tick.at, place === 0, end - start)}</text>
          </g>
        ))}
        {scale.folds.map((fold) => (
          <g key={fold.from}>
            <rect x={LEFT + fold.x + 6} y={TOP - 8} width={fold.width - 12} height={height - TOP - 22} fill="url(#hatch)" />
            <text x={LEFT + fold.x + fold.width / 2} y={height - 18} text-anchor="middle" class="tick">{duration((fold.to - fold.from) / 1000)}</text>
          </g>
        ))}
        <text x="16" y={TOP + 14} class="lane">{w.run.due}</text>
        <circle cx={x(due)} cy={TOP + 10} r="4" class="due" />
        <text x={x(due) + 12} y={TOP + 14}>{first ? w.run.startedAfter(duration(Math.max(0, first.from - due) / 1000)) : run.why ?? ""}</text>
        {lanes.map((lane, place) => <LaneBar key={lane.number} lane={lane} y={TOP + ROW * (place + 1)} x={x} edge={width} usual={lane.outcome === "running" ? usual : null} />)}
        {!over && (
          <g>
            <line x1={x(now)} x2={x(now)} y1={TOP - 8} y2={height - 14} class="now" />
            <circle cx={x(now)} cy={TOP - 8} r="3" class="now-dot" />
            <text x={x(now)} y={16} text-anchor="middle" class="now-text">{w.charts.now}</text>
          </g>
        )}
      </svg>
      <LaneTable lanes={lanes} />
    </div>
  );
}

function clock(at: number, whole: boolean, span: number): string {
  const { time, millis } = zoned(at, zone.value || undefined);
  if (whole || span > 3_600_000) return time;
  return span < 12_000 ? `${time.slice(5)}.${millis.slice(0, span < 2000 ? 3 : 1)}` : time.slice(3);
}

interface BarProps {
  lane: Lane;
  y: number;
  x: (instant: number) => number;
  edge: number;
  usual: Usual | null;
}

function LaneBar({ lane, y, x, edge, usual }: BarProps): JSX.Element {
  const w = words.value;
  const tone = toneOfOutcome(lane.outcome);
  const [from, to] = [x(lane.from), Math.max(x(lane.to), x(lane.from) + 3)];
  const outcomes = w.outcomes as Record<string, string>;
  const text = `${outcomes[lane.outcome] ?? lane.outcome}${lane.error ? ` ${lane.error}` : ""} ${duration((lane.to - lane.from) / 1000)}`;
  const fits = to - from > text.length * 6.4 + 14;
  const beside = to + 8 + text.length * 6.2 < edge;
  const lost = lane.outcome === "lost";
  return (
    <g>
      <text x="16" y={y + 14} class="lane">{w.run.try(lane.number)}</text>
      <text x="62" y={y + 14} class="who">{lane.executor.length > 9 ? `${lane.executor.slice(0, 8)}…` : lane.executor}</text>
      <rect x={from} y={y} width={to - from} height="20" rx="2" fill={lost ? "none" : `var(--${tone})`} stroke={lost ? `var(--${tone})` : "none"} stroke-dasharray={lost ? "4 3" : "none"} />
      <text x={fits ? from + 8 : beside ? to + 8 : from - 8} y={y + 14} text-anchor={fits || beside ? "start" : "end"} class={fits && !lost ? "on" : `is-${tone}`} fill="currentColor">{text}</text>
      {usual && (
        <g class="usual">
          <line x1={from} x2={x(lane.from + usual.p95 * 1000)} y1={y + 25} y2={y + 25} />
          <line x1={x(lane.from + usual.p50 * 1000)} x2={x(lane.from + usual.p50 * 1000)} y1={y + 22} y2={y + 28} />
          <line x1={x(lane.from + usual.p95 * 1000)} x2={x(lane.from + usual.p95 * 1000)} y1={y + 22} y2={y + 28} />
        </g>
      )}
    </g>
  );
}

function LaneTable({ lanes }: { lanes: Lane[] }): JSX.Element {
  const w = words.value;
  const outcomes = w.outcomes as Record<string, string>;
  return (
    <details class="as-table">
      <summary>{w.charts.asTable}</summary>
      <table>
        <thead><tr><th>{w.runs.try}</th><th>{w.runs.executor}</th><th>{w.run.outcome}</th><th class="num">{w.runs.took}</th></tr></thead>
        <tbody>
          {lanes.map((lane) => (
            <tr key={lane.number}><td>{lane.number}</td><td>{lane.executor}</td><td>{outcomes[lane.outcome] ?? lane.outcome} {lane.error}</td><td class="num">{duration((lane.to - lane.from) / 1000)}</td></tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
