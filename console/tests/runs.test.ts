// The filter, exact JSON, the timeline, the log's rows and the findings, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogLine, QueueInfo, FindingInfo } from "../api/schema.ts";
import { drainsIn, findingsOf } from "../pages/overview/findings.ts";
import { GrowingRows, findIn, rowAt, rowsOf, topsOf } from "../pages/runs/lines.ts";
import { instantOf, nearest, parametersOf, parseQuery, withTerm, writeQuery } from "../pages/runs/query.ts";
import { gapsOf, lanesOf, scaleOf } from "../pages/runs/timeline.ts";
import { member, parseExact, writeExact } from "../parts/exact.ts";
import { niceTop, ticksOf } from "../parts/scale.ts";

test("a query is read into terms and written back", () => {
  const text = 'state:failed,running job:charge label.country:DE tag:"very important"';
  const { terms, wrong } = parseQuery(text);
  assert.deepEqual(wrong, []);
  assert.deepEqual(terms.map(({ key, value }) => [key, value]), [["state", "failed,running"], ["job", "charge"], ["label", "country=DE"], ["tag", "very important"]]);
  assert.equal(writeQuery(terms), text);
});

test("what a query does not know is named, with what may have been meant", () => {
  assert.deepEqual(parseQuery("stat:failed").wrong, [{ text: "stat:failed", code: "unknown_key", meant: "state" }]);
  assert.deepEqual(parseQuery("state:faild").wrong[0]?.meant, "state:failed");
  assert.deepEqual(parseQuery("charge").wrong[0]?.code, "no_key");
  assert.deepEqual(parseQuery("since:soon").wrong[0]?.code, "bad_value");
  assert.equal(nearest("qeue", ["state", "queue"]), "queue");
});

test("terms become parameters of the API", () => {
  const now = Date.parse("2030-01-01T12:00:00Z");
  const { terms } = parseQuery("state:failed,running tag:a tag:b label.x:1 id:0198 since:24h until:2030-01-01T11:00:00Z");
  assert.deepEqual(parametersOf(terms, now), {
    state: ["failed", "running"],
    tag: ["a", "b"],
    label: ["x=1"],
    prefix: "0198",
    since: "2029-12-31T12:00:00.000Z",
    until: "2030-01-01T11:00:00.000Z",
  });
  assert.equal(instantOf("tomorrow", now), null);
});

test("a term is replaced, and the others stay", () => {
  assert.equal(withTerm("job:a state:failed", "state", "queued"), "job:a state:queued");
  assert.equal(withTerm("job:a state:failed", "state", ""), "job:a");
});

test("numbers keep every digit", () => {
  const text = '{"id":9007199254740993,"share":0.10000000000000000555,"list":[1,{"a":null}],"text":"a\\"b\\u00e9"}';
  const node = parseExact(text);
  assert.equal(writeExact(member(node, "id") ?? node), "9007199254740993");
  assert.deepEqual(JSON.parse(writeExact(node)), JSON.parse(text));
  assert.match(writeExact(node), /9007199254740993/);
  assert.match(writeExact(node), /0\.10000000000000000555/);
});

test("what is not JSON is refused", () => {
  for (const text of ["", "{", '{"a":}', "[1,]", "{} {}", "nul", '{"a" 1}']) assert.throws(() => parseExact(text), SyntaxError, text);
});

test("idle time is folded, and instants keep their order", () => {
  const busy = [{ from: 0, to: 30_000 }, { from: 400_000, to: 430_000 }];
  const scale = scaleOf(busy, 0, 430_000, 600);
  assert.equal(scale.folds.length, 1);
  const places = [0, 15_000, 30_000, 200_000, 400_000, 415_000, 430_000].map(scale.at);
  assert.deepEqual(places, [...places].sort((one, other) => one - other));
  assert.ok((places[2] ?? 0) - (places[0] ?? 0) > 200, "work is not flattened by the wait");
  assert.ok(Math.abs((places.at(-1) ?? 0) - 600) < 1);
});

test("gaps are what no span covers", () => {
  assert.deepEqual(gapsOf([{ from: 2, to: 4 }, { from: 3, to: 6 }], 0, 10), [{ from: 0, to: 2 }, { from: 6, to: 10 }]);
});

test("the attempt that goes on has a lane of its own", () => {
  const run = { attempt: 2, state: "running", started_at: "2030-01-01T00:00:10Z", finished_at: null, executor: "pay-1" };
  const first = { number: 1, outcome: "failed", executor: "pay-2", host: "", started_at: "2030-01-01T00:00:00Z", ended_at: "2030-01-01T00:00:05Z", error: null };
  const lanes = lanesOf(run, [first], Date.parse("2030-01-01T00:00:20Z"));
  assert.deepEqual(lanes.map(({ number, outcome, from, to }) => [number, outcome, to - from]), [[1, "failed", 5000], [2, "running", 10_000]]);
});

const line = (seq: number, seconds: number, message: string, level = 20): LogLine => ({ seq, level, message, at: new Date(seconds * 1000).toISOString() });

test("a log marks gaps, folds records and finds text", () => {
  const lines = [line(1, 1, "first"), line(2, 2, "trace\n  a\n  b", 40), line(3, 30, "\u001b[31mlate\u001b[0m FIRST")];
  const rows = rowsOf(lines, 0, new Set([2]));
  assert.deepEqual(rows.map((row) => row.kind), ["line", "line", "gap", "line"]);
  assert.deepEqual(topsOf(rows), [0, 20, 80, 100, 120]);
  assert.deepEqual([0, 19, 20, 79, 80, 119].map((height) => rowAt(topsOf(rows), height)), [0, 0, 1, 1, 2, 3]);
  assert.deepEqual(findIn(rows, "first"), [0, 3]);
  assert.deepEqual(rowsOf(lines, 40, new Set()).length, 1);
  assert.equal(rows[3]?.kind === "line" && rows[3].text[0], "late FIRST");
});

test("a log of 100,000 lines is laid out and searched", () => {
  const lines = Array.from({ length: 100_000 }, (_, seq) => line(seq, seq / 100, seq % 997 === 0 ? "needle" : `page ${seq} of many`));
  const rows = rowsOf(lines, 0, new Set());
  assert.equal(topsOf(rows).at(-1), 2_000_000);
  assert.equal(findIn(rows, "needle").length, 101);
});

const queue = (given: Partial<QueueInfo>): QueueInfo => ({ name: "mail", namespace: "default", queued: 0, later: 0, waiting: 0, running: 0, oldest_seconds: null, taken_at: null, executors: 1, slots: 4, paused: null, max_queued: null, rates: null, ...given });
const rates = (finished: number) => ({ finished, succeeded: finished, failed: 0, recent: [], until: "" });
const quiet = { found: [], queues: [], executors: [], now: 0 };
const finding = (kind: string, subject: string): FindingInfo => ({ kind, severity: "warn", subject, words: "", since_at: null, remedy: "", run: "", rule: "", alert: "", acked_by: "" }) as FindingInfo;

test("nothing wrong is nothing found", () => {
  assert.deepEqual(findingsOf(quiet), []);
  assert.deepEqual(findingsOf({ ...quiet, executors: [{ name: "a", stuck: [], blocked: [] } as never], queues: [queue({ queued: 3, oldest_seconds: 2 })] }), []);
});

test("the server's findings come first, and a job that fails is told once", () => {
  const found = findingsOf({ ...quiet, found: [finding("run_failed", "job charge"), finding("dead_letters", "job charge 8780a6"), finding("run_failed", "job mail")], queues: [queue({ queued: 1, paused: { by: "anna", reason: "", since: "" } })] });
  assert.deepEqual(found.map((one) => (one.kind === "found" ? `${one.is.kind} ${one.name} ${one.more}` : one.kind)), ["dead_letters charge 8780a6", "run_failed mail ", "paused"]);
});

test("an executor that cannot work is found", () => {
  const executor = { name: "pay-1", stuck: [{ pool: "threads", strays: 1, waits: 0 }], blocked: [{ at: "1970-01-01T00:00:00Z", handler: "render", seconds: 4 }] } as never;
  assert.deepEqual(findingsOf({ ...quiet, executors: [executor] }).map((one) => one.kind), ["stuck", "blocked"]);
});

test("a queue says when it will be empty", () => {
  assert.equal(drainsIn(queue({ queued: 0 })), 0);
  assert.equal(drainsIn(queue({ queued: 60, rates: rates(30) })), 120);
  assert.equal(drainsIn(queue({ queued: 60, rates: rates(0) })), null);
});

test("axes end where people expect it", () => {
  assert.deepEqual([1, 3, 7, 52, 506, 1344].map(niceTop), [1, 3, 8, 60, 600, 1500]);
  assert.deepEqual(ticksOf(1500, 3), [0, 500, 1000, 1500]);
});

test("rows of a log that grows are those of the whole log, page by page and after a change of level", () => {
  const log = Array.from({ length: 300 }, (_, seq) => ({ seq, at: new Date(1_900_000_000_000 + seq * (seq % 50 === 0 ? 30_000 : 7)).toISOString(), level: seq % 7 === 0 ? 30 : 20, message: seq % 9 === 0 ? "a\nb" : "line" }));
  const [growing, open] = [new GrowingRows(), new Set([9])];
  for (const size of [100, 100, 250, 300]) assert.deepEqual(growing.of(log.slice(0, size), 0, open), rowsOf(log.slice(0, size), 0, open));
  assert.deepEqual(growing.of(log, 30, open), rowsOf(log, 30, open));
  assert.deepEqual(growing.of(log.slice(50), 30, open), rowsOf(log.slice(50), 30, open));
  const other = new Set([18]);
  assert.deepEqual(growing.of(log.slice(50), 30, other), rowsOf(log.slice(50), 30, other));
});
