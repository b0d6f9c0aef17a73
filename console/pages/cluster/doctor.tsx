// The doctor: each check that a server can make from where it stands, the bad ones first, with what to do.
import type { JSX } from "preact";
import type { DoctorFinding, DoctorReport } from "../../api/schema.ts";
import { reread, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, Command, Panel, Shown } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { words } from "../../words/index.ts";
import { cared } from "./words.ts";

const ORDER = ["fail", "warn", "ok"];
const LOOKS = { fail: ["is-failed", "x"], warn: ["is-waiting", "warn"], ok: ["is-succeeded", "check"] } as const;

export function Doctor(): JSX.Element {
  const w = cared.value;
  const denied = refusal("database:read");
  const resource = useResource<DoctorReport>(denied ? null : "doctor", { every: 60_000 });
  const found = resource.data.value;
  const bad = found?.findings.filter((one) => one.grade !== "ok").length ?? 0;
  return (
    <Panel
      title={w.doctor}
      note={found && <>{w.checks(found.findings.length, bad)} · <Ago at={found.looked_at} /></>}
      more={<Button small icon="retry" refused={denied} onClick={() => reread(resource)}>{w.run}</Button>}
    >
      {denied ? <p class="body dim">{denied}</p> : (
        <Shown of={resource} rows={6}>
          {({ findings }) => (
            <>
              <table class="invariants" aria-label={w.doctor}>
                <tbody>{[...findings].sort((one, other) => ORDER.indexOf(one.grade) - ORDER.indexOf(other.grade)).map((one) => <Line key={`${one.check} ${one.found}`} of={one} />)}</tbody>
              </table>
              <details class="as-command body"><summary>{words.value.asCommand}</summary><Command line="mainspring doctor" /></details>
            </>
          )}
        </Shown>
      )}
    </Panel>
  );
}

function Line({ of }: { of: DoctorFinding }): JSX.Element {
  const w = cared.value;
  const [tone, icon] = LOOKS[of.grade as keyof typeof LOOKS] ?? LOOKS.warn;
  const advice = w.advice[of.code]?.(of.values) ?? of.advice;
  return (
    <tr>
      <td><span class={tone} title={w.grades[of.grade]}><Icon name={icon} /><span class="away">{w.grades[of.grade]}</span></span></td>
      <td><b>{w.names[of.check] ?? of.check}</b></td>
      <td class="wide"><span class={of.grade === "ok" ? "dim" : ""}>{w.found[of.code]?.(of.values) ?? of.found}</span></td>
      <td class="advice">{advice}</td>
    </tr>
  );
}
