// Start a run: a form from the job's schema, or its input as JSON, with key, due time, priority and labels.
import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, get, part, post, query } from "../../api/call.ts";
import type { AcceptedRun, JobInfo, JobPage, RunInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link } from "../../live/route.ts";
import { Button, Command, Failed } from "../../parts/basics.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { member, parseExact, writeExact } from "../../parts/exact.ts";
import { Field } from "../../parts/field.tsx";
import { toast } from "../../parts/toasts.tsx";
import { parseDuration } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import type { InputForm, InputSchema } from "./input-form.tsx";

/** The fields come as a part of their own, with the first dialog. */
const Form = signal<typeof InputForm | null>(null);
const wanted = signal<{ job: string; like: RunInfo | null } | null>(null);

export function startRun(job = "", like: RunInfo | null = null): void {
  wanted.value = { job, like };
}

export function RunDialogButton({ job = "" }: { job?: string }): JSX.Element {
  return <Button kind="main" icon="play" refused={refusal("runs:write")} onClick={() => startRun(job)}>{words.value.start.button}</Button>;
}

export function StartDialog(): JSX.Element | null {
  const one = wanted.value;
  return one && <StartForm key={`${one.job}${one.like?.id}`} first={one.job} like={one.like} onClose={() => (wanted.value = null)} />;
}

function StartForm({ first, like, onClose }: { first: string; like: RunInfo | null; onClose: () => void }): JSX.Element {
  const w = words.value.start;
  const job = useSignal(first);
  const names = useSignal<string[]>([]);
  const found = useSignal<JobInfo | null>(null);
  const text = useSignal("{}");
  const more = { key: useSignal(""), delay: useSignal(""), priority: useSignal(like ? String(like.priority) : ""), tags: useSignal(like?.tags.join(" ") ?? ""), queue: useSignal(like?.queue ?? "") };
  const error = useSignal<Refusal | null>(null);
  useEffect(() => {
    void import("./input-form.tsx").then((one) => (Form.value = one.InputForm));
    void get<JobPage>(query("jobs", { limit: 200 })).then(({ data }) => (names.value = data.jobs.map(({ name }) => name)));
  }, []);
  useEffect(() => {
    found.value = null;
    if (job.value === "") return;
    void get<JobInfo>(`jobs/${part(job.value)}`).then(
      async ({ data }) => {
        found.value = data;
        text.value = like && like.job === job.value ? await inputOf(like.id) : sampleOf(data);
      },
      () => {},
    );
  }, [job.value]);
  const submit = async (event: Event) => {
    event.preventDefault();
    error.value = null;
    try {
      const body = writeBody(text.value, more);
      const { data } = await post<AcceptedRun>(`jobs/${part(job.value)}/runs`, body);
      outdateAll();
      onClose();
      toast({ text: data.existing ? w.existing : w.started(job.value), href: link("runs", data.id) });
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(422, { code: "bad_input", detail: String(refused), field: "input" });
    }
  };
  const line = `mainspring enqueue ${job.value || "JOB"} --input '${text.value.replaceAll(/\s+/g, " ")}'`;
  return (
    <Modal title={like ? w.again : w.title} onClose={onClose} wide>
      <form onSubmit={submit}>
        <Field label={w.job} error={error.value?.field === "job" ? error.value.message : ""}>
          <input class="input" list="start-jobs" required value={job.value} onChange={(event) => (job.value = event.currentTarget.value.trim())} />
          <datalist id="start-jobs">{names.value.map((name) => <option key={name} value={name} />)}</datalist>
        </Field>
        {found.value?.description && <p class="dim">{found.value.description}</p>}
        {found.value && Form.value && <Form.value schema={found.value.schema as InputSchema} text={text} />}
        <Field label={w.input} help={found.value ? fieldsOf(found.value) : w.inputHelp} error={error.value?.field?.startsWith("input") ? error.value.message : ""}>
          <textarea class="input" rows={5} spellcheck={false} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        </Field>
        <details class="more-fields">
          <summary>{w.more}</summary>
          <div class="grid-fields">
            <Field label={w.key} help={w.keyHelp}><input class="input" value={more.key.value} onInput={(event) => (more.key.value = event.currentTarget.value)} /></Field>
            <Field label={w.delay} help="2 m, 1 h 30 m"><input class="input" value={more.delay.value} onInput={(event) => (more.delay.value = event.currentTarget.value)} /></Field>
            <Field label={w.priority} help="0–9"><input class="input" inputMode="numeric" value={more.priority.value} onInput={(event) => (more.priority.value = event.currentTarget.value)} /></Field>
            <Field label={w.queue}><input class="input" value={more.queue.value} placeholder={found.value?.queue ?? ""} onInput={(event) => (more.queue.value = event.currentTarget.value)} /></Field>
            <Field label={w.tags} help="vip eu"><input class="input" value={more.tags.value} onInput={(event) => (more.tags.value = event.currentTarget.value)} /></Field>
          </div>
        </details>
        <details class="as-command"><summary>{words.value.asCommand}</summary><Command line={line} /></details>
        {error.value && <Failed error={error.value} slim />}
        <footer>
          <Button onClick={onClose}>{words.value.cancel}</Button>
          <Button kind="main" type="submit" icon="play" refused={job.value === "" ? words.value.fillFirst : undefined}>{w.button}</Button>
        </footer>
      </form>
    </Modal>
  );
}

async function inputOf(id: string): Promise<string> {
  const { text } = await get<RunInfo>(`runs/${id}`);
  const input = member(parseExact(text), "input");
  return input ? writeExact(input) : "{}";
}

/** An input with a value of the right kind for every argument that has to be given. */
export function sampleOf(job: Pick<JobInfo, "schema" | "input">): string {
  const schema = job.schema as InputSchema;
  const blanks: Record<string, unknown> = { string: "", integer: 0, number: 0, boolean: false, array: [], object: {} };
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name) && !(name in (job.input as Record<string, unknown>)))
    .map(([name, { type, default: value, enum: choices }]) => [name, value ?? choices?.[0] ?? blanks[type ?? "string"] ?? null]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

function fieldsOf(job: JobInfo): string {
  const schema = job.schema as InputSchema;
  return Object.entries(schema.properties ?? {}).map(([name, { type }]) => `${name}${schema.required?.includes(name) ? "" : "?"}: ${type ?? "any"}`).join(", ");
}

/** The input goes into the body as it was typed: no number of it passes through the browser's own. */
function writeBody(input: string, more: Record<"key" | "delay" | "priority" | "tags" | "queue", { value: string }>): string {
  const read = parseExact(input.trim() || "{}");
  const rest: Record<string, unknown> = {};
  if (more.key.value) rest["key"] = more.key.value;
  if (more.delay.value) rest["delay"] = parseDuration(more.delay.value) ?? more.delay.value;
  if (more.priority.value) rest["priority"] = Number(more.priority.value);
  if (more.queue.value) rest["queue"] = more.queue.value;
  if (more.tags.value.trim()) rest["tags"] = more.tags.value.trim().split(/[\s,]+/);
  const others = JSON.stringify(rest).slice(1, -1);
  return `{"input": ${writeExact(read)}${others ? `, ${others}` : ""}}`;
}
