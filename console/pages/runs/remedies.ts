// Commands of `why`, and what of the console does the same; pure, so that tests need no browser.
import { part } from "../../api/call.ts";
import type { Permission } from "../../api/rights.ts";

export type Deed = "resume" | "decide" | "reset" | "retry" | "front" | "now" | "end";

export type Remedy =
  | { kind: "act"; deed: Deed; name: string; permission: Permission; method: "POST" | "PUT"; path: string; body: Record<string, unknown> }
  | { kind: "page"; page: string[]; query: Record<string, string> };

/** What stands in place of words that differ: `{}` is one of them. */
type Made = (...given: string[]) => Remedy;

const act = (deed: Deed, permission: Permission, path: (name: string) => string, body: Record<string, unknown> = {}): Made => (name = "") => ({ kind: "act", deed, name, permission, method: "POST", path: path(part(name)), body });
const page = (...names: string[]): Made => (name = "") => ({ kind: "page", page: names.map((one) => (one === "{}" ? name : one)), query: {} });
const change = (deed: Deed, body: () => Record<string, unknown>): Made => (id = "") => ({ kind: "act", deed, name: id, permission: "runs:steer", method: "POST", path: "runs/change", body: { runs: [id], ...body() } });

const FRONT = 9;

/** By the words of the command; the last of those that differ from the others is the name. */
const KNOWN: [string, Made][] = [
  ["queues resume {}", act("resume", "queues:steer", (name) => `queues/${name}/resume`)],
  ["jobs resume {}", act("resume", "queues:steer", (name) => `jobs/${name}/resume`)],
  ["namespaces resume {}", act("resume", "namespaces:write", (name) => `namespaces/${name}/resume`)],
  ["maintenance off", () => ({ kind: "act", deed: "end", name: "", permission: "namespaces:write", method: "PUT", path: "maintenance", body: { on: false } })],
  ["breakers resume {}", act("decide", "queues:steer", (name) => `breakers/${name}/resume`)],
  ["breakers reset {}", act("reset", "queues:steer", (name) => `breakers/${name}/reset`)],
  ["runs resume {}", act("resume", "runs:steer", (id) => `runs/${id}/resume`)],
  ["runs retry {}", act("retry", "runs:steer", (id) => `runs/${id}/retry`)],
  ["runs change {} --priority 9", change("front", () => ({ priority: FRONT }))],
  ["runs change {} --at +1s", change("now", () => ({ due_at: new Date().toISOString() }))],
  ["jobs edit {}", (name = "") => ({ kind: "page", page: ["jobs", name], query: { tab: "policy" } })],
  ["calendars show {}", page("calendars", "{}")],
  ["approvals approve {}", page("overview")],
  ["executors uncordon", page("executors")],
  ["executors pools {}", page("executors", "{}")],
  ["limits set {}", page("limits")],
];

/** Null: the console has nothing that does it, and people copy the command. */
export function remedyOf(command: string): Remedy | null {
  const said = wordsOf(command);
  if (said.shift() !== "mainspring") return null;
  for (const [pattern, made] of KNOWN) {
    const names = namesIn(pattern.split(" "), said);
    const found = names && made(...names);
    // More words than are known change what an act does; a page shows all there is.
    if (found && (found.kind === "page" || said.length === pattern.split(" ").length)) return found;
  }
  return null;
}

function namesIn(pattern: string[], said: string[]): string[] | null {
  if (said.length < pattern.length) return null;
  const names: string[] = [];
  for (const [at, word] of pattern.entries()) {
    const given = said[at] ?? "";
    if (word === "{}") names.push(given);
    else if (word !== given) return null;
  }
  return names;
}

/** The words of a command as a shell takes them, as far as quotes are needed for names. */
function wordsOf(command: string): string[] {
  return (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, "$1"));
}
