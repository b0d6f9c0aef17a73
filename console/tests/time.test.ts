// The cron builder, the trigger editor's drafts and the retry curve, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CalendarInfo, TriggerSpec } from "../api/schema.ts";
import * as calendars from "../pages/calendars/draft.ts";
import { triesOf } from "../pages/jobs/curve.ts";
import { fieldsOf, textOf, valuesOf, withField } from "../pages/triggers/cron.ts";
import { blankDraft, changesOf, draftOf, specOf, whenOf } from "../pages/triggers/draft.ts";

const field = (place: number) => {
  const found = fieldsOf("* * * * *")?.[place]?.field;
  assert.ok(found);
  return found;
};
const [minute, hour, month, weekday] = [field(0), field(1), field(3), field(4)];

test("values that are chosen are written as short as they can be, and read back", () => {
  const written: [number[], string][] = [[[30], "30"], [[0, 15, 30, 45], "*/15"], [[9, 10, 11, 12, 13], "9-13"], [[1, 2, 5], "1,2,5"], [[], "*"]];
  for (const [values, text] of written) {
    assert.equal(textOf(values.length === 5 ? hour : minute, new Set(values)), text);
    if (values.length > 0) assert.deepEqual(valuesOf(values.length === 5 ? hour : minute, text), new Set(values));
  }
});

test("any set of values survives being written and read", () => {
  for (let seed = 1; seed < 400; seed += 1) {
    const values = new Set(Array.from({ length: 24 }, (_, value) => value).filter((value) => (seed * (value + 3)) % 7 < seed % 5));
    if (values.size === 0) continue;
    assert.deepEqual(valuesOf(hour, textOf(hour, values)), values);
  }
});

test("names, steps and ranges are understood, and what chips cannot say is left to the text", () => {
  assert.deepEqual(valuesOf(weekday, "mon-fri"), new Set([1, 2, 3, 4, 5]));
  assert.deepEqual(valuesOf(weekday, "7"), new Set([0]));
  assert.deepEqual(valuesOf(month, "jan,DEC"), new Set([1, 12]));
  assert.deepEqual(valuesOf(minute, "10-20/5"), new Set([10, 15, 20]));
  for (const text of ["H", "L", "5#2", "61", "20-10", "a"]) assert.equal(valuesOf(minute, text), null, text);
});

test("the builder steps aside for what is not five or six fields", () => {
  assert.equal(fieldsOf("@daily"), null);
  assert.equal(fieldsOf("0 0 2 * * *")?.length, 6);
  assert.equal(withField("30 2 * * *", 1, "3-5"), "30 3-5 * * *");
});

test("a trigger is read into a draft and written back to the same", () => {
  const spec: TriggerSpec = {
    name: "nightly",
    job: "close",
    when: { kind: "cron", expressions: ["30 2 * * *", "0 12 * * sat"], zone: "Europe/Berlin", gap: "skip", fold: "first" },
    input: { day: "yesterday" },
    overlap: "queue_one",
    calendar: "holidays-de",
    start_deadline: 600,
    tags: ["vip"],
  };
  const { name, ...rest } = spec;
  assert.deepEqual(specOf(draftOf(spec)), rest);
  assert.equal(draftOf(spec).name, name);
});

test("each kind sends its own fields and no others", () => {
  const draft = blankDraft({ job: "sync", every: "15 m", opens: "09:00", closes: "17:30", weekdays: "mon fri", zone: "UTC", delay: "1 h" });
  assert.deepEqual(whenOf({ ...draft, kind: "interval" }), { kind: "interval", every: 900 });
  assert.deepEqual(whenOf({ ...draft, kind: "delay" }), { kind: "delay", delay: 3600 });
  assert.deepEqual(whenOf({ ...draft, kind: "windows" }), { kind: "windows", every: 900, opens: "09:00", closes: "17:30", zone: "UTC", weekdays: ["mon", "fri"] });
  assert.deepEqual(whenOf({ ...draft, kind: "interval", every: "soon" }), { kind: "interval", every: "soon" });
});

test("what was typed is told apart from what was there", () => {
  const before = blankDraft({ job: "a" });
  assert.deepEqual(changesOf(before, { ...before, overlap: "skip" }), [{ name: "overlap", was: "allow", is: "skip" }]);
});

test("a retry curve grows up to its limit and ends with its budget", () => {
  const policy = { attempts: 5, backoff: 2, backoff_max: 10, multiplier: 2, budget: null };
  assert.deepEqual(triesOf(policy).map(({ wait }) => wait), [0, 2, 4, 8, 10]);
  assert.equal(triesOf({ ...policy, budget: 7 }).length, 3);
  assert.equal(triesOf({ ...policy, attempts: 1 }).length, 1);
});

const HOUSE: CalendarInfo = {
  name: "house",
  version: 3,
  spec: {
    name: "house",
    weekdays: ["sat", "sun"],
    holidays: [{ country: "DE", subdivision: "BY" }, { market: "XNYS" }],
    dates: { "12-24": "Christmas Eve", "2030-05-02": "" },
    counted: ["2030-12-21"],
    blackouts: [{ since: "2030-12-27T08:00:00.000Z", until: "2030-12-28T08:00:00.000Z", name: "stock-taking" }],
    daily_blackouts: [{ opens: "22:00", closes: "06:00", zone: "Europe/Berlin", weekdays: ["fri"], name: "bank" }],
  },
} as unknown as CalendarInfo;

test("a calendar that is typed as it stands is sent as it stands", () => {
  const { name: _name, ...spec } = HOUSE.spec;
  assert.deepEqual(calendars.specOf(calendars.draftOf(HOUSE), HOUSE), { ...spec, zone: "" });
});

test("the boxes of a calendar are the days that count, and its definition names the others", () => {
  assert.deepEqual(calendars.draftOf(HOUSE).weekdays, ["mon", "tue", "wed", "thu", "fri"]);
  assert.deepEqual(calendars.specOf({ ...calendars.draftOf(null), weekdays: ["mon"] }, null)["weekdays"], ["tue", "wed", "thu", "fri", "sat", "sun"]);
});
