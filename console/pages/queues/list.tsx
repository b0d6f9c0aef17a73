// Queues: how full, how old, how fast, and when each will be empty.
import type { JSX } from "preact";
import type { QueueInfo, QueuePage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { link } from "../../live/route.ts";
import { Command, Empty, Gauge, Head, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { Bars } from "../../parts/chart.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration } from "../../words/format.ts";
import { count, rate, words } from "../../words/index.ts";
import { drainsIn } from "../overview/findings.ts";
import { QueueActs } from "./acts.tsx";

export function Queues(): JSX.Element {
  const w = words.value;
  const resource = useResource<QueuePage>("queues?limit=200", { every: 3000 });
  return (
    <>
      <Head title={w.pages.queues} />
      <Panel>
        <Shown of={resource} rows={6}>
          {({ queues }) =>
            queues.length === 0 ? (
              <Empty title={w.queues.empty}><Command line="mainspring enqueue JOB --queue mail" /></Empty>
            ) : (
              <Table label={w.pages.queues} rows={queues} columns={columns()} keyOf={(queue) => queue.name} peekOf={(queue) => `queue:${queue.name}`} />
            )
          }
        </Shown>
      </Panel>
    </>
  );
}

function columns(): Column<QueueInfo>[] {
  const w = words.value;
  return [
    { id: "name", name: w.queues.name, cell: (queue) => <a href={link("queues", queue.name)}>{queue.name}</a> },
    { id: "state", name: w.runs.state, cell: (queue) => <QueueState queue={queue} /> },
    { id: "queued", name: w.states.queued, num: true, cell: (queue) => <b>{count(queue.queued)}</b> },
    { id: "oldest", name: w.queues.oldest, num: true, cell: (queue) => (queue.oldest_seconds ? duration(queue.oldest_seconds) : <span class="faint">–</span>) },
    { id: "later", name: w.queues.later, num: true, cell: (queue) => <Zero value={queue.later} />, minor: true },
    { id: "waiting", name: w.states.waiting, num: true, cell: (queue) => <Zero value={queue.waiting} /> },
    { id: "running", name: w.queues.slots, cell: (queue) => <><Gauge taken={queue.running} room={queue.slots} />{count(queue.running)} <span class="faint">{w.of} {count(queue.slots)}</span></> },
    { id: "rate", name: w.queues.perMinute, num: true, cell: (queue) => (queue.rates ? rate(queue.rates.finished) : <span class="faint">–</span>) },
    { id: "recent", name: w.queues.recent, cell: (queue) => queue.rates && <Bars values={queue.rates.recent} tone="succeeded" />, minor: true },
    { id: "drains", name: w.queues.emptyIn, num: true, cell: (queue) => <Drains queue={queue} /> },
    { id: "budget", name: w.queues.budget, num: true, cell: (queue) => (queue.max_queued === null ? <span class="faint">–</span> : `${count(queue.queued + queue.later + queue.waiting)} ${w.of} ${count(queue.max_queued)}`), minor: true },
    { id: "acts", name: "", cell: (queue) => <QueueActs queue={queue} small /> },
  ];
}

const Zero = ({ value }: { value: number }) => (value === 0 ? <span class="faint">0</span> : <>{count(value)}</>);

export function Drains({ queue }: { queue: QueueInfo }): JSX.Element {
  const drains = drainsIn(queue);
  if (queue.queued === 0) return <span class="faint">–</span>;
  return drains === null ? <b class="is-failed">{words.value.never}</b> : <>{drains < 1 ? "< 1 s" : duration(Math.round(drains))}</>;
}

export function QueueState({ queue }: { queue: QueueInfo }): JSX.Element {
  const w = words.value.queues;
  if (queue.paused) return <Tag kind="warn" title={queue.paused.reason}>❚❚ {w.pausedBy(queue.paused.by)}</Tag>;
  if (queue.queued > 0 && queue.executors === 0) return <Tag kind="bad">{w.noExecutor}</Tag>;
  if ((queue.oldest_seconds ?? 0) > 30) return <Tag kind="warn">{w.behind}</Tag>;
  return <Tag kind="good">{w.active}</Tag>;
}
