// Admin: people, tokens, namespaces, and what this person chose.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Refusal, part, post, remove } from "../api/call.ts";
import type { IssuedToken, NamespacePage, TokenInfo, TokenPage } from "../api/schema.ts";
import { type Range, density, keys, range, setDensity, setKeys, setRange, setTheme, setZone, theme, zone } from "../live/preferences.ts";
import { outdateAll, useResource } from "../live/resource.ts";
import { grant, refusal } from "../live/rights.ts";
import { address, asked, linkWith } from "../live/route.ts";
import { Ago, Button, Command, Failed, Head, Panel, Segments, Shown, Tabs, Tag } from "../parts/basics.tsx";
import { Modal, askFor } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { toast } from "../parts/toasts.tsx";
import { parseDuration } from "../words/format.ts";
import { language, setLanguage, words } from "../words/index.ts";
import { WeightButton, shared } from "./namespace-weight.tsx";
import { RANGES } from "./overview/overview.tsx";
import { People, askPassword } from "./people.tsx";
import { Settings } from "./settings.tsx";

export function Admin(): JSX.Element {
  const w = words.value;
  const may = (permission: string) => grant.value?.permissions.includes(permission) ?? false;
  const ids = [...(may("users:read") ? (["people"] as const) : []), ...(may("tokens:read") ? (["tokens"] as const) : []), ...(may("namespaces:read") ? (["namespaces"] as const) : []), ...(may("settings:read") ? (["settings"] as const) : []), "account" as const];
  const tab = asked("tab") || ids[0] || "account";
  return (
    <>
      <Head title={w.pages.admin} />
      <Tabs label={w.pages.admin} on={tab} tabs={ids.map((id) => ({ id, name: id === "people" ? w.people.title : w.admin[id], href: linkWith({ tab: id }, "admin") }))} />
      <div class="tab-body">
        {tab === "people" && <People />}
        {tab === "tokens" && <Tokens />}
        {tab === "namespaces" && <Namespaces />}
        {tab === "settings" && <Settings />}
        {tab === "account" && <Account />}
      </div>
    </>
  );
}

function Tokens(): JSX.Element {
  const w = words.value;
  const resource = useResource<TokenPage>("tokens?limit=200", { every: 15_000 });
  const making = useSignal(false);
  const issued = useSignal<IssuedToken | null>(null);
  return (
    <>
      {issued.value && (
        <section class="panel telling">
          <Icon name="key" class="is-waiting" />
          <div class="grow"><b>{w.admin.once(issued.value.token.name)}</b><Command line={issued.value.text} /></div>
        </section>
      )}
      <Panel title={w.admin.tokens} more={<Button small icon="plus" refused={refusal("tokens:write")} onClick={() => (making.value = true)}>{w.admin.newToken}</Button>}>
        <Shown of={resource}>{({ tokens }) => <Table label={w.admin.tokens} rows={tokens} columns={columns((one) => (issued.value = one))} keyOf={(one) => one.id} />}</Shown>
      </Panel>
      {making.value && <NewToken onClose={() => (making.value = false)} onIssued={(one) => (issued.value = one)} />}
    </>
  );
}

function columns(onIssued: (one: IssuedToken) => void): Column<TokenInfo>[] {
  const w = words.value;
  const roles = w.roles as Record<string, string>;
  return [
    { id: "name", name: w.admin.name, cell: (one) => <b>{one.name}</b> },
    { id: "role", name: w.admin.role, cell: (one) => roles[one.role] ?? one.role },
    { id: "namespace", name: w.frame.namespace, cell: (one) => (one.namespace === "*" ? w.admin.everywhere : one.namespace) },
    { id: "state", name: w.runs.state, cell: (one) => <Tag kind={one.state === "active" ? "good" : "warn"}>{one.state}</Tag> },
    { id: "used", name: w.admin.lastUsed, num: true, cell: (one) => <Ago at={one.last_used_at} /> },
    { id: "expires", name: w.admin.expires, num: true, cell: (one) => <Ago at={one.expires_at} />, minor: true },
    { id: "by", name: w.runs.by, wide: true, cell: (one) => <span class="dim">{one.created_by}</span>, minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) =>
        one.revoked_at === null && (
          <span class="acts">
            <Button small icon="retry" refused={refusal("tokens:write")} onClick={() => askRotate(one, onIssued)}>{w.admin.rotate}…</Button>
            <Button small icon="trash" kind="danger" refused={refusal("tokens:write")} onClick={() => askRevoke(one)}>{w.admin.revoke}…</Button>
          </span>
        ),
    },
  ];
}

function askRotate(token: TokenInfo, onIssued: (one: IssuedToken) => void): void {
  const w = words.value;
  const overlap = { text: "1 h" };
  askFor({
    title: w.admin.askRotate(token.name),
    says: w.admin.rotateSays,
    reason: "no",
    fields: <label class="field"><span>{w.admin.overlap}</span><input class="input" defaultValue={overlap.text} onInput={(event) => (overlap.text = event.currentTarget.value)} /></label>,
    confirm: w.admin.rotate,
    command: () => `mainspring tokens rotate ${token.id} --overlap ${parseDuration(overlap.text) ?? 0}`,
    run: async () => {
      onIssued((await post<IssuedToken>(`tokens/${part(token.id)}/rotate`, { overlap: parseDuration(overlap.text) ?? 0 })).data);
      outdateAll();
    },
  });
}

function askRevoke(token: TokenInfo): void {
  const w = words.value;
  askFor({
    title: w.admin.askRevoke(token.name),
    says: w.admin.revokeSays,
    reason: "no",
    typed: token.name,
    confirm: w.admin.revoke,
    danger: true,
    command: () => `mainspring tokens revoke ${token.id}`,
    run: async () => {
      await post(`tokens/${part(token.id)}/revoke`, {});
      outdateAll();
    },
  });
}

function NewToken({ onClose, onIssued }: { onClose: () => void; onIssued: (one: IssuedToken) => void }): JSX.Element {
  const w = words.value;
  const name = useSignal("");
  const role = useSignal("operator");
  const place = useSignal("*");
  const life = useSignal("");
  const error = useSignal<Refusal | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      const expires = parseDuration(life.value);
      const { data } = await post<IssuedToken>("tokens", { name: name.value, role: role.value, namespace: place.value, ...(expires ? { expires_in: expires } : {}) });
      onIssued(data);
      outdateAll();
      onClose();
    } catch (refused) {
      error.value = refused as Refusal;
    }
  };
  const at = (field: string) => (error.value?.field === field ? error.value.message : undefined);
  return (
    <Modal title={w.admin.newToken} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={w.admin.name} error={at("name")}><input class="input" required autoFocus value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} /></Field>
        <Field label={w.admin.role} help={w.admin.roleHelp} error={at("role")}><select class="input" value={role.value} onChange={(event) => (role.value = event.currentTarget.value)}>{(["viewer", "operator", "editor", "admin", "executor"] as const).map((id) => <option key={id} value={id}>{w.roles[id]}</option>)}</select></Field>
        <Field label={w.frame.namespace} help={w.admin.namespaceHelp} error={at("namespace")}><input class="input" value={place.value} onInput={(event) => (place.value = event.currentTarget.value)} /></Field>
        <Field label={w.admin.expires} help={w.admin.expiresHelp} error={at("expires_in")}><input class="input" value={life.value} onInput={(event) => (life.value = event.currentTarget.value)} /></Field>
        {error.value && !error.value.field && <Failed error={error.value} slim />}
        <footer><Button onClick={onClose}>{w.cancel}</Button><Button kind="main" type="submit">{w.admin.make}</Button></footer>
      </form>
    </Modal>
  );
}

function Namespaces(): JSX.Element {
  const w = words.value;
  const resource = useResource<NamespacePage>("namespaces", { every: 20_000 });
  const make = () => {
    const given = { name: "", description: "" };
    askFor({
      title: w.admin.newNamespace,
      reason: "no",
      fields: (
        <>
          <label class="field"><span>{w.admin.name}</span><input class="input" onInput={(event) => (given.name = event.currentTarget.value)} /></label>
          <label class="field"><span>{w.policy.labels.description}</span><input class="input" onInput={(event) => (given.description = event.currentTarget.value)} /></label>
        </>
      ),
      confirm: w.admin.make,
      command: () => "mainspring namespaces create NAME",
      run: async () => {
        await post("namespaces", given);
        outdateAll();
        toast({ text: w.triggers.saved(given.name) });
      },
    });
  };
  return (
    <Panel title={w.admin.namespaces} more={<Button small icon="plus" refused={refusal("namespaces:write")} onClick={make}>{w.admin.newNamespace}</Button>}>
      <Shown of={resource}>
        {({ namespaces }) => (
          <table>
            <thead><tr><th>{w.admin.name}</th><th>{w.policy.labels.description}</th><th class="num">{shared.value.weight}</th><th class="num">{w.runs.created}</th><th><span class="away">{w.actsColumn}</span></th></tr></thead>
            <tbody>
              {namespaces.map((one) => (
                <tr key={one.name}>
                  <td><a href={address(one.name, ["overview"])}>{one.name}</a></td>
                  <td class="wide dim">{one.description}</td>
                  <td class="num">{one.weight ?? <span class="faint">1</span>}</td>
                  <td class="num"><Ago at={one.created_at} /></td>
                  <td><span class="acts"><WeightButton of={one} />{one.name !== "default" && <Button small kind="danger" icon="trash" refused={refusal("namespaces:write")} onClick={() => askDelete(one.name)}>{w.jobs.remove}…</Button>}</span></td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Shown>
    </Panel>
  );
}

function askDelete(name: string): void {
  const w = words.value;
  askFor({
    title: w.admin.askDeleteNamespace(name),
    says: w.admin.deleteNamespaceSays,
    reason: "no",
    typed: name,
    confirm: w.jobs.remove,
    danger: true,
    command: () => `mainspring namespaces delete ${name}`,
    run: async () => {
      await remove(`namespaces/${part(name)}`);
      outdateAll();
    },
  });
}

function Account(): JSX.Element {
  const w = words.value;
  const who = grant.value;
  return (
    <div class="columns two">
      <Panel title={w.admin.account}>
        <div class="body settings">
          <Row name={w.admin.language}><Segments label={w.admin.language} on={language.value} choices={[{ id: "en", name: "English" }, { id: "zh", name: "简体中文" }]} onChoose={(id) => void setLanguage(id as "en" | "zh")} /></Row>
          <Row name={w.frame.theme}><Segments label={w.frame.theme} on={theme.value} choices={(["auto", "light", "dark"] as const).map((id) => ({ id, name: w.admin.themes[id] }))} onChoose={(id) => setTheme(id as "auto" | "light" | "dark")} /></Row>
          <Row name={w.keys.density}><Segments label={w.keys.density} on={density.value} choices={(["compact", "regular", "roomy"] as const).map((id) => ({ id, name: w.admin.densities[id] }))} onChoose={(id) => setDensity(id as "compact" | "regular" | "roomy")} /></Row>
          <Row name={w.keys.zone}><><Segments label={w.keys.zone} on={zone.value} choices={[{ id: "", name: Intl.DateTimeFormat().resolvedOptions().timeZone }, { id: "UTC", name: "UTC" }]} onChoose={setZone} /> <ZoneChoice /></></Row>
          <Row name={w.admin.range}><Segments label={w.admin.range} on={range.value} choices={RANGES.map(({ id }) => ({ id, name: w.ranges[id] }))} onChoose={(id) => setRange(id as Range)} /></Row>
          {who && Object.keys(who.roles).length > 0 && <Row name={w.signIn.password}><Button small onClick={askPassword}>{w.people.password}…</Button></Row>}
          <Row name={w.admin.keys}><label class="check-field"><input type="checkbox" checked={keys.value} onChange={() => setKeys(!keys.value)} /> {w.admin.keysSays}</label></Row>
        </div>
      </Panel>
      <Panel title={w.admin.rights} note={who ? (w.roles as Record<string, string>)[who.role] : ""}>
        <div class="body"><p class="tags">{who?.permissions.map((one) => <Tag key={one}>{one}</Tag>)}</p>{who?.expires_at && <p class="dim">{w.admin.expires} <Ago at={who.expires_at} /></p>}</div>
      </Panel>
    </div>
  );
}

function Row({ name, children }: { name: string; children: JSX.Element }): JSX.Element {
  return <div class="setting"><span>{name}</span>{children}</div>;
}

/** Any zone; the clock offers it from then on. */
function ZoneChoice(): JSX.Element {
  const w = words.value;
  return (
    <select class="input" aria-label={w.keys.zone} value={zone.value === "UTC" ? "" : zone.value} onChange={(event) => setZone(event.currentTarget.value)}>
      <option value="">{w.admin.otherZone}</option>
      {Intl.supportedValuesOf("timeZone").map((name) => <option key={name} value={name}>{name.replaceAll("_", " ")}</option>)}
    </select>
  );
}
