// The database: how large and how busy it is, what a commit survives, and who keeps vacuum from its work.
import type { JSX } from "preact";
import type { DatabaseInfo, HistoryDayInfo, HolderInfo, LeaseAgesInfo } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, type Children, Gauge, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { blocks } from "../../parts/blocks.ts";
import { copy } from "../../parts/copy.ts";
import { Icon } from "../../parts/icons.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { percent, size } from "../../words/format.ts";
import { count } from "../../words/index.ts";
import { cared } from "./words.ts";

export function Database(): JSX.Element {
  const w = cared.value;
  const denied = refusal("database:read");
  const resource = useResource<DatabaseInfo>(denied ? null : "database", { every: 5000 });
  const found = resource.data.value;
  return (
    <Panel title={w.database} note={found && <>{w.lookedAt} <Ago at={found.looked_at} /></>}>
      {denied ? <p class="body dim">{denied}</p> : <Shown of={resource} rows={6}>{(one) => <Condition of={one} />}</Shown>}
    </Panel>
  );
}

function Condition({ of }: { of: DatabaseInfo }): JSX.Element {
  const w = cared.value;
  const dead = Object.entries(of.dead_rows).filter(([, rows]) => rows > 0);
  const facts: [string, Children][] = [
    [w.product, `${of.product} ${of.version}`],
    [w.size, size(of.size)],
    [w.room, of.room === null ? null : size(of.room)],
    [w.connections, of.connections === null ? w.ownFile : <><Gauge taken={of.connections} room={of.connections_max ?? 0} />{w.connectionsOf(count(of.connections), count(of.connections_max ?? 0), count(of.pool?.busy ?? 0), count(of.pool?.idle ?? 0))}</>],
    [w.durability, <><Tag kind={of.durability === "unsafe" ? "bad" : "good"}>{of.durability}</Tag> {w.classes[of.durability]}</>],
    [w.replication, of.replication_lag === null ? (of.connections === null ? null : w.noStandby) : w.lag(of.replication_lag)],
    [w.slots, of.slots.length === 0 ? null : of.slots.map((slot) => <div key={slot.name} class={slot.lost ? "is-failed" : ""}>{slot.lost ? w.lost(slot.name) : w.keeps(slot.name, slot.kept)}</div>)],
    [w.oldest, of.connections === null ? null : of.holder ? <Holds of={of.holder} /> : w.nobody],
    [w.dead, of.connections === null ? null : <>{count(dead.reduce((sum, [, rows]) => sum + rows, 0))}{dead.length > 0 && <span class="dim"> {dead.map(([table, rows]) => `${table} ${count(rows)}`).join(" · ")}</span>}</>],
    [w.hints, of.connections === null ? null : w.full(percent(of.notify_queue))],
    [w.leases, <Leases of={of.leases} key="leases" />],
    [w.duties, of.duties.length === 0 ? null : of.duties.map((one) => <div key={one.duty}><code>{one.duty}</code> {one.server ? w.heldBy(one.server) : w.heldByNobody} <span class="dim">{w.until} <Ago at={one.until} /></span></div>)],
    [w.history, <>{w.days(count(of.retention_days))}{of.oldest_day && of.newest_day && <span class="dim"> {w.from(of.oldest_day, of.newest_day)}</span>}</>],
  ];
  return (
    <div class="body">
      <dl class="facts wide-facts">{facts.filter(([, value]) => value !== null).map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}-is`}>{value}</dd>])}</dl>
      {of.days.some((day) => day.size !== null) && <Days of={of.days} />}
    </div>
  );
}

/** Sessions of executors by the tenth of a lease since they were renewed; one whose lease has ended is told in words. */
function Leases({ of }: { of: LeaseAgesInfo }): JSX.Element {
  const w = cared.value;
  const lapsed = of.ages.at(-1) ?? 0;
  const all = of.ages.reduce((sum, sessions) => sum + sessions, 0);
  if (of.oldest === null) return <span class="dim">{w.noSessions}</span>;
  return (
    <>
      <span aria-hidden="true">{blocks(of.ages)}</span>
      {" "}{w.renewed(count(all), of.oldest, of.lasts)}
      {lapsed > 0 && <span class="is-waiting"> <Icon name="warn" /> {w.lapsed(count(lapsed))}</span>}
    </>
  );
}

/** Days of history that have tables of their own. */
function Days({ of }: { of: HistoryDayInfo[] }): JSX.Element {
  const w = cared.value;
  const total = of.reduce((sum, day) => sum + (day.size ?? 0), 0);
  const columns: Column<HistoryDayInfo>[] = [
    { id: "day", name: w.day, cell: (one) => one.day },
    { id: "rows", name: w.runs, title: w.estimated, num: true, cell: (one) => (one.rows === null ? <span class="dim">–</span> : count(one.rows)) },
    { id: "size", name: w.size, num: true, cell: (one) => (one.size === null ? "–" : size(one.size)) },
    { id: "drops", name: w.drops, num: true, cell: (one) => <span class="dim">{one.drops_on}</span> },
  ];
  return (
    <details>
      <summary>{w.partitions(count(of.length), size(total))}</summary>
      <Table label={w.history} rows={of.toReversed()} columns={columns} keyOf={(one) => one.day} />
    </details>
  );
}

/** Whoever has held back vacuum for longest; for too long, with the statement that ends it. */
function Holds({ of }: { of: HolderInfo }): JSX.Element {
  const w = cared.value;
  const who = of.kind === "prepared" ? w.prepared(of.name) : of.name || w.nameless;
  const says = w.holds(who, of.pid === null ? "" : String(of.pid), of.seconds);
  if (!of.is_trouble) return <span class="dim">{says}</span>;
  return (
    <span class="is-waiting">
      <Icon name="warn" /> {says} {of.user && <span class="dim">{[of.user, of.state].filter(Boolean).join(", ")}</span>}{" "}
      {of.pid !== null && <Button small icon="copy" onClick={() => copy(`SELECT pg_terminate_backend(${of.pid});`)}>{w.copyEnd}</Button>}
    </span>
  );
}
