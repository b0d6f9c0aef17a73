// A rule of a breaker as it is typed, tried on the attempts that are kept of its jobs: when it would have opened, and what nobody knows.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, part, post } from "../../api/call.ts";
import type { BreakerOpening, BreakerTrial } from "../../api/schema.ts";
import { Failed, Moment } from "../../parts/basics.tsx";
import { duration } from "../../words/format.ts";
import { count } from "../../words/index.ts";
import { tried } from "./words.ts";

const REST = 300;
const SHOWN = 5;

export function Tried({ name, rule }: { name: string; rule: Record<string, unknown> }): JSX.Element {
  const w = tried.value;
  const found = useSignal<BreakerTrial | null>(null);
  const error = useSignal<Refusal | null>(null);
  const asked = JSON.stringify(rule);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void post<BreakerTrial>(`breakers/${part(name)}/what-if`, { rule }, { signal: stop.signal }).then(
        ({ data }) => { found.value = data; error.value = null; },
        // A rule that cannot be is told at its field when it is saved.
        (refused: unknown) => { if (refused instanceof Refusal) { found.value = null; error.value = refused.field ? null : refused; } },
      );
    }, REST);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [asked, name]);
  return (
    <section class="what-if meaning" aria-live="polite" aria-label={w.title}>
      <h3>{w.title}</h3>
      {error.value ? <Failed error={error.value} slim /> : found.value ? <Past of={found.value} /> : <p class="dim">{w.asking}</p>}
    </section>
  );
}

function Past({ of }: { of: BreakerTrial }): JSX.Element {
  const w = tried.value;
  if (of.jobs.length === 0) return <p class="dim">{w.noJobs}</p>;
  if (of.calls === 0 || of.since === null) return <p class="dim">{w.none}</p>;
  const times = of.opened.reduce((sum, one) => sum + one.openings, 0);
  return (
    <>
      <p>{w.looked(count(of.calls), count(of.failures), count(of.slow))} <span class="dim">{w.since} <Moment at={of.since} date /></span></p>
      <p class={times === 0 ? "is-succeeded" : "is-waiting"}>{times === 0 ? w.never : w.opened(times, duration(of.open_seconds), count(of.held))} <span class="dim">{w.really(of.opened_then)}</span></p>
      {of.opened.length > 0 && <ul class="effects">{of.opened.slice(-SHOWN).toReversed().map((one) => <li key={one.at}><Opening of={one} /></li>)}</ul>}
      <details><summary>{w.notKnown}</summary><ul>{of.unknown.map((code) => <li key={code} class="dim">{w.unknown[code] ?? code}</li>)}</ul></details>
    </>
  );
}

function Opening({ of }: { of: BreakerOpening }): JSX.Element {
  const w = tried.value;
  const lasted = of.until === null ? w.toTheEnd : w.lasted(duration((Date.parse(of.until) - Date.parse(of.at)) / 1000));
  return <><Moment at={of.at} date /> {lasted} <span class="dim">{of.reason}</span></>;
}
