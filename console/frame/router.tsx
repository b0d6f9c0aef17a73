// Which page an address shows; those that few people open first are loaded when they are asked for.
import type { JSX } from "preact";
import { link, place } from "../live/route.ts";
import { Overview } from "../pages/overview/overview.tsx";
import { Run } from "../pages/runs/run.tsx";
import { Runs } from "../pages/runs/list.tsx";
import { Empty, Head } from "../parts/basics.tsx";
import { words } from "../words/index.ts";
import { type Named, later } from "./later.tsx";

const definitions = () => import("../pages/definitions.ts");
const time = () => import("../pages/time.ts");
const rule = () => import("../pages/rule.ts");
const guards = () => import("../pages/guards.ts");
const fleet = () => import("../pages/fleet.ts");

/** Pages by their name in the address; the second is for one object. */
const PAGES: Record<string, [Named, Named?]> = {
  overview: [Overview],
  runs: [Runs, Run],
  jobs: [later(async () => (await definitions()).Jobs), later(async () => (await definitions()).Job)],
  workflows: [later(async () => (await definitions()).Workflows), later(async () => (await definitions()).Workflow)],
  batches: [later(async () => (await definitions()).Batches), later(async () => (await definitions()).Batch)],
  audit: [later(async () => (await definitions()).Audit)],
  triggers: [later(async () => (await time()).Triggers), later(async () => (await time()).Trigger)],
  backfills: [later(async () => (await time()).Backfills), later(async () => (await time()).Backfill)],
  calendars: [later(async () => (await time()).Calendars), later(async () => (await time()).Calendar)],
  cluster: [later(async () => (await rule()).Cluster)],
  admin: [later(async () => (await rule()).Admin)],
  limits: [later(async () => (await guards()).Limits)],
  breakers: [later(async () => (await guards()).Breakers), later(async () => (await guards()).Breaker)],
  alerts: [later(async () => (await guards()).Alerts)],
  failures: [later(async () => (await fleet()).Failures), later(async () => (await fleet()).Failure)],
  queues: [later(async () => (await fleet()).Queues), later(async () => (await fleet()).Queue)],
  executors: [later(async () => (await fleet()).Executors), later(async () => (await fleet()).Executor)],
};

export function PageOf(): JSX.Element {
  const [page = "overview", ...rest] = place.value.parts;
  const [List, One] = PAGES[page] ?? [];
  const name = rest.join("/");
  if (name !== "" && One) return <One key={name} name={name} />;
  if (List) return <List key={page} name="" />;
  return <Nowhere />;
}

function Nowhere(): JSX.Element {
  return (
    <>
      <Head title={words.value.nowhere.title} />
      <section class="panel">
        <Empty title={words.value.nowhere.says}>
          <a class="link" href={link("overview")}>
            {words.value.pages.overview}
          </a>
        </Empty>
      </section>
    </>
  );
}
