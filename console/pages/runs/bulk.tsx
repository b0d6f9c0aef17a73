// Acts on the runs that are chosen, or on all that the filter matches: with number, samples and reason, and a sweep that shows how far it is.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { post } from "../../api/call.ts";
import type { RunInfo } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button, FINAL } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { options, quoted } from "../../parts/draft.ts";
import { toast } from "../../parts/toasts.tsx";
import { askChange, canChange } from "./change.tsx";
import { CANARIES, askMany } from "./sweep.tsx";
import { count, words } from "../../words/index.ts";
import { type Term, parametersOf, writeQuery } from "./query.ts";

type Act = "cancel" | "retry" | "discard";

export function BulkBar({ chosen, rows, terms, more }: { chosen: Signal<Set<string>>; rows: RunInfo[]; terms: Term[]; more: boolean }): JSX.Element | null {
  const w = words.value;
  const all = useSignal(false);
  const some = rows.filter((run) => chosen.value.has(run.id));
  if (some.length === 0) return null;
  const live = some.filter((run) => !(FINAL as string[]).includes(run.state));
  const failed = some.filter((run) => run.state === "failed");
  const startable = some.filter(canChange);
  const sweepable = (act: Act) => terms.length > 0 && terms.every((term) => ["state", "job", "queue", "tag", "label", "since", "until"].includes(term.key)) && stateFits(act, terms);
  const begin = (act: Act, ids: string[]) => (all.value && sweepable(act) ? void askSweep(act, terms) : askSome(act, ids, () => (chosen.value = new Set())));
  return (
    <div class="bulk" role="region" aria-label={w.runs.bulk}>
      <b>{w.runs.chosen(all.value ? `${count(rows.length)}${more ? "+" : ""}` : count(some.length))}</b>
      {(sweepable("cancel") || sweepable("retry")) && (
        <label class="check-field"><input type="checkbox" checked={all.value} onChange={() => (all.value = !all.value)} /> {w.runs.allMatching}</label>
      )}
      <span class="grow" />
      <Button icon="retry" refused={refusal("runs:steer") ?? (failed.length === 0 ? w.runs.onlyFailed : undefined)} onClick={() => begin("retry", failed.map((run) => run.id))}>{w.runs.retry}…</Button>
      <Button icon="trash" refused={refusal("runs:steer") ?? (failed.length === 0 ? w.runs.onlyFailed : undefined)} onClick={() => begin("discard", failed.map((run) => run.id))}>{w.runs.discard}…</Button>
      <Button icon="stop" kind="danger" refused={refusal("runs:steer") ?? (live.length === 0 ? w.runs.onlyLive : undefined)} onClick={() => begin("cancel", live.map((run) => run.id))}>{w.runs.cancel}…</Button>
      <Button icon="moon" refused={refusal("runs:steer") ?? (live.length === 0 ? w.runs.onlyLive : undefined)} onClick={() => askSuspend(live, () => (chosen.value = new Set()))}>{w.run.suspend}…</Button>
      <Button icon="edit" refused={refusal("runs:steer") ?? (startable.length === 0 ? w.runs.onlyStartable : undefined)} onClick={() => askChange(startable)}>{w.run.change}…</Button>
      <Button icon="x" label={w.close} onClick={() => (chosen.value = new Set())} />
    </div>
  );
}

function stateFits(act: Act, terms: Term[]): boolean {
  const states = terms.filter((term) => term.key === "state").flatMap((term) => term.value.split(","));
  return act === "cancel" ? states.length > 0 && states.every((state) => !(FINAL as string[]).includes(state)) : states.length === 1 && states[0] === "failed";
}

function askSome(act: Act, ids: string[], done: () => void): void {
  const w = words.value;
  askFor({
    title: w.runs.ask[act](count(ids.length)),
    says: w.runs.askSays[act],
    samples: ids,
    more: ids.length > 5 ? w.runs.andMore(count(ids.length - 5)) : undefined,
    confirm: w.runs.confirm[act](count(ids.length)),
    danger: act !== "retry",
    command: (reason) => `mainspring ${act === "discard" ? "dead" : "runs"} ${act} ${ids.slice(0, 3).join(" ")}${ids.length > 3 ? " …" : ""}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      const body = act === "retry" ? {} : { reason };
      if (act === "cancel") await post("runs/cancel", { runs: ids, reason });
      else for (const id of ids) await post(`runs/${id}/${act}`, body);
      done();
      outdateAll();
      toast({ text: w.runs.done[act](count(ids.length)) });
    },
  });
}

/** Those that are chosen; what is suspended is resumed by *Undo*. */
function askSuspend(runs: RunInfo[], done: () => void): void {
  const w = words.value;
  const ids = runs.map((run) => run.id);
  askFor({
    title: w.run.askSuspendMany(count(ids.length)),
    says: w.run.suspendManySays,
    samples: ids,
    more: ids.length > 5 ? w.runs.andMore(count(ids.length - 5)) : undefined,
    confirm: w.run.suspend,
    command: (reason) => `for run in ${ids.slice(0, 3).join(" ")}${ids.length > 3 ? " …" : ""}; do mainspring runs suspend $run${reason && ` --reason ${quoted(reason)}`}; done`,
    run: async (reason) => {
      for (const id of ids) await post(`runs/${id}/suspend`, { reason });
      done();
      outdateAll();
      const resume = async () => {
        for (const id of ids) await post(`runs/${id}/resume`, {});
        outdateAll();
      };
      toast({ text: w.run.suspendedMany(count(ids.length)), act: { name: w.undo, run: resume } });
    },
  });
}

/** All that match, also those that are on no page: a sweep of the server, which goes on when the tab is closed. */
async function askSweep(act: Act, terms: Term[]): Promise<void> {
  const filter = sweepFilter(terms);
  await askMany({ act, filter, canaries: act === "retry" ? CANARIES : 0, says: writeQuery(terms), command: commandOf(act, filter) });
}

export function commandOf(act: Act, filter: Record<string, unknown>): string {
  const { states, tags, labels, ...rest } = filter as { states?: string[]; tags?: string[]; labels?: Record<string, string> };
  const named = Object.entries(labels ?? {}).map(([name, value]) => `${name}=${value}`);
  return `mainspring sweeps create ${act}${options({ ...rest, ...(states ? { state: states } : {}), ...(tags ? { tag: tags } : {}), ...(named.length > 0 ? { label: named } : {}) })}`;
}

export function sweepFilter(terms: Term[]): Record<string, unknown> {
  const { state, tag, label, ...rest } = parametersOf(terms, now.peek()) as Record<string, string | string[] | undefined>;
  const labels = Object.fromEntries(((label as string[] | undefined) ?? []).map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]));
  const live = ((state as string[] | undefined) ?? []).filter((one) => !(FINAL as string[]).includes(one));
  return { ...rest, ...(live.length > 0 ? { states: live } : {}), ...(tag ? { tags: tag } : {}), ...(label ? { labels } : {}) };
}
