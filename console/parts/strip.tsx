// The last runs as bars: height is duration on a log scale, failed ones hang below the line, each leads to its run.
import type { JSX } from "preact";
import type { RunInfo } from "../api/schema.ts";
import { link } from "../live/route.ts";
import { words } from "../words/index.ts";
import { duration } from "../words/format.ts";
import { logHeight } from "./scale.ts";

const HEIGHT = 26;
const LINE = 19;

export function secondsOf(run: RunInfo): number | null {
  if (!run.started_at || !run.finished_at) return null;
  return (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
}

/** Newest first, as lists come; drawn oldest first. */
export function Strip({ runs, most = 30, wide = 6, on = "" }: { runs: RunInfo[]; most?: number; wide?: number; on?: string }): JSX.Element {
  const w = words.value;
  const shown = runs.slice(0, most).reverse();
  const longest = Math.max(0, ...shown.map((run) => secondsOf(run) ?? 0));
  const states = w.states as Record<string, string>;
  const failed = shown.filter((run) => run.state === "failed").length;
  return (
    <span class="strip" role="group" aria-label={w.charts.strip(shown.length, failed)} onKeyDown={(event) => walkWithin(event, "a")}>
      {shown.map((run, place) => {
        const seconds = secondsOf(run);
        const height = seconds === null ? 4 : Math.max(3, logHeight(seconds, longest) * (LINE - 1));
        const hangs = run.state === "failed";
        return (
          <a
            key={run.id}
            href={link("runs", run.id)}
            tabIndex={place === shown.length - 1 ? 0 : -1}
            title={`${states[run.state] ?? run.state}${seconds === null ? "" : `, ${duration(seconds)}`}`}
            aria-label={`${states[run.state] ?? run.state}${seconds === null ? "" : `, ${duration(seconds)}`}`}
            class={run.id === on ? "on" : ""}
            style={{ width: `${wide}px` }}
          >
            <i class={`fill-${run.state}`} style={{ top: `${hangs ? LINE : LINE - height}px`, height: `${hangs ? HEIGHT - LINE : height}px` }} />
          </a>
        );
      })}
    </span>
  );
}

/** Arrow keys lead from one thing to the next among those that a selector names. */
export function walkWithin(event: KeyboardEvent & { currentTarget: HTMLElement }, selector: string): void {
  const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (by === 0) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
