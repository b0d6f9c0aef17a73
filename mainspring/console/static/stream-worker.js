// live/sse.ts
var EventReader = class {
  rest = "";
  lastId = "";
  /** The events that are whole now. */
  feed(piece) {
    const blocks = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => this.read(block));
  }
  read(block) {
    let kind = "message";
    const data = [];
    for (const line of block.split("\n")) {
      const [name, value] = cut(line);
      if (name === "event") kind = value;
      else if (name === "data") data.push(value);
      else if (name === "id") this.lastId = value;
    }
    return data.length === 0 ? [] : [{ kind, data: data.join("\n"), id: this.lastId }];
  }
};
function cut(line) {
  const at = line.indexOf(":");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
}

// live/follow.ts
var FIRST_WAIT = 1e3;
var LAST_WAIT = 15e3;
function follow(following) {
  const ending = new AbortController();
  void keep(following, ending.signal);
  return () => ending.abort();
}
async function keep({ url, headers, onEvents, onCondition }, signal) {
  const reader = new EventReader();
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    onCondition("connecting");
    try {
      const again = reader.lastId === "" ? {} : { "last-event-id": reader.lastId };
      const response = await fetch(url, { headers: { ...headers, ...again }, signal, cache: "no-store" });
      if (response.status === 401 || response.status === 403) return onCondition("refused");
      if (response.ok && response.body) {
        onCondition("live");
        wait = FIRST_WAIT;
        await drink(response.body, reader, onEvents);
      }
    } catch {
    }
    if (signal.aborted) return;
    onCondition("lost");
    await pause(wait, signal);
    wait = Math.min(wait * 2, LAST_WAIT);
  }
}
async function drink(body, reader, onEvents) {
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader();
  for (; ; ) {
    const { done, value } = await pieces.read();
    if (done) return;
    const events = reader.feed(value);
    if (events.length > 0) onEvents(events);
  }
}
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// live/stream-worker.ts
var lines = /* @__PURE__ */ new Map();
function listen(port, { url, headers }) {
  leave(port);
  const key = JSON.stringify([url, headers]);
  const known = lines.get(key);
  if (known) {
    known.ports.add(port);
    port.postMessage({ condition: known.condition });
    return;
  }
  const line = { ports: /* @__PURE__ */ new Set([port]), condition: "connecting", stop: () => {
  } };
  const tell = (told) => line.ports.forEach((one) => one.postMessage(told));
  lines.set(key, line);
  line.stop = follow({
    url,
    headers,
    onEvents: (events) => tell({ events }),
    onCondition: (condition) => {
      line.condition = condition;
      tell({ condition });
    }
  });
}
function leave(port) {
  for (const [key, line] of lines) {
    if (line.ports.delete(port) && line.ports.size === 0) {
      line.stop();
      lines.delete(key);
    }
  }
}
addEventListener("connect", (event) => {
  const port = event.ports[0];
  if (!port) return;
  port.onmessage = ({ data }) => data === "leave" ? leave(port) : listen(port, data);
});
