// Overview: what needs a hand, then the numbers and charts that show it.
import type { JSX } from "preact";
import { query } from "../../api/call.ts";
import type { AlertRulePage, MarkList, OverviewInfo, OverviewTotals, QueueInfo, RatesInfo, TriggerForecast } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { type Resource, useResource } from "../../live/resource.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Failed, Gauge, Head, Panel, Segments, Shown } from "../../parts/basics.tsx";
import { type Beat, Bars, Pulse } from "../../parts/chart.tsx";
import { duration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { range as usualRange } from "../../live/preferences.ts";
import { settled } from "../../live/settled.ts";
import { ApprovalsShown } from "../workflows/approvals.tsx";
import { Figures } from "./figures.tsx";
import { OVERVIEW_EVERY } from "./reads.ts";
import { TimeSpent } from "./time.tsx";
import { FirstSteps, Says } from "./says.tsx";
import { drainsIn, findingsOf } from "./findings.ts";

export const RANGES = [
  { id: "15m", step: "minute", steps: 15 },
  { id: "1h", step: "minute", steps: 60 },
  { id: "24h", step: "hour", steps: 24 },
  { id: "7d", step: "hour", steps: 168 },
] as const;

/** What the address asks for, or else what the person sees first. */
export function rangeAsked(): (typeof RANGES)[number] {
  return RANGES.find((one) => one.id === (asked("since") || usualRange.value)) ?? RANGES[1];
}

export function askRange(id: string): void {
  setQuery({ since: id === usualRange.peek() ? null : id });
}

export function Overview(): JSX.Element {
  const w = words.value;
  const range = rangeAsked();
  const queue = asked("queue");
  const overview = useResource<OverviewInfo>("overview", { every: OVERVIEW_EVERY });
  const seen = overview.data.value;
  // Asked for only while the checklist of a new server is shown.
  const isNew = seen !== undefined && (seen.totals.queues === 0 || seen.totals.executors === 0);
  const rules = useResource<AlertRulePage>(isNew ? "alert-rules" : null).data.value?.alert_rules.length ?? 0;
  const usual = range.id === "1h" && !queue;
  const path = queue ? `queues/${encodeURIComponent(queue)}/rates` : "rates";
  const chosen = useResource<RatesInfo>(usual ? null : `${path}?step=${range.step}&steps=${range.steps}`, { every: 10_000 });
  const rates = usual ? seen?.rates : chosen.data.value;
  // After the first paint: a chart without its marks is right, only less told.
  const changes = useResource<MarkList>(settled.value ? query("marks", { since: hourOf(range) }) : null, { every: 30_000 }).data.value?.marks ?? [];
  const marks = changes.map((change) => ({ at: Date.parse(change.at), text: `${change.subject} · ${change.act} · ${change.by}` }));
  const one = useResource<QueueInfo>(queue ? `queues/${encodeURIComponent(queue)}` : null, { every: 5000 }).data.value;
  const names = [...new Set([...(seen?.queues.map(({ name }) => name) ?? []), ...(queue ? [queue] : [])])].sort();
  return (
    <>
      <Head title={w.pages.overview}>
        <Segments label={w.overview.range} on={range.id} choices={RANGES.map(({ id }) => ({ id, name: w.ranges[id] }))} onChoose={(id) => askRange(id)} />
        <select class="input" aria-label={w.overview.queue} value={queue} onChange={(event) => setQuery({ queue: event.currentTarget.value })}>
          <option value="">{w.overview.allQueues}</option>
          {names.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </Head>
      {seen && isNew && <FirstSteps queues={seen.totals.queues} executors={seen.totals.executors} triggers={seen.next_fires.length} rules={rules} />}
      {seen && <Says findings={findingsOf({ found: seen.findings, queues: seen.queues, executors: seen.executors, now: now.value })} more={seen.findings_more} pace={seen.totals.finished} />}
      {overview.error.value && !seen && <Failed error={overview.error.value} slim />}
      {seen && <ApprovalsShown found={seen.approvals} />}
      <Figures totals={queue ? ofQueue(one, seen?.totals) : seen?.totals} rates={rates} since={range.id} />
      <Panel
        class="pulse-panel"
        title={w.overview.pulse}
        note={range.step === "hour" ? w.overview.pulseHours : w.overview.pulseMinutes}
        more={
          <span class="legend">
            {(["succeeded", "cancelled", "failed"] as const).map((state) => <span key={state}><i style={{ background: `var(--${state}-fill)` }} />{w.states[state]}</span>)}
          </span>
        }
      >
        {rates ? (
          <Pulse beats={beatsOf(rates)} step={range.step === "hour" ? 3600 : 60} hrefOf={(beat) => runsOf(beat, range.step, queue)} hrefOfSpan={(from, until) => spanOf(from, until, queue)} marks={marks} />
        ) : (
          <Shown of={(usual ? overview : chosen) as Resource<unknown>} rows={5}>{() => null}</Shown>
        )}
      </Panel>
      <div class="columns thirds even">
        <Queues of={overview} />
        <Failing of={overview} />
        <NextFires of={overview} />
      </div>
      {!queue && <TimeSpent step={range.step} steps={range.steps} since={range.id} />}
    </>
  );
}

/** When a range began, to the hour, so that the address stays the same for a while. */
function hourOf({ step, steps }: { step: string; steps: number }): string {
  const length = steps * (step === "hour" ? 3_600_000 : 60_000);
  return new Date(Math.floor((now.peek() - length) / 3_600_000) * 3_600_000).toISOString();
}

/** The figures of one queue in the place of all. */
function ofQueue(queue: QueueInfo | undefined, all: OverviewTotals | undefined): OverviewTotals | undefined {
  if (!queue || !all) return undefined;
  const { queued, later, waiting, running, oldest_seconds, slots, executors } = queue;
  return { ...all, queued, later, waiting, running, oldest_seconds: oldest_seconds ?? null, slots, executors, finished: queue.rates?.finished ?? 0, failed: queue.rates?.failed ?? 0 };
}

export function beatsOf(rates: RatesInfo): Beat[] {
  return rates.steps.map((step) => ({ ...step, at: Date.parse(step.at) }));
}

function runsOf(beat: Beat, step: string, queue: string): string {
  return spanOf(beat.at, beat.at + (step === "hour" ? 3_600_000 : 60_000), queue, beat.failed > 0 ? "state:failed " : "");
}

function spanOf(from: number, until: number, queue: string, state = ""): string {
  return linkWith({ q: `${state}${queue ? `queue:${queue} ` : ""}since:${new Date(from).toISOString()} until:${new Date(until).toISOString()}` }, "runs");
}

function Queues({ of }: { of: Resource<OverviewInfo> }): JSX.Element {
  const w = words.value;
  return (
    <Panel title={<a href={link("queues")}>{w.pages.queues}</a>} more={<CountedAt of={of} />}>
      <Shown of={of}>
        {({ queues }) => (
          <table>
            <thead>
              <tr>
                <th>{w.queues.name}</th>
                <th class="num">{w.states.queued}</th>
                <th class="num">{w.queues.oldest}</th>
                <th>{w.queues.running}</th>
                <th class="num">{w.queues.emptyIn}</th>
              </tr>
            </thead>
            <tbody>{queues.slice(0, 7).map((queue) => <QueueRow key={queue.name} queue={queue} />)}</tbody>
          </table>
        )}
      </Shown>
    </Panel>
  );
}

function QueueRow({ queue }: { queue: QueueInfo }): JSX.Element {
  const drains = drainsIn(queue);
  return (
    <tr>
      <td><a href={link("queues", queue.name)}>{queue.name}</a></td>
      <td class="num">{count(queue.queued)}</td>
      <td class="num">{queue.oldest_seconds ? duration(queue.oldest_seconds) : <span class="faint">–</span>}</td>
      <td><Gauge taken={queue.running} room={queue.slots} />{count(queue.running)} <span class="faint">{words.value.of} {count(queue.slots)}</span></td>
      <td class="num">{queue.queued === 0 ? <span class="faint">–</span> : drains === null ? <b class="is-failed">{words.value.never}</b> : drains < 1 ? "< 1 s" : duration(Math.round(drains))}</td>
    </tr>
  );
}

function CountedAt({ of }: { of: Resource<OverviewInfo> }): JSX.Element | null {
  const at = of.data.value?.queues[0]?.taken_at;
  return at ? <>{words.value.overview.counted} <Ago at={at} /></> : null;
}

function Failing({ of }: { of: Resource<OverviewInfo> }): JSX.Element {
  const w = words.value;
  return (
    <Panel title={<a href={link("failures")}>{w.overview.failing}</a>} more={w.overview.byKind}>
      <Shown of={of}>
        {({ failing: groups }) =>
          groups.length === 0 ? (
            <p class="quiet">{w.failures.none}</p>
          ) : (
            <table>
              <thead>
                <tr><th>{w.failures.error}</th><th>{w.job}</th><th class="num">{w.runs.word}</th><th class="num">{w.failures.last}</th></tr>
              </thead>
              <tbody>
                {groups.slice(0, 7).map((group) => (
                  <tr key={group.fingerprint}>
                    <td class="wide">
                      {now.value - Date.parse(group.first_at) < 3_600_000 && <span class="tag new">{w.failures.new}</span>}{" "}
                      <a href={link("failures", group.fingerprint)} title={`${group.class}: ${group.message}`}><b>{group.class}</b><span class="dim">: {group.message}</span></a>
                    </td>
                    <td class="dim">{group.job}</td>
                    <td class="num"><b>{count(group.runs, group.more)}</b></td>
                    <td class="num"><Ago at={group.last_at} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
    </Panel>
  );
}

function NextFires({ of }: { of: Resource<OverviewInfo> }): JSX.Element {
  const w = words.value;
  const forecast = useResource<TriggerForecast>(settled.value ? "forecast?hours=24&step=3600" : null, { every: 60_000 }).data.value;
  return (
    <Panel title={<a href={link("triggers")}>{w.overview.nextFires}</a>} more={forecast && <a href={linkWith({ view: "forecast" }, "triggers")}>{w.overview.inDay(count(forecast.total, !forecast.complete))}</a>}>
      {forecast && forecast.total > 0 && <div class="herd"><Bars values={forecast.counts} tone="queued" width={150} height={26} /><span class="faint">{w.overview.day}</span></div>}
      <Shown of={of}>
        {({ next_fires: next }) =>
          next.length === 0 ? (
            <p class="quiet">{w.overview.noFires}</p>
          ) : (
            <table>
              <tbody>
                {next.map((one) => (
                  <tr key={one.trigger}>
                    <td class="num dim"><Ago at={one.at} /></td>
                    <td class="wide"><a href={link("triggers", one.trigger)}>{one.trigger}</a> <span class="faint">{one.words}</span></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
    </Panel>
  );
}
