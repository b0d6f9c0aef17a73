// Limits: how many attempts at once and how fast, of the namespace, of queues, and under names that jobs share.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Refusal, part, put, remove } from "../../api/call.ts";
import type { LimitInfo, LimitPage } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, Command, Empty, Failed, Gauge, Head, Panel, Shown } from "../../parts/basics.tsx";
import { Modal, askFor } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count, words } from "../../words/index.ts";

export function Limits(): JSX.Element {
  const w = words.value;
  const resource = useResource<LimitPage>("limits", { every: 3000 });
  const editing = useSignal<LimitInfo | "new" | null>(null);
  return (
    <>
      <Head title={w.pages.limits}>
        <Button kind="main" icon="plus" refused={refusal("queues:write")} onClick={() => (editing.value = "new")}>{w.limits.make}</Button>
      </Head>
      <Panel>
        <Shown of={resource} rows={4}>
          {({ limits }) =>
            limits.length === 0 ? (
              <Empty title={w.limits.empty}><Command line="mainspring limits set gateway --at-once 20" /></Empty>
            ) : (
              <Table label={w.pages.limits} rows={limits} columns={columns((one) => (editing.value = one))} keyOf={(one) => `${one.scope} ${one.name}`} />
            )
          }
        </Shown>
      </Panel>
      {editing.value && <Editor limit={editing.value === "new" ? null : editing.value} onClose={() => (editing.value = null)} />}
    </>
  );
}

function columns(onEdit: (one: LimitInfo) => void): Column<LimitInfo>[] {
  const w = words.value;
  const scopes = w.limits.scopes as Record<string, string>;
  return [
    { id: "name", name: w.queues.name, cell: (one) => <b>{one.name}</b> },
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
          <Button small icon="edit" refused={refusal("queues:write")} onClick={() => onEdit(one)}>{w.people.edit}…</Button>
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

function commandOf(scope: string, name: string): string {
  if (scope === "queue") return `mainspring queues limit ${name}`;
  return scope === "namespace" ? `mainspring namespaces limit ${name}` : `mainspring limits set ${name}`;
}

function askDelete(limit: LimitInfo): void {
  const w = words.value;
  askFor({
    title: w.limits.askDelete(limit.name),
    says: w.limits.deleteSays,
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    run: async () => {
      await remove(pathOf(limit.scope, limit.name));
      outdateAll();
    },
  });
}

function Editor({ limit, onClose }: { limit: LimitInfo | null; onClose: () => void }): JSX.Element {
  const w = words.value;
  const name = useSignal(limit?.name ?? "");
  const atOnce = useSignal(limit?.at_once == null ? "" : String(limit.at_once));
  const pace = useSignal(limit?.rate ?? "");
  const error = useSignal<Refusal | null>(null);
  const scope = limit?.scope ?? "named";
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      const kept = limit ? { burst: limit.burst, ...(scope === "named" ? { key: limit.key } : {}) } : {};
      await put(pathOf(scope, name.value), { ...kept, at_once: atOnce.value === "" ? null : Number(atOnce.value), rate: pace.value || null });
      outdateAll();
      onClose();
    } catch (refused) {
      error.value = refused as Refusal;
    }
  };
  const at = (field: string) => (error.value?.field === field ? error.value.message : undefined);
  const command = `${commandOf(scope, name.value || "NAME")}${atOnce.value && ` --at-once ${atOnce.value}`}${pace.value && ` --rate ${pace.value}`}`;
  return (
    <Modal title={limit ? limit.name : w.limits.make} onClose={onClose}>
      <form onSubmit={submit}>
        {!limit && <Field label={w.queues.name} error={at("name")}><input class="input" required autoFocus value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} /></Field>}
        <Field label={w.limits.atOnce} error={at("at_once")}><input class="input" type="number" min="1" value={atOnce.value} onInput={(event) => (atOnce.value = event.currentTarget.value)} /></Field>
        <Field label={w.limits.rate} help="100/s, 30/m, 500/10m" error={at("rate")}><input class="input" value={pace.value} onInput={(event) => (pace.value = event.currentTarget.value)} /></Field>
        {error.value && !error.value.field && <Failed error={error.value} slim />}
        <Command line={command} />
        <footer><Button onClick={onClose}>{w.cancel}</Button><Button kind="main" type="submit">{w.people.save}</Button></footer>
      </form>
    </Modal>
  );
}
