// The definition of a workflow as text beside its graph: the server checks it while it is typed, and says what saving would change.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, post, put } from "../../api/call.ts";
import type { CheckInfo, WorkflowInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link } from "../../live/route.ts";
import { Button, Failed, Panel } from "../../parts/basics.tsx";
import { Field } from "../../parts/field.tsx";
import { toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";
import { Graph } from "./graph.tsx";

const REST = 250;
const SAMPLE = { steps: { extract: { job: "extract" }, convert: { job: "convert", after: ["extract"] }, post: { job: "post", after: ["convert"] } } };

export function DefinitionEditor({ workflow }: { workflow: WorkflowInfo | null }): JSX.Element {
  const w = words.value;
  const start = JSON.stringify(workflow ? { ...workflow.definition, queue: workflow.queue, priority: workflow.priority, ...(workflow.description ? { description: workflow.description } : {}) } : SAMPLE, null, 2);
  const name = useSignal(workflow?.name ?? "");
  const text = useSignal(start);
  const note = useSignal("");
  const error = useSignal<Refusal | null>(null);
  const checked = useSignal<CheckInfo | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => void check(text.value).then((found) => ([checked.value, error.value] = found)), REST);
    return () => clearTimeout(timer);
  }, [text.value]);
  const save = async () => {
    try {
      await put(`workflows/${part(name.value)}`, { ...(JSON.parse(text.value) as object), note: note.value }, workflow ? { headers: { "if-match": `"${workflow.version}"` } } : {});
      outdateAll();
      toast({ text: w.jobs.saved(name.value) });
      go(link("workflows", name.value));
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
    }
  };
  const dirty = workflow === null || text.value !== start;
  return (
    <>
      <div class="columns two">
        <Panel title={w.workflows.tabs.definition} note={w.workflows.textNote}>
          <div class="body">
            {!workflow && <Field label={w.forms.labels.name}><input class="input mono" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} /></Field>}
            <Field label={w.workflows.text} error={error.value?.field ? `${error.value.field}: ${error.value.message}` : undefined}>
              <textarea class="input code" rows={24} spellcheck={false} aria-invalid={error.value !== null} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
            </Field>
            {error.value && !error.value.field && <Failed error={error.value} slim />}
          </div>
        </Panel>
        <Panel title={w.workflows.graph} note={checked.value ? w.workflows.nSteps(checked.value.graph.length) : undefined}>
          {checked.value && <Graph steps={checked.value.graph.map((step) => ({ name: step.name, job: step.job, parents: step.parents, note: step.job }))} on="" onChoose={() => {}} />}
          {checked.value && checked.value.unserved.length > 0 && <p class="note-box">{w.workflows.unserved(checked.value.unserved.join(", "))}</p>}
        </Panel>
      </div>
      {dirty && (
        <div class="savebar" role="region" aria-label={w.people.save}>
          <b>{error.value ? w.workflows.notYet : w.workflows.checkedWell}</b>
          <span class="grow" />
          <input class="input" placeholder={w.policy.note} aria-label={w.policy.note} value={note.value} onInput={(event) => (note.value = event.currentTarget.value)} />
          {workflow && <Button onClick={() => (text.value = start)}>{w.policy.drop}</Button>}
          <Button kind="main" refused={refusal("jobs:write") ?? (error.value || name.value.trim() === "" ? w.fillFirst : undefined)} onClick={() => void save()}>{w.policy.save((workflow?.version ?? 0) + 1)}</Button>
        </div>
      )}
    </>
  );
}

async function check(text: string): Promise<[CheckInfo | null, Refusal | null]> {
  try {
    const { data } = await post<CheckInfo>("workflow-checks", JSON.parse(text));
    return [data, null];
  } catch (refused) {
    // A text that is no JSON is told by the browser's own words, with the place.
    return [null, refused instanceof Refusal ? refused : new Refusal(0, { code: "bad_json", detail: refused instanceof Error ? refused.message : String(refused) })];
  }
}
