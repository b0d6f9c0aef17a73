// The herd before it comes: how many runs triggers will start, against the slots there are.
import type { JSX } from "preact";
import type { ExecutorPage, TriggerForecast } from "../../api/schema.ts";
import { zone } from "../../live/preferences.ts";
import { useResource } from "../../live/resource.ts";
import { asked, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Panel, Segments, Shown } from "../../parts/basics.tsx";
import { both, count, words, zoned } from "../../words/index.ts";
import { walkWithin } from "../../parts/strip.tsx";
import { Herd } from "./herd.tsx";

const VIEWS = { "24h": { hours: 24, step: 300, columns: 12 }, "7d": { hours: 168, step: 3600, columns: 24 } } as const;

const counted = both(
  { soFar: (share: number) => `${share} % of the triggers are counted so far; the rest follows.` },
  { soFar: (share: number) => `目前已统计 ${share}% 的触发器，其余稍后显示。` },
);

export function Forecast(): JSX.Element {
  const w = words.value;
  const range = asked("range") === "7d" ? "7d" : "24h";
  const { hours, step, columns } = VIEWS[range];
  const resource = useResource<TriggerForecast>(`forecast?hours=${hours}&step=${step}`, { every: 60_000 });
  const executors = useResource<ExecutorPage>("executors?limit=100", { every: 30_000 }).data.value?.executors ?? [];
  const slots = executors.flatMap((one) => one.pools).reduce((sum, pool) => sum + pool.max, 0);
  const at = asked("at");
  return (
    <>
      <Panel title={w.triggers.forecastTitle} note={range === "7d" ? w.triggers.perHour : w.triggers.perFive} more={<Segments small label={w.overview.range} on={range} choices={[{ id: "24h", name: w.ranges["24h"] }, { id: "7d", name: w.ranges["7d"] }]} onChoose={(id) => setQuery({ range: id === "24h" ? null : id })} />}>
        <Shown of={resource} rows={8}>
          {(found) => (
            <div class="body">
              <p>{found.total === 0 ? !found.counting && w.triggers.noFires : <>{w.triggers.forecastSays(count(found.total, !found.complete), count(found.triggers))} {found.peak > 0 && <b class={found.peak > slots ? "is-waiting" : ""}>{w.triggers.peak(count(found.peak), momentOf(found), count(slots))}</b>}</>}</p>
              {found.counted_at && <p class="faint">{w.triggers.counted} <Ago at={found.counted_at} /></p>}
              {!found.complete && <p class="dim">{found.counting ? counted.value.soFar(Math.floor(found.share * 100)) : w.triggers.incomplete}</p>}
              <Heat found={found} columns={columns} slots={slots} />
            </div>
          )}
        </Shown>
      </Panel>
      {at && <Herd key={at} at={at} step={step} slots={slots} />}
    </>
  );
}

function momentOf(found: TriggerForecast): string {
  const at = Date.parse(found.since) + found.counts.indexOf(found.peak) * found.step * 1000;
  const { weekday, time } = zoned(at, zone.value || undefined);
  return `${weekday} ${time.slice(0, 5)}`;
}

function Heat({ found, columns, slots }: { found: TriggerForecast; columns: number; slots: number }): JSX.Element {
  const w = words.value;
  const first = Date.parse(found.since);
  const peakAt = first + found.counts.indexOf(found.peak) * found.step * 1000;
  const offset = Math.round((first % (columns * found.step * 1000)) / (found.step * 1000));
  const rows: { at: number; cells: { at: number; runs: number }[] }[] = [];
  found.counts.forEach((runs, place) => {
    const row = Math.floor((place + offset) / columns);
    const at = first + place * found.step * 1000;
    (rows[row] ??= { at: at, cells: [] }).cells.push({ at, runs });
  });
  const label = (at: number) => {
    const { weekday, time } = zoned(at, zone.value || undefined);
    return columns === 24 ? weekday : `${time.slice(0, 2)}:00`;
  };
  return (
    <div class="heat" role="group" aria-label={w.triggers.heat(count(found.total), count(found.peak))} onKeyDown={(event) => walkWithin(event, "a")}>
      {rows.map((row) => (
        <div key={row.at} class="heat-row">
          <span class="faint">{label(row.at)}</span>
          {row === rows[0] && Array.from({ length: Math.max(0, columns - row.cells.length) }, (_, gap) => <i key={gap} class="none" />)}
          {row.cells.map((cell) => {
            const { weekday, time } = zoned(cell.at, zone.value || undefined);
            const share = found.peak === 0 ? 0 : cell.runs / found.peak;
            const over = slots > 0 && cell.runs > slots;
            if (cell.runs === 0) return <i key={cell.at} />;
            const says = `${weekday} ${time.slice(0, 5)} · ${count(cell.runs)}`;
            const at = new Date(cell.at).toISOString();
            // One stop for the Tab key: the arrows lead on from the fullest step.
            const stop = cell.runs === found.peak && cell.at === peakAt;
            return <a key={cell.at} href={linkWith({ view: "forecast", range: asked("range") || null, at }, "triggers")} tabIndex={stop ? 0 : -1} title={says} aria-label={says} aria-current={asked("at") === at ? "true" : undefined}><i class={over ? "over" : ""} style={{ opacity: 0.25 + 0.75 * share, background: `var(--${over ? "waiting-fill" : "accent-fill"})` }} /></a>;
          })}
          {row !== rows[0] && Array.from({ length: Math.max(0, columns - row.cells.length) }, (_, gap) => <i key={gap} class="none" />)}
        </div>
      ))}
    </div>
  );
}
