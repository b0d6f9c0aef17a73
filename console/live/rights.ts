// What the person who is signed in may do, as the server says; an act that is not allowed is shown with the role that may.
import { signal } from "@preact/signals";
import type { WhoamiInfo } from "../api/schema.ts";
import { words } from "../words/index.ts";

export const grant = signal<WhoamiInfo | null>(null);

/** The least role that has a permission. */
const LEAST: Record<string, string> = {
  "runs:write": "operator",
  "runs:steer": "operator",
  "runs:approve": "operator",
  "servers:steer": "operator",
  "jobs:write": "editor",
  "queues:steer": "operator",
  "queues:write": "editor",
  "triggers:steer": "operator",
  "triggers:write": "editor",
  "executors:steer": "operator",
  "alerts:steer": "operator",
  "alerts:write": "editor",
  "users:write": "admin",
  "tokens:write": "admin",
  "namespaces:write": "admin",
};

/** Why an act is refused: undefined if it is allowed. */
export function refusal(permission: string): string | undefined {
  if (grant.value?.permissions.includes(permission)) return undefined;
  const roles = words.value.roles as Record<string, string>;
  const least = LEAST[permission] ?? "admin";
  return words.value.needsRole(roles[least] ?? least);
}
