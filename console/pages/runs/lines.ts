// Lines of a log as rows of equal height: gaps in time marked, several lines of one record folded, and where each row stands.
import type { LogLine } from "../../api/schema.ts";

export const ROW = 20;
const GAP = 10_000;

export type LogRow = { kind: "line"; line: LogLine; delta: number; rows: number; text: string[] } | { kind: "gap"; seconds: number; key: number };

const ANSI = /\u001b\[[0-9;]*m/g;

export function levelOf(level: number): "debug" | "info" | "warn" | "error" {
  return level >= 40 ? "error" : level >= 30 ? "warn" : level >= 20 ? "info" : "debug";
}

/** Rows of the lines at or over a level; records in `open` show all their lines. */
export function rowsOf(lines: LogLine[], least: number, open: Set<number>): LogRow[] {
  return addRows([], lines, least, open);
}

/** Rows behind others: those of lines that came since. */
function addRows(rows: LogRow[], lines: LogLine[], least: number, open: Set<number>): LogRow[] {
  const last = rows.at(-1);
  let before = last?.kind === "line" ? Date.parse(last.line.at) : 0;
  for (const line of lines) {
    if (line.level < least) continue;
    const at = Date.parse(line.at);
    const delta = before === 0 ? 0 : at - before;
    if (delta >= GAP) rows.push({ kind: "gap", seconds: delta / 1000, key: -line.seq });
    const text = line.message.replaceAll(ANSI, "").split("\n");
    rows.push({ kind: "line", line, delta: delta / 1000, text, rows: open.has(line.seq) ? text.length : 1 });
    before = at;
  }
  return rows;
}

/** Rows of a log that grows: a page more costs as much as that page, not as the whole log. */
export class GrowingRows {
  private seen: LogLine[] = [];
  private rows: LogRow[] = [];
  private least = 0;
  private open: Set<number> | null = null;

  of(lines: LogLine[], least: number, open: Set<number>): LogRow[] {
    const size = this.seen.length;
    const grew = this.open === open && this.least === least && size > 0 && lines.length >= size && lines[0] === this.seen[0] && lines[size - 1] === this.seen[size - 1];
    this.rows = grew ? addRows([...this.rows], lines.slice(size), least, open) : rowsOf(lines, least, open);
    [this.seen, this.least, this.open] = [lines, least, open];
    return this.rows;
  }
}

/** The tops of the rows, and the whole height at the end. */
export function topsOf(rows: LogRow[]): number[] {
  const tops = [0];
  for (const row of rows) tops.push((tops.at(-1) ?? 0) + ROW * (row.kind === "line" ? row.rows : 1));
  return tops;
}

/** The first row that reaches below a height. */
export function rowAt(tops: number[], height: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Places of the rows that contain a text, small and capital letters alike. */
export function findIn(rows: LogRow[], wanted: string): number[] {
  const small = wanted.toLowerCase();
  if (small === "") return [];
  return rows.flatMap((row, place) => (row.kind === "line" && row.line.message.toLowerCase().includes(small) ? [place] : []));
}
