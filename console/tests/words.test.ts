// Both languages are whole, and no word is kept that nothing shows.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { en } from "../words/en.ts";
import { zh } from "../words/zh.ts";

type Tree = { [name: string]: unknown };

function paths(tree: Tree, before = ""): string[] {
  return Object.entries(tree).flatMap(([name, value]) => (typeof value === "object" && value !== null && !Array.isArray(value) ? paths(value as Tree, `${before}${name}.`) : [`${before}${name}`]));
}

function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => !["node_modules", "words", "tests"].includes(one.name))
    .map((one) => (one.isDirectory() ? sources(join(folder, one.name)) : /\.tsx?$/.test(one.name) ? readFileSync(join(folder, one.name), "utf8") : ""))
    .join("\n");
}

test("the two languages have the same words", () => {
  assert.deepEqual(paths(zh as unknown as Tree), paths(en as unknown as Tree));
});

test("every word is used somewhere", () => {
  const text = sources(process.cwd());
  const whole = new Set(["states", "outcomes", "roles", "pages", "sweepActs", "sweepStates", "ranges"]);
  const unused = paths(en as unknown as Tree).filter((path) => {
    const parts = path.split(".");
    if (parts.some((part) => whole.has(part)) || parts.length > 2) return false;
    return !new RegExp(`\\.${parts.at(-1)}\\b`).test(text);
  });
  assert.deepEqual(unused, []);
});
