// The database: how large and how busy it is, what a commit survives, and who keeps vacuum from its work.
import type { JSX } from "preact";
import type { DatabaseInfo, HolderInfo } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, type Children, Gauge, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { copy } from "../../parts/copy.ts";
import { Icon } from "../../parts/icons.tsx";
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
    [w.history, <>{w.days(count(of.retention_days))}{of.oldest_day && of.newest_day && <span class="dim"> {w.from(of.oldest_day, of.newest_day)}</span>}</>],
  ];
  return (
    <div class="body">
      <dl class="facts wide-facts">{facts.filter(([, value]) => value !== null).map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}-is`}>{value}</dd>])}</dl>
    </div>
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
