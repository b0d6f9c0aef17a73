// The audit log: who did what, when and why; whole, or of one object.
import type { JSX } from "preact";
import { query } from "../api/call.ts";
import type { AuditEntryInfo, AuditPage } from "../api/schema.ts";
import { useResource } from "../live/resource.ts";
import { asked, link, setQuery } from "../live/route.ts";
import { Button, Empty, Head, Moment, Panel, Shown } from "../parts/basics.tsx";
import { words } from "../words/index.ts";
import { useSignal } from "@preact/signals";

const KINDS = ["run", "job", "trigger", "calendar", "queue", "executor", "backfill", "sweep", "token", "namespace"];
/** Which page shows objects of a kind. */
const PAGES: Record<string, string> = { run: "runs", job: "jobs", trigger: "triggers", calendar: "calendars", queue: "queues", executor: "executors", backfill: "backfills" };

export function Audit(): JSX.Element {
  const w = words.value;
  const kind = asked("kind");
  const actor = asked("actor");
  return (
    <>
      <Head title={w.pages.audit}>
        <select class="input" aria-label={w.audit.kind} value={kind} onChange={(event) => setQuery({ kind: event.currentTarget.value })}>
          <option value="">{w.audit.allKinds}</option>
          {KINDS.map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
        <input class="input" data-filter aria-label={w.audit.actor} placeholder={w.audit.actor} value={actor} onChange={(event) => setQuery({ actor: event.currentTarget.value.trim() })} />
      </Head>
      <AuditList kind={kind} actor={actor} />
    </>
  );
}

export function AuditList({ kind = "", name = "", actor = "" }: { kind?: string; name?: string; actor?: string }): JSX.Element {
  const w = words.value;
  const entries = useResource<AuditPage>(query("audit", { kind, key: name, actor, limit: 100 }), { every: 10_000 });
  return (
    <Panel>
      <Shown of={entries} rows={8}>
        {({ entries: found }) =>
          found.length === 0 ? (
            <Empty title={w.audit.empty} />
          ) : (
            <div class="table-box" role="region" aria-label={w.pages.audit} tabIndex={0}>
              <table>
                <thead><tr><th>{w.audit.at}</th><th>{w.audit.actor}</th><th>{w.audit.act}</th><th>{w.audit.object}</th><th class="wide">{w.audit.details}</th></tr></thead>
                <tbody>{found.map((one) => <Entry key={one.position} entry={one} />)}</tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </Panel>
  );
}

function Entry({ entry }: { entry: AuditEntryInfo }): JSX.Element {
  const open = useSignal(false);
  const page = PAGES[entry.kind];
  const details = entry.details as Record<string, unknown>;
  const reason = typeof details["reason"] === "string" ? details["reason"] : typeof details["note"] === "string" ? details["note"] : "";
  const many = Object.keys(details).length > 0;
  return (
    <>
      <tr data-key={String(entry.position)}>
        <td class="dim"><Moment at={entry.at} date /></td>
        <td><b>{entry.actor.name}</b></td>
        <td>{entry.act}</td>
        <td>{page && entry.key ? <a href={link(page, entry.key)}>{entry.key}</a> : entry.key}</td>
        <td class="wide">{reason && <span class="dim">“{reason}” </span>}{many && <Button small icon={open.value ? "down" : "right"} label={words.value.audit.details} onClick={() => (open.value = !open.value)} />}</td>
      </tr>
      {open.value && <tr><td colSpan={5}><pre class="block">{JSON.stringify(details, null, 2)}</pre></td></tr>}
    </>
  );
}
