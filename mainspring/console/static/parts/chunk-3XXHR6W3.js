import {
  Button,
  Empty,
  Icon,
  Segments,
  Waiting,
  copy
} from "./chunk-IBKJQSZ2.js";
import {
  asked,
  count,
  duration,
  get,
  place,
  setQuery,
  timeOf,
  useSignal,
  words,
  zone
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A,
  T,
  w
} from "./chunk-DPBHMWAZ.js";

// pages/runs/lines.ts
var ROW = 20;
var GAP = 1e4;
var ANSI = /\u001b\[[0-9;]*m/g;
function levelOf(level) {
  return level >= 40 ? "error" : level >= 30 ? "warn" : level >= 20 ? "info" : "debug";
}
function rowsOf(lines, least, open) {
  return addRows([], lines, least, open);
}
function addRows(rows, lines, least, open) {
  const last = rows.at(-1);
  let before = last?.kind === "line" ? Date.parse(last.line.at) : 0;
  for (const line of lines) {
    if (line.level < least) continue;
    const at = Date.parse(line.at);
    const delta = before === 0 ? 0 : at - before;
    if (delta >= GAP) rows.push({ kind: "gap", seconds: delta / 1e3, key: -line.seq });
    const text = line.message.replaceAll(ANSI, "").split("\n");
    rows.push({ kind: "line", line, delta: delta / 1e3, text, rows: open.has(line.seq) ? text.length : 1 });
    before = at;
  }
  return rows;
}
var GrowingRows = class {
  seen = [];
  rows = [];
  least = 0;
  open = null;
  of(lines, least, open) {
    const size = this.seen.length;
    const grew = this.open === open && this.least === least && size > 0 && lines.length >= size && lines[0] === this.seen[0] && lines[size - 1] === this.seen[size - 1];
    this.rows = grew ? addRows([...this.rows], lines.slice(size), least, open) : rowsOf(lines, least, open);
    [this.seen, this.least, this.open] = [lines, least, open];
    return this.rows;
  }
};
function topsOf(rows) {
  const tops = [0];
  for (const row of rows) tops.push((tops.at(-1) ?? 0) + ROW * (row.kind === "line" ? row.rows : 1));
  return tops;
}
function rowAt(tops, height) {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = low + high + 1 >> 1;
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}
function findIn(rows, wanted) {
  const small = wanted.toLowerCase();
  if (small === "") return [];
  return rows.flatMap((row, place2) => row.kind === "line" && row.line.message.toLowerCase().includes(small) ? [place2] : []);
}

// pages/runs/log.tsx
var PAGE = 1e3;
var MOST = 1e5;
var EVERY = 1e3;
var LEVELS = { "": 0, info: 20, warn: 30, error: 40 };
function useLog(id, over) {
  const read = useSignal({ lines: [], next: 0, begun: false });
  const ended = T(over);
  ended.current = over;
  A(() => {
    let timer;
    let stopped = false;
    const turn = async () => {
      let full = false;
      try {
        const before = read.peek();
        const { data } = await get(`runs/${id}/logs?after=${before.next}&limit=${PAGE}`);
        if (stopped) return;
        full = data.logs.length === PAGE && before.lines.length < MOST;
        if (data.logs.length > 0 || !before.begun) read.value = { lines: [...before.lines, ...data.logs].slice(-MOST), next: data.next, begun: true };
      } catch {
      }
      if (!stopped && (full || !ended.current || !read.peek().begun)) timer = setTimeout(() => void turn(), full ? 0 : EVERY);
    };
    void turn();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [id, over]);
  return read;
}
function Log({ id, over }) {
  const w2 = words.value;
  const { lines, begun } = useLog(id, over).value;
  const open = useSignal(/* @__PURE__ */ new Set());
  const level = asked("level");
  const wanted = asked("find");
  const growing = w(() => new GrowingRows(), [id]);
  const rows = w(() => growing.of(lines, LEVELS[level] ?? 0, open.value), [lines, level, open.value]);
  const hits = w(() => findIn(rows, wanted), [rows, wanted]);
  const hit = useSignal(0);
  const following = useSignal(!over && !place.value.hash);
  const levels = w(() => ({ warn: lines.filter((line) => levelOf(line.level) === "warn").length, error: lines.filter((line) => levelOf(line.level) === "error").length }), [lines]);
  const step = (by) => hits.length > 0 && (hit.value = (hit.value + by + hits.length) % hits.length);
  return /* @__PURE__ */ a("div", { class: "log-box", children: [
    /* @__PURE__ */ a("div", { class: "tools", children: [
      /* @__PURE__ */ a("label", { class: "search", children: [
        /* @__PURE__ */ a(Icon, { name: "find" }),
        /* @__PURE__ */ a("input", { "aria-label": w2.log.search, placeholder: w2.log.search, value: wanted, onInput: (event) => {
          hit.value = 0;
          setQuery({ find: event.currentTarget.value });
        }, onKeyDown: (event) => event.key === "Enter" && step(event.shiftKey ? -1 : 1) }),
        wanted && /* @__PURE__ */ a("span", { class: "faint", children: hits.length === 0 ? "0" : `${Math.min(hit.value, hits.length - 1) + 1} ${w2.of} ${count(hits.length)}` })
      ] }),
      /* @__PURE__ */ a(Segments, { small: true, label: w2.log.level, on: level, onChoose: (id_) => setQuery({ level: id_ }), choices: [{ id: "", name: w2.log.all }, { id: "info", name: "info" }, { id: "warn", name: `warn ${levels.warn || ""}` }, { id: "error", name: `error ${levels.error || ""}` }] }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      !over && /* @__PURE__ */ a("button", { type: "button", class: `live is-${following.value ? "live" : "paused"}`, onClick: () => following.value = !following.value, children: [
        /* @__PURE__ */ a("i", {}),
        /* @__PURE__ */ a("span", { children: following.value ? w2.log.following : w2.log.follow })
      ] }),
      /* @__PURE__ */ a(Button, { small: true, icon: "copy", label: w2.log.copy, onClick: () => copy(textOf(lines)) }),
      /* @__PURE__ */ a(Button, { small: true, icon: "save", label: w2.log.download, onClick: () => download(id, lines) })
    ] }),
    !begun ? /* @__PURE__ */ a(Waiting, { rows: 6 }) : lines.length === 0 ? /* @__PURE__ */ a(NoLog, { over }) : /* @__PURE__ */ a(Lines, { rows, wanted, lit: hits[Math.min(hit.value, hits.length - 1)], following, open })
  ] });
}
function NoLog({ over }) {
  const w2 = words.value;
  return /* @__PURE__ */ a(Empty, { title: over ? w2.log.none : w2.log.noneYet, children: /* @__PURE__ */ a("pre", { class: "block", children: 'ctx.logger.info("page %d of %d", page, pages)' }) });
}
function Lines({ rows, wanted, lit, following, open }) {
  const box = T(null);
  const top = useSignal(0);
  const tops = w(() => topsOf(rows), [rows]);
  const height = tops.at(-1) ?? 0;
  const shown = Math.min(460, Math.max(120, height + 14));
  A(() => {
    if (following.value && box.current) box.current.scrollTop = height;
  }, [height, following.value]);
  A(() => {
    const named = Number(/^L(\d+)$/.exec(place.peek().hash)?.[1] ?? NaN);
    const target = lit ?? rows.findIndex((row) => row.kind === "line" && row.line.seq === named);
    if (target >= 0 && box.current) box.current.scrollTop = Math.max(0, (tops[target] ?? 0) - shown / 3);
  }, [lit, rows.length > 0]);
  const first = Math.max(0, rowAt(tops, top.value) - 4);
  const last = Math.min(rows.length, rowAt(tops, top.value + shown) + 5);
  const onScroll = () => {
    if (!box.current) return;
    top.value = box.current.scrollTop;
    const atEnd = height - box.current.scrollTop - shown < ROW * 2;
    if (following.value && !atEnd) following.value = false;
  };
  return /* @__PURE__ */ a("div", { class: "log", ref: box, style: { height: `${shown}px` }, onScroll, tabIndex: 0, role: "log", "aria-label": words.value.run.tabs.log, children: /* @__PURE__ */ a("div", { style: { height: `${height}px`, position: "relative" }, children: rows.slice(first, last).map((row, offset) => /* @__PURE__ */ a("div", { class: "log-at", style: { top: `${tops[first + offset] ?? 0}px` }, children: row.kind === "gap" ? /* @__PURE__ */ a("div", { class: "gap", children: words.value.log.gap(duration(row.seconds)) }) : /* @__PURE__ */ a(LineRow, { row, wanted, lit: first + offset === lit, open }) }, row.kind === "gap" ? row.key : row.line.seq)) }) });
}
function LineRow({ row, wanted, lit, open }) {
  const { line, text, rows } = row;
  const level = levelOf(line.level);
  const named = place.value.hash === `L${line.seq}`;
  const fold = () => {
    const next = new Set(open.value);
    if (!next.delete(line.seq)) next.add(line.seq);
    open.value = next;
  };
  return /* @__PURE__ */ a("div", { class: `line ${named || lit ? "at" : ""}`, children: [
    /* @__PURE__ */ a("a", { class: "n", href: `#L${line.seq}`, children: line.seq }),
    /* @__PURE__ */ a("time", { class: "t", dateTime: line.at, children: timeOf(Date.parse(line.at), zone.value || void 0) }),
    /* @__PURE__ */ a("span", { class: `l is-${level}`, children: level.toUpperCase() }),
    /* @__PURE__ */ a("span", { class: "m", children: [
      text.length > 1 && /* @__PURE__ */ a("button", { type: "button", class: "fold", "aria-expanded": rows > 1, onClick: fold, children: rows > 1 ? "▾" : `▸ ${text.length}` }),
      (rows > 1 ? text : text.slice(0, 1)).map((part, at) => /* @__PURE__ */ a("span", { class: "part", children: /* @__PURE__ */ a(Marked, { text: part, wanted }) }, at))
    ] }),
    /* @__PURE__ */ a("span", { class: "d", children: row.delta > 0 ? `+${duration(row.delta)}` : "" })
  ] });
}
function Marked({ text, wanted }) {
  if (wanted === "") return /* @__PURE__ */ a($, { children: text });
  const parts = [];
  const small = text.toLowerCase();
  let from = 0;
  for (let at = small.indexOf(wanted.toLowerCase()); at >= 0; at = small.indexOf(wanted.toLowerCase(), from)) {
    parts.push(/* @__PURE__ */ a($, { children: text.slice(from, at) }), /* @__PURE__ */ a("mark", { children: text.slice(at, at + wanted.length) }));
    from = at + wanted.length;
  }
  return /* @__PURE__ */ a($, { children: [
    parts,
    text.slice(from)
  ] });
}
function textOf(lines) {
  return lines.map((line) => `${line.at} ${levelOf(line.level).toUpperCase().padEnd(5)} ${line.message}`).join("\n");
}
function download(id, lines) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([textOf(lines)], { type: "text/plain" }));
  link.download = `${id}.log`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}

export {
  Log
};
