// A calendar as it is typed, and the definition that it stands for; pure, so that tests need no browser.
import type { Blackout, CalendarInfo, CalendarSpec, DailyBlackout } from "../../api/schema.ts";

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** A window of time: two instants as an input of dates has them, or two times of the clock with their days and zone. */
export interface Window {
  daily: boolean;
  begin: string;
  end: string;
  days: string;
  zone: string;
  name: string;
}

export interface Draft {
  name: string;
  zone: string;
  /** Days of the week that count; the definition names the others. */
  weekdays: string[];
  holidays: string;
  dates: string;
  counted: string;
  windows: Window[];
}

export function countedDays(spec: CalendarSpec): string[] {
  return DAYS.filter((day) => !(spec.weekdays ?? []).includes(day));
}

export function draftOf(found: CalendarInfo | null): Draft {
  const spec = found?.spec;
  return {
    name: found?.name ?? "",
    zone: spec?.zone ?? "",
    weekdays: spec ? countedDays(spec) : DAYS.slice(0, 5),
    holidays: (spec?.holidays ?? []).map((one) => [one.country || one.market, one.subdivision].filter(Boolean).join("-")).join(" "),
    dates: Object.entries(spec?.dates ?? {}).map(([day, why]) => `${day} ${why}`.trim()).join("\n"),
    counted: (spec?.counted ?? []).join(" "),
    windows: [...(spec?.blackouts ?? []).map(typedOnce), ...(spec?.daily_blackouts ?? []).map(typedDaily)],
  };
}

function typedOnce(one: Blackout): Window {
  return { daily: false, begin: localOf(one.since), end: localOf(one.until), days: "", zone: "", name: one.name ?? "" };
}

function typedDaily(one: DailyBlackout): Window {
  return { daily: true, begin: one.opens, end: one.closes, days: (one.weekdays ?? []).join(" "), zone: one.zone ?? "UTC", name: one.name ?? "" };
}

/** The whole definition: what the form does not show stays as it is. */
export function specOf(draft: Draft, found: CalendarInfo | null): Record<string, unknown> {
  const kept: Partial<CalendarSpec> = { ...found?.spec };
  delete (kept as { name?: string }).name;
  return {
    ...kept,
    zone: draft.zone.trim(),
    weekdays: DAYS.filter((day) => !draft.weekdays.includes(day)),
    holidays: listOf(draft.holidays).map(holidaysOf),
    dates: Object.fromEntries(draft.dates.split("\n").map((line) => line.trim()).filter(Boolean).map(dateOf)),
    counted: listOf(draft.counted),
    blackouts: draft.windows.filter((one) => !one.daily).map((one) => ({ since: instantOf(one.begin), until: instantOf(one.end), name: one.name })),
    daily_blackouts: draft.windows.filter((one) => one.daily).map((one) => ({ opens: one.begin, closes: one.end, weekdays: listOf(one.days), zone: one.zone || "UTC", name: one.name })),
  };
}

function listOf(text: string): string[] {
  return text.trim() === "" ? [] : text.trim().split(/[\s,]+/);
}

/** Countries have two letters, markets four. */
function holidaysOf(code: string): Record<string, string> {
  const [place = "", subdivision] = code.split("-");
  if (place.length > 2) return { market: code };
  return { country: place, ...(subdivision ? { subdivision } : {}) };
}

function dateOf(line: string): [string, string] {
  const [day = "", ...name] = line.split(/\s+/);
  return [day, name.join(" ")];
}

/** An instant on the clock of the browser, as `datetime-local` has it. */
export function localOf(instant: string): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? instant : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What cannot be read is sent as it is, so that the server says why. */
export function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}
