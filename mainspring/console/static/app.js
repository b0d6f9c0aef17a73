import {
  beats,
  condition,
  lostSince,
  startStream
} from "./parts/chunk-MBWDHAZS.js";
import {
  Log
} from "./parts/chunk-3XXHR6W3.js";
import {
  OVERVIEW_EVERY,
  Overview,
  SETTLED,
  drainsIn,
  settled
} from "./parts/chunk-NR6Z6OU7.js";
import {
  Menu,
  MenuItem,
  Runs,
  StartDialog,
  Strip,
  askChange,
  canChange,
  secondsOf,
  startRun,
  toFront,
  waitOf
} from "./parts/chunk-DPIERHAX.js";
import {
  useWidth
} from "./parts/chunk-7FLTJP2Q.js";
import {
  member,
  parseExact,
  writeExact
} from "./parts/chunk-HQEIUNT4.js";
import {
  Ago,
  Button,
  ButtonLink,
  Command,
  Dialogs,
  Empty,
  FINAL,
  Forms,
  Head,
  Icon,
  Id,
  Modal,
  Moment,
  Panel,
  Shown,
  Sprite,
  State,
  StateIcon,
  Tabs,
  Tag,
  Toasts,
  Waiting,
  askFor,
  copy,
  forgetAll,
  grant,
  outdateAll,
  paused,
  readAhead,
  refusal,
  startTending,
  tellRefusal,
  toast,
  useResource,
  useTitle
} from "./parts/chunk-IBKJQSZ2.js";
import {
  O,
  Refusal,
  address,
  asked,
  call,
  clockOffset,
  count,
  density,
  duration,
  enter,
  followLinks,
  get,
  go,
  isDark,
  keys,
  language,
  leave,
  link,
  linkWith,
  loadLanguage,
  namespace,
  nextZone,
  now,
  page,
  part,
  percent,
  person,
  place,
  post,
  put,
  query,
  relative,
  setDensity,
  setLanguage,
  setQuery,
  setTheme,
  shortId,
  signedIn,
  startClock,
  useSignal,
  useSignalEffect,
  words,
  y,
  zone,
  zoned
} from "./parts/chunk-K2CDJBIM.js";
import {
  a
} from "./parts/chunk-SNVQWMQR.js";
import {
  $,
  A,
  F,
  Q,
  T,
  w
} from "./parts/chunk-DPBHMWAZ.js";

// live/enter.ts
async function recognise() {
  try {
    const { data } = await call("GET", "whoami", { placeless: true });
    const home = homeOf(data);
    if (home !== namespace.value) go(address(home, ["overview"]), { replace: true });
    if (person.peek() !== "" && person.peek() !== data.name) forgetAll();
    enter(data.name, data.csrf);
    grant.value = data;
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return false;
    throw error;
  }
}
function homeOf(who) {
  const wanted = place.peek().namespace || "default";
  if (who.namespace === "*" || "*" in who.roles || wanted in who.roles || wanted === who.namespace) return wanted;
  return who.namespace;
}
async function signOut() {
  await call("DELETE", "sign-in").catch(() => void 0);
  leave();
  forgetAll();
}

// frame/pages.ts
var PAGES = [
  { id: "overview", icon: "overview", group: "work", key: "o" },
  { id: "runs", icon: "runs", group: "work", key: "r" },
  { id: "jobs", icon: "jobs", group: "work", key: "j" },
  { id: "triggers", icon: "triggers", group: "work", key: "t" },
  { id: "workflows", icon: "workflows", group: "work", key: "w" },
  { id: "batches", icon: "runs", group: "work", key: "h" },
  { id: "failures", icon: "failures", group: "work", key: "f" },
  { id: "queues", icon: "queues", group: "fleet", key: "q" },
  { id: "executors", icon: "executors", group: "fleet", key: "x" },
  { id: "limits", icon: "shield", group: "fleet", key: "l" },
  { id: "breakers", icon: "breakers", group: "fleet", key: "k" },
  { id: "alerts", icon: "alerts", group: "fleet", key: "e" },
  { id: "cluster", icon: "cluster", group: "fleet", key: "c" },
  { id: "calendars", icon: "calendar", group: "rules", key: "d" },
  { id: "backfills", icon: "backfill", group: "rules", key: "b" },
  { id: "audit", icon: "audit", group: "rules", key: "u" },
  { id: "admin", icon: "admin", group: "rules", key: "a" }
];

// parts/keys.ts
var given = y([]);
var CHORD = 5e3;
var NO_CHORD = -Infinity;
var chord = NO_CHORD;
function useKeys(acts) {
  const newest = T(acts);
  newest.current = acts;
  F(() => {
    given.value = [...given.peek(), newest];
    return () => {
      given.value = given.peek().filter((one) => one !== newest);
    };
  }, []);
}
var shownKeys = O(() => given.value.flatMap((one) => one.current));
function startKeys(everywhere2, openPalette) {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return openPalette();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || types(event.target) || !keys.peek() || document.querySelector("dialog[open]")) return;
    const pressed = event.timeStamp - chord < CHORD ? `g ${event.key}` : event.key;
    chord = event.key === "g" && pressed === "g" ? event.timeStamp : NO_CHORD;
    const found = given.peek().flatMap((one) => one.current).reverse().find((one) => one.key === pressed) ?? everywhere2.find((one) => one.key === pressed);
    if (found) {
      event.preventDefault();
      found.run();
    } else if (walk(event.key) || walkLater(event.key)) {
      event.preventDefault();
    }
  });
}
function types(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isBox(target);
}
var isBox = (target) => target instanceof HTMLInputElement && target.type === "checkbox";
function walk(key) {
  const rows = [...document.querySelectorAll("main tbody tr[data-key]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const step = key === "j" || key === "ArrowDown" ? 1 : key === "k" || key === "ArrowUp" ? -1 : 0;
  const arrow = key.startsWith("Arrow");
  if (step !== 0 && rows.length > 0 && (at >= 0 || !arrow)) {
    focusRow(rows[Math.max(0, Math.min(rows.length - 1, at + step))]);
    return true;
  }
  if (key === "x" && at >= 0) {
    rows[at]?.querySelector("input[type=checkbox]")?.click();
    return true;
  }
  const peek = at >= 0 ? rows[at]?.dataset["peek"] : void 0;
  if (key === " " && peek && !(document.activeElement instanceof HTMLButtonElement)) {
    dispatchEvent(new CustomEvent("peek", { detail: peek }));
    return true;
  }
  return false;
}
var OF_LISTS = ["j", "k", "x", " "];
var later = [];
function walkLater(key) {
  const main = document.querySelector("main");
  if (!main || !OF_LISTS.includes(key) || document.activeElement instanceof HTMLButtonElement || !isToCome(main)) return false;
  later.push(key);
  if (later.length > 1) return true;
  const watch = new MutationObserver(() => {
    if (isToCome(main)) return;
    watch.disconnect();
    const pressed = later;
    later = [];
    pressed.forEach(walk);
  });
  watch.observe(main, { childList: true, subtree: true });
  return true;
}
var isToCome = (main) => main.isConnected && !main.querySelector("tbody tr[data-key]") && main.querySelector("[aria-busy=true]") !== null;
function focusRow(row) {
  row?.querySelector("td:not(.check) a, td:not(.check) button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

// parts/palette.tsx
var MOST = 5;
var WAIT = 80;
var RUN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
var paletteOpen = y(false);
function Palette() {
  return paletteOpen.value ? /* @__PURE__ */ a(PaletteBox, {}) : null;
}
function PaletteBox() {
  const w2 = words.value;
  const text = useSignal("");
  const remote = useSignal([]);
  const at = useSignal(0);
  const list = T(null);
  useSignalEffect(() => {
    const wanted = text.value.trim();
    at.value = 0;
    if (RUN_ID.test(wanted)) {
      close();
      go(link("runs", wanted.toLowerCase()));
      return;
    }
    const ending = new AbortController();
    const timer = setTimeout(() => void search(wanted, ending.signal).then((found2) => remote.value = found2, () => {
    }), WAIT);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  });
  const found = [...remote.value, ...local(text.value)];
  const choose = (one) => {
    if (!one) return;
    close();
    one.run();
  };
  const onKey = (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      at.value = (at.value + step + found.length) % Math.max(1, found.length);
      list.current?.querySelector(`#found-${at.value}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(found[at.value]);
    }
  };
  return /* @__PURE__ */ a(Modal, { title: w2.palette.title, onClose: close, children: /* @__PURE__ */ a("div", { class: "palette", children: [
    /* @__PURE__ */ a("div", { class: "ask", children: [
      /* @__PURE__ */ a(Icon, { name: "find" }),
      /* @__PURE__ */ a(
        "input",
        {
          autoFocus: true,
          role: "combobox",
          "aria-label": w2.palette.title,
          "aria-expanded": "true",
          "aria-controls": "palette-list",
          "aria-activedescendant": found.length > 0 ? `found-${at.value}` : void 0,
          placeholder: w2.palette.placeholder,
          value: text.value,
          onInput: (event) => text.value = event.currentTarget.value,
          onKeyDown: onKey
        }
      )
    ] }),
    /* @__PURE__ */ a("ul", { id: "palette-list", role: "listbox", "aria-label": w2.palette.title, ref: list, children: [
      found.map((one, place2) => /* @__PURE__ */ a(
        "li",
        {
          id: `found-${place2}`,
          role: "option",
          "aria-selected": place2 === at.value,
          onMouseMove: () => at.value = place2,
          onClick: () => choose(one),
          children: [
            /* @__PURE__ */ a("span", { class: "caps", children: found[place2 - 1]?.group === one.group ? "" : one.group }),
            /* @__PURE__ */ a(Icon, { name: one.icon }),
            /* @__PURE__ */ a("span", { class: "grow cut", children: one.name }),
            /* @__PURE__ */ a("span", { class: "faint", children: one.note })
          ]
        },
        `${one.group}:${one.name}:${place2}`
      )),
      found.length === 0 && /* @__PURE__ */ a("li", { class: "none", children: w2.palette.none })
    ] })
  ] }) });
}
function close() {
  paletteOpen.value = false;
}
function local(text) {
  const w2 = words.value;
  const wanted = text.trim().toLowerCase();
  const names = w2.pages;
  const pages = PAGES.map(({ id, icon, key }) => ({ group: w2.palette.go, icon, name: names[id] ?? id, note: key ? `g ${key}` : "", run: () => go(link(id)) }));
  const acts = shownKeys.value.map((one) => ({ group: w2.palette.act, icon: "play", name: one.name, note: one.key, run: one.run }));
  const matching = [...acts, ...pages].filter((one) => one.name.toLowerCase().includes(wanted));
  return wanted === "" ? matching : matching.slice(0, 2 * MOST);
}
var KINDS = {
  run: { page: "runs", icon: "runs" },
  job: { page: "jobs", icon: "jobs" },
  workflow: { page: "workflows", icon: "workflows" },
  trigger: { page: "triggers", icon: "triggers" },
  queue: { page: "queues", icon: "queues" },
  executor: { page: "executors", icon: "executors" }
};
async function search(wanted, signal) {
  if (wanted.length < 2) return [];
  const { data } = await get(query("search", { q: wanted }), { signal });
  return data.found.map(foundOf);
}
function foundOf({ kind, name, note }) {
  const { page: page2, icon } = KINDS[kind] ?? { page: "runs", icon: "runs" };
  const [job = "", state = ""] = (note ?? "").split(" ");
  const states = words.value.states;
  const isRun = kind === "run";
  return { group: words.value.pages[page2], icon, name: isRun ? `${job} …${name.slice(-8)}` : name, note: isRun ? states[state] ?? state : note ?? "", run: () => go(link(page2, name)) };
}

// frame/banner.tsx
function Banner() {
  const w2 = words.value;
  const overview = useResource("overview", { every: OVERVIEW_EVERY });
  const broken = useResource(refusal("invariants:read") ? null : "invariants", { every: 6e4 }).data.value?.invariants.filter((one) => !one.holds) ?? [];
  const [seen, error] = [overview.data.value, overview.error.value];
  if (error && seen && error.status !== 401) {
    return /* @__PURE__ */ a("div", { class: "banner is-failed", role: "alert", children: [
      /* @__PURE__ */ a(Icon, { name: "warn" }),
      " ",
      /* @__PURE__ */ a("b", { children: error.status === 0 ? w2.errors.unreachable : w2.errors.failed }),
      " ",
      error.status !== 0 && /* @__PURE__ */ a("span", { class: "dim", children: error.message }),
      /* @__PURE__ */ a("span", { class: "dim", children: [
        w2.banner.shownOf,
        " ",
        /* @__PURE__ */ a(Ago, { at: seen.taken_at })
      ] })
    ] });
  }
  if (broken.length > 0) {
    return /* @__PURE__ */ a("div", { class: "banner is-failed", role: "alert", children: [
      /* @__PURE__ */ a(Icon, { name: "warn" }),
      " ",
      /* @__PURE__ */ a("b", { children: w2.banner.broken(broken.length) }),
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: broken.map((one) => `${one.name}: ${one.examples.slice(0, 2).join(", ")}`).join("; ") }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a("a", { class: "link", href: link("cluster"), children: w2.pages.cluster })
    ] });
  }
  if (seen?.maintenance.paused) return /* @__PURE__ */ a(Stopped, { says: w2.banner.maintenance, of: seen.maintenance, onEnd: () => put("maintenance", { on: false }) });
  if (seen?.pause.paused) return /* @__PURE__ */ a(Stopped, { says: w2.banner.paused, of: seen.pause, onEnd: () => post(`namespaces/${part(namespace.value)}/resume`, {}) });
  return null;
}
function Stopped({ says, of, onEnd }) {
  return /* @__PURE__ */ a("div", { class: "banner is-waiting", role: "status", children: [
    /* @__PURE__ */ a(Icon, { name: "pause" }),
    " ",
    /* @__PURE__ */ a("b", { children: says }),
    " ",
    /* @__PURE__ */ a("span", { class: "dim", children: [
      of.by,
      " · ",
      /* @__PURE__ */ a(Ago, { at: of.since }),
      " ",
      of.reason && `“${of.reason}”`
    ] }),
    /* @__PURE__ */ a("span", { class: "grow" }),
    /* @__PURE__ */ a(Button, { small: true, icon: "play", refused: refusal("namespaces:write"), onClick: () => void onEnd().then(outdateAll, tellRefusal), children: words.value.banner.end })
  ] });
}

// frame/wall.ts
var TURN = 2e4;
var isWall = () => asked("wall") === "1";
function useWall(names) {
  const on = isWall();
  A(() => {
    if (!on || names.length < 2) return;
    const timer = setInterval(() => {
      const next = names[(names.indexOf(namespace.peek()) + 1) % names.length];
      if (next) go(address(next, place.peek().parts, { wall: "1" }));
    }, TURN);
    return () => clearInterval(timer);
  }, [on, names.join(" ")]);
}

// frame/frame.tsx
var VIEWS_SHOWN = 12;
var VIEWS_COUNTED = 4;
var TYPED_FROM = 8;
function Frame({ who, children }) {
  const railOpen = useSignal(false);
  const known = useResource(isWall() ? "namespaces" : null, { every: 6e4 }).data.value?.namespaces ?? [];
  useWall(known.map(({ name }) => name));
  return /* @__PURE__ */ a("div", { class: `frame ${railOpen.value ? "rail-open" : ""} ${isWall() ? "wall" : ""}`, children: [
    /* @__PURE__ */ a("a", { class: "skip", href: "#main", onClick: (event) => skip(event), children: words.value.frame.skip }),
    /* @__PURE__ */ a("header", { class: "top", children: [
      /* @__PURE__ */ a("a", { class: "brand", href: link("overview"), children: [
        /* @__PURE__ */ a("svg", { "aria-hidden": "true", children: /* @__PURE__ */ a("use", { href: "#spring" }) }),
        /* @__PURE__ */ a("span", { children: "Mainspring" })
      ] }),
      /* @__PURE__ */ a("div", { class: "bar", children: [
        /* @__PURE__ */ a(Button, { small: true, icon: "menu", label: words.value.frame.menu, onClick: () => railOpen.value = !railOpen.value, pressed: railOpen.value }),
        /* @__PURE__ */ a(NamespaceMenu, {}),
        /* @__PURE__ */ a("button", { type: "button", class: "find", onClick: () => paletteOpen.value = true, children: [
          /* @__PURE__ */ a(Icon, { name: "find" }),
          /* @__PURE__ */ a("span", { class: "grow cut", children: words.value.frame.find }),
          /* @__PURE__ */ a("kbd", { children: "Ctrl K" })
        ] }),
        /* @__PURE__ */ a("span", { class: "grow" }),
        /* @__PURE__ */ a(Live, {}),
        /* @__PURE__ */ a(Clock, {}),
        /* @__PURE__ */ a(Button, { icon: "theme", label: words.value.frame.theme, onClick: () => setTheme(isDark() ? "light" : "dark") }),
        /* @__PURE__ */ a(Who, { who })
      ] })
    ] }),
    /* @__PURE__ */ a(Rail, { onGo: () => railOpen.value = false }),
    /* @__PURE__ */ a("main", { id: "main", children: [
      /* @__PURE__ */ a(Banner, {}),
      children
    ] })
  ] });
}
function skip(event) {
  event.preventDefault();
  document.querySelector("main h1")?.focus();
}
function Rail({ onGo }) {
  const w2 = words.value;
  const names = w2.pages;
  const groups = [["work", ""], ["fleet", w2.frame.fleet], ["rules", w2.frame.rules]];
  const counts = useRailCounts();
  return /* @__PURE__ */ a("nav", { class: "rail", "aria-label": w2.frame.pages, onClick: onGo, children: [
    groups.map(([group, title]) => /* @__PURE__ */ a("div", { children: [
      title && /* @__PURE__ */ a("span", { class: "caps", children: title }),
      PAGES.filter((one) => one.group === group).map((one) => /* @__PURE__ */ a(RailLink, { entry: one, name: names[one.id] ?? one.id, number: counts[one.id] }, one.id))
    ] }, group)),
    /* @__PURE__ */ a(SavedViews, {})
  ] });
}
function SavedViews() {
  const w2 = words.value;
  const found = useResource(settled.value ? "views" : null, { every: 6e4 }).data.value?.views ?? [];
  if (found.length === 0) return null;
  const on = page.value === "runs" ? asked("q") : null;
  return /* @__PURE__ */ a("div", { children: [
    /* @__PURE__ */ a("span", { class: "caps", children: w2.views.saved }),
    found.slice(0, VIEWS_SHOWN).map((one, place2) => /* @__PURE__ */ a(ViewLink, { of: one, on: on === one.q, counted: place2 < VIEWS_COUNTED }, `${one.shared} ${one.name}`))
  ] });
}
function ViewLink({ of, on, counted }) {
  const found = useResource(counted ? query("runs/count", { q: of.q }) : null, { every: 3e4 }).data.value;
  return /* @__PURE__ */ a("a", { href: linkWith({ q: of.q }, "runs"), title: of.q, "aria-current": on ? "page" : void 0, children: [
    /* @__PURE__ */ a(Icon, { name: of.shared ? "globe" : "star" }),
    /* @__PURE__ */ a("span", { class: "name cut", children: of.name }),
    found && /* @__PURE__ */ a("span", { children: count(found.count, !found.is_complete) })
  ] });
}
function RailLink({ entry, name, number }) {
  return /* @__PURE__ */ a("a", { href: link(entry.id), "aria-current": page.value === entry.id ? "page" : void 0, children: [
    /* @__PURE__ */ a(Icon, { name: entry.icon }),
    /* @__PURE__ */ a("span", { class: "name", children: name }),
    number && /* @__PURE__ */ a("span", { class: number.needs ? "needs" : "", children: number.text })
  ] });
}
function useRailCounts() {
  const seen = useResource("overview", { every: OVERVIEW_EVERY }).data.value;
  if (!seen) return {};
  const { findings, findings_more, totals } = seen;
  const open = findings.filter((one) => one.kind === "breaker_open").length;
  const fires = findings.filter((one) => one.alert !== "" && one.acked_by === "").length;
  const needing = (number, capped = false) => number > 0 ? { text: count(number, capped), needs: true } : void 0;
  return {
    overview: needing(findings.length + findings_more),
    workflows: needing(seen.approvals.length, seen.approvals_more),
    breakers: needing(open),
    alerts: needing(fires),
    runs: totals.running ? { text: count(totals.running) } : void 0,
    failures: needing(seen.failing_groups, seen.failing_more),
    executors: { text: count(totals.executors, totals.executors_more), needs: totals.executors === 0 },
    queues: totals.paused_queues ? { text: `❚❚ ${totals.paused_queues}` } : void 0
  };
}
function NamespaceMenu() {
  const known = useResource(settled.value ? "namespaces" : null, { every: 6e4 }).data.value?.namespaces ?? [];
  const to = (name) => go(address(name, place.value.parts.slice(0, 1)));
  const typed = useSignal("");
  const shown = known.filter(({ name }) => name.includes(typed.value.trim()));
  return /* @__PURE__ */ a(Menu, { label: `${words.value.frame.namespace} ${namespace.value}`, face: /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("span", { class: "cut", children: namespace.value }),
    /* @__PURE__ */ a(Icon, { name: "down" })
  ] }), kind: "place", children: [
    known.length >= TYPED_FROM && /* @__PURE__ */ a("input", { class: "input", onClick: (event) => event.stopPropagation(), "aria-label": words.value.frame.findNamespace, placeholder: words.value.frame.findNamespace, value: typed.value, onInput: (event) => typed.value = event.currentTarget.value }),
    shown.map(({ name, description }) => /* @__PURE__ */ a(MenuItem, { onChoose: () => to(name), on: name === namespace.value, note: description, children: name }, name))
  ] });
}
function Live() {
  const w2 = words.value.frame;
  const lost = lostSince.value;
  const says = paused.value ? { tone: "paused", text: w2.paused } : lost > 0 ? { tone: "stale", text: w2.stale(duration(Math.max(1, Math.round((now.value - clockOffset.value - lost) / 1e3)))) } : condition.value === "live" ? { tone: "live", text: w2.live } : { tone: "connecting", text: w2.connecting };
  return /* @__PURE__ */ a("button", { type: "button", class: `live is-${says.tone}`, title: w2.liveHelp, onClick: () => paused.value = !paused.value, children: [
    /* @__PURE__ */ a("i", {}, beats.value % 2),
    /* @__PURE__ */ a("span", { children: says.text })
  ] });
}
function Clock() {
  const w2 = words.value.frame;
  const parts = zoned(now.value, zone.value || void 0);
  const name = zone.value || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const off = Math.abs(clockOffset.value) > 2e3;
  return /* @__PURE__ */ a("button", { type: "button", class: "clock", title: off ? w2.clockOff(duration(Math.abs(clockOffset.value) / 1e3)) : w2.clockHelp, onClick: nextZone, children: [
    off && /* @__PURE__ */ a(Icon, { name: "warn" }),
    parts.time,
    " ",
    /* @__PURE__ */ a("span", { children: (name.split("/").pop() ?? name).replaceAll("_", " ") })
  ] });
}
function Who({ who }) {
  const w2 = words.value;
  const initials = who.name.split(/[\s_-]+/).map((part2) => part2[0] ?? "").join("").slice(0, 2).toUpperCase();
  return /* @__PURE__ */ a(Menu, { label: `${initials} ${w2.frame.account(who.name)}`, face: /* @__PURE__ */ a("span", { class: "initials", "aria-hidden": "true", children: initials }), kind: "who", children: [
    /* @__PURE__ */ a("div", { class: "menu-head", children: [
      /* @__PURE__ */ a("b", { children: who.name }),
      /* @__PURE__ */ a("span", { class: "faint", children: w2.roles[who.role] ?? who.role })
    ] }),
    /* @__PURE__ */ a(MenuItem, { icon: "globe", onChoose: () => void setLanguage(language.value === "zh" ? "en" : "zh"), children: language.value === "zh" ? "English" : "简体中文" }),
    /* @__PURE__ */ a(MenuItem, { icon: "admin", onChoose: () => go(address(namespace.value, ["admin"], { tab: "account" })), children: w2.admin.account }),
    /* @__PURE__ */ a(MenuItem, { icon: "keyboard", onChoose: () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" })), children: w2.frame.keys }),
    /* @__PURE__ */ a(MenuItem, { icon: "out", onChoose: () => void signOut(), children: w2.frame.signOut })
  ] });
}

// frame/keys.tsx
var helpOpen = y(false);
var DENSITIES = ["compact", "regular", "roomy"];
function everywhere() {
  const w2 = words.value;
  const names = w2.pages;
  const pages = PAGES.flatMap(({ id, key }) => key ? [{ key: `g ${key}`, name: names[id] ?? id, run: () => go(link(id)) }] : []);
  return [
    { key: "?", name: w2.keys.help, run: () => helpOpen.value = true },
    { key: "/", name: w2.keys.filter, run: () => document.querySelector("main [data-filter]")?.focus() },
    { key: "p", name: w2.keys.pause, run: () => paused.value = !paused.value },
    { key: "t", name: w2.keys.theme, run: () => setTheme(isDark() ? "light" : "dark") },
    { key: "z", name: w2.keys.zone, run: nextZone },
    { key: "d", name: w2.keys.density, run: () => setDensity(DENSITIES[(DENSITIES.indexOf(density.value) + 1) % DENSITIES.length] ?? "regular") },
    { key: "y", name: w2.keys.copyLink, run: () => void copy(location.href) },
    ...pages
  ];
}
function startEverywhereKeys() {
  startKeys(everywhere(), () => paletteOpen.value = true);
}
function KeysHelp() {
  const w2 = words.value;
  if (!helpOpen.value) return null;
  const parts = [
    [w2.keys.here, shownKeys.value],
    [w2.keys.everywhere, everywhere().filter((one) => !one.key.startsWith("g "))],
    [w2.keys.lists, w2.keys.ofLists.map(([key, name]) => ({ key, name, run: () => {
    } }))],
    [w2.palette.go, everywhere().filter((one) => one.key.startsWith("g "))]
  ];
  return /* @__PURE__ */ a(Modal, { title: w2.frame.keys, wide: true, onClose: () => helpOpen.value = false, children: /* @__PURE__ */ a("div", { class: "keys-help", children: parts.filter(([, acts]) => acts.length > 0).map(([title, acts]) => /* @__PURE__ */ a("section", { children: [
    /* @__PURE__ */ a("h3", { class: "caps", children: title }),
    /* @__PURE__ */ a("dl", { children: acts.map((one) => /* @__PURE__ */ a("div", { children: [
      /* @__PURE__ */ a("dt", { children: one.key.split(" ").map((key) => /* @__PURE__ */ a("kbd", { children: key }, key)) }),
      /* @__PURE__ */ a("dd", { children: one.name })
    ] }, one.key)) })
  ] }, title)) }) });
}

// parts/json.tsx
var MANY = 100;
function JsonView({ node, label }) {
  const w2 = words.value;
  if (!node) return /* @__PURE__ */ a("p", { class: "quiet", children: w2.json.none });
  return /* @__PURE__ */ a("div", { class: "json", role: "group", "aria-label": label, children: [
    /* @__PURE__ */ a("div", { class: "json-tools", children: [
      /* @__PURE__ */ a("h3", { children: label }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a(Button, { small: true, icon: "copy", label: w2.copy, onClick: () => copy(writeExact(node)) })
    ] }),
    /* @__PURE__ */ a("div", { class: "json-tree", children: /* @__PURE__ */ a(Node, { node, depth: 0 }) })
  ] });
}
function Node({ node, depth }) {
  const closed = useSignal(depth > 2);
  if (node.kind === "string") return /* @__PURE__ */ a("span", { class: "json-string", children: JSON.stringify(node.value) });
  if (node.kind === "number") return /* @__PURE__ */ a("span", { class: "json-number", children: node.text });
  if (node.kind === "literal") return /* @__PURE__ */ a("span", { class: "json-literal", children: node.text });
  const entries = node.kind === "object" ? node.entries : node.items.map((item, place2) => [String(place2), item]);
  const [open, close2] = node.kind === "object" ? ["{", "}"] : ["[", "]"];
  if (entries.length === 0) return /* @__PURE__ */ a("span", { class: "faint", children: [
    open,
    close2
  ] });
  const line = writeExact(node, depth);
  if (!line.includes("\n") && line.length < 60 && depth > 0) return /* @__PURE__ */ a(Line, { node });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("button", { type: "button", class: "json-fold", "aria-expanded": !closed.value, onClick: () => closed.value = !closed.value, children: [
      closed.value ? "▸" : "▾",
      " ",
      /* @__PURE__ */ a("span", { class: "faint", children: [
        open,
        closed.value ? ` … ${entries.length} ${close2}` : ""
      ] })
    ] }),
    !closed.value && /* @__PURE__ */ a("ul", { children: [
      entries.slice(0, MANY).map(([key, value]) => /* @__PURE__ */ a("li", { children: [
        /* @__PURE__ */ a("span", { class: node.kind === "object" ? "json-key" : "faint", children: key }),
        /* @__PURE__ */ a("span", { class: "faint", children: ": " }),
        /* @__PURE__ */ a(Node, { node: value, depth: depth + 1 })
      ] }, key)),
      entries.length > MANY && /* @__PURE__ */ a("li", { class: "faint", children: words.value.json.more(entries.length - MANY) })
    ] })
  ] });
}
function Line({ node }) {
  if (node.kind === "object") {
    return /* @__PURE__ */ a("span", { children: [
      "{ ",
      node.entries.map(([key, value], place2) => /* @__PURE__ */ a("span", { children: [
        place2 > 0 && ", ",
        /* @__PURE__ */ a("span", { class: "json-key", children: key }),
        ": ",
        /* @__PURE__ */ a(Line, { node: value })
      ] }, key)),
      " }"
    ] });
  }
  if (node.kind === "array") return /* @__PURE__ */ a("span", { children: [
    "[",
    node.items.map((value, place2) => /* @__PURE__ */ a("span", { children: [
      place2 > 0 && ", ",
      /* @__PURE__ */ a(Line, { node: value })
    ] }, place2)),
    "]"
  ] });
  return /* @__PURE__ */ a(Node, { node, depth: 0 });
}

// pages/runs/timeline.ts
var FOLD = 64;
var SHARE = 0.3;
function scaleOf(busy, from, to, width) {
  const gaps = gapsOf(busy, from, to);
  const total = Math.max(1, to - from);
  const worked = total - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const long = gaps.filter((gap) => gap.to - gap.from > Math.max(2e3, worked * SHARE, total * 0.2));
  const left = Math.max(1, total - long.reduce((sum, gap) => sum + gap.to - gap.from, 0));
  const room = Math.max(40, width - FOLD * long.length);
  const at = (instant) => {
    const capped = Math.min(Math.max(instant, from), to);
    let x = 0;
    let last = from;
    for (const gap of long) {
      if (capped <= gap.from) break;
      x += (gap.from - last) / left * room + FOLD * Math.min(1, (capped - gap.from) / (gap.to - gap.from));
      last = Math.min(gap.to, capped);
      if (capped < gap.to) return x;
    }
    return x + (capped - last) / left * room;
  };
  const folds = long.map((gap) => ({ ...gap, x: at(gap.from), width: FOLD }));
  return { at, folds, ticks: ticksOf(from, to, left, room, folds, at) };
}
function gapsOf(busy, from, to) {
  const gaps = [];
  let last = from;
  for (const span of [...busy].sort((one, other) => one.from - other.from)) {
    if (span.from > last) gaps.push({ from: last, to: span.from });
    last = Math.max(last, span.to);
  }
  if (to > last) gaps.push({ from: last, to });
  return gaps;
}
var STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 108e5, 216e5, 864e5, 6048e5];
function ticksOf(from, to, shown, room, folds, at) {
  const step = STEPS.find((one) => one / shown * room >= 84) ?? 6048e5;
  const ticks = [{ at: from, x: 0 }];
  for (const piece of gapsOf(folds, from, to)) {
    for (let instant = Math.ceil((piece.from + 1) / step) * step; instant < piece.to; instant += step) {
      const x = at(instant);
      if (x - (ticks.at(-1)?.x ?? 0) >= 64 && ticks.length < 40) ticks.push({ at: instant, x });
    }
  }
  return ticks;
}
function lanesOf(run, attempts, now2) {
  const lanes = attempts.map((one) => ({
    number: one.number,
    executor: one.executor,
    host: one.host,
    from: Date.parse(one.started_at ?? one.ended_at),
    to: Date.parse(one.ended_at),
    outcome: one.outcome,
    error: one.error?.class ?? ""
  }));
  const last = { number: run.attempt, executor: run.executor ?? "", host: "", from: Date.parse(run.started_at ?? ""), error: "" };
  const told = lanes.some((lane) => lane.number === run.attempt);
  if (run.started_at && !told && run.state === "running") lanes.push({ ...last, to: now2, outcome: "running" });
  else if (run.started_at && !told && run.state === "succeeded") lanes.push({ ...last, to: Date.parse(run.finished_at ?? run.started_at), outcome: "succeeded" });
  return lanes.sort((one, other) => one.number - other.number);
}
function toneOfOutcome(outcome) {
  if (outcome === "running" || outcome === "succeeded" || outcome === "cancelled") return outcome;
  if (outcome === "suspended") return "waiting";
  return outcome === "released" || outcome === "snoozed" ? "queued" : "failed";
}

// pages/runs/bodies.tsx
function read(text) {
  try {
    return parseExact(text);
  } catch {
    return void 0;
  }
}
function Bodies({ text, run }) {
  const w2 = words.value;
  const node = w(() => read(text), [text]);
  return /* @__PURE__ */ a("div", { class: "body-pair", children: [
    /* @__PURE__ */ a(JsonView, { node: member(node, "input"), label: w2.run.input }),
    run.state === "succeeded" ? /* @__PURE__ */ a(JsonView, { node: member(node, "result"), label: w2.run.result }) : run.error ? /* @__PURE__ */ a(Traceback, { run }) : /* @__PURE__ */ a("p", { class: "quiet", children: w2.run.noResult })
  ] });
}
function Traceback({ run }) {
  return /* @__PURE__ */ a("div", { class: "json", children: [
    /* @__PURE__ */ a("div", { class: "json-tools", children: /* @__PURE__ */ a("h3", { children: words.value.run.error }) }),
    /* @__PURE__ */ a("pre", { class: "block traceback", children: run.error?.traceback || `${run.error?.class}: ${run.error?.message}` })
  ] });
}
function Raw({ text }) {
  const node = w(() => read(text), [text]);
  return /* @__PURE__ */ a("pre", { class: "block raw", children: node ? writeExact(node) : text });
}
function Attempts({ of }) {
  const w2 = words.value;
  const outcomes = w2.outcomes;
  return /* @__PURE__ */ a(Shown, { of, children: ({ attempts }) => attempts.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.run.noAttempts }) : /* @__PURE__ */ a("ul", { class: "attempts", children: attempts.map((one) => /* @__PURE__ */ a("li", { children: [
    /* @__PURE__ */ a("div", { class: "attempt-head", children: [
      /* @__PURE__ */ a("b", { children: w2.run.try(one.number) }),
      /* @__PURE__ */ a("span", { class: `state is-${toneOfOutcome(one.outcome)}`, children: [
        /* @__PURE__ */ a(StateIcon, { state: toneOfOutcome(one.outcome) }),
        outcomes[one.outcome] ?? one.outcome
      ] }),
      /* @__PURE__ */ a("span", { class: "dim", children: [
        one.executor,
        one.host && one.host !== one.executor ? ` · ${one.host}` : "",
        one.code_version ? ` · ${one.code_version}` : ""
      ] }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      one.duration !== null && /* @__PURE__ */ a("span", { children: duration(one.duration) }),
      /* @__PURE__ */ a("span", { class: "faint", children: /* @__PURE__ */ a(Moment, { at: one.ended_at }) })
    ] }),
    one.error && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("p", { children: [
        /* @__PURE__ */ a("b", { children: one.error.class }),
        ": ",
        one.error.message,
        " ",
        /* @__PURE__ */ a(Tag, { children: one.error.code })
      ] }),
      one.error.traceback && /* @__PURE__ */ a("details", { children: [
        /* @__PURE__ */ a("summary", { class: "dim", children: w2.run.traceback }),
        /* @__PURE__ */ a("pre", { class: "block traceback", children: one.error.traceback })
      ] })
    ] })
  ] }, one.number)) }) });
}
function Steps({ of }) {
  const w2 = words.value;
  return /* @__PURE__ */ a(Shown, { of, children: ({ checkpoint, steps, effects }) => !checkpoint && steps.length === 0 && effects.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.run.noSteps, children: /* @__PURE__ */ a("pre", { class: "block", children: 'order = await ctx.step("reserve", reserve, order_id)' }) }) : /* @__PURE__ */ a("table", { class: "steps", children: /* @__PURE__ */ a("tbody", { children: [
    effects.map((one) => /* @__PURE__ */ a(StepRow, { kind: w2.run.effect, name: one.name, at: one.at, attempt: one.attempt, value: one.done ? one.result : w2.run.unknown, bad: !one.done }, `e${one.name}`)),
    steps.map((one) => /* @__PURE__ */ a(StepRow, { kind: w2.run.step, name: one.name, at: one.at, attempt: one.attempt, value: one.result }, one.name)),
    checkpoint && /* @__PURE__ */ a(StepRow, { kind: w2.run.checkpoint, name: "", at: checkpoint.at, attempt: checkpoint.attempt, value: checkpoint.state })
  ] }) }) });
}
function StepRow({ kind, name, at, attempt, value, bad = false }) {
  return /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { class: "faint", children: kind }),
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("b", { children: name }) }),
    /* @__PURE__ */ a("td", { class: "dim", children: words.value.run.try(attempt) }),
    /* @__PURE__ */ a("td", { class: "wide", children: bad ? /* @__PURE__ */ a(Tag, { kind: "warn", children: String(value) }) : /* @__PURE__ */ a("code", { children: JSON.stringify(value) }) }),
    /* @__PURE__ */ a("td", { class: "num faint", children: /* @__PURE__ */ a(Ago, { at }) })
  ] });
}
function Related({ run, of }) {
  const w2 = words.value;
  const links = [];
  if (run.parent) links.push([w2.run.parent, link("runs", run.parent)]);
  if (run.workflow) links.push([w2.run.workflow, linkWith({}, "runs", run.workflow)]);
  if (run.trigger) links.push([w2.run.sameTrigger(run.trigger), link("triggers", run.trigger)]);
  if (run.backfill) links.push([w2.run.backfill, link("backfills", run.backfill)]);
  if (run.key) links.push([w2.run.sameKey, linkWith({ q: `key:${run.key}` }, "runs")]);
  return /* @__PURE__ */ a("div", { class: "related", children: [
    links.length > 0 && /* @__PURE__ */ a("p", { class: "tags", children: links.map(([name, href]) => /* @__PURE__ */ a("a", { class: "button small", href, children: name }, href)) }),
    /* @__PURE__ */ a("h2", { children: w2.run.children }),
    /* @__PURE__ */ a(Shown, { of, children: ({ runs }) => runs.length === 0 ? /* @__PURE__ */ a("p", { class: "faint", children: w2.run.noChildren }) : /* @__PURE__ */ a("ul", { class: "kin", children: runs.map((one) => /* @__PURE__ */ a("li", { children: [
      /* @__PURE__ */ a("a", { href: link("runs", one.id), children: [
        one.job,
        " ",
        /* @__PURE__ */ a("code", { class: "faint", children: [
          "…",
          one.id.slice(-8)
        ] })
      ] }),
      /* @__PURE__ */ a(State, { state: one.state })
    ] }, one.id)) }) })
  ] });
}

// pages/runs/lanes.tsx
var LEFT = 128;
var RIGHT = 40;
var BESIDE = 200;
var TOP = 34;
var ROW = 30;
function Lanes({ run, lanes, usual, now: now2 }) {
  const w2 = words.value;
  const [box, measured] = useWidth();
  const width = Math.max(320, measured || 820);
  const created = Date.parse(run.created_at);
  const first = lanes[0];
  const due = first && Date.parse(run.due_at) > first.from ? created : Math.max(Date.parse(run.due_at), created);
  const over2 = run.finished_at !== null;
  const last = lanes.at(-1);
  const usualEnd = last && last.outcome === "running" && usual ? last.from + usual.p95 * 1e3 : 0;
  const future = !over2 && Date.parse(run.due_at) > now2 ? Date.parse(run.due_at) : 0;
  const end = Math.max(over2 ? Date.parse(run.finished_at ?? "") : now2, ...lanes.map((lane) => lane.to), usualEnd, future);
  const start = Math.min(due, created, ...lanes.map((lane) => lane.from));
  const tight = last && scaleOf(lanes, start, Math.max(end, start + 1), 500).at(last.to) - scaleOf(lanes, start, Math.max(end, start + 1), 500).at(last.from) < 200;
  const room = width - LEFT - (tight && width > 600 ? BESIDE : RIGHT);
  const scale = scaleOf(lanes, start, Math.max(end, start + 1), room);
  const x = (instant) => LEFT + scale.at(instant);
  const height = TOP + ROW * (lanes.length + 1) + 18;
  return /* @__PURE__ */ a("div", { class: "chart lanes", ref: box, children: [
    /* @__PURE__ */ a("svg", { width, height, role: "img", "aria-label": w2.run.timelineSays(lanes.length, run.state), children: [
      /* @__PURE__ */ a("defs", { children: /* @__PURE__ */ a("pattern", { id: "hatch", width: "6", height: "6", patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)", children: /* @__PURE__ */ a("line", { x1: "0", y1: "0", x2: "0", y2: "6", class: "hatch" }) }) }),
      scale.ticks.map((tick, place2) => /* @__PURE__ */ a("g", { children: [
        /* @__PURE__ */ a("line", { x1: LEFT + tick.x, x2: LEFT + tick.x, y1: TOP - 10, y2: height - 14, class: "grid" }),
        /* @__PURE__ */ a("text", { x: LEFT + tick.x, y: 16, "text-anchor": place2 === 0 ? "start" : "middle", class: "tick", children: clock(tick.at, place2 === 0, end - start) })
      ] }, tick.at)),
      scale.folds.map((fold) => /* @__PURE__ */ a("g", { children: [
        /* @__PURE__ */ a("rect", { x: LEFT + fold.x + 6, y: TOP - 8, width: fold.width - 12, height: height - TOP - 22, fill: "url(#hatch)" }),
        /* @__PURE__ */ a("text", { x: LEFT + fold.x + fold.width / 2, y: height - 18, "text-anchor": "middle", class: "tick", children: duration((fold.to - fold.from) / 1e3) })
      ] }, fold.from)),
      /* @__PURE__ */ a("text", { x: "16", y: TOP + 14, class: "lane", children: w2.run.due }),
      /* @__PURE__ */ a("circle", { cx: x(due), cy: TOP + 10, r: "4", class: "due" }),
      /* @__PURE__ */ a("text", { x: x(due) + 12, y: TOP + 14, children: first ? w2.run.startedAfter(duration(Math.max(0, first.from - due) / 1e3)) : run.why ?? "" }),
      lanes.map((lane, place2) => /* @__PURE__ */ a(LaneBar, { lane, y: TOP + ROW * (place2 + 1), x, edge: width, usual: lane.outcome === "running" ? usual : null }, lane.number)),
      !over2 && /* @__PURE__ */ a("g", { children: [
        /* @__PURE__ */ a("line", { x1: x(now2), x2: x(now2), y1: TOP - 8, y2: height - 14, class: "now" }),
        /* @__PURE__ */ a("circle", { cx: x(now2), cy: TOP - 8, r: "3", class: "now-dot" }),
        /* @__PURE__ */ a("text", { x: x(now2), y: 16, "text-anchor": "middle", class: "now-text", children: w2.charts.now })
      ] })
    ] }),
    /* @__PURE__ */ a(LaneTable, { lanes })
  ] });
}
function clock(at, whole, span) {
  const { time: time2, millis } = zoned(at, zone.value || void 0);
  if (whole || span > 36e5) return time2;
  return span < 12e3 ? `${time2.slice(5)}.${millis.slice(0, span < 2e3 ? 3 : 1)}` : time2.slice(3);
}
function LaneBar({ lane, y: y2, x, edge, usual }) {
  const w2 = words.value;
  const tone = toneOfOutcome(lane.outcome);
  const [from, to] = [x(lane.from), Math.max(x(lane.to), x(lane.from) + 3)];
  const outcomes = w2.outcomes;
  const text = `${outcomes[lane.outcome] ?? lane.outcome}${lane.error ? ` ${lane.error}` : ""} ${duration((lane.to - lane.from) / 1e3)}`;
  const fits = to - from > text.length * 6.4 + 14;
  const beside = to + 8 + text.length * 6.2 < edge;
  const lost = lane.outcome === "lost";
  return /* @__PURE__ */ a("g", { children: [
    /* @__PURE__ */ a("text", { x: "16", y: y2 + 14, class: "lane", children: w2.run.try(lane.number) }),
    /* @__PURE__ */ a("text", { x: "62", y: y2 + 14, class: "who", children: lane.executor.length > 9 ? `${lane.executor.slice(0, 8)}…` : lane.executor }),
    /* @__PURE__ */ a("rect", { x: from, y: y2, width: to - from, height: "20", rx: "2", fill: lost ? "none" : `var(--${tone})`, stroke: lost ? `var(--${tone})` : "none", "stroke-dasharray": lost ? "4 3" : "none" }),
    /* @__PURE__ */ a("text", { x: fits ? from + 8 : beside ? to + 8 : from - 8, y: y2 + 14, "text-anchor": fits || beside ? "start" : "end", class: fits && !lost ? "on" : `is-${tone}`, fill: "currentColor", children: text }),
    usual && /* @__PURE__ */ a("g", { class: "usual", children: [
      /* @__PURE__ */ a("line", { x1: from, x2: x(lane.from + usual.p95 * 1e3), y1: y2 + 25, y2: y2 + 25 }),
      /* @__PURE__ */ a("line", { x1: x(lane.from + usual.p50 * 1e3), x2: x(lane.from + usual.p50 * 1e3), y1: y2 + 22, y2: y2 + 28 }),
      /* @__PURE__ */ a("line", { x1: x(lane.from + usual.p95 * 1e3), x2: x(lane.from + usual.p95 * 1e3), y1: y2 + 22, y2: y2 + 28 })
    ] })
  ] });
}
function LaneTable({ lanes }) {
  const w2 = words.value;
  const outcomes = w2.outcomes;
  return /* @__PURE__ */ a("details", { class: "as-table", children: [
    /* @__PURE__ */ a("summary", { children: w2.charts.asTable }),
    /* @__PURE__ */ a("table", { children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("th", { children: w2.runs.try }),
        /* @__PURE__ */ a("th", { children: w2.runs.executor }),
        /* @__PURE__ */ a("th", { children: w2.run.outcome }),
        /* @__PURE__ */ a("th", { class: "num", children: w2.runs.took })
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: lanes.map((lane) => /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: lane.number }),
        /* @__PURE__ */ a("td", { children: lane.executor }),
        /* @__PURE__ */ a("td", { children: [
          outcomes[lane.outcome] ?? lane.outcome,
          " ",
          lane.error
        ] }),
        /* @__PURE__ */ a("td", { class: "num", children: duration((lane.to - lane.from) / 1e3) })
      ] }, lane.number)) })
    ] })
  ] });
}

// pages/runs/step.ts
var PAGES2 = 20;
async function stepFrom(run, newer, state = null) {
  const from = whereNow();
  try {
    const found = await neighbour(run, newer, state);
    if (whereNow() !== from) return;
    if (found) go(link("runs", found.id));
    else toast({ text: words.value.run.noOther[newer ? 1 : 0] });
  } catch (error) {
    tellRefusal(error);
  }
}
var whereNow = () => place.peek().parts.join("/");
async function neighbour(run, newer, state) {
  const made = Date.parse(run.created_at);
  const side = newer ? { since: new Date(made).toISOString(), sort: "oldest" } : { until: new Date(made + 1).toISOString() };
  let cursor = null;
  for (let page2 = 0; page2 < PAGES2; page2 += 1) {
    const { data } = await get(query("runs", { job: run.job, state, limit: 20, cursor, ...side }));
    const found = data.runs.find((one) => newer ? one.id > run.id : one.id < run.id);
    if (found || !data.next) return found;
    cursor = data.next;
  }
  return void 0;
}

// pages/runs/acts.tsx
var over = (run) => FINAL.includes(run.state);
function RunActs({ run }) {
  const w2 = words.value;
  const denied = refusal("runs:steer");
  return /* @__PURE__ */ a($, { children: [
    over(run) && run.state !== "succeeded" && /* @__PURE__ */ a(Button, { icon: "retry", refused: denied, onClick: () => void retry(run), children: w2.runs.retry }),
    run.suspension && !over(run) ? /* @__PURE__ */ a(Button, { icon: "play", refused: denied, onClick: () => void resume(run), children: w2.run.resume }) : !over(run) && /* @__PURE__ */ a(Button, { icon: "moon", refused: denied, onClick: () => askSuspend(run), children: w2.run.suspend }),
    !over(run) && /* @__PURE__ */ a(Button, { icon: "stop", kind: "danger", refused: denied, onClick: () => askCancel(run), children: [
      w2.runs.cancel,
      "…"
    ] }),
    /* @__PURE__ */ a(Menu, { label: w2.run.more, face: /* @__PURE__ */ a(Icon, { name: "more" }), kind: "button only", children: [
      /* @__PURE__ */ a(MenuItem, { icon: "edit", refused: refusal("runs:write"), onChoose: () => startRun(run.job, run), children: w2.run.again }),
      canChange(run) && /* @__PURE__ */ a(MenuItem, { icon: "arrow", refused: denied, onChoose: () => void toFront(run), children: w2.run.front }),
      canChange(run) && /* @__PURE__ */ a(MenuItem, { icon: "edit", refused: denied, onChoose: () => askChange([run]), children: [
        w2.run.change,
        "…"
      ] }),
      run.state === "succeeded" && /* @__PURE__ */ a(MenuItem, { icon: "retry", refused: denied, onChoose: () => askForce(run), children: w2.run.force }),
      run.state === "failed" && !run.discarded && /* @__PURE__ */ a(MenuItem, { icon: "trash", refused: denied, onChoose: () => askDiscard(run), children: [
        w2.runs.discard,
        "…"
      ] }),
      /* @__PURE__ */ a(MenuItem, { icon: "columns", onChoose: () => go(linkWith({}, "runs", run.id, "compare")), children: w2.run.compareMenu }),
      /* @__PURE__ */ a(MenuItem, { icon: "copy", onChoose: () => copy(`curl -H "Authorization: Bearer $MAINSPRING_TOKEN" -H "Mainspring-Namespace: ${run.namespace}" ${location.origin}/api/v1/runs/${run.id}`), children: w2.run.asCurl }),
      /* @__PURE__ */ a(MenuItem, { icon: "command", onChoose: () => copy(`mainspring runs show ${run.id}`), children: w2.run.asCli })
    ] })
  ] });
}
function runKeys(run) {
  const w2 = words.value;
  const keys2 = [
    { key: "l", name: w2.run.tabs.log, run: () => go(linkWith({ tab: "log" }, "runs", run.id)) },
    { key: "[", name: w2.run.keys.older, run: () => void stepFrom(run, false) },
    { key: "]", name: w2.run.keys.newer, run: () => void stepFrom(run, true) },
    { key: "{", name: w2.run.keys.olderFailed, run: () => void stepFrom(run, false, "failed") },
    { key: "}", name: w2.run.keys.newerFailed, run: () => void stepFrom(run, true, "failed") }
  ];
  if (over(run) && run.state !== "succeeded" && !refusal("runs:steer")) keys2.push({ key: "r", name: w2.runs.retry, run: () => askRetry(run) });
  if (!over(run) && !refusal("runs:steer")) keys2.push({ key: "c", name: w2.runs.cancel, run: () => askCancel(run) });
  if (!refusal("runs:write")) keys2.push({ key: "e", name: w2.run.again, run: () => startRun(run.job, run) });
  return keys2;
}
async function retry(run) {
  const w2 = words.value;
  try {
    await post(`runs/${run.id}/retry`, {});
    outdateAll();
    toast({ text: w2.run.retried(shortId(run.id)), act: { name: w2.undo, run: () => post(`runs/${run.id}/cancel`, { reason: w2.run.undone }).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}
function askRetry(run) {
  const w2 = words.value;
  askFor({
    title: w2.runs.ask.retry("1"),
    says: w2.runs.askSays.retry,
    samples: [run.id],
    confirm: w2.runs.confirm.retry("1"),
    reason: "no",
    command: () => `mainspring runs retry ${run.id}`,
    run: () => retry(run)
  });
}
function askForce(run) {
  const w2 = words.value;
  askFor({
    title: w2.run.force,
    says: w2.run.forceSays,
    samples: [run.id],
    confirm: w2.run.force,
    command: () => `mainspring runs retry ${run.id} --force`,
    run: async (reason) => {
      await post(`runs/${run.id}/retry`, { force: true, reason });
      outdateAll();
    }
  });
}
async function resume(run) {
  const w2 = words.value;
  try {
    await post(`runs/${run.id}/resume`, {});
    outdateAll();
    toast({ text: w2.run.resumed(shortId(run.id)), act: { name: w2.undo, run: () => post(`runs/${run.id}/suspend`, { reason: w2.run.undone }).then(outdateAll) } });
  } catch (error) {
    tellRefusal(error);
  }
}
function askSuspend(run) {
  const w2 = words.value;
  askFor({
    title: w2.run.askSuspend,
    says: run.state === "running" ? w2.run.suspendRunning : w2.run.suspendQueued,
    samples: [run.id],
    confirm: w2.run.suspend,
    command: (reason) => `mainspring runs suspend ${run.id}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`runs/${run.id}/suspend`, { reason });
      outdateAll();
      toast({ text: w2.run.suspended(shortId(run.id)), act: { name: w2.undo, run: () => post(`runs/${run.id}/resume`, {}).then(outdateAll) } });
    }
  });
}
function askCancel(run) {
  const w2 = words.value;
  const children = { on: false };
  askFor({
    title: w2.runs.ask.cancel("1"),
    says: run.state === "running" ? w2.run.cancelRunning : w2.run.cancelQueued,
    samples: [run.id],
    fields: /* @__PURE__ */ a("label", { class: "check-field", children: [
      /* @__PURE__ */ a("input", { type: "checkbox", onChange: (event) => children.on = event.currentTarget.checked }),
      " ",
      w2.run.withChildren
    ] }),
    confirm: w2.runs.confirm.cancel("1"),
    keep: w2.runs.keep,
    danger: true,
    command: (reason) => `mainspring runs cancel ${run.id}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`runs/${run.id}/cancel`, { reason, children: children.on });
      outdateAll();
      toast({ text: w2.runs.done.cancel("1"), href: link("runs", run.id) });
    }
  });
}
function askDiscard(run) {
  const w2 = words.value;
  askFor({
    title: w2.runs.ask.discard("1"),
    says: w2.runs.askSays.discard,
    samples: [run.id],
    confirm: w2.runs.confirm.discard("1"),
    danger: true,
    command: (reason) => `mainspring runs discard ${run.id}${reason && ` --reason '${reason}'`}`,
    run: async (reason) => {
      await post(`runs/${run.id}/discard`, { reason });
      outdateAll();
    }
  });
}

// pages/runs/compare.tsx
function Compare({ id }) {
  const w2 = words.value;
  const one = useResource(`runs/${id}`);
  const job = one.data.value?.job;
  const others = useResource(job ? `runs?job=${encodeURIComponent(job)}&limit=50` : null).data.value?.runs.filter((run) => run.id !== id) ?? [];
  const other = asked("with") || others.find((run) => run.state === "succeeded")?.id || others[0]?.id || "";
  const two = useResource(other ? `runs/${other}` : null);
  const [first, second] = [one.data.value, two.data.value];
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.compare.title, trail: /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("a", { href: link("runs"), children: w2.pages.runs }),
      " / ",
      /* @__PURE__ */ a("a", { href: link("runs", id), children: job ?? id })
    ] }), children: /* @__PURE__ */ a("select", { class: "input", "aria-label": w2.compare.with, value: other, onChange: (event) => setQuery({ with: event.currentTarget.value }), children: others.map((run) => /* @__PURE__ */ a("option", { value: run.id, children: [
      "…",
      run.id.slice(-8),
      " ",
      w2.states[run.state],
      " ",
      relative((Date.parse(run.created_at) - now.peek()) / 1e3)
    ] }, run.id)) }) }),
    first && second ? /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Facts, { first, second }),
      /* @__PURE__ */ a("div", { class: "columns two even", children: [
        /* @__PURE__ */ a(Body, { title: w2.run.input, text: one.text.value, other: two.text.value, field: "input" }),
        /* @__PURE__ */ a(Body, { title: w2.run.input, text: two.text.value, other: one.text.value, field: "input" })
      ] }),
      /* @__PURE__ */ a("div", { class: "columns two even", children: [
        /* @__PURE__ */ a(LogOf, { id: first.id }),
        /* @__PURE__ */ a(LogOf, { id: second.id })
      ] })
    ] }) : /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Empty, { title: w2.compare.nothing }) })
  ] });
}
function Facts({ first, second }) {
  const w2 = words.value;
  const rows = [
    [w2.runs.took, (run) => secondsOf(run) === null ? "–" : duration(secondsOf(run) ?? 0)],
    [w2.runs.wait, (run) => waitOf(run) === null ? "–" : duration(waitOf(run) ?? 0)],
    [w2.runs.try, (run) => String(run.attempt)],
    [w2.runs.executor, (run) => run.executor ?? "–"],
    [w2.queues.name, (run) => run.queue],
    [w2.run.priority, (run) => String(run.priority)],
    [w2.runs.by, (run) => run.trigger ?? run.created_by ?? "–"],
    [w2.run.labels, (run) => Object.entries(run.labels).map(([key, value]) => `${key}=${value}`).join(" ") || "–"],
    [w2.failures.error, (run) => run.error && run.state !== "succeeded" ? `${run.error.class}: ${run.error.message}` : "–"]
  ];
  return /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a("table", { class: "compare", children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", {}),
      /* @__PURE__ */ a("th", { children: [
        /* @__PURE__ */ a(State, { state: first.state }),
        " ",
        /* @__PURE__ */ a(Id, { id: first.id })
      ] }),
      /* @__PURE__ */ a("th", { children: [
        /* @__PURE__ */ a(State, { state: second.state }),
        " ",
        /* @__PURE__ */ a(Id, { id: second.id })
      ] })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: rows.map(([name, read2]) => {
      const differs = read2(first) !== read2(second);
      return /* @__PURE__ */ a("tr", { class: differs ? "differs" : "", children: [
        /* @__PURE__ */ a("td", { class: "dim", children: name }),
        /* @__PURE__ */ a("td", { children: read2(first) }),
        /* @__PURE__ */ a("td", { children: read2(second) })
      ] }, name);
    }) })
  ] }) });
}
function bodyOf(text, field) {
  try {
    const node = member(parseExact(text), field);
    return node ? writeExact(node).split("\n") : [];
  } catch {
    return [];
  }
}
function Body({ title, text, other, field }) {
  const there = new Set(bodyOf(other, field));
  return /* @__PURE__ */ a(Panel, { title, children: /* @__PURE__ */ a("div", { class: "body", children: /* @__PURE__ */ a("pre", { class: "block", children: bodyOf(text, field).map((line, place2) => /* @__PURE__ */ a("span", { class: there.has(line) ? "" : "differs", children: [
    line,
    "\n"
  ] }, place2)) }) }) });
}
function LogOf({ id }) {
  const w2 = words.value;
  const logs = useResource(`runs/${id}/logs?limit=500`).data.value?.logs ?? [];
  const began = Date.parse(logs[0]?.at ?? "");
  return /* @__PURE__ */ a(Panel, { title: w2.run.tabs.log, more: /* @__PURE__ */ a(Id, { id }), children: /* @__PURE__ */ a("div", { class: "body", children: logs.length === 0 ? /* @__PURE__ */ a("p", { class: "faint", children: w2.log.none }) : /* @__PURE__ */ a("pre", { class: "block traceback", children: logs.map((line) => `${duration((Date.parse(line.at) - began) / 1e3).padStart(8)}  ${line.message}
`) }) }) });
}

// pages/runs/why.tsx
var removes = y(null);
function Why({ run }) {
  const waits = run.state === "queued" || run.state === "waiting";
  return waits ? /* @__PURE__ */ a(Waits, { run }) : /* @__PURE__ */ a(Ended, { run });
}
function Waits({ run }) {
  const w2 = words.value.why;
  const why = useResource(`runs/${run.id}/why`, { every: 2e3 });
  const queue = useResource(`queues/${encodeURIComponent(run.queue)}`, { every: 3e3 }).data.value;
  const late = (now.value - Date.parse(run.due_at)) / 1e3;
  return /* @__PURE__ */ a("div", { class: "why", children: [
    /* @__PURE__ */ a("p", { class: "why-title", children: late > 0 ? w2.late(duration(Math.round(late))) : w2.notDue(duration(Math.round(-late))) }),
    /* @__PURE__ */ a(Shown, { of: why, children: ({ reasons }) => /* @__PURE__ */ a("ul", { children: [
      reasons.map((reason) => /* @__PURE__ */ a(Reason, { reason }, reason.code)),
      late > 0 && /* @__PURE__ */ a("li", { children: [
        /* @__PURE__ */ a(Icon, { name: "check" }),
        /* @__PURE__ */ a("b", { children: w2.due }),
        /* @__PURE__ */ a("span", { class: "dim", children: /* @__PURE__ */ a(Ago, { at: run.due_at }) })
      ] }),
      queue && late > 0 && queue.queued > 1 && /* @__PURE__ */ a(Line2, { queue })
    ] }) })
  ] });
}
function Reason({ reason }) {
  return /* @__PURE__ */ a("li", { class: "holds", children: [
    /* @__PURE__ */ a(Icon, { name: "pause" }),
    /* @__PURE__ */ a("b", { children: reason.text }),
    /* @__PURE__ */ a("span", { class: "dim", children: [
      reason.since && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a(Ago, { at: reason.since }),
        " "
      ] }),
      reason.until && /* @__PURE__ */ a($, { children: [
        "→ ",
        /* @__PURE__ */ a(Ago, { at: reason.until }),
        " "
      ] }),
      reason.remedy && /* @__PURE__ */ a(Remedy, { of: reason })
    ] })
  ] });
}
function Remedy({ of }) {
  const Found = removes.value;
  A(() => {
    if (!Found) void import("./parts/fleet-D6HLCRCV.js").then((part2) => removes.value = part2.Removes);
  }, []);
  return Found ? /* @__PURE__ */ a(Found, { of }) : /* @__PURE__ */ a(Command, { line: of.remedy });
}
function Line2({ queue }) {
  const w2 = words.value.why;
  const drains = drainsIn(queue);
  return /* @__PURE__ */ a("li", { children: [
    /* @__PURE__ */ a(Icon, { name: "queues" }),
    /* @__PURE__ */ a("b", { children: w2.line(count(queue.queued)) }),
    /* @__PURE__ */ a("span", { class: "dim", children: drains === null ? w2.noPace : w2.pace(duration(Math.max(1, Math.round(drains)))) })
  ] });
}
function Ended({ run }) {
  const w2 = words.value.why;
  const says = w2.ended[run.state] ?? "";
  return /* @__PURE__ */ a("div", { class: "why", children: [
    /* @__PURE__ */ a("p", { class: "why-title", children: says }),
    /* @__PURE__ */ a("ul", { children: [
      /* @__PURE__ */ a("li", { children: [
        /* @__PURE__ */ a(Icon, { name: "check" }),
        /* @__PURE__ */ a("b", { children: w2.attempts(run.attempt) }),
        /* @__PURE__ */ a("span", { class: "dim", children: w2.losses(run.failures, run.losses) })
      ] }),
      run.error && run.state !== "succeeded" && /* @__PURE__ */ a("li", { class: "holds", children: [
        /* @__PURE__ */ a(Icon, { name: "failures" }),
        /* @__PURE__ */ a("b", { children: run.error.class }),
        /* @__PURE__ */ a("span", { class: "dim", children: [
          run.error.message,
          " ",
          /* @__PURE__ */ a("code", { children: run.error.code })
        ] })
      ] }),
      run.reason && /* @__PURE__ */ a("li", { class: "holds", children: [
        /* @__PURE__ */ a(Icon, { name: "info" }),
        /* @__PURE__ */ a("b", { children: run.reason }),
        /* @__PURE__ */ a("span", {})
      ] }),
      run.discarded && /* @__PURE__ */ a("li", { children: [
        /* @__PURE__ */ a(Icon, { name: "trash" }),
        /* @__PURE__ */ a("b", { children: w2.discarded }),
        /* @__PURE__ */ a("span", { class: "dim", children: [
          run.discarded.by,
          " ",
          run.discarded.reason
        ] })
      ] })
    ] })
  ] });
}

// pages/runs/run.tsx
var LIVE = 1500;
function Run({ name }) {
  const [id = "", view] = name.split("/");
  return view === "compare" ? /* @__PURE__ */ a(Compare, { id }) : /* @__PURE__ */ a(OneRun, { name: id });
}
function OneRun({ name }) {
  const resource = useResource(`runs/${name}`, { every: LIVE });
  const run = resource.data.value;
  if (!run) {
    return /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Head, { title: words.value.run.title(name), trail: /* @__PURE__ */ a("a", { href: link("runs"), children: words.value.pages.runs }) }),
      /* @__PURE__ */ a("section", { class: "panel", children: /* @__PURE__ */ a(Shown, { of: resource, children: () => null }) })
    ] });
  }
  return /* @__PURE__ */ a(RunView, { run, text: resource.text.value });
}
var isOver = (run) => FINAL.includes(run.state);
function RunView({ run, text }) {
  const w2 = words.value;
  const over2 = isOver(run);
  const attempts = useResource(`runs/${run.id}/attempts`, { every: over2 ? 0 : 3e3 });
  const memory = useResource(`runs/${run.id}/memory`, { every: over2 ? 0 : 5e3 });
  const children = useResource(`runs?parent=${run.id}&limit=50`, { every: over2 ? 0 : 5e3 });
  const others = useResource(`runs?job=${encodeURIComponent(run.job)}&limit=30`, { every: 15e3 }).data.value?.runs ?? [];
  const usual = useUsual(run.job);
  const isWorkflow = useResource("jobs?handler=workflow&limit=200", { every: 6e4 }).data.value?.jobs.some((job) => job.name === run.job);
  const lanes = lanesOf(run, attempts.data.value?.attempts ?? [], over2 ? Date.parse(run.finished_at ?? "") : now.value);
  const tab = asked("tab") || (run.started_at || run.attempt > 0 ? "log" : "why");
  const kept = memory.data.value;
  const steps = (kept?.steps.length ?? 0) + (kept?.effects.length ?? 0) + (kept?.checkpoint ? 1 : 0);
  useKeys(runKeys(run));
  const tabs = [
    { id: "log", name: w2.run.tabs.log },
    { id: "bodies", name: w2.run.tabs.bodies },
    { id: "attempts", name: w2.run.tabs.attempts, note: attempts.data.value?.attempts.length || null },
    { id: "steps", name: w2.run.tabs.steps, note: steps || null },
    { id: "related", name: w2.run.tabs.related, note: children.data.value?.runs.length || null },
    { id: "why", name: w2.run.tabs.why },
    { id: "raw", name: w2.run.tabs.raw }
  ].map((one) => ({ ...one, href: linkWith({ tab: one.id }, "runs", run.id) }));
  const worked = lanes.reduce((sum, lane) => sum + lane.to - lane.from, 0) / 1e3;
  const whole = ((over2 ? Date.parse(run.finished_at ?? "") : now.value) - Date.parse(run.created_at)) / 1e3;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(
      Head,
      {
        title: run.job,
        trail: /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("a", { href: link("runs"), children: w2.pages.runs }),
          " / ",
          /* @__PURE__ */ a("a", { href: link("jobs", run.job), children: run.job }),
          " / ",
          /* @__PURE__ */ a(Id, { id: run.id, whole: true })
        ] }),
        beside: /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a(State, { state: run.state, note: run.reason ?? void 0 }),
          run.attempt > 0 && /* @__PURE__ */ a("span", { class: "dim", children: w2.run.tryOn(run.attempt, run.executor ?? "") }),
          /* @__PURE__ */ a(Progress, { run })
        ] }),
        children: [
          isWorkflow && /* @__PURE__ */ a("a", { class: "button", href: linkWith({ run: run.id }, "workflows", run.job), children: [
            /* @__PURE__ */ a(Icon, { name: "workflows" }),
            w2.workflows.graph
          ] }),
          /* @__PURE__ */ a(RunActs, { run })
        ]
      }
    ),
    /* @__PURE__ */ a(Telling, { run, usual }),
    /* @__PURE__ */ a("div", { class: "columns side", children: [
      /* @__PURE__ */ a("div", { children: [
        /* @__PURE__ */ a(Panel, { title: w2.run.timeline, note: lanes.length > 0 ? w2.run.inAll(duration(Math.max(0, whole)), duration(Math.max(0, worked))) : w2.run.notStarted, children: /* @__PURE__ */ a(Lanes, { run, lanes, usual, now: now.value }) }),
        /* @__PURE__ */ a("section", { class: "panel", children: [
          /* @__PURE__ */ a(Tabs, { tabs, on: tab, label: run.job }),
          tab === "log" && /* @__PURE__ */ a(Log, { id: run.id, over: over2 }),
          tab === "bodies" && /* @__PURE__ */ a(Bodies, { text, run }),
          tab === "attempts" && /* @__PURE__ */ a(Attempts, { of: attempts }),
          tab === "steps" && /* @__PURE__ */ a(Steps, { of: memory }),
          tab === "related" && /* @__PURE__ */ a(Related, { run, of: children }),
          tab === "why" && /* @__PURE__ */ a(Why, { run }),
          tab === "raw" && /* @__PURE__ */ a(Raw, { text })
        ] })
      ] }),
      /* @__PURE__ */ a(Facts2, { run, usual, memory: kept, attempts: attempts.data.value, others })
    ] })
  ] });
}
function useUsual(job) {
  const figures = useResource("rates/jobs?step=hour&steps=24", { every: 6e4 }).data.value;
  return figures?.jobs.find((one) => one.job === job)?.duration ?? null;
}
function Progress({ run }) {
  if (!run.progress || run.state !== "running") return null;
  const share = Math.max(0, Math.min(1, run.progress.fraction));
  return /* @__PURE__ */ a("span", { class: "progress", children: [
    /* @__PURE__ */ a("i", { role: "progressbar", "aria-label": words.value.run.progress, "aria-valuenow": Math.round(share * 100), "aria-valuemin": 0, "aria-valuemax": 100, children: /* @__PURE__ */ a("b", { style: { width: `${share * 100}%` } }) }),
    percent(share),
    " % ",
    /* @__PURE__ */ a("span", { class: "dim", children: run.progress.note })
  ] });
}
function Telling({ run, usual }) {
  const w2 = words.value;
  const seconds = run.state === "running" && run.started_at ? (now.value - Date.parse(run.started_at)) / 1e3 : 0;
  if (run.state === "failed" && run.error) {
    return /* @__PURE__ */ a("section", { class: "panel telling", children: [
      /* @__PURE__ */ a(Icon, { name: "failures", class: "is-failed" }),
      /* @__PURE__ */ a("span", { class: "grow", children: [
        /* @__PURE__ */ a("b", { children: run.error.class }),
        ": ",
        run.error.message,
        " ",
        /* @__PURE__ */ a("code", { class: "faint", children: run.error.code })
      ] }),
      /* @__PURE__ */ a("a", { class: "button small", href: linkWith({ q: `job:${run.job} state:failed since:24h` }, "runs"), children: w2.run.like })
    ] });
  }
  if (usual && seconds > Math.max(2, usual.p95 * 1.5)) {
    return /* @__PURE__ */ a("section", { class: "panel telling", children: [
      /* @__PURE__ */ a(Icon, { name: "clock", class: "is-waiting" }),
      /* @__PURE__ */ a("span", { class: "grow", children: [
        /* @__PURE__ */ a("b", { children: w2.run.slow }),
        " ",
        w2.run.slowSays(duration(Math.round(seconds)), duration(usual.p50))
      ] }),
      /* @__PURE__ */ a("a", { class: "button small", href: linkWith({ q: `job:${run.job} state:running` }, "runs"), children: w2.run.like })
    ] });
  }
  if ((run.state === "waiting" || run.state === "queued") && run.why) {
    return /* @__PURE__ */ a("section", { class: "panel telling", children: [
      /* @__PURE__ */ a(Icon, { name: "info", class: `is-${run.state}` }),
      /* @__PURE__ */ a("span", { class: "grow", children: [
        run.why,
        run.until && /* @__PURE__ */ a($, { children: [
          " · ",
          /* @__PURE__ */ a(Ago, { at: run.until })
        ] })
      ] }),
      /* @__PURE__ */ a("button", { type: "button", class: "button small", onClick: () => setQuery({ tab: "why" }), children: w2.run.tabs.why })
    ] });
  }
  return null;
}
function Facts2({ run, usual, memory, attempts, others }) {
  const w2 = words.value;
  const unknown = memory?.effects.filter((effect) => !effect.done) ?? [];
  const lost = attempts?.attempts.filter((one) => one.outcome === "lost") ?? [];
  const last = attempts?.attempts.at(-1);
  const labels = Object.entries(run.labels);
  const success = others.find((one) => one.state === "succeeded" && one.id !== run.id);
  return /* @__PURE__ */ a(Panel, { title: w2.run.facts, class: "facts-panel", children: [
    /* @__PURE__ */ a("div", { class: "body", children: [
      /* @__PURE__ */ a("dl", { class: "facts", children: [
        /* @__PURE__ */ a("dt", { children: w2.run.startedBy }),
        /* @__PURE__ */ a("dd", { children: run.trigger ? /* @__PURE__ */ a("a", { class: "link", href: link("triggers", run.trigger), children: run.trigger }) : run.parent ? /* @__PURE__ */ a("a", { class: "link", href: link("runs", run.parent), children: w2.run.parent }) : run.created_by }),
        run.fire_at && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.fireAt }),
          /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Moment, { at: run.fire_at, date: true }) })
        ] }),
        /* @__PURE__ */ a("dt", { children: w2.runs.created }),
        /* @__PURE__ */ a("dd", { children: [
          /* @__PURE__ */ a(Moment, { at: run.created_at }),
          " ",
          /* @__PURE__ */ a("span", { class: "faint", children: /* @__PURE__ */ a(Ago, { at: run.created_at }) })
        ] }),
        run.due_at > run.created_at && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.due }),
          /* @__PURE__ */ a("dd", { children: [
            /* @__PURE__ */ a(Moment, { at: run.due_at }),
            " ",
            /* @__PURE__ */ a("span", { class: "faint", children: /* @__PURE__ */ a(Ago, { at: run.due_at }) })
          ] })
        ] }),
        run.finished_at && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.finished }),
          /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Moment, { at: run.finished_at }) })
        ] }),
        /* @__PURE__ */ a("dt", { children: w2.queues.name }),
        /* @__PURE__ */ a("dd", { children: [
          /* @__PURE__ */ a("a", { class: "link", href: link("queues", run.queue), children: run.queue }),
          " ",
          /* @__PURE__ */ a("span", { class: "dim", children: [
            "· ",
            w2.run.priority,
            " ",
            run.priority
          ] })
        ] }),
        run.executor && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.runs.executor }),
          /* @__PURE__ */ a("dd", { children: [
            /* @__PURE__ */ a("a", { class: "link", href: link("executors", run.executor), children: run.executor }),
            last?.host && /* @__PURE__ */ a("span", { class: "faint", children: [
              " ",
              last.host
            ] })
          ] })
        ] }),
        last?.code_version && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.code }),
          /* @__PURE__ */ a("dd", { children: last.code_version })
        ] }),
        run.key && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.key }),
          /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("code", { children: run.key }) })
        ] }),
        run.deadline && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.deadline }),
          /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Ago, { at: run.deadline }) })
        ] }),
        run.start_by && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.startBy }),
          /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Ago, { at: run.start_by }) })
        ] }),
        run.trace && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.trace }),
          /* @__PURE__ */ a("dd", { children: run.trace_url ? /* @__PURE__ */ a("a", { class: "link", href: run.trace_url, target: "_blank", rel: "noreferrer noopener", children: /* @__PURE__ */ a("code", { children: run.trace }) }) : /* @__PURE__ */ a("code", { children: run.trace }) })
        ] }),
        run.attempt > 0 && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.fence }),
          /* @__PURE__ */ a("dd", { children: run.attempt })
        ] }),
        (labels.length > 0 || run.tags.length > 0) && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.run.labels }),
          /* @__PURE__ */ a("dd", { class: "tags", children: [
            labels.map(([key, value]) => /* @__PURE__ */ a(Tag, { children: /* @__PURE__ */ a("a", { href: linkWith({ q: `label.${key}:${value}` }, "runs"), children: [
              key,
              "=",
              value
            ] }) }, key)),
            run.tags.map((tag) => /* @__PURE__ */ a(Tag, { children: /* @__PURE__ */ a("a", { href: linkWith({ q: `tag:${tag}` }, "runs"), children: [
              "#",
              tag
            ] }) }, tag))
          ] })
        ] })
      ] }),
      unknown.map((effect) => /* @__PURE__ */ a("p", { class: "note-box", children: [
        /* @__PURE__ */ a(Icon, { name: "warn" }),
        /* @__PURE__ */ a("span", { children: w2.run.unknownEffect(effect.name, effect.attempt) })
      ] }, effect.name))
    ] }),
    lost.map((one) => /* @__PURE__ */ a("div", { class: "body sub", children: [
      /* @__PURE__ */ a("h2", { children: w2.run.lostTitle(one.number) }),
      /* @__PURE__ */ a("p", { class: "dim", children: [
        w2.run.lostSays(one.executor, one.beside.length),
        " ",
        one.beside.slice(0, 4).map((id) => /* @__PURE__ */ a("a", { class: "link", href: link("runs", id), children: [
          /* @__PURE__ */ a("code", { children: [
            "…",
            id.slice(-8)
          ] }),
          " "
        ] }, id))
      ] })
    ] }, one.number)),
    others.length > 0 && /* @__PURE__ */ a("div", { class: "body sub", children: [
      /* @__PURE__ */ a("h2", { children: w2.run.lastRuns(run.job, others.length) }),
      /* @__PURE__ */ a(Strip, { runs: others, wide: 8, on: run.id }),
      /* @__PURE__ */ a("p", { class: "faint small", children: usual ? w2.run.usual(duration(usual.p50), duration(usual.p95)) : "" }),
      success && /* @__PURE__ */ a("a", { class: "link", href: linkWith({ with: success.id }, "runs", run.id, "compare"), children: w2.run.compare })
    ] })
  ] });
}

// pages/runs/peek.tsx
function RunPeek({ name }) {
  const resource = useResource(`runs/${name}`, { every: 1500 });
  const attempts = useResource(`runs/${name}/attempts`, { every: 4e3 }).data.value?.attempts ?? [];
  return /* @__PURE__ */ a(Shown, { of: resource, children: (run) => /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "peek-head", children: [
      /* @__PURE__ */ a("h2", { children: run.job }),
      /* @__PURE__ */ a(State, { state: run.state, note: run.reason ?? void 0 }),
      /* @__PURE__ */ a(Id, { id: run.id })
    ] }),
    run.error && run.state !== "succeeded" && /* @__PURE__ */ a("p", { class: "peek-error", children: [
      /* @__PURE__ */ a("b", { children: run.error.class }),
      ": ",
      run.error.message
    ] }),
    /* @__PURE__ */ a(PeekLanes, { run, attempts }),
    /* @__PURE__ */ a(Log, { id: run.id, over: isOver(run) }),
    /* @__PURE__ */ a(Bodies, { text: resource.text.value, run })
  ] }) });
}
function PeekLanes({ run, attempts }) {
  const usual = useUsual(run.job);
  const end = run.finished_at ? Date.parse(run.finished_at) : now.value;
  return /* @__PURE__ */ a(Lanes, { run, lanes: lanesOf(run, attempts, end), usual, now: now.value });
}

// frame/later.tsx
function later2(bring) {
  const found = y(null);
  return (props) => {
    const Found = found.value;
    if (Found) return /* @__PURE__ */ a(Found, { ...props });
    void bring().then((one) => found.value = one);
    return /* @__PURE__ */ a(Waiting, { rows: 6 });
  };
}

// frame/peekers.tsx
var peeks = () => import("./parts/peeks-FGMII5SR.js");
var peekers = {
  run: RunPeek,
  job: later2(async () => (await peeks()).JobPeek),
  trigger: later2(async () => (await peeks()).TriggerPeek),
  queue: later2(async () => (await peeks()).QueuePeek),
  executor: later2(async () => (await peeks()).ExecutorPeek),
  failure: later2(async () => (await peeks()).FailurePeek),
  breaker: later2(async () => (await peeks()).BreakerPeek),
  workflow: later2(async () => (await peeks()).WorkflowPeek)
};

// frame/peek.tsx
function Peek() {
  const wanted = asked("peek");
  A(() => {
    const open = (event) => setQuery({ peek: asked("peek") === event.detail ? null : event.detail });
    const leave2 = (event) => event.key === "Escape" && asked("peek") && !document.querySelector("dialog[open]") && setQuery({ peek: null });
    addEventListener("peek", open);
    addEventListener("keydown", leave2);
    return () => {
      removeEventListener("peek", open);
      removeEventListener("keydown", leave2);
    };
  }, []);
  const [kind = "", name = ""] = [wanted.slice(0, wanted.indexOf(":")), wanted.slice(wanted.indexOf(":") + 1)];
  const One = peekers[kind];
  if (!One) return null;
  return /* @__PURE__ */ a("aside", { class: "peek", "aria-label": words.value.frame.peek, children: [
    /* @__PURE__ */ a("header", { children: [
      /* @__PURE__ */ a(ButtonLink, { small: true, icon: "arrow", href: link(`${kind}s`, name), children: words.value.open }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a(Button, { small: true, icon: "x", label: words.value.close, onClick: () => setQuery({ peek: null }) })
    ] }),
    /* @__PURE__ */ a(One, { name }, name)
  ] });
}

// frame/router.tsx
var definitions = () => import("./parts/definitions-GBYTZ6FQ.js");
var time = () => import("./parts/time-FASFIB2F.js");
var rule = () => import("./parts/rule-CCUSNJQK.js");
var guards = () => import("./parts/guards-BYI4CKFS.js");
var fleet = () => import("./parts/fleet-D6HLCRCV.js");
var PAGES3 = {
  overview: [Overview],
  runs: [Runs, Run],
  jobs: [later2(async () => (await definitions()).Jobs), later2(async () => (await definitions()).Job)],
  workflows: [later2(async () => (await definitions()).Workflows), later2(async () => (await definitions()).Workflow)],
  batches: [later2(async () => (await definitions()).Batches), later2(async () => (await definitions()).Batch)],
  audit: [later2(async () => (await definitions()).Audit)],
  triggers: [later2(async () => (await time()).Triggers), later2(async () => (await time()).Trigger)],
  backfills: [later2(async () => (await time()).Backfills), later2(async () => (await time()).Backfill)],
  calendars: [later2(async () => (await time()).Calendars), later2(async () => (await time()).Calendar)],
  cluster: [later2(async () => (await rule()).Cluster)],
  admin: [later2(async () => (await rule()).Admin)],
  limits: [later2(async () => (await guards()).Limits)],
  breakers: [later2(async () => (await guards()).Breakers), later2(async () => (await guards()).Breaker)],
  alerts: [later2(async () => (await guards()).Alerts)],
  failures: [later2(async () => (await fleet()).Failures), later2(async () => (await fleet()).Failure)],
  queues: [later2(async () => (await fleet()).Queues), later2(async () => (await fleet()).Queue)],
  executors: [later2(async () => (await fleet()).Executors), later2(async () => (await fleet()).Executor)]
};
function PageOf() {
  const [page2 = "overview", ...rest] = place.value.parts;
  const [List, One] = PAGES3[page2] ?? [];
  const name = rest.join("/");
  if (name !== "" && One) return /* @__PURE__ */ a(One, { name }, name);
  if (List) return /* @__PURE__ */ a(List, { name: "" }, page2);
  return /* @__PURE__ */ a(Nowhere, {});
}
function Nowhere() {
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: words.value.nowhere.title }),
    /* @__PURE__ */ a("section", { class: "panel", children: /* @__PURE__ */ a(Empty, { title: words.value.nowhere.says, children: /* @__PURE__ */ a("a", { class: "link", href: link("overview"), children: words.value.pages.overview }) }) })
  ] });
}

// pages/sign-in.tsx
function SignIn() {
  const w2 = words.value.signIn;
  const name = useSignal(person.peek());
  const password = useSignal("");
  const token = useSignal("");
  const act = useAct(async () => {
    const body = token.value.trim() === "" ? { name: name.value, password: password.value } : { token: token.value.trim() };
    await post("sign-in", body);
    await recognise();
  });
  const reason = useReason(asked("refused"));
  useTitle(w2.title);
  return /* @__PURE__ */ a(Card, { onSubmit: act.submit, title: person.value === "" ? w2.title : w2.again, children: [
    /* @__PURE__ */ a(Entry, { label: w2.name, name: "name", complete: "username", value: name, focus: true, wrong: act.error.value !== "" }),
    /* @__PURE__ */ a(Entry, { label: w2.password, name: "password", complete: "current-password", value: password, secret: true, wrong: act.error.value !== "" }),
    /* @__PURE__ */ a(Wrong, { text: act.error.value || reason }),
    /* @__PURE__ */ a(Button, { kind: "main", type: "submit", children: act.busy.value ? w2.busy : w2.enter }),
    /* @__PURE__ */ a(Providers, {}),
    /* @__PURE__ */ a("details", { children: [
      /* @__PURE__ */ a("summary", { children: w2.withToken }),
      /* @__PURE__ */ a(Entry, { label: w2.token, name: "token", complete: "off", value: token, secret: true, wrong: false }),
      /* @__PURE__ */ a("p", { class: "dim", children: w2.help }),
      /* @__PURE__ */ a("code", { class: "sample", children: "cat .mainspring/api.token" })
    ] })
  ] });
}
function useReason(code) {
  const found = useSignal(null);
  A(() => {
    if (code) void import("./parts/sign-in-refused-6KDE3Y54.js").then((part2) => found.value = part2.reasonOf);
  }, [code]);
  return found.value?.(code, language.value) ?? "";
}
function Providers() {
  const found = useSignal([]);
  A(() => {
    get("sign-in/providers").then(({ data }) => found.value = data.providers, () => void 0);
  }, []);
  if (found.value.length === 0) return null;
  const then = encodeURIComponent(location.pathname + location.search);
  return /* @__PURE__ */ a("p", { class: "acts providers", children: found.value.map((one) => /* @__PURE__ */ a("a", { class: "button plain", href: `/api/v1/sign-in/providers/${part(one.name)}?then=${then}`, children: words.value.signIn.at(one.title) }, one.name)) });
}
function Start() {
  const w2 = words.value.signIn;
  const code = place.value.hash;
  const found = useSignal(null);
  const gone = useSignal("");
  const name = useSignal("");
  const password = useSignal("");
  const act = useAct(async () => {
    await post("invitations/accept", { code, name: name.value, password: password.value });
    go(address("default", ["overview"]), { replace: true });
    await recognise();
  });
  useTitle(w2.start);
  A(() => {
    post("invitations/show", { code: code || "-" }).then(
      ({ data }) => found.value = data,
      (refused) => gone.value = refused instanceof Refusal && refused.status !== 404 ? refused.message : w2.gone
    );
  }, [code]);
  if (gone.value !== "") {
    return /* @__PURE__ */ a(Card, { title: w2.start, children: [
      /* @__PURE__ */ a(Wrong, { text: gone.value }),
      /* @__PURE__ */ a("code", { class: "sample", children: "mainspring users invite NAME" }),
      /* @__PURE__ */ a("a", { class: "link", href: "/console/", children: w2.title })
    ] });
  }
  const first = found.value?.name === "";
  return /* @__PURE__ */ a(Card, { onSubmit: act.submit, title: first ? w2.firstAdmin : w2.start, children: [
    found.value && !first && /* @__PURE__ */ a("p", { children: w2.invited(found.value.name) }),
    first && /* @__PURE__ */ a(Entry, { label: w2.name, name: "name", complete: "username", value: name, focus: true, wrong: act.field.value === "name" }),
    /* @__PURE__ */ a(Entry, { label: w2.password, name: "password", complete: "new-password", value: password, secret: true, help: w2.passwordHelp, wrong: act.field.value === "password" }),
    /* @__PURE__ */ a(Wrong, { text: act.error.value }),
    /* @__PURE__ */ a(Button, { kind: "main", type: "submit", children: act.busy.value ? w2.busy : first ? w2.makeAdmin : w2.choose })
  ] });
}
function Card({ title, onSubmit, children }) {
  return /* @__PURE__ */ a("main", { class: "sign-in", children: /* @__PURE__ */ a("form", { class: "panel", onSubmit: onSubmit ?? ((event) => event.preventDefault()), children: [
    /* @__PURE__ */ a("header", { children: [
      /* @__PURE__ */ a("svg", { class: "spring", "aria-hidden": "true", children: /* @__PURE__ */ a("use", { href: "#spring" }) }),
      /* @__PURE__ */ a("h1", { tabIndex: -1, children: "Mainspring" }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a(Button, { small: true, onClick: () => void setLanguage(language.value === "zh" ? "en" : "zh"), children: language.value === "zh" ? "English" : "中文" })
    ] }),
    /* @__PURE__ */ a("h2", { children: title }),
    children
  ] }) });
}
function Entry({ label, name, complete, value, wrong, secret, focus, help }) {
  return /* @__PURE__ */ a("label", { class: "field", children: [
    /* @__PURE__ */ a("span", { children: label }),
    /* @__PURE__ */ a(
      "input",
      {
        class: "input tall",
        type: secret ? "password" : "text",
        name,
        autoComplete: complete,
        autoFocus: focus ?? false,
        autoCapitalize: "none",
        spellcheck: false,
        "aria-invalid": wrong,
        value: value.value,
        onInput: (input) => value.value = input.currentTarget.value
      }
    ),
    help && /* @__PURE__ */ a("small", { class: "dim", children: help })
  ] });
}
function Wrong({ text }) {
  if (text === "") return null;
  return /* @__PURE__ */ a("p", { class: "is-failed wrong", role: "alert", children: [
    /* @__PURE__ */ a(Icon, { name: "warn" }),
    " ",
    text
  ] });
}
function useAct(run) {
  const error = useSignal("");
  const field = useSignal("");
  const busy = useSignal(false);
  const submit = async (event) => {
    event.preventDefault();
    busy.value = true;
    error.value = field.value = "";
    try {
      await run();
    } catch (refused) {
      const known = refused instanceof Refusal ? refused : null;
      field.value = known?.field ?? "";
      error.value = sentenceOf(known);
    } finally {
      busy.value = false;
    }
  };
  return { error, field, busy, submit };
}
function sentenceOf(refused) {
  const w2 = words.value.signIn;
  if (refused === null) return w2.wrong;
  if (refused.code === "too_many_tries") return w2.locked(Number(refused.problem["retry_after"] ?? 30));
  if (refused.code === "token_unknown") return w2.wrongToken;
  return refused.status === 401 ? w2.wrong : refused.message;
}

// app.tsx
function Console() {
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Sprite, {}),
    isStart() && /* @__PURE__ */ a(Start, {}),
    !isStart() && !signedIn.value && /* @__PURE__ */ a(SignIn, {}),
    !isStart() && person.value !== "" && /* @__PURE__ */ a("div", { class: "whole", hidden: !signedIn.value, children: /* @__PURE__ */ a(SignedIn, {}) }, person.value),
    /* @__PURE__ */ a(Toasts, {})
  ] });
}
function isStart() {
  return place.value.namespace === "start" && place.value.parts.length === 0;
}
function SignedIn() {
  const who = useResource("whoami", { every: 6e4 });
  const found = who.data.value ?? grant.value;
  A(() => {
    if (who.data.value) grant.value = who.data.value;
  }, [who.data.value]);
  A(() => {
    let end = () => {
    };
    let gone = false;
    void import("./parts/kept-HLZTKETP.js").then(({ keepPreferences }) => gone || (end = keepPreferences()), () => void 0);
    return () => {
      gone = true;
      end();
    };
  }, []);
  if (!found) return /* @__PURE__ */ a("div", { class: "alone", children: /* @__PURE__ */ a(Shown, { of: who, children: () => null }) });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Frame, { who: found, children: /* @__PURE__ */ a(PageOf, {}) }),
    /* @__PURE__ */ a(Peek, {}),
    /* @__PURE__ */ a(Palette, {}),
    /* @__PURE__ */ a(Dialogs, {}),
    /* @__PURE__ */ a(Forms, {}),
    /* @__PURE__ */ a(StartDialog, {}),
    /* @__PURE__ */ a(KeysHelp, {})
  ] });
}
async function begin() {
  if (!isStart()) readAhead("overview");
  await loadLanguage();
  followLinks();
  startClock();
  startTending();
  startStream();
  startEverywhereKeys();
  if (!isStart() && !await recognise().catch(() => false)) forgetAll();
  document.documentElement.dataset["density"] = density.peek();
  Q(/* @__PURE__ */ a(Console, {}), document.getElementById("app"));
  setTimeout(() => settled.value = true, SETTLED);
}
void begin();
