import {
  $,
  Icon,
  P,
  T,
  a
} from "./chunk-CF7WG6WE.js";

// parts/menu.tsx
function Menu({ label, face, kind = "button", children }) {
  const id = P();
  const button = T(null);
  const box = T(null);
  const put = () => {
    const at = button.current?.getBoundingClientRect();
    const menu = box.current;
    if (!at || !menu) return;
    const left = Math.min(at.left, innerWidth - menu.offsetWidth - 8);
    menu.style.setProperty("left", `${Math.max(8, left)}px`);
    menu.style.setProperty("top", `${at.bottom + 4}px`);
  };
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("button", { ref: button, type: "button", class: `menu-button ${kind}`, "aria-label": label, "aria-haspopup": "true", popovertarget: id, children: face }),
    /* @__PURE__ */ a("div", { ref: box, id, popover: "auto", class: "menu", onToggle: put, onKeyDown: (event) => walk(event, box.current), onClick: () => box.current?.hidePopover(), children })
  ] });
}
function MenuItem(props) {
  return /* @__PURE__ */ a(
    "button",
    {
      type: "button",
      class: `menu-item ${props.danger ? "danger" : ""}`,
      "aria-disabled": props.refused ? "true" : void 0,
      title: props.refused,
      onClick: () => !props.refused && props.onChoose(),
      children: [
        props.icon && /* @__PURE__ */ a(Icon, { name: props.icon }),
        /* @__PURE__ */ a("span", { class: "grow", children: props.children }),
        props.note && /* @__PURE__ */ a("span", { class: "faint", children: props.note }),
        props.on && /* @__PURE__ */ a(Icon, { name: "check" })
      ]
    }
  );
}
function walk(event, box) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !box) return;
  event.preventDefault();
  const items = [...box.querySelectorAll(".menu-item")];
  const at = items.findIndex((item) => item === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
}

export {
  Menu,
  MenuItem
};
