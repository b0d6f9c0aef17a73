// The weight of a namespace: how often its runs are claimed beside those of others.
import type { JSX } from "preact";
import { part, patch } from "../api/call.ts";
import type { NamespaceInfo } from "../api/schema.ts";
import { refusal } from "../live/rights.ts";
import { Button } from "../parts/basics.tsx";
import { fillIn } from "../parts/form.tsx";
import { both, words } from "../words/index.ts";

export const shared = both(
  { weight: "Weight", help: "how often its runs are claimed beside those of other namespaces; empty: 1", ask: (name: string) => `Weight of ${name}` },
  { weight: "权重", help: "与其他命名空间相比领取其运行的频度；空：1", ask: (name: string) => `${name} 的权重` },
);

export function WeightButton({ of }: { of: NamespaceInfo }): JSX.Element {
  return <Button small icon="edit" label={`${shared.value.weight}: ${of.name}`} refused={refusal("namespaces:write")} onClick={() => askWeight(of)} />;
}

function askWeight(namespace: NamespaceInfo): void {
  const w = shared.value;
  fillIn({
    title: w.ask(namespace.name),
    start: { weight: namespace.weight },
    fields: [{ name: "weight", kind: "number", label: w.weight, help: w.help, wide: true }],
    confirm: words.value.save,
    send: ({ weight }) => patch(`namespaces/${part(namespace.name)}/policy`, { weight: weight ?? null }),
  });
}
