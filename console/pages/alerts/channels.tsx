// Channels: where notices go, and a test of each before it is needed.
import type { JSX } from "preact";
import { part, post, put } from "../../api/call.ts";
import type { ChannelInfo, ChannelPage, TestedChannel } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { linkWith } from "../../live/route.ts";
import { Button, Empty, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { type FieldSpec, quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";
import { RowActs, askDelete } from "./rules.tsx";

const KINDS = ["webhook", "slack", "teams", "pagerduty", "email", "dingtalk", "feishu", "wecom", "alertmanager", "apprise"] as const;
/** Fields that a kind has besides its address. */
const OWN: Record<string, string[]> = {
  webhook: ["url", "secret"],
  slack: ["url"],
  teams: ["url"],
  pagerduty: ["url", "routing_key"],
  email: ["host", "port", "encryption", "username", "password", "sender", "to"],
  dingtalk: ["url", "secret", "at_mobiles"],
  feishu: ["url", "secret"],
  wecom: ["url", "at_mobiles"],
  alertmanager: ["url"],
  apprise: ["url"],
};
const SECRETS = ["secret", "routing_key", "password"];

export function Channels(): JSX.Element {
  const w = words.value;
  const resource = useResource<ChannelPage>("channels", { every: 15_000 });
  const columns: Column<ChannelInfo>[] = [
    { id: "name", name: w.name, cell: (one) => <button type="button" class="strong-link" onClick={() => editChannel(one)}>{one.name}</button> },
    { id: "kind", name: w.alerts.kind, cell: (one) => one.spec.kind },
    { id: "to", name: w.alerts.address, wide: true, cell: (one) => <span class="dim">{one.spec.url || one.spec.to?.join(", ") || one.spec.host}</span> },
    { id: "warn", name: "", cell: (one) => one.warnings.map((text) => <Tag key={text} kind="warn">{text}</Tag>) },
    { id: "sent", name: w.alerts.tabs.deliveries, cell: (one) => <a class="link" href={linkWith({ tab: "deliveries", channel: one.name }, "alerts")}>{w.overview.look}</a> },
    {
      id: "acts",
      name: "",
      cell: (one) => (
        <RowActs permission="alerts:write" onEdit={() => editChannel(one)} onDelete={() => askDelete("channel", one.name, `channels/${part(one.name)}`, `mainspring channels delete ${quoted(one.name)}`)}>
          <Button small icon="play" refused={refusal("alerts:steer")} onClick={() => void test(one.name)}>{w.alerts.test}</Button>
        </RowActs>
      ),
    },
  ];
  return (
    <Panel>
      <Shown of={resource} rows={4}>
        {({ channels }) => (channels.length === 0 ? <Empty title={w.alerts.noChannels} /> : <Table label={w.alerts.tabs.channels} rows={channels} columns={columns} keyOf={(one) => one.name} />)}
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

export function editChannel(channel: ChannelInfo | null): void {
  const w = words.value;
  const labels = w.forms.labels as Record<string, string>;
  const help = w.forms.help as Record<string, string>;
  const names = [...new Set(Object.values(OWN).flat())];
  const kindOf = (name: string): FieldSpec["kind"] => (SECRETS.includes(name) ? "secret" : name === "port" ? "number" : name === "to" || name === "at_mobiles" ? "list" : name === "encryption" ? "choice" : "text");
  const field = (name: string): FieldSpec => ({ name, kind: kindOf(name), label: labels[name] ?? name, ...(help[name] ? { help: help[name] } : {}), ...(name === "encryption" ? { choices: ["starttls", "tls", "none"].map((id) => [id, id] as const) } : {}), wide: name === "url", when: (draft) => (OWN[draft["kind"] ?? ""] ?? []).includes(name) });
  fillIn({
    title: channel ? w.alerts.editChannel(channel.name) : w.alerts.make.channels,
    start: channel ? { ...channel.spec, name: channel.name } : { kind: "webhook", encryption: "starttls" },
    fields: [
      { name: "name", kind: "name", label: labels["name"] ?? "", required: true, when: () => channel === null },
      { name: "kind", kind: "choice", label: w.alerts.kind, choices: KINDS.map((id) => [id, id] as const) },
      ...names.map(field),
      { name: "per_minute", kind: "number", label: labels["per_minute"] ?? "", help: help["per_minute"] ?? "" },
      { name: "alive", kind: "span", label: labels["alive"] ?? "", help: help["alive"] ?? "" },
      { name: "details", kind: "check", label: labels["details"] ?? "" },
      { name: "cluster", kind: "check", label: labels["cluster"] ?? "" },
    ],
    confirm: w.people.save,
    command: ({ name, kind, ...rest }) => `mainspring channels set ${quoted(channel?.name ?? name ?? "NAME")} --kind ${quoted(kind ?? "")}${Object.entries(rest).map(([key, value]) => ` --set ${quoted(`${key}=${SECRETS.includes(key) ? "…" : Array.isArray(value) ? value.join(",") : String(value)}`)}`).join("")}`,
    send: ({ name, ...body }) => put(`channels/${part(channel?.name ?? String(name))}`, body),
  });
}
