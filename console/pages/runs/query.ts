// The typed filter of runs: `state:failed job:charge since:24h`, read into terms, and terms into parameters of the API.

export interface Term {
  key: string;
  value: string;
  /** Where it stands in the text. */
  from: number;
  to: number;
}

export interface Wrong {
  text: string;
  code: "unknown_key" | "no_key" | "bad_value";
  /** What may have been meant. */
  meant: string;
}

export interface Parsed {
  terms: Term[];
  wrong: Wrong[];
}

export type Parameters = Record<string, string | string[]>;

/** The server's grammar: it reads the text; here is what the field completes and marks while a person types. */
export const KEYS = ["state", "job", "queue", "tag", "label", "key", "parent", "id", "since", "until", "duration", "wait", "attempt", "priority", "executor", "trigger", "backfill", "handler", "by", "reason", "error", "code", "step", "input"] as const;
export const STATE_VALUES = ["queued", "waiting", "running", "succeeded", "failed", "cancelled", "skipped"];
export const SINCE_VALUES = ["15m", "1h", "6h", "24h", "7d", "30d"];

/** Values with blanks stand in double quotes. */
const TERM = /(?:(-?[a-z_]+)(\.[^\s:"]+)?:)?("(?:[^"\\]|\\.)*"?|\S+)/g;

export function parseQuery(text: string): Parsed {
  const terms: Term[] = [];
  const wrong: Wrong[] = [];
  for (const found of text.matchAll(TERM)) {
    const [whole, name, dotted, raw = ""] = found;
    const value = unquoted(raw);
    if (name === undefined) wrong.push({ text: whole, code: "no_key", meant: `job:${whole}` });
    else if (name === "label" && dotted) terms.push(termOf("label", `${dotted.slice(1)}=${value}`, found));
    else if (dotted && name.replace("-", "") === "input") terms.push(termOf(`${name}${dotted}`, value, found));
    else if (dotted || !(KEYS as readonly string[]).includes(name.replace("-", ""))) wrong.push({ text: whole, code: "unknown_key", meant: nearest(name, KEYS) });
    else checked(name, value, found, terms, wrong);
  }
  return { terms, wrong };
}

function checked(name: string, value: string, found: RegExpMatchArray, terms: Term[], wrong: Wrong[]): void {
  const bad = value === "" ? null : name === "state" ? value.split(",").find((one) => !STATE_VALUES.includes(one)) : isTime(name) && instantOf(value, 0) === null ? value : undefined;
  if (bad === undefined) terms.push(termOf(name, value, found));
  else if (bad !== null) wrong.push({ text: `${name}:${bad}`, code: "bad_value", meant: name === "state" ? `state:${nearest(bad, STATE_VALUES)}` : `${name}:24h` });
}

const isTime = (name: string) => name === "since" || name === "until";

function termOf(key: string, value: string, found: RegExpMatchArray): Term {
  const from = found.index ?? 0;
  return { key, value, from, to: from + found[0].length };
}

function unquoted(raw: string): string {
  return raw.startsWith('"') ? raw.replace(/^"|"$/g, "").replaceAll('\\"', '"') : raw;
}

export function writeTerm(key: string, value: string): string {
  const [name, text] = key === "label" && value.includes("=") ? [`label.${value.slice(0, value.indexOf("="))}`, value.slice(value.indexOf("=") + 1)] : [key, value];
  return `${name}:${/[\s"]/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text}`;
}

export function writeQuery(terms: { key: string; value: string }[]): string {
  return terms.map(({ key, value }) => writeTerm(key, value)).join(" ");
}

/** The query with the terms of one key replaced; an empty value takes them out. */
export function withTerm(text: string, key: string, value: string): string {
  const others = parseQuery(text).terms.filter((term) => term.key !== key);
  return writeQuery(value === "" ? others : [...others, { key, value }]);
}

/** Parameters of `GET /runs`; relative times are counted from `now`, to the half minute, so that the address stays the same for a while. */
export function parametersOf(terms: Term[], now: number): Parameters {
  const many: Record<string, string[]> = {};
  const one: Record<string, string> = {};
  const moment = Math.ceil(now / 30_000) * 30_000;
  for (const { key, value } of terms) {
    if (value === "") continue;
    if (key === "state") (many["state"] ??= []).push(...value.split(","));
    else if (key === "tag" || key === "label") (many[key] ??= []).push(value);
    else if (isTime(key)) one[key] = instantOf(value, moment) ?? value;
    else one[key === "id" ? "prefix" : key] = value;
  }
  return { ...one, ...many };
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** An instant of `24h` before now, or of a time that is written out; null if it is neither. */
export function instantOf(value: string, now: number): string | null {
  const span = /^(\d+)([smhdw])$/.exec(value);
  if (span) return new Date(now - Number(span[1]) * (UNITS[span[2] ?? "s"] ?? 1) * 1000).toISOString();
  return /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : null;
}

/** The known word that is fewest letters away. */
export function nearest(word: string, known: readonly string[]): string {
  return [...known].sort((one, other) => distance(word, one) - distance(word, other))[0] ?? word;
}

export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
