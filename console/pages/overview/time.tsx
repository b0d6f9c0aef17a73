// Where the time of executors goes, and which jobs begin late: what a person looks for who has to find a bottleneck.
import type { JSX } from "preact";
import { query } from "../../api/call.ts";
import type { JobFigure, JobFigures } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { link, linkWith } from "../../live/route.ts";
import { settled } from "../../live/settled.ts";
import { Panel, Shown } from "../../parts/basics.tsx";
import { duration, percent } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { type Spent, slowestOf, spentOf } from "./spent.ts";

const SHOWN = 6;

export function TimeSpent({ step, steps, since }: { step: string; steps: number; since: string }): JSX.Element {
  const w = words.value.overview;
  const found = useResource<JobFigures>(settled.value ? query("rates/jobs", { step, steps }) : null, { every: 30_000 });
  const week = useResource<JobFigures>(settled.value ? "rates/jobs?step=hour&steps=168" : null, { every: 300_000 }).data.value;
  const usual = new Map((week?.jobs ?? []).map((one) => [one.job, one]));
  return (
    <div class="columns two even">
      <Panel title={w.timeSpent} note={w.timeSpentNote}>
        <Shown of={found}>{({ jobs }) => <SpentTable spent={spentOf(jobs).slice(0, SHOWN)} usual={usual} since={since} />}</Shown>
      </Panel>
      <Panel title={w.slowStarts} note={w.slowStartsNote}>
        <Shown of={found}>{({ jobs }) => <StartsTable jobs={slowestOf(jobs).slice(0, SHOWN)} usual={usual} since={since} />}</Shown>
      </Panel>
    </div>
  );
}

interface TableProps {
  usual: Map<string, JobFigure>;
  since: string;
}

function SpentTable({ spent, usual, since }: { spent: Spent[] } & TableProps): JSX.Element {
  const w = words.value;
  if (spent.length === 0) return <p class="quiet">{w.overview.noTime}</p>;
  return (
    <table>
      <thead><tr><th>{w.job}</th><th class="num">{w.overview.inAll}</th><th><span class="away">{w.overview.share}</span></th><th class="num">p95</th><th class="num">{w.overview.week}</th></tr></thead>
      <tbody>
        {spent.map((one) => (
          <tr key={one.job}>
            <td><a href={link("jobs", one.job)}>{one.job}</a></td>
            <td class="num"><a class="plain" href={linkWith({ q: `job:${one.job} since:${since}` }, "runs")}>{duration(one.seconds)}</a></td>
            <td><span class="gauge wide" aria-hidden="true"><i style={{ width: `${one.share * 100}%` }} /></span>{percent(one.share)} %</td>
            <Against is={one.p95} usual={usual.get(one.job)?.duration?.p95} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StartsTable({ jobs, usual, since }: { jobs: JobFigure[] } & TableProps): JSX.Element {
  const w = words.value;
  if (jobs.length === 0) return <p class="quiet">{w.overview.nothingYet}</p>;
  return (
    <table>
      <thead><tr><th>{w.job}</th><th class="num">p50</th><th class="num">p95</th><th class="num">{w.overview.week}</th></tr></thead>
      <tbody>
        {jobs.map((one) => (
          <tr key={one.job}>
            <td><a href={linkWith({ q: `job:${one.job} since:${since}` }, "runs")}>{one.job}</a></td>
            <td class="num">{duration(one.wait?.p50 ?? 0)}</td>
            <Against is={one.wait?.p95 ?? 0} usual={usual.get(one.job)?.wait?.p95} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A quantile beside that of the last week; red where it is twice as long. */
function Against({ is, usual }: { is: number; usual: number | undefined }): JSX.Element {
  const slow = usual !== undefined && is > 0.05 && is > usual * 2;
  return (
    <>
      <td class={`num ${slow ? "is-failed" : ""}`}>{duration(is)}</td>
      <td class="num faint">{usual === undefined ? "–" : duration(usual)}</td>
    </>
  );
}
