// Breakers: what each lets through, why, since when, and the words of an operator over it.
import type { JSX } from "preact";
import { part, post } from "../../api/call.ts";
import type { BreakerInfo, BreakerPage } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link } from "../../live/route.ts";
import { Ago, Button, Command, Empty, Head, Panel, Shown, StateIcon, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { editBreaker } from "./breaker-form.tsx";
import { count, words } from "../../words/index.ts";

export function Breakers(): JSX.Element {
  const w = words.value;
  const resource = useResource<BreakerPage>("breakers", { every: 3000 });
  return (
    <>
      <Head title={w.pages.breakers}>
        <Button kind="main" icon="plus" refused={refusal("queues:write")} onClick={() => editBreaker(null)}>{w.breakers.make}</Button>
      </Head>
      <Panel>
        <Shown of={resource} rows={4}>
          {({ breakers }) =>
            breakers.length === 0 ? (
              <Empty title={w.breakers.empty}><Command line="mainspring breakers set payments-api --failures 0.5" /></Empty>
            ) : (
              <Table label={w.pages.breakers} rows={breakers} columns={columns()} keyOf={(one) => one.name} peekOf={(one) => `breaker:${one.name}`} />
            )
          }
        </Shown>
      </Panel>
    </>
  );
}

function columns(): Column<BreakerInfo>[] {
  const w = words.value;
  return [
    { id: "name", name: w.name, cell: (one) => <a href={link("breakers", one.name)}>{one.name}</a> },
    { id: "state", name: w.runs.state, cell: (one) => <BreakerState of={one.state} /> },
    { id: "since", name: w.breakers.since, num: true, cell: (one) => <Ago at={one.since} /> },
    { id: "calls", name: w.breakers.calls, num: true, cell: (one) => count(one.calls) },
    { id: "failed", name: w.states.failed, num: true, cell: (one) => <Share part={one.failures} of={one.calls} /> },
    { id: "slow", name: w.breakers.slow, num: true, cell: (one) => <Share part={one.slow} of={one.calls} />, minor: true },
    { id: "reason", name: w.breakers.reason, wide: true, cell: (one) => <span class="dim">{one.reason}</span> },
    { id: "acts", name: "", cell: (one) => <BreakerActs of={one} small /> },
  ];
}

export const Share = ({ part: some, of }: { part: number; of: number }) => (of === 0 ? <span class="faint">–</span> : <>{Math.round((100 * some) / of)} %</>);

export function BreakerState({ of }: { of: string }): JSX.Element {
  const names = words.value.breakers.states as Record<string, string>;
  const kind = of === "closed" ? "good" : of.includes("open") && !of.includes("half") ? "bad" : "warn";
  const shape = kind === "good" ? "succeeded" : kind === "bad" ? "failed" : "waiting";
  return <Tag kind={kind}><StateIcon state={shape} /> {names[of] ?? of}</Tag>;
}

type Act = "force-open" | "disable" | "watch-only" | "resume" | "reset";

export function BreakerActs({ of, small = false }: { of: BreakerInfo; small?: boolean }): JSX.Element {
  const w = words.value.breakers;
  const denied = refusal("queues:steer");
  const byHand = ["forced_open", "disabled", "metrics_only"].includes(of.state);
  return (
    <span class="acts">
      {byHand && <Button small={small} icon="play" refused={denied} onClick={() => ask("resume", of)}>{w.acts.resume}…</Button>}
      {!byHand && <Button small={small} icon="stop" kind="danger" refused={denied} onClick={() => ask("force-open", of)}>{w.acts["force-open"]}…</Button>}
      {!byHand && !small && <Button icon="eye" refused={denied} onClick={() => ask("watch-only", of)}>{w.acts["watch-only"]}…</Button>}
      {!byHand && !small && <Button icon="pause" refused={denied} onClick={() => ask("disable", of)}>{w.acts.disable}…</Button>}
      <Button small={small} icon="undo" refused={denied} onClick={() => ask("reset", of)}>{w.acts.reset}…</Button>
    </span>
  );
}

function ask(act: Act, breaker: BreakerInfo): void {
  const w = words.value.breakers;
  askFor({
    title: `${w.acts[act]}: ${breaker.name}`,
    says: w.says[act],
    reason: act === "resume" || act === "reset" ? "optional" : "needed",
    confirm: w.acts[act],
    danger: act === "force-open",
    command: (reason) => `mainspring breakers ${act} ${breaker.name}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`breakers/${part(breaker.name)}/${act}`, { reason });
      outdateAll();
      const back = act === "resume" || act === "reset" ? undefined : { name: words.value.undo, run: () => post(`breakers/${part(breaker.name)}/resume`, {}).then(outdateAll) };
      toast({ text: `${breaker.name}: ${w.acts[act]}`, ...(back ? { act: back } : {}) });
    },
  });
}
