// Cordon, drain and uncordon an executor.
import type { JSX } from "preact";
import { part, post } from "../../api/call.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { parseDuration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";

interface ActsProps {
  name: string;
  cordoned: boolean;
  taken: number;
  small?: boolean;
}

export function ExecutorActs({ name, cordoned, taken, small = false }: ActsProps): JSX.Element {
  const w = words.value.executors;
  const denied = refusal("executors:steer");
  return (
    <span class="acts">
      {cordoned ? (
        <Button small={small} icon="play" refused={denied} onClick={() => void uncordon(name)}>{w.uncordon}</Button>
      ) : (
        <Button small={small} icon="pause" refused={denied} onClick={() => void cordon(name)}>{w.cordon}</Button>
      )}
      <Button small={small} icon="drain" kind="danger" refused={denied} onClick={() => askDrain(name, taken)}>{w.drain}…</Button>
    </span>
  );
}

async function cordon(name: string): Promise<void> {
  const w = words.value;
  try {
    await post(`executors/${part(name)}/cordon`, {});
    outdateAll();
    toast({ text: w.executors.cordonedSays(name), act: { name: w.undo, run: () => post(`executors/${part(name)}/uncordon`, {}).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}

async function uncordon(name: string): Promise<void> {
  const w = words.value;
  try {
    await post(`executors/${part(name)}/uncordon`, {});
    outdateAll();
    toast({ text: w.executors.uncordonedSays(name), act: { name: w.undo, run: () => post(`executors/${part(name)}/cordon`, {}).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}

function askDrain(name: string, taken: number): void {
  const w = words.value;
  const grace = { text: "30 s" };
  askFor({
    title: w.executors.askDrain(name),
    says: w.executors.drainSays(count(taken)),
    fields: (
      <label class="field">
        <span>{w.executors.grace}</span>
        <input class="input" defaultValue={grace.text} onInput={(event) => (grace.text = event.currentTarget.value)} />
        <small>{w.executors.graceHelp}</small>
      </label>
    ),
    confirm: w.executors.drain,
    danger: true,
    command: (reason) => `mainspring executors drain ${name} --grace ${parseDuration(grace.text) ?? 30}s${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`executors/${part(name)}/drain`, { reason, grace: parseDuration(grace.text) ?? grace.text });
      outdateAll();
      toast({ text: w.executors.drained(name) });
    },
  });
}
