// The language that is shown, and its words.
import { computed, signal } from "@preact/signals";
import { en } from "./en.ts";
import { prefer } from "../live/preferences.ts";
import { type Language, count as countOf, rate as rateOf, relative as relativeOf, timeOf as timeOfZone, zoned as zonedOf } from "./format.ts";

export type Words = typeof en;

export const language = signal<Language>(typeof document !== "undefined" && document.documentElement.lang === "zh" ? "zh" : "en");
const loaded = signal<Words>(en);
/** Makes every text longer and marks it, where somebody looks for texts that no language has, or that find no room. */
const changed = signal((texts: unknown): unknown => texts);
export const words = computed<Words>(() => changed.value(language.value === "zh" ? loaded.value : en) as Words);

/** The words of a part that comes later: they come with it. */
export function both<T>(english: T, chinese: NoInfer<T>): { readonly value: T } {
  return computed(() => changed.value(language.value === "zh" ? chinese : english) as T);
}

/** The second language comes as a part of its own, before anything is shown in it. */
export async function loadLanguage(next: Language = language.value): Promise<void> {
  if (next === "zh") loaded.value = (await import("./zh.ts")).zh;
  if (localStorage.getItem("mainspring.pseudo")) changed.value = (await import("./pseudo.ts")).pseudo;
}

export async function setLanguage(next: Language): Promise<void> {
  await loadLanguage(next);
  language.value = next;
  document.documentElement.lang = next;
  prefer("language", next);
}

export const count = (value: number, capped = false) => countOf(value, language.value, capped);
export const rate = (value: number) => rateOf(value, language.value);
export const relative = (seconds: number) => relativeOf(seconds, language.value);
export const zoned = (instant: number, zone: string | undefined) => zonedOf(instant, zone, language.value);
export const timeOf = (instant: number, zone: string | undefined) => timeOfZone(instant, zone, language.value);
