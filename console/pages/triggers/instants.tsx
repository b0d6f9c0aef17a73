// Expected against actual: every instant of a trigger, fired, skipped with its reason, or loudly missing.
import type { JSX } from "preact";
import { part, query } from "../../api/call.ts";
import type { InstantInfo, InstantPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { go, link } from "../../live/route.ts";
import { Ago, Empty, Moment, Panel, Shown, Tag, fullTime } from "../../parts/basics.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { words } from "../../words/index.ts";

const KINDS: Record<string, string> = { fired: "good", missing: "bad", skipped: "", held: "warn", paused: "warn" };

export function useInstants(name: string, days = 30): InstantInfo[] | undefined {
  // Counted from the hour, so that the address stays the same for a while.
  const since = new Date(Math.floor((now.value - days * 86_400_000) / 3_600_000) * 3_600_000).toISOString();
  return useResource<InstantPage>(query(`triggers/${part(name)}/instants`, { since, limit: 500 }), { every: 10_000 }).data.value?.instants;
}

export function Accounted({ name }: { name: string }): JSX.Element | null {
  const w = words.value;
  const found = useInstants(name);
  const past = found?.filter((one) => one.outcome !== "expected" && one.outcome !== "prepared").slice(-30) ?? [];
  const missing = past.filter((one) => one.outcome === "missing").length;
  if (!found) return null;
  const outcomes = w.triggers.outcomes as Record<string, string>;
  return (
    <Panel title={w.triggers.accounted} note={past.length === 0 ? w.triggers.nonePast : missing > 0 ? w.triggers.missing(missing) : w.triggers.noneMissing(past.length)}>
      <div class="body">
        <div class="squares" role="img" aria-label={w.triggers.noneMissing(past.length)}>
          {past.map((one) => <button key={one.at} type="button" tabIndex={-1} aria-hidden="true" class={`is-${one.outcome}`} title={`${fullTime(Date.parse(one.at))} · ${outcomes[one.outcome] ?? one.outcome}`} onClick={() => one.run && go(link("runs", one.run))} />)}
        </div>
      </div>
    </Panel>
  );
}

/** The last instants in a row of a table: one mark each, and the words for those who hear the page. */
export function InstantStrip({ instants }: { instants: InstantInfo[] }): JSX.Element {
  if (instants.length === 0) return <span class="faint">–</span>;
  const outcomes = words.value.triggers.outcomes as Record<string, string>;
  const bad = instants.filter((one) => one.outcome === "missing" || one.outcome === "skipped").length;
  return (
    <span class="squares small" role="img" aria-label={words.value.triggers.instantsSay(instants.length, bad)}>
      {instants.map((one) => <i key={one.at} class={`is-${one.outcome}`} title={`${fullTime(Date.parse(one.at))} · ${outcomes[one.outcome] ?? one.outcome}`} />)}
    </span>
  );
}

export function Instants({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<InstantPage>(query(`triggers/${part(name)}/instants`, { limit: 500 }), { every: 10_000 });
  return (
    <Panel title={w.triggers.instants} note={w.triggers.instantsNote}>
      <Shown of={resource}>
        {({ instants }) => (instants.length === 0 ? <Empty title={w.triggers.nonePast} /> : <Table label={w.triggers.instants} rows={[...instants].reverse()} columns={columns()} keyOf={(one) => one.at} />)}
      </Shown>
    </Panel>
  );
}

function columns(): Column<InstantInfo>[] {
  const w = words.value;
  const outcomes = w.triggers.outcomes as Record<string, string>;
  return [
    { id: "at", name: w.triggers.instant, cell: (one) => <><Moment at={one.at} date />{one.last && <> – <Moment at={one.last} date /></>}</> },
    { id: "ago", name: "", num: true, cell: (one) => <span class="faint"><Ago at={one.at} /></span> },
    { id: "outcome", name: w.run.outcome, cell: (one) => <Tag kind={KINDS[one.outcome] ?? ""}>{outcomes[one.outcome] ?? one.outcome}</Tag> },
    { id: "reason", name: w.reason, wide: true, cell: (one) => <span class="dim">{one.reason ?? ""}</span> },
    { id: "run", name: w.triggers.run, cell: (one) => (one.run ? <a class="mono link" href={link("runs", one.run)}>…{one.run.slice(-8)}</a> : <span class="faint">–</span>) },
  ];
}
