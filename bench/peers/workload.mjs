// The twin of workload.py: what each run brings and what its handler does.
import { randomBytes } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const given = JSON.parse(process.env.BENCH_WORKLOAD ?? "{}");

export const lanes = given.lanes ?? 0;
const { body = 0, busy = 0, wait = 0, failing = 0 } = given;

export const waits = wait > 0;

export const isNoop = !(body || busy || wait || lanes || failing);

export const laneOf = (number) => (lanes ? Math.trunc(number) % lanes : 0);

export const priorityOf = (number) => (lanes ? Math.trunc(number / lanes) % lanes : 0);

export const inputOf = (number) =>
  body ? { payload: number, body: randomBytes(Math.trunc((body * 3) / 4)).toString("base64") } : { payload: number };

const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function compute() {
  const until = used() + busy;
  while (used() < until);
}

export async function work(number) {
  if (wait) await sleep(wait * 1000);
  if (busy) compute();
  if (Math.trunc(number) % 100 < failing) throw new Error(`run ${number} was to fail`);
}
