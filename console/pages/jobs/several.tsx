// Acts on the jobs that are chosen: pause and resume, with the way back.
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { part, post } from "../../api/call.ts";
import type { JobInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";

export function SeveralJobs({ chosen, jobs }: { chosen: Signal<Set<string>>; jobs: JobInfo[] }): JSX.Element | null {
  const w = words.value;
  const some = jobs.filter((job) => chosen.value.has(job.name));
  if (some.length === 0) return null;
  const denied = refusal("queues:steer");
  const running = some.filter((job) => !job.paused).map((job) => job.name);
  const paused = some.filter((job) => job.paused).map((job) => job.name);
  const leave = () => (chosen.value = new Set());
  return (
    <div class="bulk" role="region" aria-label={w.jobs.several}>
      <b>{w.runs.chosen(count(some.length))}</b>
      <span class="grow" />
      <Button icon="pause" refused={denied ?? (running.length === 0 ? w.jobs.noneToPause : undefined)} onClick={() => askPause(running, leave)}>{w.queues.pause}…</Button>
      <Button icon="play" refused={denied ?? (paused.length === 0 ? w.jobs.noneToResume : undefined)} onClick={() => void each("resume", paused).then(() => toast({ text: w.jobs.resumedSeveral(count(paused.length)), act: { name: w.undo, run: () => each("pause", paused, w.run.undone) } }), tellRefusal).then(leave)}>{w.queues.resume}</Button>
      <Button icon="x" label={w.close} onClick={leave} />
    </div>
  );
}

async function each(act: "pause" | "resume", names: string[], reason = ""): Promise<void> {
  for (const name of names) await post(`jobs/${part(name)}/${act}`, act === "pause" ? { reason } : undefined);
  outdateAll();
}

function askPause(names: string[], done: () => void): void {
  const w = words.value;
  askFor({
    title: w.jobs.askPauseSeveral(count(names.length)),
    says: <><code>{names.slice(0, 5).join(", ")}{names.length > 5 && ` ${w.runs.andMore(count(names.length - 5))}`}</code><br />{w.jobs.pauseSays}</>,
    confirm: w.jobs.pauseSeveral(count(names.length)),
    command: (reason) => names.slice(0, 5).map((name) => `mainspring jobs pause ${quoted(name)}${reason && ` --reason ${quoted(reason)}`}`).join("\n"),
    run: async (reason) => {
      await each("pause", names, reason);
      done();
      toast({ text: w.jobs.pausedSeveral(count(names.length)), act: { name: w.undo, run: () => each("resume", names) } });
    },
  });
}
