// The cron builder: five dials, and chips for the one that is chosen; it steps aside for what it cannot say.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Children } from "../../parts/basics.tsx";
import { words } from "../../words/index.ts";
import { type CronField, fieldsOf, textOf, valuesOf, withField } from "./cron.ts";
import type { Draft } from "./draft.ts";

export function CronBuilder({ draft, error, zone }: { draft: Signal<Draft>; error: string | undefined; zone: Children }): JSX.Element {
  const w = words.value.triggers;
  const dial = useSignal(1);
  const lines = draft.value.expressions.split("\n");
  const first = lines[0] ?? "";
  const fields = fieldsOf(first);
  const write = (text: string) => (draft.value = { ...draft.value, expressions: [text, ...lines.slice(1)].join("\n") });
  const chosen = fields?.[Math.min(dial.value, (fields?.length ?? 1) - 1)];
  const values = chosen && valuesOf(chosen.field, chosen.text);
  return (
    <>
      <div class="expression">
        <label class="field"><span>{w.expression}</span><textarea class="input cron" aria-invalid={error !== undefined} rows={Math.max(1, lines.length)} spellcheck={false} value={draft.value.expressions} onInput={(event) => (draft.value = { ...draft.value, expressions: event.currentTarget.value })} /></label>
        {zone}
      </div>
      {error && <p class="wrong" role="alert">{error}</p>}
      {fields && (
        <div class="dials" role="tablist" aria-label={w.dials} style={{ gridTemplateColumns: `repeat(${fields.length}, 1fr)` }}>
          {fields.map(({ field, text }, place) => (
            <button key={field.id} type="button" role="tab" class="dial" aria-selected={fields[Math.min(dial.value, fields.length - 1)]?.field.id === field.id} onClick={() => (dial.value = place)}>
              <small>{w.fields[field.id]}</small>
              <b>{text}</b>
              <small>{text === "*" ? w.everyOne : valuesOf(field, text) === null ? w.byHand : w.chosenOnes}</small>
            </button>
          ))}
        </div>
      )}
      {chosen && values && <Chips field={chosen.field} values={chosen.text === "*" ? new Set() : values} onChange={(next) => write(withField(first, Math.min(dial.value, (fields?.length ?? 1) - 1), textOf(chosen.field, next)))} />}
      {chosen && !values && <p class="faint">{w.byHandSays}</p>}
      <button type="button" class="link add-line" onClick={() => (draft.value = { ...draft.value, expressions: `${draft.value.expressions}\n0 12 * * *` })}>+ {w.another}</button>
    </>
  );
}

function Chips({ field, values, onChange }: { field: CronField; values: Set<number>; onChange: (values: Set<number>) => void }): JSX.Element {
  const w = words.value.triggers;
  const all = Array.from({ length: field.to - field.from + 1 }, (_, place) => place + field.from);
  const toggle = (value: number) => {
    const next = new Set(values);
    if (!next.delete(value)) next.add(value);
    onChange(next);
  };
  const name = (value: number) => (field.id === "weekday" ? (w.weekdayNames[value] ?? value) : field.id === "month" ? (w.monthNames[value - 1] ?? value) : String(value).padStart(2, "0"));
  const wide = field.id === "minute" || field.id === "second" ? 12 : field.id === "hour" || field.id === "month" ? 12 : field.id === "day" ? 16 : 7;
  return (
    <div class="chips" role="group" aria-label={w.fields[field.id]} style={{ gridTemplateColumns: `repeat(${wide}, 1fr)` }}>
      {all.map((value) => <button key={value} type="button" aria-pressed={values.has(value)} onClick={() => toggle(value)}>{name(value)}</button>)}
    </div>
  );
}
