// Another priority, due time or queue for runs that have not started; and to the front of their line at once.
import { post } from "../../api/call.ts";
import type { RunInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { options } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";

const FRONT = 9;

export const canChange = (run: RunInfo) => run.state === "queued" || run.state === "waiting";

export function askChange(runs: RunInfo[]): void {
  const w = words.value;
  const ids = runs.map((run) => run.id);
  const [first] = runs;
  fillIn({
    title: w.run.askChange(count(runs.length)),
    says: w.run.changeSays,
    start: runs.length === 1 && first ? { priority: first.priority, queue: first.queue } : {},
    fields: [
      { name: "priority", kind: "number", label: w.run.priority, help: w.run.priorityHelp },
      { name: "queue", kind: "name", label: w.queues.name },
      { name: "due_at", kind: "name", label: w.run.due, help: w.run.dueHelp },
      { name: "reason", kind: "text", label: w.reason, wide: true },
    ],
    confirm: w.run.change,
    done: w.run.changed(count(runs.length)),
    command: ({ due_at, ...rest }) => `mainspring runs change ${ids.slice(0, 3).join(" ")}${ids.length > 3 ? " …" : ""}${options({ ...rest, ...(due_at ? { at: due_at } : {}) })}`,
    send: (body) => post("runs/change", { ...body, runs: ids }),
  });
}

/** At once, with the way back to the priority that it had. */
export async function toFront(run: RunInfo): Promise<void> {
  const w = words.value;
  const set = (priority: number) => post("runs/change", { runs: [run.id], priority }).then(outdateAll);
  try {
    await set(FRONT);
    toast({ text: w.run.inFront, act: { name: w.undo, run: () => set(run.priority) } });
  } catch (error) {
    tellRefusal(error);
  }
}
