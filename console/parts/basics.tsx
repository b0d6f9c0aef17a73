// The small parts of every page: states, times, ids, panels, heads, tabs, and how a page looks before and instead of its data.
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Refusal } from "../api/call.ts";
import { now } from "../live/clock.ts";
import { type Resource, reread } from "../live/resource.ts";
import { zone } from "../live/preferences.ts";
import { duration, shortId } from "../words/format.ts";
import { count, relative, words, zoned } from "../words/index.ts";
import { Icon, type IconName } from "./icons.tsx";
import { copy } from "./copy.ts";

export type Children = ComponentChildren;
export type RunState = "queued" | "waiting" | "running" | "succeeded" | "failed" | "cancelled" | "skipped";
export const STATES: RunState[] = ["queued", "waiting", "running", "succeeded", "failed", "cancelled", "skipped"];
export const FINAL: RunState[] = ["succeeded", "failed", "cancelled", "skipped"];

export function StateIcon({ state }: { state: string }): JSX.Element {
  return (
    <svg class={`state-icon is-${state}`} aria-hidden="true">
      <use href={`#s-${state}`} />
    </svg>
  );
}

export function State({ state, note }: { state: string; note?: string | undefined }): JSX.Element {
  const named = words.value.states as Record<string, string>;
  return (
    <span class={`state is-${state}`}>
      <StateIcon state={state} />
      {named[state] ?? state}
      {note && <span class="faint">{note}</span>}
    </span>
  );
}

/** An instant, as long ago or ahead as it is; the whole of it on hover. */
export function Ago({ at }: { at: string | null | undefined }): JSX.Element {
  if (!at) return <span class="faint">–</span>;
  const instant = Date.parse(at);
  return (
    <time dateTime={at} title={fullTime(instant)}>
      {relative((instant - now.value) / 1000)}
    </time>
  );
}

/** An instant to the millisecond, as the chosen clock shows it. */
export function Moment({ at, date = false }: { at: string | null | undefined; date?: boolean }): JSX.Element {
  if (!at) return <span class="faint">–</span>;
  const instant = Date.parse(at);
  const parts = zoned(instant, zone.value || undefined);
  return (
    <time dateTime={at} title={fullTime(instant)}>
      {date && `${parts.date} `}
      {parts.time}
      <span class="faint">.{parts.millis}</span>
    </time>
  );
}

export function fullTime(instant: number): string {
  const parts = zoned(instant, zone.value || undefined);
  return `${parts.weekday} ${parts.date} ${parts.time}.${parts.millis} ${parts.offset}`;
}

export function Took({ seconds }: { seconds: number | null | undefined }): JSX.Element {
  return seconds === null || seconds === undefined ? <span class="faint">–</span> : <>{duration(seconds)}</>;
}

export const Count = ({ value, capped = false }: { value: number; capped?: boolean }) => <>{count(value, capped)}</>;

export function Id({ id, whole = false }: { id: string; whole?: boolean }): JSX.Element {
  return (
    <button type="button" class="id" title={whole ? words.value.copy : id} onClick={() => copy(id)}>
      {whole ? id : shortId(id)}
      {whole && <Icon name="copy" />}
    </button>
  );
}

export function Panel(props: { title?: Children; note?: Children; more?: Children; class?: string; children?: Children }): JSX.Element {
  return (
    <section class={`panel ${props.class ?? ""}`}>
      {(props.title || props.more) && (
        <header>
          {props.title && <h2>{props.title}</h2>}
          {props.note && <span class="note">{props.note}</span>}
          {props.more && <span class="more">{props.more}</span>}
        </header>
      )}
      {props.children}
    </section>
  );
}

export function Head(props: { title: string; trail?: Children; beside?: Children; children?: Children }): JSX.Element {
  useTitle(props.title);
  return (
    <>
      {props.trail && <nav class="trail">{props.trail}</nav>}
      <div class="head">
        <h1 tabIndex={-1}>{props.title}</h1>
        {props.beside}
        <span class="grow" />
        <div class="acts">{props.children}</div>
      </div>
    </>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Mainspring`;
  }, [title]);
}

export interface Tab {
  id: string;
  name: string;
  href: string;
  note?: Children;
}

export function Tabs({ tabs, on, label }: { tabs: Tab[]; on: string; label: string }): JSX.Element {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.id} href={tab.href} aria-current={tab.id === on ? "page" : undefined}>
          {tab.name}
          {tab.note !== undefined && tab.note !== null && <small>{tab.note}</small>}
        </a>
      ))}
    </nav>
  );
}

export interface Choice {
  id: string;
  name: string;
}

export function Segments(props: { label: string; choices: Choice[]; on: string; onChoose: (id: string) => void; small?: boolean }): JSX.Element {
  return (
    <span class={`segments ${props.small ? "small" : ""}`} role="group" aria-label={props.label}>
      {props.choices.map(({ id, name }) => (
        <button key={id} type="button" aria-pressed={id === props.on} onClick={() => props.onChoose(id)}>
          {name}
        </button>
      ))}
    </span>
  );
}

type ButtonProps = {
  icon?: IconName;
  kind?: "main" | "danger" | "plain";
  small?: boolean;
  /** Why it cannot be pressed now; it stays in reach, so that this can be read. */
  refused?: string | undefined;
  onClick?: ((event: MouseEvent) => void) | undefined;
  children?: Children;
  label?: string;
  type?: "button" | "submit";
  pressed?: boolean;
};

export function Button({ icon, kind = "plain", small, refused, onClick, children, label, type = "button", pressed }: ButtonProps): JSX.Element {
  return (
    <button
      type={type}
      class={`button ${kind} ${small ? "small" : ""} ${children ? "" : "only"}`}
      aria-disabled={refused ? "true" : undefined}
      aria-label={label}
      aria-pressed={pressed}
      title={refused ?? label}
      onClick={(event) => (refused ? event.preventDefault() : onClick?.(event))}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export function ButtonLink({ href, icon, small, kind = "plain", children }: { href: string; icon?: IconName; small?: boolean; kind?: string; children: Children }): JSX.Element {
  return (
    <a href={href} class={`button ${kind} ${small ? "small" : ""}`}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

export function Tag({ kind = "", title, children }: { kind?: string; title?: string; children: Children }): JSX.Element {
  return (
    <span class={`tag ${kind}`} title={title}>
      {children}
    </span>
  );
}

/** How much of something is taken; full is told by colour and by the number beside it. */
export function Gauge({ taken, room, wide = false }: { taken: number; room: number; wide?: boolean }): JSX.Element {
  const share = room > 0 ? Math.min(1, taken / room) : 0;
  return (
    <span class={`gauge ${share >= 1 && room > 0 ? "full" : ""} ${wide ? "wide" : ""}`} aria-hidden="true">
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** What a panel shows of its resource: the data, or why there are none, or the frame of what is to come. */
export function Shown<T>({ of, rows = 3, children }: { of: Resource<T>; rows?: number; children: (data: T) => Children }): JSX.Element {
  const data = of.data.value;
  const error = of.error.value;
  if (data === undefined && error) return <Failed error={error} onRetry={() => reread(of)} />;
  if (data === undefined) return <Waiting rows={rows} />;
  return (
    <>
      {error && <Failed error={error} onRetry={() => reread(of)} slim />}
      {children(data)}
    </>
  );
}

export function Failed({ error, onRetry, slim = false }: { error: Refusal; onRetry?: () => void; slim?: boolean }): JSX.Element {
  const w = words.value;
  return (
    <div class={`failed-box ${slim ? "slim" : ""}`} role="alert">
      <Icon name="warn" />
      <span class="grow">
        <b>{error.status === 403 ? w.errors.forbidden : error.status === 404 ? w.errors.gone : error.status === 0 ? w.errors.unreachable : w.errors.failed}</b>{" "}
        {error.status !== 0 && <span class="dim">{error.message}</span>} <code class="faint">{error.code}</code>
      </span>
      {onRetry && (
        <Button small icon="retry" onClick={onRetry}>
          {w.errors.again}
        </Button>
      )}
    </div>
  );
}

/** Nothing for 150 ms, then bars of the size of what comes. */
export function Waiting({ rows = 3 }: { rows?: number }): JSX.Element {
  const late = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (late.value = true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="waiting-box" aria-busy="true">
      {late.value && Array.from({ length: rows }, (_, row) => <i key={row} style={{ width: `${88 - ((row * 23) % 40)}%` }} />)}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: Children }): JSX.Element {
  return (
    <div class="empty">
      <p>{title}</p>
      {children}
    </div>
  );
}

/** A line to copy into a shell. */
export function Command({ line }: { line: string }): JSX.Element {
  return (
    <div class="command">
      <code>{line}</code>
      <Button small icon="copy" label={words.value.copy} onClick={() => copy(line)} />
    </div>
  );
}
