// graphile-worker in the batched configuration of its performance page.
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { probeFromEnvironment } from "./probe.mjs";
import { URL, chunks, main } from "./script.mjs";

const logger = new Logger(() => (level, message) => {
  if (level === "error") console.error(message);
});

const preset = {
  worker: {
    connectionString: URL,
    concurrentJobs: 24,
    maxPoolSize: 25,
    pollInterval: 500,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    logger,
  },
};

const job = (payload, runAt) => ({ identifier: "noop", payload: { payload }, runAt });

await main({
  async open() {
    this.utils = await makeWorkerUtils({ preset });
  },
  async setup() {
    await this.open();
    await this.utils.migrate();
  },
  one(payload) {
    return this.utils.addJob("noop", { payload });
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
    const runner = await run({ preset, taskList: { noop: ({ payload }) => probe.start(payload) } });
    await runner.promise;
  },
});
