// Numbers, durations, sizes and times as people read them; pure, so that tests need no browser.

export type Language = "en" | "zh";

const LOCALES: Record<Language, string> = { en: "en-GB", zh: "zh-CN" };

export const localeOf = (language: Language): string => LOCALES[language];

const SECOND = 1;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Two units at most, never seconds only: `840 ms`, `4.2 s`, `3 m 07 s`, `2 h 14 m`, `3 d 4 h`. */
export function duration(seconds: number): string {
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? "−" : "";
  if (size < 0.001) return size === 0 ? "0 s" : `${sign}${trim(size * 1e6)} µs`;
  if (size < 0.9995) return `${sign}${trim(size * 1000)} ms`;
  if (size < 59.95) return `${sign}${trim(size)} s`;
  const whole = Math.round(size);
  if (whole < HOUR) return sign + pair(whole, MINUTE, "m", SECOND, "s");
  if (whole < DAY) return sign + pair(whole, HOUR, "h", MINUTE, "m");
  return sign + pair(whole, DAY, "d", HOUR, "h");
}

function pair(whole: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = Math.floor(whole / large);
  const rest = Math.floor((whole % large) / small);
  return rest === 0 ? `${first} ${largeUnit}` : `${first} ${largeUnit} ${String(rest).padStart(2, "0")} ${smallUnit}`;
}

/** Three significant digits, without zeros that say nothing. */
function trim(value: number): string {
  if (value >= 99.5) return String(Math.round(value));
  const digits = value >= 9.95 ? 1 : 2;
  return value.toFixed(value >= 1 ? digits - (value >= 9.95 ? 0 : 1) : 2).replace(/\.?0+$/, "");
}

/** `2s`, `1.5 m`, `90`, `2h 30m`, `500ms` in seconds; null if it is none of these. */
export function parseDuration(text: string): number | null {
  const units: Record<string, number> = { ms: 0.001, s: 1, m: MINUTE, min: MINUTE, h: HOUR, d: DAY };
  const cleaned = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(cleaned)) return Number(cleaned);
  let seconds = 0;
  let rest = cleaned;
  while (rest !== "") {
    const found = /^(\d+(?:\.\d+)?)\s*(ms|min|s|m|h|d)\s*/.exec(rest);
    if (!found) return null;
    seconds += Number(found[1]) * (units[found[2] ?? "s"] ?? 1);
    rest = rest.slice(found[0].length);
  }
  return cleaned === "" ? null : seconds;
}

/** A duration as it is typed into a field: it is read back to the same seconds. */
export function writeDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "";
  for (const [unit, size] of [["d", DAY], ["h", HOUR], ["m", MINUTE]] as const) {
    if (seconds >= size && Number.isInteger(seconds / size)) return `${seconds / size} ${unit}`;
  }
  return seconds > 0 && seconds < 1 ? `${+(seconds * 1000).toFixed(3)} ms` : `${seconds} s`;
}

export function size(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : trim(value)} ${units[unit]}`;
}

export function count(value: number, language: Language, capped = false): string {
  return numbersOf(language, 3).format(value) + (capped ? "+" : "");
}

/** A rate with as many digits as it deserves. */
export function rate(value: number, language: Language): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return numbersOf(language, digits).format(value);
}

const numbers = new Map<string, Intl.NumberFormat>();

function numbersOf(language: Language, digits: number): Intl.NumberFormat {
  const key = `${language} ${digits}`;
  const found = numbers.get(key) ?? new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: digits });
  numbers.set(key, found);
  return found;
}

export function percent(share: number): string {
  const value = share * 100;
  if (value === 0) return "0";
  if (value >= 99.95 && value < 100) return "99.9";
  return Math.abs(value) < 0.1 ? value.toFixed(2) : Math.abs(value) < 10 ? value.toFixed(1).replace(/\.0$/, "") : value.toFixed(1).replace(/\.0$/, "");
}

/** How long before or after: `4 m ago`, `in 11 h`; one unit, for lists. */
export function relative(seconds: number, language: Language): string {
  const size = Math.abs(seconds);
  if (size < 1) return language === "zh" ? "现在" : "now";
  const [value, unit] = size < MINUTE ? [size, "s"] : size < HOUR ? [size / MINUTE, "m"] : size < 2 * DAY ? [size / HOUR, "h"] : [size / DAY, "d"];
  const text = `${Math.floor(value)} ${unit}`;
  if (language === "zh") return seconds > 0 ? `${text} 后` : `${text} 前`;
  return seconds > 0 ? `in ${text}` : `${text} ago`;
}

export interface ZonedParts {
  date: string;
  time: string;
  weekday: string;
  millis: string;
  offset: string;
}

/** An instant as the clocks of a zone show it. */
export function zoned(instant: number, zone: string | undefined, language: Language): ZonedParts {
  const date = new Date(instant);
  const clocks = clocksOf(zone, language);
  return {
    date: clocks.date.format(date),
    time: clocks.time.format(date),
    weekday: clocks.weekday.format(date),
    millis: String(date.getUTCMilliseconds()).padStart(3, "0"),
    offset: clocks.offset.formatToParts(date).find((one) => one.type === "timeZoneName")?.value.replace("GMT", "") || "+00:00",
  };
}

/** The time of day alone: lines of a log show nothing else. */
export function timeOf(instant: number, zone: string | undefined, language: Language): string {
  return `${clocksOf(zone, language).time.format(instant)}.${String(new Date(instant).getUTCMilliseconds()).padStart(3, "0")}`;
}

type Clocks = Record<"date" | "time" | "weekday" | "offset", Intl.DateTimeFormat>;

// To make a format takes a hundred times as long as to use it.
const made = new Map<string, Clocks>();

function clocksOf(zone: string | undefined, language: Language): Clocks {
  const key = `${language} ${zone ?? ""}`;
  const found = made.get(key) ?? makeClocks(zone ? { timeZone: zone } : {}, LOCALES[language]);
  made.set(key, found);
  return found;
}

function makeClocks(options: Intl.DateTimeFormatOptions, locale: string): Clocks {
  return {
    date: new Intl.DateTimeFormat(locale, { ...options, day: "numeric", month: "short", year: "numeric" }),
    time: new Intl.DateTimeFormat("en-GB", { ...options, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
    weekday: new Intl.DateTimeFormat(locale, { ...options, weekday: "short" }),
    offset: new Intl.DateTimeFormat("en-GB", { ...options, timeZoneName: "longOffset" }),
  };
}

export function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}
