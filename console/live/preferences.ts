// What a person chose, as this browser knows it: theme and language are cookies, so that the first page is drawn with them.
// `kept.ts` has it follow the person to other browsers.
import { signal } from "@preact/signals";

const YEAR = 31_536_000;
const stored = typeof localStorage === "undefined" ? null : localStorage;

export type Theme = "auto" | "light" | "dark";
export type Density = "compact" | "regular" | "roomy";
export type Range = "15m" | "1h" | "24h" | "7d";

const root = typeof document === "undefined" ? null : document.documentElement;

export const theme = signal<Theme>((root?.dataset["theme"] as Theme | undefined) ?? "auto");
export const density = signal<Density>((stored?.getItem("mainspring.density") as Density | null) ?? "regular");
/** The zone of the clock: empty for the browser's own. */
export const zone = signal(stored?.getItem("mainspring.zone") ?? "");
/** Whether single keys act; some people's voice control would type them. */
export const keys = signal(stored?.getItem("mainspring.keys") !== "off");

export function prefer(name: "theme" | "language", value: string): void {
  document.cookie = `mainspring-${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}

export function setTheme(next: Theme): void {
  theme.value = next;
  document.documentElement.dataset["theme"] = next;
  prefer("theme", next);
}

export function setDensity(next: Density): void {
  density.value = next;
  document.documentElement.dataset["density"] = next;
  stored?.setItem("mainspring.density", next);
}

/** A zone of one's own choice, which the clock offers beside the browser's own and UTC. */
export const ownZone = signal(stored?.getItem("mainspring.own-zone") ?? "");

export function setZone(next: string): void {
  zone.value = next;
  stored?.setItem("mainspring.zone", next);
  if (next === "" || next === "UTC") return;
  ownZone.value = next;
  stored?.setItem("mainspring.own-zone", next);
}

export function nextZone(): void {
  const zones = ["", "UTC", ...(ownZone.value ? [ownZone.value] : [])];
  setZone(zones[(zones.indexOf(zone.value) + 1) % zones.length] ?? "");
}

export function setKeys(on: boolean): void {
  keys.value = on;
  stored?.setItem("mainspring.keys", on ? "on" : "off");
}

/** How much time charts show where the address says nothing of it. */
export const range = signal<Range>((stored?.getItem("mainspring.range") as Range | null) ?? "1h");

export function setRange(next: Range): void {
  range.value = next;
  stored?.setItem("mainspring.range", next);
}

export function isDark(): boolean {
  if (theme.peek() !== "auto") return theme.peek() === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
