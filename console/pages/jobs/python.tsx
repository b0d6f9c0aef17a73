// A definition as Python, to be copied into the code that is to say it.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { part } from "../../api/call.ts";
import type { JobPython } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { Button, Command, Shown } from "../../parts/basics.tsx";
import { copy } from "../../parts/copy.ts";
import { Modal } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { words } from "../../words/index.ts";
import { replayed } from "./words.ts";

const shown = signal("");

export function showPython(job: string): void {
  shown.value = job;
}

export function PythonDialog(): JSX.Element | null {
  return shown.value === "" ? null : <Code job={shown.value} />;
}

function Code({ job }: { job: string }): JSX.Element {
  const w = replayed.value;
  const resource = useResource<JobPython>(`jobs/${part(job)}/python`);
  return (
    <Modal title={w.pythonOf(job)} onClose={() => (shown.value = "")} wide>
      <p class="says">{w.pythonSays}</p>
      <Shown of={resource} rows={4}>{({ code }) => <><pre class="block" tabIndex={0}>{code}</pre><Button icon="copy" onClick={() => void copy(code)}>{words.value.copy}</Button></>}</Shown>
      <details class="as-command"><summary>{words.value.asCommand}</summary><Command line={`mainspring jobs python ${quoted(job)}`} /></details>
    </Modal>
  );
}
