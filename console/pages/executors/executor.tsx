// One executor: its pools, what it runs now, its handlers, and what keeps it from working.
import type { JSX } from "preact";
import type { ExecutorInfo, ExecutorSessions, PoolWishInfo } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { link, linkWith } from "../../live/route.ts";
import { Ago, Empty, Head, Id, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { duration, percent, size } from "../../words/format.ts";
import { both, count, words } from "../../words/index.ts";
import { ExecutorActs } from "./acts.tsx";
import { ExecutorState } from "./list.tsx";
import { Pools } from "./pools.tsx";

const own = both(
  { labels: "as the executor says of itself: labels in its settings, or MAINSPRING_EXECUTOR_LABELS" },
  { labels: "由执行器自己声明：其设置中的 labels，或 MAINSPRING_EXECUTOR_LABELS" },
);

export function Executor({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<ExecutorSessions>(`executors/${encodeURIComponent(name)}`, { every: 2000 });
  const found = resource.data.value;
  const first = found?.sessions[0];
  return (
    <>
      <Head title={name} trail={<a href={link("executors")}>{w.pages.executors}</a>} beside={first ? <ExecutorState one={first} /> : found && <Tag kind="warn">{w.executors.away}</Tag>}>
        {found && <ExecutorActs name={name} cordoned={found.cordon !== null} taken={found.runs.length} />}
      </Head>
      <Shown of={resource} rows={6}>
        {(seen) => (
          <>
            {seen.cordon && <section class="panel telling"><Icon name="pause" class="is-waiting" /><span class="grow">{w.executors.cordonBy(seen.cordon.actor)} <Ago at={seen.cordon.at} /> {seen.cordon.reason && `“${seen.cordon.reason}”`}</span></section>}
            {seen.sessions.length === 0 && <section class="panel"><Empty title={w.executors.awaySays} /></section>}
            {seen.sessions.map((one) => <Session key={one.session} one={one} wanted={seen.wanted ?? []} />)}
            <div class="columns two">
              <Panel title={w.executors.running} note={seen.more ? w.executors.some : undefined}>
                {seen.runs.length === 0 ? (
                  <p class="quiet">{w.executors.idle}</p>
                ) : (
                  <table>
                    <thead><tr><th>{w.job}</th><th>id</th><th class="num">{w.runs.try}</th><th class="num">{w.runs.took}</th></tr></thead>
                    <tbody>{seen.runs.map((run) => <tr key={run.id}><td><a href={link("runs", run.id)}>{run.job}</a></td><td><Id id={run.id} /></td><td class="num">{run.attempt}</td><td class="num">{duration(Math.max(0, Math.round((now.value - Date.parse(run.claimed_at)) / 1000)))}</td></tr>)}</tbody>
                  </table>
                )}
              </Panel>
              <Panel title={w.executors.handlers} note={count(Object.keys(seen.handlers).length)}>
                <table>
                  <thead><tr><th>{w.executors.handler}</th><th>{w.executors.pool}</th></tr></thead>
                  <tbody>{Object.entries(seen.handlers).map(([handler, pool]) => <tr key={handler}><td><a href={linkWith({ q: `job:${handler}` }, "runs")}>{handler}</a></td><td class="dim">{pool}</td></tr>)}</tbody>
                </table>
              </Panel>
            </div>
          </>
        )}
      </Shown>
    </>
  );
}

function Session({ one, wanted }: { one: ExecutorInfo; wanted: PoolWishInfo[] }): JSX.Element {
  const w = words.value;
  return (
    <div class="columns side session">
      <Panel title={w.executors.pools} note={w.executors.poolsNote}>
        <Pools of={one} wanted={wanted} />
        {one.blocked.map((blocked) => <p key={blocked.at} class="note-box in-panel"><Icon name="warn" /><span>{w.executors.blockedBy(blocked.handler || "?", duration(blocked.seconds))} <code>{blocked.place}</code> <Ago at={blocked.at} /></span></p>)}
        {one.stuck.map((stuck) => <p key={stuck.pool} class="note-box in-panel"><Icon name="warn" /><span>{w.executors.stuckSays(stuck.pool, stuck.strays, stuck.waits)}</span></p>)}
      </Panel>
      <Panel title={w.run.facts}>
        <div class="body">
          <dl class="facts">
            <dt>{w.executors.host}</dt><dd>{one.host}</dd>
            <dt>{w.executors.server}</dt><dd>{one.server}</dd>
            <dt>{w.executors.since}</dt><dd><Ago at={one.opened_at} /></dd>
            <dt>{w.executors.lease}</dt><dd>{w.executors.renewed(duration(one.lease_age))}</dd>
            {one.load && <><dt>{w.executors.cpu}</dt><dd>{percent(one.load.cpu)} %</dd><dt>{w.executors.memory}</dt><dd>{size(one.load.memory)}</dd></>}
            {one.load && one.load.strays > 0 && <><dt>{w.executors.strays}</dt><dd>{one.load.strays}</dd></>}
            {one.code_version && <><dt>{w.run.code}</dt><dd>{one.code_version}</dd></>}
            <dt>{w.pages.queues}</dt><dd class="tags">{one.queues.map((queue) => <a key={queue} class="tag" href={link("queues", queue)}>{queue}</a>)}</dd>
            <dt>{w.run.labels}</dt><dd><span class="tags">{Object.entries(one.labels).map(([key, value]) => <Tag key={key}>{key}={value}</Tag>)}</span> <span class="dim">{own.value.labels}</span></dd>
          </dl>
        </div>
      </Panel>
    </div>
  );
}
