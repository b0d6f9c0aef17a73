// Approvals that steps wait for: what is asked, by whom it may be answered, and the form that goes with the answer.
import type { JSX } from "preact";
import { post } from "../../api/call.ts";
import type { ApprovalInfo, ApprovalPage } from "../../api/schema.ts";
import { grant, refusal } from "../../live/rights.ts";
import { useResource } from "../../live/resource.ts";
import { linkWith } from "../../live/route.ts";
import { Button, Panel, StateIcon, Tag } from "../../parts/basics.tsx";
import { type FieldSpec, type Kind, quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { words } from "../../words/index.ts";

/** What waits for people; nothing is shown where nothing waits. */
export function Approvals({ run, workflows }: { run?: string; workflows?: Map<string, string> }): JSX.Element | null {
  const found = useResource<ApprovalPage>("approvals?limit=50", { every: 5000 }).data.value?.approvals ?? [];
  return <ApprovalsShown found={found.filter((one) => run === undefined || one.workflow_run === run)} {...(run === undefined ? {} : { run })} {...(workflows ? { workflows } : {})} />;
}

/** The same, of those that were read already. */
export function ApprovalsShown({ found: shown, run, workflows }: { found: ApprovalInfo[]; run?: string; workflows?: Map<string, string> }): JSX.Element | null {
  const w = words.value.approvals;
  if (shown.length === 0) return null;
  return (
    <Panel title={w.title} note={w.note(shown.length)} class="approvals">
      {shown.slice(0, 8).map((one) => (
        <div class="finding" key={one.run}>
          <StateIcon state="waiting" />
          <span class="what">
            <b>{one.title}</b> <span class="dim">{Object.entries(one.details).map(([name, value]) => `${name} ${String(value)}`).join(", ")}</span>{" "}
            {one.approvals > 1 && <Tag>{w.votes(one.votes.filter((vote) => vote.approved).length, one.approvals)}</Tag>} {one.four_eyes && <Tag title={w.fourEyesHelp}>{w.fourEyes}</Tag>}
          </span>
          <span class="acts">
            {run === undefined && <a class="button plain small" href={linkWith({ run: one.workflow_run, step: one.step }, "workflows", workflows?.get(one.workflow_run) ?? "-")}>{words.value.overview.look}</a>}
            <Button small refused={mayNot(one)} onClick={() => decide(one, false)}>{w.reject}…</Button>
            <Button small icon="check" refused={mayNot(one)} onClick={() => decide(one, true)}>{w.approve}…</Button>
          </span>
        </div>
      ))}
    </Panel>
  );
}

/** Why this person may not answer: the role, the list of approvers, or four eyes. */
function mayNot(one: ApprovalInfo): string | undefined {
  const w = words.value.approvals;
  const name = grant.value?.name ?? "";
  if (one.approvers.length > 0 && !one.approvers.includes(name)) return w.onlyBy(one.approvers.join(", "));
  if (one.four_eyes && one.created_by === name) return w.fourEyesHelp;
  return refusal("runs:approve");
}

function decide(one: ApprovalInfo, good: boolean): void {
  const w = words.value.approvals;
  const act = good ? "approve" : "reject";
  const fields: FieldSpec[] = good ? formFields(one.form) : [];
  fillIn({
    title: good ? w.askApprove(one.title) : w.askReject(one.title),
    says: good ? w.approveSays : w.rejectSays,
    start: Object.fromEntries(fields.map((field) => [field.name, defaultOf(one.form, field.name)])),
    fields: [...fields, { name: "note", kind: "text", label: w.comment, wide: true }],
    confirm: good ? w.approve : w.reject,
    done: good ? w.approved : w.rejected,
    command: ({ note, ...form }) => `mainspring approvals ${act} ${one.run}${Object.keys(form).length > 0 ? ` --form ${quoted(JSON.stringify(form))}` : ""}${note ? ` --note ${quoted(note)}` : ""}`,
    send: ({ note = "", ...form }) => post(`runs/${one.run}/${act}`, good ? { form, note } : { note }),
  });
}

type Schema = { properties?: Record<string, { type?: string; enum?: unknown[]; title?: string; description?: string; default?: unknown }>; required?: string[] };

/** The fields of a form that a step asks for, from its JSON schema; what is nested is typed as JSON. */
export function formFields(form: Record<string, unknown>): FieldSpec[] {
  const { properties = {}, required = [] } = form as Schema;
  const kinds: Record<string, Kind> = { string: "text", integer: "number", number: "number", boolean: "check" };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    kind: one.enum ? "choice" : (kinds[one.type ?? ""] ?? "json"),
    label: one.title ?? name,
    ...(one.description ? { help: one.description } : {}),
    ...(one.enum ? { choices: one.enum.map((value) => [String(value), String(value)] as const) } : {}),
    required: required.includes(name) && one.type !== "boolean",
  }));
}

const defaultOf = (form: Record<string, unknown>, name: string) => (form as Schema).properties?.[name]?.default ?? (form as Schema).properties?.[name]?.enum?.[0];
