// One input for finding and doing: pages, runs by id, key and tag, names, and the acts of the page.
import { signal, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { get, query } from "../api/call.ts";
import type { JobPage, QueuePage, RunPage, TriggerPage } from "../api/schema.ts";
import { go, link, linkWith } from "../live/route.ts";
import { words } from "../words/index.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Modal } from "./dialog.tsx";
import { PAGES } from "../frame/pages.ts";
import { shownKeys } from "./keys.ts";

const MOST = 5;
const WAIT = 80;
const RUN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Found {
  group: string;
  icon: IconName;
  name: string;
  note?: string;
  run: () => void;
}

export const paletteOpen = signal(false);

export function Palette(): JSX.Element | null {
  return paletteOpen.value ? <PaletteBox /> : null;
}

function PaletteBox(): JSX.Element {
  const w = words.value;
  const text = useSignal("");
  const remote = useSignal<Found[]>([]);
  const at = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  useSignalEffect(() => {
    const wanted = text.value.trim();
    at.value = 0;
    if (RUN_ID.test(wanted)) {
      close();
      go(link("runs", wanted.toLowerCase()));
      return;
    }
    const ending = new AbortController();
    const timer = setTimeout(() => void search(wanted, ending.signal).then((found) => (remote.value = found), () => {}), WAIT);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  });
  const found = [...remote.value, ...local(text.value)];
  const choose = (one: Found | undefined) => {
    if (!one) return;
    close();
    one.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      at.value = (at.value + step + found.length) % Math.max(1, found.length);
      list.current?.querySelector(`#found-${at.value}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(found[at.value]);
    }
  };
  return (
    <Modal title={w.palette.title} onClose={close}>
      <div class="palette">
        <div class="ask">
          <Icon name="find" />
          <input
            autoFocus
            role="combobox"
            aria-label={w.palette.title}
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={found.length > 0 ? `found-${at.value}` : undefined}
            placeholder={w.palette.placeholder}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
            onKeyDown={onKey}
          />
        </div>
        <ul id="palette-list" role="listbox" aria-label={w.palette.title} ref={list}>
          {found.map((one, place) => (
            <li
              key={`${one.group}:${one.name}:${place}`}
              id={`found-${place}`}
              role="option"
              aria-selected={place === at.value}
              onMouseMove={() => (at.value = place)}
              onClick={() => choose(one)}
            >
              <span class="caps">{found[place - 1]?.group === one.group ? "" : one.group}</span>
              <Icon name={one.icon} />
              <span class="grow cut">{one.name}</span>
              <span class="faint">{one.note}</span>
            </li>
          ))}
          {found.length === 0 && <li class="none">{w.palette.none}</li>}
        </ul>
      </div>
    </Modal>
  );
}

function close(): void {
  paletteOpen.value = false;
}

function local(text: string): Found[] {
  const w = words.value;
  const wanted = text.trim().toLowerCase();
  const names = w.pages as Record<string, string>;
  const pages = PAGES.map(({ id, icon, key }): Found => ({ group: w.palette.go, icon, name: names[id] ?? id, note: key ? `g ${key}` : "", run: () => go(link(id)) }));
  const acts = shownKeys.value.map((one): Found => ({ group: w.palette.act, icon: "play", name: one.name, note: one.key, run: one.run }));
  const matching = [...acts, ...pages].filter((one) => one.name.toLowerCase().includes(wanted));
  return wanted === "" ? matching : matching.slice(0, 2 * MOST);
}

async function search(wanted: string, signal: AbortSignal): Promise<Found[]> {
  if (wanted.length < 2) return [];
  const asked = await Promise.allSettled([byPrefix(wanted, signal), jobs(wanted, signal), triggers(wanted, signal), queues(wanted, signal), marked(wanted, signal)]);
  return asked.flatMap((one) => (one.status === "fulfilled" ? one.value.slice(0, MOST) : []));
}

async function byPrefix(wanted: string, signal: AbortSignal): Promise<Found[]> {
  if (!/^[0-9a-f-]{4,}$/i.test(wanted)) return [];
  return runsOf(await get<RunPage>(query("runs", { prefix: wanted.toLowerCase(), limit: MOST }), { signal }));
}

/** `#vip` is a tag, `country=DE` a label, anything else may be a key. */
async function marked(wanted: string, signal: AbortSignal): Promise<Found[]> {
  const by: Record<string, string> = wanted.startsWith("#") ? { tag: wanted.slice(1) } : wanted.includes("=") ? { label: wanted } : { key: wanted };
  return runsOf(await get<RunPage>(query("runs", { ...by, limit: MOST }), { signal }));
}

function runsOf({ data }: { data: RunPage }): Found[] {
  const w = words.value;
  const states = w.states as Record<string, string>;
  return data.runs.map((run) => ({ group: w.pages.runs, icon: "runs", name: `${run.job} …${run.id.slice(-8)}`, note: states[run.state] ?? run.state, run: () => go(link("runs", run.id)) }));
}

async function jobs(prefix: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await get<JobPage>(query("jobs", { prefix, limit: MOST }), { signal });
  return data.jobs.map(({ name, queue }) => ({ group: words.value.pages.jobs, icon: "jobs", name, note: queue, run: () => go(link("jobs", name)) }));
}

async function triggers(prefix: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await get<TriggerPage>(query("triggers", { prefix, limit: MOST }), { signal });
  return data.triggers.map(({ name, words: when }) => ({ group: words.value.pages.triggers, icon: "triggers", name, note: when, run: () => go(link("triggers", name)) }));
}

async function queues(prefix: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await get<QueuePage>("queues?limit=100", { signal });
  return data.queues
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name }) => ({ group: words.value.pages.queues, icon: "queues", name, run: () => go(linkWith({}, "queues", name)) }));
}
