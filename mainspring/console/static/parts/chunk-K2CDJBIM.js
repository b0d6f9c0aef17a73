import {
  $,
  A,
  T,
  k,
  n,
  r,
  w,
  x
} from "./chunk-DPBHMWAZ.js";

// node_modules/@preact/signals-core/dist/signals-core.module.js
var i = /* @__PURE__ */ Symbol.for("preact-signals");
function t() {
  if (!(v > 1)) {
    var i2, t2 = false;
    !(function() {
      var i3 = c;
      c = void 0;
      while (void 0 !== i3) {
        var t3 = i3.S;
        if (t3.v === i3.v) {
          for (var r4 = t3.t; void 0 !== r4; r4 = r4.x) if (r4.i === i3.i) r4.i = t3.i;
        }
        i3 = i3.o;
      }
    })();
    while (void 0 !== h) {
      var r3 = h;
      h = void 0;
      s++;
      while (void 0 !== r3) {
        var n3 = r3.u;
        r3.u = void 0;
        r3.f &= -3;
        if (!(8 & r3.f) && w2(r3)) try {
          r3.c();
        } catch (r4) {
          if (!t2) {
            i2 = r4;
            t2 = true;
          }
        }
        r3 = n3;
      }
    }
    s = 0;
    v--;
    if (t2) throw i2;
  } else v--;
}
function r2(i2) {
  if (v > 0) return i2();
  u = ++e;
  v++;
  try {
    return i2();
  } finally {
    t();
  }
}
var n2;
var o = void 0;
function f(i2) {
  var t2 = o, r3 = n2;
  o = void 0;
  n2 = void 0;
  try {
    return i2();
  } finally {
    o = t2;
    n2 = r3;
  }
}
var h = void 0;
var v = 0;
var s = 0;
var e = 0;
var u = 0;
var c = void 0;
var a = 0;
function d(i2) {
  if (void 0 !== o) {
    var t2 = i2.n;
    if (void 0 === t2 || t2.t !== o) {
      t2 = { i: 0, S: i2, p: o.s, n: void 0, t: o, e: void 0, x: void 0, r: t2 };
      if (void 0 !== o.s) o.s.n = t2;
      o.s = t2;
      i2.n = t2;
      if (32 & o.f) i2.S(t2);
      return t2;
    } else if (-1 === t2.i) {
      t2.i = 0;
      if (void 0 !== t2.n) {
        t2.n.p = t2.p;
        if (void 0 !== t2.p) t2.p.n = t2.n;
        t2.p = o.s;
        t2.n = void 0;
        o.s.n = t2;
        o.s = t2;
      }
      return t2;
    }
  }
}
function l(i2, t2) {
  this.v = i2;
  this.i = 0;
  this.n = void 0;
  this.t = void 0;
  this.l = 0;
  this.W = null == t2 ? void 0 : t2.watched;
  this.Z = null == t2 ? void 0 : t2.unwatched;
  this.name = null == t2 ? void 0 : t2.name;
}
l.prototype.brand = i;
l.prototype.h = function() {
  return true;
};
l.prototype.S = function(i2) {
  var t2 = this, r3 = this.t;
  if (r3 !== i2 && void 0 === i2.e) {
    i2.x = r3;
    this.t = i2;
    if (void 0 !== r3) r3.e = i2;
    else f(function() {
      var i3;
      null == (i3 = t2.W) || i3.call(t2);
    });
  }
};
l.prototype.U = function(i2) {
  var t2 = this;
  if (void 0 !== this.t) {
    var r3 = i2.e, n3 = i2.x;
    if (void 0 !== r3) {
      r3.x = n3;
      i2.e = void 0;
    }
    if (void 0 !== n3) {
      n3.e = r3;
      i2.x = void 0;
    }
    if (i2 === this.t) {
      this.t = n3;
      if (void 0 === n3) f(function() {
        var i3;
        null == (i3 = t2.Z) || i3.call(t2);
      });
    }
  }
};
l.prototype.subscribe = function(i2) {
  var t2 = this;
  return x2(function() {
    var r3 = t2.value;
    f(function() {
      return i2(r3);
    });
  }, { name: "sub" });
};
l.prototype.valueOf = function() {
  return this.value;
};
l.prototype.toString = function() {
  return this.value + "";
};
l.prototype.toJSON = function() {
  return this.value;
};
l.prototype.peek = function() {
  var i2 = this;
  return f(function() {
    return i2.value;
  });
};
Object.defineProperty(l.prototype, "value", { get: function() {
  var i2 = d(this);
  if (void 0 !== i2) i2.i = this.i;
  return this.v;
}, set: function(i2) {
  if (i2 !== this.v) {
    if (s > 100) throw new Error("Cycle detected");
    !(function(i3) {
      if (0 !== v && 0 === s) {
        if (i3.l !== u) {
          i3.l = u;
          c = { S: i3, v: i3.v, i: i3.i, o: c };
        }
      }
    })(this);
    this.v = i2;
    this.i++;
    a++;
    v++;
    try {
      for (var r3 = this.t; void 0 !== r3; r3 = r3.x) r3.t.N();
    } finally {
      t();
    }
  }
} });
function y(i2, t2) {
  return new l(i2, t2);
}
function w2(i2) {
  for (var t2 = i2.s; void 0 !== t2; t2 = t2.n) if (t2.S.i !== t2.i || !t2.S.h() || t2.S.i !== t2.i) return true;
  return false;
}
function b(i2) {
  for (var t2 = i2.s; void 0 !== t2; t2 = t2.n) {
    var r3 = t2.S.n;
    if (void 0 !== r3) t2.r = r3;
    t2.S.n = t2;
    t2.i = -1;
    if (void 0 === t2.n) {
      i2.s = t2;
      break;
    }
  }
}
function _(i2) {
  var t2 = i2.s, r3 = void 0;
  while (void 0 !== t2) {
    var n3 = t2.p;
    if (-1 === t2.i) {
      t2.S.U(t2);
      if (void 0 !== n3) n3.n = t2.n;
      if (void 0 !== t2.n) t2.n.p = n3;
    } else r3 = t2;
    t2.S.n = t2.r;
    if (void 0 !== t2.r) t2.r = void 0;
    t2 = n3;
  }
  i2.s = r3;
}
function j(i2, t2) {
  l.call(this, void 0, t2);
  this.x = i2;
  this.s = void 0;
  this.g = a - 1;
  this.f = 4;
}
j.prototype = new l();
j.prototype.h = function() {
  this.f &= -3;
  if (1 & this.f) return false;
  if (32 == (36 & this.f)) return true;
  this.f &= -5;
  if (this.g === a) return true;
  this.g = a;
  this.f |= 1;
  if (this.i > 0 && !w2(this)) {
    this.f &= -2;
    return true;
  }
  var i2 = o;
  try {
    b(this);
    o = this;
    var t2 = this.x();
    if (16 & this.f || this.v !== t2 || 0 === this.i) {
      this.v = t2;
      this.f &= -17;
      this.i++;
    }
  } catch (i3) {
    this.v = i3;
    this.f |= 16;
    this.i++;
  }
  o = i2;
  _(this);
  this.f &= -2;
  return true;
};
j.prototype.S = function(i2) {
  if (void 0 === this.t) {
    this.f |= 36;
    for (var t2 = this.s; void 0 !== t2; t2 = t2.n) t2.S.S(t2);
  }
  l.prototype.S.call(this, i2);
};
j.prototype.U = function(i2) {
  if (void 0 !== this.t) {
    l.prototype.U.call(this, i2);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t2 = this.s; void 0 !== t2; t2 = t2.n) t2.S.U(t2);
    }
  }
};
j.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 6;
    for (var i2 = this.t; void 0 !== i2; i2 = i2.x) i2.t.N();
  }
};
Object.defineProperty(j.prototype, "value", { get: function() {
  if (1 & this.f) throw new Error("Cycle detected");
  var i2 = d(this);
  this.h();
  if (void 0 !== i2) i2.i = this.i;
  if (16 & this.f) throw this.v;
  return this.v;
} });
function O(i2, t2) {
  return new j(i2, t2);
}
function p(i2) {
  var r3 = i2.j;
  i2.j = void 0;
  if ("function" == typeof r3) {
    v++;
    var n3 = o;
    o = void 0;
    try {
      r3();
    } catch (t2) {
      i2.f &= -2;
      i2.f |= 8;
      g(i2);
      throw t2;
    } finally {
      o = n3;
      t();
    }
  }
}
function g(i2) {
  for (var t2 = i2.s; void 0 !== t2; t2 = t2.n) t2.S.U(t2);
  i2.x = void 0;
  i2.s = void 0;
  p(i2);
}
function S(i2) {
  if (o !== this) throw new Error("Out-of-order effect");
  _(this);
  o = i2;
  this.f &= -2;
  try {
    if (8 & this.f) g(this);
  } finally {
    t();
  }
}
function m(i2, t2) {
  this.x = i2;
  this.j = void 0;
  this.s = void 0;
  this.u = void 0;
  this.f = 32;
  this.name = null == t2 ? void 0 : t2.name;
  if (n2) n2.push(this);
}
m.prototype.c = function() {
  var i2 = this.S();
  try {
    if (8 & this.f) return;
    if (void 0 === this.x) return;
    var t2 = this.x();
    if ("function" == typeof t2) this.j = t2;
  } finally {
    i2();
  }
};
m.prototype.S = function() {
  if (1 & this.f) throw new Error("Cycle detected");
  this.f |= 1;
  this.f &= -9;
  p(this);
  b(this);
  v++;
  var i2 = o;
  o = this;
  return S.bind(this, i2);
};
m.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 2;
    this.u = h;
    h = this;
  }
};
m.prototype.d = function() {
  this.f |= 8;
  if (!(1 & this.f)) g(this);
};
m.prototype.dispose = function() {
  this.d();
};
function x2(i2, t2) {
  var r3 = new m(i2, t2);
  try {
    r3.c();
  } catch (i3) {
    r3.d();
    throw i3;
  }
  var n3 = r3.d.bind(r3);
  n3[Symbol.dispose] = n3;
  return n3;
}

// node_modules/@preact/signals/dist/signals.module.js
var h2;
var d2;
var p2;
var m2 = "undefined" != typeof window && !!window.__PREACT_SIGNALS_DEVTOOLS__;
var _2 = [];
var g2 = [];
x2(function() {
  h2 = this.N;
})();
function b2(i2, n3) {
  n[i2] = n3.bind(null, n[i2] || function() {
  });
}
function y2(i2) {
  if (p2) {
    var n3 = p2;
    p2 = void 0;
    n3();
  }
  p2 = i2 && i2.S();
}
function w3(i2) {
  var n3 = this, r3 = i2.data, t2 = useSignal(r3);
  t2.name = "ReactiveDom";
  t2.value = r3;
  var e2 = w(function() {
    var i3 = n3, r4 = n3.__v;
    while (r4 = r4.__) if (r4.__c) {
      r4.__c.__$f |= 4;
      break;
    }
    var o2 = O(function() {
      var i4 = t2.value.value;
      return 0 === i4 ? 0 : true === i4 ? "" : i4 || "";
    }), e3 = O(function() {
      return !Array.isArray(o2.value) && !r(o2.value);
    }), u3 = x2(function() {
      this.N = M;
      if (e3.value) {
        var n4 = o2.value;
        if (i3.__v && i3.__v.__e && 3 === i3.__v.__e.nodeType) i3.__v.__e.data = n4;
      }
    }), c3 = n3.__$u.d;
    n3.__$u.d = function() {
      u3();
      c3.call(this);
    };
    return [e3, o2];
  }, []), u2 = e2[0], c2 = e2[1];
  return u2.value ? c2.peek() : c2.value;
}
w3.displayName = "ReactiveTextNode";
Object.defineProperties(l.prototype, { constructor: { configurable: true, value: k($, null).constructor }, type: { configurable: true, value: w3 }, props: { configurable: true, get: function() {
  var i2 = this;
  return { data: { get value() {
    return i2.value;
  } } };
} }, __b: { configurable: true, value: 1 } });
b2("__b", function(i2, n3) {
  y2();
  d2 = void 0;
  if ("string" == typeof n3.type) {
    var r3, t2 = n3.props;
    for (var f2 in t2) if ("children" !== f2) {
      var o2 = t2[f2];
      if (o2 instanceof l) {
        if (!r3) n3.__np = r3 = {};
        r3[f2] = o2;
        t2[f2] = o2.peek();
      }
    }
  }
  i2(n3);
});
b2("__r", function(i2, r3) {
  i2(r3);
  if (r3.type !== $) {
    y2();
    var t2, f2 = r3.__c;
    if (f2) {
      f2.__$f &= -2;
      if (void 0 === (t2 = f2.__$u)) f2.__$u = t2 = (function(i3, n3) {
        var r4;
        x2(function() {
          r4 = this;
        }, { name: n3 });
        r4.c = i3;
        return r4;
      })(/* @__PURE__ */ (function(i3) {
        return function() {
          var n3;
          if (m2) null == (n3 = this.y) || n3.call(this);
          i3.__$f |= 1;
          i3.setState({});
        };
      })(f2), "function" == typeof r3.type ? r3.type.displayName || r3.type.name : "");
    }
    d2 = f2;
    y2(t2);
  }
});
b2("__e", function(i2, n3, r3, t2) {
  y2();
  d2 = void 0;
  i2(n3, r3, t2);
});
b2("diffed", function(i2, n3) {
  y2();
  d2 = void 0;
  var r3;
  if ("string" == typeof n3.type && (r3 = n3.__e)) {
    var t2 = n3.__np, f2 = n3.props, o2 = r3.U;
    if (o2) for (var e2 in o2) {
      var u2 = o2[e2];
      if (!(void 0 === u2 || t2 && e2 in t2)) {
        u2.d();
        o2[e2] = void 0;
      }
    }
    if (t2) {
      if (!o2) {
        o2 = {};
        r3.U = o2;
      }
      for (var a2 in t2) {
        var c2 = o2[a2], v2 = t2[a2];
        if (void 0 === c2) {
          c2 = k2(r3, a2, v2, f2);
          o2[a2] = c2;
        } else c2.o(v2, f2);
      }
    }
  }
  i2(n3);
});
function k2(i2, n3, r3, t2) {
  var f2 = n3 in i2 && void 0 === i2.ownerSVGElement, o2 = y(r3);
  return { o: function(i3, n4) {
    o2.value = i3;
    t2 = n4;
  }, d: x2(function() {
    this.N = M;
    var r4 = o2.value.value;
    if (t2[n3] !== r4) {
      t2[n3] = r4;
      if (f2) i2[n3] = r4;
      else if (null != r4 && (false !== r4 || "-" === n3[4])) i2.setAttribute(n3, r4);
      else i2.removeAttribute(n3);
    }
  }) };
}
b2("unmount", function(i2, n3) {
  if ("string" == typeof n3.type) {
    var r3 = n3.__e;
    if (r3) {
      var t2 = r3.U;
      if (t2) {
        r3.U = void 0;
        for (var f2 in t2) {
          var o2 = t2[f2];
          if (o2) o2.d();
        }
      }
    }
    var e2 = n3.__np;
    if (e2) {
      var u2 = n3.props;
      for (var a2 in e2) u2[a2] = e2[a2];
    }
    n3.__np = void 0;
  } else {
    var c2 = n3.__c;
    if (c2) {
      c2.__$f |= 8;
      var v2 = c2.__$u;
      if (v2) {
        c2.__$u = void 0;
        v2.d();
      }
    }
  }
  i2(n3);
});
b2("__h", function(i2, n3, r3, t2) {
  if (t2 < 3) n3.__$f |= 2;
  i2(n3, r3, t2);
});
x.prototype.shouldComponentUpdate = function(i2, n3) {
  if (this.__R) return true;
  var r3 = this.__$u, t2 = r3 && void 0 !== r3.s;
  for (var f2 in n3) return true;
  if (this.__f || "boolean" == typeof this.u && true === this.u) {
    var o2 = 2 & this.__$f;
    if (!(t2 || o2 || 4 & this.__$f)) return true;
    if (1 & this.__$f) return true;
  } else {
    if (!(t2 || 4 & this.__$f)) return true;
    if (3 & this.__$f) return true;
  }
  for (var e2 in i2) if ("__source" !== e2 && i2[e2] !== this.props[e2]) return true;
  for (var u2 in this.props) if (!(u2 in i2)) return true;
  return false;
};
function useSignal(i2, n3) {
  return w(function() {
    return y(i2, n3);
  }, []);
}
var q = "undefined" == typeof requestAnimationFrame ? setTimeout : function(i2) {
  var n3 = function() {
    clearTimeout(r3);
    cancelAnimationFrame(t2);
    i2();
  }, r3 = setTimeout(n3, 35), t2 = requestAnimationFrame(n3);
};
var A2 = function(i2) {
  queueMicrotask(function() {
    queueMicrotask(i2);
  });
};
function T3() {
  r2(function() {
    var i2;
    while (i2 = _2.shift()) h2.call(i2);
  });
}
function x3() {
  if (1 === _2.push(this)) (n.requestAnimationFrame || q)(T3);
}
function F() {
  r2(function() {
    var i2;
    while (i2 = g2.shift()) h2.call(i2);
  });
}
function M() {
  if (1 === g2.push(this)) (n.requestAnimationFrame || A2)(F);
}
function useSignalEffect(i2, n3) {
  var r3 = T(i2);
  r3.current = i2;
  var t2 = d2;
  A(function() {
    return x2(function() {
      this.N = x3;
      if (!(t2 && 8 & t2.__$f)) return r3.current();
    }, n3);
  }, []);
}

// live/session.ts
var person = y("");
var isIn = y(false);
var csrf = "";
var signedIn = O(() => isIn.value);
function enter(name, word) {
  csrf = word;
  person.value = name;
  isIn.value = true;
}
function expire() {
  isIn.value = false;
}
function leave() {
  isIn.value = false;
  person.value = "";
}
function credentials(method) {
  return method === "GET" || csrf === "" ? {} : { "mainspring-csrf": csrf };
}

// live/clock.ts
var TOLERATED = 2e3;
var clockOffset = y(0);
var now = y(Date.now());
function serverNow() {
  return Date.now() + clockOffset.peek();
}
function noteServerTime(date, browser = Date.now()) {
  const said = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(said)) return;
  const offset = said + 500 - browser;
  const next = Math.abs(offset) > TOLERATED ? offset : 0;
  if (Math.abs(next - clockOffset.peek()) > 1e3) clockOffset.value = next;
}
function startClock() {
  const tick = () => {
    now.value = serverNow();
    setTimeout(tick, 1e3 - now.peek() % 1e3);
  };
  tick();
}

// live/route.ts
var ROOT = "/console/";
function parsePlace(path, search, hash) {
  const [namespace2 = "", ...parts] = path.replace(/^\/console\/?/, "").split("/").filter((part2) => part2 !== "").map(decode);
  return { namespace: namespace2, parts, query: new URLSearchParams(search), hash: hash.replace(/^#/, "") };
}
function address(namespace2, parts, query2 = {}) {
  const search = (query2 instanceof URLSearchParams ? query2 : changed(new URLSearchParams(), query2)).toString();
  const path = [namespace2, ...parts].map(encodeURIComponent).join("/");
  return ROOT + path + (search === "" ? "" : `?${search}`);
}
function changed(query2, changes) {
  const next = new URLSearchParams(query2);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === void 0 || value === false || value === "") next.delete(name);
    else next.set(name, value === true ? "1" : String(value));
  }
  return next;
}
function decode(part2) {
  try {
    return decodeURIComponent(part2);
  } catch {
    return part2;
  }
}
var here = typeof location === "undefined" ? { pathname: ROOT, search: "", hash: "" } : location;
var place = y(parsePlace(here.pathname, here.search, here.hash));
var namespace = O(() => place.value.namespace || "default");
var page = O(() => place.value.parts[0] ?? "overview");
function link(...parts) {
  return address(namespace.value, parts);
}
function linkWith(query2, ...parts) {
  return address(namespace.value, parts, query2);
}
function go(href, { replace = false } = {}) {
  const before = place.value;
  history[replace ? "replaceState" : "pushState"](null, "", href);
  read();
  if (before.parts.join("/") !== place.value.parts.join("/") || before.namespace !== place.value.namespace) arrive();
}
function setQuery(changes, { push = false } = {}) {
  const { namespace: name, parts, query: query2, hash } = place.value;
  go(address(name, parts, changed(query2, changes)) + (hash ? `#${hash}` : ""), { replace: !push });
}
function asked(name) {
  return place.value.query.get(name) ?? "";
}
function read() {
  place.value = parsePlace(location.pathname, location.search, location.hash);
}
function arrive() {
  scrollTo(0, 0);
  requestAnimationFrame(() => document.querySelector("main h1")?.focus({ preventScroll: true }));
}
function followLinks() {
  addEventListener("popstate", read);
  addEventListener("hashchange", read);
  document.addEventListener("click", (event) => {
    const found = event.target instanceof Element ? event.target.closest("a") : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!found || !plain || event.defaultPrevented || found.target || found.hasAttribute("download")) return;
    const url = new URL(found.href, location.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
}

// api/call.ts
var Refusal = class extends Error {
  status;
  code;
  field;
  /** The whole problem, for what a code carries besides. */
  problem;
  constructor(status, problem) {
    super(String(problem["detail"] ?? problem["title"] ?? `the server answered ${status}`));
    this.status = status;
    this.code = String(problem["code"] ?? `http_${status}`);
    this.field = typeof problem["field"] === "string" ? problem["field"] : null;
    this.problem = problem;
  }
};
async function call(method, path, wanted = {}) {
  let response = await ask(method, path, wanted);
  let text = await response.text();
  if (response.status === 403 && refusalOf(response, text).code === "forbidden_csrf" && await renew()) {
    response = await ask(method, path, wanted);
    text = await response.text();
  }
  if (!response.ok) throw refusalOf(response, text);
  return { data: text === "" ? null : JSON.parse(text), text, etag: response.headers.get("etag") ?? "" };
}
var PLACELESS = /^(tokens|namespaces|users|sign-in|invitations)\b/;
async function renew() {
  const response = await ask("GET", "whoami", { placeless: true });
  if (!response.ok) return false;
  const { name, csrf: csrf2 } = await response.json();
  enter(name, csrf2);
  return true;
}
async function ask(method, path, wanted = {}) {
  const placeless = wanted.placeless || PLACELESS.test(path);
  const about = placeless ? {} : { "mainspring-namespace": namespace.value };
  const headers = { ...credentials(method), ...about, ...wanted.headers };
  if (wanted.body !== void 0) headers["content-type"] = "application/json";
  let response;
  try {
    response = await earlyAnswer(method, placeless ? path : `${namespace.value} ${path}`) ?? await fetch(urlOf(path), {
      method,
      headers,
      body: wanted.body === void 0 ? null : written(wanted.body),
      signal: wanted.signal ?? null,
      cache: "no-store"
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refusal(0, { code: "unreachable", detail: "the server cannot be reached" });
  }
  noteServerTime(response.headers.get("date"));
  if (response.status === 401) expire();
  return response;
}
async function earlyAnswer(method, key) {
  const early = globalThis.firstAnswers;
  const answer = method === "GET" ? early?.[key] : void 0;
  if (!early || !answer) return void 0;
  delete early[key];
  return answer.catch(() => void 0);
}
function urlOf(path) {
  return path.startsWith("/") ? path : `/api/v1/${path}`;
}
function written(body) {
  return typeof body === "string" ? body : JSON.stringify(body);
}
function refusalOf(response, text) {
  try {
    return new Refusal(response.status, JSON.parse(text));
  } catch {
    return new Refusal(response.status, { detail: text.slice(0, 200) || response.statusText });
  }
}
var get = (path, wanted) => call("GET", path, wanted);
var post = (path, body = {}, wanted = {}) => call("POST", path, { ...wanted, body });
var put = (path, body, wanted = {}) => call("PUT", path, { ...wanted, body });
var patch = (path, body, wanted = {}) => call("PATCH", path, { ...wanted, body });
var remove = (path, wanted = {}) => call("DELETE", path, wanted);
var part = encodeURIComponent;
function query(path, parameters) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) for (const one of value) search.append(name, one);
    else if (value !== null && value !== void 0 && value !== "" && value !== false) search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

// live/preferences.ts
var YEAR = 31536e3;
var stored = typeof localStorage === "undefined" ? null : localStorage;
var root = typeof document === "undefined" ? null : document.documentElement;
var theme = y(root?.dataset["theme"] ?? "auto");
var density = y(stored?.getItem("mainspring.density") ?? "regular");
var zone = y(stored?.getItem("mainspring.zone") ?? "");
var keys = y(stored?.getItem("mainspring.keys") !== "off");
function prefer(name, value) {
  document.cookie = `mainspring-${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}
function setTheme(next) {
  theme.value = next;
  document.documentElement.dataset["theme"] = next;
  prefer("theme", next);
}
function setDensity(next) {
  density.value = next;
  document.documentElement.dataset["density"] = next;
  stored?.setItem("mainspring.density", next);
}
var ownZone = y(stored?.getItem("mainspring.own-zone") ?? "");
function setZone(next) {
  zone.value = next;
  stored?.setItem("mainspring.zone", next);
  if (next === "" || next === "UTC") return;
  ownZone.value = next;
  stored?.setItem("mainspring.own-zone", next);
}
function nextZone() {
  const zones = ["", "UTC", ...ownZone.value ? [ownZone.value] : []];
  setZone(zones[(zones.indexOf(zone.value) + 1) % zones.length] ?? "");
}
function setKeys(on) {
  keys.value = on;
  stored?.setItem("mainspring.keys", on ? "on" : "off");
}
var range = y(stored?.getItem("mainspring.range") ?? "1h");
function setRange(next) {
  range.value = next;
  stored?.setItem("mainspring.range", next);
}
function isDark() {
  if (theme.peek() !== "auto") return theme.peek() === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// words/format.ts
var LOCALES = { en: "en-GB", zh: "zh-CN" };
var localeOf = (language2) => LOCALES[language2];
var SECOND = 1;
var MINUTE = 60;
var HOUR = 3600;
var DAY = 86400;
function duration(seconds) {
  const size2 = Math.abs(seconds);
  const sign = seconds < 0 ? "−" : "";
  if (size2 < 1e-3) return size2 === 0 ? "0 s" : `${sign}${trim(size2 * 1e6)} µs`;
  if (size2 < 0.9995) return `${sign}${trim(size2 * 1e3)} ms`;
  if (size2 < 59.95) return `${sign}${trim(size2)} s`;
  const whole = Math.round(size2);
  if (whole < HOUR) return sign + pair(whole, MINUTE, "m", SECOND, "s");
  if (whole < DAY) return sign + pair(whole, HOUR, "h", MINUTE, "m");
  return sign + pair(whole, DAY, "d", HOUR, "h");
}
function pair(whole, large, largeUnit, small, smallUnit) {
  const first = Math.floor(whole / large);
  const rest = Math.floor(whole % large / small);
  return rest === 0 ? `${first} ${largeUnit}` : `${first} ${largeUnit} ${String(rest).padStart(2, "0")} ${smallUnit}`;
}
function trim(value) {
  if (value >= 99.5) return String(Math.round(value));
  const digits = value >= 9.95 ? 1 : 2;
  return value.toFixed(value >= 1 ? digits - (value >= 9.95 ? 0 : 1) : 2).replace(/\.?0+$/, "");
}
function parseDuration(text) {
  const units = { ms: 1e-3, s: 1, m: MINUTE, min: MINUTE, h: HOUR, d: DAY };
  const cleaned = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(cleaned)) return Number(cleaned);
  let seconds = 0;
  let rest = cleaned;
  while (rest !== "") {
    const found = /^(\d+(?:\.\d+)?)\s*(ms|min|s|m|h|d)\s*/.exec(rest);
    if (!found) return null;
    seconds += Number(found[1]) * (units[found[2] ?? "s"] ?? 1);
    rest = rest.slice(found[0].length);
  }
  return cleaned === "" ? null : seconds;
}
function writeDuration(seconds) {
  if (seconds === null || seconds === void 0) return "";
  for (const [unit, size2] of [["d", DAY], ["h", HOUR], ["m", MINUTE]]) {
    if (seconds >= size2 && Number.isInteger(seconds / size2)) return `${seconds / size2} ${unit}`;
  }
  return seconds > 0 && seconds < 1 ? `${+(seconds * 1e3).toFixed(3)} ms` : `${seconds} s`;
}
function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : trim(value)} ${units[unit]}`;
}
function count(value, language2, capped = false) {
  return numbersOf(language2, 3).format(value) + (capped ? "+" : "");
}
function rate(value, language2) {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return numbersOf(language2, digits).format(value);
}
var numbers = /* @__PURE__ */ new Map();
function numbersOf(language2, digits) {
  const key = `${language2} ${digits}`;
  const found = numbers.get(key) ?? new Intl.NumberFormat(LOCALES[language2], { maximumFractionDigits: digits });
  numbers.set(key, found);
  return found;
}
function percent(share) {
  const value = share * 100;
  if (value === 0) return "0";
  if (value >= 99.95 && value < 100) return "99.9";
  return Math.abs(value) < 0.1 ? value.toFixed(2) : Math.abs(value) < 10 ? value.toFixed(1).replace(/\.0$/, "") : value.toFixed(1).replace(/\.0$/, "");
}
function relative(seconds, language2) {
  const size2 = Math.abs(seconds);
  if (size2 < 1) return language2 === "zh" ? "现在" : "now";
  const [value, unit] = size2 < MINUTE ? [size2, "s"] : size2 < HOUR ? [size2 / MINUTE, "m"] : size2 < 2 * DAY ? [size2 / HOUR, "h"] : [size2 / DAY, "d"];
  const text = `${Math.floor(value)} ${unit}`;
  if (language2 === "zh") return seconds > 0 ? `${text} 后` : `${text} 前`;
  return seconds > 0 ? `in ${text}` : `${text} ago`;
}
function zoned(instant, zone2, language2) {
  const date = new Date(instant);
  const clocks = clocksOf(zone2, language2);
  return {
    date: clocks.date.format(date),
    time: clocks.time.format(date),
    weekday: clocks.weekday.format(date),
    millis: String(date.getUTCMilliseconds()).padStart(3, "0"),
    offset: clocks.offset.formatToParts(date).find((one) => one.type === "timeZoneName")?.value.replace("GMT", "") || "+00:00"
  };
}
function timeOf(instant, zone2, language2) {
  return `${clocksOf(zone2, language2).time.format(instant)}.${String(new Date(instant).getUTCMilliseconds()).padStart(3, "0")}`;
}
var made = /* @__PURE__ */ new Map();
function clocksOf(zone2, language2) {
  const key = `${language2} ${zone2 ?? ""}`;
  const found = made.get(key) ?? makeClocks(zone2 ? { timeZone: zone2 } : {}, LOCALES[language2]);
  made.set(key, found);
  return found;
}
function makeClocks(options, locale) {
  return {
    date: new Intl.DateTimeFormat(locale, { ...options, day: "numeric", month: "short", year: "numeric" }),
    time: new Intl.DateTimeFormat("en-GB", { ...options, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
    weekday: new Intl.DateTimeFormat(locale, { ...options, weekday: "short" }),
    offset: new Intl.DateTimeFormat("en-GB", { ...options, timeZoneName: "longOffset" })
  };
}
function shortId(id) {
  return `…${id.slice(-8)}`;
}

// words/en.ts
var plural = new Intl.PluralRules("en");
var number = new Intl.NumberFormat("en-GB");
var many = (n3, one, other) => `${number.format(n3)} ${plural.select(n3) === "one" ? one : other}`;
var en = {
  copy: "Copy",
  copied: (text) => `Copied ${text}`,
  open: "Open",
  close: "Close",
  cancel: "Cancel",
  reason: "Reason",
  typeToConfirm: (name) => `Type ${name} to confirm`,
  asCommand: "The same as a command",
  fillFirst: "Fill in what is marked first",
  needsRole: (role) => `Your role may not do this: it takes ${role}`,
  choose: (name) => `Choose ${name}`,
  chooseAll: "Choose all of this page",
  actsColumn: "Acts",
  states: {
    queued: "queued",
    waiting: "waiting",
    running: "running",
    succeeded: "succeeded",
    failed: "failed",
    cancelled: "cancelled",
    skipped: "skipped",
    begun: "begun"
  },
  roles: { viewer: "viewer", operator: "operator", editor: "editor", admin: "admin", executor: "executor" },
  pages: {
    overview: "Overview",
    runs: "Runs",
    jobs: "Jobs",
    triggers: "Triggers",
    workflows: "Workflows",
    batches: "Batches",
    failures: "Failures",
    queues: "Queues",
    executors: "Executors",
    limits: "Limits",
    breakers: "Breakers",
    alerts: "Alerts",
    cluster: "Cluster",
    calendars: "Calendars",
    backfills: "Backfills",
    audit: "Audit",
    admin: "Admin"
  },
  frame: {
    skip: "Skip to the page",
    menu: "Pages",
    pages: "Pages",
    fleet: "Fleet",
    rules: "Rules",
    find: "Find a run, job, key or tag, or do something",
    namespace: "Namespace",
    theme: "Light or dark",
    live: "live",
    connecting: "connecting",
    paused: "paused",
    stale: (since) => `stale for ${since}`,
    liveHelp: "Changes come as they happen; press to hold the page still",
    clockHelp: "The server's time; press for another zone",
    findNamespace: "Find a namespace",
    clockOff: (by) => `The clock of this browser is off by ${by}; times here are the server's`,
    account: (name) => `Signed in as ${name}`,
    keys: "Keys",
    signOut: "Sign out",
    peek: "Look into"
  },
  keys: {
    help: "All keys",
    filter: "Filter of the page",
    pause: "Hold the page still",
    theme: "Light or dark",
    zone: "Zone of the clock",
    density: "Height of rows",
    copyLink: "Copy the link to what is shown",
    here: "On this page",
    everywhere: "Everywhere",
    lists: "In lists",
    ofLists: [
      ["j k", "next and previous row"],
      ["Enter", "open"],
      ["Space", "look into"],
      ["x", "choose"]
    ]
  },
  palette: {
    title: "Find or do",
    placeholder: "Run id, key, #tag, label=value, name, page or act",
    none: "Nothing has that name here.",
    go: "Go to",
    act: "Do"
  },
  errors: {
    forbidden: "You may not see this.",
    gone: "This is not here.",
    unreachable: "The server cannot be reached.",
    failed: "This could not be read.",
    again: "Try again"
  },
  nowhere: { title: "Nothing here", says: "No page has this address." },
  signIn: {
    title: "Sign in",
    again: "Sign in again to go on",
    name: "Name",
    password: "Password",
    token: "Token",
    withToken: "Use a token instead",
    enter: "Sign in",
    busy: "Looking…",
    at: (provider) => `Sign in with ${provider}`,
    wrong: "Name or password is wrong.",
    wrongToken: "The server does not know this token.",
    locked: (seconds) => `Too many wrong passwords. Try again in ${seconds} s.`,
    help: "`mainspring up` and the first start of a server print where their first token is kept:",
    start: "Choose a password",
    firstAdmin: "This server is new. Make its first admin.",
    makeAdmin: "Make admin and sign in",
    choose: "Keep it and sign in",
    invited: (name) => `You sign in as ${name}.`,
    passwordHelp: "At least 12 characters; a few words in a row are good.",
    gone: "This link was used, has run out, or is not complete. An admin makes another one:"
  },
  name: "name",
  job: "job",
  of: "of",
  never: "never",
  ranges: { "15m": "15 m", "1h": "1 h", "24h": "24 h", "7d": "7 d" },
  charts: {
    now: "now",
    pulse: (succeeded, failed) => `Runs over time: ${number.format(succeeded)} succeeded and ${number.format(failed)} failed. Arrow keys read out each step, Enter opens its runs.`,
    oneMinute: "one minute",
    oneHour: "one hour",
    asTable: "as table",
    from: "from",
    strip: (runs, failed) => `${many(runs, "run", "runs")}: ${failed} failed`
  },
  overview: {
    range: "Range",
    queue: "Queue",
    allQueues: "All queues",
    findings: "What needs a hand",
    figures: "Figures",
    pulse: "Pulse",
    pulseMinutes: "runs finished per minute; failures hang on their own scale",
    pulseHours: "runs finished per hour; failures hang on their own scale",
    counted: "counted",
    failing: "Failing",
    byKind: "by kind",
    nextFires: "Next fires",
    inDay: (n3) => `${n3} in 24 h`,
    day: "runs an hour, next 24 h",
    noFires: "No trigger fires by time.",
    finished: "Finished",
    perMinute: "/ min",
    inRange: (n3, range2) => `${n3} in ${range2}`,
    slots: (taken, slots) => `${taken} of ${slots} slots`,
    oldest: (age) => `oldest ${age}`,
    later: (n3) => `${n3} due later`,
    nothingHeld: "nothing is held back",
    held: "held back, see why",
    startDelay: "Due to started",
    worst: (worst) => `${worst} at worst`,
    nothingYet: "nothing has started yet",
    allWell: (pace) => `All is well. ${pace} runs a minute, none late.`,
    needs: (n3) => n3 === 1 ? "One thing needs a hand." : `${["", "", "Two", "Three", "Four", "Five", "Six"][n3] ?? n3} things need a hand.`,
    queuePaused: (by, n3) => `was paused by ${by}; ${n3} runs are due.`,
    stuck: (pool) => `has no usable slot in its pool ${pool}.`,
    blocked: (handler, seconds) => `had its event loop blocked by ${handler || "a handler"} for ${seconds}.`,
    why: "Why",
    holders: "Runs that hold it",
    andMore: (n3) => `and ${many(n3, "more", "more")}`,
    look: "Look",
    timeSpent: "Where time goes",
    timeSpentNote: "jobs by the time of all their runs",
    slowStarts: "Slow starts",
    slowStartsNote: "from due to started, by job",
    noTime: "No run has ended.",
    inAll: "in all",
    share: "share",
    week: "p95, 7 days"
  },
  first: {
    title: "This server is new",
    server: "server",
    executor: "an executor connects",
    run: "a first run",
    trigger: "a trigger",
    told: "a rule that tells of failures"
  },
  undo: "Undo",
  filter: {
    label: "Filter of runs",
    placeholder: "state:failed job:charge duration:>30s input.country:DE since:24h",
    help: "↑↓ choose · Tab take · Enter search",
    drop: "Drop this filter",
    wrong: (text) => `“${text}” is not understood.`,
    meant: (text) => `Did you mean ${text}?`
  },
  json: { none: "Nothing.", more: (n3) => `and ${number.format(n3)} more` },
  outcomes: {
    running: "running",
    succeeded: "succeeded",
    failed: "failed",
    timed_out: "timed out",
    cancelled: "cancelled",
    suspended: "suspended",
    lost: "lost",
    released: "released",
    snoozed: "snoozed"
  },
  banner: {
    broken: (n3) => `${n3 === 1 ? "An invariant does" : `${n3} invariants do`} not hold:`,
    shownOf: "Shown is what was read",
    maintenance: "Maintenance: runs are accepted, and none is started.",
    paused: "This namespace is paused: runs are accepted, and none is started.",
    end: "Start runs again"
  },
  batches: {
    empty: "A batch is a named set of runs that is waited for, cancelled and retried as one. There is none yet.",
    progress: "Progress",
    retry: "Retry failed",
    retried: "The failed runs of the batch run again"
  },
  views: {
    saved: "Saved views",
    menu: "Saved views",
    save: "Save this view",
    name: "Name",
    shared: "For all of the namespace",
    isSaved: "The view is saved",
    nothing: "Filter first: a view is a query",
    drop: (name) => `Delete ${name}`,
    dropped: (name) => `${name} is deleted`
  },
  runs: {
    reached: (n3) => `The newest ${n3} of those that were looked at; they reach back to`,
    word: "runs",
    byState: "State",
    order: "Order",
    newest: "newest",
    oldest: "oldest",
    all: "all",
    state: "state",
    executor: "executor",
    created: "created",
    wait: "wait",
    waitHelp: "From when the run was due until its last attempt began",
    took: "took",
    try: "try",
    by: "by",
    parent: "its parent",
    fresh: (n3) => `${many(n3, "new run", "new runs")} ↑`,
    shown: (n3) => `${many(n3, "run", "runs")} shown`,
    more: "Show more",
    empty: "A run is one intended execution of a job. There is none yet.",
    noneMatch: "No run matches. Drop a filter:",
    bulk: "Acts on chosen runs",
    chosen: (n3) => `${n3} chosen`,
    allMatching: "All that match, also on other pages",
    retry: "Retry",
    discard: "Discard",
    cancel: "Cancel",
    keep: "Keep it",
    onlyFailed: "Only failed runs",
    onlyLive: "Only runs that have not ended",
    onlyStartable: "Only runs that have not started",
    andMore: (n3) => `and ${n3} more`,
    ask: {
      cancel: (n3) => `Cancel ${n3 === "1" ? "this run" : `${n3} runs`}?`,
      retry: (n3) => `Retry ${n3 === "1" ? "this run" : `${n3} runs`}?`,
      discard: (n3) => `Discard ${n3 === "1" ? "this run" : `${n3} runs`}?`
    },
    askSays: {
      cancel: "Those that run are asked to stop; their children stay.",
      retry: "They run again now, with the input that they had.",
      discard: "They stay failed, and leave the dead letters."
    },
    holdSays: (seconds) => `Nothing begins for ${seconds} s: until then it can be taken back whole.`,
    held: "begins",
    takenBack: "Taken back: nothing was changed",
    beginsIn: {
      cancel: (n3, s2) => s2 > 0 ? `${n3} ${n3 === "1" ? "run is" : "runs are"} cancelled in ${s2} s.` : `${n3} ${n3 === "1" ? "run is" : "runs are"} being cancelled.`,
      retry: (n3, s2) => s2 > 0 ? `${n3} ${n3 === "1" ? "run is" : "runs are"} retried in ${s2} s.` : `${n3} ${n3 === "1" ? "run is" : "runs are"} being retried.`,
      discard: (n3, s2) => s2 > 0 ? `${n3} ${n3 === "1" ? "run is" : "runs are"} discarded in ${s2} s.` : `${n3} ${n3 === "1" ? "run is" : "runs are"} being discarded.`
    },
    sweepGoesOn: "The server goes on with it when this page is closed; a retry tries five first, and the rest only if all of them succeed.",
    confirm: {
      cancel: (n3) => n3 === "1" ? "Cancel the run" : `Cancel ${n3} runs`,
      retry: (n3) => n3 === "1" ? "Retry the run" : `Retry ${n3} runs`,
      discard: (n3) => n3 === "1" ? "Discard the run" : `Discard ${n3} runs`
    },
    done: {
      cancel: (n3) => `${n3 === "1" ? "The run is" : `${n3} runs are`} cancelled`,
      retry: (n3) => `${n3 === "1" ? "The run runs" : `${n3} runs run`} again`,
      discard: (n3) => `${n3 === "1" ? "The run is" : `${n3} runs are`} discarded`
    }
  },
  run: {
    title: (id) => `Run ${id}`,
    tabs: { log: "Log", bodies: "Input and result", attempts: "Attempts", steps: "Steps", related: "Related", why: "Why", raw: "Raw" },
    tryOn: (n3, executor) => `try ${n3}${executor ? ` on ${executor}` : ""}`,
    try: (n3) => `try ${n3}`,
    timeline: "Timeline",
    timelineSays: (n3, state) => `Timeline: ${many(n3, "attempt", "attempts")}, ${state}`,
    inAll: (whole, worked) => `${whole} in all, ${worked} of it at work`,
    notStarted: "nothing has started",
    due: "due",
    startedAfter: (delay) => `due and accepted, started ${delay} later`,
    outcome: "outcome",
    progress: "Progress",
    like: "Runs like this",
    slow: "Slower than usual:",
    slowSays: (seconds, usual) => `${seconds} so far, against ${usual}.`,
    facts: "Facts",
    startedBy: "started by",
    fireAt: "fired for",
    finished: "ended",
    priority: "priority",
    code: "code",
    key: "key",
    deadline: "deadline",
    startBy: "start by",
    trace: "trace",
    fence: "fence",
    labels: "labels",
    parent: "its parent",
    unknownEffect: (name, attempt) => `Effect ${name} was begun in try ${attempt} and never confirmed. Nobody knows whether it came to pass.`,
    lostTitle: (n3) => `Try ${n3} was lost`,
    lostSays: (executor, beside) => `${executor} went away${beside > 0 ? `, with ${many(beside, "other run", "other runs")} beside it:` : "."}`,
    lastRuns: (job, n3) => `${job}, last ${n3} runs`,
    usual: (p50, p95) => `usual ${p50}, p95 ${p95}`,
    compare: "Compare with the last success",
    compareMenu: "Compare…",
    input: "Input",
    result: "Result",
    error: "Error",
    traceback: "Traceback",
    noResult: "There is no result yet.",
    noAttempts: "No attempt has failed.",
    noSteps: "This run keeps nothing between attempts: no checkpoint, no steps, no effects.",
    step: "step",
    effect: "effect",
    checkpoint: "checkpoint",
    unknown: "unknown whether it came to pass",
    sameTrigger: (name) => `Trigger ${name}`,
    workflow: "Its workflow run",
    sameKey: "Same key",
    backfill: "Its backfill",
    children: "Children",
    noChildren: "Its handler asked for no other run.",
    more: "More acts",
    again: "Run again with other input…",
    force: "Run again although it succeeded",
    forceSays: "The run succeeded. Running it again repeats whatever its handler does.",
    asCurl: "Copy as curl",
    asCli: "Copy as command",
    retried: (id) => `Run ${id} runs again`,
    undone: "taken back in the console",
    resume: "Resume",
    resumed: (id) => `Run ${id} goes on`,
    suspend: "Suspend",
    askSuspend: "Suspend this run?",
    suspendRunning: "The handler is asked to stop at its next safe place; the run goes on from there when it is resumed.",
    suspendQueued: "It does not start until it is resumed.",
    suspended: (id) => `Run ${id} is suspended`,
    cancelRunning: "The handler is asked to stop, and is stopped if it does not.",
    cancelQueued: "It has not started, and never will.",
    withChildren: "Also the runs that it asked for, and theirs",
    front: "To the front of its line",
    inFront: "It stands in front now: priority 9",
    change: "Change",
    askChange: (n3) => n3 === "1" ? "Change this run" : `Change ${n3} runs`,
    changeSays: "Runs that have started meanwhile stay as they are. What is left empty stays, too.",
    priorityHelp: "0–9; higher starts first",
    dueHelp: "2030-01-01T09:00:00Z; earlier than now: at once",
    changed: (n3) => n3 === "1" ? "The run is changed" : `${n3} runs are changed`,
    askSuspendMany: (n3) => n3 === "1" ? "Suspend this run?" : `Suspend ${n3} runs?`,
    suspendManySays: "Those that wait do not start until they are resumed; handlers that run are asked to stop at their next safe place.",
    suspendedMany: (n3) => `${n3} suspended`,
    noOther: ["There is no such run before this one.", "There is no such run after this one."],
    keys: { older: "the run before of this job", newer: "the next run of this job", olderFailed: "the failed run before", newerFailed: "the next failed run" }
  },
  why: {
    late: (by) => `It has not started, ${by} after it was due.`,
    notDue: (by) => `It is due in ${by}.`,
    due: "due",
    line: (n3) => `${n3} runs are due in its queue`,
    noPace: "nothing has ended in the last minutes",
    pace: (seconds) => `empty in about ${seconds} at this pace`,
    attempts: (n3) => many(n3, "attempt", "attempts"),
    losses: (failures, losses) => `${failures} failed, ${losses} lost`,
    discarded: "discarded",
    ended: {
      running: "It is running.",
      succeeded: "It succeeded.",
      failed: "It failed: no attempt is left, or the error is not one to try again.",
      cancelled: "It was cancelled.",
      skipped: "It was skipped."
    }
  },
  log: {
    search: "Search the log",
    level: "Level",
    all: "all",
    follow: "follow",
    following: "following",
    copy: "Copy the log",
    download: "Download the log",
    none: "This run wrote no log.",
    noneYet: "Nothing has been written yet.",
    gap: (seconds) => `${seconds} without a line`
  },
  start: {
    button: "Run a job…",
    title: "Run a job",
    again: "Run again with other input",
    job: "Job",
    input: "Input",
    inputHelp: "JSON: one object with the arguments of the handler",
    more: "Key, time, priority, tags",
    key: "Key",
    keyHelp: "the same key is the same run",
    delay: "Due in",
    priority: "Priority",
    queue: "Queue",
    tags: "Tags",
    existing: "A run with this key is there already",
    started: (job) => `${job} was accepted`
  },
  save: "Save",
  queues: {
    name: "queue",
    oldest: "oldest",
    running: "running",
    emptyIn: "empty in",
    later: "later",
    slots: "slots",
    perMinute: "per minute",
    recent: "15 min",
    budget: "budget",
    empty: "A queue is a named line of runs that executors listen to. It is there once a run has used its name.",
    active: "active",
    behind: "behind",
    noExecutor: "no executor",
    pausedBy: (by) => `paused by ${by}`,
    pause: "Pause",
    resume: "Resume",
    resumed: (name) => `Queue ${name} goes on`,
    paused: (name) => `Queue ${name} is paused`,
    askPause: (name) => `Pause queue ${name}?`,
    pauseSays: (queued, running) => `Nothing of it starts until it is resumed: ${queued} runs wait. The ${running} that run go on.`,
    askBudget: (name) => `Budget of queue ${name}`,
    budgetSays: "Requests for runs over the budget are refused with 429.",
    budgetField: "Runs that may wait (empty: any number)",
    line: "In line",
    lineNote: "the oldest 20 that have not started, with what holds them",
    noLine: "Nothing waits.",
    holders: "Who holds the slots",
    holdersNote: (n3) => `the oldest 20 that run; ${many(n3, "executor listens", "executors listen")}`,
    noHolders: "Nothing runs."
  },
  executors: {
    resize: "Resize",
    asStarted: "As started",
    byHost: "By host",
    byLabel: "By label",
    several: "Acts on chosen executors",
    cordonedSeveral: (n3) => `${n3} executors take nothing new`,
    uncordonedSeveral: (n3) => `${n3} executors take runs again`,
    askDrainSeveral: (n3) => `Drain ${n3} executors?`,
    drainSeveral: (n3) => `Drain ${n3} executors`,
    drainedSeveral: (n3) => `${n3} executors drain`,
    wanted: (size2) => `wanted ${size2} since`,
    resizedBy: (name) => `resized by ${name}`,
    askResize: (pool, name) => `Resize ${pool} of ${name}`,
    resizeSays: "It grows at once, and shrinks as attempts end. The size holds across reconnects and restarts.",
    resized: (pool) => `${pool} gets another size`,
    coreHelp: "kept also while idle",
    maxHelp: "attempts at once",
    queueHelp: "attempts that wait in it for a slot",
    view: "View",
    list: "List",
    coverage: "Coverage",
    pools: "pools",
    poolHelp: (core, max, queue) => `core ${core}, max ${max}, queue ${queue}`,
    poolsNote: "threads, processes and the event loop that supply slots",
    cpu: "cpu",
    memory: "memory",
    beat: "beat",
    since: "up since",
    host: "host",
    server: "server",
    lease: "lease",
    renewed: (age) => `renewed ${age} ago`,
    strays: "strays",
    live: "live",
    draining: "draining",
    cordoned: "cordoned",
    stuck: "stuck",
    away: "away",
    awaySays: "No process of this name is connected now.",
    empty: "An executor is a process that runs your handlers. It dials out to a server, and none is connected.",
    ifOneLeft: "if one left",
    noneLeft: "none",
    cordon: "Cordon",
    uncordon: "Uncordon",
    drain: "Drain",
    cordonedSays: (name) => `${name} takes no new runs`,
    uncordonedSays: (name) => `${name} takes runs again`,
    askDrain: (name) => `Drain ${name}?`,
    drainSays: (n3) => `It takes no new runs. The ${n3} attempts under way have the grace to end by themselves; then they are handed back and run elsewhere.`,
    grace: "Grace",
    graceHelp: "such as 30 s or 5 m",
    drained: (name) => `${name} is draining`,
    cordonBy: (name) => `Cordoned by ${name}`,
    running: "Running",
    some: "some of them",
    idle: "It runs nothing now.",
    handlers: "Handlers",
    handler: "handler",
    pool: "pool",
    core: "core",
    max: "max",
    queueLength: "queue",
    room: "room",
    blockedBy: (handler, seconds) => `${handler} blocked the event loop for ${seconds} at`,
    stuckSays: (pool, strays, waits) => `Pool ${pool} has no usable slot: ${strays} given up and still going on, ${waits} waiting for runs of the same pool.`
  },
  failures: {
    none: "Nothing is dead.",
    noneSays: "Nothing is dead. A run that fails for good is listed here, by kind of error, until it is retried or discarded.",
    error: "error",
    first: "first",
    last: "last",
    new: "NEW",
    example: "example",
    showExample: "Example",
    exampleTitle: "The one that failed last",
    dead: "Dead letters",
    sweeps: "Sweeps",
    sweep: "Sweep",
    noSweeps: "A sweep is an act on many runs at once. There was none.",
    act: "act",
    changed: "changed",
    group: "Dead letters",
    retryFew: "Retry 5 first",
    retryAll: "Retry all",
    discardAll: "Discard all",
    firstSeen: "first seen",
    lastSeen: "last seen",
    oldestFirst: "oldest first",
    failedAt: "failed",
    askFew: (n3) => `Retry 5 of ${n3} runs first?`,
    fewSays: "Five run again now. Only if all of them succeed do the others follow; otherwise the sweep stops and says why.",
    stopSweep: "Stop it",
    passed: (n3) => `${n3} had changed meanwhile`,
    canaries: "Tried first",
    filter: "filter",
    retried: "Being retried",
    noneRetried: "No run that failed has tries left.",
    nextTry: "next try",
    quarantined: "Quarantined",
    noneQuarantined: "No run was put aside. One that takes its executors down again and again is, after as many losses as its job allows.",
    differs: "What is different",
    differsNote: (failed, all) => `${failed} failed runs against the newest ${all} of this job`,
    nothingDiffers: "Nothing stands out: executors, triggers, labels and tags are as usual.",
    beganAfter: (span, change, by) => `It began ${span} after ${change}, by ${by}.`,
    share: (share) => `${share} % have`,
    shareOfAll: (share) => `(${share} % of all)`
  },
  sweepActs: { retry: "Retry", discard: "Discard", cancel: "Cancel" },
  sweepStates: { running: "running", canaries: "waits for those tried first", done: "done", stopped: "stopped", cancelled: "cancelled" },
  jobs: {
    is: { failing: "failing", paused: "paused", drifted: "drifted", idle: "idle" },
    several: "Acts on chosen jobs",
    noneToPause: "All that are chosen are paused",
    noneToResume: "None that is chosen is paused",
    askPauseSeveral: (n3) => `Pause ${n3} jobs?`,
    pauseSeveral: (n3) => `Pause ${n3} jobs`,
    pausedSeveral: (n3) => `${n3} jobs are paused`,
    resumedSeveral: (n3) => `${n3} jobs go on`,
    make: "New job",
    makeSays: "A job names a handler that executors have, with a queue and a policy of its own.",
    clone: "Clone",
    cloneOf: (name) => `A job like ${name}`,
    usualInput: "Usual input",
    usualInputHelp: "what a run leaves out is taken from here",
    askPause: (name) => `Pause ${name}?`,
    pauseSays: "No run of it starts until it is resumed. Attempts that run go on, and runs are still accepted.",
    pausedNow: (name) => `${name} is paused`,
    resumed: (name) => `${name} goes on`,
    filter: "Name begins with",
    drifted: "drifted",
    starts: "starts",
    byHand: "by hand or API",
    lastRuns: "last runs",
    runsDay: "runs, 24 h",
    failedDay: (n3) => `${n3} failed`,
    lastDay: "of the last 24 h",
    succeeded: "succeeded",
    took: "took",
    attempts: "tries",
    version: "version",
    noneMatch: "No job has a name that begins so.",
    empty: "A job is a stored definition: handler, queue and policies. Executors bring theirs from code when they connect.",
    tabs: { overview: "Overview", runs: "Runs", triggers: "Triggers", policy: "Policy", versions: "Versions", audit: "Audit" },
    byCode: "code",
    byApi: "API",
    newTrigger: "New trigger…",
    remove: "Delete",
    askRemove: (name) => `Delete job ${name}?`,
    removeSays: "Its definition and triggers go; runs that have ended stay in the history until they are pruned.",
    newestFailed: "Newest failed",
    noneFailed: "None of its runs has failed.",
    allRuns: "All its runs",
    noRuns: "It has no runs.",
    noTriggers: "No trigger starts it.",
    from: "from",
    to: "to",
    note: "note",
    diff: (from, to) => `v${from} → v${to}`,
    same: "Nothing differs.",
    oneVersion: "Choose two versions to compare.",
    rollback: (version) => `Roll back to v${version}`,
    askRollback: (version) => `Roll back to v${version}?`,
    rollbackSays: (next, version) => `Version ${next} is made with the definition of version ${version}. Runs that have been accepted keep what they have.`,
    rolledBack: (version) => `Rolled back to v${version}`,
    saved: (name) => `${name} is saved`
  },
  policy: {
    sections: { retry: "Retry", time: "Time", lost: "If an attempt is lost", place: "Where and how soon", limits: "Limits", overlap: "If another is under way or just came", routing: "Which executor", guard: "Breaker and history" },
    labels: {
      attempts: "Tries",
      backoff: "First wait",
      multiplier: "Grows by",
      backoff_max: "At most",
      budget: "Budget",
      retry_on: "Only on",
      give_up_on: "Never on",
      timeout: "Attempt",
      deadline: "Run in all",
      start_within: "Start within",
      on_lost: "Then",
      losses_max: "Quarantine after",
      queue: "Queue",
      priority: "Priority",
      description: "Description",
      at_once: "At once",
      limit_key: "of each key",
      rate: "Rate",
      executor_limit: "At once per executor",
      fair: "Fair between keys",
      blocking: "With the same key",
      debounce: "Wait for quiet of",
      throttle: "Let through",
      strategy: "Strategy",
      route_key: "By key",
      executors: "Executors",
      on_absent: "If none is there",
      requires: "Needs labels",
      prefers: "Prefers labels",
      uses: "Uses resources",
      runs_on: "Code version",
      breaker: "Breaker",
      history: "Keep in history"
    },
    help: {
      attempts: "in all, the first included",
      budget: "after which no try begins; empty: none",
      retry_on: "error classes or codes; empty: any",
      give_up_on: "these win",
      timeout: "timed out after; empty: never",
      deadline: "from when it is due",
      start_within: "else it fails",
      losses_max: "losses",
      priority: "0–9",
      at_once: "attempts of all executors; empty: any",
      limit_key: "fields of the input, by commas",
      rate: "starts: 100/s, 30/m, 500/10m",
      fair: "fields of the input, by commas",
      debounce: "the last of a burst runs",
      throttle: "starts per key: 10/m",
      route_key: "for hash: fields of the input",
      executors: "names, in order of preference",
      requires: "gpu; cuda >= 12; zone in (eu, us)",
      prefers: "as above; those are tried first",
      uses: 'JSON such as {"memory": "2GiB", "gpu": 1}',
      runs_on: "such as >=2.4; empty: any",
      breaker: "empty: none"
    },
    blockingChoices: { queue: "queue", discard: "discard the new one", latest: "keep only the latest", replace: "replace the one under way" },
    historyChoices: { all: "all runs", failures: "failures only", none: "nothing" },
    absentChoices: { "": "as usual", wait: "wait for it", reroute: "take another", fail: "fail" },
    strategies: { any: "any that has room", least_loaded: "least loaded", least_used: "least used", least_recent: "least recently used", round_robin: "in turn", random: "at random", hash: "by key", first: "the first", last: "the last", failover: "first that lives", fixed: "only these", broadcast: "all of them" },
    pace: (room, usual) => `So many at once let ${room} runs through in an hour; there were ${usual} in a usual one.`,
    qualify: (fit, all, queue) => `${fit} of ${many(all, "executor", "executors")} listen to ${queue} and have these labels.`,
    queueLimit: (atOnce, rate3) => `The queue has a limit of its own: ${atOnce} at once, rate ${rate3}.`,
    noBreaker: (name) => `There is no breaker ${name} yet; it is made with the first call.`,
    lostChoices: { retry: "run again", fail: "fail", ask: "ask a person" },
    meaning: "What this means",
    oneTry: "One try: what fails is dead.",
    tries: (n3, last) => `${many(n3, "try", "tries")}; the last begins at most ${last} after the first, besides the time that they take.`,
    took: (p50, p99, max) => `Over the last 7 days half took less than ${p50}, 99 % less than ${p99}, the longest ${max}.`,
    cutsMost: "This timeout would have cut more than half of them.",
    cutsMany: "This timeout would have cut more than 5 % of them.",
    cutsSome: "This timeout would have cut 1 to 5 % of them.",
    cutsFew: "This timeout would have cut less than 1 % of them.",
    cutsNone: "This timeout would have cut none of them.",
    lately: (share) => `${share} % of what ended succeeded.`,
    drifted: "People have changed what code says: the job is drifted.",
    asCode: "The job is as code says.",
    changes: (n3) => many(n3, "change", "changes"),
    note: "note for the audit log",
    drop: "Discard",
    save: (version) => `Save v${version}`,
    drift: "Code defines this job: saving makes it drifted. Code keeps its handler and arguments."
  },
  audit: {
    kind: "Kind",
    allKinds: "All kinds",
    actor: "Actor",
    at: "at",
    act: "act",
    object: "object",
    details: "details",
    empty: "No change matches.",
    actExample: "Act, such as queue.pause",
    csv: "Export CSV",
    json: "Export JSON"
  },
  triggers: {
    word: "trigger",
    new: "New trigger",
    newTitle: "New trigger",
    create: "Create trigger",
    forecast: "Forecast",
    kind: "Kind",
    kinds: { cron: "Cron", interval: "Interval", delay: "After the last", once: "Once", windows: "Windows", webhook: "Webhook", event: "Event" },
    states: { active: "active", paused: "paused", ended: "ended" },
    empty: "A trigger is the stored rule that starts a job: by the clock, by a webhook or by an event.",
    fires: "fires",
    next: "next",
    last: "last",
    fired: "fired",
    owner: "owner",
    whenCalled: "when called",
    whenCalledSays: "It fires whenever it is called; nothing comes by the clock.",
    pausedBy: (by) => `paused by ${by}`,
    fire: "Fire now",
    askFire: (name) => `Fire ${name} now?`,
    fireSays: (job) => `One run of ${job} starts at once, beside those of its rule.`,
    firedNow: (name) => `${name} has fired`,
    skipNext: "Skip next",
    skipped: (name) => `The next instant of ${name} is left out`,
    pause: "Pause",
    paused: (name) => `${name} is paused`,
    askPause: (name) => `Pause ${name}?`,
    pauseSays: "Its instants come and have no run until it is resumed; they stay in the ledger as paused.",
    resume: "Resume",
    resumed: (name) => `${name} fires again`,
    backfill: "Backfill",
    clone: "Make another like it",
    askRemove: (name) => `Delete trigger ${name}?`,
    removeSays: "It fires no more. Its runs and their history stay.",
    revision: (n3) => `revision ${n3}`,
    appliedFrom: (owner) => `applied from ${owner}`,
    tabs: { when: "When and what", hook: "Webhook", event: "Event", instants: "Instants", runs: "Runs", audit: "Audit" },
    runsNote: "the newest that it started",
    forecastTitle: "Forecast",
    perFive: "runs per 5 minutes, next 24 hours",
    perHour: "runs per hour, next 7 days",
    noFires: "No trigger fires in this time.",
    forecastSays: (runs, triggers) => `${runs} runs by ${triggers} triggers.`,
    peak: (runs, at, slots) => `Most at once: ${runs} at ${at}, for ${slots} slots.`,
    counted: "counted",
    incomplete: "Not every trigger and fire time could be counted: there are more than these.",
    herdTitle: (at) => `Together at ${at}`,
    herdSays: (runs, triggers, slots) => `${runs} runs of ${triggers} triggers, for ${slots} slots.`,
    herdAlone: "There is nothing to draw apart.",
    lastStarts: (after) => `The last starts about ${after} later.`,
    lastStartsAfter: (before, after) => `The last starts about ${before} behind its instant now, then ${after}.`,
    spreadNow: "spread",
    spreadThese: (n3) => `Spread these ${n3}…`,
    spreadTitle: (n3) => `Spread ${n3} triggers`,
    spreadSays: "Each keeps its rule. Its runs are due at a place of its own behind the instant, always the same one.",
    spreadOver: "Over",
    spreadDone: (n3, over) => `${n3} triggers are spread over ${over}`,
    chooseThem: (n3, all) => `${n3} of ${all} chosen`,
    beforeAfter: (before, after, step) => `At most ${before} runs within ${step} before, ${after} after.`,
    before: "before",
    after: "after",
    badLength: "Write a length such as 10 m",
    lastInstants: "last 30 instants",
    instantsSay: (n3, bad) => `${many(n3, "instant", "instants")}, ${bad} not fired`,
    heat: (total, peak) => `Heat map of fires: ${total} in all, ${peak} at most in one step`,
    accounted: "Accounted for",
    nonePast: "No instant has come yet.",
    noneMissing: (n3) => `last ${many(n3, "instant", "instants")}, none missing`,
    missing: (n3) => `${many(n3, "instant is", "instants are")} missing`,
    outcomes: { fired: "fired", skipped: "skipped", prepared: "prepared", held: "held", paused: "paused", expected: "expected", missing: "missing" },
    instants: "Instants",
    instantsNote: "expected against actual, newest first",
    instant: "instant",
    run: "run",
    name: "Name",
    nameHelp: "lower-case letters, digits, - and _",
    when: "When",
    what: "What",
    unusual: "If things are not as usual",
    expression: "Cron expression",
    dials: "Fields of the expression",
    fields: { second: "second", minute: "minute", hour: "hour", day: "day", month: "month", weekday: "weekday" },
    everyOne: "every",
    chosenOnes: "chosen",
    byHand: "by hand",
    byHandSays: "This field is written by hand; the text says what it means.",
    another: "another expression",
    weekdayNames: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    monthNames: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    zone: "Zone",
    every: "Every",
    afterLast: "After the last has ended",
    delayHelp: "counted from its end",
    at: "At",
    opens: "Opens",
    closes: "Closes",
    weekdays: "On",
    auth: "Signed by",
    auths: { hmac: "HMAC-SHA-256", bearer: "bearer token" },
    key: "Key",
    mapping: "Mapping",
    eventType: "Event type",
    filter: "Filter",
    forward: "Clock forward",
    back: "Clock back",
    gaps: { next_valid: "next valid time", skip: "skip it" },
    folds: { first: "first of the two", second: "second of the two", both: "both" },
    calendar: "Calendar",
    allDays: "all days count",
    dayOff: "On a day off",
    rolls: { skip: "skip it", next: "next day that counts", previous: "day before that counts" },
    missed: "Missed",
    misfires: { once: "fire once", skip: "skip them", all: "fire all" },
    catchUp: "At most",
    tooLate: "Too late after",
    tooLateHelp: "empty: never",
    overlap: "Overlap",
    overlaps: { allow: "allow", skip: "skip", queue_one: "queue one", queue_all: "queue all", cancel_previous: "cancel the one before" },
    overlapMax: "Held at most",
    pauseAfter: "Pause after",
    pauseAfterHelp: "failures in a row",
    jitter: "Jitter",
    group: "Group",
    spread: "Spread",
    from: "From",
    until: "Until",
    firesMax: "At most, fires",
    nextFires: "Next fires",
    laterOdd: "later, when clocks are set",
    neverFires: "It never fires.",
    moved: (seconds) => `moved by ${seconds} s`,
    yearAhead: "The year ahead",
    yearSays: (n3) => `${n3} days with a fire in the year ahead`,
    clockChange: "clock change",
    company: "Company",
    notToday: "not within the next 24 hours",
    others: (n3) => `${n3} fires in the same quarter of an hour`,
    companySays: (peak) => `Fires over the next 24 hours, ${peak} at most in a quarter of an hour`,
    inHours: (n3) => n3 === 0 ? "now" : `in ${n3} h`,
    saveRevision: (n3) => `Save revision ${n3}`,
    saved: (name) => `${name} is saved`
  },
  hook: {
    title: "Address",
    rotate: "Rotate the secret",
    askRotate: "Rotate the secret?",
    rotateSays: "A new secret is made and shown once. The old one stays good for an hour.",
    signed: (auth) => auth === "hmac" ? "Calls are signed by HMAC-SHA-256" : "Calls show a bearer token",
    made: "secret made",
    old: "the one before is good until",
    once: "This secret is shown only now.",
    types: "Events that were told",
    noTypes: "No event has been told yet.",
    type: "type",
    told: "told",
    matched: "matched",
    test: "Test",
    body: "Body",
    headers: "Headers",
    answer: "What would happen",
    calls: "Newest calls",
    callsNote: "50 at most; bodies are not kept",
    noCalls: "No call has come yet.",
    called: "called",
    theRun: "run",
    outcome: "outcome",
    taken: "accepted",
    existing: "same key, no new run",
    why: "why",
    nothingTried: "Nothing was tried yet; trying starts no run.",
    wouldRun: "a run would start",
    wouldNot: "no run would start",
    signature: "signature",
    matches: "matches the filter"
  },
  backfill: {
    title: (trigger) => `Backfill ${trigger}`,
    empty: "A backfill makes runs for instants that are past. There was none.",
    since: "Since",
    until: "Until",
    atOnce: "At once",
    rerun: "Also instants that have had a run",
    says: (instants, fired, runs) => `${instants} instants, ${fired} have run, ${runs} would get a run.`,
    knownSince: "The ledger is whole since",
    badRange: "the range cannot be read",
    nothing: "There is nothing to do in this range",
    make: (n3) => `Make ${n3} runs`,
    begun: (trigger) => `The backfill of ${trigger} has begun`,
    progress: "progress",
    range: "range",
    made: (passed, expected) => `runs made, ${passed} instants had one, of ${expected}`
  },
  calendars: {
    word: "calendar",
    new: "New calendar",
    name: "Name",
    empty: "A calendar says which days count. Triggers that use it skip or move what falls on a day off.",
    weekdays: "weekdays that count",
    holidays: "holidays",
    holidaysHelp: "countries or markets, such as DE DE-BY XNYS",
    own: "own dates",
    ownHelp: "one a line: 2030-12-24 Christmas Eve, or 12-24 for each year",
    counted: "days that count all the same",
    countedHelp: "such as 2030-12-19",
    zoneHelp: "whose midnight ends the days; empty: the trigger's",
    windows: "blackouts",
    windowsHelp: "Nothing is started in these windows. Dates are on the clock of this browser.",
    addDaily: "Each day",
    addOnce: "Once",
    opens: "begins",
    closes: "ends",
    windowDays: "days: mon tue",
    windowName: "name",
    removeWindow: "Remove the window",
    changed: "changed",
    changedSays: "The calendar is changed",
    rules: "Which days count",
    before: "The year before",
    after: "The year after",
    impact: "Impact",
    impactSays: (moved, same) => `${many(moved, "trigger changes", "triggers change")}, ${same} do not`,
    usedBy: "Used by",
    unused: "No trigger uses it.",
    askRemove: (name) => `Delete calendar ${name}?`
  },
  cluster: {
    executors: "executors",
    ready: "takes work",
    notReady: "takes no work",
    server: "This server",
    servers: "Servers",
    zone: "zone",
    askDrain: (name) => `Drain the server ${name}?`,
    drainSays: "Its executors and callers go to other servers; it stays, and takes nothing new until it is resumed.",
    drained: (name) => `${name} takes nothing new`,
    serversNote: "all servers are equal",
    protocol: "protocol",
    state: "state",
    stream: "stream",
    invariants: "Invariants",
    hold: (n3, all) => `${n3} of ${all} hold, checked now`
  },
  admin: {
    otherZone: "another zone…",
    range: "time in charts",
    settings: "Settings",
    settingsNote: "of the server that answers; they are changed by flags, variables or its file",
    value: "value",
    origin: "origin",
    byDefault: "default",
    variable: "variable",
    account: "My account",
    tokens: "Tokens",
    namespaces: "Namespaces",
    newToken: "New token",
    newNamespace: "New namespace",
    make: "Create",
    name: "name",
    role: "role",
    roleHelp: "viewer reads; operator steers; editor defines; admin rules; executor runs handlers",
    namespaceHelp: "* for all",
    everywhere: "all",
    lastUsed: "last used",
    expires: "expires",
    expiresHelp: "in, such as 90 d; empty: never",
    rotate: "Rotate",
    revoke: "Revoke",
    overlap: "The old secret stays good for",
    askRotate: (name) => `Rotate token ${name}?`,
    rotateSays: "A new secret is made and shown once.",
    askRevoke: (name) => `Revoke token ${name}?`,
    revokeSays: "Whoever uses it is refused from now on, on all servers; streams end.",
    once: (name) => `The secret of ${name} is shown only now:`,
    askDeleteNamespace: (name) => `Delete namespace ${name}?`,
    deleteNamespaceSays: "It has to be empty of live runs and triggers. This cannot be taken back.",
    language: "Language",
    themes: { auto: "as the system", light: "light", dark: "dark" },
    densities: { compact: "compact", regular: "regular", roomy: "roomy" },
    keys: "Single keys",
    keysSays: "act without Ctrl",
    rights: "What you may do"
  },
  people: {
    title: "People",
    none: "There is no user yet. Invite one: the link works once, for three days.",
    invite: "Invite",
    newLink: "New link",
    link: (name) => `${name} chooses a password at this address, once. It is shown only now:`,
    fullName: "full name",
    roles: "roles",
    rolesHelp: "a line each: viewer, operator, editor or admin, and a namespace; without one, in all",
    active: "active",
    waiting: "invited",
    disabled: "disabled",
    edit: "Edit",
    save: "Save",
    askEdit: (name) => `Edit ${name}`,
    signOut: "Sign out",
    askSignOut: (name) => `Sign ${name} out everywhere?`,
    signOutSays: "These sign-ins end at once, on all servers. Your own one stays.",
    askDelete: (name) => `Delete user ${name}?`,
    deleteSays: "All sign-ins end. What this person did stays in the audit log.",
    password: "Change password",
    passwordSays: "Your sign-ins in other browsers end.",
    oldPassword: "Old password",
    newPassword: "New password",
    passwordKept: "The new password is kept."
  },
  breakers: {
    make: "New breaker",
    edit: (name) => `Breaker ${name}`,
    askDelete: (name) => `Delete the breaker ${name}?`,
    deleteSays: "Only a breaker that no job names can be deleted.",
    noHistory: "It has not changed yet.",
    newest: (n3) => `the newest ${n3}`,
    inWindow: (time) => `in the last ${time}`,
    opensAtShare: (share) => `opens at ${share} %`,
    slowOff: "slowness does not count",
    probing: "Probing",
    next: "Next probe in",
    sayings: { closed: "all calls go through", open: "runs that need it wait", half_open: "a few calls find out", forced_open: "held open by an operator", disabled: "counts nothing", metrics_only: "counts, and never opens" },
    probesSay: (n3, time) => `${n3}, all to end well within ${time}`,
    guards: "Guards",
    guardsNone: "no job names it",
    parked: "Runs that wait",
    noneParked: "No run waits for it.",
    lastHour: "Last hour",
    hourAgo: "1 h ago",
    opened: (n3) => n3 === 0 ? "never open" : `opened ${many(n3, "time", "times")}`,
    empty: "A breaker guards something downstream: when too many calls fail it opens, and runs that need it wait. There is none yet.",
    states: { closed: "closed", open: "open", half_open: "half open", forced_open: "forced open", disabled: "disabled", metrics_only: "only watches" },
    now: "Now",
    since: "since",
    until: "until",
    was: "was",
    calls: "calls",
    slow: "slow",
    reason: "reason",
    history: "History",
    ruleTitle: "Rule",
    window: (calls, failed, slow) => `${calls} in its window, ${failed} failed, ${slow} slow`,
    rule: (share, least, window2) => `${share} % of at least ${least} calls in ${window2} s`,
    acts: { "force-open": "Force open", disable: "Disable", "watch-only": "Only watch", resume: "Let it decide again", reset: "Reset" },
    says: {
      "force-open": "No run that needs it starts until an operator lets it decide again.",
      disable: "All calls go through, and none is counted.",
      "watch-only": "All calls go through; they are counted, and it never opens.",
      resume: "It closes, and decides by calls from now on.",
      reset: "Its counts and its waits begin anew, closed."
    }
  },
  limits: {
    empty: "A limit holds back attempts: so many at once, or so many in a time, for a queue, the namespace, or a name that jobs share. There is none yet.",
    make: "New limit",
    scope: "of",
    scopes: { queue: "queue", namespace: "namespace", limit: "jobs that name it" },
    atOnce: "at once",
    rate: "rate",
    key: "per key",
    opens: "next start",
    askDelete: (name) => `Remove the limit ${name}?`,
    deleteSays: "Runs that it holds back may start at once."
  },
  alerts: {
    tabs: { firing: "Firing", rules: "Rules", slos: "Objectives", channels: "Channels", deliveries: "Deliveries", silences: "Silences" },
    make: { rules: "New rule", slos: "New objective", channels: "New channel", silences: "New silence" },
    severities: { info: "info", warn: "warning", page: "page" },
    kinds: {
      queue_age: "a queue is behind",
      queue_depth: "a queue is deep",
      run_failed: "a run fails",
      failure_rate: "many runs fail",
      dead_letters: "dead letters appear",
      run_long: "a run takes too long",
      stale: "a job has not succeeded for long",
      trigger_late: "a trigger is late",
      fires_skipped: "fires are skipped",
      trigger_paused: "a trigger stays paused",
      budget_near: "a queue nears its budget",
      no_executor: "nothing listens to a queue",
      executor_lost: "an executor is lost",
      executors_few: "few executors are left",
      strays: "attempts go on after they were given up",
      servers_few: "few servers are left",
      breaker_open: "a breaker is open",
      canary_stopped: "a canary was stopped",
      workflow_stuck: "a workflow run does not move",
      slo_burn: "an objective burns its budget",
      slo_budget: "an objective's budget runs out"
    },
    says_: {
      above: (share) => `above ${share} %`,
      atLeast: (n3) => `at least ${number.format(n3)}`,
      olderThan: (time) => `for more than ${time}`,
      over: (time) => `within ${time}`,
      for: (time) => `holding for ${time}`
    },
    which: "Which alerts",
    open: "open",
    also: "also past ones",
    seeRules: "See what is watched",
    condition: "when",
    consoleOnly: "the console only",
    owner: "by",
    editRule: (name) => `Rule ${name}`,
    editSlo: (name) => `Objective ${name}`,
    editChannel: (name) => `Channel ${name}`,
    askDelete: (name) => `Delete ${name}?`,
    deleteSays: { rule: "Its alerts end. Channels are told of nothing more.", channel: "Only a channel that no rule names can be deleted.", slo: "Only an objective that no rule names can be deleted." },
    objective: "objective",
    sloSays: {
      success: (share, _within, days) => `${share} % succeed, over ${many(days, "day", "days")}`,
      start: (share, within, days) => `${share} % start within ${within}, over ${many(days, "day", "days")}`,
      duration: (share, within, days) => `${share} % end within ${within}, over ${many(days, "day", "days")}`,
      fired: (share, _within, days) => `${share} % of its instants have fired, over ${many(days, "day", "days")}`,
      fresh: (share, within, days) => `the last success is younger than ${within} for ${share} % of the time, over ${many(days, "day", "days")}`
    },
    indicators: { fired: "fired in time", success: "succeeded", start: "started in time", duration: "ended in time", fresh: "succeeded lately" },
    budgetLeft: "budget left",
    bad: "bad runs",
    burn: "burns 1 h · 6 h · 3 d",
    burnHelp: "How many times as fast as the objective allows; at 1× the budget lasts exactly to its end",
    few: "few runs",
    noRunsYet: "no runs yet",
    noSlos: "An objective says which share of a job's runs has to succeed, or to start or end in time. There is none yet.",
    noDeliveries: "Nothing was sent to this channel yet.",
    address: "where to",
    answer: "answer",
    noticeStates: { waiting: "waiting", sending: "being sent", sent: "sent", failed: "failed", merged: "in a digest" },
    orTrigger: "instead of a job",
    worstDay: "worst day",
    noticeKinds: { fire: "fires", repeat: "again", recover: "over", escalate: "escalated", acknowledge: "acknowledged", refresh: "refreshed", digest: "digest", test: "test", alive: "alive" },
    states: { firing: "firing", pending: "pending", resolved: "over" },
    calm: "Nothing fires.",
    rule: "rule",
    says: "says",
    theRun: "the run",
    acked: "acknowledged",
    ack: "Acknowledge",
    askAck: (name) => `Acknowledge ${name}?`,
    ackSays: "It is not repeated and not escalated; it ends when its cause does.",
    silence: "Silence 1 h",
    askSilence: (name) => `Silence ${name} for an hour?`,
    silenceSays: "No notices about it are sent; the alert itself stays here.",
    silenced: (name) => `${name} is silent for an hour.`,
    kind: "kind",
    of: "of",
    severity: "severity",
    tells: "tells",
    noRules: "A rule says when an alert is sent, and where. There is none yet.",
    noChannels: "A channel is where notices go: a webhook, a chat, mail. There is none yet.",
    noSilences: "Nothing is silenced.",
    test: "Send a test",
    end: "End"
  },
  compare: {
    title: "Compare two runs",
    with: "Compare with",
    nothing: "There is no other run of this job to compare it with."
  },
  workflows: {
    word: "workflow",
    empty: "A workflow is a graph of steps; each step's execution is an ordinary run. There is none yet.",
    make: "New workflow",
    tabs: { graph: "Graph", grid: "Runs against steps", runs: "Runs", definition: "Definition" },
    views: { graph: "Graph", gantt: "Gantt", steps: "Steps" },
    waits: "waits",
    viewAs: "Shown as",
    ganttSays: (n3, time) => `${many(n3, "step", "steps")} over ${time}; Tab moves through them`,
    critical: "critical path",
    usual: "usual length",
    gridNote: "newest at the right; arrow keys move, Enter opens",
    gridSays: (steps, runs) => `Grid of ${many(steps, "step", "steps")} and ${many(runs, "run", "runs")}`,
    noCell: "no such step",
    items: "Items",
    paused: "No more steps begin",
    text: "Definition as text",
    unserved: (jobs) => `No connected executor runs ${jobs}.`,
    notYet: "Not yet a workflow",
    checkedWell: "The server takes it",
    graph: "Graph",
    graphSays: (n3) => `Graph of ${many(n3, "step", "steps")}; Tab moves through them`,
    nSteps: (n3) => many(n3, "step", "steps"),
    run: "workflow run",
    asRun: "As a run",
    steps: "Steps",
    doneOf: (done, all) => `${done} of ${all} steps`,
    mapOf: (done, all, failed) => `${done} of ${all}${failed > 0 ? `, ${failed} failed` : ""}`,
    resume: "Go on",
    askResume: "Go on with this workflow run?",
    stop: "Stop",
    askStop: "Stop this workflow run?",
    stopSays: "Steps that run are cancelled, and no other begins; its endings run.",
    retryFrom: "Retry from here",
    askRetry: (step) => `Retry from ${step}?`,
    skip: "Skip",
    askSkip: (step) => `Skip ${step}?`,
    again: (n3) => `${many(n3, "step runs", "steps run")} again or for the first time:`,
    kept: "The results of all others are kept.",
    begun: "It goes on"
  },
  forms: {
    changed: "It was saved by another meanwhile.",
    changedSays: "What you typed is kept. Take theirs where you want it, then save again.",
    field: "field",
    yours: "yours",
    theirs: "theirs",
    take: "Take theirs",
    keepMine: "Keep all of mine",
    takeAll: "Take all of theirs",
    labels: {
      name: "Name",
      kind: "When",
      job: "Job",
      queue: "Queue",
      trigger: "Trigger",
      executor: "Executor",
      breaker: "Breaker",
      slo: "Objective",
      above: "Above",
      at_least: "At least",
      older_than: "Longer than",
      over: "Within the last",
      for: "Must hold for",
      severity: "Severity",
      notify: "Tell",
      escalate_to: "Then tell",
      escalate_after: "if not acknowledged for",
      runbook: "Runbook",
      recovery: "Tell of the end, too",
      indicator: "A run is good if it",
      objective: "Share that has to be good",
      within: "In time means within",
      window_days: "Over days",
      url: "Address",
      secret: "Secret",
      routing_key: "Routing key",
      host: "Mail server",
      port: "Port",
      encryption: "Encryption",
      username: "User name",
      password: "Password",
      sender: "From",
      to: "To",
      at_mobiles: "Mention numbers",
      per_minute: "At most per minute",
      details: "Send the words of errors along",
      quiet: "Calendar",
      alive: "Sign of life every",
      cluster: "Tell of the cluster as a whole, too",
      lasts: "For",
      failures: "Opens at failures of",
      min_calls: "of at least calls",
      window: "within",
      window_calls: "or of the newest calls",
      slow: "Opens at slow calls of",
      slow_after: "Slow means longer than",
      wait: "Stays open for",
      wait_max: "at most",
      probes: "Probes",
      probe_within: "Probes end within",
      witnesses: "Executors that must see it",
      record: "Errors that count",
      ignore: "Errors that do not",
      open_on_retry_after: "A single Retry-After opens it",
      at_once: "At once",
      rate: "Rate",
      burst: "Burst",
      key: "Per key"
    },
    help: {
      pattern: "a name, or a pattern such as mail-*",
      job: "a name, or a pattern such as mail-*",
      queue: "a name, or a pattern such as mail-*",
      notify: "channels, by commas",
      for: "empty: at once",
      objective: "such as 99.5 %",
      within: "such as 30 s",
      url: "",
      secret: "kept sealed; empty keeps none",
      quiet: "on the days and in the hours that it leaves out, notices wait",
      alive: "its absence tells of a total loss",
      per_minute: "what is above it becomes a digest",
      wait: "twice as long each time its probes fail",
      record: "classes, by commas; empty: any",
      ignore: "these win",
      slow: "empty: slowness does not count",
      rate: "100/s, 30/m, 500/10m",
      key: "fields of the input, by commas",
      runbook: "an address, sent along"
    }
  },
  approvals: {
    title: "Waiting for approval",
    note: (n3) => many(n3, "step waits", "steps wait"),
    approve: "Approve",
    reject: "Reject",
    askApprove: (title) => `Approve: ${title}`,
    askReject: (title) => `Reject: ${title}`,
    approveSays: "The workflow goes on. Your answer stands in the audit log.",
    rejectSays: "The step ends as rejected; the workflow goes the way it has for that.",
    approved: "Approved",
    rejected: "Rejected",
    comment: "Comment",
    votes: (got, all) => `${got} of ${all} approvals`,
    fourEyes: "four eyes",
    fourEyesHelp: "Another person than the one who started it has to answer",
    onlyBy: (names) => `Only ${names} may answer`
  },
  nRuns: (n3) => many(n3, "run", "runs")
};

// words/index.ts
var language = y(typeof document !== "undefined" && document.documentElement.lang === "zh" ? "zh" : "en");
var loaded = y(en);
var changed2 = y((texts) => texts);
var words = O(() => changed2.value(language.value === "zh" ? loaded.value : en));
function both(english, chinese) {
  return O(() => changed2.value(language.value === "zh" ? chinese : english));
}
async function loadLanguage(next = language.value) {
  if (next === "zh") loaded.value = (await import("./zh-QS75P4A6.js")).zh;
  if (localStorage.getItem("mainspring.pseudo")) changed2.value = (await import("./pseudo-JKY4NTTH.js")).pseudo;
}
async function setLanguage(next) {
  await loadLanguage(next);
  language.value = next;
  document.documentElement.lang = next;
  prefer("language", next);
}
var count2 = (value, capped = false) => count(value, language.value, capped);
var rate2 = (value) => rate(value, language.value);
var relative2 = (seconds) => relative(seconds, language.value);
var zoned2 = (instant, zone2) => zoned(instant, zone2, language.value);
var timeOf2 = (instant, zone2) => timeOf(instant, zone2, language.value);

export {
  y,
  O,
  x2 as x,
  useSignal,
  useSignalEffect,
  person,
  signedIn,
  enter,
  leave,
  clockOffset,
  now,
  serverNow,
  startClock,
  address,
  place,
  namespace,
  page,
  link,
  linkWith,
  go,
  setQuery,
  asked,
  followLinks,
  Refusal,
  call,
  get,
  post,
  put,
  patch,
  remove,
  part,
  query,
  theme,
  density,
  zone,
  keys,
  setTheme,
  setDensity,
  ownZone,
  setZone,
  nextZone,
  setKeys,
  range,
  setRange,
  isDark,
  localeOf,
  duration,
  parseDuration,
  writeDuration,
  size,
  percent,
  shortId,
  language,
  words,
  both,
  loadLanguage,
  setLanguage,
  count2 as count,
  rate2 as rate,
  relative2 as relative,
  zoned2 as zoned,
  timeOf2 as timeOf
};
