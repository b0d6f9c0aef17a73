// Trouble before it is dead: runs that failed and have tries left, by kind; and those that were put aside because executors died with them.
import type { JSX } from "preact";
import { query } from "../../api/call.ts";
import type { RunPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { link, linkWith } from "../../live/route.ts";
import { Ago, Empty, Shown } from "../../parts/basics.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../words/index.ts";
import { writeTerm } from "../runs/query.ts";
import { columns as runColumns } from "../runs/list.tsx";
import { type Retried, retriedOf } from "./differs.ts";

const LOOKED_AT = 200;

export function BeingRetried(): JSX.Element {
  const w = words.value;
  const found = useResource<RunPage>(query("runs", { q: "state:queued,waiting attempt:>0", limit: LOOKED_AT }), { every: 5000 });
  return (
    <Shown of={found}>
      {({ runs, next }) => {
        const groups = retriedOf(runs);
        if (groups.length === 0) return <Empty title={w.failures.noneRetried} />;
        return <Table label={w.failures.retried} rows={groups} columns={columns(next !== null)} keyOf={(one) => `${one.job} ${one.error}`} peekOf={(one) => `run:${one.example}`} />;
      }}
    </Shown>
  );
}

function columns(more: boolean): Column<Retried>[] {
  const w = words.value;
  const runsOf = (one: Retried) => linkWith({ q: `${writeTerm("job", one.job)} state:queued,waiting attempt:>0 ${writeTerm("error", one.error)}` }, "runs");
  return [
    { id: "error", name: w.failures.error, wide: true, cell: (one) => <a href={runsOf(one)}><b>{one.error}</b><span class="dim">: {one.message}</span></a> },
    { id: "job", name: w.job, cell: (one) => <a class="plain" href={link("jobs", one.job)}>{one.job}</a> },
    { id: "runs", name: w.runs.word, num: true, cell: (one) => <b>{count(one.runs, more)}</b> },
    { id: "next", name: w.failures.nextTry, num: true, cell: (one) => <Ago at={one.next} /> },
  ];
}

export function Quarantined(): JSX.Element {
  const w = words.value;
  const found = useResource<RunPage>(query("runs", { q: "state:failed reason:quarantined", limit: 50 }), { every: 10_000 });
  return (
    <Shown of={found}>
      {({ runs }) => (runs.length === 0 ? <Empty title={w.failures.noneQuarantined} /> : <Table label={w.failures.quarantined} rows={runs} columns={runColumns(["queue", "wait"])} keyOf={(run) => run.id} peekOf={(run) => `run:${run.id}`} />)}
    </Shown>
  );
}
