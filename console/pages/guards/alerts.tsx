// Alerts: what fires now, the rules, where notices go, and what is silenced.
import type { JSX } from "preact";
import { part, post, remove } from "../../api/call.ts";
import type { AlertInfo, AlertPage, AlertRuleInfo, AlertRulePage, ChannelInfo, ChannelPage, SilenceInfo, SilencePage, TestedChannel } from "../../api/schema.ts";
import { serverNow } from "../../live/clock.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, link, linkWith } from "../../live/route.ts";
import { Ago, Button, Command, Empty, Head, Panel, Shown, Tabs, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";

const TABS = ["firing", "rules", "channels", "silences"] as const;
const HOUR = 3_600_000;

export function Alerts(): JSX.Element {
  const w = words.value;
  const tab = asked("tab") || "firing";
  return (
    <>
      <Head title={w.pages.alerts} />
      <Tabs label={w.pages.alerts} on={tab} tabs={TABS.map((id) => ({ id, name: w.alerts.tabs[id], href: linkWith({ tab: id }, "alerts") }))} />
      <div class="tab-body">
        {tab === "firing" && <Firing />}
        {tab === "rules" && <Rules />}
        {tab === "channels" && <Channels />}
        {tab === "silences" && <Silences />}
      </div>
    </>
  );
}

function Firing(): JSX.Element {
  const w = words.value;
  const resource = useResource<AlertPage>("alerts?limit=100", { every: 5000 });
  const columns: Column<AlertInfo>[] = [
    { id: "state", name: w.runs.state, cell: (one) => <Tag kind={one.state === "firing" ? "bad" : one.state === "pending" ? "warn" : "good"}>{w.alerts.states[one.state]}</Tag> },
    { id: "rule", name: w.alerts.rule, cell: (one) => <b>{one.rule}</b> },
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
    <Panel>
      <Shown of={resource} rows={4}>
        {({ alerts }) => (alerts.length === 0 ? <Empty title={w.alerts.calm} /> : <Table label={w.pages.alerts} rows={alerts} columns={columns} keyOf={(one) => one.id} />)}
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
    command: () => `mainspring alerts acknowledge ${alert.id}`,
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
    run: async (reason) => {
      const until = new Date(serverNow() + HOUR).toISOString();
      const { data } = await post<SilenceInfo>("silences", { rule: alert.rule, subject: alert.subject, until, reason });
      outdateAll();
      toast({ text: w.alerts.silenced(alert.rule), act: { name: w.undo, run: () => remove(`silences/${part(data.id)}`).then(outdateAll) } });
    },
  });
}

function Rules(): JSX.Element {
  const w = words.value;
  const resource = useResource<AlertRulePage>("alert-rules", { every: 15_000 });
  const columns: Column<AlertRuleInfo>[] = [
    { id: "name", name: w.queues.name, cell: (one) => <b>{one.name}</b> },
    { id: "kind", name: w.alerts.kind, cell: (one) => one.spec.kind.replaceAll("_", " ") },
    { id: "of", name: w.alerts.of, cell: (one) => one.spec.queue ?? one.spec.job ?? one.spec.trigger ?? one.spec.breaker ?? one.spec.slo ?? one.spec.executor ?? "" },
    { id: "severity", name: w.alerts.severity, cell: (one) => <Tag kind={one.spec.severity === "page" ? "bad" : "warn"}>{one.spec.severity ?? "warn"}</Tag> },
    { id: "tells", name: w.alerts.tells, wide: true, cell: (one) => <span class="dim">{(one.spec.notify ?? []).join(", ")}</span> },
    { id: "by", name: w.runs.by, cell: (one) => <span class="dim">{one.owner || one.author}</span>, minor: true },
  ];
  return (
    <Panel>
      <Shown of={resource} rows={4}>
        {({ alert_rules: rules }) =>
          rules.length === 0 ? <Empty title={w.alerts.noRules}><Command line="mainspring alerts --help" /></Empty> : <Table label={w.alerts.tabs.rules} rows={rules} columns={columns} keyOf={(one) => one.name} />
        }
      </Shown>
    </Panel>
  );
}

function Channels(): JSX.Element {
  const w = words.value;
  const resource = useResource<ChannelPage>("channels", { every: 15_000 });
  const columns: Column<ChannelInfo>[] = [
    { id: "name", name: w.queues.name, cell: (one) => <b>{one.name}</b> },
    { id: "kind", name: w.alerts.kind, wide: true, cell: (one) => <>{one.spec.kind}{one.warnings.map((text) => <Tag key={text} kind="warn">{text}</Tag>)}</> },
    { id: "since", name: w.runs.created, num: true, cell: (one) => <Ago at={one.updated_at} /> },
    { id: "acts", name: "", cell: (one) => <Button small icon="play" refused={refusal("alerts:steer")} onClick={() => void test(one.name)}>{w.alerts.test}</Button> },
  ];
  return (
    <Panel>
      <Shown of={resource} rows={4}>
        {({ channels }) =>
          channels.length === 0 ? <Empty title={w.alerts.noChannels}><Command line="mainspring channels --help" /></Empty> : <Table label={w.alerts.tabs.channels} rows={channels} columns={columns} keyOf={(one) => one.name} />
        }
      </Shown>
    </Panel>
  );
}

async function test(name: string): Promise<void> {
  try {
    const { data } = await post<TestedChannel>(`channels/${part(name)}/test`);
    toast({ text: `${name}: ${data.ok ? "✓" : "✕"} ${data.answer}` });
  } catch (error) {
    tellRefusal(error);
  }
}

function Silences(): JSX.Element {
  const w = words.value;
  const resource = useResource<SilencePage>("silences", { every: 15_000 });
  const end = (one: SilenceInfo) => remove(`silences/${part(one.id)}`).then(outdateAll, tellRefusal);
  const columns: Column<SilenceInfo>[] = [
    { id: "rule", name: w.alerts.rule, cell: (one) => <b>{one.rule || "*"}</b> },
    { id: "subject", name: w.alerts.of, cell: (one) => one.subject || "*" },
    { id: "until", name: w.breakers.until, num: true, cell: (one) => <Ago at={one.until} /> },
    { id: "reason", name: w.breakers.reason, wide: true, cell: (one) => <span class="dim">{one.reason} ({one.author})</span> },
    { id: "acts", name: "", cell: (one) => <Button small icon="x" refused={refusal("alerts:steer")} onClick={() => void end(one)}>{w.alerts.end}</Button> },
  ];
  return (
    <Panel>
      <Shown of={resource} rows={4}>
        {({ silences }) => (silences.length === 0 ? <Empty title={w.alerts.noSilences} /> : <Table label={w.alerts.tabs.silences} rows={silences} columns={columns} keyOf={(one) => one.id} />)}
      </Shown>
    </Panel>
  );
}
