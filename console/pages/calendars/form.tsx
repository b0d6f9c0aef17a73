// The fields of a calendar: days that count, days off, and windows in which nothing is started.
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Refusal } from "../../api/call.ts";
import { Button, Panel } from "../../parts/basics.tsx";
import { Field } from "../../parts/field.tsx";
import { words } from "../../words/index.ts";
import { DAYS, type Draft, type Window } from "./draft.ts";

export function Form({ draft, isNew, error }: { draft: Signal<Draft>; isNew: boolean; error: Refusal | null }): JSX.Element {
  const w = words.value.calendars;
  const at = (...names: string[]) => (names.some((name) => error?.field?.startsWith(name)) ? error?.message : undefined);
  const set = (change: Partial<Draft>) => (draft.value = { ...draft.value, ...change });
  const flip = (day: string) => set({ weekdays: draft.value.weekdays.includes(day) ? draft.value.weekdays.filter((one) => one !== day) : [...draft.value.weekdays, day] });
  return (
    <Panel title={w.rules}>
      <div class="body">
        {isNew && <Field label={w.name} error={at("name")}><input class="input" value={draft.value.name} onInput={(event) => set({ name: event.currentTarget.value })} /></Field>}
        <fieldset class="field">
          <legend>{w.weekdays}</legend>
          <span class="day-boxes">{DAYS.map((day, place) => <label key={day} class="check-field"><input type="checkbox" checked={draft.value.weekdays.includes(day)} onChange={() => flip(day)} />{words.value.triggers.weekdayNames[(place + 1) % 7]}</label>)}</span>
          {at("weekdays") && <span class="wrong" role="alert">{at("weekdays")}</span>}
        </fieldset>
        <Field label={w.holidays} help={w.holidaysHelp} error={at("holidays")}><input class="input" value={draft.value.holidays} onInput={(event) => set({ holidays: event.currentTarget.value })} /></Field>
        <Field label={w.own} help={w.ownHelp} error={at("dates")}><textarea class="input" rows={4} value={draft.value.dates} onInput={(event) => set({ dates: event.currentTarget.value })} /></Field>
        <Field label={w.counted} help={w.countedHelp} error={at("counted")}><input class="input" value={draft.value.counted} onInput={(event) => set({ counted: event.currentTarget.value })} /></Field>
        <Field label={words.value.triggers.zone} help={w.zoneHelp} error={at("zone")}><input class="input" value={draft.value.zone} onInput={(event) => set({ zone: event.currentTarget.value })} /></Field>
        <Windows draft={draft} error={at("blackouts", "daily_blackouts")} />
      </div>
    </Panel>
  );
}

const DAILY: Window = { daily: true, begin: "22:00", end: "06:00", days: "", zone: "UTC", name: "" };
const ONCE: Window = { daily: false, begin: "", end: "", days: "", zone: "", name: "" };

function Windows({ draft, error }: { draft: Signal<Draft>; error: string | undefined }): JSX.Element {
  const w = words.value.calendars;
  const windows = draft.value.windows;
  const set = (changed: Window[]) => (draft.value = { ...draft.value, windows: changed });
  return (
    <fieldset class="field windows">
      <legend>{w.windows}</legend>
      <small>{w.windowsHelp}</small>
      {windows.map((one, place) => (
        <WindowRow key={place} one={one} onChange={(change) => set(windows.map((each, other) => (other === place ? { ...each, ...change } : each)))} onRemove={() => set(windows.filter((_each, other) => other !== place))} />
      ))}
      {error && <span class="wrong" role="alert">{error}</span>}
      <span class="buttons"><Button small icon="plus" onClick={() => set([...windows, DAILY])}>{w.addDaily}</Button> <Button small icon="plus" onClick={() => set([...windows, ONCE])}>{w.addOnce}</Button></span>
    </fieldset>
  );
}

function WindowRow({ one, onChange, onRemove }: { one: Window; onChange: (change: Partial<Window>) => void; onRemove: () => void }): JSX.Element {
  const w = words.value.calendars;
  const text = (name: "days" | "zone" | "name", label: string) => <input class="input" aria-label={label} placeholder={label} value={one[name]} onInput={(event) => onChange({ [name]: event.currentTarget.value })} />;
  const moment = (name: "begin" | "end", label: string) => <input class="input" type={one.daily ? "time" : "datetime-local"} aria-label={label} value={one[name]} onInput={(event) => onChange({ [name]: event.currentTarget.value })} />;
  return (
    <div class="window-row">
      {moment("begin", w.opens)}
      {moment("end", w.closes)}
      {one.daily && text("days", w.windowDays)}
      {one.daily && text("zone", words.value.triggers.zone)}
      {text("name", w.windowName)}
      <Button small icon="x" label={w.removeWindow} onClick={onRemove} />
    </div>
  );
}
