// One input for finding and doing: pages, runs by id, key and tag, names, and the acts of the page.
import { signal, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { get, query } from "../api/call.ts";
import type { FoundThing, SearchInfo } from "../api/schema.ts";
import { go, link } from "../live/route.ts";
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

const KINDS: Record<string, { page: "runs" | "jobs" | "workflows" | "triggers" | "queues" | "executors"; icon: IconName }> = {
  run: { page: "runs", icon: "runs" },
  job: { page: "jobs", icon: "jobs" },
  workflow: { page: "workflows", icon: "workflows" },
  trigger: { page: "triggers", icon: "triggers" },
  queue: { page: "queues", icon: "queues" },
  executor: { page: "executors", icon: "executors" },
};

async function search(wanted: string, signal: AbortSignal): Promise<Found[]> {
  if (wanted.length < 2) return [];
  const { data } = await get<SearchInfo>(query("search", { q: wanted }), { signal });
  return data.found.map(foundOf);
}

/** A run says its job and state, and is named by the end of its id. */
function foundOf({ kind, name, note }: FoundThing): Found {
  const { page, icon } = KINDS[kind] ?? { page: "runs", icon: "runs" };
  const [job = "", state = ""] = (note ?? "").split(" ");
  const states = words.value.states as Record<string, string>;
  const isRun = kind === "run";
  return { group: words.value.pages[page], icon, name: isRun ? `${job} …${name.slice(-8)}` : name, note: isRun ? (states[state] ?? state) : (note ?? ""), run: () => go(link(page, name)) };
}
