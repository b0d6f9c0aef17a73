// Saved views of runs: a query under a name, one's own or for all of the namespace.
import type { JSX } from "preact";
import { part, put, remove } from "../../api/call.ts";
import type { SavedViewInfo, SavedViewList } from "../../api/schema.ts";
import { refusal } from "../../live/rights.ts";
import { outdate, useResource } from "../../live/resource.ts";
import { setQuery } from "../../live/route.ts";
import { Icon } from "../../parts/icons.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { quoted } from "../../parts/draft.ts";
import { fillIn } from "../../parts/form.tsx";
import { tellRefusal, toast } from "../../parts/toasts.tsx";
import { words } from "../../words/index.ts";

export function ViewsMenu({ q }: { q: string }): JSX.Element {
  const w = words.value.views;
  const found = useResource<SavedViewList>("views", { every: 60_000 }).data.value?.views ?? [];
  const here = found.find((one) => one.q === q);
  return (
    <Menu label={w.menu} face={<><Icon name="star" /> <span class="cut">{here?.name ?? w.saved}</span><Icon name="down" /></>}>
      {found.map((one) => (
        <MenuItem key={`${one.shared} ${one.name}`} icon={one.shared ? "globe" : "star"} on={one === here} note={one.q} onChoose={() => setQuery({ q: one.q }, { push: true })}>
          {one.name}
        </MenuItem>
      ))}
      <MenuItem icon="plus" refused={q === "" ? w.nothing : refusal("views:write")} onChoose={() => save(q)}>{w.save}…</MenuItem>
      {here && <MenuItem icon="trash" danger refused={refusal(here.shared ? "views:share" : "views:write")} onChoose={() => void drop(here)}>{w.drop(here.name)}</MenuItem>}
    </Menu>
  );
}

function save(q: string): void {
  const w = words.value.views;
  const shares = refusal("views:share") === undefined;
  fillIn({
    title: w.save,
    says: <code>{q}</code>,
    start: {},
    fields: [
      { name: "name", kind: "text", label: w.name, required: true, wide: true },
      ...(shares ? [{ name: "shared", kind: "check" as const, label: w.shared }] : []),
    ],
    confirm: w.save,
    done: w.isSaved,
    command: ({ name, shared }) => `mainspring views save ${quoted(String(name ?? ""))} ${quoted(q)}${shared ? " --shared" : ""}`,
    send: ({ name, shared }) => put(`${shared ? "shared-views" : "views"}/${part(String(name))}`, { q }),
  });
}

async function drop(view: SavedViewInfo): Promise<void> {
  const w = words.value.views;
  const place = `${view.shared ? "shared-views" : "views"}/${part(view.name)}`;
  const tell = () => outdate((path) => path === "views");
  try {
    await remove(place);
    tell();
    toast({ text: w.dropped(view.name), act: { name: words.value.undo, run: () => void put(place, { q: view.q }).then(tell, tellRefusal) } });
  } catch (error) {
    tellRefusal(error);
  }
}
