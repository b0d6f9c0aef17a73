// The last runs of a job, played again under the policy as it is typed: which would have ended otherwise, and which.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, post } from "../../api/call.ts";
import type { JobInfo, WhatIfEffect, WhatIfInfo } from "../../api/schema.ts";
import { link } from "../../live/route.ts";
import { Command, Failed, Panel } from "../../parts/basics.tsx";
import { quoted } from "../../parts/draft.ts";
import { duration, percent, shortId } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { replayed } from "./words.ts";

const REST = 300;
const BAD = new Set(["timed_out", "too_late", "not_started", "failed_instead", "skipped"]);

export function WhatIf({ job, body }: { job: JobInfo; body: Record<string, unknown> }): JSX.Element {
  const w = replayed.value;
  const found = useSignal<WhatIfInfo | null>(null);
  const error = useSignal<Refusal | null>(null);
  const asked = JSON.stringify(body);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      if (asked === "{}") found.value = error.value = null;
      else void post<WhatIfInfo>(`jobs/${part(job.name)}/what-if`, { changes: body }, { signal: stop.signal }).then(
        ({ data }) => { found.value = data; error.value = null; },
        (refused: unknown) => { if (refused instanceof Refusal && !refused.field) error.value = refused; },
      );
    }, REST);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [asked, job.version]);
  return (
    <Panel title={w.title} class="what-if">
      <div class="body meaning" aria-live="polite">
        {error.value ? <Failed error={error.value} slim /> : found.value ? <Replayed found={found.value} /> : <p class="dim">{w.ask}</p>}
        {found.value && <details class="as-command"><summary>{words.value.asCommand}</summary><Command line={`mainspring jobs what-if ${quoted(job.name)}${settings(body)}`} /></details>}
      </div>
    </Panel>
  );
}

function Replayed({ found }: { found: WhatIfInfo }): JSX.Element {
  const w = replayed.value;
  if (found.runs === 0) return <p class="dim">{w.none}</p>;
  return (
    <>
      <p>{w.looked(found.runs, found.succeeded, found.failed)} <span class="dim">{w.atOnce(found.at_once)}</span></p>
      {found.effects.length === 0 && <p class="is-succeeded">{w.same}</p>}
      {found.effects.length > 0 && <ul class="effects">{found.effects.map((one) => <li key={one.effect}><One one={one} of={found.runs} /></li>)}</ul>}
      {found.unjudged.length > 0 && <p class="dim">{w.unjudged(found.unjudged.join(", "))}</p>}
    </>
  );
}

function One({ one, of }: { one: WhatIfEffect; of: number }): JSX.Element {
  const w = replayed.value;
  return (
    <>
      <span class={BAD.has(one.effect) ? "is-failed" : ""}>{w.effects[one.effect as keyof typeof w.effects](count(one.runs), percent(one.runs / of))}</span>
      {one.seconds > 0 && <span class="dim">: {w.waits(duration(one.seconds), duration(one.longest))}</span>}
      <span class="samples">{one.samples.map((id) => <a key={id} class="link mono" href={link("runs", id)}>{shortId(id)}</a>)}</span>
    </>
  );
}

/** The changes as the command takes them. */
function settings(body: Record<string, unknown>): string {
  const plain = (value: unknown): unknown => (Array.isArray(value) ? value.join(",") : value);
  return Object.entries(body)
    .flatMap(([name, value]) => (name === "retry" ? Object.entries(value as object).map(([inner, one]) => [`retry.${inner}`, one as unknown] as const) : [[name, value] as const]))
    .map(([name, value]) => ` --set ${quoted(`${name}=${typeof plain(value) === "string" ? (plain(value) as string) : JSON.stringify(plain(value))}`)}`)
    .join("");
}
