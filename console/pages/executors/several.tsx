// Acts on the executors that are chosen, as a deploy needs: cordon, uncordon and drain several at once.
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { part, post } from "../../api/call.ts";
import type { ExecutorInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";

const GRACE = 30;

async function each(act: "cordon" | "uncordon" | "drain", names: string[], body: Record<string, unknown> = {}): Promise<void> {
  for (const name of names) await post(`executors/${part(name)}/${act}`, body);
  outdateAll();
}

export function SeveralExecutors({ chosen, executors }: { chosen: Signal<Set<string>>; executors: ExecutorInfo[] }): JSX.Element | null {
  const w = words.value;
  const some = executors.filter((one) => chosen.value.has(one.session));
  if (some.length === 0) return null;
  const denied = refusal("executors:steer");
  const names = [...new Set(some.map((one) => one.name))];
  const n = count(names.length);
  const leave = () => (chosen.value = new Set());
  const turn = (act: "cordon" | "uncordon", said: string) =>
    void each(act, names).then(() => toast({ text: said, act: { name: w.undo, run: () => each(act === "cordon" ? "uncordon" : "cordon", names) } }), tellRefusal).then(leave);
  const drain = () =>
    askFor({
      title: w.executors.askDrainSeveral(n),
      says: <><code>{names.slice(0, 5).join(", ")}{names.length > 5 && ` ${w.runs.andMore(count(names.length - 5))}`}</code><br />{w.executors.drainSays(count(some.reduce((sum, one) => sum + (one.load?.running ?? 0), 0)))}</>,
      confirm: w.executors.drainSeveral(n),
      danger: true,
      command: (reason) => names.slice(0, 5).map((name) => `mainspring executors drain ${quoted(name)} --grace ${GRACE}s${reason && ` --reason ${quoted(reason)}`}`).join("\n"),
      run: async (reason) => {
        await each("drain", names, { reason, grace: GRACE });
        leave();
        toast({ text: w.executors.drainedSeveral(n) });
      },
    });
  return (
    <div class="bulk" role="region" aria-label={w.executors.several}>
      <b>{w.runs.chosen(n)}</b>
      <span class="grow" />
      <Button icon="pause" refused={denied} onClick={() => turn("cordon", w.executors.cordonedSeveral(n))}>{w.executors.cordon}</Button>
      <Button icon="play" refused={denied} onClick={() => turn("uncordon", w.executors.uncordonedSeveral(n))}>{w.executors.uncordon}</Button>
      <Button icon="drain" kind="danger" refused={denied} onClick={drain}>{w.executors.drain}…</Button>
      <Button icon="x" label={w.close} onClick={leave} />
    </div>
  );
}
