// Two runs of a job side by side: what differs in fact, input, result and log; by default against the last success.
import type { JSX } from "preact";
import type { LogPage, RunInfo, RunPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, setQuery } from "../../live/route.ts";
import { Empty, Head, Id, Panel, State } from "../../parts/basics.tsx";
import { member, parseExact, writeExact } from "../../parts/exact.ts";
import { secondsOf } from "../../parts/strip.tsx";
import { duration } from "../../words/format.ts";
import { relative, words } from "../../words/index.ts";
import { waitOf } from "./list.tsx";
import { now } from "../../live/clock.ts";

export function Compare({ id }: { id: string }): JSX.Element {
  const w = words.value;
  const one = useResource<RunInfo>(`runs/${id}`);
  const job = one.data.value?.job;
  const others = useResource<RunPage>(job ? `runs?job=${encodeURIComponent(job)}&limit=50` : null).data.value?.runs.filter((run) => run.id !== id) ?? [];
  const other = asked("with") || others.find((run) => run.state === "succeeded")?.id || others[0]?.id || "";
  const two = useResource<RunInfo>(other ? `runs/${other}` : null);
  const [first, second] = [one.data.value, two.data.value];
  return (
    <>
      <Head title={w.compare.title} trail={<><a href={link("runs")}>{w.pages.runs}</a> / <a href={link("runs", id)}>{job ?? id}</a></>}>
        <select class="input" aria-label={w.compare.with} value={other} onChange={(event) => setQuery({ with: event.currentTarget.value })}>
          {others.map((run) => <option key={run.id} value={run.id}>…{run.id.slice(-8)} {(w.states as Record<string, string>)[run.state]} {relative((Date.parse(run.created_at) - now.peek()) / 1000)}</option>)}
        </select>
      </Head>
      {first && second ? (
        <>
          <Facts first={first} second={second} />
          <div class="columns two even">
            <Body title={w.run.input} text={one.text.value} other={two.text.value} field="input" />
            <Body title={w.run.input} text={two.text.value} other={one.text.value} field="input" />
          </div>
          <div class="columns two even">
            <LogOf id={first.id} />
            <LogOf id={second.id} />
          </div>
        </>
      ) : (
        <Panel><Empty title={w.compare.nothing} /></Panel>
      )}
    </>
  );
}

function Facts({ first, second }: { first: RunInfo; second: RunInfo }): JSX.Element {
  const w = words.value;
  const rows: [string, (run: RunInfo) => string][] = [
    [w.runs.took, (run) => (secondsOf(run) === null ? "–" : duration(secondsOf(run) ?? 0))],
    [w.runs.wait, (run) => (waitOf(run) === null ? "–" : duration(waitOf(run) ?? 0))],
    [w.runs.try, (run) => String(run.attempt)],
    [w.runs.executor, (run) => run.executor ?? "–"],
    [w.queues.name, (run) => run.queue],
    [w.run.priority, (run) => String(run.priority)],
    [w.runs.by, (run) => run.trigger ?? run.created_by ?? "–"],
    [w.run.labels, (run) => Object.entries(run.labels).map(([key, value]) => `${key}=${value}`).join(" ") || "–"],
    [w.failures.error, (run) => (run.error && run.state !== "succeeded" ? `${run.error.class}: ${run.error.message}` : "–")],
  ];
  return (
    <Panel>
      <table class="compare">
        <thead><tr><th /><th><State state={first.state} /> <Id id={first.id} /></th><th><State state={second.state} /> <Id id={second.id} /></th></tr></thead>
        <tbody>
          {rows.map(([name, read]) => {
            const differs = read(first) !== read(second);
            return <tr key={name} class={differs ? "differs" : ""}><td class="dim">{name}</td><td>{read(first)}</td><td>{read(second)}</td></tr>;
          })}
        </tbody>
      </table>
    </Panel>
  );
}

function bodyOf(text: string, field: string): string[] {
  try {
    const node = member(parseExact(text), field);
    return node ? writeExact(node).split("\n") : [];
  } catch {
    return [];
  }
}

function Body({ title, text, other, field }: { title: string; text: string; other: string; field: string }): JSX.Element {
  const there = new Set(bodyOf(other, field));
  return <Panel title={title}><div class="body"><pre class="block">{bodyOf(text, field).map((line, place) => <span key={place} class={there.has(line) ? "" : "differs"}>{line}{"\n"}</span>)}</pre></div></Panel>;
}

function LogOf({ id }: { id: string }): JSX.Element {
  const w = words.value;
  const logs = useResource<LogPage>(`runs/${id}/logs?limit=500`).data.value?.logs ?? [];
  const began = Date.parse(logs[0]?.at ?? "");
  return (
    <Panel title={w.run.tabs.log} more={<Id id={id} />}>
      <div class="body">{logs.length === 0 ? <p class="faint">{w.log.none}</p> : <pre class="block traceback">{logs.map((line) => `${duration((Date.parse(line.at) - began) / 1000).padStart(8)}  ${line.message}\n`)}</pre>}</div>
    </Panel>
  );
}
