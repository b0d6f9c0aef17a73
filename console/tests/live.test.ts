// The address, the stream and the exactness of words, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { address, changed, parsePlace } from "../live/route.ts";
import { EventReader } from "../live/sse.ts";
import { duration, parseDuration, percent, relative, size, writeDuration, zoned } from "../words/format.ts";

test("an address is read back to what it was written from", () => {
  const written = address("team-a", ["jobs", "pay/charge card"], { tab: "runs", on: true, none: null });
  const [path = "", search = ""] = written.split("?");
  const read = parsePlace(path, search, "#L3");
  assert.equal(read.namespace, "team-a");
  assert.deepEqual(read.parts, ["jobs", "pay/charge card"]);
  assert.deepEqual(Object.fromEntries(read.query), { tab: "runs", on: "1" });
  assert.equal(read.hash, "L3");
});

test("an address that is cut off in an escape is still read", () => {
  assert.deepEqual(parsePlace("/console/a/%E4%", "", "").parts, ["%E4%"]);
});

test("a change of the query leaves the rest as it is", () => {
  assert.equal(changed(new URLSearchParams("q=a&tab=b"), { tab: null, since: "1h" }).toString(), "q=a&since=1h");
});

test("events are the same wherever the stream is cut", () => {
  const text = "retry: 1000\nid: 4\n\nevent: queue.depth\ndata: {\"a\":1}\nid: 5\n\n: beat\n\ndata: x\ndata: y\n\n";
  for (let at = 0; at <= text.length; at += 1) {
    const reader = new EventReader();
    const events = [...reader.feed(text.slice(0, at)), ...reader.feed(text.slice(at))];
    assert.deepEqual(events, [
      { kind: "queue.depth", data: '{"a":1}', id: "5" },
      { kind: "message", data: "x\ny", id: "5" },
    ]);
    assert.equal(reader.lastId, "5");
  }
});

test("durations have two units at most and never seconds only", () => {
  const said = [0, 0.0000214, 0.84, 0.9996, 4.2, 59.96, 187, 3600, 8040, 273_600].map(duration);
  assert.deepEqual(said, ["0 s", "21.4 µs", "840 ms", "1 s", "4.2 s", "1 m", "3 m 07 s", "1 h", "2 h 14 m", "3 d 04 h"]);
});

test("durations that are typed are read, and written so that they are read to the same", () => {
  const typed: [string, number | null][] = [["90", 90], ["2h 30m", 9000], ["1.5 m", 90], ["500ms", 0.5], ["", null], ["soon", null], ["3 weeks", null]];
  for (const [text, seconds] of typed) assert.equal(parseDuration(text), seconds, text);
  for (const seconds of [0, 0.25, 1, 59, 60, 90, 3600, 5400, 86_400, 1.5]) assert.equal(parseDuration(writeDuration(seconds)), seconds);
});

test("shares, sizes and distances in time read well", () => {
  assert.deepEqual([0, 0.0002, 0.008, 0.9999, 1].map(percent), ["0", "0.02", "0.8", "99.9", "100"]);
  assert.deepEqual([512, 43_937_792].map(size), ["512 B", "41.9 MiB"]);
  assert.deepEqual([relative(-250, "en"), relative(40_000, "en"), relative(-250, "zh")], ["4 m ago", "in 11 h", "4 m 前"]);
});

test("clocks that are set forward and back have their offsets", () => {
  const before = zoned(Date.parse("2027-03-28T00:59:59Z"), "Europe/Berlin", "en");
  const after = zoned(Date.parse("2027-03-28T01:00:00Z"), "Europe/Berlin", "en");
  assert.deepEqual([before.time, before.offset, after.time, after.offset], ["01:59:59", "+01:00", "03:00:00", "+02:00"]);
});
