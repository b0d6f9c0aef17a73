// Batches: named sets of runs that are waited for, cancelled and retried as one.
import type { JSX } from "preact";
import { post } from "../../api/call.ts";
import type { BatchInfo, BatchPage, BatchRunPage, RetriedBatch, StepRunInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { asked, link, linkWith } from "../../live/route.ts";
import { Ago, Button, Command, Empty, Gauge, Head, Panel, Shown, State, Tabs, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";

export function Batches(): JSX.Element {
  const w = words.value;
  const found = useResource<BatchPage>("batches?limit=100", { every: 3000 });
  return (
    <>
      <Head title={w.pages.batches} />
      <Panel>
        <Shown of={found}>
          {({ batches }) => (batches.length === 0 ? <Empty title={w.batches.empty}><Command line="mainspring batches list" /></Empty> : <Table label={w.pages.batches} rows={batches} columns={columns()} keyOf={(one) => one.id} />)}
        </Shown>
      </Panel>
    </>
  );
}

function columns(): Column<BatchInfo>[] {
  const w = words.value;
  return [
    { id: "name", name: w.name, cell: (one) => <a href={link("batches", one.id)}>{one.name || `…${one.id.slice(-8)}`}</a> },
    { id: "state", name: w.runs.state, cell: (one) => <Tag kind={one.failed > 0 ? "bad" : ""}>{one.state}</Tag> },
    { id: "progress", name: w.batches.progress, cell: (one) => <Progress of={one} /> },
    { id: "succeeded", name: w.states.succeeded, num: true, cell: (one) => count(one.succeeded) },
    { id: "failed", name: w.states.failed, num: true, cell: (one) => (one.failed > 0 ? <b class="is-failed">{count(one.failed)}</b> : "0") },
    { id: "cancelled", name: w.states.cancelled, num: true, cell: (one) => count(one.cancelled), minor: true },
    { id: "created", name: w.runs.created, num: true, cell: (one) => <Ago at={one.created_at} /> },
  ];
}

function Progress({ of }: { of: BatchInfo }): JSX.Element {
  return <><Gauge wide taken={of.size - of.unfinished} room={of.size} />{count(of.size - of.unfinished)} <span class="faint">{words.value.of} {count(of.size)}</span></>;
}

export function Batch({ name: id }: { name: string }): JSX.Element {
  const w = words.value;
  const resource = useResource<BatchInfo>(`batches/${id}`, { every: 2000 });
  const failed = asked("failed") === "1";
  const runs = useResource<BatchRunPage>(`batches/${id}/runs?limit=100&times=true${failed ? "&failed=true" : ""}`, { every: 4000 });
  const batch = resource.data.value;
  const denied = refusal("runs:steer");
  const tabs = [
    { id: "all", name: w.runs.all, href: linkWith({}, "batches", id), note: batch ? count(batch.size) : null },
    { id: "failed", name: w.states.failed, href: linkWith({ failed: 1 }, "batches", id), note: batch ? count(batch.failed) : null },
  ];
  return (
    <>
      <Head title={batch?.name || `…${id.slice(-8)}`} trail={<a href={link("batches")}>{w.pages.batches}</a>} beside={batch && <Tag kind={batch.failed > 0 ? "bad" : ""}>{batch.state}</Tag>}>
        {batch && <Button icon="retry" refused={denied ?? (batch.failed + batch.cancelled === 0 ? w.runs.onlyFailed : undefined)} onClick={() => void askRetry(batch)}>{w.batches.retry}…</Button>}
        {batch && <Button icon="stop" kind="danger" refused={denied ?? (batch.unfinished === 0 ? w.runs.onlyLive : undefined)} onClick={() => askCancel(batch)}>{w.runs.cancel}…</Button>}
      </Head>
      <Panel>
        <Shown of={resource}>
          {(one) => (
            <dl class="facts body">
              <dt>{w.batches.progress}</dt><dd><Progress of={one} /></dd>
              <dt>{w.states.succeeded}</dt><dd>{count(one.succeeded)}</dd>
              <dt>{w.states.failed}</dt><dd>{count(one.failed)}</dd>
              <dt>{w.states.cancelled}</dt><dd>{count(one.cancelled)}</dd>
              <dt>{w.runs.created}</dt><dd><Ago at={one.created_at} /></dd>
              {one.finished_at && <><dt>{w.overview.finished}</dt><dd><Ago at={one.finished_at} /></dd></>}
            </dl>
          )}
        </Shown>
      </Panel>
      <Panel>
        <Tabs tabs={tabs} on={failed ? "failed" : "all"} label={w.pages.runs} />
        <Shown of={runs}>{({ runs: found }) => (found.length === 0 ? <Empty title={w.runs.noneMatch} /> : <Table label={w.pages.runs} rows={found} columns={runColumns()} keyOf={(one) => one.run} peekOf={(one) => `run:${one.run}`} />)}</Shown>
      </Panel>
    </>
  );
}

function runColumns(): Column<StepRunInfo>[] {
  const w = words.value;
  return [
    { id: "state", name: w.runs.state, cell: (one) => (one.state ? <State state={one.state} /> : <span class="faint">–</span>) },
    { id: "run", name: "id", cell: (one) => <a class="mono" href={link("runs", one.run)}>…{one.run.slice(-8)}</a> },
    { id: "executor", name: w.runs.executor, cell: (one) => one.executor ?? <span class="faint">–</span>, minor: true },
    { id: "created", name: w.runs.created, num: true, cell: (one) => <Ago at={one.created_at} /> },
    { id: "finished", name: w.overview.finished, num: true, cell: (one) => <Ago at={one.finished_at} /> },
  ];
}

function askCancel(batch: BatchInfo): void {
  const w = words.value;
  askFor({
    title: w.runs.ask.cancel(count(batch.unfinished)),
    says: w.runs.askSays.cancel,
    reason: batch.unfinished > 100 ? "needed" : "optional",
    confirm: w.runs.cancel,
    danger: true,
    command: (reason) => `mainspring batches cancel ${batch.id}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      await post(`batches/${batch.id}/cancel`, { reason });
      outdateAll();
    },
  });
}

/** The server says first how many that would be. */
async function askRetry(batch: BatchInfo): Promise<void> {
  const w = words.value;
  try {
    await post<RetriedBatch>(`batches/${batch.id}/retry`, { dry_run: true });
    askFor({
      title: w.runs.ask.retry(count(batch.failed + batch.cancelled)),
      says: w.runs.askSays.retry,
      reason: "optional",
      confirm: w.batches.retry,
      command: (reason) => `mainspring batches retry ${batch.id}${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        await post(`batches/${batch.id}/retry`, { reason });
        outdateAll();
        toast({ text: w.batches.retried });
      },
    });
  } catch (error) {
    tellRefusal(error);
  }
}
