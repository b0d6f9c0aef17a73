// Bundles the console into mainspring/console/static/, and says how large it became; `--check` compares instead of writing.
import { build } from "esbuild";
import { readFileSync, readdirSync, mkdirSync, writeFileSync, rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const there = join(here, "..", "mainspring", "console", "static");
const budget = { "app.js": 95, "app.css": 16 };

const common = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
  outdir: "out",
  write: false,
  external: ["fonts/*"],
};
// Pages that few people open first come in parts of their own, and the second language too.
const app = await build({ ...common, entryPoints: { app: "app.tsx" }, splitting: true, chunkNames: "parts/[name]-[hash]", metafile: true });
// A worker is one file, and so is the script that asks first: they share nothing with the page.
const worker = await build({ ...common, entryPoints: { "stream-worker": "live/stream-worker.ts", first: "live/first.ts" } });

// Written here, and not by the build: what lies in the folder is these files and no others.
const made = [...app.outputFiles, ...worker.outputFiles];
const files = new Map(made.map((file) => [relative(join(here, "out"), file.path), Buffer.from(file.contents)]));
files.set("icon.svg", readFileSync(join(here, "icon.svg")));
for (const name of readdirSync(join(here, "fonts"))) files.set(join("fonts", name), readFileSync(join(here, "fonts", name)));

// What the first page needs is asked for at once, not file by file.
const first = firstOf("app.js");
const preloads = first.slice(1).map((name) => `<link rel="modulepreload" href="{static}/${name}">\n`).join("");
files.set("index.html", Buffer.from(readFileSync(join(here, "index.html"), "utf8").replace("<!-- first parts -->\n", preloads)));

let failed = false;
for (const [name, most] of Object.entries(budget)) {
  const parts = name === "app.js" ? first : [name];
  const size = parts.reduce((sum, part) => sum + gzipSync(files.get(part), { level: 9 }).length, 0) / 1024;
  console.log(`${name}: ${size.toFixed(1)} KB gzipped of ${most}`);
  if (size > most) {
    console.error(`${name} is larger than it may be`);
    failed = true;
  }
}

if (process.argv.includes("--check")) {
  for (const name of readdirSync(there, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
    const path = relative(there, join(name.parentPath ?? name.path, name.name));
    if (files.has(path)) continue;
    console.error(`${path} is built from nothing: run \`make console\``);
    failed = true;
  }
  for (const [name, content] of files) {
    if (!same(join(there, name), content)) {
      console.error(`${name} is not what its source says: run \`make console\``);
      failed = true;
    }
  }
} else {
  rmSync(there, { recursive: true, force: true });
  for (const [name, content] of files) {
    mkdirSync(dirname(join(there, name)), { recursive: true });
    writeFileSync(join(there, name), content);
  }
}
process.exitCode = failed ? 1 : 0;

/** A file, and all that it imports before it runs. */
function firstOf(name) {
  const seen = new Set();
  const visit = (one) => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const found of app.metafile.outputs[join("out", one)].imports) if (found.kind === "import-statement") visit(relative("out", found.path));
  };
  visit(name);
  return [...seen];
}

function same(path, content) {
  try {
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
}
