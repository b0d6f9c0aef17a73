// The input of a run as fields by the job's schema; the text beside it stays the truth, and is written back digit by digit.
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { Field } from "../../parts/field.tsx";
import { type Exact, member, parseExact, writeExact } from "../../parts/exact.ts";

export interface Property {
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
}

export interface InputSchema {
  properties?: Record<string, Property>;
  required?: string[];
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SIMPLE = new Set(["string", "integer", "number", "boolean"]);

export function InputForm({ schema, text }: { schema: InputSchema; text: Signal<string> }): JSX.Element | null {
  const read = objectIn(text.value);
  const fields = Object.entries(schema.properties ?? {}).filter(([, one]) => one.enum || SIMPLE.has(one.type ?? ""));
  if (!read || fields.length === 0) return null;
  return (
    <div class="grid-fields">
      {fields.map(([name, one]) => {
        const needed = schema.required?.includes(name) ?? false;
        const set = (value: Exact | null) => (text.value = writeExact(withMember(read, name, value)));
        return <Field key={name} label={needed ? `${name} *` : name} help={one.description ?? one.type}><Entry of={one} name={name} value={member(read, name)} needed={needed} onSet={set} /></Field>;
      })}
    </div>
  );
}

interface EntryProps {
  of: Property;
  name: string;
  value: Exact | undefined;
  needed: boolean;
  onSet: (value: Exact | null) => void;
}

function Entry({ of, name, value, needed, onSet }: EntryProps): JSX.Element {
  const choices = of.enum?.map((one) => JSON.stringify(one)) ?? (of.type === "boolean" ? ["true", "false"] : null);
  if (choices) {
    return (
      <select class="input" name={name} value={value ? writeExact(value) : ""} onChange={(event) => onSet(event.currentTarget.value === "" ? null : parseExact(event.currentTarget.value))}>
        {(!needed || !value) && <option value="">–</option>}
        {choices.map((one) => <option key={one} value={one}>{one.replaceAll('"', "")}</option>)}
      </select>
    );
  }
  const shown = value === undefined ? "" : value.kind === "string" ? value.value : writeExact(value);
  const write = (event: { currentTarget: HTMLInputElement }) => onSet(entryOf(of, event.currentTarget.value, needed));
  if (of.format === "date") return <input class="input" name={name} type="date" value={shown} onInput={write} />;
  return <input class="input" name={name} type="text" value={shown} inputMode={of.type === "string" ? "text" : "decimal"} autoComplete="off" placeholder={of.format === "date-time" ? "2030-01-01T09:00:00Z" : ""} onInput={write} />;
}

/** What was typed, as the schema has it; null: the argument is left out. What is no number stays text, so that the server can say so. */
export function entryOf(of: Property, typed: string, needed: boolean): Exact | null {
  if (typed === "" && !needed) return null;
  if (of.type !== "string" && NUMBER.test(typed)) return { kind: "number", text: typed };
  return { kind: "string", value: typed };
}

export function withMember(node: Exact & { kind: "object" }, name: string, value: Exact | null): Exact {
  const at = node.entries.findIndex(([key]) => key === name);
  if (value === null) return { kind: "object", entries: node.entries.filter(([key]) => key !== name) };
  return { kind: "object", entries: at < 0 ? [...node.entries, [name, value]] : node.entries.map((one, place) => (place === at ? [name, value] : one)) };
}

function objectIn(text: string): (Exact & { kind: "object" }) | null {
  try {
    const found = parseExact(text.trim() || "{}");
    return found.kind === "object" ? found : null;
  } catch {
    return null;
  }
}
