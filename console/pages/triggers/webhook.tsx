// A webhook or event trigger: its address and secret, and a call to try out before the first one is sent.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Refusal, part, post } from "../../api/call.ts";
import type { EventTypePage, HookCallInfo, HookCallList, HookInfo, HookSecret, TriedCall, TriggerInfo } from "../../api/schema.ts";
import { outdateAll, useResource } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { link } from "../../live/route.ts";
import { Ago, Button, Command, Failed, Panel, Shown, Tag } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Icon } from "../../parts/icons.tsx";
import { parseDuration } from "../../words/format.ts";
import { count, words } from "../../words/index.ts";

export function Hook({ trigger }: { trigger: TriggerInfo }): JSX.Element {
  const kind = (trigger.spec.when as { kind: string }).kind;
  return (
    <>
      {kind === "webhook" ? <Address name={trigger.name} /> : <Types />}
      <TryOut name={trigger.name} webhook={kind === "webhook"} />
      {kind === "webhook" && <Calls name={trigger.name} />}
    </>
  );
}

function Address({ name }: { name: string }): JSX.Element {
  const w = words.value.hook;
  const hook = useResource<HookInfo>(`triggers/${part(name)}/secret`);
  const secret = useSignal("");
  const rotate = () =>
    askFor({
      title: w.askRotate,
      says: w.rotateSays,
      reason: "no",
      confirm: w.rotate,
      command: () => `mainspring triggers secret ${name} --grace 1h`,
      run: async () => {
        const { data } = await post<HookSecret>(`triggers/${part(name)}/secret`, { grace: parseDuration("1 h") });
        secret.value = data.secret;
        outdateAll();
      },
    });
  return (
    <Panel title={w.title} more={<Button small icon="key" refused={refusal("triggers:write")} onClick={rotate}>{w.rotate}…</Button>}>
      <Shown of={hook}>
        {(found) => (
          <div class="body">
            <Command line={`${location.origin}${found.path}`} />
            <p class="dim">{w.signed(found.auth)} · {w.made} <Ago at={found.made_at} />{found.old_until && <> · {w.old} <Ago at={found.old_until} /></>}</p>
            {secret.value && <><p class="note-box"><Icon name="key" />{w.once}</p><Command line={secret.value} /></>}
          </div>
        )}
      </Shown>
    </Panel>
  );
}

/** The newest calls: the run of each, or why it was refused. */
function Calls({ name }: { name: string }): JSX.Element {
  const w = words.value.hook;
  const calls = useResource<HookCallList>(`triggers/${part(name)}/calls`, { every: 3000 });
  return (
    <Panel title={w.calls} note={w.callsNote}>
      <Shown of={calls}>{({ calls: found }) => (found.length === 0 ? <p class="quiet">{w.noCalls}</p> : <Table label={w.calls} rows={found} columns={callColumns()} keyOf={(one) => `${one.at} ${one.run ?? one.code}`} />)}</Shown>
    </Panel>
  );
}

function callColumns(): Column<HookCallInfo>[] {
  const w = words.value;
  return [
    { id: "at", name: w.hook.called, cell: (one) => <Ago at={one.at} /> },
    { id: "outcome", name: w.hook.outcome, cell: (one) => (one.run === null ? <Tag kind="bad">{one.code}</Tag> : <Tag kind={one.existing ? "" : "good"}>{one.existing ? w.hook.existing : w.hook.taken}</Tag>) },
    { id: "run", name: w.hook.theRun, cell: (one) => (one.run === null ? "–" : <a href={link("runs", one.run)}>…{one.run.slice(-8)}</a>) },
    { id: "why", name: w.hook.why, wide: true, cell: (one) => <span class="dim">{one.detail}</span> },
  ];
}

function Types(): JSX.Element {
  const w = words.value.hook;
  const types = useResource<EventTypePage>("events/types?limit=100", { every: 10_000 });
  return (
    <Panel title={w.types}>
      <Shown of={types}>
        {({ types: found }) =>
          found.length === 0 ? <p class="quiet">{w.noTypes}</p> : (
            <table>
              <thead><tr><th>{w.type}</th><th class="num">{w.told}</th><th class="num">{w.matched}</th><th class="num">{words.value.failures.last}</th></tr></thead>
              <tbody>{found.map((one) => <tr key={one.type}><td><code>{one.type}</code></td><td class="num">{count(one.told)}</td><td class="num">{count(one.matched)}</td><td class="num"><Ago at={one.last_at} /></td></tr>)}</tbody>
            </table>
          )
        }
      </Shown>
    </Panel>
  );
}

function TryOut({ name, webhook }: { name: string; webhook: boolean }): JSX.Element {
  const w = words.value.hook;
  const body = useSignal('{\n  "id": 17\n}');
  const headers = useSignal("");
  const answer = useSignal<TriedCall | null>(null);
  const error = useSignal<Refusal | null>(null);
  const tryIt = async () => {
    error.value = null;
    try {
      const given = Object.fromEntries(headers.value.split("\n").map((line) => line.split(/:\s*(.*)/)).filter(([key, value]) => key && value !== undefined).map(([key, value]) => [String(key).trim().toLowerCase(), value]));
      answer.value = (await post<TriedCall>(`triggers/${part(name)}/test`, { body: body.value, headers: given })).data;
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : null;
    }
  };
  return (
    <div class="columns two hook-test">
      <Panel title={w.test}>
        <div class="body">
          <Field label={w.body}><textarea class="input" rows={7} value={body.value} onInput={(event) => (body.value = event.currentTarget.value)} /></Field>
          {webhook && <Field label={w.headers} help="x-github-event: push"><textarea class="input" rows={2} value={headers.value} onInput={(event) => (headers.value = event.currentTarget.value)} /></Field>}
          <Button kind="main" onClick={() => void tryIt()}>{w.test}</Button>
        </div>
      </Panel>
      <Panel title={w.answer}>
        <div class="body">
          {error.value && <Failed error={error.value} slim />}
          {!answer.value && !error.value && <p class="faint">{w.nothingTried}</p>}
          {answer.value && (
            <>
              <p><Tag kind={answer.value.would_run ? "good" : "bad"}>{answer.value.would_run ? w.wouldRun : w.wouldNot}</Tag></p>
              {answer.value.signed !== null && <p>{answer.value.signed ? "✓" : "✕"} {w.signature}</p>}
              {answer.value.matched !== null && <p>{answer.value.matched ? "✓" : "✕"} {w.matches} {answer.value.unmet && <code>{answer.value.unmet}</code>}</p>}
              {answer.value.key !== null && <p>{words.value.run.key} <code>{answer.value.key}</code></p>}
              {answer.value.input !== null && <pre class="block">{JSON.stringify(answer.value.input, null, 2)}</pre>}
              {answer.value.problem && <p class="wrong">{answer.value.problem.detail} <code>{answer.value.problem.code}</code></p>}
            </>
          )}
        </div>
      </Panel>
    </div>
  );
}
