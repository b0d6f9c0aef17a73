// Bundles the unit tests and runs them with Node's own runner.
import { buildSync } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const outdir = join(here, "node_modules", ".tests");
const tests = readdirSync(join(here, "tests")).filter((name) => name.endsWith(".test.ts"));
buildSync({
  absWorkingDir: here,
  entryPoints: tests.map((name) => join("tests", name)),
  bundle: true,
  platform: "node",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir,
  logLevel: "warning",
});
const { status } = spawnSync(process.execPath, ["--test", ...tests.map((name) => join(outdir, name.replace(/ts$/, "js")))], { stdio: "inherit" });
process.exitCode = status ?? 1;
