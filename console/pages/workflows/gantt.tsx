// A workflow run over time: a bar for each step, its wait before it, its usual length as a ghost, and the critical path.
import type { JSX } from "preact";
import type { JobFigures, StepRunPage, StepStateInfo, WorkflowRunInfo } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { StateIcon } from "../../parts/basics.tsx";
import { useWidth } from "../../parts/chart.tsx";
import { duration } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { type StepTimes, criticalPath, ticksOf, timesOf } from "./gantt.ts";
import { toneOf } from "./graph.tsx";
import { withEndings } from "./layout.ts";

const NAMES = 190;
const ROW = 28;
const TOP = 26;

export function Gantt({ run, page, on, onChoose }: { run: WorkflowRunInfo; page: StepRunPage; on: string; onChoose: (name: string) => void }): JSX.Element {
  const w = words.value;
  const [box, width] = useWidth();
  const usual = useResource<JobFigures>("rates/jobs?step=hour&steps=168", { every: 60_000 }).data.value?.jobs ?? [];
  const times = timesOf(page.runs as Parameters<typeof timesOf>[0]);
  const since = Date.parse(run.began_at);
  const until = run.finished_at ? Date.parse(run.finished_at) : now.value;
  const whole = Math.max(1000, until - since);
  const room = Math.max(200, (width || 900) - NAMES - 90);
  const x = (at: number) => NAMES + (Math.max(0, Math.min(whole, at - since)) / whole) * room;
  const path = criticalPath(new Map(withEndings(run.steps).map((step) => [step.name, step.parents])), times, until);
  const height = TOP + run.steps.length * ROW + 8;
  return (
    <div class="gantt" ref={box}>
      <svg width="100%" height={height} role="group" aria-label={w.workflows.ganttSays(run.steps.length, duration(whole / 1000))}>
        {ticksOf(whole / 1000, 8).map((at) => (
          <g key={at}>
            <line x1={x(since + at * 1000)} x2={x(since + at * 1000)} y1={TOP - 4} y2={height} class="grid" />
            <text x={x(since + at * 1000)} y="14" text-anchor="middle">{at === 0 ? "0" : `+${duration(at)}`}</text>
          </g>
        ))}
        {run.steps.map((step, row) => {
          const figure = usual.find((one) => one.job === step.job)?.duration;
          return <Row key={step.name} step={step} times={times.get(step.name)} y={TOP + row * ROW} x={x} until={until} usual={figure?.p50 ?? null} critical={path.has(step.name)} on={on === step.name} onChoose={onChoose} width={width || 900} />;
        })}
        {!run.finished_at && <line x1={x(until)} x2={x(until)} y1={TOP - 8} y2={height} class="now" />}
      </svg>
      <p class="legend gantt-legend"><span><i class="critical" /> {w.workflows.critical}</span><span><i class="wait" /> {w.runs.wait}</span><span><i class="ghost" /> {w.workflows.usual}</span></p>
    </div>
  );
}

interface RowProps {
  step: StepStateInfo;
  times: StepTimes | undefined;
  y: number;
  x: (at: number) => number;
  until: number;
  usual: number | null;
  critical: boolean;
  on: boolean;
  onChoose: (name: string) => void;
  width: number;
}

function Row({ step, times, y, x, until, usual, critical, on, onChoose, width }: RowProps): JSX.Element {
  const w = words.value;
  const tone = toneOf(step.state, step.job === "");
  const began = times?.began ?? null;
  const ended = times?.ended ?? until;
  const took = began === null ? null : (ended - began) / 1000;
  const says = [step.name, (w.states as Record<string, string>)[step.state] ?? step.state, took === null ? "" : duration(took), critical ? w.workflows.critical : ""].filter(Boolean).join(", ");
  return (
    <g class={`gantt-row ${on ? "on" : ""}`} role="button" tabIndex={0} aria-pressed={on} aria-label={says} onClick={() => onChoose(step.name)} onKeyDown={(event) => event.key === "Enter" && onChoose(step.name)}>
      <rect x="0" y={y} width={width} height={ROW} class="under" />
      <use href={`#s-${tone || "queued"}`} x="12" y={y + 6} width="15" height="15" class={`is-${tone || "queued"}`} />
      <text x="34" y={y + 18} class="title">{step.name.length > 19 ? `${step.name.slice(0, 18)}…` : step.name}{step.size ? ` ×${step.size}` : ""}</text>
      {times && began !== null && began > times.made && <rect x={x(times.made)} y={y + 11} width={Math.max(1, x(began) - x(times.made))} height="6" class="wait" />}
      {began !== null && usual !== null && times?.items === 1 && <rect x={x(began)} y={y + 20} width={Math.max(2, x(began + usual * 1000) - x(began))} height="3" class="ghost" />}
      {times && began === null && <rect x={x(times.made)} y={y + 8} width={Math.max(2, x(until) - x(times.made))} height="12" class="wait" />}
      {began !== null && <rect x={x(began)} y={y + 7} width={Math.max(2, x(ended) - x(began))} height="13" rx="2" class={`fill-svg-${step.job === "" ? "waiting" : tone || "queued"} ${critical ? "critical" : ""}`} />}
      {took !== null && <text x={x(ended) + 6} y={y + 18}>{duration(took)}</text>}
    </g>
  );
}

export function StepState({ step }: { step: StepStateInfo }): JSX.Element {
  const names = words.value.states as Record<string, string>;
  const tone = toneOf(step.state, step.job === "");
  return <span class={`state is-${tone}`}><StateIcon state={tone} />{names[tone === "waiting" ? tone : step.state] ?? step.state}</span>;
}
