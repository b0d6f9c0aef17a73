// A definition in a dialog: fields with the server's own sentence at each, the command that does the same, and theirs beside yours.
import { type Signal, signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { Refusal } from "../api/call.ts";
import { outdateAll } from "../live/resource.ts";
import { words } from "../words/index.ts";
import { Button, type Children, Command, Failed } from "./basics.tsx";
import { Modal } from "./dialog.tsx";
import { type Draft, type FieldSpec, bodyOf, differences, draftOf } from "./draft.ts";
import { Field } from "./field.tsx";
import { toast } from "./toasts.tsx";

export interface Form {
  title: string;
  says?: Children;
  fields: FieldSpec[];
  start: Record<string, unknown>;
  confirm: string;
  /** What is said when it is done. */
  done?: string;
  command?: (body: Record<string, unknown>, draft: Draft) => string;
  /** What it would do, below the fields. */
  beside?: (body: Record<string, unknown>) => Children;
  send: (body: Record<string, unknown>, draft: Draft) => Promise<unknown>;
  /** How the definition stands now: asked for when another has saved it meanwhile. */
  theirs?: () => Promise<Record<string, unknown>>;
}

const shown = signal<{ form: Form; draft: Signal<Draft> } | null>(null);

/** Show the form; it closes when the server has taken it, and keeps what was typed while it has not. */
export function fillIn(form: Form): void {
  shown.value = { form, draft: signal(draftOf(form.fields, form.start)) };
}

export function Forms(): JSX.Element | null {
  const one = shown.value;
  return one && <FormDialog key={one.form.title} form={one.form} draft={one.draft} onClose={() => (shown.value = null)} />;
}

function FormDialog({ form, draft, onClose }: { form: Form; draft: Signal<Draft>; onClose: () => void }): JSX.Element {
  const w = words.value;
  const busy = useSignal(false);
  const error = useSignal<Refusal | null>(null);
  const other = useSignal<Draft | null>(null);
  const asked = form.fields.filter((field) => !field.when || field.when(draft.value));
  const lacks = asked.some((field) => field.required && (draft.value[field.name] ?? "").trim() === "");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (lacks || busy.value) return;
    busy.value = true;
    error.value = null;
    try {
      await form.send(bodyOf(form.fields, draft.value), draft.value);
      outdateAll();
      if (form.done) toast({ text: form.done });
      onClose();
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
      if (error.value.status === 412 && form.theirs) other.value = draftOf(form.fields, await form.theirs());
      else focusWrong();
    } finally {
      busy.value = false;
    }
  };
  const wrong = fieldOf(error.value, asked);
  return (
    <Modal title={form.title} wide onClose={onClose}>
      <form onSubmit={submit} noValidate>
        {form.says && <p class="says">{form.says}</p>}
        <div class="grid-fields">
          {asked.map((field) => (
            <TypedField key={field.name} field={field} draft={draft} error={wrong === field.name ? error.value?.message : undefined} />
          ))}
        </div>
        {other.value && <TheirsTable fields={form.fields} draft={draft} theirs={other.value} onSettled={() => (other.value = null)} />}
        {form.beside?.(bodyOf(form.fields, draft.value))}
        {form.command && (
          <details class="as-command">
            <summary>{w.asCommand}</summary>
            <Command line={form.command(bodyOf(form.fields, draft.value), draft.value)} />
          </details>
        )}
        {error.value && wrong === null && <Failed error={error.value} slim />}
        <footer>
          <Button onClick={onClose}>{w.cancel}</Button>
          <Button type="submit" kind="main" refused={lacks ? w.fillFirst : undefined}>{form.confirm}</Button>
        </footer>
      </form>
    </Modal>
  );
}

/** The field that a refusal is about: named whole, or by its last part. */
function fieldOf(error: Refusal | null, fields: FieldSpec[]): string | null {
  const named = error?.field?.split(".").at(-1)?.replace(/\[.*$/, "");
  return fields.find((field) => field.name === error?.field || field.name === named)?.name ?? null;
}

function focusWrong(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>("dialog [aria-invalid=true]")?.focus());
}

export function TypedField({ field, draft, error }: { field: FieldSpec; draft: Signal<Draft>; error: string | undefined }): JSX.Element {
  const id = useId();
  const value = draft.value[field.name] ?? "";
  const set = (text: string) => (draft.value = { ...draft.value, [field.name]: text });
  if (field.kind === "check") {
    return (
      <label class="check-field"><input type="checkbox" name={field.name} checked={value !== ""} onChange={(event) => set(event.currentTarget.checked ? "1" : "")} /> {field.label}{error && <span class="wrong" role="alert">{error}</span>}</label>
    );
  }
  const common = { name: field.name, required: field.required ?? false, "aria-invalid": error !== undefined };
  return (
    <div class={field.wide || field.kind === "json" ? "all-columns" : ""}>
      <Field label={field.required ? `${field.label} *` : field.label} help={field.help} error={error}>
        {field.kind === "choice" ? (
          <select class="input" {...common} value={value} onChange={(event) => set(event.currentTarget.value)}>
            {field.choices?.map(([choice, name]) => <option key={choice} value={choice}>{name}</option>)}
          </select>
        ) : field.kind === "json" ? (
          <textarea class="input" {...common} rows={3} spellcheck={false} value={value} onInput={(event) => set(event.currentTarget.value)} />
        ) : (
          <Typed field={field} value={value} set={set} common={common} list={field.known ? id : undefined} />
        )}
      </Field>
      {field.known && <datalist id={id}>{field.known.map((name) => <option key={name} value={name} />)}</datalist>}
    </div>
  );
}

type Common = { name: string; required: boolean; "aria-invalid": boolean };

function Typed({ field, value, set, common, list }: { field: FieldSpec; value: string; set: (text: string) => void; common: Common; list: string | undefined }): JSX.Element {
  const type = (event: { currentTarget: HTMLInputElement }) => set(event.currentTarget.value);
  if (field.kind === "secret") return <input class="input" {...common} type="password" autoComplete="new-password" value={value} onInput={type} />;
  return <input class={`input ${field.kind === "name" ? "mono" : ""}`} {...common} type="text" autoComplete="off" list={list} value={value} onInput={type} />;
}

interface TheirsProps {
  fields: FieldSpec[];
  draft: Signal<Draft>;
  theirs: Draft;
  /** The fields that were touched here; others follow theirs. */
  only?: string[];
  onSettled: () => void;
}

/** Another saved meanwhile: what they say beside what was typed, field by field, to choose from. */
export function TheirsTable({ fields, draft, theirs, only, onSettled }: TheirsProps): JSX.Element {
  const w = words.value.forms;
  const rows = differences(fields, draft.value, theirs).filter((row) => !only || only.includes(row.name));
  const settle = (names: string[]) => {
    // What was not touched here follows what they saved.
    const kept = only ? Object.fromEntries(only.filter((name) => !names.includes(name)).map((name) => [name, draft.value[name] ?? ""])) : draft.value;
    draft.value = only ? { ...theirs, ...kept } : { ...draft.value, ...Object.fromEntries(names.map((name) => [name, theirs[name] ?? ""])) };
    onSettled();
  };
  return (
    <div class="theirs" role="alert">
      <p><b>{w.changed}</b> {w.changedSays}</p>
      <table>
        <thead><tr><th>{w.field}</th><th>{w.yours}</th><th>{w.theirs}</th><th><span class="away">{words.value.actsColumn}</span></th></tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td>{row.label}</td>
              <td class="mono">{row.mine || "–"}</td>
              <td class="mono">{row.theirs || "–"}</td>
              <td><Button small onClick={() => settle([row.name])}>{w.take}</Button></td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="acts"><Button small onClick={() => settle([])}>{w.keepMine}</Button><Button small onClick={() => settle(rows.map((row) => row.name))}>{w.takeAll}</Button></p>
    </div>
  );
}
