// Signing in and out: asks the server who the cookie belongs to, and goes to a namespace that the person reaches.
import { Refusal, call } from "../api/call.ts";
import type { WhoamiInfo } from "../api/schema.ts";
import { forgetAll } from "./resource.ts";
import { grant } from "./rights.ts";
import { address, go, namespace, place } from "./route.ts";
import { enter, leave, person } from "./session.ts";

/** Whether the browser is signed in; a server that cannot be reached is no answer. */
export async function recognise(): Promise<boolean> {
  try {
    const { data } = await call<WhoamiInfo>("GET", "whoami", { placeless: true });
    const home = homeOf(data);
    if (home !== namespace.value) go(address(home, ["overview"]), { replace: true });
    if (person.peek() !== "" && person.peek() !== data.name) forgetAll();
    enter(data.name, data.csrf);
    // The frame is drawn with this; the rights of the namespace follow with its own answer.
    grant.value = data;
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return false;
    throw error;
  }
}

/** The namespace in the address if the person reaches it, else one that the person does reach. */
function homeOf(who: WhoamiInfo): string {
  const wanted = place.peek().namespace || "default";
  if (who.namespace === "*" || "*" in who.roles || wanted in who.roles || wanted === who.namespace) return wanted;
  return who.namespace;
}

export async function signOut(): Promise<void> {
  await call("DELETE", "sign-in").catch(() => undefined);
  leave();
  forgetAll();
}
