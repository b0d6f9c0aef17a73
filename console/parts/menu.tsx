// Menus that open below their button, by the browser's own popovers: Escape and a click beside them close them.
import type { JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import type { Children } from "./basics.tsx";
import { Icon, type IconName } from "./icons.tsx";

export function Menu({ label, face, kind = "button", children }: { label: string; face: Children; kind?: string; children: Children }): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const put = () => {
    const at = button.current?.getBoundingClientRect();
    const menu = box.current;
    if (!at || !menu) return;
    const left = Math.min(at.left, innerWidth - menu.offsetWidth - 8);
    menu.style.setProperty("left", `${Math.max(8, left)}px`);
    menu.style.setProperty("top", `${at.bottom + 4}px`);
  };
  return (
    <>
      <button ref={button} type="button" class={`menu-button ${kind}`} aria-label={label} aria-haspopup="true" popovertarget={id}>
        {face}
      </button>
      <div ref={box} id={id} popover="auto" class="menu" onToggle={put} onKeyDown={(event) => walk(event, box.current)} onClick={() => box.current?.hidePopover()}>
        {children}
      </div>
    </>
  );
}

export function MenuItem(props: { icon?: IconName; on?: boolean; note?: string; refused?: string | undefined; danger?: boolean; onChoose: () => void; children: Children }): JSX.Element {
  return (
    <button
      type="button"
      class={`menu-item ${props.danger ? "danger" : ""}`}
      aria-disabled={props.refused ? "true" : undefined}
      title={props.refused}
      onClick={() => !props.refused && props.onChoose()}
    >
      {props.icon && <Icon name={props.icon} />}
      <span class="grow">{props.children}</span>
      {props.note && <span class="faint">{props.note}</span>}
      {props.on && <Icon name="check" />}
    </button>
  );
}

function walk(event: KeyboardEvent, box: HTMLElement | null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !box) return;
  event.preventDefault();
  const items = [...box.querySelectorAll<HTMLElement>(".menu-item")];
  const at = items.findIndex((item) => item === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
}
