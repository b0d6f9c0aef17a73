// Cron fields for the builder: the text is the truth, and the builder writes it and reads it back.

export interface CronField {
  id: "second" | "minute" | "hour" | "day" | "month" | "weekday";
  from: number;
  to: number;
}

const SIX: CronField[] = [
  { id: "second", from: 0, to: 59 },
  { id: "minute", from: 0, to: 59 },
  { id: "hour", from: 0, to: 23 },
  { id: "day", from: 1, to: 31 },
  { id: "month", from: 1, to: 12 },
  { id: "weekday", from: 0, to: 6 },
];
const FIVE = SIX.slice(1);
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The fields of an expression with their text; null for one that the builder does not know, such as `@daily`. */
export function fieldsOf(expression: string): { field: CronField; text: string }[] | null {
  const parts = expression.trim().split(/\s+/);
  const fields = parts.length === 5 ? FIVE : parts.length === 6 ? SIX : null;
  return fields && fields.map((field, place) => ({ field, text: parts[place] ?? "*" }));
}

/** The values that a field's text names; null where it says something that chips cannot, such as `H` or `L`. */
export function valuesOf(field: CronField, text: string): Set<number> | null {
  const values = new Set<number>();
  for (const piece of text.toLowerCase().split(",")) {
    const found = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d+))?$/.exec(piece);
    if (!found) return null;
    const first = found[1] === "*" ? field.from : numberOf(field, found[1] ?? "");
    const last = found[1] === "*" || (found[3] && !found[2]) ? field.to : found[2] ? numberOf(field, found[2]) : first;
    const step = Number(found[3] ?? 1);
    if (first === null || last === null || first < field.from || last > field.to || first > last || step < 1) return null;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return values;
}

function numberOf(field: CronField, text: string): number | null {
  if (/^\d+$/.test(text)) return field.id === "weekday" && text === "7" ? 0 : Number(text);
  const names = field.id === "month" ? MONTHS : field.id === "weekday" ? WEEKDAYS : [];
  const place = names.indexOf(text.slice(0, 3));
  return place < 0 ? null : place + field.from;
}

/** The shortest text for a set of values: all, steps, ranges and single ones. */
export function textOf(field: CronField, values: Set<number>): string {
  const sorted = [...values].sort((one, other) => one - other);
  const size = field.to - field.from + 1;
  if (sorted.length === 0 || sorted.length === size) return "*";
  const step = (sorted[1] ?? 0) - (sorted[0] ?? 0);
  const even = sorted.length > 2 && sorted.every((value, place) => value === (sorted[0] ?? 0) + place * step);
  if (even && step > 1 && sorted[0] === field.from && (sorted.at(-1) ?? 0) + step > field.to) return `*/${step}`;
  const pieces: string[] = [];
  for (let at = 0; at < sorted.length; at += 1) {
    let end = at;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    pieces.push(end - at >= 2 ? `${sorted[at]}-${sorted[end]}` : sorted.slice(at, end + 1).join(","));
    at = end;
  }
  return pieces.join(",");
}

/** The expression with one field's text replaced. */
export function withField(expression: string, place: number, text: string): string {
  const parts = expression.trim().split(/\s+/);
  parts[place] = text;
  return parts.join(" ");
}
