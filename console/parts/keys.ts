// The keyboard: single keys where no text is typed, `g` and a letter to go somewhere, and the rows of whatever list is shown.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { keys } from "../live/preferences.ts";

export interface KeyAct {
  key: string;
  name: string;
  run: () => void;
}

const acts = signal<KeyAct[]>([]);
const CHORD = 1200;
// Not zero: the page's clock begins at zero, and every key of its first second would count as the second key of a chord.
const NO_CHORD = -Infinity;
let chord = NO_CHORD;

/** Keys of a page or an object, for as long as it is shown. */
export function useKeys(given: KeyAct[], when: unknown[] = []): void {
  useEffect(() => {
    acts.value = [...acts.peek(), ...given];
    return () => {
      acts.value = acts.peek().filter((one) => !given.includes(one));
    };
  }, when);
}

export const shownKeys = acts;

export function startKeys(everywhere: KeyAct[], openPalette: () => void): void {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return openPalette();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || types(event.target) || !keys.peek() || document.querySelector("dialog[open]")) return;
    const pressed = performance.now() - chord < CHORD ? `g ${event.key}` : event.key;
    chord = event.key === "g" && pressed === "g" ? performance.now() : NO_CHORD;
    const found = [...acts.peek()].reverse().find((one) => one.key === pressed) ?? everywhere.find((one) => one.key === pressed);
    if (found) {
      event.preventDefault();
      found.run();
    } else if (walk(event.key)) {
      event.preventDefault();
    }
  });
}

function types(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isBox(target);
}

const isBox = (target: HTMLElement) => target instanceof HTMLInputElement && target.type === "checkbox";

/** Move through the rows of the list that is shown; true if the key was one of those. */
function walk(key: string): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("main tbody tr[data-key]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const step = key === "j" || key === "ArrowDown" ? 1 : key === "k" || key === "ArrowUp" ? -1 : 0;
  const arrow = key.startsWith("Arrow");
  if (step !== 0 && rows.length > 0 && (at >= 0 || !arrow)) {
    focusRow(rows[Math.max(0, Math.min(rows.length - 1, at + step))]);
    return true;
  }
  if (key === "x" && at >= 0) {
    rows[at]?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
    return true;
  }
  const peek = at >= 0 ? rows[at]?.dataset["peek"] : undefined;
  if (key === " " && peek && !(document.activeElement instanceof HTMLButtonElement)) {
    dispatchEvent(new CustomEvent("peek", { detail: peek }));
    return true;
  }
  return false;
}

function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector<HTMLElement>("td:not(.check) a, td:not(.check) button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}
