// Failures: dead letters by kind, and the sweeps that act on many of them.
import type { JSX } from "preact";
import { query } from "../../api/call.ts";
import type { DeadGroupInfo, DeadGroupPage, FailureFigureInfo, FailureFigures, SweepInfo, SweepPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, linkWith } from "../../live/route.ts";
import { Ago, Empty, Head, Panel, Shown, Tabs, Tag } from "../../parts/basics.tsx";
import { blocks } from "../../parts/blocks.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../words/index.ts";
import { Muted } from "./note.tsx";
import { BeingRetried, Quarantined } from "./retried.tsx";
import { noted } from "./words.ts";

const NEW = 86_400_000;

export function Failures(): JSX.Element {
  const w = words.value;
  const tab = asked("tab") || "dead";
  const groups = useResource<DeadGroupPage>("dead-letters?limit=100", { every: 5000 });
  const kinds = groups.data.value?.groups.map((one) => one.fingerprint) ?? [];
  const figures = useResource<FailureFigures>(kinds.length === 0 ? null : query("figures/failures", { fingerprint: kinds.toSorted() }), { every: 30_000 }).data.value?.failures ?? [];
  const sweeps = useResource<SweepPage>("sweeps?limit=50", { every: 3000 });
  const tabs = [
    { id: "dead", name: w.failures.dead, href: linkWith({}, "failures"), note: groups.data.value ? count(groups.data.value.groups.length, groups.data.value.next !== null) : null },
    { id: "retried", name: w.failures.retried, href: linkWith({ tab: "retried" }, "failures") },
    { id: "quarantined", name: w.failures.quarantined, href: linkWith({ tab: "quarantined" }, "failures") },
    { id: "sweeps", name: w.failures.sweeps, href: linkWith({ tab: "sweeps" }, "failures"), note: sweeps.data.value?.sweeps.filter((one) => !isOver(one)).length || null },
  ];
  return (
    <>
      <Head title={w.pages.failures} />
      <Panel>
        <Tabs tabs={tabs} on={tab} label={w.pages.failures} />
        {tab === "retried" ? (
          <BeingRetried />
        ) : tab === "quarantined" ? (
          <Quarantined />
        ) : tab === "sweeps" ? (
          <Shown of={sweeps}>{({ sweeps: found }) => (found.length === 0 ? <Empty title={w.failures.noSweeps} /> : <Table label={w.failures.sweeps} rows={found} columns={sweepColumns()} keyOf={(one) => one.id} />)}</Shown>
        ) : (
          <Shown of={groups}>{({ groups: found }) => (found.length === 0 ? <Empty title={w.failures.noneSays} /> : <Table label={w.failures.dead} rows={found} columns={groupColumns(new Map(figures.map((one) => [one.fingerprint, one])))} keyOf={(one) => one.fingerprint} peekOf={(one) => `failure:${one.fingerprint}`} />)}</Shown>
        )}
      </Panel>
    </>
  );
}

export const isOver = (sweep: SweepInfo) => ["done", "stopped", "cancelled"].includes(sweep.state);

function groupColumns(figures: Map<string, FailureFigureInfo>): Column<DeadGroupInfo>[] {
  const w = words.value;
  return [
    { id: "error", name: w.failures.error, wide: true, cell: (one) => <>{one.muted ? <Muted group={one} /> : now.value - Date.parse(one.first_at) < NEW && <Tag kind="new">{w.failures.new}</Tag>} <a href={link("failures", one.fingerprint)}><b>{one.class}</b><span class="dim">: {one.message}</span></a>{one.note && <span class="row-note" title={one.note}>{one.note}</span>}</> },
    { id: "job", name: w.job, cell: (one) => <a class="plain" href={link("jobs", one.job)}>{one.job}</a> },
    { id: "runs", name: w.runs.word, num: true, cell: (one) => <b>{count(one.runs, one.more)}</b> },
    { id: "day", name: noted.value.day, title: noted.value.daySays, cell: (one) => <Day of={figures.get(one.fingerprint)} />, minor: true },
    { id: "first", name: w.failures.first, num: true, cell: (one) => <Ago at={one.first_at} /> },
    { id: "last", name: w.failures.last, num: true, cell: (one) => <Ago at={one.last_at} /> },
    { id: "versions", name: noted.value.versions, title: noted.value.versionsSay, cell: (one) => <Versions of={figures.get(one.fingerprint)?.versions ?? []} />, minor: true },
    { id: "owner", name: noted.value.owner, cell: (one) => one.owner || <span class="dim">–</span> },
    { id: "example", name: w.failures.example, cell: (one) => <a class="mono link" href={link("runs", one.example)}>…{one.example.slice(-8)}</a>, minor: true },
  ];
}

/** The last day by hours, in a line of text; how many there were is said to who does not see it. */
function Day({ of }: { of: FailureFigureInfo | undefined }): JSX.Element {
  if (!of) return <span class="dim">–</span>;
  const says = noted.value.dayOf(count(of.hours.reduce((sum, runs) => sum + runs, 0), of.more));
  return <span class="mono" title={says}><span aria-hidden="true">{blocks(of.hours)}</span><span class="away">{says}</span></span>;
}

/** One version by its name, several by the first and the last. */
function Versions({ of }: { of: string[] }): JSX.Element {
  const [first] = of;
  if (!first) return <span class="dim">–</span>;
  return <span class="mono" title={of.join(", ")}>{of.length === 1 ? noted.value.only(first) : `${first} … ${of.at(-1)}`}</span>;
}

function sweepColumns(): Column<SweepInfo>[] {
  const w = words.value;
  return [
    { id: "act", name: w.failures.act, cell: (one) => <a href={link("failures", "sweeps", one.id)}>{w.sweepActs[one.act as keyof typeof w.sweepActs] ?? one.act}</a> },
    { id: "state", name: w.runs.state, cell: (one) => <SweepState sweep={one} /> },
    { id: "done", name: w.failures.changed, num: true, cell: (one) => `${count(one.changed)}${one.expected === null ? "" : ` ${w.of} ${count(one.expected)}`}` },
    { id: "reason", name: w.reason, wide: true, cell: (one) => <span class="dim">{one.reason || one.note}</span> },
    { id: "by", name: w.runs.by, cell: (one) => one.by },
    { id: "at", name: w.runs.created, num: true, cell: (one) => <Ago at={one.created_at} /> },
  ];
}

export function SweepState({ sweep }: { sweep: SweepInfo }): JSX.Element {
  const states = words.value.sweepStates as Record<string, string>;
  const kind = sweep.state === "done" ? "good" : isOver(sweep) ? "warn" : "";
  return <Tag kind={kind}>{states[sweep.state] ?? sweep.state}</Tag>;
}
