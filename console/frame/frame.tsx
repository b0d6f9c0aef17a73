// The frame around every page: rail, namespace, search, how the stream stands, clock, theme and who is signed in.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { query } from "../api/call.ts";
import type { NamespacePage, OverviewInfo, RunCount, SavedViewInfo, SavedViewList, WhoamiInfo } from "../api/schema.ts";
import { clockOffset, now } from "../live/clock.ts";
import { isDark, nextZone, setTheme, zone } from "../live/preferences.ts";
import { paused } from "../live/pause.ts";
import { useResource } from "../live/resource.ts";
import { address, asked, go, link, linkWith, namespace, page, place } from "../live/route.ts";
import { settled } from "../live/settled.ts";
import { signOut } from "../live/enter.ts";
import { beats, condition, lostSince } from "../live/stream.ts";
import { Button, type Children } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { OVERVIEW_EVERY } from "../pages/overview/reads.ts";
import { Menu, MenuItem } from "../parts/menu.tsx";
import { paletteOpen } from "../parts/palette.tsx";
import { duration } from "../words/format.ts";
import { count, language, setLanguage, words, zoned } from "../words/index.ts";
import { Banner } from "./banner.tsx";
import { PAGES, type PageEntry } from "./pages.ts";
import { isWall, useWall } from "./wall.ts";

const VIEWS_SHOWN = 12;
/** Views whose runs are counted: the first ones, as a count costs a read each. */
const VIEWS_COUNTED = 4;
const TYPED_FROM = 8;

export function Frame({ who, children }: { who: WhoamiInfo; children: Children }): JSX.Element {
  const railOpen = useSignal(false);
  const known = useResource<NamespacePage>(isWall() ? "namespaces" : null, { every: 60_000 }).data.value?.namespaces ?? [];
  useWall(known.map(({ name }) => name));
  return (
    <div class={`frame ${railOpen.value ? "rail-open" : ""} ${isWall() ? "wall" : ""}`}>
      <a class="skip" href="#main" onClick={(event) => skip(event)}>
        {words.value.frame.skip}
      </a>
      <header class="top">
      <a class="brand" href={link("overview")}>
        <svg aria-hidden="true">
          <use href="#spring" />
        </svg>
        <span>Mainspring</span>
      </a>
      <div class="bar">
        <Button small icon="menu" label={words.value.frame.menu} onClick={() => (railOpen.value = !railOpen.value)} pressed={railOpen.value} />
        <NamespaceMenu />
        <button type="button" class="find" onClick={() => (paletteOpen.value = true)}>
          <Icon name="find" />
          <span class="grow cut">{words.value.frame.find}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <span class="grow" />
        <Live />
        <Clock />
        <Button icon="theme" label={words.value.frame.theme} onClick={() => setTheme(isDark() ? "light" : "dark")} />
        <Who who={who} />
      </div>
      </header>
      <Rail onGo={() => (railOpen.value = false)} />
      <main id="main">
        <Banner />
        {children}
      </main>
    </div>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("main h1")?.focus();
}

function Rail({ onGo }: { onGo: () => void }): JSX.Element {
  const w = words.value;
  const names = w.pages as Record<string, string>;
  const groups = [["work", ""], ["fleet", w.frame.fleet], ["rules", w.frame.rules]] as const;
  const counts = useRailCounts();
  return (
    <nav class="rail" aria-label={w.frame.pages} onClick={onGo}>
      {groups.map(([group, title]) => (
        <div key={group}>
          {title && <span class="caps">{title}</span>}
          {PAGES.filter((one) => one.group === group).map((one) => (
            <RailLink key={one.id} entry={one} name={names[one.id] ?? one.id} number={counts[one.id]} />
          ))}
        </div>
      ))}
      <SavedViews />
    </nav>
  );
}

/** One's own views and those of the namespace; each leads to its runs. */
function SavedViews(): JSX.Element | null {
  const w = words.value;
  const found = useResource<SavedViewList>(settled.value ? "views" : null, { every: 60_000 }).data.value?.views ?? [];
  if (found.length === 0) return null;
  const on = page.value === "runs" ? asked("q") : null;
  return (
    <div>
      <span class="caps">{w.views.saved}</span>
      {found.slice(0, VIEWS_SHOWN).map((one, place) => <ViewLink key={`${one.shared} ${one.name}`} of={one} on={on === one.q} counted={place < VIEWS_COUNTED} />)}
    </div>
  );
}

/** A view with how many runs match it now, as far as the server counts them. */
function ViewLink({ of, on, counted }: { of: SavedViewInfo; on: boolean; counted: boolean }): JSX.Element {
  const found = useResource<RunCount>(counted ? query("runs/count", { q: of.q }) : null, { every: 30_000 }).data.value;
  return (
    <a href={linkWith({ q: of.q }, "runs")} title={of.q} aria-current={on ? "page" : undefined}>
      <Icon name={of.shared ? "globe" : "star"} />
      <span class="name cut">{of.name}</span>
      {found && <span>{count(found.count, !found.is_complete)}</span>}
    </a>
  );
}

interface RailNumber {
  text: string;
  needs?: boolean;
}

function RailLink({ entry, name, number }: { entry: PageEntry; name: string; number: RailNumber | undefined }): JSX.Element {
  return (
    <a href={link(entry.id)} aria-current={page.value === entry.id ? "page" : undefined}>
      <Icon name={entry.icon} />
      <span class="name">{name}</span>
      {number && <span class={number.needs ? "needs" : ""}>{number.text}</span>}
    </a>
  );
}

/** The numbers of the rail come from the overview, which the server makes once a second for all who look. */
function useRailCounts(): Record<string, RailNumber | undefined> {
  const seen = useResource<OverviewInfo>("overview", { every: OVERVIEW_EVERY }).data.value;
  if (!seen) return {};
  const { findings, findings_more, totals } = seen;
  const open = findings.filter((one) => one.kind === "breaker_open").length;
  const fires = findings.filter((one) => one.alert !== "" && one.acked_by === "").length;
  const needing = (number: number, capped = false) => (number > 0 ? { text: count(number, capped), needs: true } : undefined);
  return {
    overview: needing(findings.length + findings_more),
    workflows: needing(seen.approvals.length, seen.approvals_more),
    breakers: needing(open),
    alerts: needing(fires),
    runs: totals.running ? { text: count(totals.running) } : undefined,
    failures: needing(seen.failing_groups, seen.failing_more),
    executors: { text: count(totals.executors, totals.executors_more), needs: totals.executors === 0 },
    queues: totals.paused_queues ? { text: `❚❚ ${totals.paused_queues}` } : undefined,
  };
}

function NamespaceMenu(): JSX.Element {
  const known = useResource<NamespacePage>(settled.value ? "namespaces" : null, { every: 60_000 }).data.value?.namespaces ?? [];
  const to = (name: string) => go(address(name, place.value.parts.slice(0, 1)));
  const typed = useSignal("");
  const shown = known.filter(({ name }) => name.includes(typed.value.trim()));
  return (
    <Menu label={`${words.value.frame.namespace} ${namespace.value}`} face={<><span class="cut">{namespace.value}</span><Icon name="down" /></>} kind="place">
      {known.length >= TYPED_FROM && <input class="input" onClick={(event) => event.stopPropagation()} aria-label={words.value.frame.findNamespace} placeholder={words.value.frame.findNamespace} value={typed.value} onInput={(event) => (typed.value = event.currentTarget.value)} />}
      {shown.map(({ name, description }) => (
        <MenuItem key={name} onChoose={() => to(name)} on={name === namespace.value} note={description}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

function Live(): JSX.Element {
  const w = words.value.frame;
  const lost = lostSince.value;
  const says = paused.value
    ? { tone: "paused", text: w.paused }
    : lost > 0
      ? { tone: "stale", text: w.stale(duration(Math.max(1, Math.round((now.value - clockOffset.value - lost) / 1000)))) }
      : condition.value === "live"
        ? { tone: "live", text: w.live }
        : { tone: "connecting", text: w.connecting };
  return (
    <button type="button" class={`live is-${says.tone}`} title={w.liveHelp} onClick={() => (paused.value = !paused.value)}>
      <i key={beats.value % 2} />
      <span>{says.text}</span>
    </button>
  );
}

function Clock(): JSX.Element {
  const w = words.value.frame;
  const parts = zoned(now.value, zone.value || undefined);
  const name = zone.value || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const off = Math.abs(clockOffset.value) > 2000;
  return (
    <button type="button" class="clock" title={off ? w.clockOff(duration(Math.abs(clockOffset.value) / 1000)) : w.clockHelp} onClick={nextZone}>
      {off && <Icon name="warn" />}
      {parts.time} <span>{(name.split("/").pop() ?? name).replaceAll("_", " ")}</span>
    </button>
  );
}

function Who({ who }: { who: WhoamiInfo }): JSX.Element {
  const w = words.value;
  const initials = who.name.split(/[\s_-]+/).map((part) => part[0] ?? "").join("").slice(0, 2).toUpperCase();
  return (
    <Menu label={`${initials} ${w.frame.account(who.name)}`} face={<span class="initials" aria-hidden="true">{initials}</span>} kind="who">
      <div class="menu-head">
        <b>{who.name}</b>
        <span class="faint">{w.roles[who.role as keyof typeof w.roles] ?? who.role}</span>
      </div>
      <MenuItem icon="globe" onChoose={() => void setLanguage(language.value === "zh" ? "en" : "zh")}>
        {language.value === "zh" ? "English" : "简体中文"}
      </MenuItem>
      <MenuItem icon="admin" onChoose={() => go(address(namespace.value, ["admin"], { tab: "account" }))}>
        {w.admin.account}
      </MenuItem>
      <MenuItem icon="keyboard" onChoose={() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }))}>
        {w.frame.keys}
      </MenuItem>
      <MenuItem icon="out" onChoose={() => void signOut()}>
        {w.frame.signOut}
      </MenuItem>
    </Menu>
  );
}
