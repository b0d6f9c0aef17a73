// Calendars: the days that count, a year at a glance, and what a change would move before it is saved.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type Refusal, part, put, remove } from "../../api/call.ts";
import type { CalendarInfo, CalendarPage, TriggerPage } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link } from "../../live/route.ts";
import { Ago, Button, ButtonLink, Empty, Failed, Head, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";
import { countedDays, draftOf, specOf } from "./draft.ts";
import { Form } from "./form.tsx";
import { Impact, Year } from "./year.tsx";

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
    { id: "days", name: w.calendars.weekdays, cell: (one) => <span class="dim">{countedDays(one.spec).join(" ")}</span> },
    { id: "holidays", name: w.calendars.holidays, wide: true, cell: (one) => <span class="tags">{(one.spec.holidays ?? []).map((each) => <Tag key={each.country ?? each.market}>{each.country ?? each.market}{each.subdivision && `-${each.subdivision}`}</Tag>)}</span> },
    { id: "own", name: w.calendars.own, num: true, cell: (one) => Object.keys(one.spec.dates ?? {}).length },
    { id: "windows", name: w.calendars.windows, num: true, cell: (one) => (one.spec.blackouts?.length ?? 0) + (one.spec.daily_blackouts?.length ?? 0) },
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
