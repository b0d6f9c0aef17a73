// Acts on one run: each opens what its key opens, none acts without it unless it can be taken back.
import type { JSX } from "preact";
import { post } from "../../api/call.ts";
import type { RunInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { go, link, linkWith } from "../../live/route.ts";
import { Button, FINAL } from "../../parts/basics.tsx";
import { copy } from "../../parts/copy.ts";
import { askFor } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import type { KeyAct } from "../../parts/keys.ts";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { shortId } from "../../words/format.ts";
import { words } from "../../words/index.ts";
import { askChange, canChange, toFront } from "./change.tsx";
import { startRun } from "./start.tsx";
import { stepFrom } from "./step.ts";

const over = (run: RunInfo) => (FINAL as string[]).includes(run.state);

export function RunActs({ run }: { run: RunInfo }): JSX.Element {
  const w = words.value;
  const denied = refusal("runs:steer");
  return (
    <>
      {over(run) && run.state !== "succeeded" && <Button icon="retry" refused={denied} onClick={() => void retry(run)}>{w.runs.retry}</Button>}
      {run.suspension && !over(run) ? <Button icon="play" refused={denied} onClick={() => void resume(run)}>{w.run.resume}</Button> : !over(run) && <Button icon="moon" refused={denied} onClick={() => askSuspend(run)}>{w.run.suspend}</Button>}
      {!over(run) && <Button icon="stop" kind="danger" refused={denied} onClick={() => askCancel(run)}>{w.runs.cancel}…</Button>}
      <Menu label={w.run.more} face={<Icon name="more" />} kind="button only">
        <MenuItem icon="edit" refused={refusal("runs:write")} onChoose={() => startRun(run.job, run)}>{w.run.again}</MenuItem>
        {canChange(run) && <MenuItem icon="arrow" refused={denied} onChoose={() => void toFront(run)}>{w.run.front}</MenuItem>}
        {canChange(run) && <MenuItem icon="edit" refused={denied} onChoose={() => askChange([run])}>{w.run.change}…</MenuItem>}
        {run.state === "succeeded" && <MenuItem icon="retry" refused={denied} onChoose={() => askForce(run)}>{w.run.force}</MenuItem>}
        {run.state === "failed" && !run.discarded && <MenuItem icon="trash" refused={denied} onChoose={() => askDiscard(run)}>{w.runs.discard}…</MenuItem>}
        <MenuItem icon="columns" onChoose={() => go(linkWith({}, "runs", run.id, "compare"))}>{w.run.compareMenu}</MenuItem>
        <MenuItem icon="copy" onChoose={() => copy(`curl -H "Authorization: Bearer $MAINSPRING_TOKEN" -H "Mainspring-Namespace: ${run.namespace}" ${location.origin}/api/v1/runs/${run.id}`)}>{w.run.asCurl}</MenuItem>
        <MenuItem icon="command" onChoose={() => copy(`mainspring runs show ${run.id}`)}>{w.run.asCli}</MenuItem>
      </Menu>
    </>
  );
}

export function runKeys(run: RunInfo): KeyAct[] {
  const w = words.value;
  const keys: KeyAct[] = [
    { key: "l", name: w.run.tabs.log, run: () => go(linkWith({ tab: "log" }, "runs", run.id)) },
    { key: "[", name: w.run.keys.older, run: () => void stepFrom(run, false) },
    { key: "]", name: w.run.keys.newer, run: () => void stepFrom(run, true) },
    { key: "{", name: w.run.keys.olderFailed, run: () => void stepFrom(run, false, "failed") },
    { key: "}", name: w.run.keys.newerFailed, run: () => void stepFrom(run, true, "failed") },
  ];
  if (over(run) && run.state !== "succeeded" && !refusal("runs:steer")) keys.push({ key: "r", name: w.runs.retry, run: () => askRetry(run) });
  if (!over(run) && !refusal("runs:steer")) keys.push({ key: "c", name: w.runs.cancel, run: () => askCancel(run) });
  if (!refusal("runs:write")) keys.push({ key: "e", name: w.run.again, run: () => startRun(run.job, run) });
  return keys;
}

async function retry(run: RunInfo): Promise<void> {
  const w = words.value;
  try {
    await post(`runs/${run.id}/retry`, {});
    outdateAll();
    toast({ text: w.run.retried(shortId(run.id)), act: { name: w.undo, run: () => post(`runs/${run.id}/cancel`, { reason: w.run.undone }).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}

function askRetry(run: RunInfo): void {
  const w = words.value;
  askFor({
    title: w.runs.ask.retry("1"),
    says: w.runs.askSays.retry,
    samples: [run.id],
    confirm: w.runs.confirm.retry("1"),
    reason: "no",
    command: () => `mainspring runs retry ${run.id}`,
    run: () => retry(run),
  });
}

function askForce(run: RunInfo): void {
  const w = words.value;
  askFor({
    title: w.run.force,
    says: w.run.forceSays,
    samples: [run.id],
    confirm: w.run.force,
    command: () => `mainspring runs retry ${run.id} --force`,
    run: async (reason) => {
      await post(`runs/${run.id}/retry`, { force: true, reason });
      outdateAll();
    },
  });
}

async function resume(run: RunInfo): Promise<void> {
  const w = words.value;
  try {
    await post(`runs/${run.id}/resume`, {});
    outdateAll();
    toast({ text: w.run.resumed(shortId(run.id)), act: { name: w.undo, run: () => post(`runs/${run.id}/suspend`, { reason: w.run.undone }).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}

function askSuspend(run: RunInfo): void {
  const w = words.value;
  askFor({
    title: w.run.askSuspend,
    says: run.state === "running" ? w.run.suspendRunning : w.run.suspendQueued,
    samples: [run.id],
    confirm: w.run.suspend,
    command: (reason) => `mainspring runs suspend ${run.id}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`runs/${run.id}/suspend`, { reason });
      outdateAll();
      toast({ text: w.run.suspended(shortId(run.id)), act: { name: w.undo, run: () => post(`runs/${run.id}/resume`, {}).then(outdateAll) } });
    },
  });
}

export function askCancel(run: RunInfo): void {
  const w = words.value;
  const children = { on: false };
  askFor({
    title: w.runs.ask.cancel("1"),
    says: run.state === "running" ? w.run.cancelRunning : w.run.cancelQueued,
    samples: [run.id],
    fields: <label class="check-field"><input type="checkbox" onChange={(event) => (children.on = event.currentTarget.checked)} /> {w.run.withChildren}</label>,
    confirm: w.runs.confirm.cancel("1"),
    keep: w.runs.keep,
    danger: true,
    command: (reason) => `mainspring runs cancel ${run.id}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`runs/${run.id}/cancel`, { reason, children: children.on });
      outdateAll();
      toast({ text: w.runs.done.cancel("1"), href: link("runs", run.id) });
    },
  });
}

function askDiscard(run: RunInfo): void {
  const w = words.value;
  askFor({
    title: w.runs.ask.discard("1"),
    says: w.runs.askSays.discard,
    samples: [run.id],
    confirm: w.runs.confirm.discard("1"),
    danger: true,
    command: (reason) => `mainspring runs discard ${run.id}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`runs/${run.id}/discard`, { reason });
      outdateAll();
    },
  });
}
