// Follows one stream of events: reads it, comes back after a cut, and says how it stands.
import { EventReader, type ServerEvent } from "./sse.ts";

export type Condition = "live" | "connecting" | "lost" | "refused";

export interface Following {
  url: string;
  headers: Record<string, string>;
  onEvents: (events: ServerEvent[]) => void;
  onCondition: (condition: Condition) => void;
}

const FIRST_WAIT = 1000;
const LAST_WAIT = 15_000;

/** Follow until the returned function is called. */
export function follow(following: Following): () => void {
  const ending = new AbortController();
  void keep(following, ending.signal);
  return () => ending.abort();
}

async function keep({ url, headers, onEvents, onCondition }: Following, signal: AbortSignal): Promise<void> {
  const reader = new EventReader();
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    onCondition("connecting");
    try {
      const again: Record<string, string> = reader.lastId === "" ? {} : { "last-event-id": reader.lastId };
      const response = await fetch(url, { headers: { ...headers, ...again }, signal, cache: "no-store" });
      if (response.status === 401 || response.status === 403) return onCondition("refused");
      if (response.ok && response.body) {
        onCondition("live");
        wait = FIRST_WAIT;
        await drink(response.body, reader, onEvents);
      }
    } catch {
      // What went wrong is seen by the next try.
    }
    if (signal.aborted) return;
    onCondition("lost");
    await pause(wait, signal);
    wait = Math.min(wait * 2, LAST_WAIT);
  }
}

async function drink(body: ReadableStream<Uint8Array>, reader: EventReader, onEvents: Following["onEvents"]): Promise<void> {
  const pieces = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) return;
    const events = reader.feed(value);
    if (events.length > 0) onEvents(events);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
