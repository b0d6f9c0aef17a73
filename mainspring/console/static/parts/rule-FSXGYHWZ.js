import {
  condition
} from "./chunk-LGQ7AXBZ.js";
import {
  $,
  Ago,
  Button,
  Command,
  Failed,
  Field,
  Head,
  Icon,
  Modal,
  Panel,
  Segments,
  Shown,
  Table,
  Tabs,
  Tag,
  a,
  address,
  askFor,
  asked,
  count,
  density,
  grant,
  keys,
  language,
  link,
  linkWith,
  outdateAll,
  parseDuration,
  part,
  patch,
  post,
  put,
  quoted,
  refusal,
  remove,
  setDensity,
  setKeys,
  setLanguage,
  setTheme,
  setZone,
  tellRefusal,
  theme,
  toast,
  useResource,
  useSignal,
  words,
  zone
} from "./chunk-APZI2BBS.js";

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
      /* @__PURE__ */ a("th", { class: "num", children: w.runs.created }),
      /* @__PURE__ */ a("th", { children: /* @__PURE__ */ a("span", { class: "away", children: w.actsColumn }) })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: namespaces.map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: address(one.name, ["overview"]), children: one.name }) }),
      /* @__PURE__ */ a("td", { class: "wide dim", children: one.description }),
      /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: one.created_at }) }),
      /* @__PURE__ */ a("td", { children: one.name !== "default" && /* @__PURE__ */ a(Button, { small: true, kind: "danger", icon: "trash", refused: refusal("namespaces:write"), onClick: () => askDelete2(one.name), children: [
        w.jobs.remove,
        "…"
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

// pages/cluster.tsx
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
      /* @__PURE__ */ a(Servers, { executors })
    ] }),
    /* @__PURE__ */ a(Panel, { title: w.cluster.invariants, note: invariants.data.value ? w.cluster.hold(invariants.data.value.invariants.filter((one) => one.holds).length, invariants.data.value.invariants.length) : void 0, children: /* @__PURE__ */ a(Shown, { of: invariants, rows: 8, children: ({ invariants: found }) => /* @__PURE__ */ a("table", { class: "invariants", children: /* @__PURE__ */ a("tbody", { children: [...found].sort((one, other) => Number(one.holds) - Number(other.holds)).map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("span", { class: one.holds ? "is-succeeded" : "is-failed", children: /* @__PURE__ */ a(Icon, { name: one.holds ? "check" : "x" }) }) }),
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: one.name }) }),
      /* @__PURE__ */ a("td", { class: "wide dim", children: one.says }),
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
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(ServerActs, { of: one }) }
  ];
  return /* @__PURE__ */ a(Panel, { title: w.cluster.servers, note: w.cluster.serversNote, children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ servers }) => /* @__PURE__ */ a(Table, { label: w.cluster.servers, rows: servers, columns: columns4, keyOf: (one) => one.name }) }) });
}
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
