// The note of a kind of failure, and its mute: what somebody found out stands where the next one looks.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { part, post, put } from "../../api/call.ts";
import type { DeadGroupInfo } from "../../api/schema.ts";
import { serverNow } from "../../live/clock.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, Moment, Segments, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { Field } from "../../parts/field.tsx";
import { toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";
import { noted } from "./words.ts";

const HOUR = 3_600_000;
const SPANS = [1, 12, 24, 168];

export function FailureNote({ group }: { group: DeadGroupInfo }): JSX.Element {
  const w = noted.value;
  const denied = refusal("runs:steer");
  return (
    <section class="panel telling failure-note" aria-label={w.note}>
      <span class="grow">
        {group.note ? <span class="said">{group.note}</span> : <span class="dim">{w.noNote}</span>}
        {group.note && <span class="dim"> · {w.by(group.noted_by)}, <Ago at={group.noted_at} /></span>}
        {group.owner && <> <Tag>{w.owner}: {group.owner}</Tag> <span class="dim">{w.by(group.owned_by)}, <Ago at={group.owned_at} /></span></>}
        {group.muted && <> <Muted group={group} />{group.mute?.reason && <span class="dim"> {group.mute.reason} · {w.by(group.mute.by)}</span>}</>}
      </span>
      <Button small icon="edit" refused={denied} onClick={() => askNote(group)}>{group.note ? w.change : w.write}…</Button>
      <Button small icon="edit" refused={denied} onClick={() => askOwner(group)}>{group.owner ? w.handOver : w.assign}…</Button>
      {group.muted ? (
        <Button small icon="alerts" refused={denied} onClick={() => void unmute(group)}>{w.unmute}</Button>
      ) : (
        <Button small icon="moon" refused={denied} onClick={() => askMute(group)}>{w.mute}…</Button>
      )}
    </section>
  );
}

export function Muted({ group }: { group: DeadGroupInfo }): JSX.Element {
  const w = noted.value;
  return group.mute?.until ? <Tag kind="warn">{w.mutedUntil} <Moment at={group.mute.until} date /></Tag> : <Tag kind="warn">{w.mutedAgain}</Tag>;
}

const path = (group: DeadGroupInfo) => `dead-letters/${part(group.fingerprint)}`;

function askNote(group: DeadGroupInfo): void {
  const w = noted.value;
  const note = signal(group.note);
  askFor({
    title: `${w.note}: ${group.class}`,
    reason: "no",
    fields: <Field label={w.note} help={w.noteHelp}><textarea class="input" rows={4} maxLength={500} defaultValue={group.note} onInput={(event) => (note.value = event.currentTarget.value)} /></Field>,
    confirm: group.note ? w.change : w.write,
    command: () => `mainspring dead note ${group.fingerprint} ${quoted(note.value)}`,
    run: async () => {
      await put(`${path(group)}/note`, { note: note.value.trim() });
      outdateAll();
      toast({ text: w.saved, act: { name: w.change, run: () => askNote({ ...group, note: note.value.trim() }) } });
    },
  });
}

function askOwner(group: DeadGroupInfo): void {
  const w = noted.value;
  const owner = signal(group.owner);
  askFor({
    title: `${w.owner}: ${group.class}`,
    reason: "no",
    fields: <Field label={w.owner} help={w.ownerHelp}><input class="input" maxLength={100} defaultValue={group.owner} onInput={(event) => (owner.value = event.currentTarget.value)} /></Field>,
    confirm: group.owner ? w.handOver : w.assign,
    command: () => `mainspring dead assign ${group.fingerprint} ${quoted(owner.value.trim())}`,
    run: async () => {
      await put(`${path(group)}/owner`, { owner: owner.value.trim() });
      outdateAll();
      const undo = () => put(`${path(group)}/owner`, { owner: group.owner }).then(outdateAll);
      toast({ text: owner.value.trim() ? w.owned(owner.value.trim()) : w.ownedByNobody, act: { name: words.value.undo, run: undo } });
    },
  });
}

function askMute(group: DeadGroupInfo): void {
  const w = noted.value;
  const hours = signal(0);
  const until = () => (hours.value === 0 ? null : new Date(serverNow() + hours.value * HOUR).toISOString());
  askFor({
    title: w.askMute(group.class),
    says: w.muteSays,
    fields: <Span of={hours} />,
    confirm: w.mute,
    command: (reason) => `mainspring dead mute ${group.fingerprint}${hours.value ? ` --for ${hours.value}h` : ""}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      await post(`${path(group)}/mute`, { until: until(), reason });
      outdateAll();
      toast({ text: w.isMuted(group.class), act: { name: w.unmute, run: () => unmute(group) } });
    },
  });
}

function Span({ of }: { of: { value: number } }): JSX.Element {
  const w = noted.value;
  const named = (hours: number) => (hours < 48 ? w.hours(count(hours)) : w.days(count(hours / 24)));
  return <Field label={w.until}><Segments label={w.until} on={String(of.value)} choices={[{ id: "0", name: w.again }, ...SPANS.map((hours) => ({ id: String(hours), name: named(hours) }))]} onChoose={(id) => (of.value = Number(id))} /></Field>;
}

async function unmute(group: DeadGroupInfo): Promise<void> {
  await post(`${path(group)}/unmute`, {});
  outdateAll();
  toast({ text: noted.value.notMuted(group.class) });
}
