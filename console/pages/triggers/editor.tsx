// The trigger editor: the text is the truth; the server previews it after the last key, by the evaluator that fires.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, put } from "../../api/call.ts";
import type { CalendarPage, JobPage, TriggerInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link } from "../../live/route.ts";
import { Button, Failed, Panel, Segments } from "../../parts/basics.tsx";
import { Field } from "../../parts/field.tsx";
import { TheirsTable } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";
import { CronBuilder } from "./builder.tsx";
import { type Draft, KINDS, changesOf, draftOf, specOf } from "./draft.ts";
import { Accounted } from "./instants.tsx";
import { Company, NextFires, YearAhead, usePreview } from "./preview.tsx";

export interface EditorProps {
  trigger: TriggerInfo | null;
  first: Draft;
}

export function TriggerEditor({ trigger, first }: EditorProps): JSX.Element {
  const draft = useSignal(first);
  const base = useSignal({ draft: first, revision: trigger?.revision ?? 0 });
  const error = useSignal<Refusal | null>(null);
  const preview = usePreview(draft);
  useEffect(() => {
    // Somebody saved meanwhile: follow, unless something was typed here, which is kept.
    if (trigger && trigger.revision !== base.peek().revision && changesOf(base.peek().draft, draft.peek()).length === 0) {
      base.value = { draft: draftOf(trigger.spec), revision: trigger.revision };
      draft.value = draftOf(trigger.spec);
    }
  }, [trigger?.revision]);
  return (
    <>
      <div class="columns editor">
        <Panel class="form">
          <When draft={draft} error={error.value ?? preview.value.error} isNew={trigger === null} />
          <Days draft={draft} error={error.value} />
          <What draft={draft} error={error.value} />
          <Unusual draft={draft} error={error.value} />
        </Panel>
        <div>
          <NextFires preview={preview.value} draft={draft.value} />
          <YearAhead preview={preview.value} />
          <Company preview={preview.value} />
          {trigger && <Accounted name={trigger.name} />}
        </div>
      </div>
      <SaveBar draft={draft} base={base} trigger={trigger} error={error} />
    </>
  );
}

const wrong = (error: Refusal | null, ...names: string[]) => (error && names.some((name) => error.field === name || error.field?.startsWith(`${name}[`) || error.field?.startsWith(`${name}.`)) ? error.message : undefined);

interface PartProps {
  draft: Signal<Draft>;
  error: Refusal | null;
}

const set = (draft: Signal<Draft>, changes: Partial<Draft>) => (draft.value = { ...draft.value, ...changes });

function Text({ draft, name, label, help, error, mono = false }: PartProps & { name: keyof Draft; label: string; help?: string; mono?: boolean }): JSX.Element {
  const bad = wrong(error, name, `when.${name}`);
  return (
    <Field label={label} help={help} error={bad}>
      <input class={`input ${mono ? "mono" : ""}`} aria-invalid={bad !== undefined} value={draft.value[name]} onInput={(event) => set(draft, { [name]: event.currentTarget.value })} />
    </Field>
  );
}

function Choose({ draft, name, label, choices, error }: PartProps & { name: keyof Draft; label: string; choices: Record<string, string> }): JSX.Element {
  return (
    <Field label={label} error={wrong(error, name, `when.${name}`)}>
      <select class="input" value={draft.value[name]} onChange={(event) => set(draft, { [name]: event.currentTarget.value })}>
        {Object.entries(choices).map(([id, text]) => <option key={id} value={id}>{text}</option>)}
      </select>
    </Field>
  );
}

export const ZONES: string[] = typeof Intl.supportedValuesOf === "function" ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC"];

function Zone({ draft, error }: PartProps): JSX.Element {
  return (
    <Field label={words.value.triggers.zone} error={wrong(error, "zone", "when.zone")}>
      <input class="input" list="zones" value={draft.value.zone} onInput={(event) => set(draft, { zone: event.currentTarget.value })} />
      <datalist id="zones">{ZONES.map((one) => <option key={one} value={one} />)}</datalist>
    </Field>
  );
}

function When({ draft, error, isNew }: PartProps & { isNew: boolean }): JSX.Element {
  const w = words.value.triggers;
  const kind = draft.value.kind;
  const both = { draft, error };
  return (
    <section>
      {isNew && <div class="grid-fields"><Text {...both} name="name" label={w.name} help={w.nameHelp} /></div>}
      <h2>{w.when}</h2>
      <div class="kinds"><Segments label={w.kind} on={kind} choices={KINDS.map((id) => ({ id, name: w.kinds[id] }))} onChoose={(id) => set(draft, { kind: id })} /></div>
      {kind === "cron" && <CronBuilder draft={draft} error={wrong(error, "when", "expressions", "when.expressions")} zone={<Zone {...both} />} />}
      {kind === "interval" && <div class="grid-fields"><Text {...both} name="every" label={w.every} help="15 m, 2 h, 1 d" /></div>}
      {kind === "delay" && <div class="grid-fields"><Text {...both} name="delay" label={w.afterLast} help={w.delayHelp} /></div>}
      {kind === "once" && <div class="grid-fields"><Text {...both} name="at" label={w.at} help="2030-01-31 09:00" /></div>}
      {kind === "windows" && <div class="grid-fields"><Text {...both} name="every" label={w.every} /><Text {...both} name="opens" label={w.opens} help="09:00" /><Text {...both} name="closes" label={w.closes} help="17:30" /><Text {...both} name="weekdays" label={w.weekdays} help="mon tue wed thu fri" /><Zone {...both} /></div>}
      {kind === "webhook" && <div class="grid-fields"><Choose {...both} name="auth" label={w.auth} choices={w.auths} /><Text {...both} name="key" label={w.key} help="header:x-request-id" mono /><Text {...both} name="mapping" label={w.mapping} help='{"order": "$.data.id"}' mono /></div>}
      {kind === "event" && <div class="grid-fields"><Text {...both} name="type" label={w.eventType} help="order.paid" mono /><Text {...both} name="filter" label={w.filter} help='{"$.country": "DE"}' mono /><Text {...both} name="mapping" label={w.mapping} help='{"order": "$.id"}' mono /></div>}
      {error && !wrong(error, "when", "expressions", "when.expressions", "zone", "when.zone", kind, `when.${kind}`) && error.field?.startsWith("when") && <p class="wrong">{error.message}</p>}
    </section>
  );
}

function Days({ draft, error }: PartProps): JSX.Element | null {
  const w = words.value.triggers;
  const calendars = useResource<CalendarPage>("calendars?limit=200").data.value?.calendars ?? [];
  const both = { draft, error };
  if (["webhook", "event"].includes(draft.value.kind)) return null;
  const known = Object.fromEntries([["", w.allDays], ...calendars.map((one) => [one.name, one.name])]);
  return (
    <section>
      <div class="grid-fields">
        {draft.value.kind === "cron" && <Choose {...both} name="gap" label={w.forward} choices={w.gaps} />}
        {draft.value.kind === "cron" && <Choose {...both} name="fold" label={w.back} choices={w.folds} />}
        <Choose {...both} name="calendar" label={w.calendar} choices={draft.value.calendar in known ? known : { ...known, [draft.value.calendar]: draft.value.calendar }} />
        {draft.value.calendar !== "" && <Choose {...both} name="roll" label={w.dayOff} choices={w.rolls} />}
      </div>
    </section>
  );
}

function What({ draft, error }: PartProps): JSX.Element {
  const w = words.value.triggers;
  const jobs = useResource<JobPage>("jobs?limit=200").data.value?.jobs ?? [];
  const both = { draft, error };
  return (
    <section>
      <h2>{w.what}</h2>
      <div class="grid-fields">
        <Field label={words.value.start.job} error={wrong(error, "job")}>
          <input class="input" list="trigger-jobs" required value={draft.value.job} onInput={(event) => set(draft, { job: event.currentTarget.value })} />
          <datalist id="trigger-jobs">{jobs.map(({ name }) => <option key={name} value={name} />)}</datalist>
        </Field>
        <Text {...both} name="input" label={words.value.run.input} mono />
        <Text {...both} name="queue" label={words.value.start.queue} />
        <Text {...both} name="priority" label={words.value.start.priority} help="0–9" />
        <Text {...both} name="tags" label={words.value.start.tags} />
        <Text {...both} name="description" label={words.value.policy.labels.description} />
      </div>
    </section>
  );
}

function Unusual({ draft, error }: PartProps): JSX.Element {
  const w = words.value.triggers;
  const both = { draft, error };
  return (
    <section>
      <h2>{w.unusual}</h2>
      <div class="grid-fields">
        <Choose {...both} name="misfire" label={w.missed} choices={w.misfires} />
        {draft.value.misfire === "all" && <Text {...both} name="catch_up_max" label={w.catchUp} />}
        <Text {...both} name="start_deadline" label={w.tooLate} help={w.tooLateHelp} />
        <Choose {...both} name="overlap" label={w.overlap} choices={w.overlaps} />
        {draft.value.overlap === "queue_all" && <Text {...both} name="overlap_max" label={w.overlapMax} />}
        <Text {...both} name="pause_after" label={w.pauseAfter} help={w.pauseAfterHelp} />
        <Text {...both} name="jitter" label={w.jitter} />
        <Text {...both} name="group" label={w.group} />
        <Text {...both} name="spread" label={w.spread} />
        <Text {...both} name="start_at" label={w.from} />
        <Text {...both} name="end_at" label={w.until} />
        <Text {...both} name="fires_max" label={w.firesMax} />
      </div>
    </section>
  );
}

interface SaveProps extends EditorPropsBase {
  draft: Signal<Draft>;
  base: Signal<{ draft: Draft; revision: number }>;
  error: Signal<Refusal | null>;
}

interface EditorPropsBase {
  trigger: TriggerInfo | null;
}

function SaveBar({ draft, base, trigger, error }: SaveProps): JSX.Element | null {
  const w = words.value;
  const note = useSignal("");
  const changes = changesOf(base.value.draft, draft.value);
  if (trigger && changes.length === 0) return null;
  const name = trigger?.name ?? draft.value.name;
  const theirs = trigger !== null && trigger.revision !== base.value.revision;
  const save = async () => {
    error.value = null;
    const headers: Record<string, string> = trigger ? { "if-match": `"${base.value.revision}"` } : { "if-none-match": "*" };
    try {
      const { data } = await put<TriggerInfo>(`triggers/${part(name)}`, { ...specOf(draft.value), note: note.value }, { headers });
      base.value = { draft: draftOf(data.spec), revision: data.revision };
      draft.value = draftOf(data.spec);
      outdateAll();
      toast({ text: w.triggers.saved(name) });
      if (!trigger) go(link("triggers", name), { replace: true });
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
      if (error.value.status === 412) outdateAll();
    }
  };
  const drop = () => {
    const next = trigger ? { draft: draftOf(trigger.spec), revision: trigger.revision } : base.value;
    base.value = next;
    draft.value = next.draft;
    error.value = null;
  };
  return (
    <>
      {error.value && error.value.status !== 412 && <Failed error={error.value} slim />}
      {theirs && trigger && (
        <TheirsTable fields={Object.keys(draft.value).map((field) => ({ name: field, kind: "text", label: field }))} draft={draft as unknown as Signal<Record<string, string>>} theirs={draftOf(trigger.spec)} only={changes.map((one) => one.name)} onSettled={() => (base.value = { draft: draftOf(trigger.spec), revision: trigger.revision })} />
      )}
      <div class="savebar" role="region" aria-label={w.policy.changes(changes.length)}>
        <b>{trigger ? w.policy.changes(changes.length) : w.triggers.newTitle}</b>
        <span class="grow cut">{trigger && changes.map((one) => <span key={one.name} class="change">{one.name} <s>{one.was || "–"}</s> {one.is || "–"}</span>)}</span>
        <input class="input" placeholder={w.policy.note} aria-label={w.policy.note} value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} />
        {trigger && <Button onClick={drop}>{w.policy.drop}</Button>}
        <Button kind="main" refused={refusal("triggers:write") ?? (name === "" || draft.value.job === "" ? w.fillFirst : undefined)} onClick={() => void save()}>{trigger ? w.triggers.saveRevision(base.value.revision + 1) : w.triggers.create}</Button>
      </div>
    </>
  );
}
