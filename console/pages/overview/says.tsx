// The sentence that a page begins with: what is wrong, why, and what to do; and the first steps on a new server.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { post, part } from "../../api/call.ts";
import { refusal } from "../../live/rights.ts";
import { link, linkWith } from "../../live/route.ts";
import { outdateAll } from "../../live/resource.ts";
import { Ago, Button, ButtonLink, type Children, Command, StateIcon } from "../../parts/basics.tsx";
import { copy } from "../../parts/copy.ts";
import { Icon } from "../../parts/icons.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { duration } from "../../words/format.ts";
import { count, language, rate, words } from "../../words/index.ts";
import { type Finding, toneOf } from "./findings.ts";

const SHOWN = 4;

export function Says({ findings, more, pace }: { findings: Finding[]; more: number; pace: number }): JSX.Element {
  const w = words.value.overview;
  const all = useSignal(false);
  const shown = all.value ? findings : findings.slice(0, SHOWN);
  const worst = findings.some((one) => toneOf(one) === "failed") ? "failed" : "waiting";
  return (
    <section class="panel findings" aria-label={w.findings}>
      <div class="say">
        <StateIcon state={findings.length === 0 ? "succeeded" : worst} />
        {findings.length === 0 ? w.allWell(rate(pace)) : w.needs(findings.length + more)}
      </div>
      {shown.map((one) => (
        <div class="finding" key={keyOf(one)}>
          <StateIcon state={toneOf(one)} />
          <span class="what">{textOf(one)}</span>
          <span class="acts">{actsOf(one)}</span>
        </div>
      ))}
      {findings.length > shown.length && <button type="button" class="finding link" onClick={() => (all.value = true)}>{w.andMore(findings.length + more - SHOWN)}</button>}
    </section>
  );
}

const keyOf = (one: Finding) => (one.kind === "found" ? `${one.is.kind} ${one.is.subject}` : JSON.stringify([one.kind, "queue" in one ? one.queue : one.executor]));

function textOf(one: Finding): Children {
  const w = words.value.overview;
  switch (one.kind) {
    case "found":
      return <Found of={one} />;
    case "paused":
      return <><b>{one.queue}</b> {w.queuePaused(one.by, count(one.queued))} {one.reason && <span class="dim">“{one.reason}”</span>}</>;
    case "stuck":
      return <><b>{one.executor}</b> {w.stuck(one.pool)}</>;
    case "blocked":
      return <><b>{one.executor}</b> {w.blocked(one.handler, duration(one.seconds))}</>;
  }
}

/** The server's sentence; in another language its kind, with the sentence beside it. */
function Found({ of }: { of: Extract<Finding, { kind: "found" }> }): JSX.Element {
  const kinds = words.value.alerts.kinds as Record<string, string>;
  const since = of.is.since_at;
  return (
    <>
      <b>{of.name || of.noun}</b> {language.value === "en" ? <>{of.is.words.replace(/:\s*$/, "")}</> : <>{kinds[of.is.kind] ?? of.is.kind} <span class="dim">{of.is.words}</span></>}
      {since && <span class="dim"> · <Ago at={since} /></span>}
      {of.is.acked_by && <span class="dim"> · {words.value.alerts.acked} {of.is.acked_by}</span>}
    </>
  );
}

const PLACES: Record<string, string> = { job: "jobs", queue: "queues", trigger: "triggers", executor: "executors", breaker: "breakers" };

function actsOf(one: Finding): Children {
  const w = words.value;
  switch (one.kind) {
    case "found":
      return <FoundActs of={one} />;
    case "paused":
      return <Button small icon="play" refused={refusal("queues:steer")} onClick={() => void resumeQueue(one.queue)}>{w.queues.resume}</Button>;
    case "stuck":
    case "blocked":
      return <ButtonLink small href={link("executors", one.executor)}>{w.overview.look}</ButtonLink>;
  }
}

/** Where the evidence is, and the command to begin with. */
function FoundActs({ of: { is, noun, name, more } }: { of: Extract<Finding, { kind: "found" }> }): JSX.Element {
  const w = words.value;
  const place = PLACES[noun];
  const href = is.kind === "dead_letters" && more ? link("failures", more) : noun === "slo" ? linkWith({ tab: "slos" }, "alerts") : place ? link(place, name) : is.run ? link("runs", is.run) : link("cluster");
  return (
    <>
      <Button small icon="command" label={`${w.copy}: ${is.remedy}`} onClick={() => void copy(is.remedy)} />
      {noun === "queue" && <ButtonLink small href={linkWith({ q: `queue:${name} state:running` }, "runs")}>{w.overview.holders}</ButtonLink>}
      {is.run && <ButtonLink small href={link("runs", is.run)}>{w.failures.showExample}</ButtonLink>}
      <ButtonLink small href={href}>{noun === "queue" ? w.overview.why : w.overview.look}</ButtonLink>
    </>
  );
}

async function resumeQueue(queue: string): Promise<void> {
  try {
    await post(`queues/${part(queue)}/resume`);
    outdateAll();
    toast({ text: words.value.queues.resumed(queue) });
  } catch (error) {
    tellRefusal(error);
  }
}

/** What a new server still lacks; each step ticks itself. */
export function FirstSteps({ queues, executors, triggers, rules }: { queues: number; executors: number; triggers: number; rules: number }): JSX.Element | null {
  const w = words.value.first;
  const ran = queues > 0;
  const steps: [string, boolean][] = [[w.server, true], [w.executor, executors > 0], [w.run, ran], [w.trigger, triggers > 0], [w.told, rules > 0]];
  if (executors > 0 && ran) return null;
  return (
    <section class="panel first-steps">
      <header><h2>{w.title}</h2></header>
      <div class="body">
        <ul>
          {steps.map(([name, done]) => <li key={name} class={done ? "is-succeeded" : ""}><Icon name={done ? "check" : "clock"} /> {name}</li>)}
        </ul>
        {executors === 0 && <Command line="mainspring executor jobs:app" />}
        {executors > 0 && !ran && <Command line="mainspring enqueue welcome_mail email=anna@example.com name=Anna --wait" />}
      </div>
    </section>
  );
}
