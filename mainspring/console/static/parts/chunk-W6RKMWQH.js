import {
  Ago,
  Button,
  Moment,
  Segments,
  Tag,
  askFor,
  outdateAll,
  quoted,
  refusal,
  toast
} from "./chunk-IBKJQSZ2.js";
import {
  both,
  count,
  part,
  post,
  put,
  serverNow,
  words,
  y
} from "./chunk-K2CDJBIM.js";
import {
  Field,
  a
} from "./chunk-SNVQWMQR.js";
import {
  $
} from "./chunk-DPBHMWAZ.js";

// pages/failures/words.ts
var noted = both(
  {
    note: "Note",
    noNote: "Nobody has written a note.",
    write: "Write a note",
    change: "Change",
    by: (who) => `by ${who}`,
    noteHelp: "for everybody who looks at this failure; empty takes it away",
    saved: "The note is kept",
    copyReport: "Copy report",
    mute: "Mute",
    muted: "muted",
    mutedUntil: "muted until",
    mutedAgain: "muted until it comes again",
    unmute: "Unmute",
    askMute: (error) => `Mute ${error}?`,
    muteSays: "No alert tells of it as a new failure while it is muted. Its runs, its retries and other alerts stay as they are.",
    until: "Until",
    again: "it comes again",
    hours: (n) => `for ${n} h`,
    days: (n) => `for ${n} days`,
    isMuted: (error) => `${error} is muted`,
    notMuted: (error) => `${error} is muted no more`,
    owner: "owner",
    ownerHelp: "the person or team that looks after it; empty takes the owner away",
    assign: "Assign",
    handOver: "Hand over",
    owned: (who) => `${who} looks after it`,
    ownedByNobody: "Nobody looks after it any more",
    day: "24 h",
    daySays: "By the hours of the last day, the newest at the right",
    dayOf: (runs) => `${runs} in the last 24 hours`,
    versions: "versions",
    versionsSay: "Code versions that the newest five runs were tried with",
    only: (version) => `${version} only`,
    gone: "No dead letter of this kind is open any more."
  },
  {
    note: "备注",
    noNote: "还没有备注。",
    write: "写备注",
    change: "修改",
    by: (who) => `由 ${who}`,
    noteHelp: "所有查看此失败的人都能看到；留空则删除",
    saved: "备注已保存",
    copyReport: "复制报告",
    mute: "静默",
    muted: "已静默",
    mutedUntil: "静默至",
    mutedAgain: "静默至再次出现",
    unmute: "取消静默",
    askMute: (error) => `静默 ${error}？`,
    muteSays: "静默期间，不会把它作为新失败告警。其运行、重试和其他告警不受影响。",
    until: "直到",
    again: "再次出现",
    hours: (n) => `${n} 小时`,
    days: (n) => `${n} 天`,
    isMuted: (error) => `${error} 已静默`,
    notMuted: (error) => `${error} 不再静默`,
    owner: "负责人",
    ownerHelp: "负责处理它的人或团队；留空则取消",
    assign: "指派",
    handOver: "转交",
    owned: (who) => `由 ${who} 负责`,
    ownedByNobody: "已无人负责",
    day: "24 小时",
    daySays: "最近一天按小时，最新的在右边",
    dayOf: (runs) => `最近 24 小时 ${runs} 个`,
    versions: "版本",
    versionsSay: "最新五个运行所用的代码版本",
    only: (version) => `仅 ${version}`,
    gone: "此类死信已全部处理。"
  }
);

// pages/failures/note.tsx
var HOUR = 36e5;
var SPANS = [1, 12, 24, 168];
function FailureNote({ group }) {
  const w = noted.value;
  const denied = refusal("runs:steer");
  return /* @__PURE__ */ a("section", { class: "panel telling failure-note", "aria-label": w.note, children: [
    /* @__PURE__ */ a("span", { class: "grow", children: [
      group.note ? /* @__PURE__ */ a("span", { class: "said", children: group.note }) : /* @__PURE__ */ a("span", { class: "dim", children: w.noNote }),
      group.note && /* @__PURE__ */ a("span", { class: "dim", children: [
        " · ",
        w.by(group.noted_by),
        ", ",
        /* @__PURE__ */ a(Ago, { at: group.noted_at })
      ] }),
      group.owner && /* @__PURE__ */ a($, { children: [
        " ",
        /* @__PURE__ */ a(Tag, { children: [
          w.owner,
          ": ",
          group.owner
        ] }),
        " ",
        /* @__PURE__ */ a("span", { class: "dim", children: [
          w.by(group.owned_by),
          ", ",
          /* @__PURE__ */ a(Ago, { at: group.owned_at })
        ] })
      ] }),
      group.muted && /* @__PURE__ */ a($, { children: [
        " ",
        /* @__PURE__ */ a(Muted, { group }),
        group.mute?.reason && /* @__PURE__ */ a("span", { class: "dim", children: [
          " ",
          group.mute.reason,
          " · ",
          w.by(group.mute.by)
        ] })
      ] })
    ] }),
    /* @__PURE__ */ a(Button, { small: true, icon: "edit", refused: denied, onClick: () => askNote(group), children: [
      group.note ? w.change : w.write,
      "…"
    ] }),
    /* @__PURE__ */ a(Button, { small: true, icon: "edit", refused: denied, onClick: () => askOwner(group), children: [
      group.owner ? w.handOver : w.assign,
      "…"
    ] }),
    group.muted ? /* @__PURE__ */ a(Button, { small: true, icon: "alerts", refused: denied, onClick: () => void unmute(group), children: w.unmute }) : /* @__PURE__ */ a(Button, { small: true, icon: "moon", refused: denied, onClick: () => askMute(group), children: [
      w.mute,
      "…"
    ] })
  ] });
}
function Muted({ group }) {
  const w = noted.value;
  return group.mute?.until ? /* @__PURE__ */ a(Tag, { kind: "warn", children: [
    w.mutedUntil,
    " ",
    /* @__PURE__ */ a(Moment, { at: group.mute.until, date: true })
  ] }) : /* @__PURE__ */ a(Tag, { kind: "warn", children: w.mutedAgain });
}
var path = (group) => `dead-letters/${part(group.fingerprint)}`;
function askNote(group) {
  const w = noted.value;
  const note = y(group.note);
  askFor({
    title: `${w.note}: ${group.class}`,
    reason: "no",
    fields: /* @__PURE__ */ a(Field, { label: w.note, help: w.noteHelp, children: /* @__PURE__ */ a("textarea", { class: "input", rows: 4, maxLength: 500, defaultValue: group.note, onInput: (event) => note.value = event.currentTarget.value }) }),
    confirm: group.note ? w.change : w.write,
    command: () => `mainspring dead note ${group.fingerprint} ${quoted(note.value)}`,
    run: async () => {
      await put(`${path(group)}/note`, { note: note.value.trim() });
      outdateAll();
      toast({ text: w.saved, act: { name: w.change, run: () => askNote({ ...group, note: note.value.trim() }) } });
    }
  });
}
function askOwner(group) {
  const w = noted.value;
  const owner = y(group.owner);
  askFor({
    title: `${w.owner}: ${group.class}`,
    reason: "no",
    fields: /* @__PURE__ */ a(Field, { label: w.owner, help: w.ownerHelp, children: /* @__PURE__ */ a("input", { class: "input", maxLength: 100, defaultValue: group.owner, onInput: (event) => owner.value = event.currentTarget.value }) }),
    confirm: group.owner ? w.handOver : w.assign,
    command: () => `mainspring dead assign ${group.fingerprint} ${quoted(owner.value.trim())}`,
    run: async () => {
      await put(`${path(group)}/owner`, { owner: owner.value.trim() });
      outdateAll();
      const undo = () => put(`${path(group)}/owner`, { owner: group.owner }).then(outdateAll);
      toast({ text: owner.value.trim() ? w.owned(owner.value.trim()) : w.ownedByNobody, act: { name: words.value.undo, run: undo } });
    }
  });
}
function askMute(group) {
  const w = noted.value;
  const hours = y(0);
  const until = () => hours.value === 0 ? null : new Date(serverNow() + hours.value * HOUR).toISOString();
  askFor({
    title: w.askMute(group.class),
    says: w.muteSays,
    fields: /* @__PURE__ */ a(Span, { of: hours }),
    confirm: w.mute,
    command: (reason) => `mainspring dead mute ${group.fingerprint}${hours.value ? ` --for ${hours.value}h` : ""}${reason && ` --reason ${quoted(reason)}`}`,
    run: async (reason) => {
      await post(`${path(group)}/mute`, { until: until(), reason });
      outdateAll();
      toast({ text: w.isMuted(group.class), act: { name: w.unmute, run: () => unmute(group) } });
    }
  });
}
function Span({ of }) {
  const w = noted.value;
  const named = (hours) => hours < 48 ? w.hours(count(hours)) : w.days(count(hours / 24));
  return /* @__PURE__ */ a(Field, { label: w.until, children: /* @__PURE__ */ a(Segments, { label: w.until, on: String(of.value), choices: [{ id: "0", name: w.again }, ...SPANS.map((hours) => ({ id: String(hours), name: named(hours) }))], onChoose: (id) => of.value = Number(id) }) });
}
async function unmute(group) {
  await post(`${path(group)}/unmute`, {});
  outdateAll();
  toast({ text: noted.value.notMuted(group.class) });
}

export {
  noted,
  FailureNote,
  Muted
};
