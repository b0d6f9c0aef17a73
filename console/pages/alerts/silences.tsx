// Silences: which alerts send no notices, until when and why.
import type { JSX } from "preact";
import { part, post, remove } from "../../api/call.ts";
import type { SilenceInfo, SilencePage } from "../../api/schema.ts";
import { serverNow } from "../../live/clock.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, Empty, Panel, Shown } from "../../parts/basics.tsx";
import { quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { tellRefusal } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";

export function Silences(): JSX.Element {
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

export function editSilence(): void {
  const w = words.value;
  const labels = w.forms.labels;
  fillIn({
    title: w.alerts.make.silences,
    says: w.alerts.silenceSays,
    start: { rule: "*", subject: "*", lasts: 3600 },
    fields: [
      { name: "rule", kind: "text", label: w.alerts.rule, help: w.forms.help.pattern },
      { name: "subject", kind: "text", label: w.alerts.of, help: w.forms.help.pattern },
      { name: "lasts", kind: "span", label: labels.lasts, required: true },
      { name: "reason", kind: "text", label: w.reason, required: true, wide: true },
    ],
    confirm: w.alerts.make.silences,
    command: ({ rule, subject, reason }, draft) => `mainspring alerts silence --rule ${quoted(rule ?? "*")} --subject ${quoted(subject ?? "*")} --for ${quoted((draft["lasts"] ?? "").replaceAll(" ", ""))} --reason ${quoted(reason ?? "")}`,
    send: ({ lasts, ...body }) => post("silences", { ...body, until: typeof lasts === "number" ? new Date(serverNow() + lasts * 1000).toISOString() : lasts }),
  });
}
