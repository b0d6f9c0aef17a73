// One breaker: what it counts against what it opens at, the jobs that it guards, the runs that it holds, and its past as a band.
import type { JSX } from "preact";
import { part } from "../../api/call.ts";
import type { BreakerChange, BreakerHistory, BreakerInfo, JobPage, RunPage } from "../../api/schema.ts";
import { now } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link, linkWith } from "../../live/route.ts";
import { Ago, Button, Gauge, Head, Panel, Shown } from "../../parts/basics.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { Table } from "../../parts/table.tsx";
import { Icon } from "../../parts/icons.tsx";
import { duration, percent } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { columns } from "../runs/list.tsx";
import { askDeleteBreaker, editBreaker } from "./breaker-form.tsx";
import { bandOf } from "./band.ts";
import { BreakerActs, BreakerState } from "./breakers.tsx";

const SHOWN = 3_600_000;

export function Breaker({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<BreakerInfo>(`breakers/${part(name)}`, { every: 2000 });
  const history = useResource<BreakerHistory>(`breakers/${part(name)}/history?limit=100`, { every: 5000 });
  const found = resource.data.value;
  return (
    <>
      <Head title={name} trail={<a href={link("breakers")}>{w.pages.breakers}</a>} beside={found && <><BreakerState of={found.state} /><span class="dim"><Ago at={found.since} /></span></>}>
        {found && <BreakerActs of={found} />}
        {found && (
          <Menu label={w.run.more} face={<Icon name="more" />} kind="button">
            <MenuItem icon="edit" refused={refusal("queues:write")} onChoose={() => editBreaker(found)}>{w.people.edit}…</MenuItem>
            <MenuItem icon="trash" refused={refusal("queues:write")} onChoose={() => askDeleteBreaker(name)}>{w.jobs.remove}…</MenuItem>
          </Menu>
        )}
      </Head>
      <Shown of={resource}>{(one) => <Counted of={one} />}</Shown>
      <Band of={history.data.value?.changes ?? []} state={found?.state ?? "closed"} />
      <div class="columns two">
        <Guards name={name} />
        <Panel title={w.breakers.ruleTitle} more={found && <Button small icon="edit" refused={refusal("queues:write")} onClick={() => editBreaker(found)}>{w.people.edit}…</Button>}>
          {found && <RuleFacts of={found} />}
        </Panel>
      </div>
      <Panel title={w.breakers.history}>
        <Shown of={history}>{({ changes }) => (changes.length === 0 ? <p class="quiet">{w.breakers.noHistory}</p> : <Changes of={changes} />)}</Shown>
      </Panel>
    </>
  );
}

function Counted({ of }: { of: BreakerInfo }): JSX.Element {
  const w = words.value;
  const share = (some: number) => (of.calls === 0 ? 0 : some / of.calls);
  const left = of.until === null ? null : Math.max(0, (Date.parse(of.until) - now.value) / 1000);
  return (
    <section class="panel figures four">
      <div class="figure"><span class="caps">{w.breakers.calls}</span><span class="value">{count(of.calls)}</span><span class="note">{of.rule.window_calls ? w.breakers.newest(count(of.rule.window_calls)) : w.breakers.inWindow(duration(of.rule.window))}</span></div>
      <div class="figure"><span class="caps">{w.states.failed}</span><span class={`value ${share(of.failures) >= of.rule.failures && of.calls >= of.rule.min_calls ? "is-failed" : ""}`}>{percent(share(of.failures))}<small>%</small></span><span class="note"><Gauge taken={share(of.failures)} room={of.rule.failures} wide /> {w.breakers.opensAtShare(percent(of.rule.failures))}</span></div>
      <div class="figure"><span class="caps">{w.breakers.slow}</span><span class="value">{percent(share(of.slow))}<small>%</small></span><span class="note">{of.rule.slow === null ? w.breakers.slowOff : w.breakers.opensAtShare(percent(of.rule.slow))}</span></div>
      <div class="figure"><span class="caps">{of.state === "half_open" ? w.breakers.probing : w.breakers.next}</span><span class="value">{of.state === "open" && left !== null ? duration(Math.round(left)) : "–"}</span><span class="note">{of.reason || w.breakers.sayings[of.state]}</span></div>
    </section>
  );
}

function RuleFacts({ of: { rule } }: { of: BreakerInfo }): JSX.Element {
  const w = words.value.breakers;
  const labels = words.value.forms.labels;
  return (
    <dl class="facts body">
      <dt>{labels.failures}</dt><dd>{w.rule(Math.round(rule.failures * 100), rule.min_calls, rule.window)}</dd>
      {rule.slow !== null && <><dt>{labels.slow}</dt><dd>{percent(rule.slow)} % &gt; {duration(rule.slow_after ?? 0)}</dd></>}
      <dt>{labels.wait}</dt><dd>{duration(rule.wait)} – {duration(rule.wait_max)}</dd>
      <dt>{labels.probes}</dt><dd>{w.probesSay(rule.probes, duration(rule.probe_within))}</dd>
      <dt>{labels.witnesses}</dt><dd>{rule.witnesses}</dd>
      {rule.record.length > 0 && <><dt>{labels.record}</dt><dd>{rule.record.join(", ")}</dd></>}
      {rule.ignore.length > 0 && <><dt>{labels.ignore}</dt><dd>{rule.ignore.join(", ")}</dd></>}
    </dl>
  );
}

/** The jobs that name it, and the runs of these that wait now. */
function Guards({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const jobs = useResource<JobPage>("jobs?limit=500", { every: 30_000 }).data.value?.jobs.filter((job) => job.policy.breaker === name) ?? [];
  const first = jobs[0]?.name;
  const parked = useResource<RunPage>(first ? `runs?q=${encodeURIComponent(`job:${first} state:waiting reason:breaker`)}&sort=oldest&limit=5` : null, { every: 3000 });
  return (
    <Panel title={w.breakers.guards} note={jobs.length === 0 ? w.breakers.guardsNone : jobs.map((job) => job.name).join(", ")} more={first && <a class="link" href={linkWith({ q: `job:${first} state:waiting`, sort: "oldest" }, "runs")}>{w.breakers.parked}</a>}>
      {first && <Shown of={parked}>{({ runs }) => (runs.length === 0 ? <p class="quiet">{w.breakers.noneParked}</p> : <Table label={w.breakers.parked} rows={runs} columns={columns(["queue", "executor", "took", "wait", "by", "try", "error"])} keyOf={(run) => run.id} peekOf={(run) => `run:${run.id}`} />)}</Shown>}
    </Panel>
  );
}

/** The states of the last hour, one after the other. */
function Band({ of, state }: { of: BreakerChange[]; state: string }): JSX.Element {
  const w = words.value;
  const pieces = bandOf(of, state, now.value - SHOWN, now.value);
  const names = w.breakers.states as Record<string, string>;
  const opened = of.filter((one) => one.state === "open" && one.was === "closed" && Date.parse(one.at) > now.value - SHOWN).length;
  return (
    <Panel title={w.breakers.lastHour} note={w.breakers.opened(opened)}>
      <div class="state-band" role="img" aria-label={`${w.breakers.lastHour}: ${w.breakers.opened(opened)}`}>
        {pieces.map((piece) => <i key={piece.from} class={`band-${piece.state}`} style={{ width: `${piece.share * 100}%` }} title={`${names[piece.state] ?? piece.state} ${duration(Math.round(piece.seconds))}`} />)}
      </div>
      <p class="band-foot"><span>{w.breakers.hourAgo}</span><span class="legend"><span><i class="band-closed" /> {names["closed"]}</span><span><i class="band-half_open" /> {names["half_open"]}</span><span><i class="band-open" /> {names["open"]}</span></span><span>{w.charts.now}</span></p>
    </Panel>
  );
}

function Changes({ of }: { of: BreakerChange[] }): JSX.Element {
  const w = words.value;
  return (
    <Table
      label={w.breakers.history}
      rows={of.slice(0, 50)}
      keyOf={(one) => String(one.epoch)}
      columns={[
        { id: "at", name: w.breakers.since, cell: (one) => <Ago at={one.at} /> },
        { id: "was", name: w.breakers.was, cell: (one) => <BreakerState of={one.was} /> },
        { id: "state", name: w.runs.state, cell: (one) => <BreakerState of={one.state} /> },
        { id: "calls", name: w.breakers.calls, num: true, cell: (one) => count(one.calls) },
        { id: "failed", name: w.states.failed, num: true, cell: (one) => count(one.failures) },
        { id: "reason", name: w.breakers.reason, wide: true, cell: (one) => <span class="dim">{one.reason}{one.by && ` (${one.by})`}</span> },
      ]}
    />
  );
}
