// Cluster: whether servers take work, who is attached, how the database is, what the doctor finds, and what always holds of the store.
import type { JSX } from "preact";
import { part, post } from "../../api/call.ts";
import type { ExecutorInfo, ExecutorPage, InvariantsInfo, ReadinessInfo, ServerInfo, ServerList, VersionInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link } from "../../live/route.ts";
import { condition } from "../../live/stream.ts";
import { Ago, Button, Head, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { quoted } from "../../parts/draft.ts";
import { Icon } from "../../parts/icons.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { duration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { Database } from "./database.tsx";
import { Doctor } from "./doctor.tsx";
import { cared } from "./words.ts";

export function Cluster(): JSX.Element {
  const w = words.value;
  const ready = useResource<ReadinessInfo>("/readyz", { every: 5000 });
  const version = useResource<VersionInfo>("/version", { every: 60_000 });
  const invariants = useResource<InvariantsInfo>("invariants", { every: 30_000 });
  const executors = useResource<ExecutorPage>("executors?limit=200", { every: 5000 }).data.value?.executors ?? [];
  return (
    <>
      <Head title={w.pages.cluster} beside={ready.data.value && <Tag kind={ready.data.value.ready ? "good" : "bad"}>{ready.data.value.ready ? w.cluster.ready : w.cluster.notReady}</Tag>} />
      <div class="columns two even">
        <Panel title={w.cluster.server}>
          <div class="body">
            <Shown of={version}>
              {(found) => (
                <dl class="facts wide-facts">
                  <dt>{w.jobs.version}</dt><dd>{found.version ?? "–"}</dd>
                  <dt>Python</dt><dd>{found.python ?? "–"}</dd>
                  <dt>{w.cluster.protocol}</dt><dd>{found.protocol ?? "–"}</dd>
                  <dt>{w.cluster.state}</dt><dd>{ready.data.value?.reason || (ready.data.value?.ready ? w.cluster.ready : "–")}</dd>
                  <dt>{w.cluster.stream}</dt><dd>{condition.value}</dd>
                </dl>
              )}
            </Shown>
          </div>
        </Panel>
        <Database />
      </div>
      <Servers executors={executors} />
      <Doctor />
      <Panel title={w.cluster.invariants} note={invariants.data.value ? w.cluster.hold(invariants.data.value.invariants.filter((one) => one.holds).length, invariants.data.value.invariants.length) : undefined}>
        <Shown of={invariants} rows={8}>
          {({ invariants: found }) => (
            <table class="invariants">
              <tbody>
                {[...found].sort((one, other) => Number(one.holds) - Number(other.holds)).map((one) => (
                  <tr key={one.name}>
                    <td><span class={one.holds ? "is-succeeded" : "is-failed"}><Icon name={one.holds ? "check" : "x"} /></span></td>
                    <td><b>{one.name}</b></td>
                    <td class="wide dim">{cared.value.invariants[one.name] ?? one.says}</td>
                    <td>{one.examples.slice(0, 3).map((example) => <code key={example}>{example} </code>)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Shown>
      </Panel>
    </>
  );
}

function Servers({ executors }: { executors: ExecutorInfo[] }): JSX.Element {
  const w = words.value;
  const resource = useResource<ServerList>("servers", { every: 5000 });
  const slots = (server: string) => executors.filter((one) => one.server === server).flatMap((one) => one.pools).reduce((sum, pool) => sum + pool.max, 0);
  const columns: Column<ServerInfo>[] = [
    { id: "name", name: w.executors.server, cell: (one) => <b title={one.url}>{one.name}</b> },
    { id: "state", name: w.runs.state, cell: (one) => <Tag kind={one.state === "live" ? "good" : "warn"}>{one.state}</Tag> },
    { id: "version", name: w.jobs.version, cell: (one) => <span class="dim">{one.version}</span> },
    { id: "zone", name: w.cluster.zone, cell: (one) => <span class="dim">{one.zone || "–"}</span>, minor: true },
    { id: "executors", name: w.cluster.executors, num: true, cell: (one) => <a class="plain" href={link("executors")}>{count(one.executors)}</a> },
    { id: "slots", name: w.queues.slots, num: true, cell: (one) => count(slots(one.name)) },
    { id: "since", name: w.executors.since, num: true, cell: (one) => <Ago at={one.joined_at} />, minor: true },
    { id: "commit", name: cared.value.commit, title: cared.value.commitSays, num: true, cell: (one) => timed(one.commit_p99, 0.1), minor: true },
    { id: "loop", name: cared.value.loop, title: cared.value.loopSays, num: true, cell: (one) => timed(one.loop_delay, 0.25), minor: true },
    { id: "acts", name: "", cell: (one) => <ServerActs of={one} /> },
  ];
  return (
    <Panel title={w.cluster.servers} note={w.cluster.serversNote}>
      <Shown of={resource}>{({ servers }) => <Table label={w.cluster.servers} rows={servers} columns={columns} keyOf={(one) => one.name} />}</Shown>
    </Panel>
  );
}

/** Seconds, marked from a limit on; a dash if there are none. */
const timed = (seconds: number | null | undefined, most: number) => (seconds == null ? <span class="dim">–</span> : <span class={seconds > most ? "is-waiting" : ""}>{duration(seconds)}</span>);

/** A drained server is resumed at once; a drain says first what it does. */
function ServerActs({ of }: { of: ServerInfo }): JSX.Element {
  const w = words.value;
  const denied = refusal("servers:steer");
  const act = (what: "drain" | "resume", reason = "") => post(`servers/${part(of.name)}/${what}`, { reason }).then(outdateAll);
  if (of.state.startsWith("drain")) return <Button small icon="play" refused={denied} onClick={() => void act("resume").catch(tellRefusal)}>{w.queues.resume}</Button>;
  const ask = () =>
    askFor({
      title: w.cluster.askDrain(of.name),
      says: w.cluster.drainSays,
      confirm: w.executors.drain,
      danger: true,
      command: (reason) => `mainspring servers drain ${quoted(of.name)}${reason && ` --reason ${quoted(reason)}`}`,
      run: async (reason) => {
        await act("drain", reason);
        toast({ text: w.cluster.drained(of.name), act: { name: w.undo, run: () => act("resume") } });
      },
    });
  return <Button small icon="drain" refused={denied} onClick={ask}>{w.executors.drain}…</Button>;
}
