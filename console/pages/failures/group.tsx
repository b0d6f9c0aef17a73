// One kind of failure: its runs, an example, and acts that try a few before the rest; and one sweep as it goes on.
import type { JSX } from "preact";
import { post } from "../../api/call.ts";
import type { DeadGroupInfo, DeadGroupPage, DeadLetterInfo, DeadLetterPage, RunInfo, SweepInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link } from "../../live/route.ts";
import { Ago, Button, ButtonLink, Gauge, Head, Id, Moment, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { copy } from "../../parts/copy.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../words/index.ts";
import { askMany } from "../runs/sweep.tsx";
import { Differs } from "./differs.tsx";
import { SweepState, isOver } from "./list.tsx";
import { FailureNote } from "./note.tsx";
import { noted } from "./words.ts";

export function Failure({ name }: { name: string }): JSX.Element {
  const [kind, id] = name.split("/");
  return kind === "sweeps" && id ? <Sweep id={id} /> : <Group fingerprint={name} />;
}

function Group({ fingerprint }: { fingerprint: string }): JSX.Element {
  const w = words.value;
  const group = useResource<DeadGroupPage>("dead-letters?limit=100", { every: 5000 }).data.value?.groups.find((one) => one.fingerprint === fingerprint);
  const letters = useResource<DeadLetterPage>(`dead-letters/${encodeURIComponent(fingerprint)}?limit=100`, { every: 5000 });
  const example = useResource<RunInfo>(group ? `runs/${group.example}` : null).data.value;
  const denied = refusal("runs:steer");
  return (
    <>
      <Head title={group ? group.class : w.failures.group} trail={<a href={link("failures")}>{w.pages.failures}</a>} beside={group && <Tag kind="bad">{count(group.runs, group.more)} {w.pages.runs}</Tag>}>
        {group && group.runs > 5 && <Button icon="play" refused={denied} onClick={() => askGroup(group, "retry", 5)}>{w.failures.retryFew}</Button>}
        {group && <Button icon="retry" refused={denied} onClick={() => askGroup(group, "retry", 0)}>{w.failures.retryAll}…</Button>}
        {group && <Button icon="trash" kind="danger" refused={denied} onClick={() => askGroup(group, "discard", 0)}>{w.failures.discardAll}…</Button>}
      </Head>
      {group && (
        <section class="panel telling">
          <span class="grow"><b>{group.class}</b>: {group.message} <span class="dim">· {w.failures.firstSeen} <Ago at={group.first_at} />, {w.failures.lastSeen} <Ago at={group.last_at} /></span></span>
          <Button small icon="copy" onClick={() => copy(reportOf(group, example))}>{noted.value.copyReport}</Button>
          <ButtonLink small href={link("jobs", group.job)}>{group.job}</ButtonLink>
          <ButtonLink small href={link("runs", group.example)}>{w.failures.showExample}</ButtonLink>
        </section>
      )}
      {group && <FailureNote group={group} />}
      {group && <Differs group={group} />}
      <div class="columns two">
        <Panel title={w.pages.runs} note={w.failures.oldestFirst}>
          <Shown of={letters}>{({ letters: found }) => <Table label={w.pages.runs} rows={found} columns={columns()} keyOf={(one) => one.run} peekOf={(one) => `run:${one.run}`} />}</Shown>
        </Panel>
        <Panel title={w.failures.exampleTitle} more={example && <Id id={example.id} />}>
          <div class="body">{example?.error && <pre class="block traceback">{example.error.traceback || example.error.message}</pre>}</div>
        </Panel>
      </div>
    </>
  );
}

/** What somebody else needs to know of it, as text for an issue or a chat. */
function reportOf(group: DeadGroupInfo, example: RunInfo | undefined): string {
  const w = words.value.failures;
  const facts = [`${group.job}: ${group.class}: ${group.message}`, `${count(group.runs, group.more)} ${words.value.pages.runs} · ${w.firstSeen} ${group.first_at} · ${w.lastSeen} ${group.last_at}`, `${w.example}: ${location.origin}${link("runs", group.example)}`];
  return [...facts, ...(group.note ? [`${noted.value.note}: ${group.note}`] : []), "", example?.error?.traceback || example?.error?.message || ""].join("\n").trimEnd();
}

function columns(): Column<DeadLetterInfo>[] {
  const w = words.value;
  return [
    { id: "run", name: "id", cell: (one) => <a class="mono" href={link("runs", one.run)}>…{one.run.slice(-8)}</a> },
    { id: "queue", name: w.queues.name, cell: (one) => one.queue },
    { id: "message", name: w.failures.error, wide: true, cell: (one) => <span class="dim">{one.message}</span> },
    { id: "at", name: w.failures.failedAt, num: true, cell: (one) => <Ago at={one.failed_at} /> },
  ];
}

function askGroup(group: DeadGroupInfo, act: "retry" | "discard", canaries: number): void {
  void askMany({ act, filter: { fingerprint: group.fingerprint }, canaries, says: `${group.job}: ${group.class}`, command: `mainspring dead ${act} ${group.fingerprint}` });
}

function Sweep({ id }: { id: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<SweepInfo>(`sweeps/${id}`, { every: 1000 });
  const acts = w.sweepActs as Record<string, string>;
  return (
    <>
      <Head title={resource.data.value ? (acts[resource.data.value.act] ?? resource.data.value.act) : w.failures.sweep} trail={<a href={link("failures")}>{w.pages.failures}</a>} beside={resource.data.value && <SweepState sweep={resource.data.value} />}>
        {resource.data.value && !isOver(resource.data.value) && <Button icon="stop" kind="danger" refused={refusal("runs:steer")} onClick={() => void post(`sweeps/${id}/cancel`, {}).then(outdateAll)}>{w.failures.stopSweep}</Button>}
      </Head>
      <Panel>
        <Shown of={resource}>
          {(sweep) => (
            <div class="body sweep">
              <p class="sweep-count"><Gauge wide taken={sweep.changed + sweep.passed} room={sweep.expected ?? (isOver(sweep) ? sweep.changed + sweep.passed : 0)} /> <b>{count(sweep.changed)}</b> {sweep.expected !== null && <span class="dim">{w.of} {count(sweep.expected)}</span>} {sweep.passed > 0 && <span class="dim">{w.failures.passed(count(sweep.passed))}</span>}</p>
              {sweep.canaries > 0 && <p class="dim">{w.failures.canaries}: {sweep.tried.map((run) => <a key={run} class="link mono" href={link("runs", run)}>…{run.slice(-8)} </a>)}</p>}
              <dl class="facts">
                <dt>{w.runs.state}</dt><dd>{sweep.note || "–"}</dd>
                {sweep.held_until && <><dt>{w.runs.held}</dt><dd><Ago at={sweep.held_until} /></dd></>}
                <dt>{w.reason}</dt><dd>{sweep.reason || "–"}</dd>
                <dt>{w.runs.by}</dt><dd>{sweep.by}</dd>
                <dt>{w.runs.created}</dt><dd><Moment at={sweep.created_at} date /></dd>
                <dt>{w.failures.filter}</dt><dd><code>{JSON.stringify(sweep.filter)}</code></dd>
              </dl>
            </div>
          )}
        </Shown>
      </Panel>
    </>
  );
}
