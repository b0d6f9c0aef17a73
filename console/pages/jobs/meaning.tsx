// What a policy comes to: the retry curve, how timeouts stand against last week, which executors qualify, and how its breaker stands.
import type { JSX } from "preact";
import type { BreakerInfo, ExecutorPage, JobFigures, JobInfo, LimitPage } from "../../api/schema.ts";
import { part } from "../../api/call.ts";
import { useResource } from "../../live/resource.ts";
import { link } from "../../live/route.ts";
import { Panel } from "../../parts/basics.tsx";
import type { Draft } from "../../parts/draft.ts";
import { duration, percent } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { triesOf } from "./curve.ts";
import { valueOf } from "./policy-draft.ts";

export function Meaning({ draft, job }: { draft: Draft; job: JobInfo }): JSX.Element {
  const w = words.value.policy;
  const figure = useResource<JobFigures>("rates/jobs?step=hour&steps=168", { every: 60_000 }).data.value?.jobs.find((one) => one.job === job.name);
  const timeout = valueOf("timeout", draft["timeout"] ?? "");
  const spread = figure?.duration;
  return (
    <Panel title={w.meaning}>
      <div class="body meaning">
        <Curve draft={draft} />
        {spread && <p class="dim">{w.took(duration(spread.p50), duration(spread.p99), duration(spread.max))}</p>}
        {spread && typeof timeout === "number" && <p class={timeout < spread.p99 ? "is-failed" : "is-succeeded"}>{timeout < spread.p50 ? w.cutsMost : timeout < spread.p95 ? w.cutsMany : timeout < spread.p99 ? w.cutsSome : timeout < spread.max ? w.cutsFew : w.cutsNone}</p>}
        {figure && <p class="dim">{w.lately(percent(figure.succeeded / Math.max(1, figure.succeeded + figure.failed)))}</p>}
        {spread && <Pace draft={draft} seconds={spread.mean} figure={figure.succeeded + figure.failed} />}
        <Qualify draft={draft} />
        {draft["breaker"] && <BreakerSays name={draft["breaker"]} />}
        {job.code && <p class="dim">{job.drifted ? w.drifted : w.asCode}</p>}
      </div>
    </Panel>
  );
}

function Curve({ draft }: { draft: Draft }): JSX.Element {
  const w = words.value.policy;
  const number = (name: string, otherwise: number) => {
    const value = valueOf(name, draft[name] ?? "");
    return typeof value === "number" ? value : otherwise;
  };
  const budget = valueOf("budget", draft["budget"] ?? "");
  const tries = triesOf({ attempts: number("attempts", 1), backoff: number("backoff", 1), backoff_max: number("backoff_max", 600), multiplier: number("multiplier", 2), budget: typeof budget === "number" ? budget : null });
  const last = tries.at(-1)?.at ?? 0;
  const x = (at: number) => 12 + (last === 0 ? 0 : (Math.log1p(at) / Math.log1p(last)) * 400);
  return (
    <>
      <svg class="curve chart" viewBox="0 0 430 66" role="img" aria-label={w.tries(tries.length, duration(last))}>
        <line x1="12" x2={x(last)} y1="24" y2="24" class="axis" />
        {tries.map((one) => (
          <g key={one.number}>
            <circle cx={x(one.at)} cy="24" r="5" fill="var(--accent-fill)" />
            <text x={x(one.at)} y="11" text-anchor="middle">{one.number}</text>
            {one.number > 1 && <text x={x(one.at)} y="44" text-anchor="middle">{one.wait > 0 ? `+${duration(one.wait)}` : ""}</text>}
          </g>
        ))}
      </svg>
      <p>{tries.length === 1 ? w.oneTry : w.tries(tries.length, duration(last))}</p>
    </>
  );
}

/** How many runs an hour a limit at once lets through, against how many there were. */
function Pace({ draft, seconds, figure }: { draft: Draft; seconds: number; figure: number }): JSX.Element | null {
  const w = words.value.policy;
  const atOnce = valueOf("at_once", draft["at_once"] ?? "");
  if (typeof atOnce !== "number" || seconds <= 0) return null;
  const room = (atOnce / seconds) * 3600;
  const usual = figure / 168;
  return <p class={room < usual ? "is-failed" : "dim"}>{w.pace(count(Math.floor(room)), count(Math.round(usual)))}</p>;
}

/** The executors that listen to its queue; labels are judged by the server, whose words `why` has. */
function Qualify({ draft }: { draft: Draft }): JSX.Element | null {
  const w = words.value.policy;
  const executors = useResource<ExecutorPage>("executors?limit=100", { every: 15_000 }).data.value?.executors;
  const limits = useResource<LimitPage>("limits", { every: 15_000 }).data.value?.limits.filter((one) => one.scope === "queue" && one.name === draft["queue"]);
  if (!executors) return null;
  const listen = executors.filter((one) => one.queues.includes(draft["queue"] ?? ""));
  const named = ((valueOf("requires", draft["requires"] ?? "") as string[]) ?? []).filter((one) => /^[\w./-]+$/.test(one));
  const fit = listen.filter((one) => named.every((label) => one.labels[label] !== undefined && one.labels[label] !== "false"));
  return (
    <>
      <p class={fit.length === 0 ? "is-failed" : "dim"}>{w.qualify(fit.length, executors.length, draft["queue"] ?? "")}</p>
      {limits?.map((one) => <p key={one.name} class="dim">{w.queueLimit(one.at_once === null ? "–" : count(one.at_once), one.rate ?? "–")}</p>)}
    </>
  );
}

function BreakerSays({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<BreakerInfo>(`breakers/${part(name)}`, { every: 5000 });
  const found = resource.data.value;
  if (!found) return <p class="dim">{resource.error.value ? w.policy.noBreaker(name) : ""}</p>;
  return <p class={found.state === "closed" ? "dim" : "is-failed"}><a class="link" href={link("breakers", name)}>{name}</a>: {(w.breakers.states as Record<string, string>)[found.state]}, {w.breakers.window(count(found.calls), count(found.failures), count(found.slow))}</p>;
}
