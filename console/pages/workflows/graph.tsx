// The graph of a workflow, drawn; a box is a step, with its state where it has one.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { words } from "../../words/index.ts";
import { HIGH, type Layout, type Node, WIDE, layoutOf, nearestBox, withEndings } from "./layout.ts";

/** A graph that is wider than its page shrinks down to this; beyond it, it is scrolled. */
const LEAST_SCALE = 0.7;

export interface GraphStep extends Node {
  job: string;
  state?: string;
  note?: string;
}

/** States of steps in the tones of runs. */
export function toneOf(state: string | undefined, waits = false): string {
  if (!state) return "";
  // A step that waits for its parents has not begun; one that waits for people or a time has.
  if (state === "waiting") return "queued";
  if (state === "begun" && waits) return "waiting";
  if (["queued", "running", "succeeded", "failed", "cancelled", "skipped"].includes(state)) return state;
  if (state === "begun") return "running";
  return state === "blocked" || state === "paused" || state === "pending" ? "waiting" : "queued";
}

export function Graph({ steps: given, on, onChoose }: { steps: GraphStep[]; on: string; onChoose: (name: string) => void }): JSX.Element {
  const w = words.value;
  const steps = withEndings(given);
  const shape = steps.map((step) => `${step.name}<${step.parents.join(",")}`).join(";");
  const layout = useMemo(() => layoutOf(steps), [shape]);
  return (
    <div class="graph" tabIndex={0} role="region" aria-label={w.workflows.graph}>
      <svg viewBox={`0 0 ${layout.width} ${layout.height}`} style={{ width: `${layout.width}px`, minWidth: `${layout.width * LEAST_SCALE}px` }} role="group" onKeyDown={(event) => walkBoxes(event, layout)} aria-label={w.workflows.graphSays(steps.length)}>
        <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M1 1 7 4 1 7" class="arrow" /></marker></defs>
        {layout.edges.map((edge) => <path key={`${edge.from}>${edge.to}`} d={edge.path} class={`edge ${on === edge.from || on === edge.to ? "lit" : ""}`} marker-end="url(#arrow)" />)}
        {steps.map((step) => {
          const box = layout.boxes.get(step.name);
          const tone = toneOf(step.state, step.job === "");
          if (!box) return null;
          return (
            <g key={step.name} role="button" tabIndex={0} aria-pressed={on === step.name} class={`box ${tone ? `is-${tone}` : ""} ${on === step.name ? "on" : ""}`} data-step={step.name} transform={`translate(${box.x} ${box.y})`} onClick={() => onChoose(step.name)} onKeyDown={(event) => event.key === "Enter" && onChoose(step.name)}>
              <rect width={WIDE} height={HIGH} rx="6" />
              {step.state && <title>{(w.states as Record<string, string>)[step.state] ?? step.state}</title>}
              {tone && <rect width="4" height={HIGH} rx="2" class={`band fill-svg-${tone}`} />}
              {tone && <use href={`#s-${tone}`} x="12" y="9" width="14" height="14" />}
              <text x={tone ? 32 : 14} y="20" class="title">{cut(step.name, tone ? 17 : 20)}</text>
              <text x={tone ? 32 : 14} y="36" class="sub">{cut(step.note || step.job || w.workflows.waits, 22)}</text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** Arrow keys lead to the nearest box in their direction. */
function walkBoxes(event: KeyboardEvent & { currentTarget: SVGSVGElement }, layout: Layout): void {
  const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] ?? [0, 0];
  const from = layout.boxes.get(document.activeElement?.getAttribute("data-step") ?? "");
  if (!from || (right === 0 && down === 0)) return;
  event.preventDefault();
  const to = nearestBox(from, [...layout.boxes.values()], right ?? 0, down ?? 0);
  if (to) [...event.currentTarget.querySelectorAll<SVGGElement>("[data-step]")].find((box) => box.getAttribute("data-step") === to.name)?.focus();
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
