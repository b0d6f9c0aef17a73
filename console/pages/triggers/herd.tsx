// The triggers behind one step of a forecast, and a wizard that draws them apart: before and after, then done with a way back.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, post, query } from "../../api/call.ts";
import type { HerdInfo, HerdMember, JobFigures, SpreadBefore, TriggerSpread } from "../../api/schema.ts";
import { zone } from "../../live/preferences.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link, setQuery } from "../../live/route.ts";
import { Button, Command, Failed, Panel, Shown } from "../../parts/basics.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { duration, parseDuration } from "../../words/format.ts";
import { count, words, zoned } from "../../words/index.ts";
import { BeforeAfter } from "./before-after.tsx";
import { lastStart, usualOf } from "./spread.ts";

const MOST = 1000;

export function Herd({ at, step, slots }: { at: string; step: number; slots: number }): JSX.Element {
  const w = words.value.triggers;
  const resource = useResource<HerdInfo>(query("forecast/cell", { at, step, limit: MOST }));
  const figures = useResource<JobFigures>("rates/jobs?step=hour&steps=24").data.value?.jobs ?? [];
  const spreading = useSignal(false);
  const { weekday, time } = zoned(Date.parse(at), zone.value || undefined);
  const found = resource.data.value;
  return (
    <Panel title={w.herdTitle(`${weekday} ${time.slice(0, 5)}`)} more={<><Button small icon="clock" refused={refusal("triggers:write") ?? (found && found.triggers.length > 1 ? undefined : w.herdAlone)} onClick={() => (spreading.value = true)}>{w.spreadThese(count(found?.triggers.length ?? 0))}</Button> <Button small icon="x" label={words.value.close} onClick={() => setQuery({ at: null })} /></>}>
      <Shown of={resource} rows={4}>
        {(herd) => (
          <>
            <p class="body">{w.herdSays(count(herd.runs), count(herd.triggers.length + herd.more), count(slots))} {herd.runs > slots && slots > 0 && <b class="is-waiting">{w.lastStarts(duration(lastStart(herd.runs, slots, usualOf(herd.triggers, figures))))}</b>}</p>
            <Table label={w.herdTitle("")} rows={herd.triggers.slice(0, 100)} columns={columns()} keyOf={(one) => one.name} />
            {spreading.value && <Wizard herd={herd} slots={slots} usual={usualOf(herd.triggers, figures)} onClose={() => (spreading.value = false)} />}
          </>
        )}
      </Shown>
    </Panel>
  );
}

function columns(): Column<HerdMember>[] {
  const w = words.value;
  return [
    { id: "name", name: w.triggers.word, cell: (one) => <a href={link("triggers", one.name)}>{one.name}</a> },
    { id: "words", name: w.triggers.fires, wide: true, cell: (one) => <span class="dim">{one.words}</span> },
    { id: "job", name: w.job, cell: (one) => <a class="plain" href={link("jobs", one.job)}>{one.job}</a> },
    { id: "runs", name: w.pages.runs, num: true, cell: (one) => count(one.runs) },
    { id: "spread", name: w.triggers.spreadNow, num: true, cell: (one) => (one.spread ? duration(one.spread) : <span class="faint">–</span>) },
  ];
}

function Wizard({ herd, slots, usual, onClose }: { herd: HerdInfo; slots: number; usual: number; onClose: () => void }): JSX.Element {
  const w = words.value.triggers;
  const over = useSignal("10 m");
  const reason = useSignal("");
  const left = useSignal<Set<string>>(new Set());
  const preview = useSignal<TriggerSpread | null>(null);
  const error = useSignal<Refusal | null>(null);
  const names = herd.triggers.map(({ name }) => name).filter((name) => !left.value.has(name));
  const seconds = parseDuration(over.value);
  const send = (dry: boolean) => post<TriggerSpread>("triggers/spread", { names, over: seconds, at: herd.at, dry_run: dry, note: reason.value.trim() });
  useEffect(() => {
    const timer = setTimeout(async () => {
      if (seconds === null || names.length === 0) return;
      await send(true).then(({ data }) => { preview.value = data; error.value = null; }, (refused: Refusal) => { error.value = refused; });
    }, 200);
    return () => clearTimeout(timer);
  }, [over.value, left.value]);
  const spread = async (event: Event) => {
    event.preventDefault();
    try {
      const { data } = await send(false);
      onClose();
      outdateAll();
      toast({ text: w.spreadDone(count(data.triggers.length), duration(seconds ?? 0)), act: { name: words.value.undo, run: () => takeBack(data.triggers) } });
    } catch (refused) {
      error.value = refused as Refusal;
    }
  };
  const drop = (name: string) => {
    const next = new Set(left.value);
    if (!next.delete(name)) next.add(name);
    left.value = next;
  };
  const found = preview.value;
  const open = seconds === null ? w.badLength : names.length === 0 ? w.herdAlone : reason.value.trim() === "" ? words.value.fillFirst : undefined;
  return (
    <Modal title={w.spreadTitle(count(names.length))} onClose={onClose} wide>
      <form onSubmit={spread}>
        <p class="says">{w.spreadSays}</p>
        <div class="grid-fields">
          <Field label={w.spreadOver}><input class="input" value={over.value} onInput={(event) => (over.value = event.currentTarget.value)} /></Field>
          <Field label={`${words.value.reason} *`}><input class="input" value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} /></Field>
        </div>
        <details><summary>{w.chooseThem(count(names.length), count(herd.triggers.length))}</summary>
          <ul class="choose">{herd.triggers.slice(0, 200).map(({ name }) => <li key={name}><label class="check-field"><input type="checkbox" checked={!left.value.has(name)} onChange={() => drop(name)} /> {name}</label></li>)}</ul>
        </details>
        {found && <BeforeAfter found={found} slots={slots} says={w.beforeAfter(count(found.peak_before), count(found.peak_after), duration(found.step))} last={lastStart(herd.runs, slots, usual) > 0 ? w.lastStartsAfter(duration(lastStart(herd.runs, slots, usual)), duration(Math.max(seconds ?? 0, lastStart(found.peak_after, slots, usual)))) : ""} />}
        {error.value && <Failed error={error.value} slim />}
        <details class="as-command"><summary>{words.value.asCommand}</summary><Command line={`mainspring triggers spread ${names.slice(0, 3).join(" ")}${names.length > 3 ? " …" : ""} --over ${over.value.replaceAll(" ", "")}`} /></details>
        <footer>
          <Button onClick={onClose}>{words.value.cancel}</Button>
          <Button kind="main" type="submit" refused={open}>{w.spreadThese(count(names.length)).replace("…", "")}</Button>
        </footer>
      </form>
    </Modal>
  );
}

/** Each as it was: those that were spread alike go together. */
async function takeBack(was: SpreadBefore[]): Promise<void> {
  const alike = new Map<number, string[]>();
  for (const { name, spread } of was) alike.set(spread, [...(alike.get(spread) ?? []), name]);
  for (const [over, names] of alike) await post("triggers/spread", { names, over, note: words.value.run.undone });
  outdateAll();
}
