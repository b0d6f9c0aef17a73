// Alerts that fire, wait or are over, and the words of an operator over them.
import type { JSX } from "preact";
import { part, post, remove } from "../../api/call.ts";
import type { AlertInfo, AlertPage, SilenceInfo } from "../../api/schema.ts";
import { serverNow } from "../../live/clock.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, link, linkWith, setQuery } from "../../live/route.ts";
import { Ago, Button, Empty, Panel, Segments, Shown, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { both, words } from "../../words/index.ts";

const HOUR = 3_600_000;
const left = both("no longer watched", "不再监视");

export function Firing(): JSX.Element {
  const w = words.value;
  const resource = useResource<AlertPage>(asked("state") === "all" ? "alerts?limit=100" : "alerts?limit=100&state=pending&state=firing", { every: 5000 });
  const columns: Column<AlertInfo>[] = [
    { id: "state", name: w.runs.state, cell: (one) => <StateTag of={one} /> },
    { id: "rule", name: w.alerts.rule, cell: (one) => <b>{one.rule}</b> },
    { id: "severity", name: w.alerts.severity, cell: (one) => <SeverityTag of={one.severity} /> },
    { id: "words", name: w.alerts.says, wide: true, cell: (one) => <>{one.words || one.subject}{one.run && <> <a href={link("runs", one.run)}>{w.alerts.theRun}</a></>}</> },
    { id: "since", name: w.breakers.since, num: true, cell: (one) => <Ago at={one.since_at} /> },
    { id: "acked", name: w.alerts.acked, cell: (one) => <span class="dim">{one.acked_by}</span>, minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) =>
        one.state !== "resolved" && (
          <span class="acts">
            {one.acked_at === null && <Button small icon="check" refused={refusal("alerts:steer")} onClick={() => askAck(one)}>{w.alerts.ack}…</Button>}
            <Button small icon="moon" refused={refusal("alerts:steer")} onClick={() => askSilence(one)}>{w.alerts.silence}…</Button>
          </span>
        ),
    },
  ];
  return (
    <Panel title={w.alerts.tabs.firing} more={<Segments small label={w.alerts.which} on={asked("state")} choices={[{ id: "", name: w.alerts.open }, { id: "all", name: w.alerts.also }]} onChoose={(state) => setQuery({ state })} />}>
      <Shown of={resource} rows={4}>
        {({ alerts }) =>
          alerts.length === 0 ? (
            <Empty title={w.alerts.calm}><p><a class="link" href={linkWith({ tab: "rules" }, "alerts")}>{w.alerts.seeRules}</a></p></Empty>
          ) : (
            <Table label={w.pages.alerts} rows={alerts} columns={columns} keyOf={(one) => one.id} />
          )
        }
      </Shown>
    </Panel>
  );
}

function askAck(alert: AlertInfo): void {
  const w = words.value.alerts;
  askFor({
    title: w.askAck(alert.rule),
    says: w.ackSays,
    reason: "no",
    confirm: w.ack,
    command: () => `mainspring alerts ack ${alert.id}`,
    run: async () => {
      await post(`alerts/${part(alert.id)}/acknowledge`, {});
      outdateAll();
    },
  });
}

function askSilence(alert: AlertInfo): void {
  const w = words.value;
  askFor({
    title: w.alerts.askSilence(alert.rule),
    says: w.alerts.silenceSays,
    reason: "needed",
    confirm: w.alerts.silence,
    command: (reason) => `mainspring alerts silence --rule ${quoted(alert.rule)} --for 1h${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      const until = new Date(serverNow() + HOUR).toISOString();
      const { data } = await post<SilenceInfo>("silences", { rule: alert.rule, subject: alert.subject, until, reason });
      outdateAll();
      toast({ text: w.alerts.silenced(alert.rule), act: { name: w.undo, run: () => remove(`silences/${part(data.id)}`).then(outdateAll) } });
    },
  });
}

/** Of a deleted rule nobody knows whether anything has got better. */
function StateTag({ of }: { of: AlertInfo }): JSX.Element {
  if (of.rule_deleted) return <Tag>{left.value}</Tag>;
  return <Tag kind={of.state === "firing" ? "bad" : of.state === "pending" ? "warn" : "good"}>{words.value.alerts.states[of.state]}</Tag>;
}

export function SeverityTag({ of }: { of: string }): JSX.Element {
  const names = words.value.alerts.severities as Record<string, string>;
  return <Tag kind={of === "page" ? "bad" : of === "warn" ? "warn" : ""}>{names[of] ?? of}</Tag>;
}
