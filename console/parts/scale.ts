// Where axes end and what stands on them.

/** The next number that reads well: 1, 1.5, 2, 3, 5, 8 and their tens. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) {
    const top = step * power;
    if (top >= value && (top >= 10 || Number.isInteger(top))) return top;
  }
  return 10 * power;
}

/** Whole numbers from 0 to the top, in so many steps or fewer. */
export function ticksOf(top: number, steps: number): number[] {
  const parts = [steps, steps + 1, steps + 2, 2, 1].find((part) => Number.isInteger(top / part)) ?? 1;
  return Array.from({ length: parts + 1 }, (_, place) => (top / parts) * place);
}

/** The height of a duration among others, from 0 to 1: half as long is a little lower, a tenth still to be seen. */
export function logHeight(seconds: number, longest: number): number {
  return Math.max(0.18, Math.log10(1 + (9 * seconds) / Math.max(longest, 1e-6)));
}
