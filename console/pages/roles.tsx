// Who may what: the API's own table of roles, so that nobody has to try.
import type { JSX } from "preact";
import { LEAST, type Permission } from "../api/rights.ts";
import { Panel } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { both, words } from "../words/index.ts";

const LADDER = ["viewer", "operator", "editor", "admin"] as const;

const matrix = both(
  { title: "Who may what", note: "each role may also do what those before it may", permission: "permission", yes: "yes", no: "no" },
  { title: "谁可以做什么", note: "每个角色也包含其前面角色的权限", permission: "权限", yes: "可以", no: "不可以" },
);

export function RoleMatrix(): JSX.Element {
  const w = matrix.value;
  const roles = words.value.roles as Record<string, string>;
  const permissions = (Object.keys(LEAST) as Permission[]).filter((one) => (LADDER as readonly string[]).includes(LEAST[one]));
  return (
    <Panel title={w.title} note={w.note}>
      <div class="table-box" role="region" aria-label={w.title} tabIndex={0}>
        <table class="roles">
          <thead><tr><th scope="col">{w.permission}</th>{LADDER.map((role) => <th key={role} scope="col">{roles[role] ?? role}</th>)}</tr></thead>
          <tbody>{permissions.map((one) => <tr key={one}><th scope="row"><code>{one}</code></th>{LADDER.map((role) => <td key={role}><Cell may={LADDER.indexOf(role) >= (LADDER as readonly string[]).indexOf(LEAST[one])} /></td>)}</tr>)}</tbody>
        </table>
      </div>
    </Panel>
  );
}

function Cell({ may }: { may: boolean }): JSX.Element {
  const w = matrix.value;
  return may ? <span class="is-succeeded"><Icon name="check" /><span class="away">{w.yes}</span></span> : <span class="faint">–<span class="away"> {w.no}</span></span>;
}
