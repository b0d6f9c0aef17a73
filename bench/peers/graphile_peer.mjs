// graphile-worker in the batched configuration of its performance page.
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { probeFromEnvironment } from "./probe.mjs";
import { URL, chunks, main } from "./script.mjs";
import { inputOf, isNoop, laneOf, lanes, priorityOf, waits, work } from "./workload.mjs";

const logger = new Logger(() => (level, message) => {
  if (level === "error") console.error(message);
});

const preset = {
  worker: {
    connectionString: URL,
    // Handlers that wait need room; for all others the documented value is the fastest.
    concurrentJobs: waits ? 500 : 24,
    maxPoolSize: 25,
    pollInterval: 500,
    localQueue: { size: waits ? 1000 : 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    logger,
  },
};

// A named queue of graphile-worker runs one job at a time, so lanes are kinds of tasks.
const kindOf = (payload) => (lanes ? `noop${laneOf(payload)}` : "noop");

const job = (payload, runAt) => ({
  identifier: kindOf(payload),
  payload: inputOf(payload),
  runAt,
  priority: priorityOf(payload),
  maxAttempts: isNoop ? undefined : 1,
});

await main({
  async open() {
    this.utils = await makeWorkerUtils({ preset });
  },
  async setup() {
    await this.open();
    await this.utils.migrate();
  },
  one(payload) {
    return this.utils.addJob("noop", inputOf(payload));
  },
  async many(payloads) {
    for (const part of chunks(payloads, 5000)) await this.utils.addJobs(part.map((payload) => job(payload)));
  },
  async later(payloads, when) {
    const due = new Date(when * 1000);
    for (const part of chunks(payloads, 5000)) await this.utils.addJobs(part.map((payload) => job(payload, due)));
  },
  async work() {
    const probe = probeFromEnvironment();
    const noop = ({ payload }) => probe.start(payload);
    const real = ({ payload }) => {
      probe.start(payload);
      return work(payload);
    };
    const kinds = ["noop", ...Array.from({ length: lanes }, (_, lane) => `noop${lane}`)];
    const taskList = Object.fromEntries(kinds.map((kind) => [kind, isNoop ? noop : real]));
    const runner = await run({ preset, taskList });
    await runner.promise;
  },
});
