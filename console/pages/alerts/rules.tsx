// Alert rules: the condition, of what, how long, how much it matters, and who is told.
import type { JSX } from "preact";
import { get, part, put, remove } from "../../api/call.ts";
import type { Permission } from "../../api/rights.ts";
import type { AlertRuleBody, AlertRuleInfo, AlertRulePage, ChannelPage } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Button, Empty, Panel, Shown } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { type Draft, type FieldSpec, quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration, percent } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { SeverityTag } from "./firing.tsx";
import { READS } from "./reads.ts";

const SUBJECTS = ["job", "queue", "trigger", "executor", "breaker", "slo"] as const;

export function Rules(): JSX.Element {
  const w = words.value;
  const resource = useResource<AlertRulePage>("alert-rules", { every: 15_000 });
  const kinds = w.alerts.kinds as Record<string, string>;
  const columns: Column<AlertRuleInfo>[] = [
    { id: "name", name: w.name, cell: (one) => <button type="button" class="strong-link" onClick={() => void editRule(one)}>{one.name}</button> },
    { id: "says", name: w.alerts.condition, wide: true, cell: (one) => <>{kinds[one.spec.kind] ?? one.spec.kind} <span class="dim">{saysOf(one.spec)}</span></> },
    { id: "severity", name: w.alerts.severity, cell: (one) => <SeverityTag of={one.spec.severity ?? "warn"} /> },
    { id: "tells", name: w.alerts.tells, cell: (one) => (one.spec.notify?.length ? one.spec.notify.join(", ") : <span class="faint">{w.alerts.consoleOnly}</span>) },
    { id: "owner", name: w.alerts.owner, cell: (one) => <span class="dim">{one.owner || one.author}</span>, minor: true },
    { id: "acts", name: "", cell: (one) => <RowActs permission="alerts:write" onEdit={() => void editRule(one)} onDelete={() => askDelete("rule", one.name, `alert-rules/${part(one.name)}`, `mainspring alerts delete ${quoted(one.name)}`)} /> },
  ];
  return (
    <Panel>
      <Shown of={resource} rows={4}>
        {({ alert_rules }) => (alert_rules.length === 0 ? <Empty title={w.alerts.noRules} /> : <Table label={w.alerts.tabs.rules} rows={alert_rules} columns={columns} keyOf={(one) => one.name} />)}
      </Shown>
    </Panel>
  );
}

export function RowActs({ permission, onEdit, onDelete, children }: { permission: Permission; onEdit: () => void; onDelete: () => void; children?: JSX.Element | undefined }): JSX.Element {
  const w = words.value;
  return (
    <span class="acts">
      {children}
      <Button small icon="edit" label={w.people.edit} refused={refusal(permission)} onClick={onEdit} />
      <Button small icon="trash" label={w.jobs.remove} refused={refusal(permission)} onClick={onDelete} />
    </span>
  );
}

/** The condition without its kind: of what, how much, how long. */
function saysOf(spec: AlertRuleBody): string {
  const w = words.value.alerts.says_;
  const subject = SUBJECTS.map((name) => spec[name]).find((name) => name);
  const parts = [
    subject,
    spec.above !== null && spec.above !== undefined && w.above(percent(spec.above)),
    spec.at_least !== null && spec.at_least !== undefined && w.atLeast(spec.at_least),
    spec.older_than !== null && spec.older_than !== undefined && w.olderThan(duration(spec.older_than)),
    spec.over !== null && spec.over !== undefined && w.over(duration(spec.over)),
    spec.for ? w.for(duration(spec.for)) : null,
  ];
  return parts.filter(Boolean).join(" · ");
}

export function askDelete(kind: "rule" | "channel" | "slo", name: string, path: string, command: string): void {
  const w = words.value;
  askFor({
    title: w.alerts.askDelete(name),
    says: w.alerts.deleteSays[kind],
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    command: () => command,
    run: async () => {
      await remove(path);
      outdateAll();
    },
  });
}

/** Names of channels, for the fields that tell them. */
export async function channelNames(): Promise<string[]> {
  return (await get<ChannelPage>("channels")).data.channels.map(({ name }) => name);
}

function reads(draft: Draft, field: string): boolean {
  const [subjects, numbers] = READS[draft["kind"] ?? ""] ?? [[], []];
  return subjects.includes(field) || numbers.includes(field);
}

/** Open the editor of a rule; null makes a new one, with what is given as its start. */
export async function editRule(rule: AlertRuleInfo | null, start: Record<string, unknown> = {}): Promise<void> {
  const w = words.value;
  const labels = w.forms.labels as Record<string, string>;
  const help = w.forms.help as Record<string, string>;
  const known = await channelNames().catch(() => []);
  const field = (name: string, kind: FieldSpec["kind"], more: Partial<FieldSpec> = {}): FieldSpec => ({ name, kind, label: labels[name] ?? name, ...(help[name] ? { help: help[name] } : {}), ...more });
  fillIn({
    title: rule ? w.alerts.editRule(rule.name) : w.alerts.make.rules,
    start: rule ? { ...rule.spec, name: rule.name, recovery: rule.spec.recovery ?? true, quiet: rule.spec.quiet?.calendar } : { kind: "queue_age", queue: "*", older_than: 120, severity: "warn", recovery: true, ...start },
    fields: [
      field("name", "name", { required: true, when: () => rule === null }),
      field("kind", "choice", { choices: Object.keys(READS).map((id) => [id, (w.alerts.kinds as Record<string, string>)[id] ?? id] as const) }),
      ...SUBJECTS.map((name) => field(name, "text", { when: (draft) => reads(draft, name) })),
      field("above", "share", { when: (draft) => reads(draft, "above") }),
      field("at_least", "number", { when: (draft) => reads(draft, "at_least") }),
      field("older_than", "span", { when: (draft) => reads(draft, "older_than") }),
      field("over", "span", { when: (draft) => reads(draft, "over") }),
      field("for", "span"),
      field("severity", "choice", { choices: Object.entries(w.alerts.severities) }),
      field("notify", "list", { known }),
      field("escalate_to", "list", { known }),
      field("escalate_after", "span"),
      field("runbook", "text"),
      field("quiet", "text"),
      field("recovery", "check"),
    ],
    confirm: w.people.save,
    command: ({ name, kind, ...rest }) => `mainspring alerts set ${quoted(rule?.name ?? name ?? "NAME")} --kind ${quoted(kind ?? "")}${Object.entries(rest).map(([key, value]) => ` --set ${quoted(`${key}=${Array.isArray(value) ? value.join(",") : String(value)}`)}`).join("")}`,
    send: ({ name, quiet, ...body }) => put(`alert-rules/${part(rule?.name ?? String(name))}`, { ...body, recovery: body["recovery"] === true, ...(quiet ? { quiet: { calendar: quiet } } : {}) }),
  });
}
