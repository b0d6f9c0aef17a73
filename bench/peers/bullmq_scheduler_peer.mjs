// BullMQ's job schedulers: each makes its next job when the one before begins.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { Queue, Worker } from "bullmq";
import { monotonic, probeFromEnvironment } from "./probe.mjs";
import { URL, chunks } from "./script.mjs";

const { hostname, port } = new globalThis.URL(URL);
const connection = { host: hostname, port: Number(port) };
const queueName = "noop";
const remove = { removeOnComplete: true, removeOnFail: true };
const count = Number(process.env.BENCH_TRIGGERS);
const pattern = (number) => (process.env.BENCH_KIND === "seconds" ? "* * * * * *" : `${number % 60} * * * *`);

const upsert = (queue, number) =>
  queue.upsertJobScheduler(
    `bench-${number}`,
    { pattern: pattern(number), tz: "UTC" },
    { name: "noop", data: { payload: number }, opts: remove },
  );

async function load() {
  const queue = new Queue(queueName, { connection });
  await queue.waitUntilReady();
  const begin = monotonic();
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (const part of chunks(numbers, 500)) await Promise.all(part.map((number) => upsert(queue, number)));
  const file = path.join(process.env.BENCH_PROBE, "ready");
  fs.writeFileSync(`${file}.draft`, String(monotonic() - begin));
  fs.renameSync(`${file}.draft`, file);
}

function work() {
  const probe = probeFromEnvironment();
  const handler = async ({ data }) => probe.start(data.payload);
  const worker = new Worker(queueName, handler, { connection, concurrency: 100, ...remove });
  worker.on("error", (error) => console.error(error.message));
}

work();
await load();
