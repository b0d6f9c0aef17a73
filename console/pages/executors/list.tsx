// Executors: who is there, how loaded, and what no executor could run if one of them left.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ExecutorInfo, ExecutorPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Command, Empty, Gauge, Head, Panel, Segments, Shown, Tag } from "../../parts/basics.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration, percent, size } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { ExecutorActs } from "./acts.tsx";
import { SeveralExecutors } from "./several.tsx";

export function Executors(): JSX.Element {
  const w = words.value;
  const resource = useResource<ExecutorPage>("executors?limit=200", { every: 2000 });
  const view = asked("view");
  const chosen = useSignal<Set<string>>(new Set());
  const groups = view === "host" || view === "zone";
  return (
    <>
      <Head title={w.pages.executors}>
        <Segments label={w.executors.view} on={view} onChoose={(id) => setQuery({ view: id })} choices={[{ id: "", name: w.executors.list }, { id: "host", name: w.executors.byHost }, { id: "zone", name: w.executors.byLabel }, { id: "coverage", name: w.executors.coverage }]} />
      </Head>
      <Panel>
        <Shown of={resource} rows={4}>
          {({ executors }) =>
            executors.length === 0 ? (
              <Empty title={w.executors.empty}><Command line="mainspring executor jobs:app" /></Empty>
            ) : view === "coverage" ? (
              <Coverage executors={executors} />
            ) : (
              <Table label={w.pages.executors} rows={groups ? [...executors].sort((one, other) => placeOf(one, view).localeCompare(placeOf(other, view))) : executors} columns={columns(groups ? view : "")} keyOf={(one) => one.session} peekOf={(one) => `executor:${one.name}`} chosen={chosen} />
            )
          }
        </Shown>
      </Panel>
      <SeveralExecutors chosen={chosen} executors={resource.data.value?.executors ?? []} />
    </>
  );
}

/** By which executors stand together: their host, or their labels. */
function placeOf(one: ExecutorInfo, view: string): string {
  if (view === "host") return one.host;
  return Object.entries(one.labels).map(([key, value]) => `${key}=${value}`).sort().join(" ") || "–";
}

function columns(by: string): Column<ExecutorInfo>[] {
  const w = words.value;
  return [
    ...(by ? [{ id: "place", name: by === "host" ? w.executors.host : w.run.labels, cell: (one: ExecutorInfo) => <b>{placeOf(one, by)}</b> }] : []),
    { id: "name", name: w.runs.executor, cell: (one) => <a href={link("executors", one.name)}>{one.name}</a> },
    { id: "state", name: w.runs.state, cell: (one) => <ExecutorState one={one} /> },
    { id: "slots", name: w.queues.slots, cell: (one) => <Slots one={one} /> },
    { id: "pools", name: w.executors.pools, cell: (one) => <span class="pools">{one.pools.filter((pool) => pool.max > 0).map((pool) => <span key={pool.pool} title={w.executors.poolHelp(pool.core, pool.max, pool.queue)}><span class="faint">{pool.pool}</span> {pool.taken ?? 0}/{pool.max}</span>)}</span>, minor: true },
    { id: "cpu", name: w.executors.cpu, num: true, cell: (one) => (one.load ? `${percent(one.load.cpu)} %` : "–") },
    { id: "memory", name: w.executors.memory, num: true, cell: (one) => (one.load ? size(one.load.memory) : "–"), minor: true },
    { id: "beat", name: w.executors.beat, num: true, cell: (one) => duration(one.lease_age), minor: true },
    { id: "up", name: w.executors.since, num: true, cell: (one) => <Ago at={one.opened_at} />, minor: true },
    { id: "host", name: w.executors.host, cell: (one) => <span class="dim">{one.host}</span>, minor: true },
    { id: "code", name: w.run.code, cell: (one) => <span class="dim">{one.code_version || "–"}</span>, minor: true },
    { id: "labels", name: w.run.labels, wide: true, cell: (one) => <span class="tags">{Object.entries(one.labels).map(([key, value]) => <Tag key={key}>{key}={value}</Tag>)}{one.queues.slice(0, 2).map((queue) => <a key={queue} class="tag" href={link("queues", queue)}>{queue}</a>)}{one.queues.length > 2 && <span class="faint" title={one.queues.join(", ")}>+{one.queues.length - 2}</span>}</span>, minor: true },
    { id: "acts", name: "", cell: (one) => <ExecutorActs name={one.name} cordoned={one.cordon !== null || one.state !== "live"} taken={one.load?.running ?? 0} small /> },
  ];
}

export function Slots({ one }: { one: ExecutorInfo }): JSX.Element {
  const room = one.pools.reduce((sum, pool) => sum + pool.max, 0);
  const taken = one.pools.reduce((sum, pool) => sum + (pool.taken ?? 0), 0);
  return <><Gauge taken={taken} room={room} />{count(taken)} <span class="faint">{words.value.of} {count(room)}</span></>;
}

export function ExecutorState({ one }: { one: ExecutorInfo }): JSX.Element {
  const w = words.value.executors;
  if (one.stuck.length > 0) return <Tag kind="bad">{w.stuck}</Tag>;
  if (one.state === "draining") return <Tag kind="warn">{w.draining}</Tag>;
  if (one.state === "cordoned") return <Tag kind="warn" title={one.cordon?.reason ?? ""}>{w.cordoned}</Tag>;
  return <Tag kind="good">{w.live}</Tag>;
}

/** Queues against executors: an empty row is work that no executor takes. */
function Coverage({ executors }: { executors: ExecutorInfo[] }): JSX.Element {
  const w = words.value;
  const queues = [...new Set(executors.flatMap((one) => one.queues))].sort();
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={w.executors.coverage}>
      <table class="matrix">
        <thead><tr><th>{w.queues.name}</th>{executors.map((one) => <th key={one.session}>{one.name}</th>)}<th class="num">{w.executors.ifOneLeft}</th></tr></thead>
        <tbody>
          {queues.map((queue) => {
            const able = executors.filter((one) => one.queues.includes(queue));
            return (
              <tr key={queue}>
                <td><a href={linkWith({}, "queues", queue)}>{queue}</a></td>
                {executors.map((one) => <td key={one.session}>{able.includes(one) ? <span class="is-succeeded">●</span> : <span class="faint">·</span>}</td>)}
                <td class="num">{able.length < 2 ? <Tag kind="warn">{w.executors.noneLeft}</Tag> : count(able.length - 1)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
