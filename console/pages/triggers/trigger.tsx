// One trigger: its rule with what comes of it, what became of its instants, its runs and its calls.
import type { JSX } from "preact";
import { part } from "../../api/call.ts";
import type { RunPage, TriggerInfo } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { asked, link, linkWith } from "../../live/route.ts";
import { Head, Panel, Shown, Tabs, Tag } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Table } from "../../parts/table.tsx";
import { words } from "../../words/index.ts";
import { AuditOf } from "../audit.tsx";
import { columns } from "../runs/list.tsx";
import { TriggerActs } from "./acts.tsx";
import { BackfillDialog } from "./backfill.tsx";
import { blankDraft, draftOf } from "./draft.ts";
import { TriggerEditor } from "./editor.tsx";
import { Instants } from "./instants.tsx";
import { TriggerState } from "./list.tsx";
import { Hook } from "./webhook.tsx";

export function Trigger({ name }: { name: string }): JSX.Element {
  return name === "new" ? <NewTrigger /> : <OneTrigger name={name} />;
}

function NewTrigger(): JSX.Element {
  const w = words.value;
  const from = asked("from");
  const other = useResource<TriggerInfo>(from ? `triggers/${part(from)}` : null);
  const given = { job: asked("job"), ...(asked("cron") ? { expressions: asked("cron") } : {}), zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
  return (
    <>
      <Head title={w.triggers.newTitle} trail={<a href={link("triggers")}>{w.pages.triggers}</a>} />
      {from ? <Shown of={other}>{(found) => <TriggerEditor trigger={null} first={{ ...draftOf(found.spec), name: `${from}-copy` }} />}</Shown> : <TriggerEditor trigger={null} first={blankDraft(given)} />}
    </>
  );
}

function OneTrigger({ name }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<TriggerInfo>(`triggers/${part(name)}`, { every: 5000 });
  const found = resource.data.value;
  const kind = (found?.spec.when as { kind?: string } | undefined)?.kind;
  const tab = asked("tab") || "when";
  const tabs = (["when", ...(kind === "webhook" || kind === "event" ? (["hook"] as const) : []), "instants", "runs", "audit"] as const).map((id) => ({ id, name: id === "hook" ? w.triggers.tabs[kind === "event" ? "event" : "hook"] : w.triggers.tabs[id], href: linkWith({ tab: id === "when" ? null : id }, "triggers", name) }));
  return (
    <>
      <Head title={name} trail={<a href={link("triggers")}>{w.pages.triggers}</a>} beside={found && <><TriggerState one={found} /><Tag>{w.triggers.revision(found.revision)}</Tag>{found.owner && <Tag>{w.triggers.appliedFrom(found.owner)}</Tag>}{found.drifted && <Tag kind="warn">{w.jobs.drifted}</Tag>}</>}>
        {found && <TriggerActs trigger={found} />}
      </Head>
      {found?.paused && <section class="panel telling"><Icon name="pause" class="is-waiting" /><span>{w.triggers.pausedBy(found.paused.by)} {found.paused.reason && `“${found.paused.reason}”`}</span></section>}
      <BackfillDialog />
      <Tabs tabs={tabs} on={tab} label={name} />
      <div class="tab-body">
        <Shown of={resource} rows={6}>
          {(trigger) => (
            <>
              {tab === "when" && <TriggerEditor key={trigger.name} trigger={trigger} first={draftOf(trigger.spec)} />}
              {tab === "hook" && <Hook trigger={trigger} />}
              {tab === "instants" && <Instants name={name} />}
              {tab === "runs" && <TriggerRuns trigger={trigger} />}
              {tab === "audit" && <AuditOf kind="trigger" name={name} />}
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

/** The API lists runs by job; those of other triggers are left out here. */
function TriggerRuns({ trigger }: { trigger: TriggerInfo }): JSX.Element {
  const w = words.value;
  const runs = useResource<RunPage>(`runs?job=${encodeURIComponent(trigger.spec.job)}&limit=200`, { every: 5000 });
  return (
    <Panel title={w.pages.runs} note={w.triggers.runsNote}>
      <Shown of={runs}>
        {({ runs: found }) => {
          const own = found.filter((run) => run.trigger === trigger.name);
          return own.length === 0 ? <p class="quiet">{w.jobs.noRuns}</p> : <Table label={w.pages.runs} rows={own} columns={columns(["by"])} keyOf={(run) => run.id} peekOf={(run) => `run:${run.id}`} />;
        }}
      </Shown>
    </Panel>
  );
}
