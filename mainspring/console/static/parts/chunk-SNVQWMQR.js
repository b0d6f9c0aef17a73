import {
  P,
  n
} from "./chunk-DPBHMWAZ.js";

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f = /* @__PURE__ */ Symbol.for("pv");
var o = 0;
function a(t, e, n2, u, a2, i) {
  e || (e = {});
  var c, l, p = e;
  if ("ref" in p && "function" != typeof t) for (l in p = {}, e) "ref" == l ? c = e[l] : p[l] = e[l];
  var s = { type: t, props: p, key: n2, ref: c, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f, __v: --o, __i: -1, __u: 0 };
  return (a2 || i) && (s.__source = a2, s.__self = i), n.vnode && n.vnode(s), s;
}

// parts/field.tsx
function Field({ label, help, error, children, row = false }) {
  const id = P();
  return /* @__PURE__ */ a("label", { class: `field ${row ? "row" : ""} ${error ? "is-wrong" : ""}`, "aria-describedby": id, children: [
    /* @__PURE__ */ a("span", { children: label }),
    children,
    /* @__PURE__ */ a("span", { id, class: "field-notes", children: [
      error && /* @__PURE__ */ a("span", { class: "wrong", role: "alert", children: error }),
      help && /* @__PURE__ */ a("small", { children: help })
    ] })
  ] });
}

export {
  a,
  Field
};
