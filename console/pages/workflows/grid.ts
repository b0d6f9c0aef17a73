// The geometry of a grid of runs against steps: which cells are in sight, and where a key leads.

export const CELL = 24;
export const ROW = 26;
export const NAMES = 190;
const MARGIN = 4;

/** States of steps, in the tones of runs, by the letters of the server. */
export const STATE_OF: Record<string, string> = { w: "queued", b: "running", s: "succeeded", f: "failed", c: "cancelled", k: "skipped" };

export interface View {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The rows and columns in sight, and a few beside them. */
export function windowOf(view: View, rows: number, columns: number): { rows: number[]; columns: number[] } {
  return { rows: range(view.top / ROW - 1, view.height / ROW, rows), columns: range((view.left - NAMES) / CELL, (view.width + NAMES) / CELL, columns) };
}

function range(first: number, size: number, all: number): number[] {
  const from = Math.max(0, Math.floor(first) - MARGIN);
  const to = Math.min(all, Math.ceil(first + size) + MARGIN);
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);
}

/** Where an arrow key leads; null for keys that lead nowhere. */
export function moved(key: string, [row, column]: [number, number], rows: number, columns: number): [number, number] | null {
  const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -columns], End: [0, columns] };
  const step = steps[key];
  if (!step) return null;
  return [Math.max(0, Math.min(rows - 1, row + step[0])), Math.max(0, Math.min(columns - 1, column + step[1]))];
}

/** How far to scroll, and no farther, for a cell to stand free of the names and the head. */
export function scrollTo(view: View, [row, column]: [number, number]): { left: number; top: number } {
  return { left: within(view.left, column * CELL, view.width - NAMES - CELL), top: within(view.top, row * ROW, view.height - 2 * ROW) };
}

function within(at: number, wanted: number, room: number): number {
  return Math.max(wanted - room, Math.min(at, wanted));
}
