// The twin of probe.py: notes when handlers start and tells the harness through files.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";

const TICK_MS = 20;

export const monotonic = () => Number(process.hrtime.bigint()) / 1e9;

export class Probe {
  constructor(directory, stamps) {
    this.countFile = path.join(directory, `${process.pid}.count`);
    this.stampsFile = path.join(directory, `${process.pid}.stamps`);
    this.stamps = stamps;
    this.starts = [];
    this.payloads = [];
    this.written = 0;
    setInterval(() => this.write(), TICK_MS);
  }

  start(payload) {
    if (this.stamps) this.payloads.push(payload);
    this.starts.push(monotonic());
  }

  write() {
    const count = this.starts.length;
    if (count === this.written) return;
    if (this.stamps) this.append(this.written, count);
    this.replace(`${count} ${this.starts[0]}\n`);
    this.written = count;
  }

  append(begin, end) {
    const lines = [];
    for (let i = begin; i < end; i++) lines.push(`${this.payloads[i]} ${this.starts[i]}\n`);
    fs.appendFileSync(this.stampsFile, lines.join(""));
  }

  replace(text) {
    const draft = `${this.countFile}.draft`;
    fs.writeFileSync(draft, text);
    fs.renameSync(draft, this.countFile);
  }
}

export const probeFromEnvironment = () =>
  new Probe(process.env.BENCH_PROBE, process.env.BENCH_PROBE_MODE === "stamps");
