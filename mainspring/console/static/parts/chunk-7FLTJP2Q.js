import {
  count,
  go,
  useSignal,
  words,
  zone,
  zoned
} from "./chunk-K2CDJBIM.js";
import {
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A,
  T
} from "./chunk-DPBHMWAZ.js";

// parts/scale.ts
function niceTop(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) {
    const top = step * power;
    if (top >= value && (top >= 10 || Number.isInteger(top))) return top;
  }
  return 10 * power;
}
function ticksOf(top, steps) {
  const parts = [steps, steps + 1, steps + 2, 2, 1].find((part) => Number.isInteger(top / part)) ?? 1;
  return Array.from({ length: parts + 1 }, (_, place) => top / parts * place);
}
function logHeight(seconds, longest) {
  return Math.max(0.18, Math.log10(1 + 9 * seconds / Math.max(longest, 1e-6)));
}

// parts/chart.tsx
var LEFT = 44;
var RIGHT = 14;
var TALL = { height: 196, top: 18, axis: 136, bottom: 172 };
var SLIM = { height: 84, top: 10, axis: 46, bottom: 62 };
function useWidth() {
  const box = T(null);
  const width = useSignal(0);
  A(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => width.value = Math.round(entry?.contentRect.width ?? 0));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width.value];
}
function Pulse({ beats, step, hrefOf, hrefOfSpan, slim = false, marks = [] }) {
  const { height, top, axis, bottom } = slim ? SLIM : TALL;
  const w = words.value;
  const [box, width] = useWidth();
  const at = useSignal(-1);
  const begun = useSignal(-1);
  const room = Math.max(1, (width || 900) - LEFT - RIGHT);
  const slot = room / Math.max(1, beats.length);
  const most = niceTop(Math.max(1, ...beats.map((one) => one.succeeded + one.cancelled + one.skipped)));
  const worst = niceTop(Math.max(1, ...beats.map((one) => one.failed)));
  const up = (value) => value / most * (axis - top);
  const down = (value) => value / worst * (bottom - axis - 2);
  const move = (event) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const shown2 = beats[at.value];
    if (by !== 0) {
      event.preventDefault();
      const from = at.value < 0 ? beats.length - 1 : at.value;
      begun.value = event.shiftKey && hrefOfSpan ? begun.value < 0 ? from : begun.value : -1;
      at.value = Math.max(0, Math.min(beats.length - 1, from + by));
    } else if (event.key === "Enter" && shown2) open();
  };
  const [first, last] = [Math.min(begun.value < 0 ? at.value : begun.value, at.value), Math.max(begun.value, at.value)];
  const open = () => {
    const [from, until] = [beats[first], beats[last]];
    begun.value = -1;
    if (hrefOfSpan && from && until && first < last) go(hrefOfSpan(from.at, until.at + step * 1e3));
    else if (until) go(hrefOf(until));
  };
  const point = (event) => {
    const place = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / slot);
    at.value = place >= 0 && place < beats.length ? place : -1;
  };
  const shown = beats[at.value];
  return /* @__PURE__ */ a("div", { class: "chart pulse", ref: box, children: [
    /* @__PURE__ */ a(
      "svg",
      {
        width: "100%",
        height,
        role: "img",
        "aria-label": w.charts.pulse(sum(beats, "succeeded"), sum(beats, "failed")),
        tabIndex: 0,
        onKeyDown: move,
        onMouseMove: point,
        onMouseLeave: () => at.value = begun.value = -1,
        onMouseDown: () => hrefOfSpan && (begun.value = at.value),
        onClick: () => shown && open(),
        class: shown ? "can-open" : "",
        children: [
          ticksOf(most, slim ? 1 : 3).map((value) => /* @__PURE__ */ a("g", { children: [
            /* @__PURE__ */ a("line", { x1: LEFT, x2: LEFT + room, y1: axis - up(value), y2: axis - up(value), class: value === 0 ? "axis" : "grid" }),
            /* @__PURE__ */ a("text", { x: LEFT - 8, y: axis - up(value) + 4, "text-anchor": "end", children: count(value) })
          ] }, value)),
          /* @__PURE__ */ a("line", { x1: LEFT, x2: LEFT + room, y1: bottom, y2: bottom, class: "grid" }),
          /* @__PURE__ */ a("text", { x: LEFT - 8, y: bottom + 4, "text-anchor": "end", children: count(worst) }),
          shown && /* @__PURE__ */ a("rect", { x: LEFT + first * slot, y: top - 6, width: slot * (last - first + 1), height: bottom - top + 6, class: "lit" }),
          beats.map((one, place) => /* @__PURE__ */ a(Bar, { beat: one, x: LEFT + place * slot + slot * 0.08, width: slot * 0.84, up, down, last: place === beats.length - 1, axis }, one.at)),
          marksBySlot(marks, beats, step).map(([place, texts]) => /* @__PURE__ */ a("g", { class: "mark", children: [
            /* @__PURE__ */ a("line", { x1: LEFT + place * slot, x2: LEFT + place * slot, y1: top - 6, y2: bottom }),
            /* @__PURE__ */ a("path", { d: `M${LEFT + place * slot - 4} ${top - 10}h8l-4 6z`, children: /* @__PURE__ */ a("title", { children: texts.join("\n") }) })
          ] }, place)),
          /* @__PURE__ */ a(TimeAxis, { beats, step, slot, height }),
          /* @__PURE__ */ a("line", { x1: LEFT + room, x2: LEFT + room, y1: top - 6, y2: bottom, class: "now" }),
          /* @__PURE__ */ a("circle", { cx: LEFT + room, cy: top - 6, r: "3", class: "now-dot" })
        ]
      }
    ),
    shown && /* @__PURE__ */ a(PulseTip, { beat: shown, marks: marksBySlot(marks, beats, step).find(([place]) => place === at.value)?.[1] ?? [], step, left: LEFT + at.value * slot, flip: at.value > beats.length * 0.72, slot }),
    /* @__PURE__ */ a(PulseTable, { beats })
  ] });
}
function marksBySlot(marks, beats, step) {
  const first = beats[0]?.at ?? 0;
  const found = /* @__PURE__ */ new Map();
  for (const mark of marks) {
    const place = Math.min(beats.length - 1, Math.floor((mark.at - first) / (step * 1e3)));
    if (place >= 0) found.set(place, [...found.get(place) ?? [], mark.text]);
  }
  return [...found];
}
function Bar(props) {
  const { beat, x, width, up, down, last, axis } = props;
  const good = up(beat.succeeded);
  const other = up(beat.cancelled + beat.skipped);
  const bad = down(beat.failed);
  const edge = Math.min(2.5, good);
  return /* @__PURE__ */ a("g", { opacity: last ? 0.55 : 1, children: [
    good > 0 && /* @__PURE__ */ a("rect", { x, y: axis - good, width, height: good, fill: "var(--succeeded-soft)", rx: "1" }),
    good > 0 && /* @__PURE__ */ a("rect", { x, y: axis - good, width, height: edge, fill: "var(--succeeded-fill)", rx: "1" }),
    other > 0 && /* @__PURE__ */ a("rect", { x, y: axis - good - Math.max(1.5, other), width, height: Math.max(1.5, other), fill: "var(--cancelled-fill)" }),
    bad > 0 && /* @__PURE__ */ a("rect", { x, y: axis + 1.5, width, height: Math.max(2, bad), fill: "var(--failed-fill)", rx: "1" })
  ] });
}
function TimeAxis({ beats, step, slot, height }) {
  const every = Math.max(1, Math.ceil(72 / slot), Math.round(beats.length / 6));
  const shown = beats.map((beat, place) => [beat, place]).filter(([, place]) => place % every === 0 && place < beats.length - every / 2);
  return /* @__PURE__ */ a($, { children: [
    shown.map(([beat, place]) => /* @__PURE__ */ a("text", { x: LEFT + place * slot, y: height - 6, "text-anchor": place === 0 ? "start" : "middle", children: clockOf(beat.at, step) }, beat.at)),
    /* @__PURE__ */ a("text", { x: LEFT + beats.length * slot, y: height - 6, "text-anchor": "end", class: "now-text", children: words.value.charts.now })
  ] });
}
function clockOf(at, step) {
  const { time, weekday } = zoned(at, zone.value || void 0);
  return step >= 3600 ? `${weekday} ${time.slice(0, 5)}` : time.slice(0, 5);
}
function PulseTip({ beat, marks, step, left, slot, flip }) {
  const w = words.value;
  const rows = ["succeeded", "failed", "cancelled", "skipped"].filter((state) => beat[state] > 0 || state === "succeeded");
  return /* @__PURE__ */ a("div", { class: `tip ${flip ? "flip" : ""}`, style: { left: `${flip ? left - 10 : left + slot + 10}px`, top: "14px" }, children: [
    /* @__PURE__ */ a("b", { children: clockOf(beat.at, step) }),
    " ",
    /* @__PURE__ */ a("span", { class: "faint", children: step >= 3600 ? w.charts.oneHour : w.charts.oneMinute }),
    /* @__PURE__ */ a("dl", { children: rows.map((state) => [
      /* @__PURE__ */ a("dt", { class: `is-${state}`, children: w.states[state] }, state),
      /* @__PURE__ */ a("dd", { children: count(beat[state]) }, `${state}-n`)
    ]) }),
    marks.slice(0, 4).map((text) => /* @__PURE__ */ a("div", { class: "faint", children: [
      "▾ ",
      text
    ] }, text))
  ] });
}
function PulseTable({ beats }) {
  const w = words.value;
  return /* @__PURE__ */ a("details", { class: "as-table", children: [
    /* @__PURE__ */ a("summary", { children: w.charts.asTable }),
    /* @__PURE__ */ a("table", { children: [
      /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("th", { children: w.charts.from }),
        /* @__PURE__ */ a("th", { class: "num", children: w.states.succeeded }),
        /* @__PURE__ */ a("th", { class: "num", children: w.states.failed })
      ] }) }),
      /* @__PURE__ */ a("tbody", { children: beats.filter((one) => one.succeeded + one.failed > 0).map((one) => /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: zoned(one.at, zone.value || void 0).time }),
        /* @__PURE__ */ a("td", { class: "num", children: count(one.succeeded) }),
        /* @__PURE__ */ a("td", { class: "num", children: count(one.failed) })
      ] }, one.at)) })
    ] })
  ] });
}
var sum = (beats, state) => beats.reduce((total, beat) => total + beat[state], 0);
function Spark({ values, tone, width = 72, height = 22 }) {
  if (values.length < 2) return null;
  const most = Math.max(...values, 1e-9);
  const x = (place) => 1 + place / (values.length - 1) * (width - 5);
  const y = (value) => height - 2 - value / most * (height - 6);
  const line = values.map((value, place) => `${place === 0 ? "M" : "L"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return /* @__PURE__ */ a("svg", { class: "spark", width, height, "aria-hidden": "true", children: [
    /* @__PURE__ */ a("path", { d: `${line}L${width - 4} ${height}L1 ${height}Z`, fill: `var(--${tone}-tint)` }),
    /* @__PURE__ */ a("path", { d: line, fill: "none", stroke: `var(--${tone}-fill)`, "stroke-width": "1.3" }),
    /* @__PURE__ */ a("circle", { cx: width - 4, cy: y(values.at(-1) ?? 0), r: "1.8", fill: `var(--${tone}-fill)` })
  ] });
}
function Bars({ values, tone, width = 60, height = 20, hang = false }) {
  const most = Math.max(...values, 1);
  const slot = width / Math.max(1, values.length);
  return /* @__PURE__ */ a("svg", { class: "bars", width, height, "aria-hidden": "true", children: [
    /* @__PURE__ */ a("line", { x1: "0", x2: width, y1: hang ? 0.5 : height - 0.5, y2: hang ? 0.5 : height - 0.5, class: "grid" }),
    values.map((value, place) => {
      const size = value === 0 ? 0 : Math.max(2, value / most * (height - 2));
      return size > 0 && /* @__PURE__ */ a("rect", { x: place * slot, y: hang ? 1.5 : height - 1 - size, width: Math.max(1, slot - 1), height: size, fill: `var(--${tone}-fill)` }, place);
    })
  ] });
}

export {
  logHeight,
  useWidth,
  Pulse,
  Spark,
  Bars
};
