// What is different about the runs of one kind of failure, in a sentence, and what was changed shortly before it began.
import type { JSX } from "preact";
import { query } from "../../api/call.ts";
import type { DeadGroupInfo, MarkList, RunPage } from "../../api/schema.ts";
import { useResource } from "../../live/resource.ts";
import { linkWith } from "../../live/route.ts";
import { Panel } from "../../parts/basics.tsx";
import { duration, percent } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";
import { writeTerm } from "../runs/query.ts";
import { changeBefore, differencesOf } from "./differs.ts";

const LOOKED_AT = 200;
const HOUR = 3_600_000;

export function Differs({ group }: { group: DeadGroupInfo }): JSX.Element {
  const w = words.value.failures;
  const same = [writeTerm("job", group.job), "state:failed", writeTerm("error", group.class)].join(" ");
  const failed = useResource<RunPage>(query("runs", { q: same, limit: LOOKED_AT }), { every: 60_000 }).data.value?.runs;
  const all = useResource<RunPage>(query("runs", { q: `${writeTerm("job", group.job)} state:succeeded,failed`, limit: LOOKED_AT }), { every: 60_000 }).data.value?.runs;
  const began = Date.parse(group.first_at);
  const since = new Date(Math.floor((began - HOUR) / HOUR) * HOUR).toISOString();
  const marks = useResource<MarkList>(query("marks", { since })).data.value?.marks;
  if (!failed || !all || !marks) return <></>;
  const traits = differencesOf(failed, all);
  const change = changeBefore(marks, group.job, began);
  return (
    <Panel title={w.differs} note={w.differsNote(count(failed.length), count(all.length))}>
      <ul class="body differs">
        {change && <li>{w.beganAfter(duration(Math.max(1, Math.round((began - Date.parse(change.at)) / 1000))), `${change.subject} · ${change.act}`, change.by)}</li>}
        {traits.map((one) => (
          <li key={`${one.key}:${one.value}`}>
            {w.share(percent(one.here))} <a class="link" href={linkWith({ q: `${same} ${writeTerm(one.key, one.value)}` }, "runs")}>{one.key}={one.value}</a> <span class="dim">{w.shareOfAll(percent(one.everywhere))}</span>
          </li>
        ))}
        {traits.length === 0 && !change && <li class="dim">{w.nothingDiffers}</li>}
      </ul>
    </Panel>
  );
}
