// What a person chose for this browser: theme and language reach the server as cookies, the rest stays here.
import { signal } from "@preact/signals";

const YEAR = 31_536_000;
const stored = typeof localStorage === "undefined" ? null : localStorage;

export type Theme = "auto" | "light" | "dark";
export type Density = "compact" | "regular" | "roomy";

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

export function isDark(): boolean {
  if (theme.peek() !== "auto") return theme.peek() === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
