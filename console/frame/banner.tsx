// What concerns every page: the server or its database is away, or nothing is started on purpose.
import type { JSX } from "preact";
import type { InvariantsInfo, OverviewInfo, PauseInfo } from "../api/schema.ts";
import { put, post, part } from "../api/call.ts";
import { refusal } from "../live/rights.ts";
import { outdateAll, useResource } from "../live/resource.ts";
import { link, namespace } from "../live/route.ts";
import { OVERVIEW_EVERY } from "../pages/overview/reads.ts";
import { Ago, Button } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { tellRefusal } from "../parts/toasts.tsx";
import { words } from "../words/index.ts";

export function Banner(): JSX.Element | null {
  const w = words.value;
  const overview = useResource<OverviewInfo>("overview", { every: OVERVIEW_EVERY });
  const broken = useResource<InvariantsInfo>(refusal("invariants:read") ? null : "invariants", { every: 60_000 }).data.value?.invariants.filter((one) => !one.holds) ?? [];
  const [seen, error] = [overview.data.value, overview.error.value];
  if (error && seen && error.status !== 401) {
    return (
      <div class="banner is-failed" role="alert">
        <Icon name="warn" /> <b>{error.status === 0 ? w.errors.unreachable : w.errors.failed}</b> {error.status !== 0 && <span class="dim">{error.message}</span>}
        <span class="dim">{w.banner.shownOf} <Ago at={seen.taken_at} /></span>
      </div>
    );
  }
  if (broken.length > 0) {
    return (
      <div class="banner is-failed" role="alert">
        <Icon name="warn" /> <b>{w.banner.broken(broken.length)}</b> <span class="dim">{broken.map((one) => `${one.name}: ${one.examples.slice(0, 2).join(", ")}`).join("; ")}</span>
        <span class="grow" />
        <a class="link" href={link("cluster")}>{w.pages.cluster}</a>
      </div>
    );
  }
  if (seen?.maintenance.paused) return <Stopped says={w.banner.maintenance} of={seen.maintenance} onEnd={() => put("maintenance", { on: false })} />;
  if (seen?.pause.paused) return <Stopped says={w.banner.paused} of={seen.pause} onEnd={() => post(`namespaces/${part(namespace.value)}/resume`, {})} />;
  return null;
}

function Stopped({ says, of, onEnd }: { says: string; of: PauseInfo; onEnd: () => Promise<unknown> }): JSX.Element {
  return (
    <div class="banner is-waiting" role="status">
      <Icon name="pause" /> <b>{says}</b> <span class="dim">{of.by} · <Ago at={of.since} /> {of.reason && `“${of.reason}”`}</span>
      <span class="grow" />
      <Button small icon="play" refused={refusal("namespaces:write")} onClick={() => void onEnd().then(outdateAll, tellRefusal)}>{words.value.banner.end}</Button>
    </div>
  );
}
