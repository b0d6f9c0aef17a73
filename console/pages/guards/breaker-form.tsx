// The rule of a breaker, to make it, change it and delete it.
import { part, put, remove } from "../../api/call.ts";
import type { BreakerInfo } from "../../api/schema.ts";
import { outdateAll } from "../../live/resource.ts";
import { go, link } from "../../live/route.ts";
import { askFor } from "../../parts/dialog.tsx";
import { type FieldSpec, options, quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { words } from "../../words/index.ts";
import { Tried } from "./tried.tsx";

const KINDS: [string, FieldSpec["kind"]][] = [
  ["failures", "share"],
  ["min_calls", "number"],
  ["window", "span"],
  ["window_calls", "number"],
  ["slow", "share"],
  ["slow_after", "span"],
  ["wait", "span"],
  ["wait_max", "span"],
  ["probes", "number"],
  ["probe_within", "span"],
  ["witnesses", "number"],
  ["record", "list"],
  ["ignore", "list"],
  ["open_on_retry_after", "check"],
];
const DEFAULTS = { failures: 0.5, min_calls: 20, window: 30, wait: 10, wait_max: 600, probes: 5, probe_within: 60, witnesses: 2 };

export function editBreaker(breaker: BreakerInfo | null): void {
  const w = words.value;
  const labels = w.forms.labels as Record<string, string>;
  const help = w.forms.help as Record<string, string>;
  const fields: FieldSpec[] = KINDS.map(([name, kind]) => ({ name, kind, label: labels[name] ?? name, ...(help[name] ? { help: help[name] } : {}) }));
  fillIn({
    title: breaker ? w.breakers.edit(breaker.name) : w.breakers.make,
    start: breaker ? { ...breaker.rule } : DEFAULTS,
    fields: [{ name: "name", kind: "name", label: labels["name"] ?? "", required: true, when: () => breaker === null }, ...fields],
    confirm: w.people.save,
    command: ({ name, ...rest }) => `mainspring breakers set ${quoted(breaker?.name ?? name ?? "NAME")}${options({ ...rest, open_on_retry_after: rest["open_on_retry_after"] === true ? true : [] })}`,
    ...(breaker && { beside: (body: Record<string, unknown>) => <Tried name={breaker.name} rule={{ ...body, name: undefined }} /> }),
    send: ({ name, ...rule }) => put(`breakers/${part(breaker?.name ?? String(name))}`, rule),
  });
}

export function askDeleteBreaker(name: string): void {
  const w = words.value;
  askFor({
    title: w.breakers.askDelete(name),
    says: w.breakers.deleteSays,
    reason: "no",
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring breakers delete ${quoted(name)}`,
    run: async () => {
      await remove(`breakers/${part(name)}`);
      outdateAll();
      go(link("breakers"));
    },
  });
}
