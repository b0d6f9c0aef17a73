// Backfill: choose a range, look at what would be done, then do it; and how far backfills have come.
import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, post } from "../../api/call.ts";
import type { BackfillInfo, BackfillPage, BackfillPreview } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link } from "../../live/route.ts";
import { Ago, Button, Command, Empty, Failed, Gauge, Head, Moment, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";

const wanted = signal<string | null>(null);

export function askBackfill(trigger: string): void {
  wanted.value = trigger;
}

export function BackfillDialog(): JSX.Element | null {
  return wanted.value === null ? null : <Wizard trigger={wanted.value} onClose={() => (wanted.value = null)} />;
}

/** As a `datetime-local` field writes it, in the browser's zone. */
const local = (instant: number) => new Date(instant - new Date(instant).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function Wizard({ trigger, onClose }: { trigger: string; onClose: () => void }): JSX.Element {
  const w = words.value.backfill;
  const since = useSignal(local(Date.now() - 14 * 86_400_000));
  const until = useSignal(local(Date.now() - 60_000));
  const concurrency = useSignal("2");
  const rerun = useSignal(false);
  const reason = useSignal("");
  const preview = useSignal<BackfillPreview | null>(null);
  const error = useSignal<Refusal | null>(null);
  const bodyOf = (dry: boolean) => ({ since: new Date(since.value).toISOString(), until: new Date(until.value).toISOString(), concurrency: Number(concurrency.value), rerun: rerun.value, reason: reason.value, dry_run: dry });
  useEffect(() => {
    const timer = setTimeout(async () => {
      try {
        preview.value = (await post<BackfillPreview>(`triggers/${part(trigger)}/backfills`, bodyOf(true))).data;
        error.value = null;
      } catch (refused) {
        error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: w.badRange });
      }
    }, 200);
    return () => clearTimeout(timer);
  }, [since.value, until.value, rerun.value]);
  const begin = async (event: Event) => {
    event.preventDefault();
    try {
      const { data } = await post<BackfillInfo>(`triggers/${part(trigger)}/backfills`, bodyOf(false));
      onClose();
      outdateAll();
      toast({ text: w.begun(trigger), act: { name: words.value.undo, run: () => post(`backfills/${data.id}/cancel`, {}).then(outdateAll) }, href: link("backfills", data.id) });
      go(link("backfills", data.id));
    } catch (refused) {
      error.value = refused as Refusal;
    }
  };
  const found = preview.value;
  return (
    <Modal title={w.title(trigger)} onClose={onClose} wide>
      <form onSubmit={begin}>
        <div class="grid-fields">
          <Field label={w.since}><input class="input" type="datetime-local" value={since.value} onInput={(event) => (since.value = event.currentTarget.value)} /></Field>
          <Field label={w.until}><input class="input" type="datetime-local" value={until.value} onInput={(event) => (until.value = event.currentTarget.value)} /></Field>
          <Field label={w.atOnce}><input class="input" inputMode="numeric" value={concurrency.value} onInput={(event) => (concurrency.value = event.currentTarget.value)} /></Field>
          <Field label={words.value.reason}><input class="input" value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} /></Field>
        </div>
        <p><label class="check-field"><input type="checkbox" checked={rerun.value} onChange={() => (rerun.value = !rerun.value)} /> {w.rerun}</label></p>
        {found && !error.value && (
          <div class="samples">
            <b>{w.says(count(found.instants), count(found.fired), count(found.runs))}</b>
            {found.sample.slice(0, 5).map((at) => <Moment key={at} at={at} date />)}
            <span class="dim">{w.knownSince} <Moment at={found.known_since} date /></span>
          </div>
        )}
        {error.value && <Failed error={error.value} slim />}
        <details class="as-command"><summary>{words.value.asCommand}</summary><Command line={`mainspring triggers backfill ${trigger} --since ${bodyOfSafe(since.value)} --until ${bodyOfSafe(until.value)} --concurrency ${concurrency.value}${rerun.value ? " --rerun" : ""}`} /></details>
        <footer>
          <Button onClick={onClose}>{words.value.cancel}</Button>
          <Button kind="main" type="submit" refused={refusal("triggers:steer") ?? (!found || found.runs === 0 ? w.nothing : undefined)}>{w.make(count(found?.runs ?? 0))}</Button>
        </footer>
      </form>
    </Modal>
  );
}

function bodyOfSafe(value: string): string {
  const read = Date.parse(value);
  return Number.isNaN(read) ? value : new Date(read).toISOString().slice(0, 16) + "Z";
}

const isOver = (one: BackfillInfo) => one.state !== "running";

export function Backfills(): JSX.Element {
  const w = words.value;
  const resource = useResource<BackfillPage>("backfills?limit=100", { every: 3000 });
  return (
    <>
      <Head title={w.pages.backfills} />
      <Panel>
        <Shown of={resource}>{({ backfills }) => (backfills.length === 0 ? <Empty title={w.backfill.empty}><Command line="mainspring triggers backfill TRIGGER --since 2030-01-01 --dry-run" /></Empty> : <Table label={w.pages.backfills} rows={backfills} columns={columns()} keyOf={(one) => one.id} />)}</Shown>
      </Panel>
    </>
  );
}

function columns(): Column<BackfillInfo>[] {
  const w = words.value;
  return [
    { id: "trigger", name: w.triggers.word, cell: (one) => <a href={link("backfills", one.id)}>{one.trigger}</a> },
    { id: "state", name: w.runs.state, cell: (one) => <BackfillState one={one} /> },
    { id: "progress", name: w.backfill.progress, cell: (one) => <><Gauge taken={one.made + one.passed} room={one.expected} wide />{count(one.made + one.passed)} <span class="faint">{w.of} {count(one.expected)}</span></> },
    { id: "failed", name: w.states.failed, num: true, cell: (one) => <span class={one.failed > 0 ? "is-failed" : "faint"}>{count(one.failed)}</span> },
    { id: "range", name: w.backfill.range, cell: (one) => <span class="dim"><Moment at={one.since} date /> – <Moment at={one.until} date /></span>, minor: true },
    { id: "reason", name: w.reason, wide: true, cell: (one) => <span class="dim">{one.reason}</span> },
    { id: "at", name: w.runs.created, num: true, cell: (one) => <Ago at={one.created_at} /> },
  ];
}

function BackfillState({ one }: { one: BackfillInfo }): JSX.Element {
  const states = words.value.sweepStates as Record<string, string>;
  return <Tag kind={one.state === "done" ? "good" : isOver(one) ? "warn" : ""}>{states[one.state] ?? one.state}</Tag>;
}

export function Backfill({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<BackfillInfo>(`backfills/${name}`, { every: 1500 });
  const found = resource.data.value;
  return (
    <>
      <Head title={found ? w.backfill.title(found.trigger) : w.pages.backfills} trail={<a href={link("backfills")}>{w.pages.backfills}</a>} beside={found && <BackfillState one={found} />}>
        {found && !isOver(found) && <Button kind="danger" icon="stop" refused={refusal("triggers:steer")} onClick={() => void post(`backfills/${name}/cancel`, {}).then(outdateAll)}>{w.failures.stopSweep}</Button>}
      </Head>
      <Panel>
        <Shown of={resource}>
          {(one) => (
            <div class="body">
              <p class="sweep-count"><Gauge wide taken={one.made + one.passed} room={one.expected} /> <b>{count(one.made)}</b> <span class="dim">{w.backfill.made(count(one.passed), count(one.expected))}</span></p>
              <dl class="facts">
                <dt>{w.triggers.word}</dt><dd><a class="link" href={link("triggers", one.trigger)}>{one.trigger}</a></dd>
                <dt>{w.backfill.range}</dt><dd><Moment at={one.since} date /> – <Moment at={one.until} date /></dd>
                <dt>{w.states.succeeded}</dt><dd>{count(one.succeeded)}</dd>
                <dt>{w.states.failed}</dt><dd>{count(one.failed)}</dd>
                <dt>{w.states.running}</dt><dd>{one.live.map((run) => <a key={run} class="link mono" href={link("runs", run)}>…{run.slice(-8)} </a>)}</dd>
                <dt>{w.runs.by}</dt><dd>{one.by} {one.reason && `“${one.reason}”`}</dd>
                {one.note && <><dt>{w.jobs.note}</dt><dd>{one.note}</dd></>}
              </dl>
            </div>
          )}
        </Shown>
      </Panel>
    </>
  );
}
