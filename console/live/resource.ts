// What pages read: one copy of each address, read again when a change says that it is out of date, or when it has grown old.
import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type Answer, Refusal, get } from "../api/call.ts";
import { serverNow } from "./clock.ts";
import { namespace } from "./route.ts";
import { paused } from "./pause.ts";

const GAP = 500;
const KEPT = 120;

export interface Resource<T> {
  path: string;
  data: Signal<T | undefined>;
  text: Signal<string>;
  etag: Signal<string>;
  error: Signal<Refusal | undefined>;
  busy: Signal<boolean>;
  /** When it was read last, by the server's clock; 0: never. */
  at: Signal<number>;
}

interface Held extends Resource<unknown> {
  key: string;
  users: number;
  every: number;
  begun: number;
  stale: boolean;
}

const held = new Map<string, Held>();

/** The resource at a path, kept fresh while the component is shown; null reads nothing. */
export function useResource<T>(path: string | null, { every = 0 }: { every?: number } = {}): Resource<T> {
  const key = path === null ? "" : `${namespace.value} ${path}`;
  const found = useMemo(() => (path === null ? blank(key, "") : resourceOf(key, path)), [key]);
  useEffect(() => {
    if (path === null) return;
    const release = () => {
      found.users -= 1;
    };
    found.users += 1;
    found.every = every;
    if (found.busy.peek()) return release;
    if (found.at.peek() === 0 || found.stale || serverNow() - found.at.peek() > GAP) void read(found);
    return release;
  }, [found, every]);
  return found as Resource<T>;
}

/** Read it now, before anything shows it. */
export function readAhead(path: string): void {
  void read(resourceOf(`${namespace.peek()} ${path}`, path));
}

function resourceOf(key: string, path: string): Held {
  const known = held.get(key);
  const found = known ?? blank(key, path);
  held.delete(key);
  held.set(key, found);
  for (const [old, one] of held) {
    if (held.size <= KEPT) break;
    if (one.users === 0) held.delete(old);
  }
  return found;
}

function blank(key: string, path: string): Held {
  return {
    key,
    path,
    data: signal<unknown>(undefined),
    text: signal(""),
    etag: signal(""),
    error: signal<Refusal | undefined>(undefined),
    busy: signal(false),
    at: signal(0),
    users: 0,
    every: 0,
    begun: 0,
    stale: false,
  };
}

async function read(one: Held): Promise<void> {
  if (one.busy.peek()) {
    one.stale = true;
    return;
  }
  one.busy.value = true;
  one.stale = false;
  one.begun = performance.now();
  try {
    accept(one, await get<unknown>(one.path));
  } catch (error) {
    one.error.value = error instanceof Refusal ? error : new Refusal(0, { code: "unreadable", detail: String(error) });
  } finally {
    one.busy.value = false;
    one.at.value = serverNow();
  }
}

function accept(one: Held, answer: Answer<unknown>): void {
  one.error.value = undefined;
  one.etag.value = answer.etag;
  // The same bytes are the same view: nothing is drawn again.
  if (answer.text === one.text.peek() && one.data.peek() !== undefined) return;
  one.text.value = answer.text;
  one.data.value = answer.data;
}

export function reread(resource: Resource<unknown>): void {
  void read(resource as Held);
}

/** Say that what is read at matching paths is out of date. */
export function outdate(matches: (path: string) => boolean): void {
  for (const one of held.values()) if (matches(one.path)) one.stale = true;
}

export function outdateAll(): void {
  outdate(() => true);
}

export function forgetAll(): void {
  held.clear();
}

/** Read again what is shown and is out of date or old; never while the page is hidden or rests. */
function tend(): void {
  if (document.hidden || paused.peek()) return;
  const moment = serverNow();
  for (const one of held.values()) {
    // What the server still counts is read again soon.
    const counting = (one.data.peek() as { counting?: boolean } | undefined)?.counting;
    const old = one.every > 0 && moment - one.at.peek() >= (counting ? 2 * GAP : one.every);
    const rested = performance.now() - one.begun >= GAP;
    if (one.users > 0 && rested && (one.stale || old)) void read(one);
  }
}

export function startTending(): void {
  setInterval(tend, GAP / 2);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) outdateAll();
  });
}
