// The layout of graphs, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HIGH, WIDE, layoutOf } from "../pages/workflows/layout.ts";

const node = (name: string, ...parents: string[]) => ({ name, parents });

test("a step stands after all that it waits for", () => {
  const nodes = [node("post", "convert", "extract"), node("convert", "extract"), node("extract"), node("mail", "convert")];
  const { boxes, edges } = layoutOf(nodes);
  for (const { name, parents } of nodes) for (const parent of parents) assert.ok((boxes.get(parent)?.x ?? 0) + WIDE < (boxes.get(name)?.x ?? 0), `${parent} before ${name}`);
  assert.equal(edges.length, 4);
});

test("no two boxes stand on each other", () => {
  const nodes = [node("a"), ...Array.from({ length: 40 }, (_, place) => node(`b${place}`, "a")), node("c", ...Array.from({ length: 40 }, (_, place) => `b${place}`))];
  const boxes = [...layoutOf(nodes).boxes.values()];
  for (const one of boxes) for (const other of boxes) if (one !== other && one.x === other.x) assert.ok(Math.abs(one.y - other.y) >= HIGH, `${one.name} and ${other.name}`);
});

test("two lines of steps do not cross", () => {
  const { boxes } = layoutOf([node("a"), node("b"), node("b2", "b"), node("a2", "a")]);
  const above = (boxes.get("a")?.y ?? 0) < (boxes.get("b")?.y ?? 0);
  assert.equal((boxes.get("a2")?.y ?? 0) < (boxes.get("b2")?.y ?? 0), above);
});

test("parents that are not there, and circles, are survived", () => {
  assert.equal(layoutOf([node("a", "gone")]).edges.length, 0);
  assert.equal(layoutOf([node("a", "b"), node("b", "a")]).boxes.size, 2);
});

test("300 steps with long edges find their places", () => {
  const nodes = Array.from({ length: 300 }, (_, place) => node(`s${place}`, ...(place > 2 ? [`s${Math.floor(place / 2)}`, `s${place - 3}`] : [])));
  const { boxes, edges } = layoutOf(nodes);
  assert.equal(boxes.size, 300);
  assert.ok(edges.every((edge) => edge.path.startsWith("M")));
});
