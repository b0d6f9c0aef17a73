// A few numbers as a line of text, for beside a word: small enough for the cell of a table.
const BLOCKS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** The largest is a whole block; nothing is the lowest line, or what the caller wants there. */
export function blocks(values: number[], none = "▁"): string {
  const most = Math.max(...values, 1);
  return values.map((value) => (value === 0 ? none : (BLOCKS[Math.ceil((value / most) * (BLOCKS.length - 1))] ?? ""))).join("");
}
