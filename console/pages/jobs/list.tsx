// Jobs: what starts each, how its last runs went, how many succeed and how long they take.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { query } from "../../api/call.ts";
import type { JobFigure, JobFigures, JobInfo, JobPage, JobRunsList, RunInfo, RunPage, TriggerInfo, TriggerPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Button, ButtonLink, Empty, Head, Panel, Segments, Shown, Tag } from "../../parts/basics.tsx";
import { Strip } from "../../parts/strip.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration, percent } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { RunDialogButton } from "../runs/start.tsx";
import { imported } from "./words.ts";
import { PausedTag, makeJob } from "./acts.tsx";
import { SeveralJobs } from "./several.tsx";

const FEW = 10;
const RARE = 20;

export function Jobs(): JSX.Element {
  const w = words.value;
  const prefix = asked("prefix");
  const chosen = useSignal<Set<string>>(new Set());
  const resource = useResource<JobPage>(query("jobs", { prefix, limit: 200 }), { every: 20_000 });
  const figures = useResource<JobFigures>("rates/jobs?step=hour&steps=24", { every: 15_000 }).data.value?.jobs ?? [];
  const runs = useResource<RunPage>("runs?limit=500", { every: 10_000 }).data.value?.runs ?? [];
  const recent = groupBy(runs);
  // Those that the newest runs of all hardly show are asked for by name.
  const rare = (resource.data.value?.jobs ?? []).map(({ name }) => name).filter((name) => (recent.get(name)?.length ?? 0) < FEW).slice(0, RARE);
  // In two parts: each job with few runs takes a look of its own, and one answer may take only so much.
  const wanted = [rare.slice(0, RARE / 2), rare.slice(RARE / 2)].map((names) => (runs.length === 0 || names.length === 0 ? null : query("figures/jobs", { name: names })));
  const parts = [useResource<JobRunsList>(wanted[0] ?? null, { every: 30_000 }), useResource<JobRunsList>(wanted[1] ?? null, { every: 30_000 })];
  for (const one of parts.flatMap((part) => part.data.value?.jobs ?? [])) recent.set(one.job, one.runs);
  const triggers = useResource<TriggerPage>("triggers?limit=200", { every: 20_000 }).data.value?.triggers ?? [];
  return (
    <>
      <Head title={w.pages.jobs}>
        <input class="input" data-filter aria-label={w.jobs.filter} placeholder={w.jobs.filter} value={prefix} onInput={(event) => setQuery({ prefix: event.currentTarget.value })} />
        <Button icon="plus" refused={refusal("jobs:write")} onClick={() => void makeJob(null)}>{w.jobs.make}…</Button>
        <ButtonLink icon="save" href={linkWith({ view: "crontab" }, "triggers")}>{imported.value.title}</ButtonLink>
        <RunDialogButton />
      </Head>
      <div class="above-list">
        <Segments small label={w.runs.byState} on={asked("is")} choices={(["", "failing", "paused", "drifted", "idle"] as const).map((id) => ({ id, name: id === "" ? w.runs.all : w.jobs.is[id] }))} onChoose={(is) => setQuery({ is })} />
      </div>
      <Panel>
        <Shown of={resource} rows={8}>
          {({ jobs: all }) => {
            const jobs = all.filter((job) => fits(job, figures.find((one) => one.job === job.name), asked("is")));
            return jobs.length === 0 ? (
              <NoJobs filtered={prefix !== "" || asked("is") !== ""} />
            ) : (
              <Table label={w.pages.jobs} rows={jobs} columns={columns(new Map(figures.map((one) => [one.job, one])), recent, triggers)} keyOf={(job) => job.name} peekOf={(job) => `job:${job.name}`} chosen={chosen} />
            );
          }}
        </Shown>
      </Panel>
      <SeveralJobs chosen={chosen} jobs={resource.data.value?.jobs ?? []} />
    </>
  );
}

/** Failing: under 95 % of a day succeeded. Idle: nothing ended in a day. */
function fits(job: JobInfo, figure: JobFigure | undefined, is: string): boolean {
  const ended = (figure?.succeeded ?? 0) + (figure?.failed ?? 0);
  if (is === "failing") return ended > 0 && (figure?.succeeded ?? 0) / ended < 0.95;
  if (is === "paused") return job.paused !== null;
  return is === "drifted" ? job.drifted : is === "idle" ? ended === 0 : true;
}

function groupBy(runs: RunInfo[]): Map<string, RunInfo[]> {
  const found = new Map<string, RunInfo[]>();
  for (const run of runs) found.set(run.job, [...(found.get(run.job) ?? []), run]);
  return found;
}

function columns(figures: Map<string, JobFigure>, runs: Map<string, RunInfo[]>, triggers: TriggerInfo[]): Column<JobInfo>[] {
  const w = words.value;
  const of = (job: JobInfo) => figures.get(job.name);
  return [
    { id: "name", name: w.job, cell: (job) => <><a href={link("jobs", job.name)}>{job.name}</a> {job.drifted && <Tag kind="warn">{w.jobs.drifted}</Tag>} <PausedTag job={job} /></> },
    { id: "starts", name: w.jobs.starts, wide: true, cell: (job) => <Starts triggers={triggers.filter((one) => one.spec.job === job.name)} />, minor: true },
    { id: "strip", name: w.jobs.lastRuns, cell: (job) => <Strip runs={runs.get(job.name) ?? []} /> },
    { id: "runs", name: w.jobs.runsDay, num: true, cell: (job) => <Total figure={of(job)} job={job.name} /> },
    { id: "ok", name: w.jobs.succeeded, num: true, cell: (job) => <Share figure={of(job)} /> },
    { id: "p50", name: "p50", num: true, cell: (job) => of(job)?.duration ? duration(of(job)?.duration?.p50 ?? 0) : <span class="faint">–</span>, minor: true },
    { id: "p95", name: "p95", num: true, cell: (job) => of(job)?.duration ? duration(of(job)?.duration?.p95 ?? 0) : <span class="faint">–</span> },
    { id: "queue", name: w.queues.name, cell: (job) => <a class="plain dim" href={link("queues", job.queue)}>{job.queue}</a> },
    { id: "retry", name: w.jobs.attempts, num: true, cell: (job) => count(job.retry.attempts), minor: true },
    { id: "version", name: w.jobs.version, num: true, cell: (job) => <span class="faint">v{job.version}</span>, minor: true },
  ];
}

function Starts({ triggers }: { triggers: TriggerInfo[] }): JSX.Element {
  const [first] = triggers;
  if (!first) return <span class="faint">{words.value.jobs.byHand}</span>;
  return <span class="dim"><a class="plain" href={link("triggers", first.name)}>{first.words}</a>{first.next_due && <> · <Ago at={first.next_due} /></>}{triggers.length > 1 && ` +${triggers.length - 1}`}</span>;
}

function Total({ figure, job }: { figure: JobFigure | undefined; job: string }): JSX.Element {
  if (!figure) return <span class="faint">0</span>;
  return <a class="plain" href={linkWith({ q: `job:${job} since:24h` }, "runs")}>{count(figure.succeeded + figure.failed + figure.cancelled + figure.skipped)}</a>;
}

export function Share({ figure }: { figure: JobFigure | undefined }): JSX.Element {
  const ended = (figure?.succeeded ?? 0) + (figure?.failed ?? 0);
  if (!figure || ended === 0) return <span class="faint">–</span>;
  const share = figure.succeeded / ended;
  return <span class={share < 0.95 ? "is-failed" : ""}>{percent(share)} %</span>;
}

function NoJobs({ filtered }: { filtered: boolean }): JSX.Element {
  const w = words.value.jobs;
  if (filtered) return <Empty title={w.noneMatch} />;
  return (
    <Empty title={w.empty}>
      <pre class="block">{'from mainspring import App\n\napp = App("shop")\n\n@app.job\ndef greet(name: str) -> str:\n    return f"hello {name}"'}</pre>
    </Empty>
  );
}
