// A crontab is pasted; its lines are shown as triggers with their next instants, and those that are chosen are made.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, post, query } from "../../api/call.ts";
import type { CrontabPreview, CrontabTrigger, TriggerSpec } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link, linkWith } from "../../live/route.ts";
import { Button, Failed, Head, Panel, Segments, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { Field } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { count, words, zoned } from "../../words/index.ts";
import { cron } from "./words.ts";

const REST = 250;
const KINDS = ["", "own", "system"] as const;

const specOf = (one: CrontabTrigger) => one.trigger as TriggerSpec;

export function CrontabImport(): JSX.Element {
  const w = cron.value;
  const text = useSignal("");
  const zone = useSignal(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const users = useSignal<string>("");
  const found = useSignal<CrontabPreview | null>(null);
  const error = useSignal<Refusal | null>(null);
  const chosen = useSignal(new Set<string>());
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      if (text.value.trim() === "") found.value = error.value = null;
      else void read(text.value, zone.value, users.value, stop.signal).then(([preview, refused]) => {
        error.value = refused;
        if (!preview) return;
        found.value = preview;
        // What is there already is replaced only if somebody says so.
        chosen.value = new Set(preview.triggers.filter((one) => !one.exists).map((one) => specOf(one).name));
      });
    }, REST);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [text.value, zone.value, users.value]);
  const wanted = found.value?.triggers.filter((one) => chosen.value.has(specOf(one).name)) ?? [];
  const wrong = (field: string) => (error.value?.field === field ? error.value.message : undefined);
  return (
    <>
      <Head title={w.title} trail={<a href={link("triggers")}>{words.value.pages.triggers}</a>} />
      <div class="columns two even">
        <Panel title={w.text}>
          <div class="body">
            <Field label={w.text} help={w.help} error={wrong("text")}>
              <textarea class="input code" rows={14} wrap="off" spellcheck={false} value={text.value} placeholder={"MAILTO=ops\n30 2 * * 1-5 /usr/local/bin/close-books"} onInput={(event) => (text.value = event.currentTarget.value)} />
            </Field>
            <Field label={w.zone} help={w.zoneHelp} error={wrong("zone")}><input class="input mono" value={zone.value} onInput={(event) => (zone.value = event.currentTarget.value)} /></Field>
            <Field label={w.users}><Segments small label={w.users} on={users.value} choices={KINDS.map((id) => ({ id, name: w.kinds[id] }))} onChoose={(id) => (users.value = id)} /></Field>
            {error.value && !error.value.field && <Failed error={error.value} slim />}
          </div>
        </Panel>
        <Left found={found.value} />
      </div>
      {found.value && !found.value.runnable && found.value.triggers.length > 0 && <p class="note-box">{w.unrunnable}</p>}
      {found.value && found.value.triggers.length > 0 && (
        <Panel title={w.becomes} note={w.chosen(count(wanted.length))}>
          <Table label={w.becomes} rows={found.value.triggers} columns={columns()} keyOf={(one) => specOf(one).name} chosen={chosen} />
        </Panel>
      )}
      {found.value && found.value.triggers.length > 0 && (
        <div class="savebar" role="region" aria-label={words.value.people.save}>
          <b>{w.chosen(count(wanted.length))}</b>
          <span class="grow" />
          <Button kind="main" refused={refusal("triggers:write") ?? (found.value.runnable ? (wanted.length === 0 ? words.value.fillFirst : undefined) : w.unrunnable)} onClick={() => askMake(wanted, zone.value)}>{w.make(count(wanted.length))}…</Button>
        </div>
      )}
    </>
  );
}

/** What cannot be taken over, and what cron did otherwise. */
function Left({ found }: { found: CrontabPreview | null }): JSX.Element {
  const w = cron.value;
  if (!found) return <Panel title={w.becomes}><p class="quiet">{w.none}</p></Panel>;
  return (
    <div>
      {found.refused.length > 0 && (
        <Panel title={w.refused} note={w.refusedNote(count(found.refused.length))}>
          <div role="alert"><ul class="body cron-lines">{found.refused.map((one) => <li key={one.line}><b>{w.line} {one.line}</b> <code>{one.text}</code> <span class="is-failed">{one.reason}</span></li>)}</ul></div>
        </Panel>
      )}
      <Panel title={w.remarks}>
        <ul class="body cron-lines">{found.remarks.map((one) => <li key={`${one.line} ${one.text}`}><b>{one.line === 0 ? w.whole : `${w.line} ${one.line}`}</b> <span class="dim">{said(one.text)}</span></li>)}</ul>
      </Panel>
    </div>
  );
}

/** The server's sentence in the language of the page, with the lines that it names at its end. */
function said(text: string): string {
  const { told, lines } = cron.value;
  const [, words = text, numbers = ""] = /^(.*?)(?:: lines? ([\d, ]+))?$/.exec(text) ?? [];
  const found = told[words];
  return found === undefined ? text : numbers === "" ? found : `${found}：${lines(numbers)}`;
}

function columns(): Column<CrontabTrigger>[] {
  const w = cron.value;
  return [
    { id: "line", name: w.line, num: true, cell: (one) => count(one.line) },
    { id: "name", name: words.value.triggers.word, cell: (one) => <><b>{specOf(one).name}</b> {one.exists && <Tag kind="warn">{w.replaces}</Tag>}</> },
    { id: "fires", name: words.value.triggers.fires, wide: true, cell: (one) => <span class="dim">{one.words}</span> },
    { id: "next", name: w.next, cell: (one) => <Next of={one} /> },
    { id: "notes", name: w.notes, wide: true, cell: (one) => <span class="dim">{one.notes.join("; ")}</span>, minor: true },
  ];
}

function Next({ of }: { of: CrontabTrigger }): JSX.Element {
  return (
    <>
      {of.instants.map((one) => {
        const parts = zoned(Date.parse(one.at), undefined);
        return <div key={one.at}><time dateTime={one.at} title={one.note || one.at}>{parts.weekday} {parts.date} {parts.time}</time></div>;
      })}
    </>
  );
}

function askMake(wanted: CrontabTrigger[], zone: string): void {
  const w = cron.value;
  const [all, replaced] = [count(wanted.length), count(wanted.filter((one) => one.exists).length)];
  askFor({
    title: w.ask(all),
    says: w.says(replaced),
    more: null,
    fields: <p class="samples">{wanted.slice(0, 5).map((one) => <code key={specOf(one).name}>{specOf(one).name} </code>)}</p>,
    confirm: w.make(all),
    command: () => `mainspring import crontab - --zone ${quoted(zone)} --apply`,
    run: async (note) => {
      await post(query("triggers/bulk", { note }), wanted.map(specOf));
      outdateAll();
      toast({ text: w.made(all) });
      go(linkWith({ view: null }, "triggers"));
    },
  });
}

async function read(text: string, zone: string, users: string, signal: AbortSignal): Promise<[CrontabPreview | null, Refusal | null]> {
  try {
    return [(await post<CrontabPreview>("triggers/crontab", { text, zone, system: users === "" ? null : users === "system" }, { signal })).data, null];
  } catch (refused) {
    return [null, refused instanceof Refusal ? refused : null];
  }
}
