// A calendar's year at a glance, and the fires that a change of it would move.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Refusal, part, post } from "../../api/call.ts";
import type { CalendarDays, CalendarImpactPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, setQuery } from "../../live/route.ts";
import { Button, Failed, Panel, Shown } from "../../parts/basics.tsx";
import { localeOf } from "../../words/format.ts";
import { language, words, zoned } from "../../words/index.ts";

export function Year({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const year = Number(asked("year")) || new Date(now.peek()).getUTCFullYear();
  const days = useResource<CalendarDays>(`calendars/${part(name)}/days?year=${year}`);
  const month = new Intl.DateTimeFormat(localeOf(language.value), { month: "long", timeZone: "UTC" });
  return (
    <Panel title={String(year)} more={<><Button small icon="left" label={w.calendars.before} onClick={() => setQuery({ year: year - 1 })} /> <Button small icon="right" label={w.calendars.after} onClick={() => setQuery({ year: year + 1 })} /></>}>
      <Shown of={days}>
        {({ days: off }) => (
          <div class="months">
            {Array.from({ length: 12 }, (_, place) => (
              <section key={place}>
                <h3>{month.format(Date.UTC(year, place, 1))}</h3>
                <div class="month">
                  {Array.from({ length: (new Date(Date.UTC(year, place, 1)).getUTCDay() + 6) % 7 }, (_unused, gap) => <i key={`g${gap}`} class="gap" />)}
                  {Array.from({ length: new Date(Date.UTC(year, place + 1, 0)).getUTCDate() }, (_unused, day) => {
                    const key = new Date(Date.UTC(year, place, day + 1)).toISOString().slice(0, 10);
                    const why = off[key];
                    return <i key={key} class={why === undefined ? "" : "off"} title={why === undefined ? key : `${key} ${why}`}>{day + 1}</i>;
                  })}
                </div>
              </section>
            ))}
          </div>
        )}
      </Shown>
    </Panel>
  );
}

/** The next fires of each trigger, as they are and as they would be. */
export function Impact({ name, body }: { name: string; body: Record<string, unknown> }): JSX.Element {
  const w = words.value.calendars;
  const found = useSignal<CalendarImpactPage | null>(null);
  const error = useSignal<Refusal | null>(null);
  const text = JSON.stringify(body);
  useEffect(() => {
    const timer = setTimeout(() => void post<CalendarImpactPage>(`calendars/${part(name)}/preview?count=10&limit=50`, text).then(
      ({ data }) => { found.value = data; error.value = null; },
      (refused) => (error.value = refused as Refusal),
    ), 250);
    return () => clearTimeout(timer);
  }, [text]);
  const moved = found.value?.triggers.filter((one) => one.changed) ?? [];
  const clock = (at: string) => { const { weekday, date, time } = zoned(Date.parse(at), undefined); return `${weekday} ${date} ${time.slice(0, 5)}`; };
  return (
    <Panel title={w.impact} note={found.value ? w.impactSays(moved.length, found.value.triggers.length - moved.length) : "…"}>
      {error.value && <Failed error={error.value} slim />}
      <table>
        <tbody>
          {moved.map((one) => {
            const gone = one.before.filter((at) => !one.after.includes(at))[0];
            const come = one.after.filter((at) => !one.before.includes(at))[0];
            return <tr key={one.trigger}><td><a href={link("triggers", one.trigger)}>{one.trigger}</a></td><td class="wide"><s class="faint">{gone ? clock(gone) : "–"}</s> → <b>{come ? clock(come) : one.differs_at ? clock(one.differs_at) : "–"}</b></td></tr>;
          })}
        </tbody>
      </table>
    </Panel>
  );
}
