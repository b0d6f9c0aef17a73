// The twin of script.py: the commands every Node peer answers.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonic } from "./probe.mjs";

export const URL = process.env.BENCH_URL;

const range = (count) => Array.from({ length: count }, (_, number) => number);

export function* chunks(items, size) {
  for (let begin = 0; begin < items.length; begin += size) yield items.slice(begin, begin + size);
}

async function single(peer, count) {
  await peer.one(0);
  const begin = monotonic();
  for (let number = 1; number < count; number++) await peer.one(number);
  return ((monotonic() - begin) * count) / (count - 1);
}

async function timed(action) {
  const begin = monotonic();
  await action();
  return monotonic() - begin;
}

async function paced(peer, count, perSecond) {
  const begin = monotonic();
  for (let number = 0; number < count; number++) {
    const wait = (begin + number / perSecond - monotonic()) * 1000;
    if (wait > 0) await sleep(wait);
    await peer.one(monotonic());
  }
  return monotonic() - begin;
}

const commands = {
  setup: (peer) => timed(() => peer.setup()),
  single: (peer, count) => single(peer, Number(count)),
  bulk: (peer, count) => timed(() => peer.many(range(Number(count)))),
  paced: (peer, count, perSecond) => paced(peer, Number(count), Number(perSecond)),
  later: (peer, count, when) => timed(() => peer.later(range(Number(count)), Number(when))),
};

export async function main(peer) {
  const [command, ...rest] = process.argv.slice(2);
  if (command === "work") return peer.work();
  if (command !== "setup") await peer.open();
  const seconds = await commands[command](peer, ...rest);
  process.stdout.write(`${JSON.stringify({ seconds })}\n`, () => process.exit(0));
}
