// The keys that work everywhere, and the list of all keys.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { density, isDark, nextZone, setDensity, setTheme } from "../live/preferences.ts";
import { paused } from "../live/pause.ts";
import { go, link } from "../live/route.ts";
import { copy } from "../parts/copy.ts";
import { Modal } from "../parts/dialog.tsx";
import { type KeyAct, shownKeys, startKeys } from "../parts/keys.ts";
import { paletteOpen } from "../parts/palette.tsx";
import { words } from "../words/index.ts";
import { PAGES } from "./pages.ts";

const helpOpen = signal(false);
const DENSITIES = ["compact", "regular", "roomy"] as const;

function everywhere(): KeyAct[] {
  const w = words.value;
  const names = w.pages as Record<string, string>;
  const pages = PAGES.flatMap(({ id, key }) => (key ? [{ key: `g ${key}`, name: names[id] ?? id, run: () => go(link(id)) }] : []));
  return [
    { key: "?", name: w.keys.help, run: () => (helpOpen.value = true) },
    { key: "/", name: w.keys.filter, run: () => document.querySelector<HTMLElement>("main [data-filter]")?.focus() },
    { key: "p", name: w.keys.pause, run: () => (paused.value = !paused.value) },
    { key: "t", name: w.keys.theme, run: () => setTheme(isDark() ? "light" : "dark") },
    { key: "z", name: w.keys.zone, run: nextZone },
    { key: "d", name: w.keys.density, run: () => setDensity(DENSITIES[(DENSITIES.indexOf(density.value) + 1) % DENSITIES.length] ?? "regular") },
    { key: "y", name: w.keys.copyLink, run: () => void copy(location.href) },
    ...pages,
  ];
}

export function startEverywhereKeys(): void {
  startKeys(everywhere(), () => (paletteOpen.value = true));
}

export function KeysHelp(): JSX.Element | null {
  const w = words.value;
  if (!helpOpen.value) return null;
  const parts: [string, KeyAct[]][] = [
    [w.keys.here, shownKeys.value],
    [w.keys.everywhere, everywhere().filter((one) => !one.key.startsWith("g "))],
    [w.keys.lists, w.keys.ofLists.map(([key, name]) => ({ key, name, run: () => {} }))],
    [w.palette.go, everywhere().filter((one) => one.key.startsWith("g "))],
  ];
  return (
    <Modal title={w.frame.keys} wide onClose={() => (helpOpen.value = false)}>
      <div class="keys-help">
        {parts.filter(([, acts]) => acts.length > 0).map(([title, acts]) => (
          <section key={title}>
            <h3 class="caps">{title}</h3>
            <dl>
              {acts.map((one) => (
                <div key={one.key}>
                  <dt>{one.key.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                  <dd>{one.name}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
