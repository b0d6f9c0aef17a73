// Cluster: whether servers take work, who is attached, and what always holds of the store, checked now.
import type { JSX } from "preact";
import type { ExecutorPage, InvariantsInfo, ReadinessInfo, VersionInfo } from "../api/schema.ts";
import { useResource } from "../live/resource.ts";
import { link } from "../live/route.ts";
import { condition } from "../live/stream.ts";
import { Head, Panel, Shown, Tag } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { duration } from "../words/format.ts";
import { count, words } from "../words/index.ts";

export function Cluster(): JSX.Element {
  const w = words.value;
  const ready = useResource<ReadinessInfo>("/readyz", { every: 5000 });
  const version = useResource<VersionInfo>("/version", { every: 60_000 });
  const invariants = useResource<InvariantsInfo>("invariants", { every: 30_000 });
  const executors = useResource<ExecutorPage>("executors?limit=200", { every: 5000 }).data.value?.executors ?? [];
  const servers = [...new Set(executors.map((one) => one.server))].sort();
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
        <Panel title={w.cluster.servers} note={w.cluster.serversNote}>
          <table>
            <thead><tr><th>{w.executors.server}</th><th class="num">{w.cluster.executors}</th><th class="num">{w.queues.slots}</th><th class="num">{w.cluster.oldestLease}</th></tr></thead>
            <tbody>
              {servers.map((server) => {
                const own = executors.filter((one) => one.server === server);
                return (
                  <tr key={server}>
                    <td><b>{server}</b></td>
                    <td class="num"><a class="plain" href={link("executors")}>{count(own.length)}</a></td>
                    <td class="num">{count(own.flatMap((one) => one.pools).reduce((sum, pool) => sum + pool.max, 0))}</td>
                    <td class="num">{duration(Math.max(...own.map((one) => one.lease_age)))}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Panel>
      </div>
      <Panel title={w.cluster.invariants} note={invariants.data.value ? w.cluster.hold(invariants.data.value.invariants.filter((one) => one.holds).length, invariants.data.value.invariants.length) : undefined}>
        <Shown of={invariants} rows={8}>
          {({ invariants: found }) => (
            <table class="invariants">
              <tbody>
                {[...found].sort((one, other) => Number(one.holds) - Number(other.holds)).map((one) => (
                  <tr key={one.name}>
                    <td><span class={one.holds ? "is-succeeded" : "is-failed"}><Icon name={one.holds ? "check" : "x"} /></span></td>
                    <td><b>{one.name}</b></td>
                    <td class="wide dim">{one.says}</td>
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
