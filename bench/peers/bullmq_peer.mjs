// BullMQ: bulk adds, finished jobs removed at once, high concurrency in each process.
import { Queue, Worker } from "bullmq";
import { probeFromEnvironment } from "./probe.mjs";
import { URL, chunks, main } from "./script.mjs";

const { hostname, port } = new globalThis.URL(URL);
const connection = { host: hostname, port: Number(port) };
const queueName = "noop";
const remove = { removeOnComplete: true, removeOnFail: true };
const job = (payload, delay) => ({ name: "noop", data: { payload }, opts: { delay } });

await main({
  async setup() {},
  async open() {
    this.queue = new Queue(queueName, { connection, defaultJobOptions: remove });
    await this.queue.waitUntilReady();
  },
  one(payload) {
    return this.queue.add("noop", { payload });
  },
  async many(payloads) {
    for (const part of chunks(payloads, 1000)) await this.queue.addBulk(part.map((payload) => job(payload)));
  },
  async later(payloads, when) {
    for (const part of chunks(payloads, 1000)) {
      const delay = Math.round(when * 1000 - Date.now());
      await this.queue.addBulk(part.map((payload) => job(payload, delay)));
    }
  },
  async work() {
    const probe = probeFromEnvironment();
    const handler = async ({ data }) => probe.start(data.payload);
    const worker = new Worker(queueName, handler, { connection, concurrency: 100, ...remove });
    worker.on("error", (error) => console.error(error.message));
  },
});
