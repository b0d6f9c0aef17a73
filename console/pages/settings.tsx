// Settings of the server that answers: value, origin and the variable that sets each; secrets are hidden.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { SettingInfo, SettingList } from "../api/schema.ts";
import { useResource } from "../live/resource.ts";
import { Panel, Shown, Tag } from "../parts/basics.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { words } from "../words/index.ts";

export function Settings(): JSX.Element {
  const w = words.value.admin;
  const resource = useResource<SettingList>("settings");
  const wanted = useSignal("");
  return (
    <Panel title={w.settings} note={w.settingsNote} more={<input class="input" data-filter aria-label={words.value.jobs.filter} placeholder={words.value.jobs.filter} value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />}>
      <Shown of={resource} rows={8}>
        {({ settings }) => <Table label={w.settings} rows={settings.filter((one) => one.name.includes(wanted.value.trim()))} columns={columns()} keyOf={(one) => one.name} />}
      </Shown>
    </Panel>
  );
}

function columns(): Column<SettingInfo>[] {
  const w = words.value.admin;
  return [
    { id: "name", name: w.name, cell: (one) => <b>{one.name}</b> },
    { id: "value", name: w.value, wide: true, cell: (one) => (one.value === "" ? <span class="faint">–</span> : <code class="cut">{one.value}</code>) },
    { id: "origin", name: w.origin, cell: (one) => (one.origin === "default" ? <span class="faint">{w.byDefault}</span> : <Tag kind="warn">{one.origin}</Tag>) },
    { id: "variable", name: w.variable, cell: (one) => <code class="faint">{one.variable}</code>, minor: true },
  ];
}
