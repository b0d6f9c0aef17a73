// The definition of a workflow as text beside its graph, in YAML or JSON: the server checks it while it is typed, and says where a fault stands.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refusal, part, post, put } from "../../api/call.ts";
import type { TextFault, WorkflowInfo, WorkflowTextInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link } from "../../live/route.ts";
import { Button, Failed, Panel, Segments, Waiting } from "../../parts/basics.tsx";
import { type Exact, member, parseExact, writeExact } from "../../parts/exact.ts";
import { Field } from "../../parts/field.tsx";
import { toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";
import { Graph } from "./graph.tsx";
import { written } from "./words.ts";

type Form = "yaml" | "json";

const REST = 250;
const SAMPLE = "steps:\n  extract:\n    job: extract\n  convert:\n    job: convert\n    after: [extract]\n  post:\n    job: post\n    after: [convert]\n";
const FORMS = [{ id: "yaml", name: "YAML" }, { id: "json", name: "JSON" }];

/** `raw` is the answer that the workflow came with: its numbers keep every digit. */
export function DefinitionEditor({ workflow, raw = "" }: { workflow: WorkflowInfo | null; raw?: string }): JSX.Element {
  const start = useSignal<string | null>(workflow ? null : SAMPLE);
  const error = useSignal<Refusal | null>(null);
  useEffect(() => {
    if (!workflow) return;
    void check(wholeOf(workflow, raw)).then(([found, refused]) => ([start.value, error.value] = [found?.text ?? null, refused]));
  }, []);
  if (error.value) return <Failed error={error.value} />;
  return start.value === null ? <Waiting rows={8} /> : <Editor workflow={workflow} start={start.value} />;
}

function Editor({ workflow, start }: { workflow: WorkflowInfo | null; start: string }): JSX.Element {
  const w = words.value;
  const name = useSignal(workflow?.name ?? "");
  const text = useSignal(start);
  const form = useSignal<Form>("yaml");
  const kept = useSignal(start);
  const note = useSignal("");
  const error = useSignal<Refusal | null>(null);
  const checked = useSignal<Checked | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => void check(text.value).then((found) => ([checked.value, error.value] = found)), REST);
    return () => clearTimeout(timer);
  }, [text.value]);
  const found = checked.value;
  const faults = found?.faults ?? [];
  const turn = (to: Form) => {
    if (!found?.definition || to === form.value) return;
    const isKept = text.value === kept.value;
    form.value = to;
    text.value = to === "yaml" ? found.text : writeExact({ kind: "object", entries: found.exact });
    if (isKept) kept.value = text.value;
  };
  const save = async () => {
    try {
      await put(`workflows/${part(name.value)}`, writeExact({ kind: "object", entries: [...(found?.exact ?? []), ["note", { kind: "string", value: note.value }]] }), workflow ? { headers: { "if-match": `"${workflow.version}"` } } : {});
      outdateAll();
      toast({ text: w.jobs.saved(name.value) });
      go(link("workflows", name.value));
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
    }
  };
  const dirty = workflow === null || text.value !== kept.value;
  const ready = found?.definition && faults.length === 0 && error.value === null;
  return (
    <>
      <div class="columns two">
        <Panel title={w.workflows.tabs.definition} note={written.value.note} more={<Segments small label={written.value.form} on={form.value} choices={FORMS} onChoose={(to) => turn(to as Form)} />}>
          <div class="body">
            {!workflow && <Field label={w.forms.labels.name}><input class="input mono" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} /></Field>}
            <Written text={text} faults={faults} area={area} />
            {form.value === "yaml" && found?.definition && <p><Button small icon="plus" onClick={() => (text.value = withStep(text.value, found.graph.map((step) => step.name)))}>{written.value.add}</Button></p>}
            <Faults of={faults} onGo={(fault) => goTo(area.current, fault)} />
            {error.value && <Failed error={error.value} slim />}
          </div>
        </Panel>
        <Panel title={w.workflows.graph} note={found && faults.length === 0 ? w.workflows.nSteps(found.graph.length) : undefined}>
          {found && found.graph.length > 0 && <Graph steps={found.graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents, note: step.job }))} on="" onChoose={() => {}} />}
          {found && found.unserved.length > 0 && <p class="note-box">{w.workflows.unserved(found.unserved.join(", "))}</p>}
        </Panel>
      </div>
      {dirty && (
        <div class="savebar" role="region" aria-label={w.people.save}>
          <b>{ready ? w.workflows.checkedWell : w.workflows.notYet}</b>
          <span class="grow" />
          <input class="input" placeholder={w.policy.note} aria-label={w.policy.note} value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} />
          {workflow && <Button onClick={() => (text.value = kept.value)}>{w.policy.drop}</Button>}
          <Button kind="main" refused={refusal("jobs:write") ?? (!ready || name.value.trim() === "" ? w.fillFirst : undefined)} onClick={() => void save()}>{w.policy.save((workflow?.version ?? 0) + 1)}</Button>
        </div>
      )}
    </>
  );
}

/** The text with its line numbers; lines with a fault are marked. */
function Written({ text, faults, area }: { text: Signal<string>; faults: TextFault[]; area: { current: HTMLTextAreaElement | null } }): JSX.Element {
  const gutter = useRef<HTMLDivElement>(null);
  const wrong = new Set(faults.map((fault) => fault.line));
  return (
    <div class="written">
      <div class="gutter" ref={gutter} aria-hidden="true">{text.value.split("\n").map((_, line) => <span key={line} class={wrong.has(line + 1) ? "wrong" : ""}>{line + 1}</span>)}</div>
      <textarea
        ref={area}
        class="input code"
        rows={24}
        wrap="off"
        spellcheck={false}
        aria-label={words.value.workflows.text}
        aria-invalid={faults.length > 0}
        aria-describedby="text-faults"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onScroll={(event) => gutter.current && (gutter.current.scrollTop = event.currentTarget.scrollTop)}
      />
    </div>
  );
}

function Faults({ of, onGo }: { of: TextFault[]; onGo: (fault: TextFault) => void }): JSX.Element {
  const w = written.value;
  return (
    <ul id="text-faults" class="text-faults" aria-live="polite">
      {of.map((fault) => (
        <li key={`${fault.line} ${fault.column} ${fault.reason}`}>
          <button type="button" class="link" onClick={() => onGo(fault)}>{w.at(count(fault.line), count(fault.column))}</button> {fault.field && <code>{fault.field}</code>} <span class="is-failed">{fault.reason}</span>
        </li>
      ))}
    </ul>
  );
}

/** The text with another step at the end of its steps, after the last one. */
export function withStep(text: string, names: string[]): string {
  const lines = text.replace(/\n*$/, "").split("\n");
  const first = lines.findIndex((line) => /^steps:\s*$/.test(line));
  if (first < 0) return text;
  const behind = lines.findIndex((line, at) => at > first && /^[^\s#]/.test(line));
  const at = behind < 0 ? lines.length : behind;
  const last = names.at(-1);
  let name = `step-${names.length + 1}`;
  while (names.includes(name)) name += "x";
  const made = [`  ${name}:`, "    job: name-of-a-job", ...(last ? [`    after: [${last}]`] : [])];
  return [...lines.slice(0, at), ...made, ...lines.slice(at), ""].join("\n");
}

/** The caret goes to where the fault stands. */
function goTo(area: HTMLTextAreaElement | null, { line, column }: TextFault): void {
  if (!area) return;
  const before = area.value.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(before + column - 1, before + column);
  area.scrollTop = Math.max(0, (line - 8) * 18);
}

function wholeOf(workflow: WorkflowInfo, raw: string): string {
  const beside = { ...(workflow.description ? { description: workflow.description } : {}), queue: workflow.queue, priority: workflow.priority };
  return writeExact({ kind: "object", entries: [...entriesOf(JSON.stringify(beside)), ...entriesOf(raw, "definition")] });
}

/** What an object of a text has, digit by digit. */
function entriesOf(text: string, name = ""): [string, Exact][] {
  const whole = parseExact(text);
  const found = name === "" ? whole : member(whole, name);
  return found?.kind === "object" ? found.entries : [];
}

interface Checked extends WorkflowTextInfo {
  /** The definition, to the digit. */
  exact: [string, Exact][];
}

async function check(text: string): Promise<[Checked | null, Refusal | null]> {
  try {
    const answer = await post<WorkflowTextInfo>("workflow-texts", { text });
    return [{ ...answer.data, exact: entriesOf(answer.text, "definition") }, null];
  } catch (refused) {
    return [null, refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) })];
  }
}
