// What the person who is signed in may do, as the server says; an act that is not allowed is shown with the role that may.
import { signal } from "@preact/signals";
import { LEAST, type Permission } from "../api/rights.ts";
import type { WhoamiInfo } from "../api/schema.ts";
import { words } from "../words/index.ts";

export const grant = signal<WhoamiInfo | null>(null);

/** Why an act is refused: undefined if it is allowed. */
export function refusal(permission: Permission): string | undefined {
  if (grant.value?.permissions.includes(permission)) return undefined;
  const roles = words.value.roles as Record<string, string>;
  const least = LEAST[permission];
  return words.value.needsRole(roles[least] ?? least);
}
