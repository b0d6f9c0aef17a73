// A list that holds still: rows change where they stand, and new ones are offered, never put under the pointer.
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { get } from "../../api/call.ts";
import type { RunInfo, RunPage } from "../../api/schema.ts";
import type { Resource } from "../../live/resource.ts";
import { FINAL } from "../../parts/basics.tsx";

const LOOKED_AFTER = 10;
/** Rows that fill a screen, and calls that are made for them: a call looks only at so many runs, and its page may be short. */
const ENOUGH = 50;
const LOOKS_MAX = 20;

export interface SteadyList {
  rows: RunInfo[];
  known: boolean;
  /** How many runs are newer than what is shown. */
  fresh: number;
  more: string | null;
  adopt: () => void;
  readMore: () => void;
}

interface Held {
  rows: RunInfo[];
  next: string | null;
  fresh: number;
}

export function useSteadyList(resource: Resource<RunPage>, path: string): SteadyList {
  const held = useMemo(() => signal<Held | null>(null), [path]);
  const page = resource.data.value;
  useEffect(() => {
    if (!page) return;
    const before = held.peek();
    if (before === null || before.rows.length === 0) {
      held.value = { rows: page.runs, next: page.next, fresh: 0 };
      return;
    }
    const merged = mergeRuns(before.rows, page.runs);
    held.value = { ...before, ...merged };
    void lookAfter(before.rows, page.runs).then((later) => {
      const current = held.peek();
      if (current && later.size > 0) held.value = { ...current, rows: current.rows.map((row) => later.get(row.id) ?? row) };
    });
  }, [page, held]);
  useEffect(() => {
    let wanted = true;
    const lookOn = async (looks: number): Promise<void> => {
      const current = held.peek();
      if (!wanted || looks >= LOOKS_MAX || !current?.next || current.rows.length >= ENOUGH) return;
      await readMore();
      await lookOn(looks + 1);
    };
    // A look that is refused is offered as a button.
    void lookOn(0).catch(() => undefined);
    return () => (wanted = false);
  }, [page !== null && page !== undefined, held]);
  const readMore = async () => {
    const current = held.peek();
    if (!current?.next) return;
    const { data } = await get<RunPage>(`${path}&cursor=${encodeURIComponent(current.next)}`);
    const known = new Set(current.rows.map((row) => row.id));
    held.value = { ...current, rows: [...current.rows, ...data.runs.filter((run) => !known.has(run.id))], next: data.next };
  };
  return {
    rows: held.value?.rows ?? [],
    known: held.value !== null,
    fresh: held.value?.fresh ?? 0,
    more: held.value?.next ?? null,
    adopt: () => page && (held.value = { rows: page.runs, next: page.next, fresh: 0 }),
    readMore: () => void readMore(),
  };
}

/** The rows as they were ordered, with what is known of them now, and how many of the page are not among them. */
export function mergeRuns(shown: RunInfo[], page: RunInfo[]): { rows: RunInfo[]; fresh: number } {
  const now = new Map(page.map((run) => [run.id, run]));
  const rows = shown.map((row) => now.get(row.id) ?? row);
  const known = new Set(shown.map((row) => row.id));
  return { rows, fresh: page.filter((run) => !known.has(run.id)).length };
}

/** Rows that were not over and have left the page: what became of them. */
async function lookAfter(shown: RunInfo[], page: RunInfo[]): Promise<Map<string, RunInfo>> {
  const there = new Set(page.map((run) => run.id));
  const gone = shown.filter((row) => !there.has(row.id) && !(FINAL as string[]).includes(row.state)).slice(0, LOOKED_AFTER);
  const found = await Promise.allSettled(gone.map((row) => get<RunInfo>(`runs/${row.id}`)));
  return new Map(found.flatMap((one) => (one.status === "fulfilled" ? [[one.value.data.id, one.value.data] as const] : [])));
}
