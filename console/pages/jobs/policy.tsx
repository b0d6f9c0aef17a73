// The policy of a job: every field with its unit, what it means beside it, and what changes before it is saved.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, patch } from "../../api/call.ts";
import type { BreakerPage, JobInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button, Failed, Panel } from "../../parts/basics.tsx";
import type { Draft, FieldSpec } from "../../parts/draft.ts";
import { TheirsTable, TypedField } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";
import { Meaning } from "./meaning.tsx";
import { SPECS, policyChanges, policyDraft } from "./policy-draft.ts";
import { WhatIf } from "./what-if.tsx";
import { added } from "./words.ts";

const SECTIONS = {
  retry: ["attempts", "backoff", "multiplier", "backoff_max", "budget", "retry_on", "give_up_on"],
  time: ["timeout", "deadline", "start_within"],
  lost: ["on_lost", "losses_max"],
  place: ["queue", "priority", "description"],
  limits: ["at_once", "limit_key", "rate", "executor_limit", "fair", "weight"],
  overlap: ["blocking", "debounce", "throttle"],
  routing: ["strategy", "route_key", "executors", "on_absent", "requires", "prefers", "uses", "runs_on"],
  guard: ["breaker", "stop_when_open", "history"],
} as const;
const STRATEGIES = ["any", "least_loaded", "least_used", "least_recent", "round_robin", "random", "hash", "first", "last", "failover", "fixed", "broadcast"];

export function PolicyEditor({ job }: { job: JobInfo }): JSX.Element {
  const w = words.value;
  const draft = useSignal<Draft>(policyDraft(job));
  const note = useSignal("");
  const error = useSignal<Refusal | null>(null);
  const base = useSignal(job);
  const theirs = base.value.version !== job.version;
  useEffect(() => {
    // Another saved meanwhile: what was not touched here follows, what was stays as it was typed.
    if (policyChanges(base.peek(), draft.peek()).names.length > 0) return;
    base.value = job;
    draft.value = policyDraft(job);
  }, [job.version]);
  const { body, names } = policyChanges(base.value, draft.value);
  const drop = () => {
    draft.value = policyDraft(job);
    base.value = job;
    error.value = null;
  };
  const save = async () => {
    error.value = null;
    try {
      await patch(`jobs/${part(job.name)}`, { ...body, note: note.value }, { headers: { "if-match": `"${base.value.version}"` } });
      toast({ text: w.jobs.saved(job.name) });
      base.value = { ...base.value, version: -1 };
      draft.value = policyDraft(job);
      outdateAll();
    } catch (refused) {
      error.value = refused as Refusal;
      if (error.value.status === 412) outdateAll();
    }
  };
  return (
    <>
      <div class="columns editor">
        <Panel class="form">
          {Object.entries(SECTIONS).map(([id, fields]) => <Section key={id} id={id as keyof typeof SECTIONS} fields={fields} draft={draft} error={error.value} changed={names} />)}
        </Panel>
        <div class="stack"><Meaning draft={draft.value} job={job} /><WhatIf job={job} body={body} /></div>
      </div>
      {theirs && names.length > 0 && (
        <TheirsTable fields={fieldSpecs()} draft={draft} theirs={policyDraft(job)} only={names} onSettled={() => (base.value = job)} />
      )}
      {error.value && !error.value.field && error.value.status !== 412 && <Failed error={error.value} slim />}
      {names.length > 0 && (
        <div class="savebar" role="region" aria-label={w.policy.changes(names.length)}>
          <b>{w.policy.changes(names.length)}</b>
          <span class="grow cut">{names.map((name) => <span key={name} class="change">{name} <s>{policyDraft(base.value)[name] || "–"}</s> {draft.value[name] || "–"}</span>)}</span>
          <input class="input" placeholder={w.policy.note} aria-label={w.policy.note} value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} />
          <Button onClick={drop}>{w.policy.drop}</Button>
          <Button kind="main" refused={refusal("jobs:write")} onClick={() => void save()}>{w.policy.save(job.version + 1)}</Button>
        </div>
      )}
      {job.origin === "code" && names.length > 0 && <p class="dim">{w.policy.drift}</p>}
    </>
  );
}

function choicesOf(name: string): [string, string][] | undefined {
  const w = words.value.policy;
  if (name === "on_lost") return Object.entries(w.lostChoices);
  if (name === "blocking") return Object.entries(w.blockingChoices);
  if (name === "history") return Object.entries(w.historyChoices);
  if (name === "on_absent") return Object.entries(w.absentChoices);
  return name === "strategy" ? STRATEGIES.map((id) => [id, w.strategies[id as keyof typeof w.strategies]]) : undefined;
}

function fieldSpecs(names: readonly string[] = Object.keys(SPECS)): FieldSpec[] {
  const w = words.value.policy;
  return names.map((name) => {
    const kind = SPECS[name]?.kind ?? "text";
    const choices = choicesOf(name);
    const help = (w.help as Record<string, string>)[name] ?? added.value.help[name];
    return { name, kind: kind === "lines" ? "text" : kind, label: (w.labels as Record<string, string>)[name] ?? added.value.labels[name] ?? name, ...(help ? { help } : {}), ...(choices ? { choices } : {}) };
  });
}

interface SectionProps {
  id: keyof typeof SECTIONS;
  fields: readonly string[];
  draft: Signal<Draft>;
  error: Refusal | null;
  changed: string[];
}

function Section({ id, fields, draft, error, changed }: SectionProps): JSX.Element {
  const w = words.value.policy;
  const breakers = useResource<BreakerPage>(id === "guard" ? "breakers" : null, { every: 30_000 }).data.value?.breakers.map((one) => one.name);
  const wrong = error?.field?.split(".").at(-1)?.replace(/\[.*$/, "");
  return (
    <section>
      <h2>{w.sections[id]}</h2>
      <div class="grid-fields">
        {fieldSpecs(fields).map((field) => (
          <div key={field.name} class={`${changed.includes(field.name) ? "is-changed" : ""} ${field.kind === "json" ? "all-columns" : ""}`}>
            <TypedField field={field.name === "breaker" && breakers ? { ...field, known: breakers } : field} draft={draft} error={wrong === field.name || error?.field === field.name ? error?.message : undefined} />
          </div>
        ))}
      </div>
    </section>
  );
}
