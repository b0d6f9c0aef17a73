// Who is signed in. The browser keeps the secret in a cookie that no script reads; here is only the word that changes need.
import { computed, signal } from "@preact/signals";

/** Whose pages are kept: they stay, with all that was typed, while the same person signs in again. */
export const person = signal("");
const isIn = signal(false);
let csrf = "";

export const signedIn = computed(() => isIn.value);

export function enter(name: string, word: string): void {
  csrf = word;
  person.value = name;
  isIn.value = true;
}

/** The sign-in has run out, or was ended elsewhere. */
export function expire(): void {
  isIn.value = false;
}

export function leave(): void {
  isIn.value = false;
  person.value = "";
}

/** What a call by cookie shows besides the cookie. */
export function credentials(method: string): Record<string, string> {
  return method === "GET" || csrf === "" ? {} : { "mainspring-csrf": csrf };
}
