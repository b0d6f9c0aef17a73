// One workflow: its graph and runs; and one run of it, step by step, with the acts that mend it.
import type { JSX } from "preact";
import { part, post } from "../../api/call.ts";
import type { AgainInfo, RunPage, StepRunPage, StepStateInfo, WorkflowInfo, WorkflowRunInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Button, ButtonLink, Head, Id, Panel, Shown, State, StateIcon, Tabs, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { Table } from "../../parts/table.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";
import { columns } from "../runs/list.tsx";
import { Log } from "../runs/log.tsx";
import { RunDialogButton } from "../runs/start.tsx";
import { Graph, toneOf } from "./graph.tsx";

export function Workflow({ name }: { name: string }): JSX.Element {
  const run = asked("run");
  return run ? <WorkflowRun name={name} id={run} /> : <Definition name={name} />;
}

function Definition({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<WorkflowInfo>(`workflows/${part(name)}`, { every: 15_000 });
  const runs = useResource<RunPage>(`runs?job=${encodeURIComponent(name)}&limit=50`, { every: 3000 });
  const tab = asked("tab") || "graph";
  const tabs = (["graph", "runs", "definition"] as const).map((id) => ({ id, name: w.workflows.tabs[id], href: linkWith({ tab: id === "graph" ? null : id }, "workflows", name) }));
  return (
    <>
      <Head title={name} trail={<a href={link("workflows")}>{w.pages.workflows}</a>} beside={resource.data.value && <Tag>v{resource.data.value.version}</Tag>}>
        <ButtonLink href={link("jobs", name)}>{w.jobs.tabs.versions}</ButtonLink>
        <RunDialogButton job={name} />
      </Head>
      <Tabs tabs={tabs} on={tab} label={name} />
      <div class="tab-body">
        {tab === "runs" ? (
          <Panel><Shown of={runs}>{({ runs: found }) => (found.length === 0 ? <p class="quiet">{w.jobs.noRuns}</p> : <Table label={w.pages.runs} rows={found} columns={[{ id: "open", name: w.workflows.run, cell: (run) => <a class="mono" href={linkWith({ run: run.id }, "workflows", name)}>…{run.id.slice(-8)}</a> }, ...columns(["job", "id", "executor", "try"])]} keyOf={(run) => run.id} />)}</Shown></Panel>
        ) : (
          <Shown of={resource} rows={6}>
            {(found) => (
              <>
                {found.description && <p class="dim">{found.description}</p>}
                {tab === "definition" ? (
                  <Panel title={w.workflows.tabs.definition}><div class="body"><pre class="block">{JSON.stringify(found.definition, null, 2)}</pre></div></Panel>
                ) : (
                  <Panel title={w.workflows.graph} note={w.workflows.nSteps(found.graph.length)}>
                    <Graph steps={found.graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents ?? [], note: [step.job, step.each ? `× ${step.each}` : "", step.ending].filter(Boolean).join(" · ") }))} on={asked("step")} onChoose={(step) => setQuery({ step })} />
                  </Panel>
                )}
              </>
            )}
          </Shown>
        )}
      </div>
    </>
  );
}

const OVER = ["succeeded", "failed", "cancelled", "skipped"];

function WorkflowRun({ name, id }: { name: string; id: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<WorkflowRunInfo>(`workflow-runs/${id}`, { every: 1000 });
  const runs = useResource<StepRunPage>(`workflow-runs/${id}/steps?limit=200`, { every: 2000 }).data.value?.runs ?? [];
  const found = resource.data.value;
  const denied = refusal("runs:write");
  const over = found ? OVER.includes(found.state) : false;
  const done = found?.steps.filter((step) => OVER.includes(step.state)).length ?? 0;
  const act = (what: string, body: unknown = {}) => void post(`workflow-runs/${id}/${what}`, body).then(outdateAll, tellRefusal);
  const step = found?.steps.find((one) => one.name === asked("step"));
  return (
    <>
      <Head title={name} trail={<><a href={link("workflows")}>{w.pages.workflows}</a> / <a href={link("workflows", name)}>{name}</a> / <Id id={id} whole /></>} beside={found && <><State state={found.state} />{found.paused && <Tag kind="warn">{w.triggers.states.paused}</Tag>}<span class="dim">{w.workflows.doneOf(done, found.steps.length)} · <Ago at={found.began_at} /></span></>}>
        {found && over && found.state !== "succeeded" && <Button icon="retry" refused={denied} onClick={() => askResume(id)}>{w.workflows.resume}…</Button>}
        {found && !over && (found.paused ? <Button icon="play" refused={denied} onClick={() => act("unpause")}>{w.queues.resume}</Button> : <Button icon="pause" refused={denied} onClick={() => act("pause")}>{w.queues.pause}</Button>)}
        {found && !over && <Button icon="stop" kind="danger" refused={denied} onClick={() => askStop(id)}>{w.workflows.stop}…</Button>}
        <ButtonLink href={link("runs", id)}>{w.workflows.asRun}</ButtonLink>
      </Head>
      <Panel>
        <Shown of={resource} rows={6}>
          {(seen) => <Graph steps={seen.steps.map((one) => ({ name: one.name, job: one.job, parents: one.parents, state: one.state, note: noteOf(one) }))} on={asked("step")} onChoose={(chosen) => setQuery({ step: chosen })} />}
        </Shown>
      </Panel>
      {step && <StepPanel key={step.name} id={id} step={step} runs={runs.filter((one) => one.step === step.name).map((one) => one.run)} />}
      <Panel title={w.workflows.steps}>
        <table>
          <tbody>
            {found?.steps.map((one) => (
              <tr key={one.name} class={one.name === step?.name ? "chosen" : ""}>
                <td><button type="button" class="strong-link" onClick={() => setQuery({ step: one.name })}>{one.name}</button></td>
                <td><span class={`state is-${toneOf(one.state)}`}><StateIcon state={toneOf(one.state)} />{(w.states as Record<string, string>)[one.state] ?? one.state}</span></td>
                <td class="dim">{one.job}</td>
                <td class="wide dim">{noteOf(one) === one.job ? "" : noteOf(one)}</td>
                <td>{runs.filter((run) => run.step === one.name).slice(0, 4).map((run) => <a key={run.run} class="mono link" href={link("runs", run.run)}>…{run.run.slice(-8)} </a>)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </>
  );
}

function noteOf(step: StepStateInfo): string {
  if (step.size !== null && step.size !== undefined) return words.value.workflows.mapOf(count(step.succeeded ?? 0), count(step.size), step.failed ?? 0);
  return step.why ?? step.job;
}

function StepPanel({ id, step, runs }: { id: string; step: StepStateInfo; runs: string[] }): JSX.Element {
  const w = words.value;
  const denied = refusal("runs:write");
  const last = runs.at(-1);
  const over = OVER.includes(step.state);
  return (
    <Panel title={step.name} note={step.why ?? undefined} more={<span class="acts">{over && <Button small icon="retry" refused={denied} onClick={() => askStep(id, step.name, "retry")}>{w.workflows.retryFrom}…</Button>}{!over && <Button small icon="skip" refused={denied} onClick={() => askStep(id, step.name, "skip")}>{w.workflows.skip}…</Button>}{last && <ButtonLink small href={link("runs", last)}>{w.open}</ButtonLink>}</span>}>
      {last ? <Log id={last} over={over} /> : <p class="quiet">{w.run.notStarted}</p>}
    </Panel>
  );
}

/** Say which steps would run again before any does. */
async function askStep(id: string, step: string, what: "retry" | "skip"): Promise<void> {
  const w = words.value.workflows;
  try {
    const { data } = await post<AgainInfo>(`workflow-runs/${id}/${what}`, { step, dry_run: true });
    askFor({
      title: what === "retry" ? w.askRetry(step) : w.askSkip(step),
      says: <>{w.again(data.steps.length)} <code>{data.steps.join(", ")}</code>. {w.kept}</>,
      confirm: what === "retry" ? w.retryFrom : w.skip,
      command: (reason) => `mainspring workflows ${what} ${id} ${step}${reason && ` --reason '${reason}'`}`,
      run: async (reason) => {
        await post(`workflow-runs/${id}/${what}`, { step, reason });
        outdateAll();
        toast({ text: w.begun });
      },
    });
  } catch (error) {
    tellRefusal(error);
  }
}

async function askResume(id: string): Promise<void> {
  const w = words.value.workflows;
  try {
    const { data } = await post<AgainInfo>(`workflow-runs/${id}/resume`, { dry_run: true });
    askFor({
      title: w.askResume,
      says: <>{w.again(data.steps.length)} <code>{data.steps.join(", ")}</code>. {w.kept}</>,
      confirm: w.resume,
      command: () => `mainspring workflows resume ${id}`,
      run: async (reason) => {
        await post(`workflow-runs/${id}/resume`, { reason });
        outdateAll();
      },
    });
  } catch (error) {
    tellRefusal(error);
  }
}

function askStop(id: string): void {
  const w = words.value.workflows;
  askFor({ title: w.askStop, says: w.stopSays, reason: "no", confirm: w.stop, danger: true, command: () => `mainspring workflows stop ${id}`, run: async () => { await post(`workflow-runs/${id}/stop`, {}); outdateAll(); } });
}
