// Charts in SVG: the pulse of runs, whose failures hang below the axis on their own scale, and small lines and bars.
import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { zone } from "../live/preferences.ts";
import { go } from "../live/route.ts";
import { count, words, zoned } from "../words/index.ts";
import { niceTop, ticksOf } from "./scale.ts";

export interface Beat {
  at: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  skipped: number;
}

const LEFT = 44;
const RIGHT = 14;
const TALL = { height: 196, top: 18, axis: 136, bottom: 172 };
const SLIM = { height: 84, top: 10, axis: 46, bottom: 62 };

/** The width of an element, as it changes. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement | null>(null);
  const width = useSignal(0);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => (width.value = Math.round(entry?.contentRect.width ?? 0)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width.value];
}

/** A change that may explain what a chart shows. */
export interface Mark {
  at: number;
  text: string;
}

interface PulseProps {
  beats: Beat[];
  step: number;
  hrefOf: (beat: Beat) => string;
  /** Where a brush over several beats leads: from the first instant, and before the second. */
  hrefOfSpan?: (from: number, until: number) => string;
  slim?: boolean;
  marks?: Mark[];
}

export function Pulse({ beats, step, hrefOf, hrefOfSpan, slim = false, marks = [] }: PulseProps): JSX.Element {
  const { height, top, axis, bottom } = slim ? SLIM : TALL;
  const w = words.value;
  const [box, width] = useWidth();
  const at = useSignal(-1);
  /** The beat at which a brush began. */
  const begun = useSignal(-1);
  const room = Math.max(1, (width || 900) - LEFT - RIGHT);
  const slot = room / Math.max(1, beats.length);
  const most = niceTop(Math.max(1, ...beats.map((one) => one.succeeded + one.cancelled + one.skipped)));
  const worst = niceTop(Math.max(1, ...beats.map((one) => one.failed)));
  const up = (value: number) => (value / most) * (axis - top);
  const down = (value: number) => (value / worst) * (bottom - axis - 2);
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const shown = beats[at.value];
    if (by !== 0) {
      event.preventDefault();
      const from = at.value < 0 ? beats.length - 1 : at.value;
      begun.value = event.shiftKey && hrefOfSpan ? (begun.value < 0 ? from : begun.value) : -1;
      at.value = Math.max(0, Math.min(beats.length - 1, from + by));
    } else if (event.key === "Enter" && shown) open();
  };
  const [first, last] = [Math.min(begun.value < 0 ? at.value : begun.value, at.value), Math.max(begun.value, at.value)];
  const open = () => {
    const [from, until] = [beats[first], beats[last]];
    begun.value = -1;
    if (hrefOfSpan && from && until && first < last) go(hrefOfSpan(from.at, until.at + step * 1000));
    else if (until) go(hrefOf(until));
  };
  const point = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const place = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / slot);
    at.value = place >= 0 && place < beats.length ? place : -1;
  };
  const shown = beats[at.value];
  return (
    <div class="chart pulse" ref={box}>
      <svg
        width="100%"
        height={height}
        role="img"
        aria-label={w.charts.pulse(sum(beats, "succeeded"), sum(beats, "failed"))}
        tabIndex={0}
        onKeyDown={move}
        onMouseMove={point}
        onMouseLeave={() => (at.value = begun.value = -1)}
        onMouseDown={() => hrefOfSpan && (begun.value = at.value)}
        onClick={() => shown && open()}
        class={shown ? "can-open" : ""}
      >
        {ticksOf(most, slim ? 1 : 3).map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={LEFT + room} y1={axis - up(value)} y2={axis - up(value)} class={value === 0 ? "axis" : "grid"} />
            <text x={LEFT - 8} y={axis - up(value) + 4} text-anchor="end">{count(value)}</text>
          </g>
        ))}
        <line x1={LEFT} x2={LEFT + room} y1={bottom} y2={bottom} class="grid" />
        <text x={LEFT - 8} y={bottom + 4} text-anchor="end">{count(worst)}</text>
        {shown && <rect x={LEFT + first * slot} y={top - 6} width={slot * (last - first + 1)} height={bottom - top + 6} class="lit" />}
        {beats.map((one, place) => (
          <Bar key={one.at} beat={one} x={LEFT + place * slot + slot * 0.08} width={slot * 0.84} up={up} down={down} last={place === beats.length - 1} axis={axis} />
        ))}
        {marksBySlot(marks, beats, step).map(([place, texts]) => (
          <g key={place} class="mark">
            <line x1={LEFT + place * slot} x2={LEFT + place * slot} y1={top - 6} y2={bottom} />
            <path d={`M${LEFT + place * slot - 4} ${top - 10}h8l-4 6z`}><title>{texts.join("\n")}</title></path>
          </g>
        ))}
        <TimeAxis beats={beats} step={step} slot={slot} height={height} />
        <line x1={LEFT + room} x2={LEFT + room} y1={top - 6} y2={bottom} class="now" />
        <circle cx={LEFT + room} cy={top - 6} r="3" class="now-dot" />
      </svg>
      {shown && <PulseTip beat={shown} marks={marksBySlot(marks, beats, step).find(([place]) => place === at.value)?.[1] ?? []} step={step} left={LEFT + at.value * slot} flip={at.value > beats.length * 0.72} slot={slot} />}
      <PulseTable beats={beats} />
    </div>
  );
}

/** Marks by where they stand among the beats; those that fall together stand as one. */
export function marksBySlot(marks: Mark[], beats: Beat[], step: number): [number, string[]][] {
  const first = beats[0]?.at ?? 0;
  const found = new Map<number, string[]>();
  for (const mark of marks) {
    // The beats end with the last survey; what was changed since stands with the newest.
    const place = Math.min(beats.length - 1, Math.floor((mark.at - first) / (step * 1000)));
    if (place >= 0) found.set(place, [...(found.get(place) ?? []), mark.text]);
  }
  return [...found];
}

function Bar(props: { beat: Beat; x: number; width: number; up: (value: number) => number; down: (value: number) => number; last: boolean; axis: number }): JSX.Element {
  const { beat, x, width, up, down, last, axis } = props;
  const good = up(beat.succeeded);
  const other = up(beat.cancelled + beat.skipped);
  const bad = down(beat.failed);
  const edge = Math.min(2.5, good);
  return (
    <g opacity={last ? 0.55 : 1}>
      {good > 0 && <rect x={x} y={axis - good} width={width} height={good} fill="var(--succeeded-soft)" rx="1" />}
      {good > 0 && <rect x={x} y={axis - good} width={width} height={edge} fill="var(--succeeded-fill)" rx="1" />}
      {other > 0 && <rect x={x} y={axis - good - Math.max(1.5, other)} width={width} height={Math.max(1.5, other)} fill="var(--cancelled-fill)" />}
      {bad > 0 && <rect x={x} y={axis + 1.5} width={width} height={Math.max(2, bad)} fill="var(--failed-fill)" rx="1" />}
    </g>
  );
}

function TimeAxis({ beats, step, slot, height }: { beats: Beat[]; step: number; slot: number; height: number }): JSX.Element {
  const every = Math.max(1, Math.ceil(72 / slot), Math.round(beats.length / 6));
  const shown = beats.map((beat, place) => [beat, place] as const).filter(([, place]) => place % every === 0 && place < beats.length - every / 2);
  return (
    <>
      {shown.map(([beat, place]) => (
        <text key={beat.at} x={LEFT + place * slot} y={height - 6} text-anchor={place === 0 ? "start" : "middle"}>{clockOf(beat.at, step)}</text>
      ))}
      <text x={LEFT + beats.length * slot} y={height - 6} text-anchor="end" class="now-text">{words.value.charts.now}</text>
    </>
  );
}

function clockOf(at: number, step: number): string {
  const { time, weekday } = zoned(at, zone.value || undefined);
  return step >= 3600 ? `${weekday} ${time.slice(0, 5)}` : time.slice(0, 5);
}

function PulseTip({ beat, marks, step, left, slot, flip }: { beat: Beat; marks: string[]; step: number; left: number; slot: number; flip: boolean }): JSX.Element {
  const w = words.value;
  const rows = (["succeeded", "failed", "cancelled", "skipped"] as const).filter((state) => beat[state] > 0 || state === "succeeded");
  return (
    <div class={`tip ${flip ? "flip" : ""}`} style={{ left: `${flip ? left - 10 : left + slot + 10}px`, top: "14px" }}>
      <b>{clockOf(beat.at, step)}</b> <span class="faint">{step >= 3600 ? w.charts.oneHour : w.charts.oneMinute}</span>
      <dl>
        {rows.map((state) => [
          <dt key={state} class={`is-${state}`}>{w.states[state]}</dt>,
          <dd key={`${state}-n`}>{count(beat[state])}</dd>,
        ])}
      </dl>
      {marks.slice(0, 4).map((text) => <div key={text} class="faint">▾ {text}</div>)}
    </div>
  );
}

/** The same for those who hear the page. */
function PulseTable({ beats }: { beats: Beat[] }): JSX.Element {
  const w = words.value;
  return (
    <details class="as-table">
      <summary>{w.charts.asTable}</summary>
      <table>
        <thead>
          <tr>
            <th>{w.charts.from}</th>
            <th class="num">{w.states.succeeded}</th>
            <th class="num">{w.states.failed}</th>
          </tr>
        </thead>
        <tbody>
          {beats.filter((one) => one.succeeded + one.failed > 0).map((one) => (
            <tr key={one.at}>
              <td>{zoned(one.at, zone.value || undefined).time}</td>
              <td class="num">{count(one.succeeded)}</td>
              <td class="num">{count(one.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const sum = (beats: Beat[], state: "succeeded" | "failed") => beats.reduce((total, beat) => total + beat[state], 0);

/** A line of numbers, for beside a figure. */
export function Spark({ values, tone, width = 72, height = 22 }: { values: number[]; tone: string; width?: number; height?: number }): JSX.Element | null {
  if (values.length < 2) return null;
  const most = Math.max(...values, 1e-9);
  const x = (place: number) => 1 + (place / (values.length - 1)) * (width - 5);
  const y = (value: number) => height - 2 - (value / most) * (height - 6);
  const line = values.map((value, place) => `${place === 0 ? "M" : "L"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return (
    <svg class="spark" width={width} height={height} aria-hidden="true">
      <path d={`${line}L${width - 4} ${height}L1 ${height}Z`} fill={`var(--${tone}-tint)`} />
      <path d={line} fill="none" stroke={`var(--${tone}-fill)`} stroke-width="1.3" />
      <circle cx={width - 4} cy={y(values.at(-1) ?? 0)} r="1.8" fill={`var(--${tone}-fill)`} />
    </svg>
  );
}

/** Bars that stand on a line, or hang from it. */
export function Bars({ values, tone, width = 60, height = 20, hang = false }: { values: number[]; tone: string; width?: number; height?: number; hang?: boolean }): JSX.Element {
  const most = Math.max(...values, 1);
  const slot = width / Math.max(1, values.length);
  return (
    <svg class="bars" width={width} height={height} aria-hidden="true">
      <line x1="0" x2={width} y1={hang ? 0.5 : height - 0.5} y2={hang ? 0.5 : height - 0.5} class="grid" />
      {values.map((value, place) => {
        const size = value === 0 ? 0 : Math.max(2, (value / most) * (height - 2));
        return size > 0 && <rect key={place} x={place * slot} y={hang ? 1.5 : height - 1 - size} width={Math.max(1, slot - 1)} height={size} fill={`var(--${tone}-fill)`} />;
      })}
    </svg>
  );
}
