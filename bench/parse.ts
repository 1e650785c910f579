/**
 * `npm run bench:parse`: how fast Cargo-IMP messages are read on one core of this machine, and how long a text
 * of 100 KB can be made to take.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { readMessages } from "../src/products/air/sources/imp/read-messages.ts";
import { describe, thisMachine } from "./report/machine.ts";
import { milliseconds, whole, type Result } from "./report/result.ts";
import { sampleOf } from "./report/statistics.ts";
import { tableOf } from "./report/table.ts";
import { adversarialTexts, traffic } from "./setting/messages.ts";

const MESSAGES = 20_000;
const REPEATS = 5;
const LINES_A_MINUTE = 1_000_000;
const ADVERSARIAL_CHARS = 100 * 1_024;
const ADVERSARIAL_MS_MAX = 100;
const RECEIVED_MS = Date.UTC(2026, 10, 25, 12);

/** Of this process alone: others on the machine take no part in it. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function throughput(): Result {
  const texts = traffic(MESSAGES);
  const lines = texts.reduce((sum, text) => sum + text.trimEnd().split("\r\n").length, 0);
  let events = 0;
  const read = () => {
    for (const text of texts) {
      for (const message of readMessages(text, RECEIVED_MS)) {
        if (message.kind === "message") events += message.statement.events.length;
      }
    }
  };
  read();
  const rates = Array.from({ length: REPEATS }, () => (lines / processorMs(read)) * 60_000);
  const rate = sampleOf(rates);
  return {
    figure: "lines read a minute on one core",
    measured: `${whole(rate.median)} (${whole(rate.least)} to ${whole(rate.most)})`,
    baseline: `${whole(lines)} lines of ${whole(MESSAGES)} messages, ${whole(events / (REPEATS + 1))} statuses`,
    target: `at least ${whole(LINES_A_MINUTE)}`,
    reached: rate.median >= LINES_A_MINUTE,
    samples: { rate },
  };
}

/** The first time of each counts, before anything is warm. */
function adversarial(): Result {
  const texts = Object.entries(adversarialTexts(ADVERSARIAL_CHARS));
  const times = texts.map(([name, text]) => ({
    name,
    ms: processorMs(() => void readMessages(text, RECEIVED_MS)),
  }));
  const slowest = times.reduce((most, time) => (time.ms > most.ms ? time : most));
  for (const { name, ms } of times.toSorted((a, b) => b.ms - a.ms)) {
    console.error(`${milliseconds(ms).padStart(10)}  ${name}`);
  }
  return {
    figure: "longest time of a text of 100 KB",
    measured: milliseconds(slowest.ms),
    baseline: `of ${times.length} made to be slow: ${slowest.name}`,
    target: `at most ${milliseconds(ADVERSARIAL_MS_MAX)}`,
    reached: slowest.ms <= ADVERSARIAL_MS_MAX,
    samples: Object.fromEntries(times.map(({ name, ms }) => [name, sampleOf([ms])])),
  };
}

const machine = thisMachine("none");
console.error(describe(machine));
const results = [adversarial(), throughput()];
const file = join(import.meta.dirname, "results", "parse.json");
writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2)}\n`);
console.log(`${describe(machine)}\n\n${tableOf(results)}`);
console.error(`${file} holds every number`);
