// The audit log: who did what, when and why; whole, or of one object.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { get, query } from "../api/call.ts";
import type { AuditEntryInfo, AuditPage } from "../api/schema.ts";
import { now } from "../live/clock.ts";
import { useResource } from "../live/resource.ts";
import { asked, link, setQuery } from "../live/route.ts";
import { Button, Empty, Head, Moment, Panel, Segments, Shown } from "../parts/basics.tsx";
import { tellRefusal } from "../parts/toasts.tsx";
import { words } from "../words/index.ts";
import { auditRows, csvOf, save, shownChanges } from "./audit-text.ts";
import { instantOf } from "./runs/query.ts";

const KINDS = ["run", "failure", "job", "trigger", "workflow", "calendar", "queue", "limit", "breaker", "executor", "server", "backfill", "sweep", "alert_rule", "channel", "silence", "slo", "token", "user", "namespace", "view"];
/** Which page shows objects of a kind. */
const PAGES: Record<string, string> = { run: "runs", failure: "failures", job: "jobs", trigger: "triggers", calendar: "calendars", queue: "queues", executor: "executors", backfill: "backfills", breaker: "breakers", workflow: "workflows" };
const RANGES = ["", "1h", "24h", "7d", "30d"] as const;
const PAGE = 100;
/** Entries that a file holds at most. */
const EXPORTED = 10_000;

type Filters = Record<string, string>;

function filtersOf(since: string): Filters {
  const from = instantOf(since, Math.ceil(now.peek() / 30_000) * 30_000);
  return { kind: asked("kind"), actor: asked("actor"), act: asked("act"), key: asked("key"), ...(from ? { since: from } : {}) };
}

export function Audit(): JSX.Element {
  const w = words.value;
  const since = asked("since");
  const filters = useMemo(() => filtersOf(since), [asked("kind"), asked("actor"), asked("act"), asked("key"), since]);
  const field = (name: string, label: string, filter = false) => (
    <input class="input" data-filter={filter || undefined} aria-label={label} placeholder={label} value={asked(name)} onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })} />
  );
  return (
    <>
      <Head title={w.pages.audit}>
        <Button icon="save" onClick={() => void exported(filters, "csv")}>{w.audit.csv}</Button>
        <Button icon="save" onClick={() => void exported(filters, "json")}>{w.audit.json}</Button>
      </Head>
      <div class="above-list audit-filters">
        <select class="input" aria-label={w.audit.kind} value={asked("kind")} onChange={(event) => setQuery({ kind: event.currentTarget.value })}>
          <option value="">{w.audit.allKinds}</option>
          {KINDS.map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
        {field("actor", w.audit.actor, true)}
        {field("act", w.audit.actExample)}
        {field("key", w.audit.object)}
        <span class="grow" />
        <Segments small label={w.overview.range} on={since} choices={RANGES.map((id) => ({ id, name: id === "" ? w.runs.all : id }))} onChoose={(id) => setQuery({ since: id })} />
      </div>
      <AuditList filters={filters} />
    </>
  );
}

/** The entries of one object, as its own page shows them. */
export function AuditOf({ kind, name }: { kind: string; name: string }): JSX.Element {
  return <AuditList filters={{ kind, key: name }} />;
}

function AuditList({ filters }: { filters: Filters }): JSX.Element {
  const w = words.value;
  const path = query("audit", { ...filters, limit: PAGE });
  const entries = useResource<AuditPage>(path, { every: 10_000 });
  const older = useSignal<AuditPage | null>(null);
  useEffect(() => {
    older.value = null;
  }, [path]);
  const next = older.value ? older.value.next : (entries.data.value?.next ?? null);
  const more = async () => {
    try {
      const { data } = await get<AuditPage>(query("audit", { ...filters, limit: PAGE, cursor: next ?? "" }));
      older.value = { ...data, entries: [...(older.value?.entries ?? []), ...data.entries] };
    } catch (error) {
      tellRefusal(error);
    }
  };
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
                <tbody>{joined(found, older.value?.entries ?? []).map((one) => <Entry key={one.position} entry={one} />)}</tbody>
              </table>
              {next && <div class="table-foot"><span class="grow" /><Button small onClick={() => void more()}>{w.runs.more}</Button></div>}
            </div>
          )
        }
      </Shown>
    </Panel>
  );
}

/** New entries push the first page on: what stands on both is shown once. */
function joined(newest: AuditEntryInfo[], older: AuditEntryInfo[]): AuditEntryInfo[] {
  const seen = new Set(newest.map((one) => one.position));
  return [...newest, ...older.filter((one) => !seen.has(one.position))];
}

function Entry({ entry }: { entry: AuditEntryInfo }): JSX.Element {
  const open = useSignal(false);
  const page = PAGES[entry.kind];
  const details = entry.details as Record<string, unknown>;
  const reason = typeof details["reason"] === "string" ? details["reason"] : typeof details["note"] === "string" ? details["note"] : "";
  const many = Object.keys(details).length > 0;
  const changes = shownChanges(details);
  return (
    <>
      <tr data-key={String(entry.position)}>
        <td class="dim"><Moment at={entry.at} date /></td>
        <td><b>{entry.actor.name}</b></td>
        <td><button type="button" class="link plain" onClick={() => setQuery({ act: entry.act })}>{entry.act}</button></td>
        <td>{page && entry.key ? <a href={link(page, entry.key)}>{entry.key}</a> : entry.key}</td>
        <td class="wide">{many && <Button small icon={open.value ? "down" : "right"} label={words.value.audit.details} pressed={open.value} onClick={() => (open.value = !open.value)} />} {reason && <span class="dim">“{reason}” </span>}</td>
      </tr>
      {open.value && (
        <tr>
          <td colSpan={5}>
            {changes.length > 0 && (
              <table>
                <tbody>{changes.map((one) => <tr key={one.name}><td><code>{one.name}</code></td><td class="wide"><s class="faint">{one.before}</s> <b>{one.after}</b></td></tr>)}</tbody>
              </table>
            )}
            <pre class="block">{JSON.stringify(details, null, 2)}</pre>
          </td>
        </tr>
      )}
    </>
  );
}

/** All that match, page after page, as a file. */
async function exported(filters: Filters, kind: "csv" | "json"): Promise<void> {
  const found: AuditEntryInfo[] = [];
  try {
    for (let cursor: string | null = ""; cursor !== null && found.length < EXPORTED; ) {
      const page: AuditPage = (await get<AuditPage>(query("audit", { ...filters, limit: 500, cursor }))).data;
      found.push(...page.entries);
      cursor = page.next;
    }
    save(`audit.${kind}`, kind === "csv" ? csvOf(auditRows(found)) : JSON.stringify(found, null, 2), kind === "csv" ? "text/csv" : "application/json");
  } catch (error) {
    tellRefusal(error);
  }
}
