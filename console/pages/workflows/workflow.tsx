// One workflow: its graph, its runs against its steps, and its definition.
import type { JSX } from "preact";
import { part } from "../../api/call.ts";
import type { RunPage, WorkflowInfo } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { ButtonLink, Head, Panel, Shown, Tabs, Tag } from "../../parts/basics.tsx";
import { Table } from "../../parts/table.tsx";
import { words } from "../../words/index.ts";
import { columns } from "../runs/list.tsx";
import { RunDialogButton } from "../runs/start.tsx";
import { DefinitionEditor } from "./editor.tsx";
import { Graph } from "./graph.tsx";
import { Grid } from "./grid.tsx";
import { WorkflowRun } from "./run.tsx";

export function Workflow({ name }: { name: string }): JSX.Element {
  const run = asked("run");
  if (name === "new") return <NewWorkflow />;
  return run ? <WorkflowRun name={name} id={run} /> : <Definition name={name} />;
}

function NewWorkflow(): JSX.Element {
  const w = words.value;
  return (
    <>
      <Head title={w.workflows.make} trail={<a href={link("workflows")}>{w.pages.workflows}</a>} />
      <DefinitionEditor workflow={null} />
    </>
  );
}

const TABS = ["graph", "grid", "runs", "definition"] as const;

function Definition({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<WorkflowInfo>(`workflows/${part(name)}`, { every: 15_000 });
  const tab = asked("tab") || "graph";
  const found = resource.data.value;
  return (
    <>
      <Head title={name} trail={<a href={link("workflows")}>{w.pages.workflows}</a>} beside={found && <Tag>v{found.version}</Tag>}>
        <ButtonLink href={linkWith({ tab: "versions" }, "jobs", name)}>{w.jobs.tabs.versions}</ButtonLink>
        <RunDialogButton job={name} />
      </Head>
      <Tabs tabs={TABS.map((id) => ({ id, name: w.workflows.tabs[id], href: linkWith({ tab: id === "graph" ? null : id }, "workflows", name) }))} on={tab} label={name} />
      <div class="tab-body">
        {tab === "grid" && <Grid name={name} />}
        {tab === "runs" && <RunsOf name={name} />}
        {tab === "definition" && <Shown of={resource} rows={6}>{(workflow) => <DefinitionEditor key={workflow.version} workflow={workflow} raw={resource.text.value} />}</Shown>}
        {tab === "graph" && (
          <Shown of={resource} rows={6}>
            {({ graph, description }) => (
              <>
                <Panel title={w.workflows.graph} note={description || w.workflows.nSteps(graph.length)}>
                  <Graph steps={graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents ?? [], note: [step.job, step.each ? `× ${step.each}` : "", step.ending].filter(Boolean).join(" · ") }))} on={asked("step")} onChoose={(step) => setQuery({ step })} />
                </Panel>
                <Grid name={name} />
              </>
            )}
          </Shown>
        )}
      </div>
    </>
  );
}

function RunsOf({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const runs = useResource<RunPage>(`runs?job=${encodeURIComponent(name)}&limit=100`, { every: 3000 });
  const shown = [{ id: "open", name: w.workflows.run, cell: (run: { id: string }) => <a class="mono" href={linkWith({ run: run.id }, "workflows", name)}>…{run.id.slice(-8)}</a> }, ...columns(["job", "id", "executor", "try"])];
  return (
    <Panel>
      <Shown of={runs}>
        {({ runs: found }) => {
          // Steps that wait for people or a time are runs of the workflow's own job.
          const own = found.filter((run) => run.workflow === null);
          return own.length === 0 ? <p class="quiet">{w.jobs.noRuns}</p> : <Table label={w.pages.runs} rows={own} columns={shown} keyOf={(run) => run.id} />;
        }}
      </Shown>
    </Panel>
  );
}
