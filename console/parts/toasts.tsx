// What has just been done, with the way back: one line and one act, for eight seconds or as long as a person looks at it.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { Refusal } from "../api/call.ts";
import { words } from "../words/index.ts";
import { Icon } from "./icons.tsx";

const SHOWN = 8000;
/** A toast that counts down stays for as long as it may be taken back. */
const COUNTED = 11_000;
const STACK = 3;

export interface Told {
  /** What was done; a function is read again with every tick of the clock. */
  text: string | (() => string);
  act?: { name: string; run: () => void | Promise<unknown> };
  href?: string;
  failed?: boolean;
}

interface Toast extends Told {
  id: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const toasts = signal<Toast[]>([]);
let last = 0;

export function toast(told: Told): void {
  const one: Toast = { ...told, id: ++last, timer: undefined };
  toasts.value = [...toasts.value, one].slice(-STACK);
  leaveLater(one);
}

/** Say why something was not done. */
export function tellRefusal(error: unknown): void {
  const text = error instanceof Refusal ? error.message : String(error);
  toast({ text, failed: true });
}

function leaveLater(one: Toast): void {
  clearTimeout(one.timer);
  one.timer = setTimeout(() => close(one), typeof one.text === "string" ? SHOWN : COUNTED);
}

function close(one: Toast): void {
  clearTimeout(one.timer);
  toasts.value = toasts.value.filter((other) => other.id !== one.id);
}

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((one) => (
        <div
          key={one.id}
          class={`toast ${one.failed ? "is-bad" : ""}`}
          onMouseEnter={() => clearTimeout(one.timer)}
          onMouseLeave={() => leaveLater(one)}
          onFocusIn={() => clearTimeout(one.timer)}
          onFocusOut={() => leaveLater(one)}
        >
          {one.failed && <Icon name="warn" />}
          <span class="grow">{typeof one.text === "string" ? one.text : one.text()}</span>
          {one.act && (
            <button
              type="button"
              onClick={() => {
                close(one);
                void Promise.resolve(one.act?.run()).catch(tellRefusal);
              }}
            >
              {one.act.name}
            </button>
          )}
          {one.href && (
            <a href={one.href} onClick={() => close(one)}>
              {words.value.open}
            </a>
          )}
          <button type="button" class="close" aria-label={words.value.close} onClick={() => close(one)}>
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  );
}
