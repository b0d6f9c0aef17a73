import {
  words
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  w
} from "./chunk-DPBHMWAZ.js";

// pages/workflows/layout.ts
var ENDINGS = ["on_success", "on_failure", "finally"];
function withEndings(steps) {
  const isEnding = (step) => ENDINGS.includes(step.name) && step.parents.length === 0;
  const parents = new Set(steps.flatMap((step) => step.parents));
  const last = steps.filter((step) => !isEnding(step) && !parents.has(step.name)).map((step) => step.name);
  return steps.map((step) => isEnding(step) ? { ...step, parents: last } : step);
}
var WIDE = 168;
var HIGH = 46;
var GAP_X = 56;
var GAP_Y = 18;
var LANE = 10;
var MARGIN = 14;
var SWEEPS = 6;
function layoutOf(nodes) {
  const known = new Set(nodes.map((node) => node.name));
  const parents = new Map(nodes.map((node) => [node.name, node.parents.filter((parent) => known.has(parent) && parent !== node.name)]));
  const plain = layersOf(nodes, parents);
  const routes = routesOf(nodes, parents, plain);
  const layers = orderLayers(plain, linksOf(routes));
  const heights = layers.map((layer) => layer.reduce((sum, name) => sum + (known.has(name) ? HIGH : LANE) + GAP_Y, -GAP_Y));
  const tallest = Math.max(HIGH, ...heights);
  const boxes = /* @__PURE__ */ new Map();
  layers.forEach((layer, column) => {
    let y = MARGIN + (tallest - (heights[column] ?? 0)) / 2;
    for (const name of layer) {
      boxes.set(name, { name, x: MARGIN + column * (WIDE + GAP_X), y });
      y += (known.has(name) ? HIGH : LANE) + GAP_Y;
    }
  });
  const edges = routes.map((route) => ({ from: route[0] ?? "", to: route.at(-1) ?? "", path: pathOf(route, boxes, known) }));
  for (const name of boxes.keys()) if (!known.has(name)) boxes.delete(name);
  return { boxes, edges, width: 2 * MARGIN + layers.length * (WIDE + GAP_X) - GAP_X, height: 2 * MARGIN + tallest };
}
function routesOf(nodes, parents, layers) {
  const depth = new Map(layers.flatMap((layer, column) => layer.map((name) => [name, column])));
  return nodes.flatMap(
    (node) => (parents.get(node.name) ?? []).map((parent) => {
      const [first, last] = [depth.get(parent) ?? 0, depth.get(node.name) ?? 0];
      const passed = Array.from({ length: Math.max(0, last - first - 1) }, (_, step) => `${parent}>${node.name}#${step}`);
      passed.forEach((name, step) => layers[first + step + 1]?.push(name));
      return [parent, ...passed, node.name];
    })
  );
}
function linksOf(routes) {
  const links = /* @__PURE__ */ new Map();
  for (const route of routes) route.slice(1).forEach((name, place) => links.set(name, [...links.get(name) ?? [], route[place] ?? ""]));
  return links;
}
function layersOf(nodes, parents) {
  const depth = /* @__PURE__ */ new Map();
  const under = /* @__PURE__ */ new Set();
  const visit = (name) => {
    const seen = depth.get(name);
    if (seen !== void 0 || under.has(name)) return seen ?? 0;
    under.add(name);
    const found = Math.max(-1, ...(parents.get(name) ?? []).map(visit)) + 1;
    under.delete(name);
    depth.set(name, found);
    return found;
  };
  const layers = [];
  for (const node of nodes) (layers[visit(node.name)] ??= []).push(node.name);
  return [...layers].map((layer) => layer ?? []);
}
function orderLayers(layers, parents) {
  const children = /* @__PURE__ */ new Map();
  for (const [name, own] of parents) for (const parent of own) children.set(parent, [...children.get(parent) ?? [], name]);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const near = sweep % 2 === 0 ? parents : children;
    const place = new Map(layers.flatMap((layer) => layer.map((name, row) => [name, row])));
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const middle = (name) => {
        const rows = (near.get(name) ?? []).map((one) => place.get(one) ?? 0);
        return rows.length === 0 ? place.get(name) ?? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
      };
      layer.sort((one, other) => middle(one) - middle(other));
      layer.forEach((name, row) => place.set(name, row));
    }
  }
  return layers;
}
function pathOf(route, boxes, known) {
  let path = "";
  for (let place = 1; place < route.length; place += 1) {
    const [one, other] = [boxes.get(route[place - 1] ?? ""), boxes.get(route[place] ?? "")];
    if (!one || !other) return "";
    const middle = (box) => box.y + (known.has(box.name) ? HIGH : LANE) / 2;
    const [x1, y1, x2, y2] = [one.x + WIDE, middle(one), other.x - (place === route.length - 1 ? 2 : 0), middle(other)];
    const bend = Math.max(24, (x2 - x1) / 2);
    path += `${place === 1 ? `M${x1} ${y1}` : `L${x1} ${y1}`}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  return path;
}
function nearestBox(from, boxes, right, down) {
  const ahead = boxes.filter((box) => right !== 0 ? Math.sign(box.x - from.x) === right : box.x === from.x && Math.sign(box.y - from.y) === down);
  const far = (box) => Math.abs(box.x - from.x) * 4 + Math.abs(box.y - from.y);
  return ahead.sort((one, other) => far(one) - far(other))[0] ?? null;
}

// pages/workflows/graph.tsx
var LEAST_SCALE = 0.7;
function toneOf(state, waits = false) {
  if (!state) return "";
  if (state === "waiting") return "queued";
  if (state === "begun" && waits) return "waiting";
  if (["queued", "running", "succeeded", "failed", "cancelled", "skipped"].includes(state)) return state;
  if (state === "begun") return "running";
  return state === "blocked" || state === "paused" || state === "pending" ? "waiting" : "queued";
}
function Graph({ steps: given, on, onChoose }) {
  const w2 = words.value;
  const steps = withEndings(given);
  const shape = steps.map((step) => `${step.name}<${step.parents.join(",")}`).join(";");
  const layout = w(() => layoutOf(steps), [shape]);
  return /* @__PURE__ */ a("div", { class: "graph", tabIndex: 0, role: "region", "aria-label": w2.workflows.graph, children: /* @__PURE__ */ a("svg", { viewBox: `0 0 ${layout.width} ${layout.height}`, style: { width: `${layout.width}px`, minWidth: `${layout.width * LEAST_SCALE}px` }, role: "group", onKeyDown: (event) => walkBoxes(event, layout), "aria-label": w2.workflows.graphSays(steps.length), children: [
    /* @__PURE__ */ a("defs", { children: /* @__PURE__ */ a("marker", { id: "arrow", viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "7", markerHeight: "7", orient: "auto", children: /* @__PURE__ */ a("path", { d: "M1 1 7 4 1 7", class: "arrow" }) }) }),
    layout.edges.map((edge) => /* @__PURE__ */ a("path", { d: edge.path, class: `edge ${on === edge.from || on === edge.to ? "lit" : ""}`, "marker-end": "url(#arrow)" }, `${edge.from}>${edge.to}`)),
    steps.map((step) => {
      const box = layout.boxes.get(step.name);
      const tone = toneOf(step.state, step.job === "");
      if (!box) return null;
      return /* @__PURE__ */ a("g", { role: "button", tabIndex: 0, "aria-pressed": on === step.name, class: `box ${tone ? `is-${tone}` : ""} ${on === step.name ? "on" : ""}`, "data-step": step.name, transform: `translate(${box.x} ${box.y})`, onClick: () => onChoose(step.name), onKeyDown: (event) => event.key === "Enter" && onChoose(step.name), children: [
        /* @__PURE__ */ a("rect", { width: WIDE, height: HIGH, rx: "6" }),
        step.state && /* @__PURE__ */ a("title", { children: w2.states[step.state] ?? step.state }),
        tone && /* @__PURE__ */ a("rect", { width: "4", height: HIGH, rx: "2", class: `band fill-svg-${tone}` }),
        tone && /* @__PURE__ */ a("use", { href: `#s-${tone}`, x: "12", y: "9", width: "14", height: "14" }),
        /* @__PURE__ */ a("text", { x: tone ? 32 : 14, y: "20", class: "title", children: cut(step.name, tone ? 17 : 20) }),
        /* @__PURE__ */ a("text", { x: tone ? 32 : 14, y: "36", class: "sub", children: cut(step.note || step.job || w2.workflows.waits, 22) })
      ] }, step.name);
    })
  ] }) });
}
function walkBoxes(event, layout) {
  const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] ?? [0, 0];
  const from = layout.boxes.get(document.activeElement?.getAttribute("data-step") ?? "");
  if (!from || right === 0 && down === 0) return;
  event.preventDefault();
  const to = nearestBox(from, [...layout.boxes.values()], right ?? 0, down ?? 0);
  if (to) [...event.currentTarget.querySelectorAll("[data-step]")].find((box) => box.getAttribute("data-step") === to.name)?.focus();
}
var cut = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

export {
  withEndings,
  toneOf,
  Graph
};
