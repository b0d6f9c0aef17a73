// pg-boss: batches of 5,000 fetched without pause while they come back full, woken by LISTEN/NOTIFY.
import { PgBoss } from "pg-boss";
import { probeFromEnvironment } from "./probe.mjs";
import { URL, chunks, main } from "./script.mjs";

const QUEUE = "noop";
const BATCH = 5000;

const connect = async (options) => {
  const boss = new PgBoss({ connectionString: URL, schedule: false, ...options });
  boss.on("error", (error) => console.error(error.message));
  await boss.start();
  return boss;
};

await main({
  async open() {
    this.boss = await connect({ supervise: false, migrate: false });
  },
  async setup() {
    const boss = await connect({});
    await boss.createQueue(QUEUE, { notify: true });
  },
  one(payload) {
    return this.boss.send(QUEUE, { payload });
  },
  async many(payloads) {
    for (const part of chunks(payloads, BATCH)) {
      await this.boss.insert(QUEUE, part.map((payload) => ({ data: { payload } })));
    }
  },
  async later(payloads, when) {
    const startAfter = new Date(when * 1000).toISOString();
    for (const part of chunks(payloads, BATCH)) {
      await this.boss.insert(QUEUE, part.map((payload) => ({ data: { payload }, startAfter })));
    }
  },
  async work() {
    const probe = probeFromEnvironment();
    const boss = await connect({ useListenNotify: true });
    const options = {
      batchSize: BATCH,
      localConcurrency: 2,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
    };
    await boss.work(QUEUE, options, async (jobs) => {
      for (const job of jobs) probe.start(job.data.payload);
    });
  },
});
