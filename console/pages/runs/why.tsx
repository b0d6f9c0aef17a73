// Why a run has not started, by the rules that dispatch follows, each reason with what removes it; or how it ended.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ObstacleInfo, QueueInfo, RunInfo, WhyInfo } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { Ago, Command, Shown } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { duration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { drainsIn } from "../overview/findings.ts";
import type { Removes } from "./removes.tsx";

const removes = signal<typeof Removes | null>(null);

export function Why({ run }: { run: RunInfo }): JSX.Element {
  const waits = run.state === "queued" || run.state === "waiting";
  return waits ? <Waits run={run} /> : <Ended run={run} />;
}

function Waits({ run }: { run: RunInfo }): JSX.Element {
  const w = words.value.why;
  const why = useResource<WhyInfo>(`runs/${run.id}/why`, { every: 2000 });
  const queue = useResource<QueueInfo>(`queues/${encodeURIComponent(run.queue)}`, { every: 3000 }).data.value;
  const late = (now.value - Date.parse(run.due_at)) / 1000;
  return (
    <div class="why">
      <p class="why-title">{late > 0 ? w.late(duration(Math.round(late))) : w.notDue(duration(Math.round(-late)))}</p>
      <Shown of={why}>{({ reasons }) => <ul>{reasons.map((reason) => <Reason key={reason.code} reason={reason} />)}{late > 0 && <li><Icon name="check" /><b>{w.due}</b><span class="dim"><Ago at={run.due_at} /></span></li>}{queue && late > 0 && queue.queued > 1 && <Line queue={queue} />}</ul>}</Shown>
    </div>
  );
}

function Reason({ reason }: { reason: ObstacleInfo }): JSX.Element {
  return (
    <li class="holds">
      <Icon name="pause" />
      <b>{reason.text}</b>
      <span class="dim">{reason.since && <><Ago at={reason.since} /> </>}{reason.until && <>→ <Ago at={reason.until} /> </>}{reason.remedy && <Remedy of={reason} />}</span>
    </li>
  );
}

/** What the console can do comes as a part of its own; until then there is the command. */
function Remedy({ of }: { of: ObstacleInfo }): JSX.Element {
  const Found = removes.value;
  useEffect(() => {
    if (!Found) void import("../fleet.ts").then((part) => (removes.value = part.Removes));
  }, []);
  return Found ? <Found of={of} /> : <Command line={of.remedy} />;
}

function Line({ queue }: { queue: QueueInfo }): JSX.Element {
  const w = words.value.why;
  const drains = drainsIn(queue);
  return <li><Icon name="queues" /><b>{w.line(count(queue.queued))}</b><span class="dim">{drains === null ? w.noPace : w.pace(duration(Math.max(1, Math.round(drains))))}</span></li>;
}

function Ended({ run }: { run: RunInfo }): JSX.Element {
  const w = words.value.why;
  const says = w.ended[run.state as keyof typeof w.ended] ?? "";
  return (
    <div class="why">
      <p class="why-title">{says}</p>
      <ul>
        <li><Icon name="check" /><b>{w.attempts(run.attempt)}</b><span class="dim">{w.losses(run.failures, run.losses)}</span></li>
        {run.error && run.state !== "succeeded" && <li class="holds"><Icon name="failures" /><b>{run.error.class}</b><span class="dim">{run.error.message} <code>{run.error.code}</code></span></li>}
        {run.reason && <li class="holds"><Icon name="info" /><b>{run.reason}</b><span /></li>}
        {run.discarded && <li><Icon name="trash" /><b>{w.discarded}</b><span class="dim">{run.discarded.by} {run.discarded.reason}</span></li>}
      </ul>
    </div>
  );
}
