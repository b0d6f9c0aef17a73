// What can be looked into beside a list.
import type { FunctionComponent, JSX } from "preact";
import type { ExecutorSessions, JobInfo, QueueInfo, RunPage, TriggerInfo } from "../api/schema.ts";
import { useResource } from "../live/resource.ts";
import { link } from "../live/route.ts";
import { RunPeek } from "../pages/runs/peek.tsx";
import { Ago, type Children, Gauge, Shown, State, Took } from "../parts/basics.tsx";
import { count, words } from "../words/index.ts";

type Facts = [name: string, value: Children][];

/** The name and a few facts of something, and its newest runs if it has some. */
function About({ title, facts, runs }: { title: string; facts: Facts; runs?: string }): JSX.Element {
  const found = useResource<RunPage>(runs ? `runs?limit=8&q=${encodeURIComponent(runs)}` : null, { every: 5000 }).data.value?.runs ?? [];
  return (
    <>
      <div class="peek-head"><h2>{title}</h2></div>
      <dl class="facts">{facts.filter(([, value]) => value !== "" && value !== null && value !== undefined).map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}-is`}>{value}</dd>])}</dl>
      {found.length > 0 && (
        <table aria-label={words.value.pages.runs}>
          <tbody>{found.map((run) => <tr key={run.id}><td><State state={run.state} /></td><td><a class="mono" href={link("runs", run.id)}>…{run.id.slice(-8)}</a></td><td class="num"><Ago at={run.created_at} /></td></tr>)}</tbody>
        </table>
      )}
    </>
  );
}

function JobPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<JobInfo>(`jobs/${encodeURIComponent(name)}`, { every: 10_000 });
  return <Shown of={of}>{(job) => <About title={job.name} runs={`job:"${job.name}"`} facts={[[w.queues.name, job.queue], [w.executors.handler, job.handler], ["v", String(job.version)], ["", job.description]]} />}</Shown>;
}

function TriggerPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<TriggerInfo>(`triggers/${encodeURIComponent(name)}`, { every: 10_000 });
  return <Shown of={of}>{(one) => <About title={one.name} runs={`trigger:"${one.name}" since:7d`} facts={[[w.triggers.fires, one.words], [w.overview.nextFires, <Ago key="next" at={one.next_due} />], [w.job, one.spec.job]]} />}</Shown>;
}

function QueuePeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<QueueInfo>(`queues/${encodeURIComponent(name)}`, { every: 3000 });
  return (
    <Shown of={of}>
      {(queue) => <About title={queue.name} runs={`queue:"${queue.name}"`} facts={[[w.states.queued, count(queue.queued)], [w.queues.oldest, <Took key="age" seconds={queue.oldest_seconds} />], [w.states.running, <><Gauge taken={queue.running} room={queue.slots} />{count(queue.running)} {w.of} {count(queue.slots)}</>], [w.states.waiting, count(queue.waiting)], ["", queue.paused ? w.overview.queuePaused(queue.paused.by, count(queue.queued)) : ""]]} />}
    </Shown>
  );
}

function ExecutorPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<ExecutorSessions>(`executors/${encodeURIComponent(name)}`, { every: 3000 });
  return (
    <Shown of={of}>
      {(one) => <About title={one.name} facts={[[w.executors.host, one.sessions[0]?.host], [w.executors.since, <Ago key="since" at={one.sessions[0]?.opened_at} />], [w.executors.running, count(one.runs.length, one.more)], [w.executors.handlers, count(Object.keys(one.handlers).length)], [w.pages.queues, one.sessions[0]?.queues.join(", ")], ...(one.sessions[0]?.pools ?? []).map((pool): [string, Children] => [pool.pool, <><Gauge taken={pool.taken ?? 0} room={pool.max} />{count(pool.taken ?? 0)} {w.of} {count(pool.max)}</>])]} />}
    </Shown>
  );
}

export const peekers: Record<string, FunctionComponent<{ name: string }>> = { run: RunPeek, job: JobPeek, trigger: TriggerPeek, queue: QueuePeek, executor: ExecutorPeek };
