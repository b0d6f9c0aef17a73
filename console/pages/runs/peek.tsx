// A run beside its list.
import type { JSX } from "preact";
import type { AttemptPage, RunInfo } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { Id, Shown, State } from "../../parts/basics.tsx";
import { Bodies } from "./bodies.tsx";
import { Lanes } from "./lanes.tsx";
import { Log } from "./log.tsx";
import { isOver, useUsual } from "./run.tsx";
import { lanesOf } from "./timeline.ts";

export function RunPeek({ name }: { name: string }): JSX.Element {
  const resource = useResource<RunInfo>(`runs/${name}`, { every: 1500 });
  const attempts = useResource<AttemptPage>(`runs/${name}/attempts`, { every: 4000 }).data.value?.attempts ?? [];
  return (
    <Shown of={resource}>
      {(run) => (
        <>
          <div class="peek-head">
            <h2>{run.job}</h2>
            <State state={run.state} note={run.reason ?? undefined} />
            <Id id={run.id} />
          </div>
          {run.error && run.state !== "succeeded" && <p class="peek-error"><b>{run.error.class}</b>: {run.error.message}</p>}
          <PeekLanes run={run} attempts={attempts} />
          <Log id={run.id} over={isOver(run)} />
          <Bodies text={resource.text.value} run={run} />
        </>
      )}
    </Shown>
  );
}

function PeekLanes({ run, attempts }: { run: RunInfo; attempts: AttemptPage["attempts"] }): JSX.Element {
  const usual = useUsual(run.job);
  const end = run.finished_at ? Date.parse(run.finished_at) : now.value;
  return <Lanes run={run} lanes={lanesOf(run, attempts, end)} usual={usual} now={now.value} />;
}
