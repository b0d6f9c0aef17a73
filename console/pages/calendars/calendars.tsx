// Calendars: the days that count, a year at a glance, and what a change would move before it is saved.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, post, put, remove } from "../../api/call.ts";
import type { CalendarDays, CalendarImpactPage, CalendarInfo, CalendarPage, CalendarSpec, TriggerPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, go, link, setQuery } from "../../live/route.ts";
import { Ago, Button, ButtonLink, Empty, Failed, Head, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { localeOf } from "../../words/format.ts";
import { language, words, zoned } from "../../words/index.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export function Calendars(): JSX.Element {
  const w = words.value;
  const resource = useResource<CalendarPage>("calendars?limit=200", { every: 20_000 });
  return (
    <>
      <Head title={w.pages.calendars}><ButtonLink kind="main" icon="plus" href={link("calendars", "new")}>{w.calendars.new}</ButtonLink></Head>
      <Panel><Shown of={resource}>{({ calendars }) => (calendars.length === 0 ? <Empty title={w.calendars.empty} /> : <Table label={w.pages.calendars} rows={calendars} columns={columns()} keyOf={(one) => one.name} />)}</Shown></Panel>
    </>
  );
}

function columns(): Column<CalendarInfo>[] {
  const w = words.value;
  return [
    { id: "name", name: w.calendars.word, cell: (one) => <a href={link("calendars", one.name)}>{one.name}</a> },
    { id: "days", name: w.calendars.weekdays, cell: (one) => <span class="dim">{(one.spec.weekdays ?? DAYS).join(" ")}</span> },
    { id: "holidays", name: w.calendars.holidays, wide: true, cell: (one) => <span class="tags">{(one.spec.holidays ?? []).map((each) => <Tag key={each.country ?? each.market}>{each.country ?? each.market}{each.subdivision && `-${each.subdivision}`}</Tag>)}</span> },
    { id: "own", name: w.calendars.own, num: true, cell: (one) => Object.keys(one.spec.dates ?? {}).length },
    { id: "version", name: w.jobs.version, num: true, cell: (one) => `v${one.version}` },
    { id: "at", name: w.calendars.changed, num: true, cell: (one) => <Ago at={one.updated_at} /> },
  ];
}

export function Calendar({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<CalendarInfo>(name === "new" ? null : `calendars/${part(name)}`);
  if (name === "new") return <><Head title={w.calendars.new} trail={<a href={link("calendars")}>{w.pages.calendars}</a>} /><Editor found={null} /></>;
  return (
    <>
      <Head title={name} trail={<a href={link("calendars")}>{w.pages.calendars}</a>} beside={resource.data.value && <Tag>v{resource.data.value.version}</Tag>}>
        {resource.data.value && <Button kind="danger" icon="trash" refused={refusal("triggers:write")} onClick={() => resource.data.value && askDelete(resource.data.value)}>{w.jobs.remove}…</Button>}
      </Head>
      <Shown of={resource} rows={6}>{(found) => <Editor key={found.version} found={found} />}</Shown>
    </>
  );
}

interface Draft {
  name: string;
  zone: string;
  weekdays: string[];
  holidays: string;
  dates: string;
}

function draftOf(found: CalendarInfo | null): Draft {
  const spec = found?.spec;
  return {
    name: found?.name ?? "",
    zone: spec?.zone ?? "UTC",
    weekdays: [...(spec?.weekdays ?? (found ? DAYS : DAYS.slice(0, 5)))],
    holidays: (spec?.holidays ?? []).map((one) => [one.country ?? one.market, one.subdivision].filter(Boolean).join("-")).join(" "),
    dates: Object.entries(spec?.dates ?? {}).map(([day, why]) => `${day} ${why}`).join("\n"),
  };
}

/** The whole definition: what the form does not show stays as it is. */
function specOf(draft: Draft, found: CalendarInfo | null): Record<string, unknown> {
  const kept: Partial<CalendarSpec> = { ...found?.spec };
  delete (kept as { name?: string }).name;
  const holidays = draft.holidays.trim() === "" ? [] : draft.holidays.trim().split(/[\s,]+/).map((one) => { const [country, subdivision] = one.split("-"); return { country, ...(subdivision ? { subdivision } : {}) }; });
  const dates = Object.fromEntries(draft.dates.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => [line.slice(0, 10), line.slice(10).trim()]));
  return { ...kept, zone: draft.zone, weekdays: DAYS.filter((day) => draft.weekdays.includes(day)), holidays, dates };
}

function Editor({ found }: { found: CalendarInfo | null }): JSX.Element {
  const w = words.value;
  const draft = useSignal(draftOf(found));
  const note = useSignal("");
  const error = useSignal<Refusal | null>(null);
  const dirty = JSON.stringify(draft.value) !== JSON.stringify(draftOf(found));
  const save = async () => {
    error.value = null;
    const name = found?.name ?? draft.value.name;
    const headers: Record<string, string> = found ? { "if-match": `"${found.version}"` } : { "if-none-match": "*" };
    try {
      await put(`calendars/${part(name)}`, { ...specOf(draft.value, found), note: note.value }, { headers });
      outdateAll();
      toast({ text: w.triggers.saved(name) });
      if (!found) go(link("calendars", name), { replace: true });
    } catch (refused) {
      error.value = refused as Refusal;
    }
  };
  return (
    <>
      <div class="columns editor">
        <div>
          {found && <Year name={found.name} />}
          {found && dirty && <Impact name={found.name} body={specOf(draft.value, found)} />}
          {found && !dirty && <UsedBy name={found.name} />}
        </div>
        <Form draft={draft} isNew={found === null} error={error.value} />
      </div>
      {error.value && <Failed error={error.value} slim />}
      {(dirty || !found) && (
        <div class="savebar">
          <b>{found ? w.calendars.changedSays : w.calendars.new}</b>
          <span class="grow" />
          <input class="input" placeholder={w.policy.note} aria-label={w.policy.note} value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} />
          <Button kind="main" refused={refusal("triggers:write") ?? (found || draft.value.name ? undefined : w.fillFirst)} onClick={() => void save()}>{w.policy.save((found?.version ?? 0) + 1)}</Button>
        </div>
      )}
    </>
  );
}

function Form({ draft, isNew, error }: { draft: Signal<Draft>; isNew: boolean; error: Refusal | null }): JSX.Element {
  const w = words.value.calendars;
  const at = (name: string) => (error?.field?.startsWith(name) ? error.message : undefined);
  return (
    <Panel title={w.rules}>
      <div class="body">
        {isNew && <Field label={w.name} error={at("name")}><input class="input" value={draft.value.name} onInput={(event) => (draft.value = { ...draft.value, name: event.currentTarget.value })} /></Field>}
        <fieldset class="field"><legend>{w.weekdays}</legend><span class="day-boxes">{DAYS.map((day, place) => <label key={day} class="check-field"><input type="checkbox" checked={draft.value.weekdays.includes(day)} onChange={() => (draft.value = { ...draft.value, weekdays: draft.value.weekdays.includes(day) ? draft.value.weekdays.filter((one) => one !== day) : [...draft.value.weekdays, day] })} />{words.value.triggers.weekdayNames[(place + 1) % 7]}</label>)}</span></fieldset>
        <Field label={w.holidays} help={w.holidaysHelp} error={at("holidays")}><input class="input" value={draft.value.holidays} onInput={(event) => (draft.value = { ...draft.value, holidays: event.currentTarget.value })} /></Field>
        <Field label={w.own} help={w.ownHelp} error={at("dates")}><textarea class="input" rows={5} value={draft.value.dates} onInput={(event) => (draft.value = { ...draft.value, dates: event.currentTarget.value })} /></Field>
        <Field label={words.value.triggers.zone} error={at("zone")}><input class="input" value={draft.value.zone} onInput={(event) => (draft.value = { ...draft.value, zone: event.currentTarget.value })} /></Field>
      </div>
    </Panel>
  );
}

function Year({ name }: { name: string }): JSX.Element {
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
function Impact({ name, body }: { name: string; body: Record<string, unknown> }): JSX.Element {
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

function UsedBy({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const triggers = useResource<TriggerPage>(`triggers?calendar=${encodeURIComponent(name)}&limit=100`);
  return <Panel title={w.calendars.usedBy}><Shown of={triggers}>{({ triggers: found }) => (found.length === 0 ? <p class="quiet">{w.calendars.unused}</p> : <table><tbody>{found.map((one) => <tr key={one.name}><td><a href={link("triggers", one.name)}>{one.name}</a></td><td class="wide dim">{one.words}</td><td class="num"><Ago at={one.next_due} /></td></tr>)}</tbody></table>)}</Shown></Panel>;
}

function askDelete(found: CalendarInfo): void {
  const w = words.value;
  askFor({
    title: w.calendars.askRemove(found.name),
    reason: "needed",
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring calendars delete ${found.name}`,
    run: async (reason) => {
      await remove(`calendars/${part(found.name)}?note=${encodeURIComponent(reason)}`, { headers: { "if-match": `"${found.version}"` } });
      outdateAll();
      go(link("calendars"));
    },
  });
}
