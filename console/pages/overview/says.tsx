// The sentence that a page begins with: what is wrong, why, and what to do; and the first steps on a new server.
import type { JSX } from "preact";
import { post, part } from "../../api/call.ts";
import { refusal } from "../../live/rights.ts";
import { link, linkWith } from "../../live/route.ts";
import { outdateAll } from "../../live/resource.ts";
import { Button, ButtonLink, type Children, Command, StateIcon } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { duration, percent } from "../../words/format.ts";
import { count, rate, words } from "../../words/index.ts";
import { type Finding, type Surveyed, toneOf } from "./findings.ts";

export function Says({ findings, seen }: { findings: Finding[]; seen: Surveyed }): JSX.Element {
  const w = words.value.overview;
  const pace = seen.queues.reduce((sum, queue) => sum + (queue.rates?.finished ?? 0), 0);
  const worst = findings.some((one) => toneOf(one) === "failed") ? "failed" : "waiting";
  return (
    <section class="panel findings" aria-label={w.findings}>
      <div class="say">
        <StateIcon state={findings.length === 0 ? "succeeded" : worst} />
        {findings.length === 0 ? w.allWell(rate(pace)) : w.needs(findings.length)}
      </div>
      {findings.slice(0, 6).map((one) => (
        <div class="finding" key={JSON.stringify([one.kind, Object.values(one).find((value) => typeof value === "string" && value !== one.kind)])}>
          <StateIcon state={toneOf(one)} />
          <span class="what">{textOf(one)}</span>
          <span class="acts">{actsOf(one)}</span>
        </div>
      ))}
    </section>
  );
}

function textOf(one: Finding): Children {
  const w = words.value.overview;
  switch (one.kind) {
    case "no_executors":
      return w.noExecutors(count(one.queued));
    case "no_listener":
      return <><b>{one.queue}</b> {w.noListener(count(one.queued))}</>;
    case "behind":
      return <><b>{one.queue}</b> {w.behind(duration(one.seconds))} <span class="dim">{w.behindWhy(count(one.queued), count(one.running), count(one.slots), one.drains === null ? null : duration(Math.round(one.drains)))}</span></>;
    case "paused":
      return <><b>{one.queue}</b> {w.queuePaused(one.by, count(one.queued))} {one.reason && <span class="dim">“{one.reason}”</span>}</>;
    case "failing":
      return <>{w.failingShare(percent(one.share), count(one.failed))} <span class="dim">{w.failingUsual(percent(one.usual))}</span></>;
    case "new_error":
      return <><b>{one.group.job}</b> {w.newError(count(one.group.runs, one.group.more))} <span class="dim"><b>{one.group.class}</b>: {one.group.message}</span></>;
    case "trigger_paused":
      return <><b>{one.trigger}</b> {w.triggerPaused} <span class="dim">{one.reason}</span></>;
    case "stuck":
      return <><b>{one.executor}</b> {w.stuck(one.pool)}</>;
    case "blocked":
      return <><b>{one.executor}</b> {w.blocked(one.handler, duration(one.seconds))}</>;
  }
}

function actsOf(one: Finding): Children {
  const w = words.value;
  switch (one.kind) {
    case "no_executors":
    case "no_listener":
      return <ButtonLink small href={link("executors")}>{w.pages.executors}</ButtonLink>;
    case "behind":
      return <><ButtonLink small href={linkWith({ q: `queue:${one.queue} state:queued`, sort: "oldest" }, "runs")}>{w.overview.why}</ButtonLink><ButtonLink small href={linkWith({ q: `queue:${one.queue} state:running` }, "runs")}>{w.overview.holders}</ButtonLink></>;
    case "paused":
      return <Button small icon="play" refused={refusal("queues:steer")} onClick={() => void resumeQueue(one.queue)}>{w.queues.resume}</Button>;
    case "failing":
      return <ButtonLink small href={linkWith({ q: "state:failed since:1h" }, "runs")}>{w.overview.look}</ButtonLink>;
    case "new_error":
      return <><ButtonLink small href={link("runs", one.group.example)}>{w.failures.showExample}</ButtonLink><ButtonLink small href={link("failures", one.group.fingerprint)}>{w.overview.look}</ButtonLink></>;
    case "trigger_paused":
      return <ButtonLink small href={link("triggers", one.trigger)}>{w.overview.look}</ButtonLink>;
    case "stuck":
    case "blocked":
      return <ButtonLink small href={link("executors", one.executor)}>{w.overview.look}</ButtonLink>;
  }
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
export function FirstSteps({ seen }: { seen: Surveyed }): JSX.Element | null {
  const w = words.value.first;
  const ran = seen.queues.length > 0;
  const steps: [string, boolean][] = [[w.server, true], [w.executor, seen.executors.length > 0], [w.run, ran], [w.trigger, seen.triggers.length > 0]];
  if (seen.executors.length > 0 && ran) return null;
  return (
    <section class="panel first-steps">
      <header><h2>{w.title}</h2></header>
      <div class="body">
        <ul>
          {steps.map(([name, done]) => <li key={name} class={done ? "is-succeeded" : ""}><Icon name={done ? "check" : "clock"} /> {name}</li>)}
        </ul>
        {seen.executors.length === 0 && <Command line="mainspring executor jobs:app" />}
        {seen.executors.length > 0 && !ran && <Command line="mainspring enqueue welcome_mail email=anna@example.com name=Anna --wait" />}
      </div>
    </section>
  );
}
