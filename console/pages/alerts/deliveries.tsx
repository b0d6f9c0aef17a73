// What was sent to a channel, and what it answered.
import type { JSX } from "preact";
import { part } from "../../api/call.ts";
import type { ChannelPage, NoticeInfo, NoticePage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { asked, setQuery } from "../../live/route.ts";
import { Ago, Count, Empty, Panel, Segments, Shown, Tag } from "../../parts/basics.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { words } from "../../words/index.ts";

export function Deliveries(): JSX.Element {
  const w = words.value;
  const channels = useResource<ChannelPage>("channels", { every: 15_000 });
  return (
    <Shown of={channels} rows={4}>
      {({ channels: found }) => {
        const on = found.find(({ name }) => name === asked("channel"))?.name ?? found[0]?.name;
        if (on === undefined) return <Panel><Empty title={w.alerts.noChannels} /></Panel>;
        return (
          <Panel title={w.alerts.tabs.deliveries} more={<Segments small label={w.alerts.tabs.channels} on={on} choices={found.map(({ name }) => ({ id: name, name }))} onChoose={(channel) => setQuery({ channel })} />}>
            <Notices key={on} channel={on} />
          </Panel>
        );
      }}
    </Shown>
  );
}

function Notices({ channel }: { channel: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<NoticePage>(`channels/${part(channel)}/notices?limit=100`, { every: 5000 });
  const tones: Record<string, string> = { sent: "good", failed: "bad", waiting: "warn", sending: "warn" };
  const columns: Column<NoticeInfo>[] = [
    { id: "state", name: w.runs.state, cell: (one) => <Tag kind={tones[one.state] ?? ""}>{w.alerts.noticeStates[one.state]}</Tag> },
    { id: "kind", name: w.alerts.kind, cell: (one) => w.alerts.noticeKinds[one.kind] },
    { id: "rule", name: w.alerts.rule, cell: (one) => one.rule },
    { id: "made", name: w.runs.created, num: true, cell: (one) => <Ago at={one.made_at} /> },
    { id: "tries", name: w.runs.try, num: true, cell: (one) => <Count value={one.tries} /> },
    { id: "answer", name: w.alerts.answer, wide: true, cell: (one) => <span class="dim">{one.answer}</span> },
  ];
  return <Shown of={resource} rows={4}>{({ notices }) => (notices.length === 0 ? <Empty title={w.alerts.noDeliveries} /> : <Table label={w.alerts.tabs.deliveries} rows={notices} columns={columns} keyOf={(one) => one.id} />)}</Shown>;
}
