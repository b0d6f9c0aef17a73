// Pause, resume, skip the next, fire now.
import type { JSX } from "preact";
import { part, post, remove } from "../../api/call.ts";
import type { FiredRun, TriggerInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link, linkWith } from "../../live/route.ts";
import { Button } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";
import { askBackfill } from "./backfill.tsx";

export function TriggerActs({ trigger, small = false }: { trigger: TriggerInfo; small?: boolean }): JSX.Element {
  const w = words.value.triggers;
  const denied = refusal("triggers:steer");
  const at = `triggers/${part(trigger.name)}`;
  return (
    <span class="acts">
      {!small && <Button icon="play" refused={denied} onClick={() => askFire(trigger)}>{w.fire}</Button>}
      {!small && trigger.next_due && <Button icon="skip" refused={denied} onClick={() => void does(`${at}/skip-next`, {}, w.skipped(trigger.name))}>{w.skipNext}</Button>}
      {trigger.state === "paused" ? (
        <Button small={small} icon="play" refused={denied} onClick={() => void does(`${at}/resume`, {}, w.resumed(trigger.name), () => post(`${at}/pause`, { reason: words.value.run.undone }))}>{w.resume}</Button>
      ) : (
        trigger.state === "active" && <Button small={small} icon="pause" refused={denied} onClick={() => askPause(trigger)}>{w.pause}…</Button>
      )}
      {!small && (
        <Menu label={words.value.run.more} face={<Icon name="more" />} kind="button only">
          <MenuItem icon="backfill" refused={denied} onChoose={() => askBackfill(trigger.name)}>{w.backfill}…</MenuItem>
          <MenuItem icon="copy" onChoose={() => go(linkWith({ from: trigger.name }, "triggers", "new"))}>{w.clone}</MenuItem>
          <MenuItem icon="trash" danger refused={refusal("triggers:write")} onChoose={() => askDelete(trigger)}>{words.value.jobs.remove}…</MenuItem>
        </Menu>
      )}
    </span>
  );
}

async function does(path: string, body: unknown, text: string, undo?: () => Promise<unknown>): Promise<void> {
  try {
    await post(path, body);
    outdateAll();
    toast({ text, ...(undo ? { act: { name: words.value.undo, run: () => undo().then(outdateAll) } } : {}) });
  } catch (error) {
    tellRefusal(error);
  }
}

function askPause(trigger: TriggerInfo): void {
  const w = words.value.triggers;
  const at = `triggers/${part(trigger.name)}`;
  askFor({
    title: w.askPause(trigger.name),
    says: w.pauseSays,
    confirm: w.pause,
    command: (reason) => `mainspring triggers pause ${trigger.name}${reason && ` --reason '${reason}'`}`,
    run: (reason) => does(`${at}/pause`, { reason }, w.paused(trigger.name), () => post(`${at}/resume`, {})),
  });
}

function askFire(trigger: TriggerInfo): void {
  const w = words.value.triggers;
  askFor({
    title: w.askFire(trigger.name),
    says: w.fireSays(trigger.spec.job),
    reason: "no",
    confirm: w.fire,
    command: () => `mainspring triggers fire ${trigger.name}`,
    run: async () => {
      const { data } = await post<FiredRun>(`triggers/${part(trigger.name)}/fire`, {});
      outdateAll();
      toast({ text: w.firedNow(trigger.name), href: link("runs", data.id) });
    },
  });
}

function askDelete(trigger: TriggerInfo): void {
  const w = words.value;
  askFor({
    title: w.triggers.askRemove(trigger.name),
    says: w.triggers.removeSays,
    reason: "needed",
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring triggers delete ${trigger.name}`,
    run: async (reason) => {
      await remove(`triggers/${part(trigger.name)}?note=${encodeURIComponent(reason)}`, { headers: { "if-match": `"${trigger.revision}"` } });
      outdateAll();
      go(link("triggers"));
    },
  });
}
