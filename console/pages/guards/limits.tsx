// Limits: how many attempts at once and how fast, of the namespace, of queues, and under names that jobs share.
import type { JSX } from "preact";
import { part, put, remove } from "../../api/call.ts";
import type { LimitInfo, LimitPage } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, Command, Empty, Gauge, Head, Panel, Shown } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { options, quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../words/index.ts";

export function Limits(): JSX.Element {
  const w = words.value;
  const resource = useResource<LimitPage>("limits", { every: 3000 });
  return (
    <>
      <Head title={w.pages.limits}>
        <Button kind="main" icon="plus" refused={refusal("queues:write")} onClick={() => edit(null)}>{w.limits.make}</Button>
      </Head>
      <Panel>
        <Shown of={resource} rows={4}>
          {({ limits }) =>
            limits.length === 0 ? (
              <Empty title={w.limits.empty}><Command line="mainspring limits set gateway --at-once 20" /></Empty>
            ) : (
              <Table label={w.pages.limits} rows={limits} columns={columns()} keyOf={(one) => `${one.scope} ${one.name}`} />
            )
          }
        </Shown>
      </Panel>
    </>
  );
}

function columns(): Column<LimitInfo>[] {
  const w = words.value;
  const scopes = w.limits.scopes as Record<string, string>;
  return [
    { id: "name", name: w.name, cell: (one) => <b>{one.name}</b> },
    { id: "scope", name: w.limits.scope, cell: (one) => scopes[one.scope] ?? one.scope },
    { id: "held", name: w.limits.atOnce, cell: (one) => (one.at_once === null ? <>{count(one.held)}</> : <><Gauge taken={one.held} room={one.at_once} />{count(one.held)} <span class="faint">{w.of} {count(one.at_once)}</span></>) },
    { id: "rate", name: w.limits.rate, num: true, cell: (one) => one.rate ?? <span class="faint">–</span> },
    { id: "key", name: w.limits.key, wide: true, cell: (one) => <span class="dim">{one.key.join(", ")}</span>, minor: true },
    { id: "opens", name: w.limits.opens, num: true, cell: (one) => <Ago at={one.opens_at} />, minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) => (
        <span class="acts">
          <Button small icon="edit" refused={refusal("queues:write")} onClick={() => edit(one)}>{w.people.edit}…</Button>
          <Button small icon="trash" kind="danger" refused={refusal("queues:write")} onClick={() => askDelete(one)}>{w.jobs.remove}…</Button>
        </span>
      ),
    },
  ];
}

/** Where a limit is written, and its command. */
function pathOf(scope: string, name: string): string {
  if (scope === "queue") return `queues/${part(name)}/limit`;
  return scope === "namespace" ? `namespaces/${part(name)}/limit` : `limits/${part(name)}`;
}

const scoped = (scope: string) => (scope === "limit" ? "" : ` --scope ${scope}`);

function askDelete(limit: LimitInfo): void {
  const w = words.value;
  askFor({
    title: w.limits.askDelete(limit.name),
    says: w.limits.deleteSays,
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring limits delete ${quoted(limit.name)}${scoped(limit.scope)}`,
    run: async () => {
      await remove(pathOf(limit.scope, limit.name));
      outdateAll();
    },
  });
}

function edit(limit: LimitInfo | null): void {
  const w = words.value;
  const { labels, help } = w.forms;
  const scope = limit?.scope ?? "limit";
  fillIn({
    title: limit ? limit.name : w.limits.make,
    start: limit ? { ...limit } : {},
    fields: [
      { name: "name", kind: "name", label: labels.name, required: true, when: () => limit === null },
      { name: "at_once", kind: "number", label: labels.at_once },
      { name: "rate", kind: "text", label: labels.rate, help: help.rate },
      { name: "burst", kind: "number", label: labels.burst },
      { name: "key", kind: "list", label: labels.key, help: help.key, when: () => scope === "limit" },
    ],
    confirm: w.people.save,
    command: ({ name, ...rest }) => `mainspring limits set ${quoted(limit?.name ?? name ?? "NAME")}${scoped(scope)}${options(rest)}`,
    send: ({ name, ...body }) => put(pathOf(scope, limit?.name ?? String(name)), body),
  });
}
