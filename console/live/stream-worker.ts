// One stream for all tabs of a browser: a shared worker holds it, and hands events to every tab that listens.
import { type Condition, follow } from "./follow.ts";
import type { ServerEvent } from "./sse.ts";

export interface Listen {
  url: string;
  headers: Record<string, string>;
}

export type Told = { events: ServerEvent[] } | { condition: Condition };

interface Line {
  ports: Set<MessagePort>;
  condition: Condition;
  stop: () => void;
}

const lines = new Map<string, Line>();

function listen(port: MessagePort, { url, headers }: Listen): void {
  leave(port);
  // Tabs of different people do not share a stream.
  const key = JSON.stringify([url, headers]);
  const known = lines.get(key);
  if (known) {
    known.ports.add(port);
    port.postMessage({ condition: known.condition } satisfies Told);
    return;
  }
  const line: Line = { ports: new Set([port]), condition: "connecting", stop: () => {} };
  const tell = (told: Told) => line.ports.forEach((one) => one.postMessage(told));
  lines.set(key, line);
  line.stop = follow({
    url,
    headers,
    onEvents: (events) => tell({ events }),
    onCondition: (condition) => {
      line.condition = condition;
      tell({ condition });
    },
  });
}

function leave(port: MessagePort): void {
  for (const [key, line] of lines) {
    if (line.ports.delete(port) && line.ports.size === 0) {
      line.stop();
      lines.delete(key);
    }
  }
}

addEventListener("connect", (event) => {
  const port = (event as MessageEvent).ports[0];
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<Listen | "leave">) => (data === "leave" ? leave(port) : listen(port, data));
});
