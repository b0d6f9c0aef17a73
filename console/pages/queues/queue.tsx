// One queue: what passed through it, who is in line, and who holds its slots.
import type { JSX } from "preact";
import type { ExecutorPage, QueueInfo, RatesInfo, RunPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link, linkWith } from "../../live/route.ts";
import { Button, Gauge, Head, Panel, Segments, Shown, Tag } from "../../parts/basics.tsx";
import { Pulse } from "../../parts/chart.tsx";
import { Table } from "../../parts/table.tsx";
import { duration } from "../../words/format.ts";
import { count, rate, words } from "../../words/index.ts";
import { RANGES, askRange, beatsOf, rangeAsked } from "../overview/overview.tsx";
import { columns } from "../runs/list.tsx";
import { QueueActs, askBudget, askCancelQueued, askWeight, emptied, weighed } from "./acts.tsx";
import { Drains, QueueState } from "./list.tsx";

export function Queue({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const path = `queues/${encodeURIComponent(name)}`;
  const resource = useResource<QueueInfo>(path, { every: 2000 });
  const range = rangeAsked();
  const rates = useResource<RatesInfo>(`${path}/rates?step=${range.step}&steps=${range.steps}`, { every: 10_000 });
  const line = useResource<RunPage>(`runs?queue=${encodeURIComponent(name)}&state=queued&state=waiting&sort=oldest&limit=20`, { every: 3000 });
  const held = useResource<RunPage>(`runs?queue=${encodeURIComponent(name)}&state=running&sort=oldest&limit=20`, { every: 3000 });
  const executors = useResource<ExecutorPage>("executors?limit=100", { every: 10_000 }).data.value?.executors.filter((one) => one.queues.includes(name)) ?? [];
  const queue = resource.data.value;
  return (
    <>
      <Head title={name} trail={<a href={link("queues")}>{w.pages.queues}</a>} beside={queue && <><QueueState queue={queue} />{queue.policy.weight !== null && <Tag>{weighed.value.of(queue.policy.weight)}</Tag>}</>}>
        <Segments label={w.overview.range} on={range.id} choices={RANGES.map(({ id }) => ({ id, name: w.ranges[id] }))} onChoose={(id) => askRange(id)} />
        {queue && <Button refused={refusal("queues:write")} onClick={() => askBudget(queue)}>{w.queues.budget}…</Button>}
        {queue && <Button refused={refusal("queues:write")} onClick={() => askWeight(queue)}>{weighed.value.weight}…</Button>}
        {queue && queue.queued + queue.waiting > 0 && <Button icon="stop" kind="danger" refused={refusal("runs:steer")} onClick={() => askCancelQueued(name)}>{emptied.value.cancel}…</Button>}
        {queue && <QueueActs queue={queue} />}
      </Head>
      <section class="panel figures four">
        <Shown of={resource} rows={2}>
          {(found) => (
            <>
              <a class="figure" href={linkWith({ q: `queue:${name} state:queued`, sort: "oldest" }, "runs")}><span class="caps">{w.states.queued}</span><span class="value">{count(found.queued)}</span><span class="note">{found.oldest_seconds ? w.overview.oldest(duration(found.oldest_seconds)) : w.overview.later(count(found.later))}</span></a>
              <a class="figure" href={linkWith({ q: `queue:${name} state:running` }, "runs")}><span class="caps">{w.states.running}</span><span class="value">{count(found.running)}<small>{w.of} {count(found.slots)}</small></span><span class="note"><Gauge taken={found.running} room={found.slots} wide /></span></a>
              <a class="figure" href={linkWith({ q: `queue:${name} state:waiting` }, "runs")}><span class="caps">{w.states.waiting}</span><span class="value">{count(found.waiting)}</span><span class="note">{found.waiting === 0 ? w.overview.nothingHeld : w.overview.held}</span></a>
              <div class="figure"><span class="caps">{w.queues.perMinute}</span><span class="value">{found.rates ? rate(found.rates.finished) : "–"}</span><span class="note">{w.queues.emptyIn} <Drains queue={found} /></span></div>
            </>
          )}
        </Shown>
      </section>
      <Panel title={w.overview.pulse} note={range.step === "hour" ? w.overview.pulseHours : w.overview.pulseMinutes}>
        <Shown of={rates} rows={4}>
          {(found) => <Pulse beats={beatsOf(found)} step={range.step === "hour" ? 3600 : 60} hrefOf={(beat) => linkWith({ q: `queue:${name} since:${new Date(beat.at).toISOString()}` }, "runs")} />}
        </Shown>
      </Panel>
      <Panel title={w.queues.line} note={w.queues.lineNote}>
        <Shown of={line}>{({ runs }) => (runs.length === 0 ? <p class="quiet">{w.queues.noLine}</p> : <Table label={w.queues.line} rows={runs} columns={columns(["queue", "took", "executor", "wait"])} keyOf={(run) => run.id} peekOf={(run) => `run:${run.id}`} />)}</Shown>
      </Panel>
      <Panel title={w.queues.holders} note={w.queues.holdersNote(executors.length)}>
        <Shown of={held}>{({ runs }) => (runs.length === 0 ? <p class="quiet">{w.queues.noHolders}</p> : <Table label={w.queues.holders} rows={runs} columns={columns(["queue"])} keyOf={(run) => run.id} peekOf={(run) => `run:${run.id}`} />)}</Shown>
      </Panel>
    </>
  );
}
