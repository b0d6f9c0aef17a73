// Acts on a workflow run; each says which steps would run before any does.
import { post } from "../../api/call.ts";
import type { AgainInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";

type What = "retry" | "skip" | "resume";

/** Ask the server which steps would run again, say so, and have it done. */
export async function askAgain(id: string, what: What, step = ""): Promise<void> {
  const w = words.value.workflows;
  const body = what === "resume" ? {} : { step };
  const titles = { retry: w.askRetry(step), skip: w.askSkip(step), resume: w.askResume };
  const names = { retry: w.retryFrom, skip: w.skip, resume: w.resume };
  try {
    const { data } = await post<AgainInfo>(`workflow-runs/${id}/${what}`, { ...body, dry_run: true });
    askFor({
      title: titles[what],
      says: <>{w.again(data.steps.length)} <code>{data.steps.join(", ")}</code>. {w.kept}</>,
      confirm: names[what],
      command: (reason) => `mainspring workflows runs ${what} ${id}${step && ` ${quoted(step)}`}${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        await post(`workflow-runs/${id}/${what}`, { ...body, reason });
        outdateAll();
        toast({ text: w.begun });
      },
    });
  } catch (error) {
    tellRefusal(error);
  }
}

export function askStop(id: string): void {
  const w = words.value.workflows;
  askFor({
    title: w.askStop,
    says: w.stopSays,
    reason: "no",
    confirm: w.stop,
    danger: true,
    command: () => `mainspring workflows runs stop ${id}`,
    run: async () => {
      await post(`workflow-runs/${id}/stop`, {});
      outdateAll();
    },
  });
}

/** Pause and go on are undone by each other. */
export async function setPaused(id: string, paused: boolean): Promise<void> {
  const act = (what: string) => post(`workflow-runs/${id}/${what}`, {}).then(outdateAll);
  const w = words.value;
  try {
    await act(paused ? "pause" : "unpause");
    toast({ text: paused ? w.workflows.paused : w.workflows.begun, act: { name: w.undo, run: () => act(paused ? "unpause" : "pause") } });
  } catch (error) {
    tellRefusal(error);
  }
}
