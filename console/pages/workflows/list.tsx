// Workflows: jobs whose runs are graphs of other runs.
import type { JSX } from "preact";
import type { JobFigures, JobInfo, JobPage, RunInfo, RunPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { link } from "../../live/route.ts";
import { ButtonLink, Empty, Head, Panel, Shown } from "../../parts/basics.tsx";
import { Strip } from "../../parts/strip.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { Share } from "../jobs/list.tsx";
import { RunDialogButton } from "../runs/start.tsx";
import { Approvals } from "./approvals.tsx";

const SAMPLE = `month-end:
  steps:
    extract: {job: extract}
    convert: {job: convert, after: extract}
    post: {job: post, after: convert}`;

export function Workflows(): JSX.Element {
  const w = words.value;
  const resource = useResource<JobPage>("jobs?handler=workflow&limit=200", { every: 10_000 });
  const figures = useResource<JobFigures>("rates/jobs?step=hour&steps=24", { every: 15_000 }).data.value?.jobs ?? [];
  const runs = useResource<RunPage>("runs?limit=500", { every: 10_000 }).data.value?.runs.filter((run) => run.workflow === null) ?? [];
  return (
    <>
      <Head title={w.pages.workflows}>
        <RunDialogButton />
        <ButtonLink icon="plus" href={link("workflows", "new")}>{w.workflows.make}</ButtonLink>
      </Head>
      <Approvals workflows={new Map(runs.map((run) => [run.id, run.job]))} />
      <Panel>
        <Shown of={resource}>{({ jobs }) => (jobs.length === 0 ? <Empty title={w.workflows.empty}><pre class="block">{SAMPLE}</pre></Empty> : <Table label={w.pages.workflows} rows={jobs} columns={columns(figures, runs)} keyOf={(job) => job.name} peekOf={(job) => `workflow:${job.name}`} />)}</Shown>
      </Panel>
    </>
  );
}

function columns(figures: JobFigures["jobs"], runs: RunInfo[]): Column<JobInfo>[] {
  const w = words.value;
  const of = (job: JobInfo) => figures.find((one) => one.job === job.name);
  return [
    { id: "name", name: w.workflows.word, cell: (job) => <a href={link("workflows", job.name)}>{job.name}</a> },
    { id: "description", name: w.policy.labels.description, wide: true, cell: (job) => <span class="dim">{job.description}</span> },
    { id: "strip", name: w.jobs.lastRuns, cell: (job) => <Strip runs={runs.filter((run) => run.job === job.name)} /> },
    { id: "ok", name: w.jobs.succeeded, num: true, cell: (job) => <Share figure={of(job)} /> },
    { id: "p95", name: "p95", num: true, cell: (job) => (of(job)?.duration ? duration(of(job)?.duration?.p95 ?? 0) : <span class="faint">–</span>) },
    { id: "queue", name: w.queues.name, cell: (job) => <span class="dim">{job.queue}</span>, minor: true },
    { id: "version", name: w.jobs.version, num: true, cell: (job) => <span class="faint">v{job.version}</span> },
  ];
}
