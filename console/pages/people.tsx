// People: who may sign in, with which role where; and one's own password.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Refusal, part, patch, post, put, remove } from "../api/call.ts";
import type { InvitedUser, SignInPage, UserInfo, UserPage } from "../api/schema.ts";
import { outdateAll, useResource } from "../live/resource.ts";
import { refusal } from "../live/rights.ts";
import { Ago, Button, Command, Failed, Panel, Shown, Tag } from "../parts/basics.tsx";
import { Modal, askFor } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { toast } from "../parts/toasts.tsx";
import { words } from "../words/index.ts";
import { RoleMatrix } from "./roles.tsx";

export function People(): JSX.Element {
  const w = words.value.people;
  const resource = useResource<UserPage>("users?limit=200", { every: 15_000 });
  const editing = useSignal<UserInfo | "new" | null>(null);
  const invited = useSignal<InvitedUser | null>(null);
  return (
    <>
      {invited.value && (
        <section class="panel telling">
          <p>{w.link(invited.value.user.name)}</p>
          <Command line={`${location.origin}/console/start#${invited.value.code}`} />
        </section>
      )}
      <Panel title={w.title} more={<Button small icon="plus" refused={refusal("users:write")} onClick={() => (editing.value = "new")}>{w.invite}</Button>}>
        <Shown of={resource}>
          {({ users }) => users.length === 0 ? <p class="dim body">{w.none}</p> : (
            <Table
              label={w.title}
              rows={users}
              columns={columns((one) => (editing.value = one), (one) => (invited.value = one))}
              keyOf={(one) => one.name}
            />
          )}
        </Shown>
      </Panel>
      <RoleMatrix />
      {editing.value && (
        <Editor user={editing.value === "new" ? null : editing.value} onClose={() => (editing.value = null)} onInvited={(one) => (invited.value = one)} />
      )}
    </>
  );
}

function columns(onEdit: (one: UserInfo) => void, onInvited: (one: InvitedUser) => void): Column<UserInfo>[] {
  const w = words.value;
  return [
    { id: "name", name: w.admin.name, cell: (one) => <b>{one.name}</b> },
    { id: "full", name: w.people.fullName, cell: (one) => one.display_name, minor: true },
    { id: "roles", name: w.people.roles, wide: true, cell: (one) => <Roles of={one.roles} /> },
    { id: "state", name: w.runs.state, cell: (one) => <State of={one} /> },
    { id: "since", name: w.runs.created, num: true, cell: (one) => <Ago at={one.created_at} />, minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) => (
        <span class="acts">
          <Button small icon="edit" refused={refusal("users:write")} onClick={() => onEdit(one)}>{w.people.edit}…</Button>
          <Button small icon="link" refused={refusal("users:write")} onClick={() => void invite(one, onInvited)}>{w.people.newLink}</Button>
          <Button small icon="out" refused={refusal("users:write")} onClick={() => askSignOut(one)}>{w.people.signOut}…</Button>
          <Button small icon="trash" kind="danger" refused={refusal("users:write")} onClick={() => askDelete(one)}>{w.jobs.remove}…</Button>
        </span>
      ),
    },
  ];
}

function Roles({ of }: { of: Record<string, string> }): JSX.Element {
  const w = words.value;
  const names = w.roles as Record<string, string>;
  return <span class="tags">{Object.entries(of).map(([space, role]) => <Tag key={space}>{`${names[role] ?? role} · ${space === "*" ? w.admin.everywhere : space}`}</Tag>)}</span>;
}

function State({ of }: { of: UserInfo }): JSX.Element {
  const w = words.value.people;
  if (of.disabled_at !== null) return <Tag kind="warn">{w.disabled}</Tag>;
  return of.has_password || of.is_external ? <Tag kind="good">{w.active}</Tag> : <Tag>{w.waiting}</Tag>;
}

async function invite(user: UserInfo, onInvited: (one: InvitedUser) => void): Promise<void> {
  onInvited((await post<InvitedUser>(`users/${part(user.name)}/invite`)).data);
}

function askSignOut(user: UserInfo): void {
  const w = words.value.people;
  askFor({
    title: w.askSignOut(user.name),
    says: w.signOutSays,
    reason: "no",
    fields: <SignIns of={user} />,
    confirm: w.signOut,
    command: () => `mainspring users sign-out ${user.name}`,
    run: async () => {
      await post(`users/${part(user.name)}/sign-ins/end`, { others: true });
      outdateAll();
    },
  });
}

function SignIns({ of }: { of: UserInfo }): JSX.Element {
  const resource = useResource<SignInPage>(`users/${part(of.name)}/sign-ins`);
  return (
    <Shown of={resource}>
      {({ sign_ins }) => (
        <ul class="plain">
          {sign_ins.filter((one) => one.state === "active").slice(0, 5).map((one) => (
            <li key={one.id}>
              <Ago at={one.seen_at} /> <span class="dim">{one.address} · {one.browser.slice(0, 60)}</span>
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
}

function askDelete(user: UserInfo): void {
  const w = words.value.people;
  askFor({
    title: w.askDelete(user.name),
    says: w.deleteSays,
    reason: "no",
    typed: user.name,
    confirm: words.value.jobs.remove,
    danger: true,
    command: () => `mainspring users delete ${user.name}`,
    run: async () => {
      await remove(`users/${part(user.name)}`);
      outdateAll();
    },
  });
}

interface EditorProps {
  user: UserInfo | null;
  onClose: () => void;
  onInvited: (one: InvitedUser) => void;
}

function Editor({ user, onClose, onInvited }: EditorProps): JSX.Element {
  const w = words.value;
  const name = useSignal(user?.name ?? "");
  const full = useSignal(user?.display_name ?? "");
  const roles = useSignal(rolesText(user?.roles ?? { "*": "viewer" }));
  const disabled = useSignal(user !== null && user.disabled_at !== null);
  const error = useSignal<Refusal | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const common = { display_name: full.value, roles: parseRoles(roles.value) };
    try {
      if (user) await patch(`users/${part(user.name)}`, { ...common, disabled: disabled.value });
      else onInvited((await post<InvitedUser>("users", { name: name.value, ...common })).data);
      outdateAll();
      onClose();
    } catch (refused) {
      error.value = refused as Refusal;
    }
  };
  const at = (field: string) => (error.value?.field?.startsWith(field) ? error.value.message : undefined);
  const command = user
    ? `mainspring users change ${user.name}${flags(roles.value)}`
    : `mainspring users create ${name.value || "NAME"}${flags(roles.value)}`;
  return (
    <Modal title={user ? w.people.askEdit(user.name) : w.people.invite} onClose={onClose}>
      <form onSubmit={submit}>
        {!user && <Field label={w.admin.name} error={at("name")}><input class="input" name="name" required autoFocus value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} /></Field>}
        <Field label={w.people.fullName} error={at("display_name")}><input class="input" value={full.value} onInput={(event) => (full.value = event.currentTarget.value)} /></Field>
        <Field label={w.people.roles} help={w.people.rolesHelp} error={at("roles")}><textarea class="input" rows={3} value={roles.value} onInput={(event) => (roles.value = event.currentTarget.value)} /></Field>
        {user && <label class="check-field"><input type="checkbox" checked={disabled.value} onChange={() => (disabled.value = !disabled.value)} /> {w.people.disabled}</label>}
        {error.value && !at("name") && !at("roles") && !at("display_name") && <Failed error={error.value} slim />}
        <Command line={command} />
        <footer><Button onClick={onClose}>{w.cancel}</Button><Button kind="main" type="submit">{user ? w.people.save : w.people.invite}</Button></footer>
      </form>
    </Modal>
  );
}

/** `role namespace` on each line; a role alone is for all namespaces. */
function rolesText(roles: Record<string, string>): string {
  return Object.entries(roles).map(([space, role]) => (space === "*" ? role : `${role} ${space}`)).join("\n");
}

function parseRoles(text: string): Record<string, string> {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/)).filter(([role]) => role !== "");
  return Object.fromEntries(lines.map(([role = "", space = "*"]) => [space, role]));
}

function flags(text: string): string {
  return Object.entries(parseRoles(text)).map(([space, role]) => ` --role ${space === "*" ? role : `${role}:${space}`}`).join("");
}

export function askPassword(): void {
  const w = words.value.people;
  const given = { old: "", new: "" };
  askFor({
    title: w.password,
    says: w.passwordSays,
    reason: "no",
    fields: (
      <>
        <label class="field"><span>{w.oldPassword}</span><input class="input" type="password" autoComplete="current-password" onInput={(event) => (given.old = event.currentTarget.value)} /></label>
        <label class="field"><span>{w.newPassword}</span><input class="input" type="password" autoComplete="new-password" onInput={(event) => (given.new = event.currentTarget.value)} /></label>
      </>
    ),
    confirm: w.save,
    run: async () => {
      await put("sign-in/password", given);
      toast({ text: w.passwordKept });
    },
  });
}
