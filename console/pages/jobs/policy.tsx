// The policy of a job: every field with its unit, what it means beside it, and what changes before it is saved.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, patch } from "../../api/call.ts";
import type { JobFigures, JobInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button, Failed, Panel } from "../../parts/basics.tsx";
import { Field } from "../../parts/field.tsx";
import { toast } from "../../parts/toasts.tsx";
import { duration, parseDuration, percent, writeDuration } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { triesOf } from "./curve.ts";

type Draft = Record<string, string>;

/** Fields as they are typed; lists by commas, durations with their unit, nothing for none. */
export function draftOf(job: JobInfo): Draft {
  return {
    queue: job.queue,
    priority: String(job.priority),
    description: job.description,
    attempts: String(job.retry.attempts),
    backoff: writeDuration(job.retry.backoff),
    backoff_max: writeDuration(job.retry.backoff_max),
    multiplier: String(job.retry.multiplier),
    budget: writeDuration(job.retry.budget),
    retry_on: job.retry.retry_on.join(", "),
    give_up_on: job.retry.give_up_on.join(", "),
    timeout: writeDuration(job.timeout),
    deadline: writeDuration(job.deadline),
    start_within: writeDuration(job.start_within),
    on_lost: job.on_lost,
    losses_max: String(job.losses_max),
  };
}

const RETRY = ["attempts", "backoff", "backoff_max", "multiplier", "budget", "retry_on", "give_up_on"];
const SPANS = ["backoff", "backoff_max", "budget", "timeout", "deadline", "start_within"];
const NUMBERS = ["attempts", "multiplier", "priority", "losses_max"];

function valueOf(name: string, text: string): unknown {
  const cleaned = text.trim();
  if (name === "retry_on" || name === "give_up_on") return cleaned === "" ? [] : cleaned.split(/[\s,]+/);
  if (SPANS.includes(name)) return cleaned === "" ? null : (parseDuration(cleaned) ?? cleaned);
  if (NUMBERS.includes(name)) return cleaned !== "" && Number.isFinite(Number(cleaned)) ? Number(cleaned) : cleaned;
  return text;
}

/** The body of a PATCH with what differs from the job. */
export function changesOf(job: JobInfo, draft: Draft): { body: Record<string, unknown>; names: string[] } {
  const before = draftOf(job);
  const names = Object.keys(draft).filter((name) => JSON.stringify(valueOf(name, draft[name] ?? "")) !== JSON.stringify(valueOf(name, before[name] ?? "")));
  const body: Record<string, unknown> = {};
  const retry: Record<string, unknown> = {};
  for (const name of names) (RETRY.includes(name) ? retry : body)[name] = valueOf(name, draft[name] ?? "");
  if (Object.keys(retry).length > 0) body["retry"] = retry;
  return { body, names };
}

export function PolicyEditor({ job, etag }: { job: JobInfo; etag: string }): JSX.Element {
  const w = words.value;
  const draft = useSignal<Draft>(draftOf(job));
  const note = useSignal("");
  const error = useSignal<Refusal | null>(null);
  const base = useSignal(job);
  const theirs = base.value.version !== job.version;
  useEffect(() => {
    // Somebody saved meanwhile: what was not touched here follows, what was stays as it was typed.
    if (changesOf(base.peek(), draft.peek()).names.length > 0) return;
    base.value = job;
    draft.value = draftOf(job);
  }, [job.version]);
  const { body, names } = changesOf(base.value, draft.value);
  const save = async () => {
    error.value = null;
    try {
      await patch(`jobs/${part(job.name)}`, { ...body, note: note.value }, { headers: { "if-match": `"${base.value.version}"` } });
      toast({ text: w.jobs.saved(job.name) });
      base.value = { ...base.value, version: -1 };
      draft.value = draftOf(job);
      outdateAll();
    } catch (refused) {
      error.value = refused as Refusal;
    }
  };
  const field = (name: string, label: string, help = "") => <TextField key={name} name={name} label={label} help={help} draft={draft} error={errorOf(error.value, name)} changed={names.includes(name)} />;
  void etag;
  return (
    <>
      <div class="columns editor">
        <Panel class="form">
          <Section title={w.policy.retry}>{field("attempts", w.policy.attempts, w.policy.attemptsHelp)}{field("backoff", w.policy.backoff)}{field("multiplier", w.policy.multiplier)}{field("backoff_max", w.policy.backoffMax)}{field("budget", w.policy.budget, w.policy.budgetHelp)}{field("retry_on", w.policy.retryOn, w.policy.retryOnHelp)}{field("give_up_on", w.policy.giveUpOn, w.policy.giveUpOnHelp)}</Section>
          <Section title={w.policy.time}>{field("timeout", w.policy.timeout, w.policy.timeoutHelp)}{field("deadline", w.policy.deadline, w.policy.deadlineHelp)}{field("start_within", w.policy.startWithin, w.policy.startWithinHelp)}</Section>
          <Section title={w.policy.lost}>
            <Field label={w.policy.onLost} error={errorOf(error.value, "on_lost")}>
              <select class="input" value={draft.value["on_lost"]} onChange={(event) => (draft.value = { ...draft.value, on_lost: event.currentTarget.value })}>
                {(["retry", "fail", "ask"] as const).map((id) => <option key={id} value={id}>{w.policy.lostChoices[id]}</option>)}
              </select>
            </Field>
            {field("losses_max", w.policy.lossesMax, w.policy.lossesHelp)}
          </Section>
          <Section title={w.policy.place}>{field("queue", w.queues.name)}{field("priority", w.run.priority, "0–9")}{field("description", w.policy.description)}</Section>
        </Panel>
        <Meaning draft={draft.value} job={job} />
      </div>
      {theirs && names.length > 0 && <p class="note-box">{w.policy.theirs(job.version)} <Button small onClick={() => { base.value = job; }}>{w.policy.keepMine}</Button> <Button small onClick={() => { base.value = job; draft.value = draftOf(job); }}>{w.policy.takeTheirs}</Button></p>}
      {error.value && !error.value.field && <Failed error={error.value} slim />}
      {names.length > 0 && (
        <div class="savebar" role="region" aria-label={w.policy.changes(names.length)}>
          <b>{w.policy.changes(names.length)}</b>
          <span class="grow cut">{names.map((name) => <span key={name} class="change">{name} <s>{draftOf(base.value)[name] || "–"}</s> {draft.value[name] || "–"}</span>)}</span>
          <input class="input" placeholder={w.policy.note} aria-label={w.policy.note} value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} />
          <Button onClick={() => { draft.value = draftOf(job); base.value = job; error.value = null; }}>{w.policy.drop}</Button>
          <Button kind="main" refused={refusal("jobs:write")} onClick={() => void save()}>{w.policy.save(job.version + 1)}</Button>
        </div>
      )}
      {job.origin === "code" && names.length > 0 && <p class="dim">{w.policy.drift}</p>}
    </>
  );
}

function errorOf(error: Refusal | null, name: string): string | undefined {
  const field = error?.field ?? "";
  return field === name || field === `retry.${name}` ? error?.message : undefined;
}

function Section({ title, children }: { title: string; children: JSX.Element | JSX.Element[] }): JSX.Element {
  return <section><h2>{title}</h2><div class="grid-fields">{children}</div></section>;
}

interface TextFieldProps {
  name: string;
  label: string;
  help: string;
  draft: Signal<Draft>;
  error: string | undefined;
  changed: boolean;
}

function TextField({ name, label, help, draft, error, changed }: TextFieldProps): JSX.Element {
  return (
    <Field label={label} help={help} error={error}>
      <input class={`input ${changed ? "is-changed" : ""}`} aria-invalid={error !== undefined} value={draft.value[name]} onInput={(event) => (draft.value = { ...draft.value, [name]: event.currentTarget.value })} />
    </Field>
  );
}

/** What the policy comes to: the retry curve, and how the timeout stands against how long runs took. */
function Meaning({ draft, job }: { draft: Draft; job: JobInfo }): JSX.Element {
  const w = words.value;
  const number = (name: string, otherwise: number) => { const value = valueOf(name, draft[name] ?? ""); return typeof value === "number" ? value : otherwise; };
  const budget = valueOf("budget", draft["budget"] ?? "");
  const tries = triesOf({ attempts: number("attempts", 1), backoff: number("backoff", 1), backoff_max: number("backoff_max", 600), multiplier: number("multiplier", 2), budget: typeof budget === "number" ? budget : null });
  const figure = useResource<JobFigures>("rates/jobs?step=hour&steps=168", { every: 60_000 }).data.value?.jobs.find((one) => one.job === job.name);
  const timeout = valueOf("timeout", draft["timeout"] ?? "");
  const last = tries.at(-1)?.at ?? 0;
  const x = (at: number) => 12 + (last === 0 ? 0 : (Math.log1p(at) / Math.log1p(last)) * 400);
  return (
    <Panel title={w.policy.meaning}>
      <div class="body">
        <svg class="curve chart" viewBox="0 0 430 66" role="img" aria-label={w.policy.tries(tries.length, duration(last))}>
          <line x1="12" x2={x(last)} y1="24" y2="24" class="axis" />
          {tries.map((one) => (
            <g key={one.number}>
              <circle cx={x(one.at)} cy="24" r="5" fill="var(--accent-fill)" />
              <text x={x(one.at)} y="11" text-anchor="middle">{one.number}</text>
              {one.number > 1 && <text x={x(one.at)} y="44" text-anchor="middle">{one.wait > 0 ? `+${duration(one.wait)}` : ""}</text>}
            </g>
          ))}
        </svg>
        <p>{tries.length === 1 ? w.policy.oneTry : w.policy.tries(tries.length, duration(last))}</p>
        {figure?.duration && <p class="dim">{w.policy.took(duration(figure.duration.p50), duration(figure.duration.p99), duration(figure.duration.max))}</p>}
        {figure?.duration && typeof timeout === "number" && <p class={timeout < figure.duration.p99 ? "is-failed" : "is-succeeded"}>{timeout < figure.duration.p50 ? w.policy.cutsMost : timeout < figure.duration.p95 ? w.policy.cutsMany : timeout < figure.duration.p99 ? w.policy.cutsSome : timeout < figure.duration.max ? w.policy.cutsFew : w.policy.cutsNone}</p>}
        {figure && <p class="dim">{w.policy.lately(percent(figure.succeeded / Math.max(1, figure.succeeded + figure.failed)))}</p>}
        {job.code && <p class="dim">{job.drifted ? w.policy.drifted : w.policy.asCode}</p>}
      </div>
    </Panel>
  );
}
