// Overview: what needs somebody, then the numbers and charts that show it.
import type { JSX } from "preact";
import type { AlertRulePage, DeadGroupPage, ExecutorPage, FindingPage, QueueInfo, QueuePage, RatesInfo, TriggerForecast, TriggerPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { type Resource, useResource } from "../../live/resource.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Failed, Gauge, Head, Panel, Segments, Shown } from "../../parts/basics.tsx";
import { type Beat, Bars, Pulse } from "../../parts/chart.tsx";
import { duration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { Approvals } from "../workflows/approvals.tsx";
import { Figures } from "./figures.tsx";
import { FirstSteps, Says } from "./says.tsx";
import { drainsIn, findingsOf } from "./findings.ts";

export const RANGES = [
  { id: "15m", step: "minute", steps: 15 },
  { id: "1h", step: "minute", steps: 60 },
  { id: "24h", step: "hour", steps: 24 },
  { id: "7d", step: "hour", steps: 168 },
] as const;

export function Overview(): JSX.Element {
  const w = words.value;
  const range = RANGES.find((one) => one.id === asked("since")) ?? RANGES[1];
  const queue = asked("queue");
  const queues = useResource<QueuePage>("queues?limit=100", { every: 5000 });
  const executors = useResource<ExecutorPage>("executors?limit=100", { every: 5000 });
  const groups = useResource<DeadGroupPage>("dead-letters?limit=50", { every: 15_000 });
  const triggers = useResource<TriggerPage>("triggers?limit=200", { every: 20_000 });
  // Asked for only while the checklist of a new server is shown.
  const fresh = queues.data.value?.queues.length === 0 || executors.data.value?.executors.length === 0;
  const rules = useResource<AlertRulePage>(fresh ? "alert-rules" : null).data.value?.alert_rules.length ?? 0;
  const path = queue ? `queues/${encodeURIComponent(queue)}/rates` : "rates";
  const rates = useResource<RatesInfo>(`${path}?step=${range.step}&steps=${range.steps}`, { every: 10_000 });
  const findings = useResource<FindingPage>("findings", { every: 5000 });
  const seen = {
    found: findings.data.value?.findings ?? [],
    queues: queues.data.value?.queues ?? [],
    executors: executors.data.value?.executors ?? [],
    now: now.value,
  };
  const known = queues.data.value !== undefined && executors.data.value !== undefined && findings.data.value !== undefined;
  const pace = seen.queues.reduce((sum, one) => sum + (one.rates?.finished ?? 0), 0);
  return (
    <>
      <Head title={w.pages.overview}>
        <Segments label={w.overview.range} on={range.id} choices={RANGES.map(({ id }) => ({ id, name: w.ranges[id] }))} onChoose={(id) => setQuery({ since: id === "1h" ? null : id })} />
        <select class="input" aria-label={w.overview.queue} value={queue} onChange={(event) => setQuery({ queue: event.currentTarget.value })}>
          <option value="">{w.overview.allQueues}</option>
          {seen.queues.map(({ name }) => <option key={name} value={name}>{name}</option>)}
        </select>
      </Head>
      {known && <FirstSteps queues={seen.queues.length} executors={seen.executors.length} triggers={triggers.data.value?.triggers.length ?? 0} rules={rules} />}
      {known && <Says findings={findingsOf(seen)} more={findings.data.value?.more ?? 0} pace={pace} />}
      {findings.error.value && !findings.data.value && <Failed error={findings.error.value} slim />}
      <Approvals />
      <Figures queues={queue ? seen.queues.filter((one) => one.name === queue) : seen.queues} executors={seen.executors} rates={rates.data.value} since={range.id} />
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
        <Shown of={rates} rows={5}>
          {(found) => <Pulse beats={beatsOf(found)} step={range.step === "hour" ? 3600 : 60} hrefOf={(beat) => runsOf(beat, range.step, queue)} />}
        </Shown>
      </Panel>
      <div class="columns thirds even">
        <Queues of={queues} />
        <Failing of={groups} />
        <NextFires of={triggers} />
      </div>
    </>
  );
}

export function beatsOf(rates: RatesInfo): Beat[] {
  return rates.steps.map((step) => ({ ...step, at: Date.parse(step.at) }));
}

function runsOf(beat: Beat, step: string, queue: string): string {
  const from = new Date(beat.at).toISOString();
  const to = new Date(beat.at + (step === "hour" ? 3_600_000 : 60_000)).toISOString();
  const state = beat.failed > 0 ? "state:failed " : "";
  return linkWith({ q: `${state}${queue ? `queue:${queue} ` : ""}since:${from} until:${to}` }, "runs");
}

function Queues({ of }: { of: Resource<QueuePage> }): JSX.Element {
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
            <tbody>{[...queues].sort(byTrouble).slice(0, 7).map((queue) => <QueueRow key={queue.name} queue={queue} />)}</tbody>
          </table>
        )}
      </Shown>
    </Panel>
  );
}

const byTrouble = (one: QueueInfo, other: QueueInfo) => (other.oldest_seconds ?? 0) - (one.oldest_seconds ?? 0) || other.queued - one.queued || other.running - one.running;

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

function CountedAt({ of }: { of: Resource<QueuePage> }): JSX.Element | null {
  const at = of.data.value?.queues[0]?.taken_at;
  return at ? <>{words.value.overview.counted} <Ago at={at} /></> : null;
}

function Failing({ of }: { of: Resource<DeadGroupPage> }): JSX.Element {
  const w = words.value;
  return (
    <Panel title={<a href={link("failures")}>{w.overview.failing}</a>} more={w.overview.byKind}>
      <Shown of={of}>
        {({ groups }) =>
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

function NextFires({ of }: { of: Resource<TriggerPage> }): JSX.Element {
  const w = words.value;
  const forecast = useResource<TriggerForecast>("forecast?hours=24&step=3600", { every: 60_000 }).data.value;
  return (
    <Panel title={<a href={link("triggers")}>{w.overview.nextFires}</a>} more={forecast && <a href={linkWith({ view: "forecast" }, "triggers")}>{w.overview.inDay(count(forecast.total, !forecast.complete))}</a>}>
      {forecast && forecast.total > 0 && <div class="herd"><Bars values={forecast.counts} tone="queued" width={150} height={26} /><span class="faint">{w.overview.day}</span></div>}
      <Shown of={of}>
        {({ triggers }) => {
          const next = triggers.filter((one) => one.next_due !== null).sort((one, other) => Date.parse(one.next_due ?? "") - Date.parse(other.next_due ?? ""));
          return next.length === 0 ? (
            <p class="quiet">{w.overview.noFires}</p>
          ) : (
            <table>
              <tbody>
                {next.slice(0, 6).map((one) => (
                  <tr key={one.name}>
                    <td class="num dim"><Ago at={one.next_due} /></td>
                    <td class="wide"><a href={link("triggers", one.name)}>{one.name}</a> <span class="faint">{one.words}</span></td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Shown>
    </Panel>
  );
}
