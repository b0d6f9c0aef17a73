// The trial of a version of the code: both sides beside each other, what stops it, and when and why it was stopped.
import type { JSX } from "preact";
import { part, patch } from "../../api/call.ts";
import type { Canary, CanaryInfo, CanarySideInfo, JobInfo, JobVersionInfo, JobVersionPage } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { linkWith } from "../../live/route.ts";
import { Ago, Button, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { percent } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { tried } from "./words.ts";

export function CanaryPanel({ job, canary }: { job: JobInfo; canary: Canary }): JSX.Element {
  const w = tried.value;
  const resource = useResource<CanaryInfo>(`jobs/${part(job.name)}/canary`, { every: 5000 });
  const stopped = canary.share === 0;
  const note = stopped ? w.none(canary.version) : w.of(canary.version, percent(canary.share));
  return (
    <Panel title={w.title} note={note} more={<Button small refused={refusal("jobs:write")} onClick={() => askEnd(job, canary)}>{w.end}…</Button>}>
      {stopped && <Stopped job={job} canary={canary} />}
      <Shown of={resource} rows={2}>{(found) => <Sides of={found} />}</Shown>
    </Panel>
  );
}

function Sides({ of }: { of: CanaryInfo }): JSX.Element {
  const w = tried.value;
  const states = words.value.states;
  return (
    <>
      <table>
        <thead><tr><th>{w.version}</th><th class="num">{w.share}</th><th class="num">{words.value.pages.runs}</th><th class="num">{states.succeeded}</th><th class="num">{states.failed}</th><th class="num">{w.retrying}</th><th class="num">{w.rate}</th></tr></thead>
        <tbody>
          <Side name={of.version} share={of.share} of={of.canary} most={of.stop_above} />
          <Side name={w.others} share={1 - of.share} of={of.others} most={null} />
        </tbody>
      </table>
      <p class="quiet">{of.stop_above === null ? w.nobody : w.above(percent(of.stop_above), count(of.min_runs))} {w.since} <Ago at={of.since} /></p>
    </>
  );
}

function Side({ name, share, of, most }: { name: string; share: number; of: CanarySideInfo; most: number | null }): JSX.Element {
  const bad = most !== null && of.failure_rate > most;
  return (
    <tr>
      <td><b>{name}</b></td>
      <td class="num">{percent(share)} %</td>
      <td class="num">{count(of.runs)}</td>
      <td class="num">{count(of.succeeded)}</td>
      <td class="num">{count(of.failed)}</td>
      <td class="num">{count(of.retrying)}</td>
      <td class="num">{of.runs === 0 ? <span class="faint">–</span> : <b class={bad ? "is-failed" : ""}>{percent(of.failure_rate)} %</b>}</td>
    </tr>
  );
}

/** The version of the job since which its share is 0 says when, and its note why. */
function Stopped({ job, canary }: { job: JobInfo; canary: Canary }): JSX.Element {
  const versions = useResource<JobVersionPage>(`jobs/${part(job.name)}/versions?limit=100`, { every: 20_000 }).data.value?.versions;
  const since = versions && stoppedIn(versions, canary.version);
  return (
    <p class="quiet">
      <Tag kind="bad">{tried.value.stopped}</Tag> {since && <><Ago at={since.at} /> · <a href={linkWith({ tab: "versions", to: since.version, from: Math.max(1, since.version - 1) }, "jobs", job.name)}>{since.note || `v${since.version}`}</a></>}
    </p>
  );
}

/** The oldest of the newest versions in which this canary gets nothing; they come newest first. */
export function stoppedIn(versions: JobVersionInfo[], version: string): JobVersionInfo | undefined {
  const stops = (one: JobVersionInfo) => one.definition.policy.canary?.version === version && one.definition.policy.canary.share === 0;
  const end = versions.findIndex((one) => !stops(one));
  return (end === -1 ? versions : versions.slice(0, end)).at(-1);
}

function askEnd(job: JobInfo, canary: Canary): void {
  const w = tried.value;
  askFor({
    title: w.askEnd(job.name),
    says: w.endSays(canary.version),
    confirm: w.end,
    command: () => `mainspring jobs canary ${quoted(job.name)} --end`,
    run: async (reason) => {
      await patch(`jobs/${part(job.name)}`, { policy: { ...job.policy, canary: null }, note: reason }, { headers: { "if-match": `"${job.version}"` } });
      outdateAll();
    },
  });
}
