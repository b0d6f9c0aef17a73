// From one run of a job to the one before or after it: asked of the server when the key is pressed, so that no list has to be there yet.
import { get, query } from "../../api/call.ts";
import type { RunInfo, RunPage } from "../../api/schema.ts";
import { go, link, place } from "../../live/route.ts";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";

const PAGES = 20;

export async function stepFrom(run: RunInfo, newer: boolean, state: string | null = null): Promise<void> {
  const from = whereNow();
  try {
    const found = await neighbour(run, newer, state);
    // Who has gone elsewhere meanwhile stays there.
    if (whereNow() !== from) return;
    if (found) go(link("runs", found.id));
    else toast({ text: words.value.run.noOther[newer ? 1 : 0] as string });
  } catch (error) {
    tellRefusal(error);
  }
}

const whereNow = () => place.peek().parts.join("/");

/** Ids are in the order of their making, also within one millisecond. */
async function neighbour(run: RunInfo, newer: boolean, state: string | null): Promise<RunInfo | undefined> {
  const made = Date.parse(run.created_at);
  const side = newer ? { since: new Date(made).toISOString(), sort: "oldest" } : { until: new Date(made + 1).toISOString() };
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const { data }: { data: RunPage } = await get<RunPage>(query("runs", { job: run.job, state, limit: 20, cursor, ...side }));
    const found = data.runs.find((one) => (newer ? one.id > run.id : one.id < run.id));
    if (found || !data.next) return found;
    cursor = data.next;
  }
  return undefined;
}
