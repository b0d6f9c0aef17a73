import {
  condition
} from "./chunk-MBWDHAZS.js";
import {
  blocks
} from "./chunk-6R5O5UW6.js";
import {
  RANGES
} from "./chunk-NR6Z6OU7.js";
import "./chunk-7FLTJP2Q.js";
import {
  Ago,
  Button,
  Command,
  Failed,
  Gauge,
  Head,
  Icon,
  LEAST,
  Modal,
  Panel,
  Segments,
  Shown,
  Table,
  Tabs,
  Tag,
  askFor,
  copy,
  fillIn,
  grant,
  outdateAll,
  quoted,
  refusal,
  reread,
  tellRefusal,
  toast,
  useResource
} from "./chunk-IBKJQSZ2.js";
import {
  address,
  asked,
  both,
  count,
  density,
  duration,
  keys,
  language,
  link,
  linkWith,
  parseDuration,
  part,
  patch,
  percent,
  post,
  put,
  range,
  remove,
  setDensity,
  setKeys,
  setLanguage,
  setRange,
  setTheme,
  setZone,
  size,
  theme,
  useSignal,
  words,
  zone
} from "./chunk-K2CDJBIM.js";
import {
  Field,
  a
} from "./chunk-SNVQWMQR.js";
import {
  $
} from "./chunk-DPBHMWAZ.js";

// pages/namespace-weight.tsx
var shared = both(
  { weight: "Weight", help: "how often its runs are claimed beside those of other namespaces; empty: 1", ask: (name) => `Weight of ${name}` },
  { weight: "权重", help: "与其他命名空间相比领取其运行的频度；空：1", ask: (name) => `${name} 的权重` }
);
function WeightButton({ of }) {
  return /* @__PURE__ */ a(Button, { small: true, icon: "edit", label: `${shared.value.weight}: ${of.name}`, refused: refusal("namespaces:write"), onClick: () => askWeight(of) });
}
function askWeight(namespace) {
  const w = shared.value;
  fillIn({
    title: w.ask(namespace.name),
    start: { weight: namespace.weight },
    fields: [{ name: "weight", kind: "number", label: w.weight, help: w.help, wide: true }],
    confirm: words.value.save,
    send: ({ weight }) => patch(`namespaces/${part(namespace.name)}/policy`, { weight: weight ?? null })
  });
}

// pages/roles.tsx
var LADDER = ["viewer", "operator", "editor", "admin"];
var matrix = both(
  { title: "Who may what", note: "each role may also do what those before it may", permission: "permission", yes: "yes", no: "no" },
  { title: "谁可以做什么", note: "每个角色也包含其前面角色的权限", permission: "权限", yes: "可以", no: "不可以" }
);
function RoleMatrix() {
  const w = matrix.value;
  const roles = words.value.roles;
  const permissions = Object.keys(LEAST).filter((one) => LADDER.includes(LEAST[one]));
  return /* @__PURE__ */ a(Panel, { title: w.title, note: w.note, children: /* @__PURE__ */ a("div", { class: "table-box", role: "region", "aria-label": w.title, tabIndex: 0, children: /* @__PURE__ */ a("table", { class: "roles", children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { scope: "col", children: w.permission }),
      LADDER.map((role) => /* @__PURE__ */ a("th", { scope: "col", children: roles[role] ?? role }, role))
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: permissions.map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { scope: "row", children: /* @__PURE__ */ a("code", { children: one }) }),
      LADDER.map((role) => /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a(Cell, { may: LADDER.indexOf(role) >= LADDER.indexOf(LEAST[one]) }) }, role))
    ] }, one)) })
  ] }) }) });
}
function Cell({ may }) {
  const w = matrix.value;
  return may ? /* @__PURE__ */ a("span", { class: "is-succeeded", children: [
    /* @__PURE__ */ a(Icon, { name: "check" }),
    /* @__PURE__ */ a("span", { class: "away", children: w.yes })
  ] }) : /* @__PURE__ */ a("span", { class: "faint", children: [
    "–",
    /* @__PURE__ */ a("span", { class: "away", children: [
      " ",
      w.no
    ] })
  ] });
}

// pages/people.tsx
function People() {
  const w = words.value.people;
  const resource = useResource("users?limit=200", { every: 15e3 });
  const editing = useSignal(null);
  const invited = useSignal(null);
  return /* @__PURE__ */ a($, { children: [
    invited.value && /* @__PURE__ */ a("section", { class: "panel telling", children: [
      /* @__PURE__ */ a("p", { children: w.link(invited.value.user.name) }),
      /* @__PURE__ */ a(Command, { line: `${location.origin}/console/start#${invited.value.code}` })
    ] }),
    /* @__PURE__ */ a(Panel, { title: w.title, more: /* @__PURE__ */ a(Button, { small: true, icon: "plus", refused: refusal("users:write"), onClick: () => editing.value = "new", children: w.invite }), children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ users }) => users.length === 0 ? /* @__PURE__ */ a("p", { class: "dim body", children: w.none }) : /* @__PURE__ */ a(
      Table,
      {
        label: w.title,
        rows: users,
        columns: columns((one) => editing.value = one, (one) => invited.value = one),
        keyOf: (one) => one.name
      }
    ) }) }),
    /* @__PURE__ */ a(RoleMatrix, {}),
    editing.value && /* @__PURE__ */ a(Editor, { user: editing.value === "new" ? null : editing.value, onClose: () => editing.value = null, onInvited: (one) => invited.value = one })
  ] });
}
function columns(onEdit, onInvited) {
  const w = words.value;
  return [
    { id: "name", name: w.admin.name, cell: (one) => /* @__PURE__ */ a("b", { children: one.name }) },
    { id: "full", name: w.people.fullName, cell: (one) => one.display_name, minor: true },
    { id: "roles", name: w.people.roles, wide: true, cell: (one) => /* @__PURE__ */ a(Roles, { of: one.roles }) },
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(State, { of: one }) },
    { id: "since", name: w.runs.created, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.created_at }), minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) => /* @__PURE__ */ a("span", { class: "acts", children: [
        /* @__PURE__ */ a(Button, { small: true, icon: "edit", refused: refusal("users:write"), onClick: () => onEdit(one), children: [
          w.people.edit,
          "…"
        ] }),
        /* @__PURE__ */ a(Button, { small: true, icon: "link", refused: refusal("users:write"), onClick: () => void invite(one, onInvited), children: w.people.newLink }),
        /* @__PURE__ */ a(Button, { small: true, icon: "out", refused: refusal("users:write"), onClick: () => askSignOut(one), children: [
          w.people.signOut,
          "…"
        ] }),
        /* @__PURE__ */ a(Button, { small: true, icon: "trash", kind: "danger", refused: refusal("users:write"), onClick: () => askDelete(one), children: [
          w.jobs.remove,
          "…"
        ] })
      ] })
    }
  ];
}
function Roles({ of }) {
  const w = words.value;
  const names = w.roles;
  return /* @__PURE__ */ a("span", { class: "tags", children: Object.entries(of).map(([space, role]) => /* @__PURE__ */ a(Tag, { children: `${names[role] ?? role} · ${space === "*" ? w.admin.everywhere : space}` }, space)) });
}
function State({ of }) {
  const w = words.value.people;
  if (of.disabled_at !== null) return /* @__PURE__ */ a(Tag, { kind: "warn", children: w.disabled });
  return of.has_password || of.is_external ? /* @__PURE__ */ a(Tag, { kind: "good", children: w.active }) : /* @__PURE__ */ a(Tag, { children: w.waiting });
}
async function invite(user, onInvited) {
  onInvited((await post(`users/${part(user.name)}/invite`)).data);
}
function askSignOut(user) {
  const w = words.value.people;
  askFor({
    title: w.askSignOut(user.name),
    says: w.signOutSays,
    reason: "no",
    fields: /* @__PURE__ */ a(SignIns, { of: user }),
    confirm: w.signOut,
    command: () => `mainspring users sign-out ${user.name}`,
    run: async () => {
      await post(`users/${part(user.name)}/sign-ins/end`, { others: true });
      outdateAll();
    }
  });
}
function SignIns({ of }) {
  const resource = useResource(`users/${part(of.name)}/sign-ins`);
  return /* @__PURE__ */ a(Shown, { of: resource, children: ({ sign_ins }) => /* @__PURE__ */ a("ul", { class: "plain", children: sign_ins.filter((one) => one.state === "active").slice(0, 5).map((one) => /* @__PURE__ */ a("li", { children: [
    /* @__PURE__ */ a(Ago, { at: one.seen_at }),
    " ",
    /* @__PURE__ */ a("span", { class: "dim", children: [
      one.address,
      " · ",
      one.browser.slice(0, 60)
    ] })
  ] }, one.id)) }) });
}
function askDelete(user) {
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
    }
  });
}
function Editor({ user, onClose, onInvited }) {
  const w = words.value;
  const name = useSignal(user?.name ?? "");
  const full = useSignal(user?.display_name ?? "");
  const roles = useSignal(rolesText(user?.roles ?? { "*": "viewer" }));
  const disabled = useSignal(user !== null && user.disabled_at !== null);
  const error = useSignal(null);
  const submit = async (event) => {
    event.preventDefault();
    const common = { display_name: full.value, roles: parseRoles(roles.value) };
    try {
      if (user) await patch(`users/${part(user.name)}`, { ...common, disabled: disabled.value });
      else onInvited((await post("users", { name: name.value, ...common })).data);
      outdateAll();
      onClose();
    } catch (refused) {
      error.value = refused;
    }
  };
  const at = (field) => error.value?.field?.startsWith(field) ? error.value.message : void 0;
  const command = user ? `mainspring users change ${user.name}${flags(roles.value)}` : `mainspring users create ${name.value || "NAME"}${flags(roles.value)}`;
  return /* @__PURE__ */ a(Modal, { title: user ? w.people.askEdit(user.name) : w.people.invite, onClose, children: /* @__PURE__ */ a("form", { onSubmit: submit, children: [
    !user && /* @__PURE__ */ a(Field, { label: w.admin.name, error: at("name"), children: /* @__PURE__ */ a("input", { class: "input", name: "name", required: true, autoFocus: true, value: name.value, onInput: (event) => name.value = event.currentTarget.value }) }),
    /* @__PURE__ */ a(Field, { label: w.people.fullName, error: at("display_name"), children: /* @__PURE__ */ a("input", { class: "input", value: full.value, onInput: (event) => full.value = event.currentTarget.value }) }),
    /* @__PURE__ */ a(Field, { label: w.people.roles, help: w.people.rolesHelp, error: at("roles"), children: /* @__PURE__ */ a("textarea", { class: "input", rows: 3, value: roles.value, onInput: (event) => roles.value = event.currentTarget.value }) }),
    user && /* @__PURE__ */ a("label", { class: "check-field", children: [
      /* @__PURE__ */ a("input", { type: "checkbox", checked: disabled.value, onChange: () => disabled.value = !disabled.value }),
      " ",
      w.people.disabled
    ] }),
    error.value && !at("name") && !at("roles") && !at("display_name") && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a(Command, { line: command }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: w.cancel }),
      /* @__PURE__ */ a(Button, { kind: "main", type: "submit", children: user ? w.people.save : w.people.invite })
    ] })
  ] }) });
}
function rolesText(roles) {
  return Object.entries(roles).map(([space, role]) => space === "*" ? role : `${role} ${space}`).join("\n");
}
function parseRoles(text) {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/)).filter(([role]) => role !== "");
  return Object.fromEntries(lines.map(([role = "", space = "*"]) => [space, role]));
}
function flags(text) {
  return Object.entries(parseRoles(text)).map(([space, role]) => ` --role ${space === "*" ? role : `${role}:${space}`}`).join("");
}
function askPassword() {
  const w = words.value.people;
  const given = { old: "", new: "" };
  askFor({
    title: w.password,
    says: w.passwordSays,
    reason: "no",
    fields: /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("label", { class: "field", children: [
        /* @__PURE__ */ a("span", { children: w.oldPassword }),
        /* @__PURE__ */ a("input", { class: "input", type: "password", autoComplete: "current-password", onInput: (event) => given.old = event.currentTarget.value })
      ] }),
      /* @__PURE__ */ a("label", { class: "field", children: [
        /* @__PURE__ */ a("span", { children: w.newPassword }),
        /* @__PURE__ */ a("input", { class: "input", type: "password", autoComplete: "new-password", onInput: (event) => given.new = event.currentTarget.value })
      ] })
    ] }),
    confirm: w.save,
    run: async () => {
      await put("sign-in/password", given);
      toast({ text: w.passwordKept });
    }
  });
}

// pages/settings.tsx
function Settings() {
  const w = words.value.admin;
  const resource = useResource("settings");
  const wanted = useSignal("");
  return /* @__PURE__ */ a(Panel, { title: w.settings, note: w.settingsNote, more: /* @__PURE__ */ a("input", { class: "input", "data-filter": true, "aria-label": words.value.jobs.filter, placeholder: words.value.jobs.filter, value: wanted.value, onInput: (event) => wanted.value = event.currentTarget.value }), children: /* @__PURE__ */ a(Shown, { of: resource, rows: 8, children: ({ settings }) => /* @__PURE__ */ a(Table, { label: w.settings, rows: settings.filter((one) => one.name.includes(wanted.value.trim())), columns: columns2(), keyOf: (one) => one.name }) }) });
}
function columns2() {
  const w = words.value.admin;
  return [
    { id: "name", name: w.name, cell: (one) => /* @__PURE__ */ a("b", { children: one.name }) },
    { id: "value", name: w.value, wide: true, cell: (one) => one.value === "" ? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) : /* @__PURE__ */ a("code", { class: "cut", children: one.value }) },
    { id: "origin", name: w.origin, cell: (one) => one.origin === "default" ? /* @__PURE__ */ a("span", { class: "faint", children: w.byDefault }) : /* @__PURE__ */ a(Tag, { kind: "warn", children: one.origin }) },
    { id: "variable", name: w.variable, cell: (one) => /* @__PURE__ */ a("code", { class: "faint", children: one.variable }), minor: true }
  ];
}

// pages/admin.tsx
function Admin() {
  const w = words.value;
  const may = (permission) => grant.value?.permissions.includes(permission) ?? false;
  const ids = [...may("users:read") ? ["people"] : [], ...may("tokens:read") ? ["tokens"] : [], ...may("namespaces:read") ? ["namespaces"] : [], ...may("settings:read") ? ["settings"] : [], "account"];
  const tab = asked("tab") || ids[0] || "account";
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.admin }),
    /* @__PURE__ */ a(Tabs, { label: w.pages.admin, on: tab, tabs: ids.map((id) => ({ id, name: id === "people" ? w.people.title : w.admin[id], href: linkWith({ tab: id }, "admin") })) }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: [
      tab === "people" && /* @__PURE__ */ a(People, {}),
      tab === "tokens" && /* @__PURE__ */ a(Tokens, {}),
      tab === "namespaces" && /* @__PURE__ */ a(Namespaces, {}),
      tab === "settings" && /* @__PURE__ */ a(Settings, {}),
      tab === "account" && /* @__PURE__ */ a(Account, {})
    ] })
  ] });
}
function Tokens() {
  const w = words.value;
  const resource = useResource("tokens?limit=200", { every: 15e3 });
  const making = useSignal(false);
  const issued = useSignal(null);
  return /* @__PURE__ */ a($, { children: [
    issued.value && /* @__PURE__ */ a("section", { class: "panel telling", children: [
      /* @__PURE__ */ a(Icon, { name: "key", class: "is-waiting" }),
      /* @__PURE__ */ a("div", { class: "grow", children: [
        /* @__PURE__ */ a("b", { children: w.admin.once(issued.value.token.name) }),
        /* @__PURE__ */ a(Command, { line: issued.value.text })
      ] })
    ] }),
    /* @__PURE__ */ a(Panel, { title: w.admin.tokens, more: /* @__PURE__ */ a(Button, { small: true, icon: "plus", refused: refusal("tokens:write"), onClick: () => making.value = true, children: w.admin.newToken }), children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ tokens }) => /* @__PURE__ */ a(Table, { label: w.admin.tokens, rows: tokens, columns: columns3((one) => issued.value = one), keyOf: (one) => one.id }) }) }),
    making.value && /* @__PURE__ */ a(NewToken, { onClose: () => making.value = false, onIssued: (one) => issued.value = one })
  ] });
}
function columns3(onIssued) {
  const w = words.value;
  const roles = w.roles;
  return [
    { id: "name", name: w.admin.name, cell: (one) => /* @__PURE__ */ a("b", { children: one.name }) },
    { id: "role", name: w.admin.role, cell: (one) => roles[one.role] ?? one.role },
    { id: "namespace", name: w.frame.namespace, cell: (one) => one.namespace === "*" ? w.admin.everywhere : one.namespace },
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(Tag, { kind: one.state === "active" ? "good" : "warn", children: one.state }) },
    { id: "used", name: w.admin.lastUsed, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.last_used_at }) },
    { id: "expires", name: w.admin.expires, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.expires_at }), minor: true },
    { id: "by", name: w.runs.by, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.created_by }), minor: true },
    {
      id: "acts",
      name: "",
      cell: (one) => one.revoked_at === null && /* @__PURE__ */ a("span", { class: "acts", children: [
        /* @__PURE__ */ a(Button, { small: true, icon: "retry", refused: refusal("tokens:write"), onClick: () => askRotate(one, onIssued), children: [
          w.admin.rotate,
          "…"
        ] }),
        /* @__PURE__ */ a(Button, { small: true, icon: "trash", kind: "danger", refused: refusal("tokens:write"), onClick: () => askRevoke(one), children: [
          w.admin.revoke,
          "…"
        ] })
      ] })
    }
  ];
}
function askRotate(token, onIssued) {
  const w = words.value;
  const overlap = { text: "1 h" };
  askFor({
    title: w.admin.askRotate(token.name),
    says: w.admin.rotateSays,
    reason: "no",
    fields: /* @__PURE__ */ a("label", { class: "field", children: [
      /* @__PURE__ */ a("span", { children: w.admin.overlap }),
      /* @__PURE__ */ a("input", { class: "input", defaultValue: overlap.text, onInput: (event) => overlap.text = event.currentTarget.value })
    ] }),
    confirm: w.admin.rotate,
    command: () => `mainspring tokens rotate ${token.id} --overlap ${parseDuration(overlap.text) ?? 0}`,
    run: async () => {
      onIssued((await post(`tokens/${part(token.id)}/rotate`, { overlap: parseDuration(overlap.text) ?? 0 })).data);
      outdateAll();
    }
  });
}
function askRevoke(token) {
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
    }
  });
}
function NewToken({ onClose, onIssued }) {
  const w = words.value;
  const name = useSignal("");
  const role = useSignal("operator");
  const place = useSignal("*");
  const life = useSignal("");
  const error = useSignal(null);
  const submit = async (event) => {
    event.preventDefault();
    try {
      const expires = parseDuration(life.value);
      const { data } = await post("tokens", { name: name.value, role: role.value, namespace: place.value, ...expires ? { expires_in: expires } : {} });
      onIssued(data);
      outdateAll();
      onClose();
    } catch (refused) {
      error.value = refused;
    }
  };
  const at = (field) => error.value?.field === field ? error.value.message : void 0;
  return /* @__PURE__ */ a(Modal, { title: w.admin.newToken, onClose, children: /* @__PURE__ */ a("form", { onSubmit: submit, children: [
    /* @__PURE__ */ a(Field, { label: w.admin.name, error: at("name"), children: /* @__PURE__ */ a("input", { class: "input", required: true, autoFocus: true, value: name.value, onInput: (event) => name.value = event.currentTarget.value }) }),
    /* @__PURE__ */ a(Field, { label: w.admin.role, help: w.admin.roleHelp, error: at("role"), children: /* @__PURE__ */ a("select", { class: "input", value: role.value, onChange: (event) => role.value = event.currentTarget.value, children: ["viewer", "operator", "editor", "admin", "executor"].map((id) => /* @__PURE__ */ a("option", { value: id, children: w.roles[id] }, id)) }) }),
    /* @__PURE__ */ a(Field, { label: w.frame.namespace, help: w.admin.namespaceHelp, error: at("namespace"), children: /* @__PURE__ */ a("input", { class: "input", value: place.value, onInput: (event) => place.value = event.currentTarget.value }) }),
    /* @__PURE__ */ a(Field, { label: w.admin.expires, help: w.admin.expiresHelp, error: at("expires_in"), children: /* @__PURE__ */ a("input", { class: "input", value: life.value, onInput: (event) => life.value = event.currentTarget.value }) }),
    error.value && !error.value.field && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: w.cancel }),
      /* @__PURE__ */ a(Button, { kind: "main", type: "submit", children: w.admin.make })
    ] })
  ] }) });
}
function Namespaces() {
  const w = words.value;
  const resource = useResource("namespaces", { every: 2e4 });
  const make = () => {
    const given = { name: "", description: "" };
    askFor({
      title: w.admin.newNamespace,
      reason: "no",
      fields: /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("label", { class: "field", children: [
          /* @__PURE__ */ a("span", { children: w.admin.name }),
          /* @__PURE__ */ a("input", { class: "input", onInput: (event) => given.name = event.currentTarget.value })
        ] }),
        /* @__PURE__ */ a("label", { class: "field", children: [
          /* @__PURE__ */ a("span", { children: w.policy.labels.description }),
          /* @__PURE__ */ a("input", { class: "input", onInput: (event) => given.description = event.currentTarget.value })
        ] })
      ] }),
      confirm: w.admin.make,
      command: () => "mainspring namespaces create NAME",
      run: async () => {
        await post("namespaces", given);
        outdateAll();
        toast({ text: w.triggers.saved(given.name) });
      }
    });
  };
  return /* @__PURE__ */ a(Panel, { title: w.admin.namespaces, more: /* @__PURE__ */ a(Button, { small: true, icon: "plus", refused: refusal("namespaces:write"), onClick: make, children: w.admin.newNamespace }), children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ namespaces }) => /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w.admin.name }),
      /* @__PURE__ */ a("th", { children: w.policy.labels.description }),
      /* @__PURE__ */ a("th", { class: "num", children: shared.value.weight }),
      /* @__PURE__ */ a("th", { class: "num", children: w.runs.created }),
      /* @__PURE__ */ a("th", { children: /* @__PURE__ */ a("span", { class: "away", children: w.actsColumn }) })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: namespaces.map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: address(one.name, ["overview"]), children: one.name }) }),
      /* @__PURE__ */ a("td", { class: "wide dim", children: one.description }),
      /* @__PURE__ */ a("td", { class: "num", children: one.weight ?? /* @__PURE__ */ a("span", { class: "faint", children: "1" }) }),
      /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: one.created_at }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("span", { class: "acts", children: [
        /* @__PURE__ */ a(WeightButton, { of: one }),
        one.name !== "default" && /* @__PURE__ */ a(Button, { small: true, kind: "danger", icon: "trash", refused: refusal("namespaces:write"), onClick: () => askDelete2(one.name), children: [
          w.jobs.remove,
          "…"
        ] })
      ] }) })
    ] }, one.name)) })
  ] }) }) });
}
function askDelete2(name) {
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
    }
  });
}
function Account() {
  const w = words.value;
  const who = grant.value;
  return /* @__PURE__ */ a("div", { class: "columns two", children: [
    /* @__PURE__ */ a(Panel, { title: w.admin.account, children: /* @__PURE__ */ a("div", { class: "body settings", children: [
      /* @__PURE__ */ a(Row, { name: w.admin.language, children: /* @__PURE__ */ a(Segments, { label: w.admin.language, on: language.value, choices: [{ id: "en", name: "English" }, { id: "zh", name: "简体中文" }], onChoose: (id) => void setLanguage(id) }) }),
      /* @__PURE__ */ a(Row, { name: w.frame.theme, children: /* @__PURE__ */ a(Segments, { label: w.frame.theme, on: theme.value, choices: ["auto", "light", "dark"].map((id) => ({ id, name: w.admin.themes[id] })), onChoose: (id) => setTheme(id) }) }),
      /* @__PURE__ */ a(Row, { name: w.keys.density, children: /* @__PURE__ */ a(Segments, { label: w.keys.density, on: density.value, choices: ["compact", "regular", "roomy"].map((id) => ({ id, name: w.admin.densities[id] })), onChoose: (id) => setDensity(id) }) }),
      /* @__PURE__ */ a(Row, { name: w.keys.zone, children: /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a(Segments, { label: w.keys.zone, on: zone.value, choices: [{ id: "", name: Intl.DateTimeFormat().resolvedOptions().timeZone }, { id: "UTC", name: "UTC" }], onChoose: setZone }),
        " ",
        /* @__PURE__ */ a(ZoneChoice, {})
      ] }) }),
      /* @__PURE__ */ a(Row, { name: w.admin.range, children: /* @__PURE__ */ a(Segments, { label: w.admin.range, on: range.value, choices: RANGES.map(({ id }) => ({ id, name: w.ranges[id] })), onChoose: (id) => setRange(id) }) }),
      who && Object.keys(who.roles).length > 0 && /* @__PURE__ */ a(Row, { name: w.signIn.password, children: /* @__PURE__ */ a(Button, { small: true, onClick: askPassword, children: [
        w.people.password,
        "…"
      ] }) }),
      /* @__PURE__ */ a(Row, { name: w.admin.keys, children: /* @__PURE__ */ a("label", { class: "check-field", children: [
        /* @__PURE__ */ a("input", { type: "checkbox", checked: keys.value, onChange: () => setKeys(!keys.value) }),
        " ",
        w.admin.keysSays
      ] }) })
    ] }) }),
    /* @__PURE__ */ a(Panel, { title: w.admin.rights, note: who ? w.roles[who.role] : "", children: /* @__PURE__ */ a("div", { class: "body", children: [
      /* @__PURE__ */ a("p", { class: "tags", children: who?.permissions.map((one) => /* @__PURE__ */ a(Tag, { children: one }, one)) }),
      who?.expires_at && /* @__PURE__ */ a("p", { class: "dim", children: [
        w.admin.expires,
        " ",
        /* @__PURE__ */ a(Ago, { at: who.expires_at })
      ] })
    ] }) })
  ] });
}
function Row({ name, children }) {
  return /* @__PURE__ */ a("div", { class: "setting", children: [
    /* @__PURE__ */ a("span", { children: name }),
    children
  ] });
}
function ZoneChoice() {
  const w = words.value;
  return /* @__PURE__ */ a("select", { class: "input", "aria-label": w.keys.zone, value: zone.value === "UTC" ? "" : zone.value, onChange: (event) => setZone(event.currentTarget.value), children: [
    /* @__PURE__ */ a("option", { value: "", children: w.admin.otherZone }),
    Intl.supportedValuesOf("timeZone").map((name) => /* @__PURE__ */ a("option", { value: name, children: name.replaceAll("_", " ") }, name))
  ] });
}

// pages/cluster/words.ts
var n = (value) => count(Number(value ?? 0));
var cared = both(
  {
    database: "Database",
    lookedAt: "looked at",
    product: "product",
    size: "size",
    room: "room on its disk",
    connections: "connections",
    connectionsOf: (taken, most, busy, idle) => `${taken} of ${most}; this server's pool: ${busy} busy, ${idle} idle`,
    ownFile: "none but this server's: SQLite",
    durability: "a commit survives",
    classes: { sync: "the loss of the primary: it is on a standby before it is answered", async: "the loss of the primary, but for a standby's lag", single: "a crash of the machine, not the loss of its disk", unsafe: "not even a crash of the machine" },
    replication: "replication",
    lag: (seconds) => `the slowest standby is ${duration(seconds)} late`,
    noStandby: "no standby that may be seen",
    oldest: "oldest transaction",
    nobody: "none holds back vacuum",
    holds: (who, pid, seconds) => `${who}${pid && ` (pid ${pid})`} has kept dead rows for ${duration(seconds)}`,
    nameless: "a nameless application",
    prepared: (name) => `prepared transaction ${name}`,
    dead: "dead rows",
    hints: "queue of hints",
    full: (percent2) => `${percent2} % full`,
    slots: "slots without a reader",
    keeps: (name, bytes) => `${name} keeps ${size(bytes)} of the log`,
    lost: (name) => `${name} has lost its place in the log`,
    history: "history",
    days: (days) => `${days} days`,
    from: (oldest, newest) => `tables from ${oldest} to ${newest}`,
    leases: "leases",
    noSessions: "no executors",
    renewed: (sessions, oldest, lasts) => `${sessions} sessions, the oldest renewed ${duration(oldest)} ago; a lease lasts ${duration(lasts)}`,
    lapsed: (sessions) => `${sessions} have lapsed`,
    duties: "done for all",
    heldBy: (server) => `by ${server}`,
    heldByNobody: "by a server that is gone",
    until: "held until",
    day: "day",
    runs: "runs",
    estimated: "As the database estimated when it last looked at the table",
    drops: "drops on",
    partitions: (days, bytes) => `${days} days with tables, ${bytes}`,
    commit: "commit p99",
    commitSays: "99 of 100 writes to the database took no longer, in the last minute",
    loop: "loop delay",
    loopSays: "How late the event loop was at worst in the last minute",
    copyEnd: "Copy pg_terminate_backend",
    doctor: "Doctor",
    run: "Run now",
    checks: (all, bad) => bad === 0 ? `${all} checks, nothing to mend` : `${bad} of ${all} checks want somebody`,
    what: "What to do",
    grades: { ok: "good", warn: "look", fail: "mend" },
    names: { database: "database", schema: "schema", secrets: "secrets", durability: "durability", disk: "disk", connections: "connections", vacuum: "vacuum", slots: "slots", history: "history", "database clock": "clock of the database", servers: "servers", invariants: "invariants", postgresql: "PostgreSQL" },
    // In English the server's own sentences stand; these are for other languages.
    invariants: {},
    found: {},
    advice: {}
  },
  {
    database: "数据库",
    lookedAt: "查看于",
    product: "产品",
    size: "大小",
    room: "磁盘剩余",
    connections: "连接",
    connectionsOf: (taken, most, busy, idle) => `${taken} / ${most}；本服务器连接池：${busy} 个忙，${idle} 个空闲`,
    ownFile: "只有本服务器：SQLite",
    durability: "提交可经受",
    classes: { sync: "主库丢失：应答之前已写到备库", async: "主库丢失，但会少去备库的延迟部分", single: "机器崩溃，但经不起磁盘丢失", unsafe: "连机器崩溃也经不起" },
    replication: "复制",
    lag: (seconds) => `最慢的备库落后 ${duration(seconds)}`,
    noStandby: "看不到备库",
    oldest: "最久的事务",
    nobody: "没有事务阻碍清理",
    holds: (who, pid, seconds) => `${who}${pid && `（pid ${pid}）`}已使死行保留 ${duration(seconds)}`,
    nameless: "未具名的应用",
    prepared: (name) => `预备事务 ${name}`,
    dead: "死行",
    hints: "提示队列",
    full: (percent2) => `已用 ${percent2} %`,
    slots: "无人读取的复制槽",
    keeps: (name, bytes) => `${name} 保留了 ${size(bytes)} 日志`,
    lost: (name) => `${name} 已失去在日志中的位置`,
    history: "历史",
    days: (days) => `${days} 天`,
    from: (oldest, newest) => `分区表自 ${oldest} 至 ${newest}`,
    leases: "租约",
    noSessions: "没有执行器",
    renewed: (sessions, oldest, lasts) => `${sessions} 个会话，最久的在 ${duration(oldest)} 前续约；租约为 ${duration(lasts)}`,
    lapsed: (sessions) => `${sessions} 个已过期`,
    duties: "代全体执行",
    heldBy: (server) => `由 ${server} 执行`,
    heldByNobody: "其服务器已离开",
    until: "持有至",
    day: "日期",
    runs: "运行",
    estimated: "数据库上次查看该表时的估计",
    drops: "删除于",
    partitions: (days, bytes) => `${days} 天的分区表，共 ${bytes}`,
    commit: "提交 p99",
    commitSays: "最近一分钟内，100 次数据库写入中有 99 次不超过此时长",
    loop: "循环延迟",
    loopSays: "最近一分钟内事件循环最多迟到多久",
    copyEnd: "复制 pg_terminate_backend",
    doctor: "诊断",
    run: "立即诊断",
    checks: (all, bad) => bad === 0 ? `${all} 项检查，无需处理` : `${all} 项检查中有 ${bad} 项需要处理`,
    what: "怎么办",
    invariants: { "live_state": "活动运行处于等待、排队或运行中", "past_state": "历史中的运行都已结束", "one_place": "没有运行同时在活动表和历史中", "owner": "运行中的运行有会话和令牌，其他的没有", "owner_known": "运行所属的会话是已知的", "owner_open": "没有运行属于已不再回收的会话", "reclaimed": "已死会话的尝试都被收回", "leases": "租约过期的会话已被放弃", "deadlines": "无人处理的运行到期即结束", "hold": "等待中的运行说明所等之事", "flows": "工作流运行只在有流程时等待其步骤", "steps": "活动的步骤运行属于进行中的工作流运行", "moving": "进行中的工作流运行总有所等", "batches": "批次的计数与其运行相符", "waits": "等待时间、事件或批准的步骤能被其找到", "parked": "等待熔断器的运行能被其释放找到", "bookings": "没有执行器超出其资源和限额", "keys": "键能找到其运行", "marks": "标记能找到其运行", "payloads": "负载能找到其运行，活动运行能找到其负载", "dead_letters": "死信对应的运行已失败", "fires": "触发器最近一次触发对应其运行", "acts": "活动触发器的下次动作不晚于其下一触发时刻", "moves": "到时的触发器都已动作", "sweeps": "进行中的批量操作在推进", "backfills": "可创建运行的补跑在创建", "roll_up": "除最近片刻外，已结束的都已计数", "days": "今天和明天的历史有存放之处", "readable": "每一行都能读取，没有任务跳过它", "years": "所有时刻都在 1900 至 2999 年之间" },
    grades: { ok: "正常", warn: "留意", fail: "须修" },
    names: { database: "数据库", schema: "结构", secrets: "密钥", durability: "持久性", disk: "磁盘", connections: "连接", vacuum: "清理", slots: "复制槽", history: "历史", "database clock": "数据库时钟", servers: "服务器", invariants: "不变式", postgresql: "PostgreSQL" },
    found: {
      product: (v) => `${v.product} ${v.version}，${size(Number(v.size))}`,
      schema: () => "与此版本相符",
      sealed: () => "已加密，密钥齐全",
      no_secrets: () => "没有密钥",
      unsealed: () => "有些 Webhook 密钥未加密",
      locked: () => "有些 Webhook 密钥由此处没有的密钥加密：其调用方会被拒绝",
      too_old: (v) => `PostgreSQL ${v.version} 太旧`,
      setting: (v) => `${v.setting} 不是 ${v.value}`,
      commits_unsynced: () => "synchronous_commit 关闭：崩溃可能丢失刚接受的运行",
      commits_kept: (v) => `提交会保留（synchronous_commit ${v.commit}）`,
      connections: (v) => `已用 ${n(v.connections)} / ${n(v.most)}；一台服务器最多用 ${n(v.needed)} 个`,
      connections_few: (v) => `已用 ${n(v.connections)} / ${n(v.most)}；一台服务器最多用 ${n(v.needed)} 个`,
      vacuum_free: (v) => `未受阻碍，死行 ${n(v.dead)}`,
      vacuum_held: (v) => `${v.name || "未具名的应用"}${v.pid ? `（pid ${v.pid}）` : ""}已阻碍清理 ${duration(Number(v.seconds))}`,
      slots_idle: (v) => `${n(v.slots)} 个无人读取，保留的日志很少`,
      slot_keeps: (v) => `复制槽 ${v.slot} 无人读取，保留了 ${size(Number(v.kept))} 日志`,
      slot_lost: (v) => `复制槽 ${v.slot} 已失去在日志中的位置`,
      history: (v) => `自 ${v.oldest} 至 ${v.newest}`,
      history_ends: (v) => `${v.newest} 之后没有历史分区表`,
      history_late: (v) => `${v.oldest} 的历史仍在，已过期 ${n(v.late)} 天`,
      clock_apart: (v) => `与此处相差 ${duration(Number(v.seconds))}`,
      wal: () => "预写日志，每次提交都同步",
      journal: (v) => `journal_mode 为 ${v.mode}`,
      disk: (v) => `剩余 ${size(Number(v.room))}`,
      disk_low: (v) => `剩余 ${size(Number(v.room))}`,
      servers: (v) => `${n(v.servers)} 台在线，地址各不相同`,
      servers_shared: (v) => `${v.names} 使用同一地址 ${v.url}`,
      invariants: (v) => `${n(v.invariants)} 项全部成立`,
      invariant_broken: (v) => `不成立，例如 ${v.examples}`
    },
    advice: {
      unsealed: () => "更换它们：mainspring triggers secret NAME",
      locked: () => "让所有服务器使用相同的 secret_keys，或为这些 Webhook 更换密钥",
      too_old: (v) => `至少需要 ${v.least}`,
      setting: (v) => `将 ${v.setting} 设为 ${v.value}`,
      commits_unsynced: () => "将 synchronous_commit 设为 on，除非您接受此风险",
      connections_few: () => "提高 max_connections，降低 pool_size，或在中间使用 PgBouncer",
      vacuum_held: (v) => v.pid ? `结束该事务，或 SELECT pg_terminate_backend(${v.pid})` : `COMMIT PREPARED '${v.name}' 或 ROLLBACK PREPARED`,
      slot_keeps: (v) => `在磁盘写满之前启动其备库，或 SELECT pg_drop_replication_slot('${v.slot}')`,
      slot_lost: (v) => `重建其备库，或 SELECT pg_drop_replication_slot('${v.slot}')`,
      history_ends: () => "查看服务器日志中的 prune_history：多半是数据库角色不能建表或删表",
      history_late: () => "查看服务器日志中的 prune_history：多半是数据库角色不能建表或删表",
      clock_apart: () => "让它与时间服务器同步",
      journal: () => "服务器打开文件时会改为 wal",
      disk_low: () => "请腾出空间：磁盘写满后不能接受任何运行",
      servers_shared: () => "为每台设置自己的 advertise_url；若共用负载均衡，则不设并令 balance = false",
      invariant_broken: () => "保持数据库原样，附上示例报告此问题"
    }
  }
);

// pages/cluster/database.tsx
function Database() {
  const w = cared.value;
  const denied = refusal("database:read");
  const resource = useResource(denied ? null : "database", { every: 5e3 });
  const found = resource.data.value;
  return /* @__PURE__ */ a(Panel, { title: w.database, note: found && /* @__PURE__ */ a($, { children: [
    w.lookedAt,
    " ",
    /* @__PURE__ */ a(Ago, { at: found.looked_at })
  ] }), children: denied ? /* @__PURE__ */ a("p", { class: "body dim", children: denied }) : /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (one) => /* @__PURE__ */ a(Condition, { of: one }) }) });
}
function Condition({ of }) {
  const w = cared.value;
  const dead = Object.entries(of.dead_rows).filter(([, rows]) => rows > 0);
  const facts = [
    [w.product, `${of.product} ${of.version}`],
    [w.size, size(of.size)],
    [w.room, of.room === null ? null : size(of.room)],
    [w.connections, of.connections === null ? w.ownFile : /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Gauge, { taken: of.connections, room: of.connections_max ?? 0 }),
      w.connectionsOf(count(of.connections), count(of.connections_max ?? 0), count(of.pool?.busy ?? 0), count(of.pool?.idle ?? 0))
    ] })],
    [w.durability, /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Tag, { kind: of.durability === "unsafe" ? "bad" : "good", children: of.durability }),
      " ",
      w.classes[of.durability]
    ] })],
    [w.replication, of.replication_lag === null ? of.connections === null ? null : w.noStandby : w.lag(of.replication_lag)],
    [w.slots, of.slots.length === 0 ? null : of.slots.map((slot) => /* @__PURE__ */ a("div", { class: slot.lost ? "is-failed" : "", children: slot.lost ? w.lost(slot.name) : w.keeps(slot.name, slot.kept) }, slot.name))],
    [w.oldest, of.connections === null ? null : of.holder ? /* @__PURE__ */ a(Holds, { of: of.holder }) : w.nobody],
    [w.dead, of.connections === null ? null : /* @__PURE__ */ a($, { children: [
      count(dead.reduce((sum, [, rows]) => sum + rows, 0)),
      dead.length > 0 && /* @__PURE__ */ a("span", { class: "dim", children: [
        " ",
        dead.map(([table, rows]) => `${table} ${count(rows)}`).join(" · ")
      ] })
    ] })],
    [w.hints, of.connections === null ? null : w.full(percent(of.notify_queue))],
    [w.leases, /* @__PURE__ */ a(Leases, { of: of.leases }, "leases")],
    [w.duties, of.duties.length === 0 ? null : of.duties.map((one) => /* @__PURE__ */ a("div", { children: [
      /* @__PURE__ */ a("code", { children: one.duty }),
      " ",
      one.server ? w.heldBy(one.server) : w.heldByNobody,
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: [
        w.until,
        " ",
        /* @__PURE__ */ a(Ago, { at: one.until })
      ] })
    ] }, one.duty))],
    [w.history, /* @__PURE__ */ a($, { children: [
      w.days(count(of.retention_days)),
      of.oldest_day && of.newest_day && /* @__PURE__ */ a("span", { class: "dim", children: [
        " ",
        w.from(of.oldest_day, of.newest_day)
      ] })
    ] })]
  ];
  return /* @__PURE__ */ a("div", { class: "body", children: [
    /* @__PURE__ */ a("dl", { class: "facts wide-facts", children: facts.filter(([, value]) => value !== null).map(([name, value]) => [/* @__PURE__ */ a("dt", { children: name }, name), /* @__PURE__ */ a("dd", { children: value }, `${name}-is`)]) }),
    of.days.some((day) => day.size !== null) && /* @__PURE__ */ a(Days, { of: of.days })
  ] });
}
function Leases({ of }) {
  const w = cared.value;
  const lapsed = of.ages.at(-1) ?? 0;
  const all = of.ages.reduce((sum, sessions) => sum + sessions, 0);
  if (of.oldest === null) return /* @__PURE__ */ a("span", { class: "dim", children: w.noSessions });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("span", { "aria-hidden": "true", children: blocks(of.ages) }),
    " ",
    w.renewed(count(all), of.oldest, of.lasts),
    lapsed > 0 && /* @__PURE__ */ a("span", { class: "is-waiting", children: [
      " ",
      /* @__PURE__ */ a(Icon, { name: "warn" }),
      " ",
      w.lapsed(count(lapsed))
    ] })
  ] });
}
function Days({ of }) {
  const w = cared.value;
  const total = of.reduce((sum, day) => sum + (day.size ?? 0), 0);
  const columns4 = [
    { id: "day", name: w.day, cell: (one) => one.day },
    { id: "rows", name: w.runs, title: w.estimated, num: true, cell: (one) => one.rows === null ? /* @__PURE__ */ a("span", { class: "dim", children: "–" }) : count(one.rows) },
    { id: "size", name: w.size, num: true, cell: (one) => one.size === null ? "–" : size(one.size) },
    { id: "drops", name: w.drops, num: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.drops_on }) }
  ];
  return /* @__PURE__ */ a("details", { children: [
    /* @__PURE__ */ a("summary", { children: w.partitions(count(of.length), size(total)) }),
    /* @__PURE__ */ a(Table, { label: w.history, rows: of.toReversed(), columns: columns4, keyOf: (one) => one.day })
  ] });
}
function Holds({ of }) {
  const w = cared.value;
  const who = of.kind === "prepared" ? w.prepared(of.name) : of.name || w.nameless;
  const says = w.holds(who, of.pid === null ? "" : String(of.pid), of.seconds);
  if (!of.is_trouble) return /* @__PURE__ */ a("span", { class: "dim", children: says });
  return /* @__PURE__ */ a("span", { class: "is-waiting", children: [
    /* @__PURE__ */ a(Icon, { name: "warn" }),
    " ",
    says,
    " ",
    of.user && /* @__PURE__ */ a("span", { class: "dim", children: [of.user, of.state].filter(Boolean).join(", ") }),
    " ",
    of.pid !== null && /* @__PURE__ */ a(Button, { small: true, icon: "copy", onClick: () => copy(`SELECT pg_terminate_backend(${of.pid});`), children: w.copyEnd })
  ] });
}

// pages/cluster/doctor.tsx
var ORDER = ["fail", "warn", "ok"];
var LOOKS = { fail: ["is-failed", "x"], warn: ["is-waiting", "warn"], ok: ["is-succeeded", "check"] };
function Doctor() {
  const w = cared.value;
  const denied = refusal("database:read");
  const resource = useResource(denied ? null : "doctor", { every: 6e4 });
  const found = resource.data.value;
  const bad = found?.findings.filter((one) => one.grade !== "ok").length ?? 0;
  return /* @__PURE__ */ a(
    Panel,
    {
      title: w.doctor,
      note: found && /* @__PURE__ */ a($, { children: [
        w.checks(found.findings.length, bad),
        " · ",
        /* @__PURE__ */ a(Ago, { at: found.looked_at })
      ] }),
      more: /* @__PURE__ */ a(Button, { small: true, icon: "retry", refused: denied, onClick: () => reread(resource), children: w.run }),
      children: denied ? /* @__PURE__ */ a("p", { class: "body dim", children: denied }) : /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: ({ findings }) => /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("table", { class: "invariants", "aria-label": w.doctor, children: /* @__PURE__ */ a("tbody", { children: [...findings].sort((one, other) => ORDER.indexOf(one.grade) - ORDER.indexOf(other.grade)).map((one) => /* @__PURE__ */ a(Line, { of: one }, `${one.check} ${one.found}`)) }) }),
        /* @__PURE__ */ a("details", { class: "as-command body", children: [
          /* @__PURE__ */ a("summary", { children: words.value.asCommand }),
          /* @__PURE__ */ a(Command, { line: "mainspring doctor" })
        ] })
      ] }) })
    }
  );
}
function Line({ of }) {
  const w = cared.value;
  const [tone, icon] = LOOKS[of.grade] ?? LOOKS.warn;
  const advice = w.advice[of.code]?.(of.values) ?? of.advice;
  return /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("span", { class: tone, title: w.grades[of.grade], children: [
      /* @__PURE__ */ a(Icon, { name: icon }),
      /* @__PURE__ */ a("span", { class: "away", children: w.grades[of.grade] })
    ] }) }),
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: w.names[of.check] ?? of.check }) }),
    /* @__PURE__ */ a("td", { class: "wide", children: /* @__PURE__ */ a("span", { class: of.grade === "ok" ? "dim" : "", children: w.found[of.code]?.(of.values) ?? of.found }) }),
    /* @__PURE__ */ a("td", { class: "advice", children: advice })
  ] });
}

// pages/cluster/cluster.tsx
function Cluster() {
  const w = words.value;
  const ready = useResource("/readyz", { every: 5e3 });
  const version = useResource("/version", { every: 6e4 });
  const invariants = useResource("invariants", { every: 3e4 });
  const executors = useResource("executors?limit=200", { every: 5e3 }).data.value?.executors ?? [];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w.pages.cluster, beside: ready.data.value && /* @__PURE__ */ a(Tag, { kind: ready.data.value.ready ? "good" : "bad", children: ready.data.value.ready ? w.cluster.ready : w.cluster.notReady }) }),
    /* @__PURE__ */ a("div", { class: "columns two even", children: [
      /* @__PURE__ */ a(Panel, { title: w.cluster.server, children: /* @__PURE__ */ a("div", { class: "body", children: /* @__PURE__ */ a(Shown, { of: version, children: (found) => /* @__PURE__ */ a("dl", { class: "facts wide-facts", children: [
        /* @__PURE__ */ a("dt", { children: w.jobs.version }),
        /* @__PURE__ */ a("dd", { children: found.version ?? "–" }),
        /* @__PURE__ */ a("dt", { children: "Python" }),
        /* @__PURE__ */ a("dd", { children: found.python ?? "–" }),
        /* @__PURE__ */ a("dt", { children: w.cluster.protocol }),
        /* @__PURE__ */ a("dd", { children: found.protocol ?? "–" }),
        /* @__PURE__ */ a("dt", { children: w.cluster.state }),
        /* @__PURE__ */ a("dd", { children: ready.data.value?.reason || (ready.data.value?.ready ? w.cluster.ready : "–") }),
        /* @__PURE__ */ a("dt", { children: w.cluster.stream }),
        /* @__PURE__ */ a("dd", { children: condition.value })
      ] }) }) }) }),
      /* @__PURE__ */ a(Database, {})
    ] }),
    /* @__PURE__ */ a(Servers, { executors }),
    /* @__PURE__ */ a(Doctor, {}),
    /* @__PURE__ */ a(Panel, { title: w.cluster.invariants, note: invariants.data.value ? w.cluster.hold(invariants.data.value.invariants.filter((one) => one.holds).length, invariants.data.value.invariants.length) : void 0, children: /* @__PURE__ */ a(Shown, { of: invariants, rows: 8, children: ({ invariants: found }) => /* @__PURE__ */ a("table", { class: "invariants", children: /* @__PURE__ */ a("tbody", { children: [...found].sort((one, other) => Number(one.holds) - Number(other.holds)).map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("span", { class: one.holds ? "is-succeeded" : "is-failed", children: /* @__PURE__ */ a(Icon, { name: one.holds ? "check" : "x" }) }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: one.name }) }),
      /* @__PURE__ */ a("td", { class: "wide dim", children: cared.value.invariants[one.name] ?? one.says }),
      /* @__PURE__ */ a("td", { children: one.examples.slice(0, 3).map((example) => /* @__PURE__ */ a("code", { children: [
        example,
        " "
      ] }, example)) })
    ] }, one.name)) }) }) }) })
  ] });
}
function Servers({ executors }) {
  const w = words.value;
  const resource = useResource("servers", { every: 5e3 });
  const slots = (server) => executors.filter((one) => one.server === server).flatMap((one) => one.pools).reduce((sum, pool) => sum + pool.max, 0);
  const columns4 = [
    { id: "name", name: w.executors.server, cell: (one) => /* @__PURE__ */ a("b", { title: one.url, children: one.name }) },
    { id: "state", name: w.runs.state, cell: (one) => /* @__PURE__ */ a(Tag, { kind: one.state === "live" ? "good" : "warn", children: one.state }) },
    { id: "version", name: w.jobs.version, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.version }) },
    { id: "zone", name: w.cluster.zone, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.zone || "–" }), minor: true },
    { id: "executors", name: w.cluster.executors, num: true, cell: (one) => /* @__PURE__ */ a("a", { class: "plain", href: link("executors"), children: count(one.executors) }) },
    { id: "slots", name: w.queues.slots, num: true, cell: (one) => count(slots(one.name)) },
    { id: "since", name: w.executors.since, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.joined_at }), minor: true },
    { id: "commit", name: cared.value.commit, title: cared.value.commitSays, num: true, cell: (one) => timed(one.commit_p99, 0.1), minor: true },
    { id: "loop", name: cared.value.loop, title: cared.value.loopSays, num: true, cell: (one) => timed(one.loop_delay, 0.25), minor: true },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(ServerActs, { of: one }) }
  ];
  return /* @__PURE__ */ a(Panel, { title: w.cluster.servers, note: w.cluster.serversNote, children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ servers }) => /* @__PURE__ */ a(Table, { label: w.cluster.servers, rows: servers, columns: columns4, keyOf: (one) => one.name }) }) });
}
var timed = (seconds, most) => seconds == null ? /* @__PURE__ */ a("span", { class: "dim", children: "–" }) : /* @__PURE__ */ a("span", { class: seconds > most ? "is-waiting" : "", children: duration(seconds) });
function ServerActs({ of }) {
  const w = words.value;
  const denied = refusal("servers:steer");
  const act = (what, reason = "") => post(`servers/${part(of.name)}/${what}`, { reason }).then(outdateAll);
  if (of.state.startsWith("drain")) return /* @__PURE__ */ a(Button, { small: true, icon: "play", refused: denied, onClick: () => void act("resume").catch(tellRefusal), children: w.queues.resume });
  const ask = () => askFor({
    title: w.cluster.askDrain(of.name),
    says: w.cluster.drainSays,
    confirm: w.executors.drain,
    danger: true,
    command: (reason) => `mainspring servers drain ${quoted(of.name)}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      await act("drain", reason);
      toast({ text: w.cluster.drained(of.name), act: { name: w.undo, run: () => act("resume") } });
    }
  });
  return /* @__PURE__ */ a(Button, { small: true, icon: "drain", refused: denied, onClick: ask, children: [
    w.executors.drain,
    "…"
  ] });
}
export {
  Admin,
  Cluster
};
