// A trigger as it is typed: a spec with the fields of every kind, of which the chosen one counts.
import type { TriggerSpec } from "../../api/schema.ts";
import { parseDuration, writeDuration } from "../../words/format.ts";

export type Kind = "cron" | "interval" | "delay" | "once" | "windows" | "webhook" | "event";
export const KINDS: Kind[] = ["cron", "interval", "delay", "once", "windows", "webhook", "event"];

export type Draft = Record<
  | "name" | "job" | "kind" | "expressions" | "zone" | "gap" | "fold" | "every" | "delay" | "at" | "opens" | "closes" | "weekdays"
  | "auth" | "signature_header" | "key" | "mapping" | "type" | "filter"
  | "calendar" | "roll" | "input" | "queue" | "priority" | "tags" | "description"
  | "misfire" | "catch_up_max" | "start_deadline" | "overlap" | "overlap_max" | "pause_after"
  | "start_at" | "end_at" | "fires_max" | "jitter" | "group" | "spread",
  string
>;

const BLANK: Draft = {
  name: "", job: "", kind: "cron", expressions: "0 2 * * *", zone: "UTC", gap: "next_valid", fold: "first", every: "15 m", delay: "1 h", at: "", opens: "09:00", closes: "17:30", weekdays: "",
  auth: "hmac", signature_header: "", key: "", mapping: "{}", type: "", filter: "{}",
  calendar: "", roll: "skip", input: "{}", queue: "", priority: "", tags: "", description: "",
  misfire: "once", catch_up_max: "100", start_deadline: "", overlap: "allow", overlap_max: "100", pause_after: "",
  start_at: "", end_at: "", fires_max: "", jitter: "0 s", group: "", spread: "0 s",
};

const text = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

export function blankDraft(given: Partial<Draft>): Draft {
  return { ...BLANK, ...given };
}

export function draftOf(spec: TriggerSpec): Draft {
  const when = spec.when as Record<string, unknown> & { kind: Kind };
  const rule: Partial<Draft> = { kind: when.kind };
  for (const name of ["zone", "gap", "fold", "at", "opens", "closes", "auth", "signature_header", "key", "type"] as const) if (when[name] !== undefined) rule[name] = text(when[name]);
  if (Array.isArray(when["expressions"])) rule.expressions = when["expressions"].join("\n");
  if (Array.isArray(when["weekdays"])) rule.weekdays = when["weekdays"].join(" ");
  for (const name of ["every", "delay"] as const) if (typeof when[name] === "number") rule[name] = writeDuration(when[name]);
  for (const name of ["mapping", "filter"] as const) if (when[name] !== undefined) rule[name] = JSON.stringify(when[name], null, 2);
  const whole = spec as Record<string, unknown>;
  for (const name of ["name", "job", "calendar", "roll", "queue", "priority", "description", "misfire", "catch_up_max", "overlap", "overlap_max", "pause_after", "fires_max", "group", "start_at", "end_at"] as const) if (whole[name] !== undefined) rule[name] = text(whole[name]);
  for (const name of ["start_deadline", "jitter", "spread"] as const) if (typeof whole[name] === "number") rule[name] = writeDuration(whole[name]);
  return blankDraft({ ...rule, input: JSON.stringify(spec.input ?? {}), tags: (spec.tags ?? []).join(" ") });
}

/** The rule of the kind that is chosen; what cannot be read is sent as it was typed, so that the server says what is wrong. */
export function whenOf(draft: Draft): Record<string, unknown> {
  const span = (value: string) => parseDuration(value) ?? value;
  const zone = draft.zone;
  switch (draft.kind as Kind) {
    case "cron":
      return { kind: "cron", expressions: draft.expressions.split("\n").map((one) => one.trim()).filter((one) => one !== ""), zone, gap: draft.gap, fold: draft.fold };
    case "interval":
      return { kind: "interval", every: span(draft.every) };
    case "delay":
      return { kind: "delay", delay: span(draft.delay) };
    case "once":
      return { kind: "once", at: instant(draft.at) };
    case "windows":
      return { kind: "windows", every: span(draft.every), opens: draft.opens, closes: draft.closes, zone, ...(draft.weekdays.trim() ? { weekdays: words(draft.weekdays) } : {}) };
    case "webhook":
      return { kind: "webhook", auth: draft.auth, mapping: json(draft.mapping), ...(draft.key ? { key: draft.key } : {}), ...(draft.signature_header ? { signature_header: draft.signature_header } : {}) };
    case "event":
      return { kind: "event", type: draft.type, filter: json(draft.filter), mapping: json(draft.mapping) };
  }
}

/** The body of a PUT: fields at their defaults are left out, as they would be in code. */
export function specOf(draft: Draft): Record<string, unknown> {
  const body: Record<string, unknown> = { job: draft.job, when: whenOf(draft), input: json(draft.input) };
  for (const name of ["calendar", "roll", "queue", "description", "misfire", "overlap", "group"] as const) if (draft[name] !== BLANK[name]) body[name] = draft[name];
  for (const name of ["priority", "catch_up_max", "overlap_max", "pause_after", "fires_max"] as const) if (draft[name] !== BLANK[name] && draft[name] !== "") body[name] = number(draft[name]);
  for (const name of ["start_deadline", "jitter", "spread"] as const) if (draft[name] !== BLANK[name] && draft[name] !== "") body[name] = parseDuration(draft[name]) ?? draft[name];
  for (const name of ["start_at", "end_at"] as const) if (draft[name]) body[name] = instant(draft[name]);
  if (draft.tags.trim()) body["tags"] = words(draft.tags);
  return body;
}

const words = (value: string): string[] => value.trim().split(/[\s,]+/);
const number = (value: string): number | string => (Number.isFinite(Number(value)) ? Number(value) : value);

function json(value: string): unknown {
  try {
    return JSON.parse(value.trim() || "{}");
  } catch {
    return value;
  }
}

function instant(value: string): string {
  const read = Date.parse(value);
  return Number.isNaN(read) ? value : new Date(read).toISOString();
}

/** Fields that differ, with what they were. */
export function changesOf(before: Draft, after: Draft): { name: keyof Draft; was: string; is: string }[] {
  return (Object.keys(after) as (keyof Draft)[]).filter((name) => before[name] !== after[name]).map((name) => ({ name, was: before[name], is: after[name] }));
}
