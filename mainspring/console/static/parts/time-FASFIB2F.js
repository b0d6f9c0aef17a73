import {
  AuditOf
} from "./chunk-WH4VYIXP.js";
import {
  Menu,
  MenuItem,
  columns,
  walkWithin
} from "./chunk-DPIERHAX.js";
import "./chunk-7FLTJP2Q.js";
import "./chunk-HQEIUNT4.js";
import {
  Ago,
  Button,
  ButtonLink,
  Command,
  Empty,
  Failed,
  Gauge,
  Head,
  Icon,
  Modal,
  Moment,
  Panel,
  Segments,
  Shown,
  Table,
  Tabs,
  Tag,
  TheirsTable,
  askFor,
  fullTime,
  outdateAll,
  quoted,
  refusal,
  tellRefusal,
  toast,
  useResource
} from "./chunk-IBKJQSZ2.js";
import {
  Refusal,
  asked,
  both,
  count,
  duration,
  go,
  language,
  link,
  linkWith,
  localeOf,
  now,
  parseDuration,
  part,
  post,
  put,
  query,
  relative,
  remove,
  setQuery,
  useSignal,
  words,
  writeDuration,
  y,
  zone,
  zoned
} from "./chunk-K2CDJBIM.js";
import {
  Field,
  a
} from "./chunk-SNVQWMQR.js";
import {
  $,
  A,
  d,
  w
} from "./chunk-DPBHMWAZ.js";

// pages/triggers/backfill.tsx
var wanted = y(null);
function askBackfill(trigger) {
  wanted.value = trigger;
}
function BackfillDialog() {
  return wanted.value === null ? null : /* @__PURE__ */ a(Wizard, { trigger: wanted.value, onClose: () => wanted.value = null });
}
var local = (instant2) => new Date(instant2 - new Date(instant2).getTimezoneOffset() * 6e4).toISOString().slice(0, 16);
function Wizard({ trigger, onClose }) {
  const w2 = words.value.backfill;
  const since = useSignal(local(Date.now() - 14 * 864e5));
  const until = useSignal(local(Date.now() - 6e4));
  const concurrency = useSignal("2");
  const rerun = useSignal(false);
  const reason = useSignal("");
  const preview = useSignal(null);
  const error = useSignal(null);
  const bodyOf = (dry) => ({ since: new Date(since.value).toISOString(), until: new Date(until.value).toISOString(), concurrency: Number(concurrency.value), rerun: rerun.value, reason: reason.value, dry_run: dry });
  A(() => {
    const timer = setTimeout(async () => {
      try {
        preview.value = (await post(`triggers/${part(trigger)}/backfills`, bodyOf(true))).data;
        error.value = null;
      } catch (refused) {
        error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: w2.badRange });
      }
    }, 200);
    return () => clearTimeout(timer);
  }, [since.value, until.value, rerun.value]);
  const begin = async (event) => {
    event.preventDefault();
    try {
      const { data } = await post(`triggers/${part(trigger)}/backfills`, bodyOf(false));
      onClose();
      outdateAll();
      toast({ text: w2.begun(trigger), act: { name: words.value.undo, run: () => post(`backfills/${data.id}/cancel`, {}).then(outdateAll) }, href: link("backfills", data.id) });
      go(link("backfills", data.id));
    } catch (refused) {
      error.value = refused;
    }
  };
  const found = preview.value;
  return /* @__PURE__ */ a(Modal, { title: w2.title(trigger), onClose, wide: true, children: /* @__PURE__ */ a("form", { onSubmit: begin, children: [
    /* @__PURE__ */ a("div", { class: "grid-fields", children: [
      /* @__PURE__ */ a(Field, { label: w2.since, children: /* @__PURE__ */ a("input", { class: "input", type: "datetime-local", value: since.value, onInput: (event) => since.value = event.currentTarget.value }) }),
      /* @__PURE__ */ a(Field, { label: w2.until, children: /* @__PURE__ */ a("input", { class: "input", type: "datetime-local", value: until.value, onInput: (event) => until.value = event.currentTarget.value }) }),
      /* @__PURE__ */ a(Field, { label: w2.atOnce, children: /* @__PURE__ */ a("input", { class: "input", inputMode: "numeric", value: concurrency.value, onInput: (event) => concurrency.value = event.currentTarget.value }) }),
      /* @__PURE__ */ a(Field, { label: words.value.reason, children: /* @__PURE__ */ a("input", { class: "input", value: reason.value, onInput: (event) => reason.value = event.currentTarget.value }) })
    ] }),
    /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("label", { class: "check-field", children: [
      /* @__PURE__ */ a("input", { type: "checkbox", checked: rerun.value, onChange: () => rerun.value = !rerun.value }),
      " ",
      w2.rerun
    ] }) }),
    found && !error.value && /* @__PURE__ */ a("div", { class: "samples", children: [
      /* @__PURE__ */ a("b", { children: w2.says(count(found.instants), count(found.fired), count(found.runs)) }),
      found.sample.slice(0, 5).map((at) => /* @__PURE__ */ a(Moment, { at, date: true }, at)),
      /* @__PURE__ */ a("span", { class: "dim", children: [
        w2.knownSince,
        " ",
        /* @__PURE__ */ a(Moment, { at: found.known_since, date: true })
      ] })
    ] }),
    error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: words.value.asCommand }),
      /* @__PURE__ */ a(Command, { line: `mainspring triggers backfill ${trigger} --since ${bodyOfSafe(since.value)} --until ${bodyOfSafe(until.value)} --concurrency ${concurrency.value}${rerun.value ? " --rerun" : ""}` })
    ] }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: words.value.cancel }),
      /* @__PURE__ */ a(Button, { kind: "main", type: "submit", refused: refusal("triggers:steer") ?? (!found || found.runs === 0 ? w2.nothing : void 0), children: w2.make(count(found?.runs ?? 0)) })
    ] })
  ] }) });
}
function bodyOfSafe(value) {
  const read2 = Date.parse(value);
  return Number.isNaN(read2) ? value : new Date(read2).toISOString().slice(0, 16) + "Z";
}
var isOver = (one) => one.state !== "running";
function Backfills() {
  const w2 = words.value;
  const resource = useResource("backfills?limit=100", { every: 3e3 });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.backfills }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ backfills }) => backfills.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.backfill.empty, children: /* @__PURE__ */ a(Command, { line: "mainspring triggers backfill TRIGGER --since 2030-01-01 --dry-run" }) }) : /* @__PURE__ */ a(Table, { label: w2.pages.backfills, rows: backfills, columns: columns2(), keyOf: (one) => one.id }) }) })
  ] });
}
function columns2() {
  const w2 = words.value;
  return [
    { id: "trigger", name: w2.triggers.word, cell: (one) => /* @__PURE__ */ a("a", { href: link("backfills", one.id), children: one.trigger }) },
    { id: "state", name: w2.runs.state, cell: (one) => /* @__PURE__ */ a(BackfillState, { one }) },
    { id: "progress", name: w2.backfill.progress, cell: (one) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Gauge, { taken: one.made + one.passed, room: one.expected, wide: true }),
      count(one.made + one.passed),
      " ",
      /* @__PURE__ */ a("span", { class: "faint", children: [
        w2.of,
        " ",
        count(one.expected)
      ] })
    ] }) },
    { id: "failed", name: w2.states.failed, num: true, cell: (one) => /* @__PURE__ */ a("span", { class: one.failed > 0 ? "is-failed" : "faint", children: count(one.failed) }) },
    { id: "range", name: w2.backfill.range, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: [
      /* @__PURE__ */ a(Moment, { at: one.since, date: true }),
      " – ",
      /* @__PURE__ */ a(Moment, { at: one.until, date: true })
    ] }), minor: true },
    { id: "reason", name: w2.reason, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.reason }) },
    { id: "at", name: w2.runs.created, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.created_at }) }
  ];
}
function BackfillState({ one }) {
  const states = words.value.sweepStates;
  return /* @__PURE__ */ a(Tag, { kind: one.state === "done" ? "good" : isOver(one) ? "warn" : "", children: states[one.state] ?? one.state });
}
function Backfill({ name }) {
  const w2 = words.value;
  const resource = useResource(`backfills/${name}`, { every: 1500 });
  const found = resource.data.value;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: found ? w2.backfill.title(found.trigger) : w2.pages.backfills, trail: /* @__PURE__ */ a("a", { href: link("backfills"), children: w2.pages.backfills }), beside: found && /* @__PURE__ */ a(BackfillState, { one: found }), children: found && !isOver(found) && /* @__PURE__ */ a(Button, { kind: "danger", icon: "stop", refused: refusal("triggers:steer"), onClick: () => void post(`backfills/${name}/cancel`, {}).then(outdateAll), children: w2.failures.stopSweep }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, children: (one) => /* @__PURE__ */ a("div", { class: "body", children: [
      /* @__PURE__ */ a("p", { class: "sweep-count", children: [
        /* @__PURE__ */ a(Gauge, { wide: true, taken: one.made + one.passed, room: one.expected }),
        " ",
        /* @__PURE__ */ a("b", { children: count(one.made) }),
        " ",
        /* @__PURE__ */ a("span", { class: "dim", children: w2.backfill.made(count(one.passed), count(one.expected)) })
      ] }),
      /* @__PURE__ */ a("dl", { class: "facts", children: [
        /* @__PURE__ */ a("dt", { children: w2.triggers.word }),
        /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("a", { class: "link", href: link("triggers", one.trigger), children: one.trigger }) }),
        /* @__PURE__ */ a("dt", { children: w2.backfill.range }),
        /* @__PURE__ */ a("dd", { children: [
          /* @__PURE__ */ a(Moment, { at: one.since, date: true }),
          " – ",
          /* @__PURE__ */ a(Moment, { at: one.until, date: true })
        ] }),
        /* @__PURE__ */ a("dt", { children: w2.states.succeeded }),
        /* @__PURE__ */ a("dd", { children: count(one.succeeded) }),
        /* @__PURE__ */ a("dt", { children: w2.states.failed }),
        /* @__PURE__ */ a("dd", { children: count(one.failed) }),
        /* @__PURE__ */ a("dt", { children: w2.states.running }),
        /* @__PURE__ */ a("dd", { children: one.live.map((run) => /* @__PURE__ */ a("a", { class: "link mono", href: link("runs", run), children: [
          "…",
          run.slice(-8),
          " "
        ] }, run)) }),
        /* @__PURE__ */ a("dt", { children: w2.runs.by }),
        /* @__PURE__ */ a("dd", { children: [
          one.by,
          " ",
          one.reason && `“${one.reason}”`
        ] }),
        one.note && /* @__PURE__ */ a($, { children: [
          /* @__PURE__ */ a("dt", { children: w2.jobs.note }),
          /* @__PURE__ */ a("dd", { children: one.note })
        ] })
      ] })
    ] }) }) })
  ] });
}

// pages/calendars/draft.ts
var DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
function countedDays(spec) {
  return DAYS.filter((day) => !(spec.weekdays ?? []).includes(day));
}
function draftOf(found) {
  const spec = found?.spec;
  return {
    name: found?.name ?? "",
    zone: spec?.zone ?? "",
    weekdays: spec ? countedDays(spec) : DAYS.slice(0, 5),
    holidays: (spec?.holidays ?? []).map((one) => [one.country || one.market, one.subdivision].filter(Boolean).join("-")).join(" "),
    dates: Object.entries(spec?.dates ?? {}).map(([day, why]) => `${day} ${why}`.trim()).join("\n"),
    counted: (spec?.counted ?? []).join(" "),
    windows: [...(spec?.blackouts ?? []).map(typedOnce), ...(spec?.daily_blackouts ?? []).map(typedDaily)]
  };
}
function typedOnce(one) {
  return { daily: false, begin: localOf(one.since), end: localOf(one.until), days: "", zone: "", name: one.name ?? "" };
}
function typedDaily(one) {
  return { daily: true, begin: one.opens, end: one.closes, days: (one.weekdays ?? []).join(" "), zone: one.zone ?? "UTC", name: one.name ?? "" };
}
function specOf(draft, found) {
  const kept = { ...found?.spec };
  delete kept.name;
  return {
    ...kept,
    zone: draft.zone.trim(),
    weekdays: DAYS.filter((day) => !draft.weekdays.includes(day)),
    holidays: listOf(draft.holidays).map(holidaysOf),
    dates: Object.fromEntries(draft.dates.split("\n").map((line) => line.trim()).filter(Boolean).map(dateOf)),
    counted: listOf(draft.counted),
    blackouts: draft.windows.filter((one) => !one.daily).map((one) => ({ since: instantOf(one.begin), until: instantOf(one.end), name: one.name })),
    daily_blackouts: draft.windows.filter((one) => one.daily).map((one) => ({ opens: one.begin, closes: one.end, weekdays: listOf(one.days), zone: one.zone || "UTC", name: one.name }))
  };
}
function listOf(text2) {
  return text2.trim() === "" ? [] : text2.trim().split(/[\s,]+/);
}
function holidaysOf(code) {
  const [place = "", subdivision] = code.split("-");
  if (place.length > 2) return { market: code };
  return { country: place, ...subdivision ? { subdivision } : {} };
}
function dateOf(line) {
  const [day = "", ...name] = line.split(/\s+/);
  return [day, name.join(" ")];
}
function localOf(instant2) {
  const at = new Date(instant2);
  return Number.isNaN(at.getTime()) ? instant2 : new Date(at.getTime() - at.getTimezoneOffset() * 6e4).toISOString().slice(0, 16);
}
function instantOf(local2) {
  const at = new Date(local2);
  return Number.isNaN(at.getTime()) ? local2 : at.toISOString();
}

// pages/calendars/form.tsx
function Form({ draft, isNew, error }) {
  const w2 = words.value.calendars;
  const at = (...names) => names.some((name) => error?.field?.startsWith(name)) ? error?.message : void 0;
  const set2 = (change) => draft.value = { ...draft.value, ...change };
  const flip = (day) => set2({ weekdays: draft.value.weekdays.includes(day) ? draft.value.weekdays.filter((one) => one !== day) : [...draft.value.weekdays, day] });
  return /* @__PURE__ */ a(Panel, { title: w2.rules, children: /* @__PURE__ */ a("div", { class: "body", children: [
    isNew && /* @__PURE__ */ a(Field, { label: w2.name, error: at("name"), children: /* @__PURE__ */ a("input", { class: "input", value: draft.value.name, onInput: (event) => set2({ name: event.currentTarget.value }) }) }),
    /* @__PURE__ */ a("fieldset", { class: "field", children: [
      /* @__PURE__ */ a("legend", { children: w2.weekdays }),
      /* @__PURE__ */ a("span", { class: "day-boxes", children: DAYS.map((day, place) => /* @__PURE__ */ a("label", { class: "check-field", children: [
        /* @__PURE__ */ a("input", { type: "checkbox", checked: draft.value.weekdays.includes(day), onChange: () => flip(day) }),
        words.value.triggers.weekdayNames[(place + 1) % 7]
      ] }, day)) }),
      at("weekdays") && /* @__PURE__ */ a("span", { class: "wrong", role: "alert", children: at("weekdays") })
    ] }),
    /* @__PURE__ */ a(Field, { label: w2.holidays, help: w2.holidaysHelp, error: at("holidays"), children: /* @__PURE__ */ a("input", { class: "input", value: draft.value.holidays, onInput: (event) => set2({ holidays: event.currentTarget.value }) }) }),
    /* @__PURE__ */ a(Field, { label: w2.own, help: w2.ownHelp, error: at("dates"), children: /* @__PURE__ */ a("textarea", { class: "input", rows: 4, value: draft.value.dates, onInput: (event) => set2({ dates: event.currentTarget.value }) }) }),
    /* @__PURE__ */ a(Field, { label: w2.counted, help: w2.countedHelp, error: at("counted"), children: /* @__PURE__ */ a("input", { class: "input", value: draft.value.counted, onInput: (event) => set2({ counted: event.currentTarget.value }) }) }),
    /* @__PURE__ */ a(Field, { label: words.value.triggers.zone, help: w2.zoneHelp, error: at("zone"), children: /* @__PURE__ */ a("input", { class: "input", value: draft.value.zone, onInput: (event) => set2({ zone: event.currentTarget.value }) }) }),
    /* @__PURE__ */ a(Windows, { draft, error: at("blackouts", "daily_blackouts") })
  ] }) });
}
var DAILY = { daily: true, begin: "22:00", end: "06:00", days: "", zone: "UTC", name: "" };
var ONCE = { daily: false, begin: "", end: "", days: "", zone: "", name: "" };
function Windows({ draft, error }) {
  const w2 = words.value.calendars;
  const windows = draft.value.windows;
  const set2 = (changed) => draft.value = { ...draft.value, windows: changed };
  return /* @__PURE__ */ a("fieldset", { class: "field windows", children: [
    /* @__PURE__ */ a("legend", { children: w2.windows }),
    /* @__PURE__ */ a("small", { children: w2.windowsHelp }),
    windows.map((one, place) => /* @__PURE__ */ a(WindowRow, { one, onChange: (change) => set2(windows.map((each, other) => other === place ? { ...each, ...change } : each)), onRemove: () => set2(windows.filter((_each, other) => other !== place)) }, place)),
    error && /* @__PURE__ */ a("span", { class: "wrong", role: "alert", children: error }),
    /* @__PURE__ */ a("span", { class: "buttons", children: [
      /* @__PURE__ */ a(Button, { small: true, icon: "plus", onClick: () => set2([...windows, DAILY]), children: w2.addDaily }),
      " ",
      /* @__PURE__ */ a(Button, { small: true, icon: "plus", onClick: () => set2([...windows, ONCE]), children: w2.addOnce })
    ] })
  ] });
}
function WindowRow({ one, onChange, onRemove }) {
  const w2 = words.value.calendars;
  const text2 = (name, label) => /* @__PURE__ */ a("input", { class: "input", "aria-label": label, placeholder: label, value: one[name], onInput: (event) => onChange({ [name]: event.currentTarget.value }) });
  const moment = (name, label) => /* @__PURE__ */ a("input", { class: "input", type: one.daily ? "time" : "datetime-local", "aria-label": label, value: one[name], onInput: (event) => onChange({ [name]: event.currentTarget.value }) });
  return /* @__PURE__ */ a("div", { class: "window-row", children: [
    moment("begin", w2.opens),
    moment("end", w2.closes),
    one.daily && text2("days", w2.windowDays),
    one.daily && text2("zone", words.value.triggers.zone),
    text2("name", w2.windowName),
    /* @__PURE__ */ a(Button, { small: true, icon: "x", label: w2.removeWindow, onClick: onRemove })
  ] });
}

// pages/calendars/year.tsx
function Year({ name }) {
  const w2 = words.value;
  const year = Number(asked("year")) || new Date(now.peek()).getUTCFullYear();
  const days = useResource(`calendars/${part(name)}/days?year=${year}`);
  const month = new Intl.DateTimeFormat(localeOf(language.value), { month: "long", timeZone: "UTC" });
  return /* @__PURE__ */ a(Panel, { title: String(year), more: /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Button, { small: true, icon: "left", label: w2.calendars.before, onClick: () => setQuery({ year: year - 1 }) }),
    " ",
    /* @__PURE__ */ a(Button, { small: true, icon: "right", label: w2.calendars.after, onClick: () => setQuery({ year: year + 1 }) })
  ] }), children: /* @__PURE__ */ a(Shown, { of: days, children: ({ days: off }) => /* @__PURE__ */ a("div", { class: "months", children: Array.from({ length: 12 }, (_, place) => /* @__PURE__ */ a("section", { children: [
    /* @__PURE__ */ a("h3", { children: month.format(Date.UTC(year, place, 1)) }),
    /* @__PURE__ */ a("div", { class: "month", children: [
      Array.from({ length: (new Date(Date.UTC(year, place, 1)).getUTCDay() + 6) % 7 }, (_unused, gap) => /* @__PURE__ */ a("i", { class: "gap" }, `g${gap}`)),
      Array.from({ length: new Date(Date.UTC(year, place + 1, 0)).getUTCDate() }, (_unused, day) => {
        const key = new Date(Date.UTC(year, place, day + 1)).toISOString().slice(0, 10);
        const why = off[key];
        return /* @__PURE__ */ a("i", { class: why === void 0 ? "" : "off", title: why === void 0 ? key : `${key} ${why}`, children: day + 1 }, key);
      })
    ] })
  ] }, place)) }) }) });
}
function Impact({ name, body }) {
  const w2 = words.value.calendars;
  const found = useSignal(null);
  const error = useSignal(null);
  const text2 = JSON.stringify(body);
  A(() => {
    const timer = setTimeout(() => void post(`calendars/${part(name)}/preview?count=10&limit=50`, text2).then(
      ({ data }) => {
        found.value = data;
        error.value = null;
      },
      (refused) => error.value = refused
    ), 250);
    return () => clearTimeout(timer);
  }, [text2]);
  const moved = found.value?.triggers.filter((one) => one.changed) ?? [];
  const clock = (at) => {
    const { weekday, date, time } = zoned(Date.parse(at), void 0);
    return `${weekday} ${date} ${time.slice(0, 5)}`;
  };
  return /* @__PURE__ */ a(Panel, { title: w2.impact, note: found.value ? w2.impactSays(moved.length, found.value.triggers.length - moved.length) : "…", children: [
    error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("table", { children: /* @__PURE__ */ a("tbody", { children: moved.map((one) => {
      const gone = one.before.filter((at) => !one.after.includes(at))[0];
      const come = one.after.filter((at) => !one.before.includes(at))[0];
      return /* @__PURE__ */ a("tr", { children: [
        /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: link("triggers", one.trigger), children: one.trigger }) }),
        /* @__PURE__ */ a("td", { class: "wide", children: [
          /* @__PURE__ */ a("s", { class: "faint", children: gone ? clock(gone) : "–" }),
          " → ",
          /* @__PURE__ */ a("b", { children: come ? clock(come) : one.differs_at ? clock(one.differs_at) : "–" })
        ] })
      ] }, one.trigger);
    }) }) })
  ] });
}

// pages/calendars/calendars.tsx
function Calendars() {
  const w2 = words.value;
  const resource = useResource("calendars?limit=200", { every: 2e4 });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.calendars, children: /* @__PURE__ */ a(ButtonLink, { kind: "main", icon: "plus", href: link("calendars", "new"), children: w2.calendars.new }) }),
    /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ calendars }) => calendars.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.calendars.empty }) : /* @__PURE__ */ a(Table, { label: w2.pages.calendars, rows: calendars, columns: columns3(), keyOf: (one) => one.name }) }) })
  ] });
}
function columns3() {
  const w2 = words.value;
  return [
    { id: "name", name: w2.calendars.word, cell: (one) => /* @__PURE__ */ a("a", { href: link("calendars", one.name), children: one.name }) },
    { id: "days", name: w2.calendars.weekdays, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: countedDays(one.spec).join(" ") }) },
    { id: "holidays", name: w2.calendars.holidays, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "tags", children: (one.spec.holidays ?? []).map((each) => /* @__PURE__ */ a(Tag, { children: [
      each.country ?? each.market,
      each.subdivision && `-${each.subdivision}`
    ] }, each.country ?? each.market)) }) },
    { id: "own", name: w2.calendars.own, num: true, cell: (one) => Object.keys(one.spec.dates ?? {}).length },
    { id: "windows", name: w2.calendars.windows, num: true, cell: (one) => (one.spec.blackouts?.length ?? 0) + (one.spec.daily_blackouts?.length ?? 0) },
    { id: "version", name: w2.jobs.version, num: true, cell: (one) => `v${one.version}` },
    { id: "at", name: w2.calendars.changed, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.updated_at }) }
  ];
}
function Calendar({ name }) {
  const w2 = words.value;
  const resource = useResource(name === "new" ? null : `calendars/${part(name)}`);
  if (name === "new") return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.calendars.new, trail: /* @__PURE__ */ a("a", { href: link("calendars"), children: w2.pages.calendars }) }),
    /* @__PURE__ */ a(Editor, { found: null })
  ] });
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("calendars"), children: w2.pages.calendars }), beside: resource.data.value && /* @__PURE__ */ a(Tag, { children: [
      "v",
      resource.data.value.version
    ] }), children: resource.data.value && /* @__PURE__ */ a(Button, { kind: "danger", icon: "trash", refused: refusal("triggers:write"), onClick: () => resource.data.value && askDelete(resource.data.value), children: [
      w2.jobs.remove,
      "…"
    ] }) }),
    /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (found) => /* @__PURE__ */ a(Editor, { found }, found.version) })
  ] });
}
function Editor({ found }) {
  const w2 = words.value;
  const draft = useSignal(draftOf(found));
  const note = useSignal("");
  const error = useSignal(null);
  const dirty = JSON.stringify(draft.value) !== JSON.stringify(draftOf(found));
  const save = async () => {
    error.value = null;
    const name = found?.name ?? draft.value.name;
    const headers = found ? { "if-match": `"${found.version}"` } : { "if-none-match": "*" };
    try {
      await put(`calendars/${part(name)}`, { ...specOf(draft.value, found), note: note.value }, { headers });
      outdateAll();
      toast({ text: w2.triggers.saved(name) });
      if (!found) go(link("calendars", name), { replace: true });
    } catch (refused) {
      error.value = refused;
    }
  };
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "columns editor", children: [
      /* @__PURE__ */ a("div", { children: [
        found && /* @__PURE__ */ a(Year, { name: found.name }),
        found && dirty && /* @__PURE__ */ a(Impact, { name: found.name, body: specOf(draft.value, found) }),
        found && !dirty && /* @__PURE__ */ a(UsedBy, { name: found.name })
      ] }),
      /* @__PURE__ */ a(Form, { draft, isNew: found === null, error: error.value })
    ] }),
    error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    (dirty || !found) && /* @__PURE__ */ a("div", { class: "savebar", children: [
      /* @__PURE__ */ a("b", { children: found ? w2.calendars.changedSays : w2.calendars.new }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a("input", { class: "input", placeholder: w2.policy.note, "aria-label": w2.policy.note, value: note.value, onInput: (event) => note.value = event.currentTarget.value }),
      /* @__PURE__ */ a(Button, { kind: "main", refused: refusal("triggers:write") ?? (found || draft.value.name ? void 0 : w2.fillFirst), onClick: () => void save(), children: w2.policy.save((found?.version ?? 0) + 1) })
    ] })
  ] });
}
function UsedBy({ name }) {
  const w2 = words.value;
  const triggers = useResource(`triggers?calendar=${encodeURIComponent(name)}&limit=100`);
  return /* @__PURE__ */ a(Panel, { title: w2.calendars.usedBy, children: /* @__PURE__ */ a(Shown, { of: triggers, children: ({ triggers: found }) => found.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.calendars.unused }) : /* @__PURE__ */ a("table", { children: /* @__PURE__ */ a("tbody", { children: found.map((one) => /* @__PURE__ */ a("tr", { children: [
    /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", { href: link("triggers", one.name), children: one.name }) }),
    /* @__PURE__ */ a("td", { class: "wide dim", children: one.words }),
    /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: one.next_due }) })
  ] }, one.name)) }) }) }) });
}
function askDelete(found) {
  const w2 = words.value;
  askFor({
    title: w2.calendars.askRemove(found.name),
    reason: "needed",
    confirm: w2.jobs.remove,
    danger: true,
    command: () => `mainspring calendars delete ${found.name}`,
    run: async (reason) => {
      await remove(`calendars/${part(found.name)}?note=${encodeURIComponent(reason)}`, { headers: { "if-match": `"${found.version}"` } });
      outdateAll();
      go(link("calendars"));
    }
  });
}

// pages/triggers/acts.tsx
function TriggerActs({ trigger, small = false }) {
  const w2 = words.value.triggers;
  const denied = refusal("triggers:steer");
  const at = `triggers/${part(trigger.name)}`;
  return /* @__PURE__ */ a("span", { class: "acts", children: [
    !small && /* @__PURE__ */ a(Button, { icon: "play", refused: denied, onClick: () => askFire(trigger), children: w2.fire }),
    !small && trigger.next_due && /* @__PURE__ */ a(Button, { icon: "skip", refused: denied, onClick: () => void does(`${at}/skip-next`, {}, w2.skipped(trigger.name)), children: w2.skipNext }),
    trigger.state === "paused" ? /* @__PURE__ */ a(Button, { small, icon: "play", refused: denied, onClick: () => void does(`${at}/resume`, {}, w2.resumed(trigger.name), () => post(`${at}/pause`, { reason: words.value.run.undone })), children: w2.resume }) : trigger.state === "active" && /* @__PURE__ */ a(Button, { small, icon: "pause", refused: denied, onClick: () => askPause(trigger), children: [
      w2.pause,
      "…"
    ] }),
    !small && /* @__PURE__ */ a(Menu, { label: words.value.run.more, face: /* @__PURE__ */ a(Icon, { name: "more" }), kind: "button only", children: [
      /* @__PURE__ */ a(MenuItem, { icon: "backfill", refused: denied, onChoose: () => askBackfill(trigger.name), children: [
        w2.backfill,
        "…"
      ] }),
      /* @__PURE__ */ a(MenuItem, { icon: "copy", onChoose: () => go(linkWith({ from: trigger.name }, "triggers", "new")), children: w2.clone }),
      /* @__PURE__ */ a(MenuItem, { icon: "trash", danger: true, refused: refusal("triggers:write"), onChoose: () => askDelete2(trigger), children: [
        words.value.jobs.remove,
        "…"
      ] })
    ] })
  ] });
}
async function does(path, body, text2, undo) {
  try {
    await post(path, body);
    outdateAll();
    toast({ text: text2, ...undo ? { act: { name: words.value.undo, run: () => undo().then(outdateAll) } } : {} });
  } catch (error) {
    tellRefusal(error);
  }
}
function askPause(trigger) {
  const w2 = words.value.triggers;
  const at = `triggers/${part(trigger.name)}`;
  askFor({
    title: w2.askPause(trigger.name),
    says: w2.pauseSays,
    confirm: w2.pause,
    command: (reason) => `mainspring triggers pause ${trigger.name}${reason && ` --reason '${reason}'`}`,
    run: (reason) => does(`${at}/pause`, { reason }, w2.paused(trigger.name), () => post(`${at}/resume`, {}))
  });
}
function askFire(trigger) {
  const w2 = words.value.triggers;
  askFor({
    title: w2.askFire(trigger.name),
    says: w2.fireSays(trigger.spec.job),
    reason: "no",
    confirm: w2.fire,
    command: () => `mainspring triggers fire ${trigger.name}`,
    run: async () => {
      const { data } = await post(`triggers/${part(trigger.name)}/fire`, {});
      outdateAll();
      toast({ text: w2.firedNow(trigger.name), href: link("runs", data.id) });
    }
  });
}
function askDelete2(trigger) {
  const w2 = words.value;
  askFor({
    title: w2.triggers.askRemove(trigger.name),
    says: w2.triggers.removeSays,
    reason: "needed",
    confirm: w2.jobs.remove,
    danger: true,
    command: () => `mainspring triggers delete ${trigger.name}`,
    run: async (reason) => {
      await remove(`triggers/${part(trigger.name)}?note=${encodeURIComponent(reason)}`, { headers: { "if-match": `"${trigger.revision}"` } });
      outdateAll();
      go(link("triggers"));
    }
  });
}

// pages/triggers/draft.ts
var KINDS = ["cron", "interval", "delay", "once", "windows", "webhook", "event"];
var BLANK = {
  name: "",
  job: "",
  kind: "cron",
  expressions: "0 2 * * *",
  zone: "UTC",
  gap: "next_valid",
  fold: "first",
  every: "15 m",
  delay: "1 h",
  at: "",
  opens: "09:00",
  closes: "17:30",
  weekdays: "",
  auth: "hmac",
  signature_header: "",
  key: "",
  mapping: "{}",
  type: "",
  filter: "{}",
  calendar: "",
  roll: "skip",
  input: "{}",
  queue: "",
  priority: "",
  tags: "",
  description: "",
  misfire: "once",
  catch_up_max: "100",
  start_deadline: "",
  overlap: "allow",
  overlap_max: "100",
  pause_after: "",
  start_at: "",
  end_at: "",
  fires_max: "",
  jitter: "0 s",
  group: "",
  spread: "0 s"
};
var text = (value) => value === null || value === void 0 ? "" : String(value);
function blankDraft(given) {
  return { ...BLANK, ...given };
}
function draftOf2(spec) {
  const when = spec.when;
  const rule = { kind: when.kind };
  for (const name of ["zone", "gap", "fold", "at", "opens", "closes", "auth", "signature_header", "key", "type"]) if (when[name] !== void 0) rule[name] = text(when[name]);
  if (Array.isArray(when["expressions"])) rule.expressions = when["expressions"].join("\n");
  if (Array.isArray(when["weekdays"])) rule.weekdays = when["weekdays"].join(" ");
  for (const name of ["every", "delay"]) if (typeof when[name] === "number") rule[name] = writeDuration(when[name]);
  for (const name of ["mapping", "filter"]) if (when[name] !== void 0) rule[name] = JSON.stringify(when[name], null, 2);
  const whole = spec;
  for (const name of ["name", "job", "calendar", "roll", "queue", "priority", "description", "misfire", "catch_up_max", "overlap", "overlap_max", "pause_after", "fires_max", "group", "start_at", "end_at"]) if (whole[name] !== void 0) rule[name] = text(whole[name]);
  for (const name of ["start_deadline", "jitter", "spread"]) if (typeof whole[name] === "number") rule[name] = writeDuration(whole[name]);
  return blankDraft({ ...rule, input: JSON.stringify(spec.input ?? {}), tags: (spec.tags ?? []).join(" ") });
}
function whenOf(draft) {
  const span = (value) => parseDuration(value) ?? value;
  const zone2 = draft.zone;
  switch (draft.kind) {
    case "cron":
      return { kind: "cron", expressions: draft.expressions.split("\n").map((one) => one.trim()).filter((one) => one !== ""), zone: zone2, gap: draft.gap, fold: draft.fold };
    case "interval":
      return { kind: "interval", every: span(draft.every) };
    case "delay":
      return { kind: "delay", delay: span(draft.delay) };
    case "once":
      return { kind: "once", at: instant(draft.at) };
    case "windows":
      return { kind: "windows", every: span(draft.every), opens: draft.opens, closes: draft.closes, zone: zone2, ...draft.weekdays.trim() ? { weekdays: words2(draft.weekdays) } : {} };
    case "webhook":
      return { kind: "webhook", auth: draft.auth, mapping: json(draft.mapping), ...draft.key ? { key: draft.key } : {}, ...draft.signature_header ? { signature_header: draft.signature_header } : {} };
    case "event":
      return { kind: "event", type: draft.type, filter: json(draft.filter), mapping: json(draft.mapping) };
  }
}
function specOf2(draft) {
  const body = { job: draft.job, when: whenOf(draft), input: json(draft.input) };
  for (const name of ["calendar", "roll", "queue", "description", "misfire", "overlap", "group"]) if (draft[name] !== BLANK[name]) body[name] = draft[name];
  for (const name of ["priority", "catch_up_max", "overlap_max", "pause_after", "fires_max"]) if (draft[name] !== BLANK[name] && draft[name] !== "") body[name] = number(draft[name]);
  for (const name of ["start_deadline", "jitter", "spread"]) if (draft[name] !== BLANK[name] && draft[name] !== "") body[name] = parseDuration(draft[name]) ?? draft[name];
  for (const name of ["start_at", "end_at"]) if (draft[name]) body[name] = instant(draft[name]);
  if (draft.tags.trim()) body["tags"] = words2(draft.tags);
  return body;
}
var words2 = (value) => value.trim().split(/[\s,]+/);
var number = (value) => Number.isFinite(Number(value)) ? Number(value) : value;
function json(value) {
  try {
    return JSON.parse(value.trim() || "{}");
  } catch {
    return value;
  }
}
function instant(value) {
  const read2 = Date.parse(value);
  return Number.isNaN(read2) ? value : new Date(read2).toISOString();
}
function changesOf(before, after) {
  return Object.keys(after).filter((name) => before[name] !== after[name]).map((name) => ({ name, was: before[name], is: after[name] }));
}

// pages/triggers/cron.ts
var SIX = [
  { id: "second", from: 0, to: 59 },
  { id: "minute", from: 0, to: 59 },
  { id: "hour", from: 0, to: 23 },
  { id: "day", from: 1, to: 31 },
  { id: "month", from: 1, to: 12 },
  { id: "weekday", from: 0, to: 6 }
];
var FIVE = SIX.slice(1);
var MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
var WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
function fieldsOf(expression) {
  const parts = expression.trim().split(/\s+/);
  const fields = parts.length === 5 ? FIVE : parts.length === 6 ? SIX : null;
  return fields && fields.map((field, place) => ({ field, text: parts[place] ?? "*" }));
}
function valuesOf(field, text2) {
  const values = /* @__PURE__ */ new Set();
  for (const piece of text2.toLowerCase().split(",")) {
    const found = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d+))?$/.exec(piece);
    if (!found) return null;
    const first = found[1] === "*" ? field.from : numberOf(field, found[1] ?? "");
    const last = found[1] === "*" || found[3] && !found[2] ? field.to : found[2] ? numberOf(field, found[2]) : first;
    const step = Number(found[3] ?? 1);
    if (first === null || last === null || first < field.from || last > field.to || first > last || step < 1) return null;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return values;
}
function numberOf(field, text2) {
  if (/^\d+$/.test(text2)) return field.id === "weekday" && text2 === "7" ? 0 : Number(text2);
  const names = field.id === "month" ? MONTHS : field.id === "weekday" ? WEEKDAYS : [];
  const place = names.indexOf(text2.slice(0, 3));
  return place < 0 ? null : place + field.from;
}
function textOf(field, values) {
  const sorted = [...values].sort((one, other) => one - other);
  const size = field.to - field.from + 1;
  if (sorted.length === 0 || sorted.length === size) return "*";
  const step = (sorted[1] ?? 0) - (sorted[0] ?? 0);
  const even = sorted.length > 2 && sorted.every((value, place) => value === (sorted[0] ?? 0) + place * step);
  if (even && step > 1 && sorted[0] === field.from && (sorted.at(-1) ?? 0) + step > field.to) return `*/${step}`;
  const pieces = [];
  for (let at = 0; at < sorted.length; at += 1) {
    let end = at;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    pieces.push(end - at >= 2 ? `${sorted[at]}-${sorted[end]}` : sorted.slice(at, end + 1).join(","));
    at = end;
  }
  return pieces.join(",");
}
function withField(expression, place, text2) {
  const parts = expression.trim().split(/\s+/);
  parts[place] = text2;
  return parts.join(" ");
}

// pages/triggers/builder.tsx
function CronBuilder({ draft, error, zone: zone2 }) {
  const w2 = words.value.triggers;
  const dial = useSignal(1);
  const lines = draft.value.expressions.split("\n");
  const first = lines[0] ?? "";
  const fields = fieldsOf(first);
  const write = (text2) => draft.value = { ...draft.value, expressions: [text2, ...lines.slice(1)].join("\n") };
  const chosen = fields?.[Math.min(dial.value, (fields?.length ?? 1) - 1)];
  const values = chosen && valuesOf(chosen.field, chosen.text);
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "expression", children: [
      /* @__PURE__ */ a("label", { class: "field", children: [
        /* @__PURE__ */ a("span", { children: w2.expression }),
        /* @__PURE__ */ a("textarea", { class: "input cron", "aria-invalid": error !== void 0, rows: Math.max(1, lines.length), spellcheck: false, value: draft.value.expressions, onInput: (event) => draft.value = { ...draft.value, expressions: event.currentTarget.value } })
      ] }),
      zone2
    ] }),
    error && /* @__PURE__ */ a("p", { class: "wrong", role: "alert", children: error }),
    fields && /* @__PURE__ */ a("div", { class: "dials", role: "tablist", "aria-label": w2.dials, style: { gridTemplateColumns: `repeat(${fields.length}, 1fr)` }, children: fields.map(({ field, text: text2 }, place) => /* @__PURE__ */ a("button", { type: "button", role: "tab", class: "dial", "aria-selected": fields[Math.min(dial.value, fields.length - 1)]?.field.id === field.id, onClick: () => dial.value = place, children: [
      /* @__PURE__ */ a("small", { children: w2.fields[field.id] }),
      /* @__PURE__ */ a("b", { children: text2 }),
      /* @__PURE__ */ a("small", { children: text2 === "*" ? w2.everyOne : valuesOf(field, text2) === null ? w2.byHand : w2.chosenOnes })
    ] }, field.id)) }),
    chosen && values && /* @__PURE__ */ a(Chips, { field: chosen.field, values: chosen.text === "*" ? /* @__PURE__ */ new Set() : values, onChange: (next) => write(withField(first, Math.min(dial.value, (fields?.length ?? 1) - 1), textOf(chosen.field, next))) }),
    chosen && !values && /* @__PURE__ */ a("p", { class: "faint", children: w2.byHandSays }),
    /* @__PURE__ */ a("button", { type: "button", class: "link add-line", onClick: () => draft.value = { ...draft.value, expressions: `${draft.value.expressions}
0 12 * * *` }, children: [
      "+ ",
      w2.another
    ] })
  ] });
}
function Chips({ field, values, onChange }) {
  const w2 = words.value.triggers;
  const all = Array.from({ length: field.to - field.from + 1 }, (_, place) => place + field.from);
  const toggle = (value) => {
    const next = new Set(values);
    if (!next.delete(value)) next.add(value);
    onChange(next);
  };
  const name = (value) => field.id === "weekday" ? w2.weekdayNames[value] ?? value : field.id === "month" ? w2.monthNames[value - 1] ?? value : String(value).padStart(2, "0");
  const wide = field.id === "minute" || field.id === "second" ? 12 : field.id === "hour" || field.id === "month" ? 12 : field.id === "day" ? 16 : 7;
  return /* @__PURE__ */ a("div", { class: "chips", role: "group", "aria-label": w2.fields[field.id], style: { gridTemplateColumns: `repeat(${wide}, 1fr)` }, children: all.map((value) => /* @__PURE__ */ a("button", { type: "button", "aria-pressed": values.has(value), onClick: () => toggle(value), children: name(value) }, value)) });
}

// pages/triggers/instants.tsx
var KINDS2 = { fired: "good", missing: "bad", skipped: "", held: "warn", paused: "warn" };
function useInstants(name, days = 30) {
  const since = new Date(Math.floor((now.value - days * 864e5) / 36e5) * 36e5).toISOString();
  return useResource(query(`triggers/${part(name)}/instants`, { since, limit: 500 }), { every: 1e4 }).data.value?.instants;
}
function Accounted({ name }) {
  const w2 = words.value;
  const found = useInstants(name);
  const past = found?.filter((one) => one.outcome !== "expected" && one.outcome !== "prepared").slice(-30) ?? [];
  const missing = past.filter((one) => one.outcome === "missing").length;
  if (!found) return null;
  const outcomes = w2.triggers.outcomes;
  return /* @__PURE__ */ a(Panel, { title: w2.triggers.accounted, note: past.length === 0 ? w2.triggers.nonePast : missing > 0 ? w2.triggers.missing(missing) : w2.triggers.noneMissing(past.length), children: /* @__PURE__ */ a("div", { class: "body", children: /* @__PURE__ */ a("div", { class: "squares", role: "img", "aria-label": w2.triggers.noneMissing(past.length), children: past.map((one) => /* @__PURE__ */ a("button", { type: "button", tabIndex: -1, "aria-hidden": "true", class: `is-${one.outcome}`, title: `${fullTime(Date.parse(one.at))} · ${outcomes[one.outcome] ?? one.outcome}`, onClick: () => one.run && go(link("runs", one.run)) }, one.at)) }) }) });
}
function InstantStrip({ instants }) {
  if (instants.length === 0) return /* @__PURE__ */ a("span", { class: "faint", children: "–" });
  const outcomes = words.value.triggers.outcomes;
  const bad = instants.filter((one) => one.outcome === "missing" || one.outcome === "skipped").length;
  return /* @__PURE__ */ a("span", { class: "squares small", role: "img", "aria-label": words.value.triggers.instantsSay(instants.length, bad), children: instants.map((one) => /* @__PURE__ */ a("i", { class: `is-${one.outcome}`, title: `${fullTime(Date.parse(one.at))} · ${outcomes[one.outcome] ?? one.outcome}` }, one.at)) });
}
function Instants({ name }) {
  const w2 = words.value;
  const resource = useResource(query(`triggers/${part(name)}/instants`, { limit: 500 }), { every: 1e4 });
  return /* @__PURE__ */ a(Panel, { title: w2.triggers.instants, note: w2.triggers.instantsNote, children: /* @__PURE__ */ a(Shown, { of: resource, children: ({ instants }) => instants.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.triggers.nonePast }) : /* @__PURE__ */ a(Table, { label: w2.triggers.instants, rows: [...instants].reverse(), columns: columns4(), keyOf: (one) => one.at }) }) });
}
function columns4() {
  const w2 = words.value;
  const outcomes = w2.triggers.outcomes;
  return [
    { id: "at", name: w2.triggers.instant, cell: (one) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(Moment, { at: one.at, date: true }),
      one.last && /* @__PURE__ */ a($, { children: [
        " – ",
        /* @__PURE__ */ a(Moment, { at: one.last, date: true })
      ] })
    ] }) },
    { id: "ago", name: "", num: true, cell: (one) => /* @__PURE__ */ a("span", { class: "faint", children: /* @__PURE__ */ a(Ago, { at: one.at }) }) },
    { id: "outcome", name: w2.run.outcome, cell: (one) => /* @__PURE__ */ a(Tag, { kind: KINDS2[one.outcome] ?? "", children: outcomes[one.outcome] ?? one.outcome }) },
    { id: "reason", name: w2.reason, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.reason ?? "" }) },
    { id: "run", name: w2.triggers.run, cell: (one) => one.run ? /* @__PURE__ */ a("a", { class: "mono link", href: link("runs", one.run), children: [
      "…",
      one.run.slice(-8)
    ] }) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) }
  ];
}

// pages/triggers/preview.tsx
var WAIT = 200;
var AHEAD = 400;
var SHOWN = 8;
function usePreview(draft) {
  const preview = w(() => y({ found: null, error: null }), []);
  const { kind, name, calendar, roll, start_at, end_at } = draft.value;
  const timed = !["webhook", "event"].includes(kind);
  const body = JSON.stringify({ when: whenOf(draft.value), ...name ? { name } : {}, ...calendar ? { calendar, roll } : {}, ...start_at ? { start_at } : {}, ...end_at ? { end_at } : {}, count: AHEAD });
  A(() => {
    if (!timed) return void (preview.value = { found: null, error: null });
    const ending = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { data } = await post("triggers/preview", body, { signal: ending.signal });
        preview.value = { found: data, error: null };
      } catch (error) {
        if (error instanceof Refusal) preview.value = { found: preview.peek().found, error };
      }
    }, WAIT);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [body, timed]);
  return preview;
}
function localOf2(one) {
  const [date = "", rest = ""] = one.local.split("T");
  const found = /^(\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(rest);
  const day = new Intl.DateTimeFormat(localeOf(language.value), { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(/* @__PURE__ */ new Date(`${date}T00:00:00Z`));
  return { day, time: `${found?.[1] ?? rest}${found?.[2] && found[2] !== ":00" ? found[2] : ""}`, offset: found?.[3] === "Z" ? "+00:00" : found?.[3] ?? "" };
}
function NextFires({ preview, draft }) {
  const w2 = words.value.triggers;
  const { found } = preview;
  const odd = found?.instants.filter((one, place) => one.note !== "" && place >= SHOWN).slice(0, 3) ?? [];
  if (["webhook", "event"].includes(draft.kind)) return /* @__PURE__ */ a(Panel, { title: w2.nextFires, children: /* @__PURE__ */ a("p", { class: "quiet", children: w2.whenCalledSays }) });
  return /* @__PURE__ */ a(Panel, { title: w2.nextFires, more: draft.kind === "cron" || draft.kind === "windows" ? draft.zone : void 0, class: preview.error ? "is-old" : "", children: found ? /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("p", { class: "fire-words", children: found.words }),
    /* @__PURE__ */ a("div", { class: "fires", children: [
      found.instants.slice(0, SHOWN).map((one) => /* @__PURE__ */ a(Fire, { one }, one.at)),
      odd.length > 0 && /* @__PURE__ */ a("p", { class: "faint", children: w2.laterOdd }),
      odd.map((one) => /* @__PURE__ */ a(Fire, { one }, one.at)),
      found.instants.length === 0 && /* @__PURE__ */ a("p", { class: "quiet", children: w2.neverFires })
    ] })
  ] }) : /* @__PURE__ */ a("p", { class: "quiet", children: preview.error?.message ?? "…" }) });
}
function Fire({ one }) {
  const { day, time, offset } = localOf2(one);
  return /* @__PURE__ */ a("div", { class: `fire ${one.note ? "odd" : ""}`, children: [
    one.note ? /* @__PURE__ */ a(Icon, { name: "flag", class: "is-waiting" }) : /* @__PURE__ */ a("span", {}),
    /* @__PURE__ */ a("span", { children: day }),
    /* @__PURE__ */ a("b", { children: time }),
    /* @__PURE__ */ a("span", { class: "faint", children: offset }),
    /* @__PURE__ */ a("span", { class: "cut", title: one.note, children: one.note || (one.jitter + one.spread > 0 ? words.value.triggers.moved(Math.round(one.jitter + one.spread)) : "") }),
    /* @__PURE__ */ a("span", { class: "faint num", children: relative((Date.parse(one.at) - now.value) / 1e3) })
  ] });
}
function YearAhead({ preview }) {
  const w2 = words.value.triggers;
  const days = w(() => daysOf(preview.found?.instants ?? []), [preview.found]);
  const last = preview.found?.instants.at(-1);
  if (!last || Date.parse(last.at) - now.peek() < 60 * 864e5) return null;
  const today = new Date(now.peek());
  today.setUTCHours(0, 0, 0, 0);
  const first = today.getTime() - (today.getUTCDay() + 6) % 7 * 864e5;
  const weeks = Array.from({ length: 53 }, (_, week) => first + week * 7 * 864e5);
  const month = new Intl.DateTimeFormat(localeOf(language.value), { month: "short", timeZone: "UTC" });
  return /* @__PURE__ */ a(Panel, { title: w2.yearAhead, more: /* @__PURE__ */ a("span", { class: "legend", children: [
    /* @__PURE__ */ a("span", { children: [
      /* @__PURE__ */ a("i", { class: "fires-day" }),
      w2.fires
    ] }),
    /* @__PURE__ */ a("span", { children: [
      /* @__PURE__ */ a("i", { class: "odd-day" }),
      w2.clockChange
    ] })
  ] }), children: /* @__PURE__ */ a("div", { class: "body", children: /* @__PURE__ */ a("svg", { class: "year chart", viewBox: "0 0 468 84", role: "img", "aria-label": w2.yearSays(days.size), children: weeks.map((week, place) => /* @__PURE__ */ a("g", { children: [
    new Date(week).getUTCDate() <= 7 && /* @__PURE__ */ a("text", { x: place * 8.7, y: "9", children: month.format(new Date(week)) }),
    Array.from({ length: 7 }, (_, day) => {
      const key = new Date(week + day * 864e5).toISOString().slice(0, 10);
      const seen = days.get(key);
      const past = week + day * 864e5 < today.getTime();
      return !past && /* @__PURE__ */ a("rect", { x: place * 8.7, y: 15 + day * 9.6, width: "7", height: "7.6", rx: "1.4", class: seen === "odd" ? "odd-day" : seen ? "fires-day" : "no-day" }, day);
    })
  ] }, week)) }) }) });
}
function daysOf(instants) {
  const days = /* @__PURE__ */ new Map();
  for (const one of instants) {
    const day = one.local.slice(0, 10);
    if (one.note !== "" || !days.has(day)) days.set(day, one.note === "" ? "fires" : "odd");
  }
  return days;
}
function Company({ preview }) {
  const w2 = words.value.triggers;
  const next = preview.found?.instants[0];
  const forecast = useResource("forecast?hours=24&step=900", { every: 6e4 }).data.value;
  const executors = useResource("executors?limit=100", { every: 3e4 }).data.value?.executors ?? [];
  if (!forecast || !next) return null;
  const slots = executors.flatMap((one) => one.pools).reduce((sum, pool) => sum + pool.max, 0);
  const place = Math.floor((Date.parse(next.at) - Date.parse(forecast.since)) / (forecast.step * 1e3));
  const company = forecast.counts[place];
  const most = Math.max(1, forecast.peak);
  return /* @__PURE__ */ a(Panel, { title: w2.company, note: company === void 0 ? w2.notToday : w2.others(count(company)), children: /* @__PURE__ */ a("div", { class: "body", children: /* @__PURE__ */ a("svg", { class: "company chart", viewBox: "0 0 468 62", role: "img", "aria-label": w2.companySays(count(forecast.peak)), children: [
    /* @__PURE__ */ a("line", { x1: "0", x2: "468", y1: "48", y2: "48", class: "axis" }),
    forecast.counts.map((runs, at) => {
      const height = runs / most * 40;
      return runs > 0 && /* @__PURE__ */ a("rect", { x: at * (468 / forecast.counts.length), y: 48 - height, width: Math.max(1.5, 468 / forecast.counts.length - 1.5), height: Math.max(1.5, height), fill: `var(--${at === place ? "accent" : runs > slots && slots > 0 ? "waiting" : "queued"}-fill)` }, at);
    }),
    /* @__PURE__ */ a("text", { x: "0", y: "60", children: w2.inHours(0) }),
    /* @__PURE__ */ a("text", { x: "234", y: "60", "text-anchor": "middle", children: w2.inHours(12) }),
    /* @__PURE__ */ a("text", { x: "468", y: "60", "text-anchor": "end", children: w2.inHours(24) })
  ] }) }) });
}

// pages/triggers/editor.tsx
function TriggerEditor({ trigger, first }) {
  const draft = useSignal(first);
  const base = useSignal({ draft: first, revision: trigger?.revision ?? 0 });
  const error = useSignal(null);
  const preview = usePreview(draft);
  A(() => {
    if (trigger && trigger.revision !== base.peek().revision && changesOf(base.peek().draft, draft.peek()).length === 0) {
      base.value = { draft: draftOf2(trigger.spec), revision: trigger.revision };
      draft.value = draftOf2(trigger.spec);
    }
  }, [trigger?.revision]);
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("div", { class: "columns editor", children: [
      /* @__PURE__ */ a(Panel, { class: "form", children: [
        /* @__PURE__ */ a(When, { draft, error: error.value ?? preview.value.error, isNew: trigger === null }),
        /* @__PURE__ */ a(Days, { draft, error: error.value }),
        /* @__PURE__ */ a(What, { draft, error: error.value }),
        /* @__PURE__ */ a(Unusual, { draft, error: error.value })
      ] }),
      /* @__PURE__ */ a("div", { children: [
        /* @__PURE__ */ a(NextFires, { preview: preview.value, draft: draft.value }),
        /* @__PURE__ */ a(YearAhead, { preview: preview.value }),
        /* @__PURE__ */ a(Company, { preview: preview.value }),
        trigger && /* @__PURE__ */ a(Accounted, { name: trigger.name })
      ] })
    ] }),
    /* @__PURE__ */ a(SaveBar, { draft, base, trigger, error })
  ] });
}
var wrong = (error, ...names) => error && names.some((name) => error.field === name || error.field?.startsWith(`${name}[`) || error.field?.startsWith(`${name}.`)) ? error.message : void 0;
var set = (draft, changes) => draft.value = { ...draft.value, ...changes };
function Text({ draft, name, label, help, error, mono = false }) {
  const bad = wrong(error, name, `when.${name}`);
  return /* @__PURE__ */ a(Field, { label, help, error: bad, children: /* @__PURE__ */ a("input", { class: `input ${mono ? "mono" : ""}`, "aria-invalid": bad !== void 0, value: draft.value[name], onInput: (event) => set(draft, { [name]: event.currentTarget.value }) }) });
}
function Choose({ draft, name, label, choices, error }) {
  return /* @__PURE__ */ a(Field, { label, error: wrong(error, name, `when.${name}`), children: /* @__PURE__ */ a("select", { class: "input", value: draft.value[name], onChange: (event) => set(draft, { [name]: event.currentTarget.value }), children: Object.entries(choices).map(([id, text2]) => /* @__PURE__ */ a("option", { value: id, children: text2 }, id)) }) });
}
var ZONES = typeof Intl.supportedValuesOf === "function" ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC"];
function Zone({ draft, error }) {
  return /* @__PURE__ */ a(Field, { label: words.value.triggers.zone, error: wrong(error, "zone", "when.zone"), children: [
    /* @__PURE__ */ a("input", { class: "input", list: "zones", value: draft.value.zone, onInput: (event) => set(draft, { zone: event.currentTarget.value }) }),
    /* @__PURE__ */ a("datalist", { id: "zones", children: ZONES.map((one) => /* @__PURE__ */ a("option", { value: one }, one)) })
  ] });
}
function When({ draft, error, isNew }) {
  const w2 = words.value.triggers;
  const kind = draft.value.kind;
  const both2 = { draft, error };
  return /* @__PURE__ */ a("section", { children: [
    isNew && /* @__PURE__ */ a("div", { class: "grid-fields", children: /* @__PURE__ */ a(Text, { ...both2, name: "name", label: w2.name, help: w2.nameHelp }) }),
    /* @__PURE__ */ a("h2", { children: w2.when }),
    /* @__PURE__ */ a("div", { class: "kinds", children: /* @__PURE__ */ a(Segments, { label: w2.kind, on: kind, choices: KINDS.map((id) => ({ id, name: w2.kinds[id] })), onChoose: (id) => set(draft, { kind: id }) }) }),
    kind === "cron" && /* @__PURE__ */ a(CronBuilder, { draft, error: wrong(error, "when", "expressions", "when.expressions"), zone: /* @__PURE__ */ a(Zone, { ...both2 }) }),
    kind === "interval" && /* @__PURE__ */ a("div", { class: "grid-fields", children: /* @__PURE__ */ a(Text, { ...both2, name: "every", label: w2.every, help: "15 m, 2 h, 1 d" }) }),
    kind === "delay" && /* @__PURE__ */ a("div", { class: "grid-fields", children: /* @__PURE__ */ a(Text, { ...both2, name: "delay", label: w2.afterLast, help: w2.delayHelp }) }),
    kind === "once" && /* @__PURE__ */ a("div", { class: "grid-fields", children: /* @__PURE__ */ a(Text, { ...both2, name: "at", label: w2.at, help: "2030-01-31 09:00" }) }),
    kind === "windows" && /* @__PURE__ */ a("div", { class: "grid-fields", children: [
      /* @__PURE__ */ a(Text, { ...both2, name: "every", label: w2.every }),
      /* @__PURE__ */ a(Text, { ...both2, name: "opens", label: w2.opens, help: "09:00" }),
      /* @__PURE__ */ a(Text, { ...both2, name: "closes", label: w2.closes, help: "17:30" }),
      /* @__PURE__ */ a(Text, { ...both2, name: "weekdays", label: w2.weekdays, help: "mon tue wed thu fri" }),
      /* @__PURE__ */ a(Zone, { ...both2 })
    ] }),
    kind === "webhook" && /* @__PURE__ */ a("div", { class: "grid-fields", children: [
      /* @__PURE__ */ a(Choose, { ...both2, name: "auth", label: w2.auth, choices: w2.auths }),
      /* @__PURE__ */ a(Text, { ...both2, name: "key", label: w2.key, help: "header:x-request-id", mono: true }),
      /* @__PURE__ */ a(Text, { ...both2, name: "mapping", label: w2.mapping, help: '{"order": "$.data.id"}', mono: true })
    ] }),
    kind === "event" && /* @__PURE__ */ a("div", { class: "grid-fields", children: [
      /* @__PURE__ */ a(Text, { ...both2, name: "type", label: w2.eventType, help: "order.paid", mono: true }),
      /* @__PURE__ */ a(Text, { ...both2, name: "filter", label: w2.filter, help: '{"$.country": "DE"}', mono: true }),
      /* @__PURE__ */ a(Text, { ...both2, name: "mapping", label: w2.mapping, help: '{"order": "$.id"}', mono: true })
    ] }),
    error && !wrong(error, "when", "expressions", "when.expressions", "zone", "when.zone", kind, `when.${kind}`) && error.field?.startsWith("when") && /* @__PURE__ */ a("p", { class: "wrong", children: error.message })
  ] });
}
function Days({ draft, error }) {
  const w2 = words.value.triggers;
  const calendars = useResource("calendars?limit=200").data.value?.calendars ?? [];
  const both2 = { draft, error };
  if (["webhook", "event"].includes(draft.value.kind)) return null;
  const known = Object.fromEntries([["", w2.allDays], ...calendars.map((one) => [one.name, one.name])]);
  return /* @__PURE__ */ a("section", { children: /* @__PURE__ */ a("div", { class: "grid-fields", children: [
    draft.value.kind === "cron" && /* @__PURE__ */ a(Choose, { ...both2, name: "gap", label: w2.forward, choices: w2.gaps }),
    draft.value.kind === "cron" && /* @__PURE__ */ a(Choose, { ...both2, name: "fold", label: w2.back, choices: w2.folds }),
    /* @__PURE__ */ a(Choose, { ...both2, name: "calendar", label: w2.calendar, choices: draft.value.calendar in known ? known : { ...known, [draft.value.calendar]: draft.value.calendar } }),
    draft.value.calendar !== "" && /* @__PURE__ */ a(Choose, { ...both2, name: "roll", label: w2.dayOff, choices: w2.rolls })
  ] }) });
}
function What({ draft, error }) {
  const w2 = words.value.triggers;
  const jobs = useResource("jobs?limit=200").data.value?.jobs ?? [];
  const both2 = { draft, error };
  return /* @__PURE__ */ a("section", { children: [
    /* @__PURE__ */ a("h2", { children: w2.what }),
    /* @__PURE__ */ a("div", { class: "grid-fields", children: [
      /* @__PURE__ */ a(Field, { label: words.value.start.job, error: wrong(error, "job"), children: [
        /* @__PURE__ */ a("input", { class: "input", list: "trigger-jobs", required: true, value: draft.value.job, onInput: (event) => set(draft, { job: event.currentTarget.value }) }),
        /* @__PURE__ */ a("datalist", { id: "trigger-jobs", children: jobs.map(({ name }) => /* @__PURE__ */ a("option", { value: name }, name)) })
      ] }),
      /* @__PURE__ */ a(Text, { ...both2, name: "input", label: words.value.run.input, mono: true }),
      /* @__PURE__ */ a(Text, { ...both2, name: "queue", label: words.value.start.queue }),
      /* @__PURE__ */ a(Text, { ...both2, name: "priority", label: words.value.start.priority, help: "0–9" }),
      /* @__PURE__ */ a(Text, { ...both2, name: "tags", label: words.value.start.tags }),
      /* @__PURE__ */ a(Text, { ...both2, name: "description", label: words.value.policy.labels.description })
    ] })
  ] });
}
function Unusual({ draft, error }) {
  const w2 = words.value.triggers;
  const both2 = { draft, error };
  return /* @__PURE__ */ a("section", { children: [
    /* @__PURE__ */ a("h2", { children: w2.unusual }),
    /* @__PURE__ */ a("div", { class: "grid-fields", children: [
      /* @__PURE__ */ a(Choose, { ...both2, name: "misfire", label: w2.missed, choices: w2.misfires }),
      draft.value.misfire === "all" && /* @__PURE__ */ a(Text, { ...both2, name: "catch_up_max", label: w2.catchUp }),
      /* @__PURE__ */ a(Text, { ...both2, name: "start_deadline", label: w2.tooLate, help: w2.tooLateHelp }),
      /* @__PURE__ */ a(Choose, { ...both2, name: "overlap", label: w2.overlap, choices: w2.overlaps }),
      draft.value.overlap === "queue_all" && /* @__PURE__ */ a(Text, { ...both2, name: "overlap_max", label: w2.overlapMax }),
      /* @__PURE__ */ a(Text, { ...both2, name: "pause_after", label: w2.pauseAfter, help: w2.pauseAfterHelp }),
      /* @__PURE__ */ a(Text, { ...both2, name: "jitter", label: w2.jitter }),
      /* @__PURE__ */ a(Text, { ...both2, name: "group", label: w2.group }),
      /* @__PURE__ */ a(Text, { ...both2, name: "spread", label: w2.spread }),
      /* @__PURE__ */ a(Text, { ...both2, name: "start_at", label: w2.from }),
      /* @__PURE__ */ a(Text, { ...both2, name: "end_at", label: w2.until }),
      /* @__PURE__ */ a(Text, { ...both2, name: "fires_max", label: w2.firesMax })
    ] })
  ] });
}
function SaveBar({ draft, base, trigger, error }) {
  const w2 = words.value;
  const note = useSignal("");
  const changes = changesOf(base.value.draft, draft.value);
  if (trigger && changes.length === 0) return null;
  const name = trigger?.name ?? draft.value.name;
  const theirs = trigger !== null && trigger.revision !== base.value.revision;
  const save = async () => {
    error.value = null;
    const headers = trigger ? { "if-match": `"${base.value.revision}"` } : { "if-none-match": "*" };
    try {
      const { data } = await put(`triggers/${part(name)}`, { ...specOf2(draft.value), note: note.value }, { headers });
      base.value = { draft: draftOf2(data.spec), revision: data.revision };
      draft.value = draftOf2(data.spec);
      outdateAll();
      toast({ text: w2.triggers.saved(name) });
      if (!trigger) go(link("triggers", name), { replace: true });
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : new Refusal(0, { detail: String(refused) });
      if (error.value.status === 412) outdateAll();
    }
  };
  const drop = () => {
    const next = trigger ? { draft: draftOf2(trigger.spec), revision: trigger.revision } : base.value;
    base.value = next;
    draft.value = next.draft;
    error.value = null;
  };
  return /* @__PURE__ */ a($, { children: [
    error.value && error.value.status !== 412 && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    theirs && trigger && /* @__PURE__ */ a(TheirsTable, { fields: Object.keys(draft.value).map((field) => ({ name: field, kind: "text", label: field })), draft, theirs: draftOf2(trigger.spec), only: changes.map((one) => one.name), onSettled: () => base.value = { draft: draftOf2(trigger.spec), revision: trigger.revision } }),
    /* @__PURE__ */ a("div", { class: "savebar", role: "region", "aria-label": w2.policy.changes(changes.length), children: [
      /* @__PURE__ */ a("b", { children: trigger ? w2.policy.changes(changes.length) : w2.triggers.newTitle }),
      /* @__PURE__ */ a("span", { class: "grow cut", children: trigger && changes.map((one) => /* @__PURE__ */ a("span", { class: "change", children: [
        one.name,
        " ",
        /* @__PURE__ */ a("s", { children: one.was || "–" }),
        " ",
        one.is || "–"
      ] }, one.name)) }),
      /* @__PURE__ */ a("input", { class: "input", placeholder: w2.policy.note, "aria-label": w2.policy.note, value: note.value, onInput: (event) => note.value = event.currentTarget.value }),
      trigger && /* @__PURE__ */ a(Button, { onClick: drop, children: w2.policy.drop }),
      /* @__PURE__ */ a(Button, { kind: "main", refused: refusal("triggers:write") ?? (name === "" || draft.value.job === "" ? w2.fillFirst : void 0), onClick: () => void save(), children: trigger ? w2.triggers.saveRevision(base.value.revision + 1) : w2.triggers.create })
    ] })
  ] });
}

// pages/triggers/words.ts
var many = (n, one, more) => `${n} ${n === "1" ? one : more}`;
var cron = both(
  {
    title: "Import a crontab",
    text: "Crontab",
    help: "paste the output of crontab -l, or a file of /etc/cron.d; nothing is made until you say so",
    zone: "Time zone",
    zoneHelp: "of lines that no CRON_TZ is above",
    users: "Users",
    kinds: { "": "find out", own: "none: a user's own", system: "before each command" },
    becomes: "Triggers",
    none: "Paste a crontab: its triggers are shown with their next instants.",
    line: "line",
    next: "next",
    notes: "differs from cron",
    replaces: "replaces one",
    refused: "Lines that can be no trigger",
    refusedNote: (n) => many(n, "line", "lines"),
    remarks: "What cron did otherwise",
    told: {},
    lines: (numbers) => `lines ${numbers}`,
    whole: "all",
    unrunnable: "No job is called shell: start an executor with `--allow shell`, which runs the commands, before these triggers can be made.",
    chosen: (n) => `${many(n, "trigger", "triggers")} chosen`,
    make: (n) => `Make ${many(n, "trigger", "triggers")}`,
    ask: (n) => `Make ${many(n, "trigger", "triggers")}?`,
    says: (replaced) => replaced === "0" ? "Each fires as its line says, and runs the command on an executor that has the job shell." : `Each fires as its line says, and runs the command on an executor that has the job shell. ${many(replaced, "of them replaces the trigger", "of them replace the triggers")} of that name.`,
    made: (n) => `${many(n, "trigger", "triggers")} made`
  },
  {
    title: "导入 crontab",
    text: "Crontab",
    help: "粘贴 crontab -l 的输出或 /etc/cron.d 中的文件；在您确认前不会创建任何内容",
    zone: "时区",
    zoneHelp: "用于上方没有 CRON_TZ 的行",
    users: "用户",
    kinds: { "": "自动判断", own: "无：用户自己的", system: "在每条命令之前" },
    becomes: "触发器",
    none: "粘贴 crontab 后，这里会显示其触发器及接下来的触发时刻。",
    line: "行",
    next: "接下来",
    notes: "与 cron 的差异",
    replaces: "将替换同名",
    refused: "无法成为触发器的行",
    refusedNote: (n) => `${n} 行`,
    remarks: "cron 的不同之处",
    // By what the server says; a test holds these against its sentences.
    told: {
      "output is not mailed: it is in the run's log": "输出不会以邮件发送：它在运行的日志中",
      "LOGNAME is left out: commands run as the executor's user": "忽略 LOGNAME：命令以执行器的用户身份运行",
      "RANDOM_DELAY is left out: give these triggers a jitter": "忽略 RANDOM_DELAY：请为这些触发器设置抖动",
      "START_HOURS_RANGE is anacron's, and left out": "START_HOURS_RANGE 属于 anacron，已忽略",
      "TZ is for the commands, as it is to cron; CRON_TZ or --zone says when to fire": "与 cron 相同，TZ 只用于命令；触发时刻由 CRON_TZ 或 --zone 决定",
      "cron sets no limit to a command's time: these get 7 days, the longest that shell takes": "cron 不限制命令的时长：这里为 7 天，即 shell 的上限",
      "cron starts a command once: one whose executor is lost is started again (on_lost of the job shell), and one that fails as often as that job's retry policy says, by default not again": "cron 只启动命令一次：这里执行器丢失时会再次启动（作业 shell 的 on_lost），失败时按该作业的重试策略，默认不再重试",
      "cron forgets what was due while it was down: the last missed instant is made up for (misfire of the trigger)": "cron 会忘记停机期间应触发的内容：这里会补上最后一次错过的触发时刻（触发器的 misfire）",
      "cron starts commands in the user's home folder, and without HOME above them these start in the executor's folder": "cron 在用户的主目录中启动命令；上方没有 HOME 时，这些命令在执行器的目录中启动",
      "cron's PATH is /usr/bin:/bin, and without PATH above them these have the executor's": "cron 的 PATH 是 /usr/bin:/bin；上方没有 PATH 时，这些命令使用执行器的 PATH"
    },
    lines: (numbers) => `第 ${numbers} 行`,
    whole: "全部",
    unrunnable: "没有名为 shell 的作业：请先启动带 `--allow shell` 的执行器来运行这些命令，然后才能创建触发器。",
    chosen: (n) => `已选 ${n} 个触发器`,
    make: (n) => `创建 ${n} 个触发器`,
    ask: (n) => `创建 ${n} 个触发器？`,
    says: (replaced) => replaced === "0" ? "每个触发器按其所在行触发，并在具有 shell 作业的执行器上运行命令。" : `每个触发器按其所在行触发，并在具有 shell 作业的执行器上运行命令。其中 ${replaced} 个将替换同名触发器。`,
    made: (n) => `已创建 ${n} 个触发器`
  }
);

// pages/triggers/crontab.tsx
var REST = 250;
var KINDS3 = ["", "own", "system"];
var specOf3 = (one) => one.trigger;
function CrontabImport() {
  const w2 = cron.value;
  const text2 = useSignal("");
  const zone2 = useSignal(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const users = useSignal("");
  const found = useSignal(null);
  const error = useSignal(null);
  const chosen = useSignal(/* @__PURE__ */ new Set());
  A(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      if (text2.value.trim() === "") found.value = error.value = null;
      else void read(text2.value, zone2.value, users.value, stop.signal).then(([preview, refused]) => {
        error.value = refused;
        if (!preview) return;
        found.value = preview;
        chosen.value = new Set(preview.triggers.filter((one) => !one.exists).map((one) => specOf3(one).name));
      });
    }, REST);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text2.value, zone2.value, users.value]);
  const wanted2 = found.value?.triggers.filter((one) => chosen.value.has(specOf3(one).name)) ?? [];
  const wrong2 = (field) => error.value?.field === field ? error.value.message : void 0;
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.title, trail: /* @__PURE__ */ a("a", { href: link("triggers"), children: words.value.pages.triggers }) }),
    /* @__PURE__ */ a("div", { class: "columns two even", children: [
      /* @__PURE__ */ a(Panel, { title: w2.text, children: /* @__PURE__ */ a("div", { class: "body", children: [
        /* @__PURE__ */ a(Field, { label: w2.text, help: w2.help, error: wrong2("text"), children: /* @__PURE__ */ a("textarea", { class: "input code", rows: 14, wrap: "off", spellcheck: false, value: text2.value, placeholder: "MAILTO=ops\n30 2 * * 1-5 /usr/local/bin/close-books", onInput: (event) => text2.value = event.currentTarget.value }) }),
        /* @__PURE__ */ a(Field, { label: w2.zone, help: w2.zoneHelp, error: wrong2("zone"), children: /* @__PURE__ */ a("input", { class: "input mono", value: zone2.value, onInput: (event) => zone2.value = event.currentTarget.value }) }),
        /* @__PURE__ */ a(Field, { label: w2.users, children: /* @__PURE__ */ a(Segments, { small: true, label: w2.users, on: users.value, choices: KINDS3.map((id) => ({ id, name: w2.kinds[id] })), onChoose: (id) => users.value = id }) }),
        error.value && !error.value.field && /* @__PURE__ */ a(Failed, { error: error.value, slim: true })
      ] }) }),
      /* @__PURE__ */ a(Left, { found: found.value })
    ] }),
    found.value && !found.value.runnable && found.value.triggers.length > 0 && /* @__PURE__ */ a("p", { class: "note-box", children: w2.unrunnable }),
    found.value && found.value.triggers.length > 0 && /* @__PURE__ */ a(Panel, { title: w2.becomes, note: w2.chosen(count(wanted2.length)), children: /* @__PURE__ */ a(Table, { label: w2.becomes, rows: found.value.triggers, columns: columns5(), keyOf: (one) => specOf3(one).name, chosen }) }),
    found.value && found.value.triggers.length > 0 && /* @__PURE__ */ a("div", { class: "savebar", role: "region", "aria-label": words.value.people.save, children: [
      /* @__PURE__ */ a("b", { children: w2.chosen(count(wanted2.length)) }),
      /* @__PURE__ */ a("span", { class: "grow" }),
      /* @__PURE__ */ a(Button, { kind: "main", refused: refusal("triggers:write") ?? (found.value.runnable ? wanted2.length === 0 ? words.value.fillFirst : void 0 : w2.unrunnable), onClick: () => askMake(wanted2, zone2.value), children: [
        w2.make(count(wanted2.length)),
        "…"
      ] })
    ] })
  ] });
}
function Left({ found }) {
  const w2 = cron.value;
  if (!found) return /* @__PURE__ */ a(Panel, { title: w2.becomes, children: /* @__PURE__ */ a("p", { class: "quiet", children: w2.none }) });
  return /* @__PURE__ */ a("div", { children: [
    found.refused.length > 0 && /* @__PURE__ */ a(Panel, { title: w2.refused, note: w2.refusedNote(count(found.refused.length)), children: /* @__PURE__ */ a("div", { role: "alert", children: /* @__PURE__ */ a("ul", { class: "body cron-lines", children: found.refused.map((one) => /* @__PURE__ */ a("li", { children: [
      /* @__PURE__ */ a("b", { children: [
        w2.line,
        " ",
        one.line
      ] }),
      " ",
      /* @__PURE__ */ a("code", { children: one.text }),
      " ",
      /* @__PURE__ */ a("span", { class: "is-failed", children: one.reason })
    ] }, one.line)) }) }) }),
    /* @__PURE__ */ a(Panel, { title: w2.remarks, children: /* @__PURE__ */ a("ul", { class: "body cron-lines", children: found.remarks.map((one) => /* @__PURE__ */ a("li", { children: [
      /* @__PURE__ */ a("b", { children: one.line === 0 ? w2.whole : `${w2.line} ${one.line}` }),
      " ",
      /* @__PURE__ */ a("span", { class: "dim", children: said(one.text) })
    ] }, `${one.line} ${one.text}`)) }) })
  ] });
}
function said(text2) {
  const { told, lines } = cron.value;
  const [, words3 = text2, numbers = ""] = /^(.*?)(?:: lines? ([\d, ]+))?$/.exec(text2) ?? [];
  const found = told[words3];
  return found === void 0 ? text2 : numbers === "" ? found : `${found}：${lines(numbers)}`;
}
function columns5() {
  const w2 = cron.value;
  return [
    { id: "line", name: w2.line, num: true, cell: (one) => count(one.line) },
    { id: "name", name: words.value.triggers.word, cell: (one) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("b", { children: specOf3(one).name }),
      " ",
      one.exists && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.replaces })
    ] }) },
    { id: "fires", name: words.value.triggers.fires, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.words }) },
    { id: "next", name: w2.next, cell: (one) => /* @__PURE__ */ a(Next, { of: one }) },
    { id: "notes", name: w2.notes, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.notes.join("; ") }), minor: true }
  ];
}
function Next({ of }) {
  return /* @__PURE__ */ a($, { children: of.instants.map((one) => {
    const parts = zoned(Date.parse(one.at), void 0);
    return /* @__PURE__ */ a("div", { children: /* @__PURE__ */ a("time", { dateTime: one.at, title: one.note || one.at, children: [
      parts.weekday,
      " ",
      parts.date,
      " ",
      parts.time
    ] }) }, one.at);
  }) });
}
function askMake(wanted2, zone2) {
  const w2 = cron.value;
  const [all, replaced] = [count(wanted2.length), count(wanted2.filter((one) => one.exists).length)];
  askFor({
    title: w2.ask(all),
    says: w2.says(replaced),
    more: null,
    fields: /* @__PURE__ */ a("p", { class: "samples", children: wanted2.slice(0, 5).map((one) => /* @__PURE__ */ a("code", { children: [
      specOf3(one).name,
      " "
    ] }, specOf3(one).name)) }),
    confirm: w2.make(all),
    command: () => `mainspring import crontab - --zone ${quoted(zone2)} --apply`,
    run: async (note) => {
      await post(query("triggers/bulk", { note }), wanted2.map(specOf3));
      outdateAll();
      toast({ text: w2.made(all) });
      go(linkWith({ view: null }, "triggers"));
    }
  });
}
async function read(text2, zone2, users, signal) {
  try {
    return [(await post("triggers/crontab", { text: text2, zone: zone2, system: users === "" ? null : users === "system" }, { signal })).data, null];
  } catch (refused) {
    return [null, refused instanceof Refusal ? refused : null];
  }
}

// pages/triggers/before-after.tsx
var [WIDTH, HEIGHT] = [560, 64];
function BeforeAfter({ found, slots, says, last }) {
  const w2 = words.value.triggers;
  const most = Math.max(1, ...found.before, ...found.after);
  return /* @__PURE__ */ a("div", { class: "before-after", children: [
    /* @__PURE__ */ a("p", { children: [
      /* @__PURE__ */ a("b", { children: says }),
      " ",
      last
    ] }),
    /* @__PURE__ */ a(Steps, { name: w2.before, values: found.before, most, slots, tone: "waiting" }),
    /* @__PURE__ */ a(Steps, { name: w2.after, values: found.after, most, slots, tone: "accent" })
  ] });
}
function Steps({ name, values, most, slots, tone }) {
  const slot = WIDTH / Math.max(1, values.length);
  const line = HEIGHT - slots / most * HEIGHT;
  return /* @__PURE__ */ a("figure", { children: [
    /* @__PURE__ */ a("figcaption", { class: "faint", children: name }),
    /* @__PURE__ */ a("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${name}: ${values.join(", ")}`, preserveAspectRatio: "none", children: [
      /* @__PURE__ */ a("line", { x1: "0", x2: WIDTH, y1: HEIGHT - 0.5, y2: HEIGHT - 0.5, class: "axis" }),
      values.map((value, place) => value > 0 && /* @__PURE__ */ a("rect", { x: place * slot + 1, width: Math.max(1, slot - 2), y: HEIGHT - Math.max(2, value / most * HEIGHT), height: Math.max(2, value / most * HEIGHT), fill: `var(--${tone}-fill)` }, place)),
      line > 0 && line < HEIGHT && /* @__PURE__ */ a("line", { x1: "0", x2: WIDTH, y1: line, y2: line, class: "now", "stroke-dasharray": "4 3" })
    ] })
  ] });
}

// pages/triggers/spread.ts
function lastStart(runs, slots, usual) {
  return slots <= 0 ? 0 : (Math.ceil(runs / slots) - 1) * usual;
}
function usualOf(triggers, figures) {
  const medians = new Map(figures.map((one) => [one.job, one.duration?.p50]));
  let [runs, seconds] = [0, 0];
  for (const one of triggers) {
    const median = medians.get(one.job);
    if (median === void 0) continue;
    runs += one.runs;
    seconds += one.runs * median;
  }
  return runs === 0 ? 0 : seconds / runs;
}

// pages/triggers/herd.tsx
var MOST = 1e3;
function Herd({ at, step, slots }) {
  const w2 = words.value.triggers;
  const resource = useResource(query("forecast/cell", { at, step, limit: MOST }));
  const figures = useResource("rates/jobs?step=hour&steps=24").data.value?.jobs ?? [];
  const spreading = useSignal(false);
  const { weekday, time } = zoned(Date.parse(at), zone.value || void 0);
  const found = resource.data.value;
  return /* @__PURE__ */ a(Panel, { title: w2.herdTitle(`${weekday} ${time.slice(0, 5)}`), more: /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Button, { small: true, icon: "clock", refused: refusal("triggers:write") ?? (found && found.triggers.length > 1 ? void 0 : w2.herdAlone), onClick: () => spreading.value = true, children: w2.spreadThese(count(found?.triggers.length ?? 0)) }),
    " ",
    /* @__PURE__ */ a(Button, { small: true, icon: "x", label: words.value.close, onClick: () => setQuery({ at: null }) })
  ] }), children: /* @__PURE__ */ a(Shown, { of: resource, rows: 4, children: (herd) => /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a("p", { class: "body", children: [
      w2.herdSays(count(herd.runs), count(herd.triggers.length + herd.more), count(slots)),
      " ",
      herd.runs > slots && slots > 0 && /* @__PURE__ */ a("b", { class: "is-waiting", children: w2.lastStarts(duration(lastStart(herd.runs, slots, usualOf(herd.triggers, figures)))) })
    ] }),
    /* @__PURE__ */ a(Table, { label: w2.herdTitle(""), rows: herd.triggers.slice(0, 100), columns: columns6(), keyOf: (one) => one.name }),
    spreading.value && /* @__PURE__ */ a(Wizard2, { herd, slots, usual: usualOf(herd.triggers, figures), onClose: () => spreading.value = false })
  ] }) }) });
}
function columns6() {
  const w2 = words.value;
  return [
    { id: "name", name: w2.triggers.word, cell: (one) => /* @__PURE__ */ a("a", { href: link("triggers", one.name), children: one.name }) },
    { id: "words", name: w2.triggers.fires, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.words }) },
    { id: "job", name: w2.job, cell: (one) => /* @__PURE__ */ a("a", { class: "plain", href: link("jobs", one.job), children: one.job }) },
    { id: "runs", name: w2.pages.runs, num: true, cell: (one) => count(one.runs) },
    { id: "spread", name: w2.triggers.spreadNow, num: true, cell: (one) => one.spread ? duration(one.spread) : /* @__PURE__ */ a("span", { class: "faint", children: "–" }) }
  ];
}
function Wizard2({ herd, slots, usual, onClose }) {
  const w2 = words.value.triggers;
  const over = useSignal("10 m");
  const reason = useSignal("");
  const left = useSignal(/* @__PURE__ */ new Set());
  const preview = useSignal(null);
  const error = useSignal(null);
  const names = herd.triggers.map(({ name }) => name).filter((name) => !left.value.has(name));
  const seconds = parseDuration(over.value);
  const send = (dry) => post("triggers/spread", { names, over: seconds, at: herd.at, dry_run: dry, note: reason.value.trim() });
  A(() => {
    const timer = setTimeout(async () => {
      if (seconds === null || names.length === 0) return;
      await send(true).then(({ data }) => {
        preview.value = data;
        error.value = null;
      }, (refused) => {
        error.value = refused;
      });
    }, 200);
    return () => clearTimeout(timer);
  }, [over.value, left.value]);
  const spread = async (event) => {
    event.preventDefault();
    try {
      const { data } = await send(false);
      onClose();
      outdateAll();
      toast({ text: w2.spreadDone(count(data.triggers.length), duration(seconds ?? 0)), act: { name: words.value.undo, run: () => takeBack(data.triggers) } });
    } catch (refused) {
      error.value = refused;
    }
  };
  const drop = (name) => {
    const next = new Set(left.value);
    if (!next.delete(name)) next.add(name);
    left.value = next;
  };
  const found = preview.value;
  const open = seconds === null ? w2.badLength : names.length === 0 ? w2.herdAlone : reason.value.trim() === "" ? words.value.fillFirst : void 0;
  return /* @__PURE__ */ a(Modal, { title: w2.spreadTitle(count(names.length)), onClose, wide: true, children: /* @__PURE__ */ a("form", { onSubmit: spread, children: [
    /* @__PURE__ */ a("p", { class: "says", children: w2.spreadSays }),
    /* @__PURE__ */ a("div", { class: "grid-fields", children: [
      /* @__PURE__ */ a(Field, { label: w2.spreadOver, children: /* @__PURE__ */ a("input", { class: "input", value: over.value, onInput: (event) => over.value = event.currentTarget.value }) }),
      /* @__PURE__ */ a(Field, { label: `${words.value.reason} *`, children: /* @__PURE__ */ a("input", { class: "input", value: reason.value, onInput: (event) => reason.value = event.currentTarget.value }) })
    ] }),
    /* @__PURE__ */ a("details", { children: [
      /* @__PURE__ */ a("summary", { children: w2.chooseThem(count(names.length), count(herd.triggers.length)) }),
      /* @__PURE__ */ a("ul", { class: "choose", children: herd.triggers.slice(0, 200).map(({ name }) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("label", { class: "check-field", children: [
        /* @__PURE__ */ a("input", { type: "checkbox", checked: !left.value.has(name), onChange: () => drop(name) }),
        " ",
        name
      ] }) }, name)) })
    ] }),
    found && /* @__PURE__ */ a(BeforeAfter, { found, slots, says: w2.beforeAfter(count(found.peak_before), count(found.peak_after), duration(found.step)), last: lastStart(herd.runs, slots, usual) > 0 ? w2.lastStartsAfter(duration(lastStart(herd.runs, slots, usual)), duration(Math.max(seconds ?? 0, lastStart(found.peak_after, slots, usual)))) : "" }),
    error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
    /* @__PURE__ */ a("details", { class: "as-command", children: [
      /* @__PURE__ */ a("summary", { children: words.value.asCommand }),
      /* @__PURE__ */ a(Command, { line: `mainspring triggers spread ${names.slice(0, 3).join(" ")}${names.length > 3 ? " …" : ""} --over ${over.value.replaceAll(" ", "")}` })
    ] }),
    /* @__PURE__ */ a("footer", { children: [
      /* @__PURE__ */ a(Button, { onClick: onClose, children: words.value.cancel }),
      /* @__PURE__ */ a(Button, { kind: "main", type: "submit", refused: open, children: w2.spreadThese(count(names.length)).replace("…", "") })
    ] })
  ] }) });
}
async function takeBack(was) {
  const alike = /* @__PURE__ */ new Map();
  for (const { name, spread } of was) alike.set(spread, [...alike.get(spread) ?? [], name]);
  for (const [over, names] of alike) await post("triggers/spread", { names, over, note: words.value.run.undone });
  outdateAll();
}

// pages/triggers/forecast.tsx
var VIEWS = { "24h": { hours: 24, step: 300, columns: 12 }, "7d": { hours: 168, step: 3600, columns: 24 } };
var counted = both(
  { soFar: (share) => `${share} % of the triggers are counted so far; the rest follows.` },
  { soFar: (share) => `目前已统计 ${share}% 的触发器，其余稍后显示。` }
);
function Forecast() {
  const w2 = words.value;
  const range = asked("range") === "7d" ? "7d" : "24h";
  const { hours, step, columns: columns8 } = VIEWS[range];
  const resource = useResource(`forecast?hours=${hours}&step=${step}`, { every: 6e4 });
  const executors = useResource("executors?limit=100", { every: 3e4 }).data.value?.executors ?? [];
  const slots = executors.flatMap((one) => one.pools).reduce((sum, pool) => sum + pool.max, 0);
  const at = asked("at");
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Panel, { title: w2.triggers.forecastTitle, note: range === "7d" ? w2.triggers.perHour : w2.triggers.perFive, more: /* @__PURE__ */ a(Segments, { small: true, label: w2.overview.range, on: range, choices: [{ id: "24h", name: w2.ranges["24h"] }, { id: "7d", name: w2.ranges["7d"] }], onChoose: (id) => setQuery({ range: id === "24h" ? null : id }) }), children: /* @__PURE__ */ a(Shown, { of: resource, rows: 8, children: (found) => /* @__PURE__ */ a("div", { class: "body", children: [
      /* @__PURE__ */ a("p", { children: found.total === 0 ? !found.counting && w2.triggers.noFires : /* @__PURE__ */ a($, { children: [
        w2.triggers.forecastSays(count(found.total, !found.complete), count(found.triggers)),
        " ",
        found.peak > 0 && /* @__PURE__ */ a("b", { class: found.peak > slots ? "is-waiting" : "", children: w2.triggers.peak(count(found.peak), momentOf(found), count(slots)) })
      ] }) }),
      found.counted_at && /* @__PURE__ */ a("p", { class: "faint", children: [
        w2.triggers.counted,
        " ",
        /* @__PURE__ */ a(Ago, { at: found.counted_at })
      ] }),
      !found.complete && /* @__PURE__ */ a("p", { class: "dim", children: found.counting ? counted.value.soFar(Math.floor(found.share * 100)) : w2.triggers.incomplete }),
      /* @__PURE__ */ a(Heat, { found, columns: columns8, slots })
    ] }) }) }),
    at && /* @__PURE__ */ a(Herd, { at, step, slots }, at)
  ] });
}
function momentOf(found) {
  const at = Date.parse(found.since) + found.counts.indexOf(found.peak) * found.step * 1e3;
  const { weekday, time } = zoned(at, zone.value || void 0);
  return `${weekday} ${time.slice(0, 5)}`;
}
function Heat({ found, columns: columns8, slots }) {
  const w2 = words.value;
  const first = Date.parse(found.since);
  const peakAt = first + found.counts.indexOf(found.peak) * found.step * 1e3;
  const offset = Math.round(first % (columns8 * found.step * 1e3) / (found.step * 1e3));
  const rows = [];
  found.counts.forEach((runs, place) => {
    const row = Math.floor((place + offset) / columns8);
    const at = first + place * found.step * 1e3;
    (rows[row] ??= { at, cells: [] }).cells.push({ at, runs });
  });
  const label = (at) => {
    const { weekday, time } = zoned(at, zone.value || void 0);
    return columns8 === 24 ? weekday : `${time.slice(0, 2)}:00`;
  };
  return /* @__PURE__ */ a("div", { class: "heat", role: "group", "aria-label": w2.triggers.heat(count(found.total), count(found.peak)), onKeyDown: (event) => walkWithin(event, "a"), children: rows.map((row) => /* @__PURE__ */ a("div", { class: "heat-row", children: [
    /* @__PURE__ */ a("span", { class: "faint", children: label(row.at) }),
    row === rows[0] && Array.from({ length: Math.max(0, columns8 - row.cells.length) }, (_, gap) => /* @__PURE__ */ a("i", { class: "none" }, gap)),
    row.cells.map((cell) => {
      const { weekday, time } = zoned(cell.at, zone.value || void 0);
      const share = found.peak === 0 ? 0 : cell.runs / found.peak;
      const over = slots > 0 && cell.runs > slots;
      if (cell.runs === 0) return /* @__PURE__ */ a("i", {}, cell.at);
      const says = `${weekday} ${time.slice(0, 5)} · ${count(cell.runs)}`;
      const at = new Date(cell.at).toISOString();
      const stop = cell.runs === found.peak && cell.at === peakAt;
      return /* @__PURE__ */ a("a", { href: linkWith({ view: "forecast", range: asked("range") || null, at }, "triggers"), tabIndex: stop ? 0 : -1, title: says, "aria-label": says, "aria-current": asked("at") === at ? "true" : void 0, children: /* @__PURE__ */ a("i", { class: over ? "over" : "", style: { opacity: 0.25 + 0.75 * share, background: `var(--${over ? "waiting-fill" : "accent-fill"})` } }) }, cell.at);
    }),
    row !== rows[0] && Array.from({ length: Math.max(0, columns8 - row.cells.length) }, (_, gap) => /* @__PURE__ */ a("i", { class: "none" }, gap))
  ] }, row.at)) });
}

// pages/triggers/list.tsx
function Triggers() {
  return asked("view") === "crontab" ? /* @__PURE__ */ a(CrontabImport, {}) : /* @__PURE__ */ a(List, {});
}
function List() {
  const w2 = words.value;
  const view = asked("view");
  const parameters = { prefix: asked("prefix"), kind: asked("kind"), state: asked("state"), limit: 200 };
  const wanted2 = query("triggers", parameters);
  const [further, setFurther] = d({ of: wanted2, cursor: "" });
  const resource = useResource(further.of === wanted2 ? query("triggers", { ...parameters, cursor: further.cursor }) : wanted2, { every: 5e3 });
  const onward = resource.data.value?.triggers.length === 0 ? resource.data.value.next : null;
  A(() => {
    if (onward) setFurther({ of: wanted2, cursor: onward });
  }, [onward]);
  const named = (resource.data.value?.triggers ?? []).slice(0, 50).map(({ name }) => name);
  const figures = useResource(named.length === 0 || view === "forecast" ? null : query("figures/triggers", { name: named }), { every: 2e4 }).data.value?.triggers ?? [];
  const instants = new Map(figures.map((one) => [one.name, one.instants]));
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.pages.triggers, children: [
      /* @__PURE__ */ a(Segments, { label: w2.executors.view, on: view, onChoose: (id) => setQuery({ view: id }), choices: [{ id: "", name: w2.executors.list }, { id: "forecast", name: w2.triggers.forecast }] }),
      /* @__PURE__ */ a(ButtonLink, { href: linkWith({ view: "crontab" }, "triggers"), icon: "save", children: cron.value.title }),
      /* @__PURE__ */ a(ButtonLink, { href: link("backfills"), icon: "backfill", children: w2.pages.backfills }),
      /* @__PURE__ */ a(ButtonLink, { href: link("triggers", "new"), icon: "plus", kind: "main", children: w2.triggers.new })
    ] }),
    view === "forecast" ? /* @__PURE__ */ a(Forecast, {}) : /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("div", { class: "above-list", children: [
        /* @__PURE__ */ a("input", { class: "input", "data-filter": true, "aria-label": w2.jobs.filter, placeholder: w2.jobs.filter, value: asked("prefix"), onInput: (event) => setQuery({ prefix: event.currentTarget.value }) }),
        /* @__PURE__ */ a(Segments, { small: true, label: w2.triggers.kind, on: asked("kind"), choices: [{ id: "", name: w2.runs.all }, ...["cron", "interval", "delay", "once", "windows", "webhook", "event"].map((id) => ({ id, name: w2.triggers.kinds[id] }))], onChoose: (id) => setQuery({ kind: id }) }),
        /* @__PURE__ */ a(Segments, { small: true, label: w2.runs.byState, on: asked("state"), choices: [{ id: "", name: w2.runs.all }, ...["active", "paused", "ended"].map((id) => ({ id, name: w2.triggers.states[id] }))], onChoose: (id) => setQuery({ state: id }) })
      ] }),
      /* @__PURE__ */ a(Panel, { children: /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: ({ triggers }) => triggers.length === 0 ? /* @__PURE__ */ a(Empty, { title: w2.triggers.empty, children: /* @__PURE__ */ a("pre", { class: "block", children: '@app.cron("0 2 * * *", zone="Europe/Berlin")\n@app.job\ndef close() -> None: ...' }) }) : /* @__PURE__ */ a(Table, { label: w2.pages.triggers, rows: triggers, columns: columns7(instants), keyOf: (one) => one.name, peekOf: (one) => `trigger:${one.name}` }) }) })
    ] })
  ] });
}
function columns7(instants) {
  const w2 = words.value;
  return [
    { id: "name", name: w2.triggers.word, cell: (one) => /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("a", { href: link("triggers", one.name), children: one.name }),
      " ",
      one.drifted && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.jobs.drifted })
    ] }) },
    { id: "state", name: w2.runs.state, cell: (one) => /* @__PURE__ */ a(TriggerState, { one }) },
    { id: "fires", name: w2.triggers.fires, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.words }) },
    { id: "job", name: w2.job, cell: (one) => /* @__PURE__ */ a("a", { class: "plain", href: link("jobs", one.spec.job), children: one.spec.job }) },
    { id: "next", name: w2.triggers.next, num: true, cell: (one) => one.next_due ? /* @__PURE__ */ a("b", { children: /* @__PURE__ */ a(Ago, { at: one.next_due }) }) : /* @__PURE__ */ a("span", { class: "faint", children: w2.triggers.whenCalled }) },
    { id: "instants", name: w2.triggers.lastInstants, cell: (one) => /* @__PURE__ */ a(InstantStrip, { instants: instants.get(one.name) ?? [] }), minor: true },
    { id: "last", name: w2.triggers.last, num: true, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.last_fire_at }), minor: true },
    { id: "fired", name: w2.triggers.fired, num: true, cell: (one) => /* @__PURE__ */ a("a", { class: "plain", href: linkWith({ tab: "instants" }, "triggers", one.name), children: count(one.fired) }), minor: true },
    { id: "owner", name: w2.triggers.owner, cell: (one) => /* @__PURE__ */ a("span", { class: "faint", children: one.owner || "–" }), minor: true },
    { id: "acts", name: "", cell: (one) => /* @__PURE__ */ a(TriggerActs, { trigger: one, small: true }) }
  ];
}
function TriggerState({ one }) {
  const w2 = words.value.triggers;
  if (one.state === "paused") return /* @__PURE__ */ a(Tag, { kind: "warn", title: one.paused?.reason ?? "", children: [
    "❚❚ ",
    one.paused ? w2.pausedBy(one.paused.by) : w2.states.paused
  ] });
  if (one.state === "ended") return /* @__PURE__ */ a(Tag, { children: w2.states.ended });
  return /* @__PURE__ */ a(Tag, { kind: "good", children: w2.states.active });
}

// pages/triggers/webhook.tsx
function Hook({ trigger }) {
  const kind = trigger.spec.when.kind;
  return /* @__PURE__ */ a($, { children: [
    kind === "webhook" ? /* @__PURE__ */ a(Address, { name: trigger.name }) : /* @__PURE__ */ a(Types, {}),
    /* @__PURE__ */ a(TryOut, { name: trigger.name, webhook: kind === "webhook" }),
    kind === "webhook" && /* @__PURE__ */ a(Calls, { name: trigger.name })
  ] });
}
function Address({ name }) {
  const w2 = words.value.hook;
  const hook = useResource(`triggers/${part(name)}/secret`);
  const secret = useSignal("");
  const rotate = () => askFor({
    title: w2.askRotate,
    says: w2.rotateSays,
    reason: "no",
    confirm: w2.rotate,
    command: () => `mainspring triggers secret ${name} --grace 1h`,
    run: async () => {
      const { data } = await post(`triggers/${part(name)}/secret`, { grace: parseDuration("1 h") });
      secret.value = data.secret;
      outdateAll();
    }
  });
  return /* @__PURE__ */ a(Panel, { title: w2.title, more: /* @__PURE__ */ a(Button, { small: true, icon: "key", refused: refusal("triggers:write"), onClick: rotate, children: [
    w2.rotate,
    "…"
  ] }), children: /* @__PURE__ */ a(Shown, { of: hook, children: (found) => /* @__PURE__ */ a("div", { class: "body", children: [
    /* @__PURE__ */ a(Command, { line: `${location.origin}${found.path}` }),
    /* @__PURE__ */ a("p", { class: "dim", children: [
      w2.signed(found.auth),
      " · ",
      w2.made,
      " ",
      /* @__PURE__ */ a(Ago, { at: found.made_at }),
      found.old_until && /* @__PURE__ */ a($, { children: [
        " · ",
        w2.old,
        " ",
        /* @__PURE__ */ a(Ago, { at: found.old_until })
      ] })
    ] }),
    secret.value && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a("p", { class: "note-box", children: [
        /* @__PURE__ */ a(Icon, { name: "key" }),
        w2.once
      ] }),
      /* @__PURE__ */ a(Command, { line: secret.value })
    ] })
  ] }) }) });
}
function Calls({ name }) {
  const w2 = words.value.hook;
  const calls = useResource(`triggers/${part(name)}/calls`, { every: 3e3 });
  return /* @__PURE__ */ a(Panel, { title: w2.calls, note: w2.callsNote, children: /* @__PURE__ */ a(Shown, { of: calls, children: ({ calls: found }) => found.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.noCalls }) : /* @__PURE__ */ a(Table, { label: w2.calls, rows: found, columns: callColumns(), keyOf: (one) => `${one.at} ${one.run ?? one.code}` }) }) });
}
function callColumns() {
  const w2 = words.value;
  return [
    { id: "at", name: w2.hook.called, cell: (one) => /* @__PURE__ */ a(Ago, { at: one.at }) },
    { id: "outcome", name: w2.hook.outcome, cell: (one) => one.run === null ? /* @__PURE__ */ a(Tag, { kind: "bad", children: one.code }) : /* @__PURE__ */ a(Tag, { kind: one.existing ? "" : "good", children: one.existing ? w2.hook.existing : w2.hook.taken }) },
    { id: "run", name: w2.hook.theRun, cell: (one) => one.run === null ? "–" : /* @__PURE__ */ a("a", { href: link("runs", one.run), children: [
      "…",
      one.run.slice(-8)
    ] }) },
    { id: "why", name: w2.hook.why, wide: true, cell: (one) => /* @__PURE__ */ a("span", { class: "dim", children: one.detail }) }
  ];
}
function Types() {
  const w2 = words.value.hook;
  const types = useResource("events/types?limit=100", { every: 1e4 });
  return /* @__PURE__ */ a(Panel, { title: w2.types, children: /* @__PURE__ */ a(Shown, { of: types, children: ({ types: found }) => found.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.noTypes }) : /* @__PURE__ */ a("table", { children: [
    /* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("th", { children: w2.type }),
      /* @__PURE__ */ a("th", { class: "num", children: w2.told }),
      /* @__PURE__ */ a("th", { class: "num", children: w2.matched }),
      /* @__PURE__ */ a("th", { class: "num", children: words.value.failures.last })
    ] }) }),
    /* @__PURE__ */ a("tbody", { children: found.map((one) => /* @__PURE__ */ a("tr", { children: [
      /* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("code", { children: one.type }) }),
      /* @__PURE__ */ a("td", { class: "num", children: count(one.told) }),
      /* @__PURE__ */ a("td", { class: "num", children: count(one.matched) }),
      /* @__PURE__ */ a("td", { class: "num", children: /* @__PURE__ */ a(Ago, { at: one.last_at }) })
    ] }, one.type)) })
  ] }) }) });
}
function TryOut({ name, webhook }) {
  const w2 = words.value.hook;
  const body = useSignal('{\n  "id": 17\n}');
  const headers = useSignal("");
  const answer = useSignal(null);
  const error = useSignal(null);
  const tryIt = async () => {
    error.value = null;
    try {
      const given = Object.fromEntries(headers.value.split("\n").map((line) => line.split(/:\s*(.*)/)).filter(([key, value]) => key && value !== void 0).map(([key, value]) => [String(key).trim().toLowerCase(), value]));
      answer.value = (await post(`triggers/${part(name)}/test`, { body: body.value, headers: given })).data;
    } catch (refused) {
      error.value = refused instanceof Refusal ? refused : null;
    }
  };
  return /* @__PURE__ */ a("div", { class: "columns two hook-test", children: [
    /* @__PURE__ */ a(Panel, { title: w2.test, children: /* @__PURE__ */ a("div", { class: "body", children: [
      /* @__PURE__ */ a(Field, { label: w2.body, children: /* @__PURE__ */ a("textarea", { class: "input", rows: 7, value: body.value, onInput: (event) => body.value = event.currentTarget.value }) }),
      webhook && /* @__PURE__ */ a(Field, { label: w2.headers, help: "x-github-event: push", children: /* @__PURE__ */ a("textarea", { class: "input", rows: 2, value: headers.value, onInput: (event) => headers.value = event.currentTarget.value }) }),
      /* @__PURE__ */ a(Button, { kind: "main", onClick: () => void tryIt(), children: w2.test })
    ] }) }),
    /* @__PURE__ */ a(Panel, { title: w2.answer, children: /* @__PURE__ */ a("div", { class: "body", children: [
      error.value && /* @__PURE__ */ a(Failed, { error: error.value, slim: true }),
      !answer.value && !error.value && /* @__PURE__ */ a("p", { class: "faint", children: w2.nothingTried }),
      answer.value && /* @__PURE__ */ a($, { children: [
        /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a(Tag, { kind: answer.value.would_run ? "good" : "bad", children: answer.value.would_run ? w2.wouldRun : w2.wouldNot }) }),
        answer.value.signed !== null && /* @__PURE__ */ a("p", { children: [
          answer.value.signed ? "✓" : "✕",
          " ",
          w2.signature
        ] }),
        answer.value.matched !== null && /* @__PURE__ */ a("p", { children: [
          answer.value.matched ? "✓" : "✕",
          " ",
          w2.matches,
          " ",
          answer.value.unmet && /* @__PURE__ */ a("code", { children: answer.value.unmet })
        ] }),
        answer.value.key !== null && /* @__PURE__ */ a("p", { children: [
          words.value.run.key,
          " ",
          /* @__PURE__ */ a("code", { children: answer.value.key })
        ] }),
        answer.value.input !== null && /* @__PURE__ */ a("pre", { class: "block", children: JSON.stringify(answer.value.input, null, 2) }),
        answer.value.problem && /* @__PURE__ */ a("p", { class: "wrong", children: [
          answer.value.problem.detail,
          " ",
          /* @__PURE__ */ a("code", { children: answer.value.problem.code })
        ] })
      ] })
    ] }) })
  ] });
}

// pages/triggers/trigger.tsx
function Trigger({ name }) {
  return name === "new" ? /* @__PURE__ */ a(NewTrigger, {}) : /* @__PURE__ */ a(OneTrigger, { name });
}
function NewTrigger() {
  const w2 = words.value;
  const from = asked("from");
  const other = useResource(from ? `triggers/${part(from)}` : null);
  const given = { job: asked("job"), ...asked("cron") ? { expressions: asked("cron") } : {}, zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: w2.triggers.newTitle, trail: /* @__PURE__ */ a("a", { href: link("triggers"), children: w2.pages.triggers }) }),
    from ? /* @__PURE__ */ a(Shown, { of: other, children: (found) => /* @__PURE__ */ a(TriggerEditor, { trigger: null, first: { ...draftOf2(found.spec), name: `${from}-copy` } }) }) : /* @__PURE__ */ a(TriggerEditor, { trigger: null, first: blankDraft(given) })
  ] });
}
function OneTrigger({ name }) {
  const w2 = words.value;
  const resource = useResource(`triggers/${part(name)}`, { every: 5e3 });
  const found = resource.data.value;
  const kind = found?.spec.when?.kind;
  const tab = asked("tab") || "when";
  const tabs = ["when", ...kind === "webhook" || kind === "event" ? ["hook"] : [], "instants", "runs", "audit"].map((id) => ({ id, name: id === "hook" ? w2.triggers.tabs[kind === "event" ? "event" : "hook"] : w2.triggers.tabs[id], href: linkWith({ tab: id === "when" ? null : id }, "triggers", name) }));
  return /* @__PURE__ */ a($, { children: [
    /* @__PURE__ */ a(Head, { title: name, trail: /* @__PURE__ */ a("a", { href: link("triggers"), children: w2.pages.triggers }), beside: found && /* @__PURE__ */ a($, { children: [
      /* @__PURE__ */ a(TriggerState, { one: found }),
      /* @__PURE__ */ a(Tag, { children: w2.triggers.revision(found.revision) }),
      found.owner && /* @__PURE__ */ a(Tag, { children: w2.triggers.appliedFrom(found.owner) }),
      found.drifted && /* @__PURE__ */ a(Tag, { kind: "warn", children: w2.jobs.drifted })
    ] }), children: found && /* @__PURE__ */ a(TriggerActs, { trigger: found }) }),
    found?.paused && /* @__PURE__ */ a("section", { class: "panel telling", children: [
      /* @__PURE__ */ a(Icon, { name: "pause", class: "is-waiting" }),
      /* @__PURE__ */ a("span", { children: [
        w2.triggers.pausedBy(found.paused.by),
        " ",
        found.paused.reason && `“${found.paused.reason}”`
      ] })
    ] }),
    /* @__PURE__ */ a(BackfillDialog, {}),
    /* @__PURE__ */ a(Tabs, { tabs, on: tab, label: name }),
    /* @__PURE__ */ a("div", { class: "tab-body", children: /* @__PURE__ */ a(Shown, { of: resource, rows: 6, children: (trigger) => /* @__PURE__ */ a($, { children: [
      tab === "when" && /* @__PURE__ */ a(TriggerEditor, { trigger, first: draftOf2(trigger.spec) }, trigger.name),
      tab === "hook" && /* @__PURE__ */ a(Hook, { trigger }),
      tab === "instants" && /* @__PURE__ */ a(Instants, { name }),
      tab === "runs" && /* @__PURE__ */ a(TriggerRuns, { trigger }),
      tab === "audit" && /* @__PURE__ */ a(AuditOf, { kind: "trigger", name })
    ] }) }) })
  ] });
}
function TriggerRuns({ trigger }) {
  const w2 = words.value;
  const runs = useResource(`runs?job=${encodeURIComponent(trigger.spec.job)}&limit=200`, { every: 5e3 });
  return /* @__PURE__ */ a(Panel, { title: w2.pages.runs, note: w2.triggers.runsNote, children: /* @__PURE__ */ a(Shown, { of: runs, children: ({ runs: found }) => {
    const own = found.filter((run) => run.trigger === trigger.name);
    return own.length === 0 ? /* @__PURE__ */ a("p", { class: "quiet", children: w2.jobs.noRuns }) : /* @__PURE__ */ a(Table, { label: w2.pages.runs, rows: own, columns: columns(["by"]), keyOf: (run) => run.id, peekOf: (run) => `run:${run.id}` });
  } }) });
}
export {
  Backfill,
  Backfills,
  Calendar,
  Calendars,
  Trigger,
  Triggers
};
