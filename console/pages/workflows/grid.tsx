// Runs of a workflow against its steps: one read for all cells, and only those in sight are drawn.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { part } from "../../api/call.ts";
import type { GridInfo, GridRun } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { go, linkWith } from "../../live/route.ts";
import { Panel, Shown, fullTime } from "../../parts/basics.tsx";
import { relative, words } from "../../words/index.ts";
import { now } from "../../live/clock.ts";
import { CellPicture } from "./cells.tsx";
import { CELL, NAMES, ROW, STATE_OF, moved, scrollTo, windowOf } from "./grid.ts";

export function Grid({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<GridInfo>(`workflows/${part(name)}/grid?limit=100`, { every: 3000 });
  return (
    <Panel title={w.workflows.tabs.grid} note={w.workflows.gridNote}>
      <Shown of={resource} rows={8}>{(grid) => (grid.runs.length === 0 ? <p class="quiet">{w.jobs.noRuns}</p> : <Cells name={name} grid={grid} />)}</Shown>
    </Panel>
  );
}

function Cells({ name, grid }: { name: string; grid: GridInfo }): JSX.Element {
  const w = words.value;
  const box = useRef<HTMLDivElement>(null);
  const view = useSignal({ left: 0, top: 0, width: 1200, height: 560 });
  const at = useSignal<[row: number, column: number]>([0, grid.runs.length - 1]);
  // Time goes from left to right: the newest run stands at the right edge, and is what one sees first.
  const runs = useMemo(() => [...grid.runs].reverse(), [grid]);
  const look = () => box.current && (view.value = { left: box.current.scrollLeft, top: box.current.scrollTop, width: box.current.clientWidth, height: box.current.clientHeight });
  useEffect(() => {
    box.current?.scrollTo({ left: box.current.scrollWidth });
    look();
  }, [name]);
  const shown = windowOf(view.value, grid.steps.length, runs.length);
  const [row, column] = at.value;
  const key = (event: KeyboardEvent) => {
    const next = moved(event.key, at.value, grid.steps.length, runs.length);
    if (next) {
      event.preventDefault();
      at.value = next;
      box.current?.scrollTo(scrollTo(view.peek(), next));
    } else if (event.key === "Enter") open(name, runs[column], grid.steps[row]);
  };
  const states = w.states as Record<string, string>;
  const chosen = runs[column];
  const state = STATE_OF[chosen?.cells[row] ?? "-"] ?? "";
  return (
    <>
      <div class="grid-box" ref={box} onScroll={look} tabIndex={0} role="application" aria-label={w.workflows.gridSays(grid.steps.length, runs.length)} aria-describedby="grid-at" onKeyDown={key}>
        <div class="grid-inside" style={{ width: `${NAMES + runs.length * CELL}px`, height: `${(grid.steps.length + 1) * ROW}px` }}>
          <div class="grid-head" style={{ height: `${ROW}px` }}>
            {shown.columns.map((place) => {
              const run = runs[place];
              return run && <a key={run.id} href={linkWith({ run: run.id }, "workflows", name)} tabIndex={-1} title={fullTime(Date.parse(run.began_at))} aria-label={`${states[run.state] ?? run.state}, ${relative((Date.parse(run.began_at) - now.peek()) / 1000)}`} style={{ left: `${NAMES + place * CELL}px` }} class={`head-${run.state}`}><i class={`fill-${run.state}`} /></a>;
            })}
          </div>
          <CellPicture runs={runs} rows={shown.rows} columns={shown.columns} chosen={at.value} onOpen={(one, other) => open(name, runs[other], grid.steps[one])} />
          <div class="grid-names" style={{ height: `${grid.steps.length * ROW}px` }}>
            {shown.rows.map((place) => <span key={grid.steps[place]} class="grid-name cut" style={{ top: `${place * ROW}px` }} title={grid.steps[place]}>{grid.steps[place]}</span>)}
          </div>
        </div>
      </div>
      <p class="grid-foot" id="grid-at" role="status">{grid.steps[row]}: <b>{states[state] ?? w.workflows.noCell}</b>{chosen && ` · ${fullTime(Date.parse(chosen.began_at))} · v${chosen.version}`}</p>
    </>
  );
}

function open(name: string, run: GridRun | undefined, step: string | undefined): void {
  if (run) go(linkWith({ run: run.id, step: step ?? null }, "workflows", name));
}
