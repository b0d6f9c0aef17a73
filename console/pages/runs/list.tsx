// Runs: the typed filter, the list that holds still, and acts on some or on all that match.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { get, query } from "../../api/call.ts";
import type { JobPage, QueuePage, RunCount, RunHistogram, RunInfo, RunPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Button, Command, Count, Empty, Failed, Head, Id, Segments, StateIcon, State, Took, Waiting } from "../../parts/basics.tsx";
import { type Beat, Pulse } from "../../parts/chart.tsx";
import { Filter } from "../../parts/filter.tsx";
import { secondsOf } from "../../parts/strip.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../words/index.ts";
import { BulkBar } from "./bulk.tsx";
import { KEYS, SINCE_VALUES, STATE_VALUES, type Term, parseQuery, withTerm, writeQuery, writeTerm } from "./query.ts";
import { useSteadyList } from "./steady.ts";
import { RunDialogButton } from "./start.tsx";
import { ViewsMenu } from "./views.tsx";

const PAGE = 50;

export function Runs(): JSX.Element {
  const w = words.value;
  const text = asked("q");
  const { terms, wrong } = useMemo(() => parseQuery(text), [text]);
  const oldest = asked("sort") === "oldest";
  const path = useMemo(() => query("runs", { q: writeQuery(terms), sort: oldest ? "oldest" : "", limit: PAGE }), [text, oldest]);
  const counts = useResource<RunCount>(terms.length === 0 ? null : query("runs/count", { q: writeQuery(terms.filter((term) => term.key !== "state")) }), { every: 15_000 }).data.value;
  const counted = (id: string) => (counts?.states[id] ? ` ${count(counts.states[id], !counts.is_complete)}` : "");
  const resource = useResource<RunPage>(path, { every: 3000 });
  const list = useSteadyList(resource, path);
  const chosen = useSignal<Set<string>>(new Set());
  useEffect(() => {
    chosen.value = new Set();
  }, [path]);
  const state = terms.find((term) => term.key === "state")?.value ?? "";
  return (
    <>
      <Head title={w.pages.runs}>
        <ViewsMenu q={writeQuery(terms)} />
        <RunDialogButton />
      </Head>
      <RunFilter terms={terms} />
      {wrong.map((one) => <p key={one.text} class="wrong" role="alert">{w.filter.wrong(one.text)} <button type="button" class="link" onClick={() => setQuery({ q: text.replace(one.text, one.meant.includes(":") ? one.meant : one.text.replace(/^[^:]*/, one.meant)) })}>{w.filter.meant(one.meant)}</button></p>)}
      <Histogram terms={terms} />
      <div class="above-list">
        <Segments small label={w.runs.byState} on={state} choices={[{ id: "", name: w.runs.all }, ...STATE_VALUES.map((id) => ({ id, name: ((w.states as Record<string, string>)[id] ?? id) + counted(id) }))]} onChoose={(id) => setQuery({ q: withTerm(text, "state", id) })} />
        <span class="grow" />
        {list.fresh > 0 && <Button small icon="arrow" onClick={list.adopt}>{w.runs.fresh(list.fresh)}</Button>}
        <Segments small label={w.runs.order} on={oldest ? "oldest" : ""} choices={[{ id: "", name: w.runs.newest }, { id: "oldest", name: w.runs.oldest }]} onChoose={(id) => setQuery({ sort: id })} />
      </div>
      <section class="panel">
        {resource.error.value && <Failed error={resource.error.value} slim={list.rows.length > 0} />}
        {!list.known && !resource.error.value && <Waiting rows={8} />}
        {list.known && list.rows.length === 0 && <NoRuns terms={terms} text={text} />}
        {list.rows.length > 0 && (
          <Table
            label={w.pages.runs}
            rows={list.rows}
            columns={columns()}
            keyOf={(run) => run.id}
            peekOf={(run) => `run:${run.id}`}
            chosen={chosen}
            foot={<div class="table-foot"><span>{w.runs.shown(list.rows.length)}</span><span class="grow" />{list.more && <Button small onClick={list.readMore}>{w.runs.more}</Button>}</div>}
          />
        )}
      </section>
      <BulkBar chosen={chosen} rows={list.rows} terms={terms} more={list.more !== null} />
    </>
  );
}

export function RunFilter({ terms }: { terms: Term[] }): JSX.Element {
  const w = words.value;
  return (
    <Filter
      label={w.filter.label}
      chips={terms}
      keys={KEYS}
      suggest={suggest}
      read={(typed) => {
        const { terms: found, wrong } = parseQuery(typed);
        const [first] = wrong;
        return { chips: found, wrong: first ? `${w.filter.wrong(first.text)} ${w.filter.meant(first.meant)}` : null };
      }}
      write={({ key, value }) => writeTerm(key, value)}
      onChange={(next) => setQuery({ q: writeQuery(next) }, { push: true })}
    />
  );
}

async function suggest(key: string, prefix: string): Promise<string[]> {
  if (key === "state") return STATE_VALUES.filter((value) => value.startsWith(prefix));
  if (key === "since" || key === "until") return SINCE_VALUES.filter((value) => value.startsWith(prefix));
  if (key === "job") return (await get<JobPage>(query("jobs", { prefix, limit: 8 }))).data.jobs.map(({ name }) => name);
  if (key === "queue") return (await get<QueuePage>("queues?limit=100")).data.queues.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  return [];
}

/** The runs that match, by time: those that have ended by roll-ups, others as far as the server looked; a step narrows the list to it. */
function Histogram({ terms }: { terms: Term[] }): JSX.Element | null {
  const w = words.value.runs;
  const found = useResource<RunHistogram>(query("runs/histogram", { q: writeQuery(terms) }), { every: 15_000 }).data.value;
  if (!found || found.steps.length === 0) return null;
  const text = writeQuery(terms.filter((term) => term.key !== "since" && term.key !== "until"));
  const step = found.step_seconds;
  const narrowed = (from: number, until: number) => linkWith({ q: `${text} since:${new Date(from).toISOString()} until:${new Date(until).toISOString()}`.trim() }, "runs");
  return (
    <section class="panel slim-pulse" aria-label={words.value.overview.pulse}>
      <Pulse slim beats={beatsOfSteps(found)} step={step} hrefOf={(beat) => narrowed(beat.at, beat.at + step * 1000)} hrefOfSpan={narrowed} />
      {!found.is_complete && <p class="note">{w.reached(count(found.count))} <Ago at={found.reached} /></p>}
    </section>
  );
}

/** What has not ended stands with what succeeded: neither hangs. */
function beatsOfSteps(found: RunHistogram): Beat[] {
  return found.steps.map(({ at, states }) => {
    const of = (...names: string[]) => names.reduce((sum, name) => sum + (states[name] ?? 0), 0);
    return { at: Date.parse(at), succeeded: of("succeeded", "queued", "waiting", "running"), failed: of("failed"), cancelled: of("cancelled"), skipped: of("skipped") };
  });
}

export function columns(without: string[] = []): Column<RunInfo>[] {
  const w = words.value;
  const all: Column<RunInfo>[] = [
    { id: "state", name: w.runs.state, cell: (run) => <State state={run.state} note={run.state === "running" && run.progress ? `${Math.round(run.progress.fraction * 100)} %` : run.reason && run.state === "waiting" ? run.reason : undefined} /> },
    { id: "job", name: w.job, cell: (run) => <a href={link("runs", run.id)}>{run.job}</a> },
    { id: "id", name: "id", cell: (run) => <Id id={run.id} />, minor: true },
    { id: "queue", name: w.queues.name, cell: (run) => <a class="plain dim" href={link("queues", run.queue)}>{run.queue}</a> },
    { id: "executor", name: w.runs.executor, cell: (run) => (run.executor ? <span class="dim">{run.executor}</span> : <span class="faint">–</span>), minor: true },
    { id: "created", name: w.runs.created, num: true, cell: (run) => <Ago at={run.created_at} /> },
    { id: "wait", name: w.runs.wait, num: true, cell: (run) => <Took seconds={waitOf(run)} />, minor: true, title: w.runs.waitHelp },
    { id: "took", name: w.runs.took, num: true, cell: (run) => <Took seconds={tookOf(run)} /> },
    { id: "try", name: w.runs.try, num: true, cell: (run) => <Count value={run.attempt} />, minor: true },
    { id: "by", name: w.runs.by, cell: (run) => <span class="dim">{run.trigger ? <a class="plain" href={link("triggers", run.trigger)}>{run.trigger}</a> : run.parent ? <a class="plain" href={link("runs", run.parent)}>{w.runs.parent}</a> : run.created_by}</span>, minor: true },
    { id: "error", name: w.failures.error, wide: true, cell: (run) => (run.state === "waiting" || (run.state === "queued" && run.until) ? <span class="dim">{run.why}</span> : run.error && run.state !== "succeeded" ? <span class="dim"><b>{run.error.class}</b>: {run.error.message}</span> : "") },
  ];
  return all.filter((column) => !without.includes(column.id));
}

/** From when a run was due and accepted until its last attempt began. */
export function waitOf(run: RunInfo): number | null {
  if (!run.started_at) return null;
  return Math.max(0, Date.parse(run.started_at) - Math.max(Date.parse(run.due_at), Date.parse(run.created_at))) / 1000;
}

export function tookOf(run: RunInfo): number | null {
  if (run.state === "running" && run.started_at) return Math.max(0, Math.round((now.value - Date.parse(run.started_at)) / 1000));
  return secondsOf(run);
}

function NoRuns({ terms, text }: { terms: Term[]; text: string }): JSX.Element {
  const w = words.value;
  if (terms.length === 0) {
    return (
      <Empty title={w.runs.empty}>
        <Command line="mainspring enqueue JOB name=value --wait" />
      </Empty>
    );
  }
  return (
    <Empty title={w.runs.noneMatch}>
      <p class="tags">
        {terms.map((term) => (
          <Button key={`${term.key}${term.from}`} small icon="x" onClick={() => setQuery({ q: `${text.slice(0, term.from)}${text.slice(term.to)}`.trim() })}>
            {writeTerm(term.key, term.value)}
          </Button>
        ))}
      </p>
      <StateIcon state="skipped" />
    </Empty>
  );
}
