// Where the boxes of a graph stand: in layers from left to right, ordered so that edges cross little.

export interface Node {
  name: string;
  parents: string[];
}

const ENDINGS = ["on_success", "on_failure", "finally"];

/** Endings begin when all other steps have ended: they stand after the last of these. */
export function withEndings<T extends Node>(steps: T[]): T[] {
  const isEnding = (step: T) => ENDINGS.includes(step.name) && step.parents.length === 0;
  const parents = new Set(steps.flatMap((step) => step.parents));
  const last = steps.filter((step) => !isEnding(step) && !parents.has(step.name)).map((step) => step.name);
  return steps.map((step) => (isEnding(step) ? { ...step, parents: last } : step));
}

export interface Box {
  name: string;
  x: number;
  y: number;
}

export interface Edge {
  from: string;
  to: string;
  path: string;
}

export interface Layout {
  boxes: Map<string, Box>;
  edges: Edge[];
  width: number;
  height: number;
}

export const WIDE = 168;
export const HIGH = 46;
const GAP_X = 56;
const GAP_Y = 18;
/** The height of an edge that passes a layer. */
const LANE = 10;
const MARGIN = 14;
const SWEEPS = 6;

export function layoutOf(nodes: Node[]): Layout {
  const known = new Set(nodes.map((node) => node.name));
  const parents = new Map(nodes.map((node) => [node.name, node.parents.filter((parent) => known.has(parent) && parent !== node.name)]));
  const plain = layersOf(nodes, parents);
  const routes = routesOf(nodes, parents, plain);
  const layers = orderLayers(plain, linksOf(routes));
  const heights = layers.map((layer) => layer.reduce((sum, name) => sum + (known.has(name) ? HIGH : LANE) + GAP_Y, -GAP_Y));
  const tallest = Math.max(HIGH, ...heights);
  const boxes = new Map<string, Box>();
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

/** The way of each edge; one that passes other layers gets a place of its own in each of them. */
function routesOf(nodes: Node[], parents: Map<string, string[]>, layers: string[][]): string[][] {
  const depth = new Map(layers.flatMap((layer, column) => layer.map((name) => [name, column] as const)));
  return nodes.flatMap((node) =>
    (parents.get(node.name) ?? []).map((parent) => {
      const [first, last] = [depth.get(parent) ?? 0, depth.get(node.name) ?? 0];
      const passed = Array.from({ length: Math.max(0, last - first - 1) }, (_, step) => `${parent}>${node.name}#${step}`);
      passed.forEach((name, step) => layers[first + step + 1]?.push(name));
      return [parent, ...passed, node.name];
    }),
  );
}

function linksOf(routes: string[][]): Map<string, string[]> {
  const links = new Map<string, string[]>();
  for (const route of routes) route.slice(1).forEach((name, place) => links.set(name, [...(links.get(name) ?? []), route[place] ?? ""]));
  return links;
}

/** Each node one layer after the last of its parents; what leads in a circle ends where it was first seen. */
function layersOf(nodes: Node[], parents: Map<string, string[]>): string[][] {
  const depth = new Map<string, number>();
  const under = new Set<string>();
  const visit = (name: string): number => {
    const seen = depth.get(name);
    if (seen !== undefined || under.has(name)) return seen ?? 0;
    under.add(name);
    const found = Math.max(-1, ...(parents.get(name) ?? []).map(visit)) + 1;
    under.delete(name);
    depth.set(name, found);
    return found;
  };
  const layers: string[][] = [];
  for (const node of nodes) (layers[visit(node.name)] ??= []).push(node.name);
  return [...layers].map((layer) => layer ?? []);
}

/** Sort each layer by the middle of its neighbours, forward and back, a few times. */
function orderLayers(layers: string[][], parents: Map<string, string[]>): string[][] {
  const children = new Map<string, string[]>();
  for (const [name, own] of parents) for (const parent of own) children.set(parent, [...(children.get(parent) ?? []), name]);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const near = sweep % 2 === 0 ? parents : children;
    const place = new Map(layers.flatMap((layer) => layer.map((name, row) => [name, row] as const)));
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const middle = (name: string) => {
        const rows = (near.get(name) ?? []).map((one) => place.get(one) ?? 0);
        return rows.length === 0 ? (place.get(name) ?? 0) : rows.reduce((sum, row) => sum + row, 0) / rows.length;
      };
      layer.sort((one, other) => middle(one) - middle(other));
      layer.forEach((name, row) => place.set(name, row));
    }
  }
  return layers;
}

function pathOf(route: string[], boxes: Map<string, Box>, known: Set<string>): string {
  let path = "";
  for (let place = 1; place < route.length; place += 1) {
    const [one, other] = [boxes.get(route[place - 1] ?? ""), boxes.get(route[place] ?? "")];
    if (!one || !other) return "";
    const middle = (box: Box) => box.y + (known.has(box.name) ? HIGH : LANE) / 2;
    const [x1, y1, x2, y2] = [one.x + WIDE, middle(one), other.x - (place === route.length - 1 ? 2 : 0), middle(other)];
    const bend = Math.max(24, (x2 - x1) / 2);
    path += `${place === 1 ? `M${x1} ${y1}` : `L${x1} ${y1}`}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  return path;
}

/** The box that lies nearest in a direction: sideways in another layer, up and down in the same. */
export function nearestBox(from: Box, boxes: Box[], right: number, down: number): Box | null {
  const ahead = boxes.filter((box) => (right !== 0 ? Math.sign(box.x - from.x) === right : box.x === from.x && Math.sign(box.y - from.y) === down));
  const far = (box: Box) => Math.abs(box.x - from.x) * 4 + Math.abs(box.y - from.y);
  return ahead.sort((one, other) => far(one) - far(other))[0] ?? null;
}
