import {
  Refusal,
  count,
  duration,
  get,
  namespace,
  now,
  parseDuration,
  relative,
  serverNow,
  shortId,
  useSignal,
  words,
  writeDuration,
  y,
  zone,
  zoned
} from "./chunk-K2CDJBIM.js";
import {
  Field,
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A,
  P,
  T,
  w
} from "./chunk-DPBHMWAZ.js";

// live/pause.ts
var paused = y(false);

// live/resource.ts
var GAP = 500;
var KEPT = 120;
var held = /* @__PURE__ */ new Map();
function useResource(path, { every = 0 } = {}) {
  const key = path === null ? "" : `${namespace.value} ${path}`;
  const found = w(() => path === null ? blank(key, "") : resourceOf(key, path), [key]);
  A(() => {
    if (path === null) return;
    const release = () => {
      found.users -= 1;
    };
    found.users += 1;
    found.every = every;
    if (found.busy.peek()) return release;
    if (found.at.peek() === 0 || found.stale || serverNow() - found.at.peek() > GAP) void read(found);
    return release;
  }, [found, every]);
  return found;
}
function readAhead(path) {
  void read(resourceOf(`${namespace.peek()} ${path}`, path));
}
function resourceOf(key, path) {
  const known = held.get(key);
  const found = known ?? blank(key, path);
  held.delete(key);
  held.set(key, found);
  for (const [old, one] of held) {
    if (held.size <= KEPT) break;
    if (one.users === 0) held.delete(old);
  }
  return found;
}
function blank(key, path) {
  return {
    key,
    path,
    data: y(void 0),
    text: y(""),
    etag: y(""),
    error: y(void 0),
    busy: y(false),
    at: y(0),
    users: 0,
    every: 0,
    begun: 0,
    stale: false
  };
}
async function read(one) {
  if (one.busy.peek()) {
    one.stale = true;
    return;
  }
  one.busy.value = true;
  one.stale = false;
  one.begun = performance.now();
  try {
    accept(one, await get(one.path));
  } catch (error) {
    one.error.value = error instanceof Refusal ? error : new Refusal(0, { code: "unreadable", detail: String(error) });
  } finally {
    one.busy.value = false;
    one.at.value = serverNow();
  }
}
function accept(one, answer) {
  one.error.value = void 0;
  one.etag.value = answer.etag;
  if (answer.text === one.text.peek() && one.data.peek() !== void 0) return;
  one.text.value = answer.text;
  one.data.value = answer.data;
}
function reread(resource) {
  void read(resource);
}
function outdate(matches) {
  for (const one of held.values()) if (matches(one.path)) one.stale = true;
}
function outdateAll() {
  outdate(() => true);
}
function forgetAll() {
  held.clear();
}
function tend() {
  if (document.hidden || paused.peek()) return;
  const moment = serverNow();
  for (const one of held.values()) {
    const counting = one.data.peek()?.counting;
    const old = one.every > 0 && moment - one.at.peek() >= (counting ? 2 * GAP : one.every);
    const rested = performance.now() - one.begun >= GAP;
    if (one.users > 0 && rested && (one.stale || old)) void read(one);
  }
}
function startTending() {
  setInterval(tend, GAP / 2);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) outdateAll();
  });
}

// api/rights.ts
var LEAST = {
  "alerts:read": "viewer",
  "alerts:steer": "operator",
  "alerts:write": "editor",
  "audit:read": "admin",
  "database:read": "admin",
  "document:read": "viewer",
  "events:read": "viewer",
  "executors:connect": "executor",
  "executors:read": "viewer",
  "executors:steer": "operator",
  "invariants:read": "admin",
  "jobs:read": "viewer",
  "jobs:write": "editor",
  "metrics:read": "viewer",
  "namespaces:read": "viewer",
  "namespaces:write": "admin",
  "queues:read": "viewer",
  "queues:steer": "operator",
  "queues:write": "editor",
  "runs:approve": "operator",
  "runs:read": "viewer",
  "runs:steer": "operator",
  "runs:write": "operator",
  "scaling:read": "viewer",
  "servers:read": "viewer",
  "servers:steer": "operator",
  "settings:read": "admin",
  "tokens:read": "admin",
  "tokens:write": "admin",
  "triggers:read": "viewer",
  "triggers:steer": "operator",
  "triggers:write": "editor",
  "users:read": "admin",
  "users:write": "admin",
  "views:share": "operator",
  "views:write": "viewer"
};

// live/rights.ts
var grant = y(null);
function refusal(permission) {
  if (grant.value?.permissions.includes(permission)) return void 0;
  const roles = words.value.roles;
  const least = LEAST[permission];
  return words.value.needsRole(roles[least] ?? least);
}

// parts/icons.tsx
function Sprite() {
  return /* @__PURE__ */ a("svg", { hidden: true, "aria-hidden": "true", children: /* @__PURE__ */ a("defs", { children: [
    /* @__PURE__ */ a("symbol", { id: "spring", viewBox: "0 0 22 22", children: [
      /* @__PURE__ */ a("path", { d: "M11 11.2c.3-.9 1.8-.6 2 .6.3 1.7-1.3 2.9-3 2.5-2.2-.5-3.2-3-2.3-5.1 1.1-2.6 4.2-3.5 6.7-2.2 3 1.6 3.9 5.5 2.3 8.5-1.9 3.5-6.5 4.5-9.9 2.5C2.9 15.7 1.8 10.6 4 6.7 5.5 4 8.3 2.3 11.3 2.1", fill: "none", stroke: "currentColor", "stroke-width": "1.9", "stroke-linecap": "round" }),
      /* @__PURE__ */ a("circle", { cx: "11.3", cy: "2.1", r: "1.7", fill: "currentColor" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "s-queued", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "5.6", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-dasharray": ".1 3.418", "stroke-linecap": "round" }) }),
    /* @__PURE__ */ a("symbol", { id: "s-waiting", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "6", fill: "none", stroke: "currentColor", "stroke-width": "1.6" }),
      /* @__PURE__ */ a("path", { d: "M6.3 5.8v4.4M9.7 5.8v4.4", stroke: "currentColor", "stroke-width": "1.6", "stroke-linecap": "round" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "s-running", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "6", fill: "none", stroke: "currentColor", "stroke-width": "2", opacity: ".25" }),
      /* @__PURE__ */ a("path", { d: "M8 2a6 6 0 0 1 6 6", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round" }),
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "1.7", fill: "currentColor" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "s-succeeded", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "7", fill: "currentColor" }),
      /* @__PURE__ */ a("path", { d: "m4.9 8.2 2.2 2.2 4.1-4.6", fill: "none", stroke: "var(--surface)", "stroke-width": "1.7", "stroke-linecap": "round", "stroke-linejoin": "round" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "s-failed", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("path", { d: "M8 .4 15.6 8 8 15.6.4 8z", fill: "currentColor", stroke: "currentColor", "stroke-width": ".8", "stroke-linejoin": "round" }),
      /* @__PURE__ */ a("path", { d: "m5.9 5.9 4.2 4.2m0-4.2-4.2 4.2", stroke: "var(--surface)", "stroke-width": "1.6", "stroke-linecap": "round" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "s-cancelled", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "6", fill: "none", stroke: "currentColor", "stroke-width": "1.6" }),
      /* @__PURE__ */ a("path", { d: "m4 12 8-8", stroke: "currentColor", "stroke-width": "1.6" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "s-skipped", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m3.5 4 4 4-4 4m5-8 4 4-4 4", fill: "none", stroke: "currentColor", "stroke-width": "1.7", "stroke-linecap": "round", "stroke-linejoin": "round" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-overview", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M2 12.5a6 6 0 1 1 12 0M8 12.5l2.6-4.2" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-runs", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M2 4h8M2 8h12M2 12h6" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-jobs", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M3 2.5h7l3 3v8H3zM5.5 8h5M5.5 10.8h3.5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-triggers", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8.5", r: "5.5" }),
      /* @__PURE__ */ a("path", { d: "M8 5.5v3.2l2 1.3M6.3 1.5h3.4" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-workflows", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "3.6", cy: "8", r: "1.8" }),
      /* @__PURE__ */ a("circle", { cx: "12.4", cy: "3.8", r: "1.8" }),
      /* @__PURE__ */ a("circle", { cx: "12.4", cy: "12.2", r: "1.8" }),
      /* @__PURE__ */ a("path", { d: "M5.4 8c3 0 2-4.2 5.2-4.2M5.4 8c3 0 2 4.2 5.2 4.2" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-failures", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M8 1.8 14.2 8 8 14.2 1.8 8zM8 5.2v3.4M8 10.9v.1" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-queues", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M2 4.5h12M2 8h12M2 11.5h12", "stroke-dasharray": "2.6 2.1" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-executors", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("rect", { x: "2", y: "3", width: "12", height: "4", rx: "1" }),
      /* @__PURE__ */ a("rect", { x: "2", y: "9", width: "12", height: "4", rx: "1" }),
      /* @__PURE__ */ a("path", { d: "M4.5 5h.1M4.5 11h.1" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-breakers", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("path", { d: "M1.5 10h3.7l4.6-5M10.5 10h4" }),
      /* @__PURE__ */ a("circle", { cx: "5.5", cy: "10", r: ".8" }),
      /* @__PURE__ */ a("circle", { cx: "10.5", cy: "10", r: ".8" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-alerts", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M4 11V7.2a4 4 0 0 1 8 0V11l1.2 1.5H2.8zM6.7 14h2.6" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-cluster", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m8 1.8 5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9zM2.8 5 8 8l5.2-3M8 8v6" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-audit", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-admin", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "5.5", r: "2.8" }),
      /* @__PURE__ */ a("path", { d: "M2.8 13.7c.6-2.8 2.6-4.2 5.2-4.2s4.6 1.4 5.2 4.2" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-star", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-find", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "7", cy: "7", r: "4.3" }),
      /* @__PURE__ */ a("path", { d: "m10.3 10.3 3.4 3.4" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-down", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m4.5 6.5 3.5 3.5 3.5-3.5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-theme", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "5.5" }),
      /* @__PURE__ */ a("path", { d: "M8 2.5a5.5 5.5 0 0 1 0 11z", fill: "currentColor" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-copy", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("rect", { x: "5.5", y: "5.5", width: "8", height: "8", rx: "1.5" }),
      /* @__PURE__ */ a("path", { d: "M10.5 3H4a1.5 1.5 0 0 0-1.5 1.5v6" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-more", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M3.5 8h.1M8 8h.1M12.5 8h.1", "stroke-width": "2.2" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-flag", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M3.5 14V2.5h8l-1.8 3 1.8 3h-8" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-warn", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.7v.1" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-moon", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M13 9.8A5.5 5.5 0 0 1 6.2 3 5.5 5.5 0 1 0 13 9.8z" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-stop", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("rect", { x: "4", y: "4", width: "8", height: "8", rx: "1" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-save", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M8 2.5v7.2M5 7l3 3 3-3M2.8 13h10.4" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-arrow", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M3 8h9.5M9 4.5 12.5 8 9 11.5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-pause", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M5.5 3.5v9M10.5 3.5v9" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-skip", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m4 3.5 6 4.5-6 4.5zM12.5 3.5v9" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-play", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m5 3.2 7 4.8-7 4.8z" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-x", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m4.5 4.5 7 7m0-7-7 7" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-check", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m3.5 8.5 3 3 6-7" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-right", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m6.5 4.5 3.5 3.5-3.5 3.5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-left", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M9.5 4.5 6 8l3.5 3.5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-plus", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M8 3.2v9.6M3.2 8h9.6" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-retry", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M13 8a5 5 0 1 1-1.6-3.7M13 2.2v2.8h-2.8" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-calendar", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("rect", { x: "2.5", y: "3.5", width: "11", height: "10", rx: "1.2" }),
      /* @__PURE__ */ a("path", { d: "M2.5 6.7h11M5.5 2v2.6M10.5 2v2.6" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-backfill", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M13.5 3.5v9M10.5 8H2.8M6 4.7 2.7 8 6 11.3" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-hook", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("path", { d: "M6.2 5.5 4 9.4M8 3a2 2 0 0 1 1.8 3l2.3 4M9 11.8h3.6M5.6 11.3h3.2" }),
      /* @__PURE__ */ a("circle", { cx: "4", cy: "11.3", r: "1.8" }),
      /* @__PURE__ */ a("circle", { cx: "12.3", cy: "11.8", r: "1.7" }),
      /* @__PURE__ */ a("circle", { cx: "8", cy: "4.3", r: "1.7" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-key", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "5", cy: "11", r: "2.7" }),
      /* @__PURE__ */ a("path", { d: "m7 9 6-6M11 5l1.8 1.8M9.3 6.7l1.4 1.4" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-menu", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M2.5 4h11M2.5 8h11M2.5 12h11" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-globe", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "5.7" }),
      /* @__PURE__ */ a("path", { d: "M2.3 8h11.4M8 2.3c3.6 3.6 3.6 7.8 0 11.4-3.6-3.6-3.6-7.8 0-11.4" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-keyboard", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("rect", { x: "1.5", y: "4", width: "13", height: "8", rx: "1.3" }),
      /* @__PURE__ */ a("path", { d: "M4 6.6h.1M6.7 6.6h.1M9.4 6.6h.1M12 6.6h.1M5 9.5h6" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-out", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M6.5 2.5h-3v11h3M7 8h6.5M10.7 5.2 13.5 8l-2.8 2.8" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-command", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m3 4.5 3.5 3.5L3 11.5M8 12h5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-edit", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m3 13 .6-3 6.7-6.7 2.4 2.4L6 12.4zM9 4.6 11.4 7" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-trash", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M7 7v3.5M9 7v3.5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-undo", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M3 6.5h6.5a3.3 3.3 0 0 1 0 6.6H6M3 6.5l3-3M3 6.5l3 3" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-link", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M6.7 9.3 9.3 6.7M7.3 4.7l1.5-1.5a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.7 11.3l-1.5 1.5a2.8 2.8 0 0 1-4-4l1.5-1.5" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-broken", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "m4.7 8.7-1.5 1.5a2.5 2.5 0 0 0 3.6 3.6l1.5-1.5M11.3 7.3l1.5-1.5a2.5 2.5 0 0 0-3.6-3.6L7.7 3.7M3 3l2 2M13 13l-2-2M6.5 2v2M2 6.5h2M9.5 14v-2M14 9.5h-2" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-clock", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "5.8" }),
      /* @__PURE__ */ a("path", { d: "M8 4.8V8l2.2 1.5" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-eye", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("path", { d: "M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8z" }),
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "1.9" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-shield", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M8 1.8 13 3.7v4c0 3-2 5.3-5 6.5-3-1.2-5-3.5-5-6.5v-4z" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-info", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("circle", { cx: "8", cy: "8", r: "5.8" }),
      /* @__PURE__ */ a("path", { d: "M8 7.4v3.4M8 5.1v.1" })
    ] }),
    /* @__PURE__ */ a("symbol", { id: "i-drain", viewBox: "0 0 16 16", children: /* @__PURE__ */ a("path", { d: "M8 2.3v7M5 6.5l3 3 3-3M3 12.8h10" }) }),
    /* @__PURE__ */ a("symbol", { id: "i-columns", viewBox: "0 0 16 16", children: [
      /* @__PURE__ */ a("rect", { x: "2.3", y: "3", width: "11.4", height: "10", rx: "1.2" }),
      /* @__PURE__ */ a("path", { d: "M6.2 3v10M9.9 3v10" })
    ] })
  ] }) });
}
function Icon({ name, class: extra = "" }) {
  return /* @__PURE__ */ a("svg", { class: `icon ${extra}`, "aria-hidden": "true", children: /* @__PURE__ */ a("use", { href: `#i-${name}` }) });
}

// parts/toasts.tsx
var SHOWN = 8e3;
var COUNTED = 11e3;
var STACK = 3;
var toasts = y([]);
var last = 0;
function toast(told) {
  const one = { ...told, id: ++last, timer: void 0 };
  toasts.value = [...toasts.value, one].slice(-STACK);
  leaveLater(one);
}
function tellRefusal(error) {
  const text = error instanceof Refusal ? error.message : String(error);
  toast({ text, failed: true });
}
function leaveLater(one) {
  clearTimeout(one.timer);
  one.timer = setTimeout(() => close(one), typeof one.text === "string" ? SHOWN : COUNTED);
}
function close(one) {
  clearTimeout(one.timer);
  toasts.value = toasts.value.filter((other) => other.id !== one.id);
}
function Toasts() {
  return /* @__PURE__ */ a("div", { class: "toasts", role: "status", "aria-live": "polite", children: toasts.value.map((one) => /* @__PURE__ */ a(
    "div",
    {
      class: `toast ${one.failed ? "is-bad" : ""}`,
      onMouseEnter: () => clearTimeout(one.timer),
      onMouseLeave: () => leaveLater(one),
      onFocusIn: () => clearTimeout(one.timer),
      onFocusOut: () => leaveLater(one),
      children: [
        one.failed && /* @__PURE__ */ a(Icon, { name: "warn" }),
        /* @__PURE__ */ a("span", { class: "grow", children: typeof one.text === "string" ? one.text : one.text() }),
        one.act && /* @__PURE__ */ a(
          "button",
          {
            type: "button",
            onClick: () => {
              close(one);
              void Promise.resolve(one.act?.run()).catch(tellRefusal);
            },
            children: one.act.name
          }
        ),
        one.href && /* @__PURE__ */ a("a", { href: one.href, onClick: () => close(one), children: words.value.open }),
        /* @__PURE__ */ a("button", { type: "button", class: "close", "aria-label": words.value.close, onClick: () => close(one), children: /* @__PURE__ */ a(Icon, { name: "x" }) })
      ]
    },
    one.id
  )) });
}

// parts/copy.ts
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  toast({ text: words.value.copied(text.length > 60 ? `${text.slice(0, 57)}…` : text) });
}
function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "away";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// parts/basics.tsx
var FINAL = ["succeeded", "failed", "cancelled", "skipped"];
function StateIcon({ state }) {
  return /* @__PURE__ */ a("svg", { class: `state-icon is-${state}`, "aria-hidden": "true", children: /* @__PURE__ */ a("use", { href: `#s-${state}` }) });
}
function State({ state, note }) {
  const named = words.value.states;
  return /* @__PURE__ */ a("span", { class: `state is-${state}`, children: [
    /* @__PURE__ */ a(StateIcon, { state }),
    named[state] ?? state,
    note && /* @__PURE__ */ a("span", { class: "faint", children: note })
  ] });
}
function Ago({ at }) {
  if (!at) return /* @__PURE__ */ a("span", { class: "faint", children: "–" });
  const instant = Date.parse(at);
  return /* @__PURE__ */ a("time", { dateTime: at, title: fullTime(instant), children: relative((instant - now.value) / 1e3) });
}
function Moment({ at, date = false }) {
  if (!at) return /* @__PURE__ */ a("span", { class: "faint", children: "–" });
  const instant = Date.parse(at);
  const parts = zoned(instant, zone.value || void 0);
  return /* @__PURE__ */ a("time", { dateTime: at, title: fullTime(instant), children: [
    date && `${parts.date} `,
    parts.time,
    /* @__PURE__ */ a("span", { class: "faint", children: [
      ".",
      parts.millis
    ] })
  ] });
}
function fullTime(instant) {
  const parts = zoned(instant, zone.value || void 0);
  return `${parts.weekday} ${parts.date} ${parts.time}.${parts.millis} ${parts.offset}`;
}
function Took({ seconds }) {
  return seconds === null || seconds === void 0 ? /* @__PURE__ */ a("span", { class: "faint", children: "–" }) : /* @__PURE__ */ a($, { children: duration(seconds) });
}
var Count = ({ value, capped = false }) => /* @__PURE__ */ a($, { children: count(value, capped) });
function Id({ id, whole = false }) {
  return /* @__PURE__ */ a("button", { type: "button", class: "id", title: whole ? words.value.copy : id, onClick: () => copy(id), children: [
    whole ? id : shortId(id),
    whole && /* @__PURE__ */ a(Icon, { name: "copy" })
  ] });
}
function Panel(props) {
  return /* @__PURE__ */ a("section", { class: `panel ${props.class ?? ""}`, children: [
    (props.title || props.more) && /* @__PURE__ */ a("header", { children: [
      props.title && /* @__PURE__ */ a("h2", { children: props.title }),
      props.note && /* @__PURE__ */ a("span", { class: "note", children: props.note }),
      props.more && /* @__PURE__ */ a("span", { class: "more", children: props.more })
    ] }),
    props.children
  ] });
}
function Head(props) {
  useTitle(props.title);
  return /* @__PURE__ */ a($, { children: [
    props.trail && /* @__PURE__ */ a("nav", { class: "trail", children: props.trail }),
    /* @__PURE__ */ a("div", { class: "head", children: [
      /* @__PURE__ */ a("h1", { tabIndex: -1, children: props.title }),
      props.beside,
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a("div", { class: "acts", children: props.children })
    ] })
  ] });
}
function useTitle(title) {
  A(() => {
    document.title = `${title} · Mainspring`;
  }, [title]);
}
function Tabs({ tabs, on, label }) {
  return /* @__PURE__ */ a("nav", { class: "tabs", "aria-label": label, children: tabs.map((tab) => /* @__PURE__ */ a("a", { href: tab.href, "aria-current": tab.id === on ? "page" : void 0, children: [
    tab.name,
    tab.note !== void 0 && tab.note !== null && /* @__PURE__ */ a("small", { children: tab.note })
  ] }, tab.id)) });
}
function Segments(props) {
  return /* @__PURE__ */ a("span", { class: `segments ${props.small ? "small" : ""}`, role: "group", "aria-label": props.label, children: props.choices.map(({ id, name }) => /* @__PURE__ */ a("button", { type: "button", "aria-pressed": id === props.on, onClick: () => props.onChoose(id), children: name }, id)) });
}
function Button({ icon, kind = "plain", small, refused, onClick, children, label, type = "button", pressed }) {
  return /* @__PURE__ */ a(
    "button",
    {
      type,
      class: `button ${kind} ${small ? "small" : ""} ${children ? "" : "only"}`,
      "aria-disabled": refused ? "true" : void 0,
      "aria-label": label,
      "aria-pressed": pressed,
      title: refused ?? label,
      onClick: (event) => refused ? event.preventDefault() : onClick?.(event),
      children: [
        icon && /* @__PURE__ */ a(Icon, { name: icon }),
        children
      ]
    }
  );
}
function ButtonLink({ href, icon, small, kind = "plain", children }) {
  return /* @__PURE__ */ a("a", { href, class: `button ${kind} ${small ? "small" : ""}`, children: [
    icon && /* @__PURE__ */ a(Icon, { name: icon }),
    children
  ] });
}
function Tag({ kind = "", title, children }) {
  return /* @__PURE__ */ a("span", { class: `tag ${kind}`, title, children });
}
function Gauge({ taken, room, wide = false }) {
  const share = room > 0 ? Math.min(1, taken / room) : 0;
  return /* @__PURE__ */ a("span", { class: `gauge ${share >= 1 && room > 0 ? "full" : ""} ${wide ? "wide" : ""}`, "aria-hidden": "true", children: /* @__PURE__ */ a("i", { style: { width: `${share * 100}%` } }) });
}
function Shown({ of, rows = 3, children }) {
  const data = of.data.value;
  const error = of.error.value;
  if (data === void 0 && error) return /* @__PURE__ */ a(Failed, { error, onRetry: () => reread(of) });
  if (data === void 0) return /* @__PURE__ */ a(Waiting, { rows });
  return /* @__PURE__ */ a($, { children: [
    error && /* @__PURE__ */ a(Failed, { error, onRetry: () => reread(of), slim: true }),
    children(data)
  ] });
}
function Failed({ error, onRetry, slim = false }) {
  const w2 = words.value;
  return /* @__PURE__ */ a("div", { class: `failed-box ${slim ? "slim" : ""}`, role: "alert", children: [
    /* @__PURE__ */ a(Icon, { name: "warn" }),
    /* @__PURE__ */ a("span", { class: "grow", children: [
      /* @__PURE__ */ a("b", { children: error.status === 403 ? w2.errors.forbidden : error.status === 404 ? w2.errors.gone : error.status === 0 ? w2.errors.unreachable : w2.errors.failed }),
      " ",
      error.status !== 0 && /* @__PURE__ */ a("span", { class: "dim", children: error.message }),
      " ",
      /* @__PURE__ */ a("code", { class: "faint", children: error.code })
    ] }),
    onRetry && /* @__PURE__ */ a(Button, { small: true, icon: "retry", onClick: onRetry, children: w2.errors.again })
  ] });
}
function Waiting({ rows = 3 }) {
  const late = useSignal(false);
  A(() => {
    const timer = setTimeout(() => late.value = true, 150);
    return () => clearTimeout(timer);
  }, []);
  return /* @__PURE__ */ a("div", { class: "waiting-box", "aria-busy": "true", children: late.value && Array.from({ length: rows }, (_, row) => /* @__PURE__ */ a("i", { style: { width: `${88 - row * 23 % 40}%` } }, row)) });
}
function Empty({ title, children }) {
  return /* @__PURE__ */ a("div", { class: "empty", children: [
    /* @__PURE__ */ a("p", { children: title }),
    children
  ] });
}
function Command({ line }) {
  return /* @__PURE__ */ a("div", { class: "command", children: [
    /* @__PURE__ */ a("code", { children: line }),
    /* @__PURE__ */ a(Button, { small: true, icon: "copy", label: words.value.copy, onClick: () => copy(line) })
  ] });
}

// parts/dialog.tsx
var asked = y(null);
function askFor(one) {
  asked.value = one;
}
function Dialogs() {
  const one = asked.value;
  return one && /* @__PURE__ */ a(ActDialog, { act: one, onClose: () => asked.value = null }, one.title);
}
function ActDialog({ act, onClose }) {
  const w2 = words.value;
  const reason = useSignal("");
  const typed = useSignal("");
  const busy = useSignal(false);
  const error = useSignal(null);
  const wants = act.reason ?? "optional";
  const open = (wants !== "needed" || reason.value.trim() !== "") && (act.typed === void 0 || typed.value === act.typed);
  const submit = async (event) => {
    event.preventDefault();
    if (!open || busy.value) return;
    busy.value = true;
    try {
      await act.run(reason.value.trim());
      onClose();
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
    } finally {
      busy.value = false;
    }
  };
  return /* @__PURE__ */ a(Modal, { title: act.title, onClose, children: /* @__PURE__ */ a("form", { onSubmit: submit, children: [
    act.says && /* @__PURE__ */ a("p", { class: "says", children: act.says }),
    act.samples && act.samples.length > 0 && /* @__PURE__ */ a("p", { class: "samples", children: [
      act.samples.slice(0, 5).map((id) => /* @__PURE__ */ a(Id, { id }, id)),
      act.more
    ] }),
    act.fields,
    wants !== "no" && /* @__PURE__ */ a("label", { class: "field", children: [
      /* @__PURE__ */ a("span", { children: [
        w2.reason,
        wants === "needed" && /* @__PURE__ */ a("b", { class: "is-failed", children: " *" })
      ] }),
      /* @__PURE__ */ a("input", { class: "input", value: reason.value, required: wants === "needed", onInput: (event) => reason.value = event.currentTarget.value })
    ] }),
    act.typed !== void 0 && /* @__PURE__ */ a("label", { class: "field", children: [
      /* @__PURE__ */ a("span", { children: w2.typeToConfirm(act.typed) }),
      /* @__PURE__ */ a("input", { class: "input", value: typed.value, onInput: (event) => typed.value = event.currentTarget.value })
    ] }),
    act.command && /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: [
        /* @__PURE__ */ a(Icon, { name: "command" }),
        " ",
        w2.asCommand
      ] }),
      /* @__PURE__ */ a(Command, { line: act.command(reason.value.trim()) })
    ] }),
    error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: act.keep ?? w2.cancel }),
      /* @__PURE__ */ a(Button, { type: "submit", kind: act.danger ? "danger" : "main", refused: open ? void 0 : w2.fillFirst, children: act.confirm })
    ] })
  ] }) });
}
function Modal({ title, onClose, wide = false, children }) {
  const box = T(null);
  A(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return /* @__PURE__ */ a(
    "dialog",
    {
      ref: box,
      class: `dialog ${wide ? "wide" : ""}`,
      "aria-labelledby": "dialog-title",
      onCancel: (event) => {
        event.preventDefault();
        onClose();
      },
      onMouseDown: (event) => event.target === box.current && onClose(),
      children: /* @__PURE__ */ a("div", { class: "inside", children: [
        /* @__PURE__ */ a("header", { children: [
          /* @__PURE__ */ a("h2", { id: "dialog-title", children: title }),
          /* @__PURE__ */ a(Button, { small: true, icon: "x", label: words.value.close, onClick: onClose })
        ] }),
        children
      ] })
    }
  );
}

// parts/draft.ts
function written(kind, value) {
  if (value === null || value === void 0) return "";
  if (kind === "span") return writeDuration(value);
  if (kind === "share") return `${+(value * 100).toFixed(4)} %`;
  if (kind === "list") return value.join(", ");
  if (kind === "check") return value ? "1" : "";
  return kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}
function read2(kind, text) {
  const cleaned = text.trim();
  if (kind === "check") return cleaned !== "";
  if (kind === "list") return cleaned === "" ? [] : cleaned.split(/[\s,]+/);
  if (cleaned === "") return kind === "text" || kind === "name" || kind === "choice" || kind === "secret" ? "" : null;
  if (kind === "span") return parseDuration(cleaned) ?? cleaned;
  if (kind === "number") return Number.isFinite(Number(cleaned)) ? Number(cleaned) : cleaned;
  if (kind === "share") return shareOf(cleaned);
  return kind === "json" ? jsonOf(cleaned) : cleaned;
}
function shareOf(text) {
  const value = Number(text.replace(/%$/, ""));
  if (!Number.isFinite(value)) return text;
  return text.endsWith("%") ? +(value / 100).toFixed(6) : value;
}
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
function draftOf(fields, start) {
  return Object.fromEntries(fields.map((field) => [field.name, written(field.kind, start[field.name])]));
}
function bodyOf(fields, draft) {
  const asked2 = fields.filter((field) => !field.when || field.when(draft));
  const pairs = asked2.map((field) => [field.name, read2(field.kind, draft[field.name] ?? "")]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== "" && value !== null && !(Array.isArray(value) && value.length === 0)));
}
function differences(fields, mine, theirs) {
  return fields.filter(({ name }) => (mine[name] ?? "") !== (theirs[name] ?? "")).map(({ name, label }) => ({ name, label, mine: mine[name] ?? "", theirs: theirs[name] ?? "" }));
}
function options(body) {
  return Object.entries(body).flatMap(([name, value]) => Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]]).map(([name, value]) => ` --${name.replaceAll("_", "-")}${value === true ? "" : ` ${quoted(value)}`}`).join("");
}
function quoted(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// parts/form.tsx
var shown = y(null);
function fillIn(form) {
  shown.value = { form, draft: y(draftOf(form.fields, form.start)) };
}
function Forms() {
  const one = shown.value;
  return one && /* @__PURE__ */ a(FormDialog, { form: one.form, draft: one.draft, onClose: () => shown.value = null }, one.form.title);
}
function FormDialog({ form, draft, onClose }) {
  const w2 = words.value;
  const busy = useSignal(false);
  const error = useSignal(null);
  const other = useSignal(null);
  const asked2 = form.fields.filter((field) => !field.when || field.when(draft.value));
  const lacks = asked2.some((field) => field.required && (draft.value[field.name] ?? "").trim() === "");
  const submit = async (event) => {
    event.preventDefault();
    if (lacks || busy.value) return;
    busy.value = true;
    error.value = null;
    try {
      await form.send(bodyOf(form.fields, draft.value), draft.value);
      outdateAll();
      if (form.done) toast({ text: form.done });
      onClose();
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
      if (error.value.status === 412 && form.theirs) other.value = draftOf(form.fields, await form.theirs());
      else focusWrong();
    } finally {
      busy.value = false;
    }
  };
  const wrong = fieldOf(error.value, asked2);
  return /* @__PURE__ */ a(Modal, { title: form.title, wide: true, onClose, children: /* @__PURE__ */ a("form", { onSubmit: submit, noValidate: true, children: [
    form.says && /* @__PURE__ */ a("p", { class: "says", children: form.says }),
    /* @__PURE__ */ a("div", { class: "grid-fields", children: asked2.map((field) => /* @__PURE__ */ a(TypedField, { field, draft, error: wrong === field.name ? error.value?.message : void 0 }, field.name)) }),
    other.value && /* @__PURE__ */ a(TheirsTable, { fields: form.fields, draft, theirs: other.value, onSettled: () => other.value = null }),
    form.beside?.(bodyOf(form.fields, draft.value)),
    form.command && /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: w2.asCommand }),
      /* @__PURE__ */ a(Command, { line: form.command(bodyOf(form.fields, draft.value), draft.value) })
    ] }),
    error.value && wrong === null && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: w2.cancel }),
      /* @__PURE__ */ a(Button, { type: "submit", kind: "main", refused: lacks ? w2.fillFirst : void 0, children: form.confirm })
    ] })
  ] }) });
}
function fieldOf(error, fields) {
  const named = error?.field?.split(".").at(-1)?.replace(/\[.*$/, "");
  return fields.find((field) => field.name === error?.field || field.name === named)?.name ?? null;
}
function focusWrong() {
  requestAnimationFrame(() => document.querySelector("dialog [aria-invalid=true]")?.focus());
}
function TypedField({ field, draft, error }) {
  const id = P();
  const value = draft.value[field.name] ?? "";
  const set = (text) => draft.value = { ...draft.value, [field.name]: text };
  if (field.kind === "check") {
    return /* @__PURE__ */ a("label", { class: "check-field", children: [
      /* @__PURE__ */ a("input", { type: "checkbox", name: field.name, checked: value !== "", onChange: (event) => set(event.currentTarget.checked ? "1" : "") }),
      " ",
      field.label,
      error && /* @__PURE__ */ a("span", { class: "wrong", role: "alert", children: error })
    ] });
  }
  const common = { name: field.name, required: field.required ?? false, "aria-invalid": error !== void 0 };
  return /* @__PURE__ */ a("div", { class: field.wide || field.kind === "json" ? "all-columns" : "", children: [
    /* @__PURE__ */ a(Field, { label: field.required ? `${field.label} *` : field.label, help: field.help, error, children: field.kind === "choice" ? /* @__PURE__ */ a("select", { class: "input", ...common, value, onChange: (event) => set(event.currentTarget.value), children: field.choices?.map(([choice, name]) => /* @__PURE__ */ a("option", { value: choice, children: name }, choice)) }) : field.kind === "json" ? /* @__PURE__ */ a("textarea", { class: "input", ...common, rows: 3, spellcheck: false, value, onInput: (event) => set(event.currentTarget.value) }) : /* @__PURE__ */ a(Typed, { field, value, set, common, list: field.known ? id : void 0 }) }),
    field.known && /* @__PURE__ */ a("datalist", { id, children: field.known.map((name) => /* @__PURE__ */ a("option", { value: name }, name)) })
  ] });
}
function Typed({ field, value, set, common, list }) {
  const type = (event) => set(event.currentTarget.value);
  if (field.kind === "secret") return /* @__PURE__ */ a("input", { class: "input", ...common, type: "password", autoComplete: "new-password", value, onInput: type });
  return /* @__PURE__ */ a("input", { class: `input ${field.kind === "name" ? "mono" : ""}`, ...common, type: "text", autoComplete: "off", list, value, onInput: type });
}
function TheirsTable({ fields, draft, theirs, only, onSettled }) {
  const w2 = words.value.forms;
  const rows = differences(fields, draft.value, theirs).filter((row) => !only || only.includes(row.name));
  const settle = (names) => {
    const kept = only ? Object.fromEntries(only.filter((name) => !names.includes(name)).map((name) => [name, draft.value[name] ?? ""])) : draft.value;
    draft.value = only ? { ...theirs, ...kept } : { ...draft.value, ...Object.fromEntries(names.map((name) => [name, theirs[name] ?? ""])) };
    onSettled();
  };
  return /* @__PURE__ */ a("div", { class: "theirs", role: "alert", children: [
    /* @__PURE__ */ a("p", { children: [
      /* @__PURE__ */ a("b", { children: w2.changed }),
      " ",
      w2.changedSays
    ] }),
    /* @__PURE__ */ a("table", { children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("th", { children: w2.field }),
        /* @__PURE__ */ a("th", { children: w2.yours }),
        /* @__PURE__ */ a("th", { children: w2.theirs }),
        /* @__PURE__ */ a("th", { children: /* @__PURE__ */ a("span", { class: "away", children: words.value.actsColumn }) })
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: rows.map((row) => /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: row.label }),
        /* @__PURE__ */ a("td", { class: "mono", children: row.mine || "–" }),
        /* @__PURE__ */ a("td", { class: "mono", children: row.theirs || "–" }),
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a(Button, { small: true, onClick: () => settle([row.name]), children: w2.take }) })
      ] }, row.name)) })
    ] }),
    /* @__PURE__ */ a("p", { class: "acts", children: [
      /* @__PURE__ */ a(Button, { small: true, onClick: () => settle([]), children: w2.keepMine }),
      /* @__PURE__ */ a(Button, { small: true, onClick: () => settle(rows.map((row) => row.name)), children: w2.takeAll })
    ] })
  ] });
}

// parts/table.tsx
function Table({ label, rows, columns, keyOf, chosen, toneOf, peekOf, foot }) {
  const all = rows.map(keyOf);
  return /* @__PURE__ */ a("div", { class: "table-box", role: "region", "aria-label": label, tabIndex: 0, children: [
    /* @__PURE__ */ a("table", { "aria-rowcount": rows.length, children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        chosen && /* @__PURE__ */ a("th", { class: "check", children: /* @__PURE__ */ a(ChooseAll, { chosen, all }) }),
        columns.map((column) => /* @__PURE__ */ a("th", { scope: "col", class: `${column.num ? "num" : ""} ${column.wide ? "wide" : ""}`, title: column.title, children: column.name || /* @__PURE__ */ a("span", { class: "away", children: words.value.actsColumn }) }, column.id))
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: rows.map((row) => /* @__PURE__ */ a(Row, { row, id: keyOf(row), columns, chosen, tone: toneOf?.(row) ?? "", peek: peekOf?.(row) }, keyOf(row))) })
    ] }),
    foot
  ] });
}
function Row({ row, id, columns, chosen, tone, peek }) {
  const on = chosen?.value.has(id) ?? false;
  return /* @__PURE__ */ a("tr", { "data-key": id, "data-peek": peek, class: `${tone} ${on ? "chosen" : ""}`, children: [
    chosen && /* @__PURE__ */ a("td", { class: "check", children: /* @__PURE__ */ a("input", { type: "checkbox", "aria-label": words.value.choose(id), checked: on, onChange: () => toggle(chosen, id) }) }),
    columns.map((column) => /* @__PURE__ */ a("td", { "data-label": column.name, class: `${column.num ? "num" : ""} ${column.wide ? "wide" : ""} ${column.minor ? "minor" : ""}`, children: column.cell(row) }, column.id))
  ] });
}
function ChooseAll({ chosen, all }) {
  const every = all.length > 0 && all.every((key) => chosen.value.has(key));
  return /* @__PURE__ */ a(
    "input",
    {
      type: "checkbox",
      "aria-label": words.value.chooseAll,
      checked: every,
      onChange: () => chosen.value = every ? /* @__PURE__ */ new Set() : /* @__PURE__ */ new Set([...chosen.value, ...all])
    }
  );
}
function toggle(chosen, key) {
  const next = new Set(chosen.value);
  if (!next.delete(key)) next.add(key);
  chosen.value = next;
}

export {
  paused,
  useResource,
  readAhead,
  reread,
  outdate,
  outdateAll,
  forgetAll,
  startTending,
  LEAST,
  grant,
  refusal,
  Sprite,
  Icon,
  toast,
  tellRefusal,
  Toasts,
  copy,
  FINAL,
  StateIcon,
  State,
  Ago,
  Moment,
  fullTime,
  Took,
  Count,
  Id,
  Panel,
  Head,
  useTitle,
  Tabs,
  Segments,
  Button,
  ButtonLink,
  Tag,
  Gauge,
  Shown,
  Failed,
  Waiting,
  Empty,
  Command,
  askFor,
  Dialogs,
  Modal,
  written,
  read2 as read,
  options,
  quoted,
  fillIn,
  Forms,
  TypedField,
  TheirsTable,
  Table
};
