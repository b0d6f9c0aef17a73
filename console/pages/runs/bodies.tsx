// The other tabs of a run: input and result to the digit, attempts, what it keeps between attempts, and its family.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { AttemptPage, RunInfo, RunMemory, RunPage } from "../../api/schema.ts";
import type { Resource } from "../../live/resource.ts";
import { link, linkWith } from "../../live/route.ts";
import { Ago, Empty, Moment, Shown, StateIcon, State, Tag } from "../../parts/basics.tsx";
import { type Exact, member, parseExact, writeExact } from "../../parts/exact.ts";
import { JsonView } from "../../parts/json.tsx";
import { duration } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { toneOfOutcome } from "./timeline.ts";

function read(text: string): Exact | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

export function Bodies({ text, run }: { text: string; run: RunInfo }): JSX.Element {
  const w = words.value;
  const node = useMemo(() => read(text), [text]);
  return (
    <div class="body-pair">
      <JsonView node={member(node, "input")} label={w.run.input} />
      {run.state === "succeeded" ? <JsonView node={member(node, "result")} label={w.run.result} /> : run.error ? <Traceback run={run} /> : <p class="quiet">{w.run.noResult}</p>}
    </div>
  );
}

function Traceback({ run }: { run: RunInfo }): JSX.Element {
  return (
    <div class="json">
      <div class="json-tools"><h3>{words.value.run.error}</h3></div>
      <pre class="block traceback">{run.error?.traceback || `${run.error?.class}: ${run.error?.message}`}</pre>
    </div>
  );
}

export function Raw({ text }: { text: string }): JSX.Element {
  const node = useMemo(() => read(text), [text]);
  return <pre class="block raw">{node ? writeExact(node) : text}</pre>;
}

export function Attempts({ of }: { of: Resource<AttemptPage> }): JSX.Element {
  const w = words.value;
  const outcomes = w.outcomes as Record<string, string>;
  return (
    <Shown of={of}>
      {({ attempts }) =>
        attempts.length === 0 ? (
          <Empty title={w.run.noAttempts} />
        ) : (
          <ul class="attempts">
            {attempts.map((one) => (
              <li key={one.number}>
                <div class="attempt-head">
                  <b>{w.run.try(one.number)}</b>
                  <span class={`state is-${toneOfOutcome(one.outcome)}`}><StateIcon state={toneOfOutcome(one.outcome)} />{outcomes[one.outcome] ?? one.outcome}</span>
                  <span class="dim">{one.executor}{one.host && one.host !== one.executor ? ` · ${one.host}` : ""}{one.code_version ? ` · ${one.code_version}` : ""}</span>
                  <span class="grow" />
                  {one.duration !== null && <span>{duration(one.duration)}</span>}
                  <span class="faint"><Moment at={one.ended_at} /></span>
                </div>
                {one.error && (
                  <>
                    <p><b>{one.error.class}</b>: {one.error.message} <Tag>{one.error.code}</Tag></p>
                    {one.error.traceback && <details><summary class="dim">{w.run.traceback}</summary><pre class="block traceback">{one.error.traceback}</pre></details>}
                  </>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

export function Steps({ of }: { of: Resource<RunMemory> }): JSX.Element {
  const w = words.value;
  return (
    <Shown of={of}>
      {({ checkpoint, steps, effects }) =>
        !checkpoint && steps.length === 0 && effects.length === 0 ? (
          <Empty title={w.run.noSteps}><pre class="block">order = await ctx.step("reserve", reserve, order_id)</pre></Empty>
        ) : (
          <table class="steps">
            <tbody>
              {effects.map((one) => <StepRow key={`e${one.name}`} kind={w.run.effect} name={one.name} at={one.at} attempt={one.attempt} value={one.done ? one.result : w.run.unknown} bad={!one.done} />)}
              {steps.map((one) => <StepRow key={one.name} kind={w.run.step} name={one.name} at={one.at} attempt={one.attempt} value={one.result} />)}
              {checkpoint && <StepRow kind={w.run.checkpoint} name="" at={checkpoint.at} attempt={checkpoint.attempt} value={checkpoint.state} />}
            </tbody>
          </table>
        )
      }
    </Shown>
  );
}

function StepRow({ kind, name, at, attempt, value, bad = false }: { kind: string; name: string; at: string; attempt: number; value: unknown; bad?: boolean }): JSX.Element {
  return (
    <tr>
      <td class="faint">{kind}</td>
      <td><b>{name}</b></td>
      <td class="dim">{words.value.run.try(attempt)}</td>
      <td class="wide">{bad ? <Tag kind="warn">{String(value)}</Tag> : <code>{JSON.stringify(value)}</code>}</td>
      <td class="num faint"><Ago at={at} /></td>
    </tr>
  );
}

export function Related({ run, of }: { run: RunInfo; of: Resource<RunPage> }): JSX.Element {
  const w = words.value;
  const links: [string, string][] = [];
  if (run.parent) links.push([w.run.parent, link("runs", run.parent)]);
  if (run.workflow) links.push([w.run.workflow, linkWith({}, "runs", run.workflow)]);
  if (run.trigger) links.push([w.run.sameTrigger(run.trigger), link("triggers", run.trigger)]);
  if (run.backfill) links.push([w.run.backfill, link("backfills", run.backfill)]);
  if (run.key) links.push([w.run.sameKey, linkWith({ q: `key:${run.key}` }, "runs")]);
  return (
    <div class="related">
      {links.length > 0 && <p class="tags">{links.map(([name, href]) => <a key={href} class="button small" href={href}>{name}</a>)}</p>}
      <h2>{w.run.children}</h2>
      <Shown of={of}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p class="faint">{w.run.noChildren}</p>
          ) : (
            <ul class="kin">
              {runs.map((one) => <li key={one.id}><a href={link("runs", one.id)}>{one.job} <code class="faint">…{one.id.slice(-8)}</code></a><State state={one.state} /></li>)}
            </ul>
          )
        }
      </Shown>
    </div>
  );
}
