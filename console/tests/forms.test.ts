// Forms: what is typed is read to what it stands for, and a band of states adds up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bandOf } from "../pages/guards/band.ts";
import type { JobInfo } from "../api/schema.ts";
import { policyChanges, policyDraft } from "../pages/jobs/policy-draft.ts";
import { READS } from "../pages/alerts/reads.ts";
import { parseExact, writeExact } from "../parts/exact.ts";
import { entryOf, withMember } from "../pages/runs/input-form.tsx";
import { withStep } from "../pages/workflows/editor.tsx";
import { type FieldSpec, bodyOf, differences, draftOf, options, quoted, read, written } from "../parts/draft.ts";

const FIELDS: FieldSpec[] = [
  { name: "failures", kind: "share", label: "Share" },
  { name: "wait", kind: "span", label: "Wait" },
  { name: "record", kind: "list", label: "Errors" },
  { name: "slow_after", kind: "span", label: "Slow", when: (draft) => draft["failures"] !== "" },
];

test("a value that is written into a field is read back as it was", () => {
  for (const [kind, value] of [["share", 0.995], ["span", 90], ["span", 0.25], ["list", ["A", "B"]], ["number", 7], ["check", true], ["json", { a: [1] }]] as const) {
    assert.deepEqual(read(kind, written(kind, value)), value);
  }
});

test("what cannot be read is sent as it was typed, for the server to refuse", () => {
  assert.equal(read("number", "seven"), "seven");
  assert.equal(read("span", "soon"), "soon");
  assert.equal(read("share", "half"), "half");
});

test("a body leaves out what is empty or not asked for", () => {
  assert.deepEqual(bodyOf(FIELDS, { failures: "", wait: "10 s", record: "", slow_after: "2 s" }), { wait: 10 });
  assert.deepEqual(bodyOf(FIELDS, { failures: "50 %", wait: "", record: "Timeout, Reset", slow_after: "2 s" }), { failures: 0.5, record: ["Timeout", "Reset"], slow_after: 2 });
});

test("theirs and yours are told apart field by field", () => {
  const [mine, theirs] = [draftOf(FIELDS, { failures: 0.5, wait: 10 }), draftOf(FIELDS, { failures: 0.5, wait: 20 })];
  assert.deepEqual(differences(FIELDS, mine, theirs), [{ name: "wait", label: "Wait", mine: "10 s", theirs: "20 s" }]);
});

test("words of a command are quoted where a shell would cut them", () => {
  assert.equal(options({ at_once: 3, record: ["A", "B"], quick: true }), " --at-once 3 --record A --record B --quick");
  assert.equal(quoted("it's late"), "'it'\\''s late'");
});

test("the pieces of a band are the whole time, in order", () => {
  const changes = [
    { at: "2026-01-01T00:40:00Z", was: "open", state: "closed" },
    { at: "2026-01-01T00:30:00Z", was: "closed", state: "open" },
    { at: "2025-12-31T23:00:00Z", was: "open", state: "closed" },
  ];
  const since = Date.parse("2026-01-01T00:00:00Z");
  const pieces = bandOf(changes, "closed", since, since + 3_600_000);
  assert.deepEqual(pieces.map((piece) => [piece.state, piece.seconds]), [["closed", 1800], ["open", 600], ["closed", 1200]]);
  assert.deepEqual(bandOf([], "open", since, since + 1000).map((piece) => piece.share), [1]);
});

test("every kind of rule has a subject or none, and numbers that a form knows", () => {
  for (const [subjects, numbers] of Object.values(READS)) assert.ok([...subjects, ...numbers].every((name) => /^[a-z_]+$/.test(name)));
});

const JOB = {
  name: "charge", queue: "pay", priority: 5, description: "", timeout: null, deadline: null, start_within: null, on_lost: "retry", losses_max: 3, version: 1,
  retry: { attempts: 3, backoff: 1, backoff_max: 600, multiplier: 2, retry_on: [], give_up_on: [], budget: null },
  policy: { at_once: 4, rate: { of: "10/s", burst: 5 }, route: { strategy: "hash", key: ["customer"] }, canary: { version: "2", share: 0.1 } },
} as unknown as JobInfo;

test("a policy that is not touched has no changes", () => {
  assert.deepEqual(policyChanges(JOB, policyDraft(JOB)), { body: {}, names: [] });
});

test("a change of a policy keeps all that it does not speak of", () => {
  const draft = { ...policyDraft(JOB), rate: "20/s", requires: "gpu; zone in (eu, us)", attempts: "5", at_once: "" };
  const { body, names } = policyChanges(JOB, draft);
  assert.deepEqual(names, ["attempts", "at_once", "rate", "requires"]);
  assert.deepEqual(body, {
    retry: { attempts: 5 },
    policy: { rate: { of: "20/s", burst: 5 }, route: { strategy: "hash", key: ["customer"] }, canary: { version: "2", share: 0.1 }, requires: ["gpu", "zone in (eu, us)"] },
  });
});

test("an argument that is typed is written into the input digit by digit, and left out when it is empty and may be", () => {
  const input = parseExact('{"id": 9007199254740993, "at": [1, 2]}') as Parameters<typeof withMember>[0];
  assert.equal(writeExact(withMember(input, "name", entryOf({ type: "string" }, "anna", true))), '{ "id": 9007199254740993, "at": [1, 2], "name": "anna" }');
  assert.equal(writeExact(withMember(input, "id", entryOf({ type: "integer" }, "9007199254740995", true))), '{ "id": 9007199254740995, "at": [1, 2] }');
  assert.equal(writeExact(withMember(input, "id", entryOf({ type: "integer" }, "", false))), '{ "at": [1, 2] }');
  assert.deepEqual(entryOf({ type: "integer" }, "many", true), { kind: "string", value: "many" });
  assert.deepEqual(entryOf({ type: "string" }, "17", true), { kind: "string", value: "17" });
});

test("a step is added behind the last one, also where something follows the steps", () => {
  assert.equal(withStep("steps:\n  a:\n    job: x\n", ["a"]), "steps:\n  a:\n    job: x\n  step-2:\n    job: name-of-a-job\n    after: [a]\n");
  assert.equal(withStep("steps:\n  a: {job: x}\ndeadline: 2h\n", ["a"]), "steps:\n  a: {job: x}\n  step-2:\n    job: name-of-a-job\n    after: [a]\ndeadline: 2h\n");
  assert.equal(withStep("{}", []), "{}");
});
