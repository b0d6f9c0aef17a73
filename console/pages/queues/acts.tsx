// Pause, resume, budget and weight of a queue; what can be undone by its inverse is done at once, with the way back.
import type { JSX } from "preact";
import { part, patch, post, put } from "../../api/call.ts";
import type { QueueInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { both, count, words } from "../../words/index.ts";
import { commandOf } from "../runs/bulk.tsx";
import { askMany } from "../runs/sweep.tsx";

export function QueueActs({ queue, small = false }: { queue: QueueInfo; small?: boolean }): JSX.Element {
  const w = words.value.queues;
  const denied = refusal("queues:steer");
  return queue.paused ? (
    <Button small={small} icon="play" refused={denied} onClick={() => void resume(queue.name)}>{w.resume}</Button>
  ) : (
    <Button small={small} icon="pause" refused={denied} onClick={() => askPause(queue)}>{w.pause}…</Button>
  );
}

export async function resume(name: string): Promise<void> {
  const w = words.value;
  try {
    await post(`queues/${part(name)}/resume`);
    outdateAll();
    toast({ text: w.queues.resumed(name), act: { name: w.undo, run: () => post(`queues/${part(name)}/pause`, { reason: w.run.undone }).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}

function askPause(queue: QueueInfo): void {
  const w = words.value;
  askFor({
    title: w.queues.askPause(queue.name),
    says: w.queues.pauseSays(count(queue.queued), count(queue.running)),
    confirm: w.queues.pause,
    command: (reason) => `mainspring queues pause ${queue.name}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`queues/${part(queue.name)}/pause`, { reason });
      outdateAll();
      toast({ text: w.queues.paused(queue.name), act: { name: w.undo, run: () => post(`queues/${part(queue.name)}/resume`).then(outdateAll) } });
    },
  });
}

export const emptied = both({ cancel: "Cancel the whole line" }, { cancel: "取消整个队列" });

export const weighed = both(
  { weight: "Weight", of: (weight: number) => `weight ${weight}`, help: "its part of the slots that it shares with the other queues of its namespace; empty: 1", ask: (name: string) => `Weight of ${name}` },
  { weight: "权重", of: (weight: number) => `权重 ${weight}`, help: "与本命名空间其他队列共享槽位时所占的份额；空：1", ask: (name: string) => `${name} 的权重` },
);

export function askWeight(queue: QueueInfo): void {
  const w = weighed.value;
  fillIn({
    title: w.ask(queue.name),
    start: { weight: queue.policy.weight },
    fields: [{ name: "weight", kind: "number", label: w.weight, help: w.help, wide: true }],
    confirm: words.value.save,
    command: ({ weight }) => `mainspring queues change ${quoted(queue.name)} --weight ${quoted(weight ?? "none")}`,
    send: ({ weight }) => patch(`queues/${part(queue.name)}`, { weight: weight ?? null }),
  });
}

export function askCancelQueued(name: string): void {
  const filter = { queue: name, states: ["queued", "waiting"] };
  void askMany({ act: "cancel", filter, canaries: 0, says: `queue:${name} state:queued,waiting`, command: commandOf("cancel", filter) });
}

export function askBudget(queue: QueueInfo): void {
  const w = words.value;
  const given = { text: queue.max_queued === null ? "" : String(queue.max_queued) };
  askFor({
    title: w.queues.askBudget(queue.name),
    says: w.queues.budgetSays,
    reason: "no",
    fields: (
      <label class="field">
        <span>{w.queues.budgetField}</span>
        <input class="input" inputMode="numeric" defaultValue={given.text} onInput={(event) => (given.text = event.currentTarget.value)} />
      </label>
    ),
    confirm: w.save,
    command: () => `mainspring queues budget ${queue.name} ${given.text || "--none"}`,
    run: async () => {
      await put(`queues/${part(queue.name)}/budget`, { max_queued: given.text.trim() === "" ? null : Number(given.text) });
      outdateAll();
    },
  });
}
