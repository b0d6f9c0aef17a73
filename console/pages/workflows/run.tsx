// One run of a workflow: graph, Gantt and list over the same steps, in the same order, with one selection.
import type { JSX } from "preact";
import type { StepRunInfo, StepRunPage, StepStateInfo, WorkflowRunInfo } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, link, setQuery } from "../../live/route.ts";
import { Ago, Button, ButtonLink, Head, Id, Panel, Segments, Shown, State, Tag, Took } from "../../parts/basics.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { Log } from "../runs/log.tsx";
import { askAgain, askStop, setPaused } from "./acts.tsx";
import { Approvals } from "./approvals.tsx";
import { Gantt, StepState } from "./gantt.tsx";
import { Graph } from "./graph.tsx";

const OVER = ["succeeded", "failed", "cancelled", "skipped"];

export function WorkflowRun({ name, id }: { name: string; id: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<WorkflowRunInfo>(`workflow-runs/${id}`, { every: 1000 });
  const runs = useResource<StepRunPage>(`workflow-runs/${id}/steps?limit=200&times=true`, { every: 2000 }).data.value ?? { runs: [], next: null };
  const found = resource.data.value;
  const view = asked("view") || "graph";
  const step = found?.steps.find((one) => one.name === asked("step"));
  const choose = (chosen: string) => setQuery({ step: chosen === asked("step") ? null : chosen });
  return (
    <>
      <Head title={name} trail={<><a href={link("workflows")}>{w.pages.workflows}</a> / <a href={link("workflows", name)}>{name}</a> / <Id id={id} whole /></>} beside={found && <Standing of={found} />}>
        {found && <RunActs of={found} id={id} />}
      </Head>
      <Approvals run={id} />
      <Panel title={w.workflows.views[view as keyof typeof w.workflows.views] ?? w.workflows.graph} more={<Segments small label={w.workflows.viewAs} on={view} choices={(["graph", "gantt", "steps"] as const).map((one) => ({ id: one, name: w.workflows.views[one] }))} onChoose={(one) => setQuery({ view: one === "graph" ? null : one })} />}>
        <Shown of={resource} rows={6}>
          {(seen) =>
            view === "gantt" ? (
              <Gantt run={seen} page={runs} on={step?.name ?? ""} onChoose={choose} />
            ) : view === "steps" ? (
              <Steps steps={seen.steps} runs={runs.runs} onChoose={choose} />
            ) : (
              <Graph steps={seen.steps.map((one) => ({ name: one.name, job: one.job, parents: one.parents, state: one.state, note: noteOf(one) }))} on={step?.name ?? ""} onChoose={choose} />
            )
          }
        </Shown>
      </Panel>
      {step && <StepPanel key={step.name} id={id} step={step} runs={runs.runs.filter((one) => one.step === step.name)} />}
    </>
  );
}

function Standing({ of }: { of: WorkflowRunInfo }): JSX.Element {
  const w = words.value;
  const done = of.steps.filter((step) => OVER.includes(step.state)).length;
  const took = ((of.finished_at ? Date.parse(of.finished_at) : now.value) - Date.parse(of.began_at)) / 1000;
  return (
    <>
      <State state={of.state} />
      {of.paused && <Tag kind="warn">{w.triggers.states.paused}</Tag>}
      <span class="dim">{w.workflows.doneOf(done, of.steps.length)} · {duration(Math.max(0, Math.round(took)))} · v{of.version} · <Ago at={of.began_at} /></span>
    </>
  );
}

function RunActs({ of, id }: { of: WorkflowRunInfo; id: string }): JSX.Element {
  const w = words.value;
  const denied = refusal("runs:write");
  const over = OVER.includes(of.state);
  return (
    <>
      {over && of.state !== "succeeded" && <Button icon="retry" refused={denied} onClick={() => void askAgain(id, "resume")}>{w.workflows.resume}…</Button>}
      {!over && <Button icon={of.paused ? "play" : "pause"} refused={denied} onClick={() => void setPaused(id, !of.paused)}>{of.paused ? w.queues.resume : w.queues.pause}</Button>}
      {!over && <Button icon="stop" kind="danger" refused={denied} onClick={() => askStop(id)}>{w.workflows.stop}…</Button>}
      <ButtonLink href={link("runs", id)}>{w.workflows.asRun}</ButtonLink>
    </>
  );
}

export function noteOf(step: StepStateInfo): string {
  if (step.size !== null && step.size !== undefined) return words.value.workflows.mapOf(count(step.succeeded ?? 0), count(step.size), step.failed ?? 0);
  return step.why ?? step.job;
}

function Steps({ steps, runs, onChoose }: { steps: StepStateInfo[]; runs: StepRunInfo[]; onChoose: (name: string) => void }): JSX.Element {
  const w = words.value;
  const of = (step: StepStateInfo) => runs.filter((run) => run.step === step.name);
  const columns: Column<StepStateInfo>[] = [
    { id: "name", name: w.name, cell: (one) => <button type="button" class="strong-link" onClick={() => onChoose(one.name)}>{one.name}</button> },
    { id: "state", name: w.runs.state, cell: (one) => <StepState step={one} /> },
    { id: "job", name: w.job, cell: (one) => <a class="plain dim" href={link("jobs", one.job)}>{one.job}</a> },
    { id: "note", name: "", wide: true, cell: (one) => <span class="dim">{noteOf(one) === one.job ? "" : noteOf(one)}</span> },
    { id: "took", name: w.runs.took, num: true, cell: (one) => <Took seconds={tookOf(of(one).at(-1))} /> },
    { id: "runs", name: w.pages.runs, cell: (one) => of(one).slice(0, 4).map((run) => <a key={run.run} class="mono link" href={link("runs", run.run)}>…{run.run.slice(-8)} </a>) },
  ];
  return <Table label={w.workflows.steps} rows={steps} columns={columns} keyOf={(one) => one.name} />;
}

function tookOf(run: StepRunInfo | undefined): number | null {
  if (!run?.started_at) return null;
  return ((run.finished_at ? Date.parse(run.finished_at) : now.value) - Date.parse(run.started_at)) / 1000;
}

function StepPanel({ id, step, runs }: { id: string; step: StepStateInfo; runs: StepRunInfo[] }): JSX.Element {
  const w = words.value;
  const denied = refusal("runs:write");
  const over = OVER.includes(step.state);
  const wanted = asked("item");
  const shown = runs.find((run) => String(run.item ?? "") === wanted) ?? runs.find((run) => run.state === "failed") ?? runs.at(-1);
  return (
    <Panel
      title={step.name}
      note={<><StepState step={step} /> {step.why}</>}
      more={
        <span class="acts">
          {runs.length > 1 && <Segments small label={w.workflows.items} on={String(shown?.item ?? "")} choices={runs.slice(0, 12).map((run) => ({ id: String(run.item ?? ""), name: `${run.item ?? ""}${run.state === "failed" ? " ✕" : ""}` }))} onChoose={(item) => setQuery({ item })} />}
          {over && <Button small icon="retry" refused={denied} onClick={() => void askAgain(id, "retry", step.name)}>{w.workflows.retryFrom}…</Button>}
          {!over && <Button small icon="skip" refused={denied} onClick={() => void askAgain(id, "skip", step.name)}>{w.workflows.skip}…</Button>}
          {shown && <ButtonLink small href={link("runs", shown.run)}>{w.open}</ButtonLink>}
        </span>
      }
    >
      {shown ? <Log key={shown.run} id={shown.run} over={over} /> : <p class="quiet">{w.run.notStarted}</p>}
    </Panel>
  );
}
