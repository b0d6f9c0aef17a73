// What comes of a rule: the next fires with clock changes and days off, the year ahead, and who else fires then.
import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Refusal, post } from "../../api/call.ts";
import type { ExecutorPage, PreviewedInstant, TriggerForecast, TriggerPreview } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { Panel } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { count, language, relative, words } from "../../words/index.ts";
import { localeOf } from "../../words/format.ts";
import { type Draft, whenOf } from "./draft.ts";

const WAIT = 200;
const AHEAD = 400;
const SHOWN = 8;

export interface Preview {
  found: TriggerPreview | null;
  error: Refusal | null;
}

export function usePreview(draft: Signal<Draft>): Signal<Preview> {
  const preview = useMemo(() => signal<Preview>({ found: null, error: null }), []);
  const { kind, name, calendar, roll, start_at, end_at } = draft.value;
  const timed = !["webhook", "event"].includes(kind);
  const body = JSON.stringify({ when: whenOf(draft.value), ...(name ? { name } : {}), ...(calendar ? { calendar, roll } : {}), ...(start_at ? { start_at } : {}), ...(end_at ? { end_at } : {}), count: AHEAD });
  useEffect(() => {
    if (!timed) return void (preview.value = { found: null, error: null });
    const ending = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { data } = await post<TriggerPreview>("triggers/preview", body, { signal: ending.signal });
        preview.value = { found: data, error: null };
      } catch (error) {
        if (error instanceof Refusal) preview.value = { found: preview.peek().found, error };
      }
    }, WAIT);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [body, timed]);
  return preview;
}

interface Local {
  day: string;
  time: string;
  offset: string;
}

/** The clock of the trigger's zone, as the server wrote it: `2030-03-31T03:00:00+02:00`. */
function localOf(one: PreviewedInstant): Local {
  const [date = "", rest = ""] = one.local.split("T");
  const found = /^(\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(rest);
  const day = new Intl.DateTimeFormat(localeOf(language.value), { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));
  return { day, time: `${found?.[1] ?? rest}${found?.[2] && found[2] !== ":00" ? found[2] : ""}`, offset: found?.[3] === "Z" ? "+00:00" : (found?.[3] ?? "") };
}

export function NextFires({ preview, draft }: { preview: Preview; draft: Draft }): JSX.Element {
  const w = words.value.triggers;
  const { found } = preview;
  const odd = found?.instants.filter((one, place) => one.note !== "" && place >= SHOWN).slice(0, 3) ?? [];
  if (["webhook", "event"].includes(draft.kind)) return <Panel title={w.nextFires}><p class="quiet">{w.whenCalledSays}</p></Panel>;
  return (
    <Panel title={w.nextFires} more={draft.kind === "cron" || draft.kind === "windows" ? draft.zone : undefined} class={preview.error ? "is-old" : ""}>
      {found ? (
        <>
          <p class="fire-words">{found.words}</p>
          <div class="fires">
            {found.instants.slice(0, SHOWN).map((one) => <Fire key={one.at} one={one} />)}
            {odd.length > 0 && <p class="faint">{w.laterOdd}</p>}
            {odd.map((one) => <Fire key={one.at} one={one} />)}
            {found.instants.length === 0 && <p class="quiet">{w.neverFires}</p>}
          </div>
        </>
      ) : (
        <p class="quiet">{preview.error?.message ?? "…"}</p>
      )}
    </Panel>
  );
}

function Fire({ one }: { one: PreviewedInstant }): JSX.Element {
  const { day, time, offset } = localOf(one);
  return (
    <div class={`fire ${one.note ? "odd" : ""}`}>
      {one.note ? <Icon name="flag" class="is-waiting" /> : <span />}
      <span>{day}</span>
      <b>{time}</b>
      <span class="faint">{offset}</span>
      <span class="cut" title={one.note}>{one.note || (one.jitter + one.spread > 0 ? words.value.triggers.moved(Math.round(one.jitter + one.spread)) : "")}</span>
      <span class="faint num">{relative((Date.parse(one.at) - now.value) / 1000)}</span>
    </div>
  );
}

/** A square for each day of a year: how often it fires, and where clocks change. */
export function YearAhead({ preview }: { preview: Preview }): JSX.Element | null {
  const w = words.value.triggers;
  const days = useMemo(() => daysOf(preview.found?.instants ?? []), [preview.found]);
  const last = preview.found?.instants.at(-1);
  if (!last || Date.parse(last.at) - now.peek() < 60 * 86_400_000) return null;
  const today = new Date(now.peek());
  today.setUTCHours(0, 0, 0, 0);
  const first = today.getTime() - ((today.getUTCDay() + 6) % 7) * 86_400_000;
  const weeks = Array.from({ length: 53 }, (_, week) => first + week * 7 * 86_400_000);
  const month = new Intl.DateTimeFormat(localeOf(language.value), { month: "short", timeZone: "UTC" });
  return (
    <Panel title={w.yearAhead} more={<span class="legend"><span><i class="fires-day" />{w.fires}</span><span><i class="odd-day" />{w.clockChange}</span></span>}>
      <div class="body">
        <svg class="year chart" viewBox="0 0 468 84" role="img" aria-label={w.yearSays(days.size)}>
          {weeks.map((week, place) => (
            <g key={week}>
              {new Date(week).getUTCDate() <= 7 && <text x={place * 8.7} y="9">{month.format(new Date(week))}</text>}
              {Array.from({ length: 7 }, (_, day) => {
                const key = new Date(week + day * 86_400_000).toISOString().slice(0, 10);
                const seen = days.get(key);
                const past = week + day * 86_400_000 < today.getTime();
                return !past && <rect key={day} x={place * 8.7} y={15 + day * 9.6} width="7" height="7.6" rx="1.4" class={seen === "odd" ? "odd-day" : seen ? "fires-day" : "no-day"} />;
              })}
            </g>
          ))}
        </svg>
      </div>
    </Panel>
  );
}

function daysOf(instants: PreviewedInstant[]): Map<string, "odd" | "fires"> {
  const days = new Map<string, "odd" | "fires">();
  for (const one of instants) {
    const day = one.local.slice(0, 10);
    if (one.note !== "" || !days.has(day)) days.set(day, one.note === "" ? "fires" : "odd");
  }
  return days;
}

/** Who else fires in the day of the next fire, against the slots there are. */
export function Company({ preview }: { preview: Preview }): JSX.Element | null {
  const w = words.value.triggers;
  const next = preview.found?.instants[0];
  const forecast = useResource<TriggerForecast>("forecast?hours=24&step=900", { every: 60_000 }).data.value;
  const executors = useResource<ExecutorPage>("executors?limit=100", { every: 30_000 }).data.value?.executors ?? [];
  if (!forecast || !next) return null;
  const slots = executors.flatMap((one) => one.pools).reduce((sum, pool) => sum + pool.max, 0);
  const place = Math.floor((Date.parse(next.at) - Date.parse(forecast.since)) / (forecast.step * 1000));
  const company = forecast.counts[place];
  const most = Math.max(1, forecast.peak);
  return (
    <Panel title={w.company} note={company === undefined ? w.notToday : w.others(count(company))}>
      <div class="body">
        <svg class="company chart" viewBox="0 0 468 62" role="img" aria-label={w.companySays(count(forecast.peak))}>
          <line x1="0" x2="468" y1="48" y2="48" class="axis" />
          {forecast.counts.map((runs, at) => {
            const height = (runs / most) * 40;
            return runs > 0 && <rect key={at} x={at * (468 / forecast.counts.length)} y={48 - height} width={Math.max(1.5, 468 / forecast.counts.length - 1.5)} height={Math.max(1.5, height)} fill={`var(--${at === place ? "accent" : runs > slots && slots > 0 ? "waiting" : "queued"}-fill)`} />;
          })}
          <text x="0" y="60">{w.inHours(0)}</text>
          <text x="234" y="60" text-anchor="middle">{w.inHours(12)}</text>
          <text x="468" y="60" text-anchor="end">{w.inHours(24)}</text>
        </svg>
      </div>
    </Panel>
  );
}
