// One run: what it is doing or did, its timeline, log, bodies, and why it has not started.
import type { JSX } from "preact";
import type { AttemptPage, JobFigures, JobPage, RunInfo, RunMemory, RunPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, FINAL, Head, Id, Moment, Panel, Shown, State, Tabs, Tag } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useKeys } from "../../parts/keys.ts";
import { Strip } from "../../parts/strip.tsx";
import { duration, percent } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { RunActs, runKeys } from "./acts.tsx";
import { Attempts, Bodies, Raw, Related, Steps } from "./bodies.tsx";
import { Compare } from "./compare.tsx";
import { type Usual, Lanes } from "./lanes.tsx";
import { Log } from "./log.tsx";
import { lanesOf } from "./timeline.ts";
import { Why } from "./why.tsx";

const LIVE = 1500;

export function Run({ name }: { name: string }): JSX.Element {
  const [id = "", view] = name.split("/");
  return view === "compare" ? <Compare id={id} /> : <OneRun name={id} />;
}

function OneRun({ name }: { name: string }): JSX.Element {
  const resource = useResource<RunInfo>(`runs/${name}`, { every: LIVE });
  const run = resource.data.value;
  if (!run) {
    return (
      <>
        <Head title={words.value.run.title(name)} trail={<a href={link("runs")}>{words.value.pages.runs}</a>} />
        <section class="panel"><Shown of={resource}>{() => null}</Shown></section>
      </>
    );
  }
  return <RunView run={run} text={resource.text.value} />;
}

export const isOver = (run: RunInfo) => (FINAL as string[]).includes(run.state);

function RunView({ run, text }: { run: RunInfo; text: string }): JSX.Element {
  const w = words.value;
  const over = isOver(run);
  const attempts = useResource<AttemptPage>(`runs/${run.id}/attempts`, { every: over ? 0 : 3000 });
  const memory = useResource<RunMemory>(`runs/${run.id}/memory`, { every: over ? 0 : 5000 });
  const children = useResource<RunPage>(`runs?parent=${run.id}&limit=50`, { every: over ? 0 : 5000 });
  const others = useResource<RunPage>(`runs?job=${encodeURIComponent(run.job)}&limit=30`, { every: 15_000 }).data.value?.runs ?? [];
  const usual = useUsual(run.job);
  const isWorkflow = useResource<JobPage>("jobs?handler=workflow&limit=200", { every: 60_000 }).data.value?.jobs.some((job) => job.name === run.job);
  const lanes = lanesOf(run, attempts.data.value?.attempts ?? [], over ? Date.parse(run.finished_at ?? "") : now.value);
  const tab = asked("tab") || (run.started_at || run.attempt > 0 ? "log" : "why");
  const kept = memory.data.value;
  const steps = (kept?.steps.length ?? 0) + (kept?.effects.length ?? 0) + (kept?.checkpoint ? 1 : 0);
  useKeys(runKeys(run));
  const tabs = [
    { id: "log", name: w.run.tabs.log },
    { id: "bodies", name: w.run.tabs.bodies },
    { id: "attempts", name: w.run.tabs.attempts, note: attempts.data.value?.attempts.length || null },
    { id: "steps", name: w.run.tabs.steps, note: steps || null },
    { id: "related", name: w.run.tabs.related, note: children.data.value?.runs.length || null },
    { id: "why", name: w.run.tabs.why },
    { id: "raw", name: w.run.tabs.raw },
  ].map((one) => ({ ...one, href: linkWith({ tab: one.id }, "runs", run.id) }));
  const worked = lanes.reduce((sum, lane) => sum + lane.to - lane.from, 0) / 1000;
  const whole = ((over ? Date.parse(run.finished_at ?? "") : now.value) - Date.parse(run.created_at)) / 1000;
  return (
    <>
      <Head
        title={run.job}
        trail={<><a href={link("runs")}>{w.pages.runs}</a> / <a href={link("jobs", run.job)}>{run.job}</a> / <Id id={run.id} whole /></>}
        beside={<><State state={run.state} note={run.reason ?? undefined} />{run.attempt > 0 && <span class="dim">{w.run.tryOn(run.attempt, run.executor ?? "")}</span>}<Progress run={run} /></>}
      >
        {isWorkflow && <a class="button" href={linkWith({ run: run.id }, "workflows", run.job)}><Icon name="workflows" />{w.workflows.graph}</a>}
        <RunActs run={run} />
      </Head>
      <Telling run={run} usual={usual} />
      <div class="columns side">
        <div>
          <Panel title={w.run.timeline} note={lanes.length > 0 ? w.run.inAll(duration(Math.max(0, whole)), duration(Math.max(0, worked))) : w.run.notStarted}>
            <Lanes run={run} lanes={lanes} usual={usual} now={now.value} />
          </Panel>
          <section class="panel">
            <Tabs tabs={tabs} on={tab} label={run.job} />
            {tab === "log" && <Log id={run.id} over={over} />}
            {tab === "bodies" && <Bodies text={text} run={run} />}
            {tab === "attempts" && <Attempts of={attempts} />}
            {tab === "steps" && <Steps of={memory} />}
            {tab === "related" && <Related run={run} of={children} />}
            {tab === "why" && <Why run={run} />}
            {tab === "raw" && <Raw text={text} />}
          </section>
        </div>
        <Facts run={run} usual={usual} memory={kept} attempts={attempts.data.value} others={others} />
      </div>
    </>
  );
}

/** How long runs of a job usually take, from the last day's roll-ups. */
export function useUsual(job: string): Usual | null {
  const figures = useResource<JobFigures>("rates/jobs?step=hour&steps=24", { every: 60_000 }).data.value;
  return figures?.jobs.find((one) => one.job === job)?.duration ?? null;
}

function Progress({ run }: { run: RunInfo }): JSX.Element | null {
  if (!run.progress || run.state !== "running") return null;
  const share = Math.max(0, Math.min(1, run.progress.fraction));
  return (
    <span class="progress">
      <i role="progressbar" aria-label={words.value.run.progress} aria-valuenow={Math.round(share * 100)} aria-valuemin={0} aria-valuemax={100}><b style={{ width: `${share * 100}%` }} /></i>
      {percent(share)} % <span class="dim">{run.progress.note}</span>
    </span>
  );
}

/** One sentence, if something is not as usual. */
function Telling({ run, usual }: { run: RunInfo; usual: Usual | null }): JSX.Element | null {
  const w = words.value;
  const seconds = run.state === "running" && run.started_at ? (now.value - Date.parse(run.started_at)) / 1000 : 0;
  if (run.state === "failed" && run.error) {
    return (
      <section class="panel telling">
        <Icon name="failures" class="is-failed" />
        <span class="grow"><b>{run.error.class}</b>: {run.error.message} <code class="faint">{run.error.code}</code></span>
        <a class="button small" href={linkWith({ q: `job:${run.job} state:failed since:24h` }, "runs")}>{w.run.like}</a>
      </section>
    );
  }
  if (usual && seconds > Math.max(2, usual.p95 * 1.5)) {
    return (
      <section class="panel telling">
        <Icon name="clock" class="is-waiting" />
        <span class="grow"><b>{w.run.slow}</b> {w.run.slowSays(duration(Math.round(seconds)), duration(usual.p50))}</span>
        <a class="button small" href={linkWith({ q: `job:${run.job} state:running` }, "runs")}>{w.run.like}</a>
      </section>
    );
  }
  if ((run.state === "waiting" || run.state === "queued") && run.why) {
    return (
      <section class="panel telling">
        <Icon name="info" class={`is-${run.state}`} />
        <span class="grow">{run.why}{run.until && <> · <Ago at={run.until} /></>}</span>
        <button type="button" class="button small" onClick={() => setQuery({ tab: "why" })}>{w.run.tabs.why}</button>
      </section>
    );
  }
  return null;
}

interface FactsProps {
  run: RunInfo;
  usual: Usual | null;
  memory: RunMemory | undefined;
  attempts: AttemptPage | undefined;
  others: RunInfo[];
}

function Facts({ run, usual, memory, attempts, others }: FactsProps): JSX.Element {
  const w = words.value;
  const unknown = memory?.effects.filter((effect) => !effect.done) ?? [];
  const lost = attempts?.attempts.filter((one) => one.outcome === "lost") ?? [];
  const last = attempts?.attempts.at(-1);
  const labels = Object.entries(run.labels);
  const success = others.find((one) => one.state === "succeeded" && one.id !== run.id);
  return (
    <Panel title={w.run.facts} class="facts-panel">
      <div class="body">
        <dl class="facts">
          <dt>{w.run.startedBy}</dt>
          <dd>{run.trigger ? <a class="link" href={link("triggers", run.trigger)}>{run.trigger}</a> : run.parent ? <a class="link" href={link("runs", run.parent)}>{w.run.parent}</a> : run.created_by}</dd>
          {run.fire_at && <><dt>{w.run.fireAt}</dt><dd><Moment at={run.fire_at} date /></dd></>}
          <dt>{w.runs.created}</dt><dd><Moment at={run.created_at} /> <span class="faint"><Ago at={run.created_at} /></span></dd>
          {run.due_at > run.created_at && <><dt>{w.run.due}</dt><dd><Moment at={run.due_at} /> <span class="faint"><Ago at={run.due_at} /></span></dd></>}
          {run.finished_at && <><dt>{w.run.finished}</dt><dd><Moment at={run.finished_at} /></dd></>}
          <dt>{w.queues.name}</dt><dd><a class="link" href={link("queues", run.queue)}>{run.queue}</a> <span class="dim">· {w.run.priority} {run.priority}</span></dd>
          {run.executor && <><dt>{w.runs.executor}</dt><dd><a class="link" href={link("executors", run.executor)}>{run.executor}</a>{last?.host && <span class="faint"> {last.host}</span>}</dd></>}
          {last?.code_version && <><dt>{w.run.code}</dt><dd>{last.code_version}</dd></>}
          {run.key && <><dt>{w.run.key}</dt><dd><code>{run.key}</code></dd></>}
          {run.deadline && <><dt>{w.run.deadline}</dt><dd><Ago at={run.deadline} /></dd></>}
          {run.start_by && <><dt>{w.run.startBy}</dt><dd><Ago at={run.start_by} /></dd></>}
          {run.trace && <><dt>{w.run.trace}</dt><dd>{run.trace_url ? <a class="link" href={run.trace_url} target="_blank" rel="noreferrer noopener"><code>{run.trace}</code></a> : <code>{run.trace}</code>}</dd></>}
          {run.attempt > 0 && <><dt>{w.run.fence}</dt><dd>{run.attempt}</dd></>}
          {(labels.length > 0 || run.tags.length > 0) && <><dt>{w.run.labels}</dt><dd class="tags">{labels.map(([key, value]) => <Tag key={key}><a href={linkWith({ q: `label.${key}:${value}` }, "runs")}>{key}={value}</a></Tag>)}{run.tags.map((tag) => <Tag key={tag}><a href={linkWith({ q: `tag:${tag}` }, "runs")}>#{tag}</a></Tag>)}</dd></>}
        </dl>
        {unknown.map((effect) => (
          <p key={effect.name} class="note-box"><Icon name="warn" /><span>{w.run.unknownEffect(effect.name, effect.attempt)}</span></p>
        ))}
      </div>
      {lost.map((one) => (
        <div class="body sub" key={one.number}>
          <h2>{w.run.lostTitle(one.number)}</h2>
          <p class="dim">{w.run.lostSays(one.executor, one.beside.length)} {one.beside.slice(0, 4).map((id) => <a key={id} class="link" href={link("runs", id)}><code>…{id.slice(-8)}</code> </a>)}</p>
        </div>
      ))}
      {others.length > 0 && (
        <div class="body sub">
          <h2>{w.run.lastRuns(run.job, others.length)}</h2>
          <Strip runs={others} wide={8} on={run.id} />
          <p class="faint small">{usual ? w.run.usual(duration(usual.p50), duration(usual.p95)) : ""}</p>
          {success && <a class="link" href={linkWith({ with: success.id }, "runs", run.id, "compare")}>{w.run.compare}</a>}
        </div>
      )}
    </Panel>
  );
}
