// Pause, resume and make jobs; what its inverse undoes is done with the way back.
import type { JSX } from "preact";
import { get, part, post, put } from "../../api/call.ts";
import type { JobInfo, JobPage } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link } from "../../live/route.ts";
import { Button, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";

export function PausedTag({ job }: { job: JobInfo }): JSX.Element | null {
  return job.paused && <Tag kind="warn" title={job.paused.reason}>❚❚ {words.value.triggers.pausedBy(job.paused.by)}</Tag>;
}

export function PauseButton({ job }: { job: JobInfo }): JSX.Element {
  const w = words.value;
  const denied = refusal("queues:steer");
  const act = (what: "pause" | "resume", reason = "") => post(`jobs/${part(job.name)}/${what}`, what === "pause" ? { reason } : undefined).then(outdateAll);
  const resume = () => act("resume").then(() => toast({ text: w.jobs.resumed(job.name), act: { name: w.undo, run: () => act("pause", w.run.undone) } }), tellRefusal);
  if (job.paused) return <Button icon="play" refused={denied} onClick={() => void resume()}>{w.queues.resume}</Button>;
  const ask = () =>
    askFor({
      title: w.jobs.askPause(job.name),
      says: w.jobs.pauseSays,
      confirm: w.queues.pause,
      command: (reason) => `mainspring jobs pause ${quoted(job.name)}${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        await act("pause", reason);
        toast({ text: w.jobs.pausedNow(job.name), act: { name: w.undo, run: () => act("resume") } });
      },
    });
  return <Button icon="pause" refused={denied} onClick={ask}>{w.queues.pause}…</Button>;
}

/** A job for a handler that executors have: a new one, or with the policy of another. */
export async function makeJob(like: JobInfo | null): Promise<void> {
  const w = words.value;
  const labels = w.policy.labels;
  const known = await get<JobPage>("jobs?limit=500").then(({ data }) => [...new Set(data.jobs.map((job) => job.handler))], () => []);
  const kept = like ? { retry: like.retry, timeout: like.timeout, deadline: like.deadline, start_within: like.start_within, on_lost: like.on_lost, losses_max: like.losses_max, policy: like.policy } : {};
  fillIn({
    title: like ? w.jobs.cloneOf(like.name) : w.jobs.make,
    says: w.jobs.makeSays,
    start: like ? { handler: like.handler, queue: like.queue, priority: like.priority, description: like.description, input: like.input } : { queue: "default", priority: 5 },
    fields: [
      { name: "name", kind: "name", label: w.forms.labels.name, required: true },
      { name: "handler", kind: "name", label: w.executors.handler, required: true, known },
      { name: "queue", kind: "text", label: labels.queue },
      { name: "priority", kind: "number", label: labels.priority, help: w.policy.help.priority },
      { name: "description", kind: "text", label: labels.description, wide: true },
      { name: "input", kind: "json", label: w.jobs.usualInput, help: w.jobs.usualInputHelp },
    ],
    confirm: w.jobs.make,
    command: ({ name, handler, ...rest }) => `mainspring jobs create ${quoted(name ?? "NAME")} --handler ${quoted(handler ?? "")}${Object.entries(rest).map(([key, value]) => ` --set ${quoted(`${key}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`)}`).join("")}`,
    send: async ({ name, ...body }) => {
      await put(`jobs/${part(String(name))}`, { ...kept, ...body }, { headers: { "if-none-match": "*" } });
      go(link("jobs", String(name)));
    },
  });
}
