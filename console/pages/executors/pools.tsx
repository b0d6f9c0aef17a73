// The pools of an executor, as it reports them and as operators want them; their sizes change while it runs.
import type { JSX } from "preact";
import { part, patch } from "../../api/call.ts";
import type { ExecutorInfo, PoolInfo, PoolWishInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { Ago, Button, Gauge } from "../../parts/basics.tsx";
import { quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { count, words } from "../../words/index.ts";

type Size = { core: number; max: number; queue: number };

export function Pools({ of, wanted }: { of: ExecutorInfo; wanted: PoolWishInfo[] }): JSX.Element {
  const w = words.value.executors;
  return (
    <table>
      <thead>
        <tr><th>{w.pool}</th><th>{words.value.queues.slots}</th><th class="num">{w.core}</th><th class="num">{w.max}</th><th class="num">{w.queueLength}</th><th class="num">{w.room}</th><th><span class="away">{words.value.actsColumn}</span></th></tr>
      </thead>
      <tbody>{of.pools.map((pool) => <PoolRow key={pool.pool} executor={of.name} pool={pool} wish={wanted.find((one) => one.pool === pool.pool)} />)}</tbody>
    </table>
  );
}

function PoolRow({ executor, pool, wish }: { executor: string; pool: PoolInfo; wish: PoolWishInfo | undefined }): JSX.Element {
  const w = words.value.executors;
  const denied = refusal("executors:steer");
  const differs = wish !== undefined && !same(wish, pool);
  return (
    <tr>
      <td>
        <b>{pool.pool}</b>
        {wish && <div class="faint">{differs ? w.wanted(`${wish.core}:${wish.max}:${wish.queue}`) : w.resizedBy(wish.actor)} <Ago at={wish.at} /> {wish.reason && `“${wish.reason}”`}</div>}
      </td>
      <td><Gauge taken={pool.taken ?? 0} room={pool.max} wide />{count(pool.taken ?? 0)}</td>
      <td class="num">{pool.core}</td>
      <td class="num">{pool.max}</td>
      <td class="num">{pool.queue}</td>
      <td class="num">{pool.room}</td>
      <td>
        <span class="acts">
          <Button small icon="edit" refused={denied} onClick={() => askResize(executor, pool, wish)}>{w.resize}…</Button>
          {wish && <Button small icon="undo" refused={denied} onClick={() => void resize(executor, pool.pool, null, wish)}>{w.asStarted}</Button>}
        </span>
      </td>
    </tr>
  );
}

const same = (one: Size, other: Size) => one.core === other.core && one.max === other.max && one.queue === other.queue;

function askResize(executor: string, pool: PoolInfo, wish: PoolWishInfo | undefined): void {
  const w = words.value.executors;
  const from: Size = wish ?? pool;
  fillIn({
    title: w.askResize(pool.pool, executor),
    says: w.resizeSays,
    start: { core: from.core, max: from.max, queue: from.queue },
    fields: [
      { name: "core", kind: "number", label: w.core, required: true, help: w.coreHelp },
      { name: "max", kind: "number", label: w.max, required: true, help: w.maxHelp },
      { name: "queue", kind: "number", label: w.queueLength, required: true, help: w.queueHelp },
      { name: "reason", kind: "text", label: words.value.reason, wide: true },
    ],
    confirm: w.resize,
    done: w.resized(pool.pool),
    command: ({ core, max, queue, reason }) => `mainspring executors pools ${quoted(executor)} ${pool.pool}=${core}:${max}:${queue}${reason ? ` --reason ${quoted(String(reason))}` : ""}`,
    send: ({ reason, ...size }) => patch(`executors/${part(executor)}/pools`, { pools: { [pool.pool]: size }, reason: reason ?? "" }),
  });
}

/** At once, with the way back to the size before. */
async function resize(executor: string, pool: string, size: Size | null, before: Size): Promise<void> {
  const w = words.value;
  const set = (to: Size | null) => patch(`executors/${part(executor)}/pools`, { pools: { [pool]: to && { core: to.core, max: to.max, queue: to.queue } } }).then(outdateAll);
  try {
    await set(size);
    toast({ text: w.executors.resized(pool), act: { name: w.undo, run: () => set(before) } });
  } catch (error) {
    tellRefusal(error);
  }
}
