// What is shown of a job, a trigger, a queue, an executor, a failure, a breaker and a workflow beside their lists.
import type { JSX } from "preact";
import { part } from "../api/call.ts";
import type { BreakerInfo, DeadGroupPage, ExecutorSessions, JobInfo, QueueInfo, RunInfo, RunPage, TriggerInfo, WorkflowInfo } from "../api/schema.ts";
import { useResource } from "../live/resource.ts";
import { link } from "../live/route.ts";
import { Ago, type Children, Gauge, Shown, State, Took } from "../parts/basics.tsx";
import { count, words } from "../words/index.ts";
import { percent } from "../words/format.ts";
import { FailureNote } from "./failures/note.tsx";
import { noted } from "./failures/words.ts";
import { BreakerActs, BreakerState } from "./guards/breakers.tsx";
import { Graph } from "./workflows/graph.tsx";

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

export function JobPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<JobInfo>(`jobs/${encodeURIComponent(name)}`, { every: 10_000 });
  return <Shown of={of}>{(job) => <About title={job.name} runs={`job:"${job.name}"`} facts={[[w.queues.name, job.queue], [w.executors.handler, job.handler], ["v", String(job.version)], ["", job.description]]} />}</Shown>;
}

export function TriggerPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<TriggerInfo>(`triggers/${encodeURIComponent(name)}`, { every: 10_000 });
  return <Shown of={of}>{(one) => <About title={one.name} runs={`trigger:"${one.name}" since:7d`} facts={[[w.triggers.fires, one.words], [w.overview.nextFires, <Ago key="next" at={one.next_due} />], [w.job, one.spec.job]]} />}</Shown>;
}

export function QueuePeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<QueueInfo>(`queues/${encodeURIComponent(name)}`, { every: 3000 });
  return (
    <Shown of={of}>
      {(queue) => <About title={queue.name} runs={`queue:"${queue.name}"`} facts={[[w.states.queued, count(queue.queued)], [w.queues.oldest, <Took key="age" seconds={queue.oldest_seconds} />], [w.states.running, <><Gauge taken={queue.running} room={queue.slots} />{count(queue.running)} {w.of} {count(queue.slots)}</>], [w.states.waiting, count(queue.waiting)], ["", queue.paused ? w.overview.queuePaused(queue.paused.by, count(queue.queued)) : ""]]} />}
    </Shown>
  );
}

export function ExecutorPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<ExecutorSessions>(`executors/${encodeURIComponent(name)}`, { every: 3000 });
  return (
    <Shown of={of}>
      {(one) => <About title={one.name} facts={[[w.executors.host, one.sessions[0]?.host], [w.executors.since, <Ago key="since" at={one.sessions[0]?.opened_at} />], [w.executors.running, count(one.runs.length, one.more)], [w.executors.handlers, count(Object.keys(one.handlers).length)], [w.pages.queues, one.sessions[0]?.queues.join(", ")], ...(one.sessions[0]?.pools ?? []).map((pool): [string, Children] => [pool.pool, <><Gauge taken={pool.taken ?? 0} room={pool.max} />{count(pool.taken ?? 0)} {w.of} {count(pool.max)}</>])]} />}
    </Shown>
  );
}

/** A kind of failure: what it says, what people say of it, and the traceback of the last run. */
export function FailurePeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<DeadGroupPage>("dead-letters?limit=100", { every: 5000 });
  const group = of.data.value?.groups.find((one) => one.fingerprint === name);
  const example = useResource<RunInfo>(group ? `runs/${group.example}` : null).data.value;
  return (
    <Shown of={of}>
      {() => !group ? <p class="body dim">{noted.value.gone}</p> : (
        <>
          <About title={group.class} runs={`job:"${group.job}" state:failed error:"${group.class}"`} facts={[[w.failures.error, group.message], [w.job, <a key="job" class="link" href={link("jobs", group.job)}>{group.job}</a>], [w.runs.word, count(group.runs, group.more)], [w.failures.first, <Ago key="first" at={group.first_at} />], [w.failures.last, <Ago key="last" at={group.last_at} />]]} />
          <FailureNote group={group} />
          {example?.error && <pre class="block traceback">{example.error.traceback || example.error.message}</pre>}
        </>
      )}
    </Shown>
  );
}

export function BreakerPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<BreakerInfo>(`breakers/${part(name)}`, { every: 2000 });
  const share = (some: number, one: BreakerInfo) => (one.calls === 0 ? "–" : `${percent(some / one.calls)} %`);
  return (
    <Shown of={of}>
      {(one) => (
        <>
          <About title={one.name} facts={[[w.runs.state, <BreakerState key="state" of={one.state} />], [w.breakers.since, <Ago key="since" at={one.since} />], [w.breakers.calls, count(one.calls)], [w.states.failed, `${share(one.failures, one)} · ${w.breakers.opensAtShare(percent(one.rule.failures))}`], [w.breakers.slow, one.rule.slow === null ? w.breakers.slowOff : share(one.slow, one)], [w.breakers.reason, one.reason || (w.breakers.sayings as Record<string, string>)[one.state]]]} />
          <p class="body"><BreakerActs of={one} /></p>
        </>
      )}
    </Shown>
  );
}

export function WorkflowPeek({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const of = useResource<WorkflowInfo>(`workflows/${part(name)}`, { every: 10_000 });
  return (
    <Shown of={of}>
      {(one) => (
        <>
          <About title={one.name} runs={`job:"${one.name}"`} facts={[[w.queues.name, one.queue], [w.jobs.version, `v${one.version}`], ["", one.description], [w.workflows.graph, w.workflows.nSteps(one.graph.length)]]} />
          <Graph steps={one.graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents ?? [], note: step.job }))} on="" onChoose={() => {}} />
        </>
      )}
    </Shown>
  );
}
