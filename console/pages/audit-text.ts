// Entries of the audit log as text: what changed from what to what, and lines of a file.
import type { AuditEntryInfo } from "../api/schema.ts";

export interface Changed {
  name: string;
  before: string;
  after: string;
}

const text = (value: unknown) => (value === undefined || value === null ? "–" : typeof value === "string" ? value : JSON.stringify(value));

/** Fields whose values before and after the entry has, as `{field: {before, after}}`, `{field: [before, after]}` or a list of these. */
export function shownChanges(details: Record<string, unknown>): Changed[] {
  const given = details["changes"] ?? details["changed"];
  if (Array.isArray(given)) return given.flatMap((one) => (isPair(one) ? [{ name: String((one as Record<string, unknown>)["path"] ?? ""), before: text(one.before), after: text(one.after) }] : []));
  const fields = given && typeof given === "object" ? (given as Record<string, unknown>) : details;
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isPair(value)) return [{ name, before: text(value.before), after: text(value.after) }];
    return Array.isArray(value) && value.length === 2 && given ? [{ name, before: text(value[0]), after: text(value[1]) }] : [];
  });
}

function isPair(value: unknown): value is { before?: unknown; after?: unknown } {
  return typeof value === "object" && value !== null && ("before" in value || "after" in value);
}

export function auditRows(entries: AuditEntryInfo[]): string[][] {
  return [["at", "actor", "token", "namespace", "act", "kind", "key", "details"], ...entries.map((one) => [one.at, one.actor.name, one.actor.token ?? "", one.namespace, one.act, one.kind, one.key, JSON.stringify(one.details)])];
}

/** Comma-separated, with what a spreadsheet would take for a formula made text. */
export function csvOf(rows: string[][]): string {
  const cell = (value: string) => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(cell).join(",")).join("\r\n");
}

/** Give the browser a file to keep. */
export function save(name: string, content: string, type: string): void {
  const made = document.createElement("a");
  made.href = URL.createObjectURL(new Blob([content], { type }));
  made.download = name;
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 10_000);
}
