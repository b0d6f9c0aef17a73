// Acts with weight: how many, five of them, what happens and what does not, why, and the command that does the same.
import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refusal } from "../api/call.ts";
import { words } from "../words/index.ts";
import { Button, type Children, Command, Failed, Id } from "./basics.tsx";
import { Icon } from "./icons.tsx";

export interface Asked {
  title: string;
  /** One sentence on what happens, and on what does not. */
  says?: Children;
  samples?: string[];
  more?: Children;
  /** Whether a reason may or must be given; `no` asks for none. */
  reason?: "no" | "optional" | "needed";
  /** A name that has to be typed before something is lost for good. */
  typed?: string;
  fields?: Children;
  command?: (reason: string) => string;
  confirm: string;
  keep?: string;
  danger?: boolean;
  run: (reason: string) => Promise<unknown>;
}

const asked = signal<Asked | null>(null);

/** Show the dialog of an act; it closes when the act has been done, and stays with the reason if it is refused. */
export function askFor(one: Asked): void {
  asked.value = one;
}

export function Dialogs(): JSX.Element | null {
  const one = asked.value;
  return one && <ActDialog key={one.title} act={one} onClose={() => (asked.value = null)} />;
}

function ActDialog({ act, onClose }: { act: Asked; onClose: () => void }): JSX.Element {
  const w = words.value;
  const reason = useSignal("");
  const typed = useSignal("");
  const busy = useSignal(false);
  const error = useSignal<Refusal | null>(null);
  const wants = act.reason ?? "optional";
  const open = (wants !== "needed" || reason.value.trim() !== "") && (act.typed === undefined || typed.value === act.typed);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!open || busy.value) return;
    busy.value = true;
    try {
      await act.run(reason.value.trim());
      onClose();
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
    } finally {
      busy.value = false;
    }
  };
  return (
    <Modal title={act.title} onClose={onClose}>
      <form onSubmit={submit}>
        {act.says && <p class="says">{act.says}</p>}
        {act.samples && act.samples.length > 0 && (
          <p class="samples">
            {act.samples.slice(0, 5).map((id) => (
              <Id key={id} id={id} />
            ))}
            {act.more}
          </p>
        )}
        {act.fields}
        {wants !== "no" && (
          <label class="field">
            <span>
              {w.reason}
              {wants === "needed" && <b class="is-failed"> *</b>}
            </span>
            <input class="input" value={reason.value} required={wants === "needed"} onInput={(event) => (reason.value = event.currentTarget.value)} />
          </label>
        )}
        {act.typed !== undefined && (
          <label class="field">
            <span>{w.typeToConfirm(act.typed)}</span>
            <input class="input" value={typed.value} onInput={(event) => (typed.value = event.currentTarget.value)} />
          </label>
        )}
        {act.command && (
          <details class="as-command">
            <summary>
              <Icon name="command" /> {w.asCommand}
            </summary>
            <Command line={act.command(reason.value.trim())} />
          </details>
        )}
        {error.value && <Failed error={error.value} slim />}
        <footer>
          <Button onClick={onClose}>{act.keep ?? w.cancel}</Button>
          <Button type="submit" kind={act.danger ? "danger" : "main"} refused={open ? undefined : w.fillFirst}>
            {act.confirm}
          </Button>
        </footer>
      </form>
    </Modal>
  );
}

/** A modal dialog; Escape and a click beside it close it, and focus goes back to where it came from. */
export function Modal({ title, onClose, wide = false, children }: { title: string; onClose: () => void; wide?: boolean; children: Children }): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog ${wide ? "wide" : ""}`}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === box.current && onClose()}
    >
      <div class="inside">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <Button small icon="x" label={words.value.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
