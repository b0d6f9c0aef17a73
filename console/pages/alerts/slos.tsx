// Objectives: which share of a job's runs has to be good, how much of the budget is left, and how fast it burns.
import type { JSX } from "preact";
import { part, put, query } from "../../api/call.ts";
import type { MarkInfo, MarkList, SloInfo, SloPage } from "../../api/schema.ts";
import { serverNow } from "../../live/clock.ts";
import { useResource } from "../../live/resource.ts";
import { link, linkWith } from "../../live/route.ts";
import { Command, Empty, Gauge, Panel, Shown } from "../../parts/basics.tsx";
import { options, quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration, percent } from "../../words/format.ts";
import { count, rate, words } from "../../words/index.ts";
import { RowActs, askDelete, channelNames } from "./rules.tsx";

const DAY = 86_400_000;
const MONTH = 30 * DAY;

export function Slos(): JSX.Element {
  const w = words.value;
  const resource = useResource<SloPage>("slos", { every: 15_000 });
  const marks = useResource<MarkList>(query("marks", { since: new Date(serverNow() - MONTH).toISOString() }), { every: 60_000 }).data.value?.marks ?? [];
  const columns: Column<SloInfo>[] = [
    { id: "name", name: w.name, cell: (one) => <button type="button" class="strong-link" onClick={() => void editSlo(one)}>{one.name}</button> },
    { id: "job", name: w.job, cell: (one) => (one.spec.trigger ? <a class="plain" href={link("triggers", one.spec.trigger)}>{one.spec.trigger}</a> : <a class="plain" href={link("jobs", one.spec.job ?? "")}>{one.spec.job}</a>) },
    { id: "says", name: w.alerts.objective, wide: true, cell: (one) => <span class="dim">{w.alerts.sloSays[one.spec.indicator ?? "success"](percent(one.spec.objective ?? 0.99), one.within === null ? "" : duration(one.within), one.spec.window_days ?? 30)}</span> },
    { id: "left", name: w.alerts.budgetLeft, cell: (one) => <Budget of={one} /> },
    { id: "bad", name: w.alerts.bad, num: true, cell: (one) => <>{count(one.bad)} <span class="faint">{w.of} {count(one.good + one.bad)}</span></> },
    { id: "burn", name: w.alerts.burn, num: true, title: w.alerts.burnHelp, cell: (one) => <span class={one.burn_1h > 1 ? "is-failed" : ""}>{[one.burn_1h, one.burn_6h, one.burn_3d].map((burn) => `${rate(burn)}×`).join(" · ")}</span> },
    { id: "worst", name: w.alerts.worstDay, minor: true, cell: (one) => <WorstDay of={one} marks={marks} /> },
    { id: "acts", name: "", cell: (one) => <RowActs permission="alerts:write" onEdit={() => void editSlo(one)} onDelete={() => askDelete("slo", one.name, `slos/${part(one.name)}`, `mainspring slos delete ${quoted(one.name)}`)} /> },
  ];
  return (
    <Panel>
      <Shown of={resource} rows={4}>
        {({ slos }) => (slos.length === 0 ? <Empty title={w.alerts.noSlos}><Command line="mainspring slos set mail-in-time --job welcome_mail --indicator start --objective 99% --within 30s" /></Empty> : <Table label={w.alerts.tabs.slos} rows={slos} columns={columns} keyOf={(one) => one.name} />)}
      </Shown>
    </Panel>
  );
}

/** The day with most that was bad, a way to its runs, and what was changed about the job on it. */
function WorstDay({ of, marks }: { of: SloInfo; marks: MarkInfo[] }): JSX.Element | null {
  const w = words.value;
  const worst = of.worst?.[0];
  if (!worst) return null;
  const subject = of.spec.trigger ? `trigger:${of.spec.trigger}` : `job:${of.spec.job}`;
  const bad: Record<string, string> = { success: "state:failed", start: `wait:>${of.within}s`, duration: `duration:>${of.within}s` };
  const terms = bad[of.spec.indicator ?? "success"];
  const says = <>{worst.day}: {count(worst.bad)} <span class="faint">{w.of} {count(worst.good + worst.bad)}</span></>;
  const mine = marks.filter((mark) => mark.kind === "change" && mark.at.startsWith(worst.day) && mark.subject.endsWith(of.spec.job || of.spec.trigger || "?"));
  return (
    <>
      {terms ? <a class="plain" href={linkWith({ q: `${subject} ${terms} since:${worst.day} until:${nextDay(worst.day)}` }, "runs")}>{says}</a> : says}
      {mine.slice(0, 2).map((mark) => <div key={mark.at} class="faint">▾ {mark.act} · {mark.by}</div>)}
    </>
  );
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
}

function Budget({ of }: { of: SloInfo }): JSX.Element {
  const w = words.value;
  if (of.budget_left === null) return <span class="faint">{w.alerts.noRunsYet}</span>;
  const left = Math.max(0, of.budget_left);
  return <span class={of.budget_left <= 0 ? "is-failed" : ""}><Gauge taken={left} room={Math.max(1, left)} /> {percent(of.budget_left)} %{of.few && <span class="faint"> {w.alerts.few}</span>}</span>;
}

export async function editSlo(slo: SloInfo | null, start: Record<string, unknown> = {}): Promise<void> {
  const w = words.value;
  const labels = w.forms.labels;
  const help = w.forms.help;
  const known = await channelNames().catch(() => []);
  fillIn({
    title: slo ? w.alerts.editSlo(slo.name) : w.alerts.make.slos,
    start: slo ? { ...slo.spec, name: slo.name } : { indicator: "success", objective: 0.99, window_days: 30, ...start },
    fields: [
      { name: "name", kind: "name", label: labels.name, required: true, when: () => slo === null },
      { name: "job", kind: "text", label: labels.job, when: (draft) => draft["indicator"] !== "fired" },
      { name: "trigger", kind: "text", label: w.triggers.name, help: w.alerts.orTrigger },
      { name: "indicator", kind: "choice", label: labels.indicator, choices: Object.entries(w.alerts.indicators) },
      { name: "objective", kind: "share", label: labels.objective, help: help.objective },
      { name: "within", kind: "span", label: labels.within, help: help.within, when: (draft) => draft["indicator"] !== "success" },
      { name: "window_days", kind: "number", label: labels.window_days, help: "1–90" },
      { name: "notify", kind: "list", label: labels.notify, help: help.notify, known },
    ],
    confirm: w.people.save,
    command: ({ name, ...rest }) => `mainspring slos set ${quoted(slo?.name ?? name ?? "NAME")}${options(rest)}`,
    send: ({ name, ...body }) => put(`slos/${part(slo?.name ?? String(name))}`, body),
  });
}
