// Fields as they are typed, and the values that they stand for; pure, so that tests need no browser.
import { parseDuration, writeDuration } from "../words/format.ts";

export type Kind = "text" | "name" | "number" | "span" | "share" | "list" | "choice" | "check" | "json" | "secret";

export interface FieldSpec {
  name: string;
  kind: Kind;
  label: string;
  help?: string;
  required?: boolean;
  choices?: readonly (readonly [id: string, name: string])[];
  /** Names that complete what is typed. */
  known?: string[];
  /** Whether it is asked for, by what stands in the other fields. */
  when?: (draft: Draft) => boolean;
  wide?: boolean;
}

export type Draft = Record<string, string>;

/** A value as it is typed into a field of that kind. */
export function written(kind: Kind, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "span") return writeDuration(value as number);
  if (kind === "share") return `${+((value as number) * 100).toFixed(4)} %`;
  if (kind === "list") return (value as unknown[]).join(", ");
  if (kind === "check") return value ? "1" : "";
  return kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}

/** The value that a text stands for; what cannot be read is sent as it is, so that the server says why. */
export function read(kind: Kind, text: string): unknown {
  const cleaned = text.trim();
  if (kind === "check") return cleaned !== "";
  if (kind === "list") return cleaned === "" ? [] : cleaned.split(/[\s,]+/);
  if (cleaned === "") return kind === "text" || kind === "name" || kind === "choice" || kind === "secret" ? "" : null;
  if (kind === "span") return parseDuration(cleaned) ?? cleaned;
  if (kind === "number") return Number.isFinite(Number(cleaned)) ? Number(cleaned) : cleaned;
  if (kind === "share") return shareOf(cleaned);
  return kind === "json" ? jsonOf(cleaned) : cleaned;
}

/** `50 %`, `50%` and `0.5` are the same share. */
function shareOf(text: string): unknown {
  const value = Number(text.replace(/%$/, ""));
  if (!Number.isFinite(value)) return text;
  return text.endsWith("%") ? +(value / 100).toFixed(6) : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function draftOf(fields: FieldSpec[], start: Record<string, unknown>): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, written(field.kind, start[field.name])]));
}

/** The body that a draft stands for; fields that are not asked for, and empty ones, are left out. */
export function bodyOf(fields: FieldSpec[], draft: Draft): Record<string, unknown> {
  const asked = fields.filter((field) => !field.when || field.when(draft));
  const pairs = asked.map((field) => [field.name, read(field.kind, draft[field.name] ?? "")] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== "" && value !== null && !(Array.isArray(value) && value.length === 0)));
}

/** What two definitions say differently, field by field, as they would be typed. */
export function differences(fields: FieldSpec[], mine: Draft, theirs: Draft): { name: string; label: string; mine: string; theirs: string }[] {
  return fields.filter(({ name }) => (mine[name] ?? "") !== (theirs[name] ?? "")).map(({ name, label }) => ({ name, label, mine: mine[name] ?? "", theirs: theirs[name] ?? "" }));
}

/** A body as options of a command: `--at-once 3 --wait 10s`. */
export function options(body: Record<string, unknown>): string {
  return Object.entries(body)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((one) => [name, one] as const) : [[name, value] as const]))
    .map(([name, value]) => ` --${name.replaceAll("_", "-")}${value === true ? "" : ` ${quoted(value)}`}`)
    .join("");
}

/** A word of a shell. */
export function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
