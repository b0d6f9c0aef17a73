// What a retry policy means: when each attempt begins, at the earliest and at the latest.

export interface Policy {
  attempts: number;
  backoff: number;
  backoff_max: number;
  multiplier: number;
  budget: number | null;
}

export interface Try {
  number: number;
  /** Seconds that are waited before it, at most. */
  wait: number;
  /** Seconds after the first attempt at which it begins, at the latest and without the time that attempts take. */
  at: number;
}

const SHOWN = 12;

export function triesOf(policy: Policy): Try[] {
  const tries: Try[] = [{ number: 1, wait: 0, at: 0 }];
  for (let number = 2; number <= Math.min(policy.attempts, SHOWN); number += 1) {
    const wait = Math.min(policy.backoff * policy.multiplier ** (number - 2), policy.backoff_max);
    const at = (tries.at(-1)?.at ?? 0) + wait;
    if (policy.budget !== null && at > policy.budget) break;
    tries.push({ number, wait, at });
  }
  return tries;
}
