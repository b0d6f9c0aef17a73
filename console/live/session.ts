// Who is signed in: the token that calls show. The rest of the console knows only `signedIn`, `credentials` and the two acts.
import { computed, signal } from "@preact/signals";

const KEY = "mainspring.token";

const token = signal<string>(sessionStorage.getItem(KEY) ?? "");

export const signedIn = computed(() => token.value !== "");

/** The headers that show who calls. */
export function credentials(): Record<string, string> {
  return token.value === "" ? {} : { authorization: `Bearer ${token.value}` };
}

export function signInWithToken(text: string): void {
  sessionStorage.setItem(KEY, text);
  token.value = text;
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  token.value = "";
}
