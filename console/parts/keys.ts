// The keyboard: single keys where no text is typed, `g` and a letter to go somewhere, and the rows of whatever list is shown.
import { computed, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keys } from "../live/preferences.ts";

export interface KeyAct {
  key: string;
  name: string;
  run: () => void;
}

/** What pages have given, as it was drawn last. */
const given = signal<{ current: KeyAct[] }[]>([]);
const CHORD = 5000;
// Not zero: the page's clock begins at zero, and every key of its first second would count as the second key of a chord.
const NO_CHORD = -Infinity;
let chord = NO_CHORD;

/** Keys of a page or an object, for as long as it is shown: with what was drawn they are there, and never older than that. */
export function useKeys(acts: KeyAct[]): void {
  const newest = useRef(acts);
  newest.current = acts;
  useLayoutEffect(() => {
    given.value = [...given.peek(), newest];
    return () => {
      given.value = given.peek().filter((one) => one !== newest);
    };
  }, []);
}

export const shownKeys = computed(() => given.value.flatMap((one) => one.current));

export function startKeys(everywhere: KeyAct[], openPalette: () => void): void {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return openPalette();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || types(event.target) || !keys.peek() || document.querySelector("dialog[open]")) return;
    // The time of the press, not that of its handling: a page that is busy with something else takes no letter out of a chord.
    const pressed = event.timeStamp - chord < CHORD ? `g ${event.key}` : event.key;
    chord = event.key === "g" && pressed === "g" ? event.timeStamp : NO_CHORD;
    const found = given.peek().flatMap((one) => one.current).reverse().find((one) => one.key === pressed) ?? everywhere.find((one) => one.key === pressed);
    if (found) {
      event.preventDefault();
      found.run();
    } else if (walk(event.key) || walkLater(event.key)) {
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

const OF_LISTS = ["j", "k", "x", " "];
let later: string[] = [];

/** Keep what is pressed while the rows are still to come, and do it when they are there; true if the key was one of those. */
function walkLater(key: string): boolean {
  const main = document.querySelector("main");
  if (!main || !OF_LISTS.includes(key) || document.activeElement instanceof HTMLButtonElement || !isToCome(main)) return false;
  later.push(key);
  if (later.length > 1) return true;
  const watch = new MutationObserver(() => {
    if (isToCome(main)) return;
    watch.disconnect();
    const pressed = later;
    later = [];
    pressed.forEach(walk);
  });
  watch.observe(main, { childList: true, subtree: true });
  return true;
}

const isToCome = (main: Element) => main.isConnected && !main.querySelector("tbody tr[data-key]") && main.querySelector("[aria-busy=true]") !== null;

function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector<HTMLElement>("td:not(.check) a, td:not(.check) button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}
