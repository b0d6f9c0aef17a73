// The server's time, ticking: relative times are counted from it, not from the browser's clock.
import { signal } from "@preact/signals";

const TOLERATED = 2000;

/** Milliseconds by which the browser's clock is behind the server's; 0 while the two agree. */
export const clockOffset = signal(0);
/** The server's time, each second. */
export const now = signal(Date.now());

export function serverNow(): number {
  return Date.now() + clockOffset.peek();
}

/** The `Date` of an answer has whole seconds: only a difference that is larger than that counts. */
export function noteServerTime(date: string | null, browser = Date.now()): void {
  const said = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(said)) return;
  const offset = said + 500 - browser;
  const next = Math.abs(offset) > TOLERATED ? offset : 0;
  if (Math.abs(next - clockOffset.peek()) > 1000) clockOffset.value = next;
}

export function startClock(): void {
  const tick = () => {
    now.value = serverNow();
    setTimeout(tick, 1000 - (now.peek() % 1000));
  };
  tick();
}
