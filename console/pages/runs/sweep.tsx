// An act on many runs: counted by the server, five of them named, held for a while so that it can be taken back whole.
import { post } from "../../api/call.ts";
import type { SweepInfo, SweepPreview } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { outdateAll } from "../../live/resource.ts";
import { link } from "../../live/route.ts";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";

/** Seconds in which the server begins nothing, and *Undo* takes all of it back. */
const HOLD = 10;
export const CANARIES = 5;
const MANY = 100;

export interface Many {
  act: "cancel" | "retry" | "discard";
  filter: Record<string, unknown>;
  canaries: number;
  /** The filter as a person reads it. */
  says: string;
  command: string;
}

export async function askMany({ act, filter, canaries, says, command }: Many): Promise<void> {
  const w = words.value;
  try {
    const { data: found } = await post<SweepPreview>("sweep-previews", { act, filter });
    const n = count(found.count, !found.is_complete);
    const more = found.count - found.sample.length;
    askFor({
      title: canaries > 0 ? w.failures.askFew(n) : w.runs.ask[act](n),
      says: <><code>{says}</code><br />{canaries > 0 ? w.failures.fewSays : w.runs.askSays[act]} {w.runs.sweepGoesOn} {w.runs.holdSays(HOLD)}</>,
      samples: found.sample,
      more: more > 0 ? w.runs.andMore(count(more, !found.is_complete)) : undefined,
      reason: found.count > MANY || !found.is_complete || act === "discard" ? "needed" : "optional",
      confirm: canaries > 0 ? w.failures.retryFew : w.runs.confirm[act](n),
      danger: act !== "retry",
      command: (reason) => `${command}${canaries > 0 ? ` --canaries ${canaries}` : ""} --hold ${HOLD}s${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        const { data } = await post<SweepInfo>("sweeps", { act, filter, canaries, reason, hold: HOLD });
        outdateAll();
        tellHeld(data, n);
      },
    });
  } catch (error) {
    tellRefusal(error);
  }
}

/** The toast counts down to when the server begins, and stays until then. */
function tellHeld(sweep: SweepInfo, n: string): void {
  const w = words.value;
  const begins = Date.parse(sweep.held_until ?? sweep.created_at);
  const left = () => Math.max(0, Math.ceil((begins - now.value) / 1000));
  const undo = () => post(`sweeps/${sweep.id}/cancel`, { reason: w.run.undone }).then(() => toast({ text: w.runs.takenBack }));
  toast({ text: () => w.runs.beginsIn[sweep.act as Many["act"]](n, left()), act: { name: w.undo, run: undo }, href: link("failures", "sweeps", sweep.id) });
}
