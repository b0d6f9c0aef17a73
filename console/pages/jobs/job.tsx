// One job: how it does, its runs, triggers, policy, versions and what was done to it.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { part, post, remove } from "../../api/call.ts";
import type { JobDiff, JobFigures, JobInfo, JobVersionPage, RatesInfo, RunPage, TriggerPage } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, go, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Button, Head, Panel, Shown, Tabs, Tag } from "../../parts/basics.tsx";
import { Pulse } from "../../parts/chart.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { Strip } from "../../parts/strip.tsx";
import { Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { duration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { AuditOf } from "../audit.tsx";
import { beatsOf } from "../overview/overview.tsx";
import { columns } from "../runs/list.tsx";
import { RunDialogButton } from "../runs/start.tsx";
import { PauseButton, PausedTag, makeJob } from "./acts.tsx";
import { CanaryPanel } from "./canary.tsx";
import { Share } from "./list.tsx";
import { PolicyEditor } from "./policy.tsx";
import { PythonDialog, showPython } from "./python.tsx";
import { replayed } from "./words.ts";

export function Job({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<JobInfo>(`jobs/${part(name)}`, { every: 10_000 });
  const job = resource.data.value;
  const tab = asked("tab") || "overview";
  const tabs = (["overview", "runs", "triggers", "policy", "versions", "audit"] as const).map((id) => ({ id, name: w.jobs.tabs[id], href: linkWith({ tab: id === "overview" ? null : id }, "jobs", name), note: id === "versions" && job ? `v${job.version}` : null }));
  return (
    <>
      <Head title={name} trail={<a href={link("jobs")}>{w.pages.jobs}</a>} beside={job && <><Tag>{job.origin === "code" ? w.jobs.byCode : w.jobs.byApi}</Tag>{job.drifted && <Tag kind="warn">{w.jobs.drifted}</Tag>}<PausedTag job={job} /><a class="tag" href={link("queues", job.queue)}>{job.queue}</a></>}>
        {job && <PauseButton job={job} />}
        <RunDialogButton job={name} />
        <Menu label={w.run.more} face={<Icon name="more" />} kind="button only">
          <MenuItem icon="plus" onChoose={() => go(linkWith({ job: name }, "triggers", "new"))}>{w.jobs.newTrigger}</MenuItem>
          {job && <MenuItem icon="copy" refused={refusal("jobs:write")} onChoose={() => void makeJob(job)}>{w.jobs.clone}…</MenuItem>}
          <MenuItem icon="command" onChoose={() => showPython(name)}>{replayed.value.python}…</MenuItem>
          <MenuItem icon="trash" danger refused={refusal("jobs:write")} onChoose={() => askDelete(name)}>{w.jobs.remove}…</MenuItem>
        </Menu>
      </Head>
      <PythonDialog />
      <Tabs tabs={tabs} on={tab} label={name} />
      <div class="tab-body">
        <Shown of={resource} rows={6}>
          {(found) => (
            <>
              {tab === "overview" && <JobOverview job={found} />}
              {tab === "runs" && <JobRuns name={name} />}
              {tab === "triggers" && <JobTriggers name={name} />}
              {tab === "policy" && <PolicyEditor job={found} />}
              {tab === "versions" && <Versions job={found} />}
              {tab === "audit" && <AuditOf kind="job" name={name} />}
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

function JobOverview({ job }: { job: JobInfo }): JSX.Element {
  const w = words.value;
  const rates = useResource<RatesInfo>(`rates?step=hour&steps=48&job=${encodeURIComponent(job.name)}`, { every: 15_000 });
  const figure = useResource<JobFigures>("rates/jobs?step=hour&steps=24", { every: 15_000 }).data.value?.jobs.find((one) => one.job === job.name);
  const recent = useResource<RunPage>(`runs?job=${encodeURIComponent(job.name)}&limit=60`, { every: 5000 }).data.value?.runs ?? [];
  const failed = useResource<RunPage>(`runs?job=${encodeURIComponent(job.name)}&state=failed&limit=8`, { every: 10_000 });
  return (
    <>
      {job.description && <p class="dim">{job.description}</p>}
      <section class="panel figures four">
        <a class="figure" href={linkWith({ q: `job:${job.name} since:24h` }, "runs")}><span class="caps">{w.jobs.runsDay}</span><span class="value">{count((figure?.succeeded ?? 0) + (figure?.failed ?? 0) + (figure?.cancelled ?? 0))}</span><span class="note">{w.jobs.failedDay(count(figure?.failed ?? 0))}</span></a>
        <div class="figure"><span class="caps">{w.jobs.succeeded}</span><span class="value"><Share figure={figure} /></span><span class="note">{w.jobs.lastDay}</span></div>
        <div class="figure"><span class="caps">{w.jobs.took}</span><span class="value">{figure?.duration ? duration(figure.duration.p50) : "–"}<small>p50</small></span><span class="note">{figure?.duration ? `p95 ${duration(figure.duration.p95)} · p99 ${duration(figure.duration.p99)}` : ""}</span></div>
        <div class="figure"><span class="caps">{w.jobs.lastRuns}</span><Strip runs={recent} most={40} wide={6} /></div>
      </section>
      {job.policy.canary && <CanaryPanel job={job} canary={job.policy.canary} />}
      <Panel title={w.overview.pulse} note={w.overview.pulseHours}>
        <Shown of={rates}>{(found) => <Pulse beats={beatsOf(found)} step={3600} hrefOf={(beat) => linkWith({ q: `job:${job.name} since:${new Date(beat.at).toISOString()} until:${new Date(beat.at + 3_600_000).toISOString()}` }, "runs")} />}</Shown>
      </Panel>
      <Panel title={w.jobs.newestFailed}>
        <Shown of={failed}>{({ runs }) => (runs.length === 0 ? <p class="quiet">{w.jobs.noneFailed}</p> : <Table label={w.jobs.newestFailed} rows={runs} columns={columns(["queue"])} keyOf={(run) => run.id} peekOf={(run) => `run:${run.id}`} />)}</Shown>
      </Panel>
    </>
  );
}

function JobRuns({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const runs = useResource<RunPage>(`runs?job=${encodeURIComponent(name)}&limit=50`, { every: 3000 });
  return (
    <Panel more={<a class="link" href={linkWith({ q: `job:${name}` }, "runs")}>{w.jobs.allRuns}</a>} title={w.pages.runs}>
      <Shown of={runs}>{({ runs: found }) => (found.length === 0 ? <p class="quiet">{w.jobs.noRuns}</p> : <Table label={w.pages.runs} rows={found} columns={columns()} keyOf={(run) => run.id} peekOf={(run) => `run:${run.id}`} />)}</Shown>
    </Panel>
  );
}

function JobTriggers({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const triggers = useResource<TriggerPage>(`triggers?job=${encodeURIComponent(name)}&limit=100`, { every: 10_000 });
  return (
    <Panel title={w.pages.triggers} more={<a class="link" href={linkWith({ job: name }, "triggers", "new")}>{w.jobs.newTrigger}</a>}>
      <Shown of={triggers}>
        {({ triggers: found }) =>
          found.length === 0 ? <p class="quiet">{w.jobs.noTriggers}</p> : (
            <table><tbody>{found.map((one) => <tr key={one.name}><td><a href={link("triggers", one.name)}>{one.name}</a></td><td class="wide dim">{one.words}</td><td class="num"><Ago at={one.next_due} /></td></tr>)}</tbody></table>
          )
        }
      </Shown>
    </Panel>
  );
}

function Versions({ job }: { job: JobInfo }): JSX.Element {
  const w = words.value;
  const versions = useResource<JobVersionPage>(`jobs/${part(job.name)}/versions?limit=100`, { every: 20_000 });
  const from = Number(asked("from")) || Math.max(1, job.version - 1);
  const to = Number(asked("to")) || job.version;
  const diff = useResource<JobDiff>(from === to ? null : `jobs/${part(job.name)}/diff?from=${from}&to=${to}`);
  const busy = useSignal(false);
  return (
    <div class="columns two">
      <Panel title={w.jobs.tabs.versions}>
        <Shown of={versions}>
          {({ versions: found }) => (
            <table>
              <thead><tr><th>{w.jobs.version}</th><th>{w.jobs.from}</th><th>{w.jobs.to}</th><th>{w.runs.by}</th><th>{w.jobs.note}</th><th class="num">{w.runs.created}</th></tr></thead>
              <tbody>
                {found.map((one) => (
                  <tr key={one.version}>
                    <td><b>v{one.version}</b></td>
                    <td><input type="radio" name="from" aria-label={`${w.jobs.from} v${one.version}`} checked={one.version === from} onChange={() => setQuery({ from: one.version })} /></td>
                    <td><input type="radio" name="to" aria-label={`${w.jobs.to} v${one.version}`} checked={one.version === to} onChange={() => setQuery({ to: one.version })} /></td>
                    <td class="dim">{one.source.origin === "code" ? `${w.jobs.byCode} ${one.source.code_version}` : one.source.author}</td>
                    <td class="wide dim">{one.note}</td>
                    <td class="num"><Ago at={one.at} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Shown>
      </Panel>
      <Panel title={w.jobs.diff(from, to)} more={from < job.version && <Button small icon="undo" refused={refusal("jobs:write")} onClick={() => !busy.value && askRollback(job, from)}>{w.jobs.rollback(from)}</Button>}>
        {from === to ? <p class="quiet">{w.jobs.oneVersion}</p> : <Shown of={diff}>{(found) => <Changes changes={found.changes} />}</Shown>}
      </Panel>
    </div>
  );
}

export function Changes({ changes }: { changes: JobDiff["changes"] }): JSX.Element {
  if (changes.length === 0) return <p class="quiet">{words.value.jobs.same}</p>;
  return (
    <table>
      <tbody>
        {changes.map((one) => (
          <tr key={one.path}>
            <td><code>{one.path}</code></td>
            <td class="wide"><s class="faint">{one.before === undefined ? "–" : JSON.stringify(one.before)}</s> <b>{one.after === undefined ? "–" : JSON.stringify(one.after)}</b></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function askRollback(job: JobInfo, version: number): void {
  const w = words.value;
  askFor({
    title: w.jobs.askRollback(version),
    says: w.jobs.rollbackSays(job.version + 1, version),
    confirm: w.jobs.rollback(version),
    command: (reason) => `mainspring jobs rollback ${job.name} ${version}${reason && ` --note '${reason}'`}`,
    run: async (reason) => {
      await post(`jobs/${part(job.name)}/rollback`, { version, note: reason }, { headers: { "if-match": `"${job.version}"` } });
      outdateAll();
      toast({ text: w.jobs.rolledBack(version), act: { name: w.undo, run: () => post(`jobs/${part(job.name)}/rollback`, { version: job.version, note: w.run.undone }).then(outdateAll) } });
    },
  });
}

function askDelete(name: string): void {
  const w = words.value;
  askFor({
    title: w.jobs.askRemove(name),
    says: w.jobs.removeSays,
    reason: "needed",
    typed: name,
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring jobs delete ${name}`,
    run: async (reason) => {
      await remove(`jobs/${part(name)}?note=${encodeURIComponent(reason)}`);
      outdateAll();
      go(link("jobs"));
    },
  });
}
