// Triggers: what starts by itself, when it does so next, and how many runs come at once.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { query } from "../../api/call.ts";
import type { InstantInfo, TriggerFigures, TriggerInfo, TriggerPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, ButtonLink, Empty, Head, Panel, Segments, Shown, Tag } from "../../parts/basics.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../words/index.ts";
import { CrontabImport } from "./crontab.tsx";
import { cron } from "./words.ts";
import { TriggerActs } from "./acts.tsx";
import { InstantStrip } from "./instants.tsx";
import { Forecast } from "./forecast.tsx";

export function Triggers(): JSX.Element {
  return asked("view") === "crontab" ? <CrontabImport /> : <List />;
}

function List(): JSX.Element {
  const w = words.value;
  const view = asked("view");
  const parameters = { prefix: asked("prefix"), kind: asked("kind"), state: asked("state"), limit: 200 };
  const wanted = query("triggers", parameters);
  const [further, setFurther] = useState({ of: wanted, cursor: "" });
  const resource = useResource<TriggerPage>(further.of === wanted ? query("triggers", { ...parameters, cursor: further.cursor }) : wanted, { every: 5000 });
  // Among very many, one look may end before the first of its kind.
  const onward = resource.data.value?.triggers.length === 0 ? resource.data.value.next : null;
  useEffect(() => { if (onward) setFurther({ of: wanted, cursor: onward }); }, [onward]);
  const named = (resource.data.value?.triggers ?? []).slice(0, 50).map(({ name }) => name);
  const figures = useResource<TriggerFigures>(named.length === 0 || view === "forecast" ? null : query("figures/triggers", { name: named }), { every: 20_000 }).data.value?.triggers ?? [];
  const instants = new Map(figures.map((one) => [one.name, one.instants]));
  return (
    <>
      <Head title={w.pages.triggers}>
        <Segments label={w.executors.view} on={view} onChoose={(id) => setQuery({ view: id })} choices={[{ id: "", name: w.executors.list }, { id: "forecast", name: w.triggers.forecast }]} />
        <ButtonLink href={linkWith({ view: "crontab" }, "triggers")} icon="save">{cron.value.title}</ButtonLink>
        <ButtonLink href={link("backfills")} icon="backfill">{w.pages.backfills}</ButtonLink>
        <ButtonLink href={link("triggers", "new")} icon="plus" kind="main">{w.triggers.new}</ButtonLink>
      </Head>
      {view === "forecast" ? (
        <Forecast />
      ) : (
        <>
          <div class="above-list">
            <input class="input" data-filter aria-label={w.jobs.filter} placeholder={w.jobs.filter} value={asked("prefix")} onInput={(event) => setQuery({ prefix: event.currentTarget.value })} />
            <Segments small label={w.triggers.kind} on={asked("kind")} choices={[{ id: "", name: w.runs.all }, ...(["cron", "interval", "delay", "once", "windows", "webhook", "event"] as const).map((id) => ({ id, name: w.triggers.kinds[id] }))]} onChoose={(id) => setQuery({ kind: id })} />
            <Segments small label={w.runs.byState} on={asked("state")} choices={[{ id: "", name: w.runs.all }, ...(["active", "paused", "ended"] as const).map((id) => ({ id, name: w.triggers.states[id] }))]} onChoose={(id) => setQuery({ state: id })} />
          </div>
          <Panel>
            <Shown of={resource} rows={6}>
              {({ triggers }) => (triggers.length === 0 ? <Empty title={w.triggers.empty}><pre class="block">{'@app.cron("0 2 * * *", zone="Europe/Berlin")\n@app.job\ndef close() -> None: ...'}</pre></Empty> : <Table label={w.pages.triggers} rows={triggers} columns={columns(instants)} keyOf={(one) => one.name} peekOf={(one) => `trigger:${one.name}`} />)}
            </Shown>
          </Panel>
        </>
      )}
    </>
  );
}

function columns(instants: Map<string, InstantInfo[]>): Column<TriggerInfo>[] {
  const w = words.value;
  return [
    { id: "name", name: w.triggers.word, cell: (one) => <><a href={link("triggers", one.name)}>{one.name}</a> {one.drifted && <Tag kind="warn">{w.jobs.drifted}</Tag>}</> },
    { id: "state", name: w.runs.state, cell: (one) => <TriggerState one={one} /> },
    { id: "fires", name: w.triggers.fires, wide: true, cell: (one) => <span class="dim">{one.words}</span> },
    { id: "job", name: w.job, cell: (one) => <a class="plain" href={link("jobs", one.spec.job)}>{one.spec.job}</a> },
    { id: "next", name: w.triggers.next, num: true, cell: (one) => (one.next_due ? <b><Ago at={one.next_due} /></b> : <span class="faint">{w.triggers.whenCalled}</span>) },
    { id: "instants", name: w.triggers.lastInstants, cell: (one) => <InstantStrip instants={instants.get(one.name) ?? []} />, minor: true },
    { id: "last", name: w.triggers.last, num: true, cell: (one) => <Ago at={one.last_fire_at} />, minor: true },
    { id: "fired", name: w.triggers.fired, num: true, cell: (one) => <a class="plain" href={linkWith({ tab: "instants" }, "triggers", one.name)}>{count(one.fired)}</a>, minor: true },
    { id: "owner", name: w.triggers.owner, cell: (one) => <span class="faint">{one.owner || "–"}</span>, minor: true },
    { id: "acts", name: "", cell: (one) => <TriggerActs trigger={one} small /> },
  ];
}

export function TriggerState({ one }: { one: TriggerInfo }): JSX.Element {
  const w = words.value.triggers;
  if (one.state === "paused") return <Tag kind="warn" title={one.paused?.reason ?? ""}>❚❚ {one.paused ? w.pausedBy(one.paused.by) : w.states.paused}</Tag>;
  if (one.state === "ended") return <Tag>{w.states.ended}</Tag>;
  return <Tag kind="good">{w.states.active}</Tag>;
}
