// The layout of graphs, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { criticalPath, ticksOf, timesOf } from "../pages/workflows/gantt.ts";
import { moved, windowOf } from "../pages/workflows/grid.ts";
import { HIGH, WIDE, layoutOf, withEndings } from "../pages/workflows/layout.ts";

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

test("endings stand after the last steps", () => {
  const steps = withEndings([{ name: "a", parents: [] }, { name: "b", parents: ["a"] }, { name: "finally", parents: [] }]);
  assert.deepEqual(steps.at(-1)?.parents, ["b"]);
});

test("the items of a map are one span, and it goes on until the last has ended", () => {
  const run = (step: string, from: string, to: string | null, state: string) => ({ step, state, created_at: from, started_at: from, finished_at: to });
  const times = timesOf([run("m", "2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z", "succeeded"), run("m", "2026-01-01T00:00:02Z", null, "running")]);
  assert.deepEqual([times.get("m")?.ended, times.get("m")?.items, times.get("m")?.state], [null, 2, "running"]);
});

test("the critical path goes back by the parent that ended last", () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
  const run = (step: string, from: number, to: number) => ({ step, state: "succeeded", created_at: at(from), started_at: at(from), finished_at: at(to) });
  const times = timesOf([run("a", 0, 5), run("b", 0, 9), run("c", 9, 12)]);
  assert.deepEqual([...criticalPath(new Map([["c", ["a", "b"]]]), times, 0)], ["c", "b"]);
});

test("ticks are round and few", () => {
  assert.deepEqual(ticksOf(61, 8), [0, 10, 20, 30, 40, 50, 60]);
});

test("only cells in sight are drawn, whatever the size of the grid", () => {
  const { rows, columns } = windowOf({ left: 0, top: 0, width: 900, height: 520 }, 200, 100);
  assert.ok(rows.length < 40 && columns.length < 60);
  assert.equal(windowOf({ left: 0, top: 0, width: 9000, height: 9000 }, 3, 2).columns.length, 2);
  assert.deepEqual(moved("ArrowRight", [0, 1], 3, 2), [0, 1]);
  assert.deepEqual(moved("End", [0, 0], 3, 9), [0, 8]);
  assert.equal(moved("a", [0, 0], 3, 2), null);
});
