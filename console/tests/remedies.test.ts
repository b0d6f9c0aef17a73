// Remedies: which commands of `why` the console does itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { remedyOf } from "../pages/runs/remedies.ts";

const ID = "0199f0c2-1111-7222-8333-444455556666";

function pathOf(command: string): unknown {
  const found = remedyOf(command);
  return found?.kind === "act" ? [found.path, found.body] : found?.kind === "page" ? found.page : null;
}

test("what ends a pause, a breaker or a wait is done here", () => {
  assert.deepEqual(pathOf("mainspring queues resume pay"), ["queues/pay/resume", {}]);
  assert.deepEqual(pathOf("mainspring breakers reset 'of us'"), ["breakers/of%20us/reset", {}]);
  assert.deepEqual(pathOf(`mainspring runs retry ${ID}`), [`runs/${ID}/retry`, {}]);
  assert.deepEqual(pathOf(`mainspring runs change ${ID} --priority 9`), ["runs/change", { runs: [ID], priority: 9 }]);
  assert.deepEqual(pathOf("mainspring maintenance off"), ["maintenance", { on: false }]);
});

test("what a person has to think about leads to its page, and the rest is a command to copy", () => {
  assert.deepEqual(pathOf("mainspring jobs edit charge"), ["jobs", "charge"]);
  assert.deepEqual(pathOf("mainspring limits set pay --scope queue --at-once N"), ["limits"]);
  assert.equal(pathOf("mainspring executor MODULE:APP --queue pay"), null);
  assert.equal(pathOf("mainspring queues resume pay --now"), null);
});
