// Alerts: what fires now, the rules, the objectives, where notices go, what was sent, and what is silenced.
import type { FunctionComponent, JSX } from "preact";
import { refusal } from "../../live/rights.ts";
import { asked, linkWith } from "../../live/route.ts";
import { Button, Head, Tabs } from "../../parts/basics.tsx";
import { words } from "../../words/index.ts";
import { Channels, editChannel } from "./channels.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Firing } from "./firing.tsx";
import { Rules, editRule } from "./rules.tsx";
import { Silences, editSilence } from "./silences.tsx";
import { Slos, editSlo } from "./slos.tsx";

const TABS = ["firing", "rules", "slos", "channels", "deliveries", "silences"] as const;
const BODIES: Record<string, FunctionComponent> = { firing: Firing, rules: Rules, slos: Slos, channels: Channels, deliveries: Deliveries, silences: Silences };
const MAKE: Record<string, () => void | Promise<void>> = { rules: () => editRule(null), slos: () => editSlo(null), channels: () => editChannel(null), silences: () => editSilence() };

export function Alerts(): JSX.Element {
  const w = words.value;
  const tab = asked("tab") || "firing";
  const Body = BODIES[tab] ?? Firing;
  const make = MAKE[tab];
  return (
    <>
      <Head title={w.pages.alerts}>
        {make && <Button kind="main" icon="plus" refused={refusal(tab === "silences" ? "alerts:steer" : "alerts:write")} onClick={() => void make()}>{w.alerts.make[tab as keyof typeof w.alerts.make]}</Button>}
      </Head>
      <Tabs label={w.pages.alerts} on={tab} tabs={TABS.map((id) => ({ id, name: w.alerts.tabs[id], href: linkWith({ tab: id === "firing" ? null : id }, "alerts") }))} />
      <div class="tab-body"><Body /></div>
    </>
  );
}
