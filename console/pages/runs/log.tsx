// The log of a run: windowed, searched, followed while it grows; following stops when one scrolls up.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { get } from "../../api/call.ts";
import type { LogLine, LogPage } from "../../api/schema.ts";
import { zone } from "../../live/preferences.ts";
import { asked, place, setQuery } from "../../live/route.ts";
import { Button, Empty, Segments, Waiting } from "../../parts/basics.tsx";
import { copy } from "../../parts/copy.ts";
import { Icon } from "../../parts/icons.tsx";
import { duration } from "../../words/format.ts";
import { count, timeOf, words } from "../../words/index.ts";
import { GrowingRows, type LogRow, ROW, findIn, levelOf, rowAt, topsOf } from "./lines.ts";

const PAGE = 1000;
const MOST = 100_000;
const EVERY = 1000;
const LEVELS: Record<string, number> = { "": 0, info: 20, warn: 30, error: 40 };

interface Read {
  lines: LogLine[];
  next: number;
  begun: boolean;
}

function useLog(id: string, over: boolean): Signal<Read> {
  const read = useSignal<Read>({ lines: [], next: 0, begun: false });
  const ended = useRef(over);
  ended.current = over;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let stopped = false;
    const turn = async () => {
      let full = false;
      try {
        const before = read.peek();
        const { data } = await get<LogPage>(`runs/${id}/logs?after=${before.next}&limit=${PAGE}`);
        if (stopped) return;
        full = data.logs.length === PAGE && before.lines.length < MOST;
        if (data.logs.length > 0 || !before.begun) read.value = { lines: [...before.lines, ...data.logs].slice(-MOST), next: data.next, begun: true };
      } catch {
        // The page says that the server is away; the next turn tries again.
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

export function Log({ id, over }: { id: string; over: boolean }): JSX.Element {
  const w = words.value;
  const { lines, begun } = useLog(id, over).value;
  const open = useSignal<Set<number>>(new Set());
  const level = asked("level");
  const wanted = asked("find");
  const growing = useMemo(() => new GrowingRows(), [id]);
  const rows = useMemo(() => growing.of(lines, LEVELS[level] ?? 0, open.value), [lines, level, open.value]);
  const hits = useMemo(() => findIn(rows, wanted), [rows, wanted]);
  const hit = useSignal(0);
  const following = useSignal(!over && !place.value.hash);
  const levels = useMemo(() => ({ warn: lines.filter((line) => levelOf(line.level) === "warn").length, error: lines.filter((line) => levelOf(line.level) === "error").length }), [lines]);
  const step = (by: number) => hits.length > 0 && (hit.value = (hit.value + by + hits.length) % hits.length);
  return (
    <div class="log-box">
      <div class="tools">
        <label class="search">
          <Icon name="find" />
          <input aria-label={w.log.search} placeholder={w.log.search} value={wanted} onInput={(event) => { hit.value = 0; setQuery({ find: event.currentTarget.value }); }} onKeyDown={(event) => event.key === "Enter" && step(event.shiftKey ? -1 : 1)} />
          {wanted && <span class="faint">{hits.length === 0 ? "0" : `${Math.min(hit.value, hits.length - 1) + 1} ${w.of} ${count(hits.length)}`}</span>}
        </label>
        <Segments small label={w.log.level} on={level} onChoose={(id_) => setQuery({ level: id_ })} choices={[{ id: "", name: w.log.all }, { id: "info", name: "info" }, { id: "warn", name: `warn ${levels.warn || ""}` }, { id: "error", name: `error ${levels.error || ""}` }]} />
        <span class="grow" />
        {!over && <button type="button" class={`live is-${following.value ? "live" : "paused"}`} onClick={() => (following.value = !following.value)}><i /><span>{following.value ? w.log.following : w.log.follow}</span></button>}
        <Button small icon="copy" label={w.log.copy} onClick={() => copy(textOf(lines))} />
        <Button small icon="save" label={w.log.download} onClick={() => download(id, lines)} />
      </div>
      {!begun ? <Waiting rows={6} /> : lines.length === 0 ? <NoLog over={over} /> : <Lines rows={rows} wanted={wanted} lit={hits[Math.min(hit.value, hits.length - 1)]} following={following} open={open} />}
    </div>
  );
}

function NoLog({ over }: { over: boolean }): JSX.Element {
  const w = words.value;
  return <Empty title={over ? w.log.none : w.log.noneYet}><pre class="block">ctx.logger.info("page %d of %d", page, pages)</pre></Empty>;
}

interface LinesProps {
  rows: LogRow[];
  wanted: string;
  lit: number | undefined;
  following: Signal<boolean>;
  open: Signal<Set<number>>;
}

function Lines({ rows, wanted, lit, following, open }: LinesProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const tops = useMemo(() => topsOf(rows), [rows]);
  const height = tops.at(-1) ?? 0;
  const shown = Math.min(460, Math.max(120, height + 14));
  useEffect(() => {
    if (following.value && box.current) box.current.scrollTop = height;
  }, [height, following.value]);
  useEffect(() => {
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
  return (
    <div class="log" ref={box} style={{ height: `${shown}px` }} onScroll={onScroll} tabIndex={0} role="log" aria-label={words.value.run.tabs.log}>
      <div style={{ height: `${height}px`, position: "relative" }}>
        {rows.slice(first, last).map((row, offset) => (
          <div key={row.kind === "gap" ? row.key : row.line.seq} class="log-at" style={{ top: `${tops[first + offset] ?? 0}px` }}>
            {row.kind === "gap" ? <div class="gap">{words.value.log.gap(duration(row.seconds))}</div> : <LineRow row={row} wanted={wanted} lit={first + offset === lit} open={open} />}
          </div>
        ))}
      </div>
    </div>
  );
}

function LineRow({ row, wanted, lit, open }: { row: Extract<LogRow, { kind: "line" }>; wanted: string; lit: boolean; open: Signal<Set<number>> }): JSX.Element {
  const { line, text, rows } = row;
  const level = levelOf(line.level);
  const named = place.value.hash === `L${line.seq}`;
  const fold = () => {
    const next = new Set(open.value);
    if (!next.delete(line.seq)) next.add(line.seq);
    open.value = next;
  };
  return (
    <div class={`line ${named || lit ? "at" : ""}`}>
      <a class="n" href={`#L${line.seq}`}>{line.seq}</a>
      <time class="t" dateTime={line.at}>{timeOf(Date.parse(line.at), zone.value || undefined)}</time>
      <span class={`l is-${level}`}>{level.toUpperCase()}</span>
      <span class="m">
        {text.length > 1 && <button type="button" class="fold" aria-expanded={rows > 1} onClick={fold}>{rows > 1 ? "▾" : `▸ ${text.length}`}</button>}
        {(rows > 1 ? text : text.slice(0, 1)).map((part, at) => <span key={at} class="part"><Marked text={part} wanted={wanted} /></span>)}
      </span>
      <span class="d">{row.delta > 0 ? `+${duration(row.delta)}` : ""}</span>
    </div>
  );
}

function Marked({ text, wanted }: { text: string; wanted: string }): JSX.Element {
  if (wanted === "") return <>{text}</>;
  const parts: JSX.Element[] = [];
  const small = text.toLowerCase();
  let from = 0;
  for (let at = small.indexOf(wanted.toLowerCase()); at >= 0; at = small.indexOf(wanted.toLowerCase(), from)) {
    parts.push(<>{text.slice(from, at)}</>, <mark>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return <>{parts}{text.slice(from)}</>;
}

function textOf(lines: LogLine[]): string {
  return lines.map((line) => `${line.at} ${levelOf(line.level).toUpperCase().padEnd(5)} ${line.message}`).join("\n");
}

function download(id: string, lines: LogLine[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([textOf(lines)], { type: "text/plain" }));
  link.download = `${id}.log`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
