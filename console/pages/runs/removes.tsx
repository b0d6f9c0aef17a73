// What removes a reason of `why`: the act itself, or the page where it is done beside the command, or the command to copy.
import type { JSX } from "preact";
import { post, put } from "../../api/call.ts";
import type { ObstacleInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { refusal } from "../../live/rights.ts";
import { linkWith } from "../../live/route.ts";
import { Button, ButtonLink, Command } from "../../parts/basics.tsx";
import { askFor } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toasts.tsx";
import { shortId } from "../../words/format.ts";
import { both } from "../../words/index.ts";
import { type Deed, type Remedy, remedyOf } from "./remedies.ts";

const said = both(
  {
    deeds: { resume: "Resume", decide: "Let it decide again", reset: "Reset the breaker", retry: "Retry now", front: "To the front", now: "Start it now", end: "End the maintenance" } as Record<Deed, string>,
    done: (deed: string, name: string) => `Done: ${deed} ${name}`,
    look: "Where it is changed",
  },
  {
    deeds: { resume: "恢复", decide: "恢复自行判断", reset: "重置熔断器", retry: "立即重试", front: "移到最前", now: "立即开始", end: "结束维护" },
    done: (deed: string, name: string) => `已完成：${deed} ${name}`,
    look: "去修改",
  },
);

export function Removes({ of: reason }: { of: ObstacleInfo }): JSX.Element {
  const found = remedyOf(reason.remedy);
  if (found?.kind === "act") {
    return <Button small refused={refusal(found.permission)} onClick={() => ask(reason, found)}>{said.value.deeds[found.deed]}…</Button>;
  }
  return (
    <>
      {found && <ButtonLink small href={linkWith(found.query, ...found.page)}>{said.value.look}</ButtonLink>}
      <Command line={reason.remedy} />
    </>
  );
}

function ask(reason: ObstacleInfo, remedy: Extract<Remedy, { kind: "act" }>): void {
  const deed = said.value.deeds[remedy.deed];
  const name = /^[0-9a-f-]{32,36}$/.test(remedy.name) ? shortId(remedy.name) : remedy.name;
  askFor({
    title: name ? `${deed}: ${name}` : deed,
    says: reason.text,
    reason: "no",
    confirm: deed,
    command: () => reason.remedy,
    run: async () => {
      await (remedy.method === "PUT" ? put : post)(remedy.path, remedy.body);
      outdateAll();
      toast({ text: said.value.done(deed, name) });
    },
  });
}
