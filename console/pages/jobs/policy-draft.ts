// The policy of a job as it is typed, and the change that a draft stands for; pure, so that tests need no browser.
import type { JobInfo, Policy } from "../../api/schema.ts";
import type { Draft, Kind } from "../../parts/draft.ts";
import { read, written } from "../../parts/draft.ts";

type Place = "" | "retry" | "policy";

interface Spec {
  kind: Kind | "lines";
  /** The object of the definition that it stands in. */
  in: Place;
  /** The field below which a single value stands: `rate` is `{of: …}`. */
  below?: string;
  /** The object that it shares with other fields: `route`. */
  part?: string;
  field?: string;
}

const own = (kind: Spec["kind"], more: Partial<Spec> = {}): Spec => ({ kind, in: "", ...more });
const retry = (kind: Spec["kind"]): Spec => ({ kind, in: "retry" });
const policy = (kind: Spec["kind"], more: Partial<Spec> = {}): Spec => ({ kind, in: "policy", ...more });

export const SPECS: Record<string, Spec> = {
  attempts: retry("number"),
  backoff: retry("span"),
  multiplier: retry("number"),
  backoff_max: retry("span"),
  budget: retry("span"),
  retry_on: retry("list"),
  give_up_on: retry("list"),
  timeout: own("span"),
  deadline: own("span"),
  start_within: own("span"),
  on_lost: own("choice"),
  losses_max: own("number"),
  queue: own("text"),
  priority: own("number"),
  description: own("text"),
  at_once: policy("number"),
  limit_key: policy("list"),
  rate: policy("text", { below: "of" }),
  executor_limit: policy("number"),
  fair: policy("list", { below: "key" }),
  weight: policy("number"),
  blocking: policy("choice"),
  debounce: policy("span", { below: "period" }),
  throttle: policy("text", { below: "of" }),
  strategy: policy("choice", { part: "route" }),
  route_key: policy("list", { part: "route", field: "key" }),
  executors: policy("list", { part: "route" }),
  on_absent: policy("choice", { part: "route" }),
  requires: policy("lines"),
  prefers: policy("lines"),
  uses: policy("json"),
  runs_on: policy("text"),
  breaker: policy("text"),
  stop_when_open: policy("check"),
  history: policy("choice"),
};

type Tree = Record<string, unknown>;

function valueIn(job: JobInfo, name: string, spec: Spec): unknown {
  const holder = (spec.in === "" ? job : job[spec.in]) as unknown as Tree;
  const place = spec.part ? (holder[spec.part] as Tree | undefined) : holder;
  const value = place?.[spec.field ?? name];
  return spec.below && value ? (value as Tree)[spec.below] : value;
}

function writtenOf(spec: Spec, value: unknown): string {
  if (spec.kind === "lines") return ((value as string[] | undefined) ?? []).join("; ");
  if (spec.kind === "json" && (value === undefined || Object.keys(value as object).length === 0)) return "";
  return written(spec.kind, value);
}

/** What the server takes where a definition says nothing. */
const USUAL: Draft = { blocking: "queue", strategy: "any", history: "all" };

export function policyDraft(job: JobInfo): Draft {
  return Object.fromEntries(Object.entries(SPECS).map(([name, spec]) => [name, writtenOf(spec, valueIn(job, name, spec)) || (USUAL[name] ?? "")]));
}

export function valueOf(name: string, text: string): unknown {
  const kind = SPECS[name]?.kind ?? "text";
  if (kind === "lines") return text.split(";").map((one) => one.trim()).filter((one) => one !== "");
  const value = read(kind, text);
  return kind === "choice" && value === "" ? null : value;
}

/** The body of a PATCH with what differs from the job; a policy is sent whole, as the server takes it. */
export function policyChanges(job: JobInfo, draft: Draft): { body: Tree; names: string[] } {
  const before = policyDraft(job);
  const names = Object.keys(SPECS).filter((name) => JSON.stringify(valueOf(name, draft[name] ?? "")) !== JSON.stringify(valueOf(name, before[name] ?? "")));
  const body: Tree = {};
  const tries: Tree = {};
  for (const name of names.filter((one) => SPECS[one]?.in !== "policy")) (SPECS[name]?.in === "retry" ? tries : body)[name] = valueOf(name, draft[name] ?? "");
  if (Object.keys(tries).length > 0) body["retry"] = tries;
  const changed = names.filter((name) => SPECS[name]?.in === "policy");
  if (changed.length > 0) body["policy"] = policyWith(job.policy, changed, draft);
  return { body, names };
}

function policyWith(before: Policy, names: string[], draft: Draft): Tree {
  const next = structuredClone(before) as Tree;
  for (const name of names) {
    const spec = SPECS[name] as Spec;
    const value = valueOf(name, draft[name] ?? "");
    const empty = value === "" || value === null || (Array.isArray(value) && value.length === 0);
    const holder = spec.part ? ((next[spec.part] ??= {}) as Tree) : next;
    const field = spec.field ?? name;
    if (empty) delete holder[field];
    else holder[field] = spec.below ? { ...(holder[field] as Tree | undefined), [spec.below]: value } : value;
  }
  return next;
}
