/** `npm run bench:peers`: Boathook beside other services, by turns, on this machine. README.md says how. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { startProcess } from "../processes/calls.ts";
import type { PostingCalls } from "../processes/posting.ts";
import { describe, thisMachine } from "../report/machine.ts";
import { percent, significant } from "../report/result.ts";
import { sampleOf } from "../report/statistics.ts";
import { table } from "../report/table.ts";
import { openBench } from "../setting/bench.ts";
import { FULL } from "../setting/plan.ts";
import { startPostgres } from "../setting/postgres.ts";
import { measureTurns } from "../setting/undisturbed.ts";
import { boathook } from "./boathook.ts";
import { measure, PACE, type Measured } from "./measure.ts";
import { outpost } from "./outpost.ts";
import type { Peer } from "./peer.ts";

/** Where Debian has it: the program of the same name in the path runs only as the broker's own user. */
const RABBITMQ = "/usr/lib/rabbitmq/bin/rabbitmq-server";
const ENDPOINTS = 50;

const USAGE = `npm run bench:peers -- --outpost <program> [options]
  --outpost <program>   Hookdeck Outpost, outpost-server beside it
  --redis <program>     redis-server
  --rabbitmq <program>  ${RABBITMQ}
  --turns <count>       3`;

const { values: options } = parseArgs({
  options: {
    outpost: { type: "string" },
    redis: { type: "string", default: "redis-server" },
    rabbitmq: { type: "string", default: RABBITMQ },
    turns: { type: "string", default: "3" },
  },
});
if (options.outpost === undefined || !existsSync(options.outpost)) {
  console.error(USAGE);
  process.exit(2);
}

const programs = { outpost: resolve(options.outpost), redis: options.redis, rabbitmq: options.rabbitmq };
const peers: readonly Peer[] = [
  boathook,
  outpost("Outpost", programs, {}),
  outpost("Outpost, 100 at once", programs, { DELIVERY_MAX_CONCURRENCY: "100" }),
];

type Figure = {
  readonly name: string;
  of(measured: Measured): number;
  show(value: number): string;
};

const ms = (value: number): string => (Number.isFinite(value) ? `${significant(value)} ms` : "never");

const FIGURES: readonly Figure[] = [
  { name: "single messages a second", of: ({ perSecond }) => perSecond, show: significant },
  {
    name: "processor a delivery, all processes",
    of: ({ processorUs }) => processorUs,
    show: (value) => `${significant(value)} µs`,
  },
  { name: `p99 from request to arrival, ${PACE}/s`, of: ({ p99Ms }) => p99Ms, show: ms },
  { name: "the same, one endpoint in ten hangs", of: ({ besideHanging }) => besideHanging.p99Ms, show: ms },
  {
    name: "arrived at the others within 15 s",
    of: ({ besideHanging }) => besideHanging.arrived,
    show: percent,
  },
];

const bench = await openBench(
  { ...FULL, endpoints: ENDPOINTS, coldEndpoints: ENDPOINTS, repeats: Number(options.turns), retries: 0 },
  (text) => console.error(text),
);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void bench.end().finally(() => process.exit(1)));
const posting = startProcess<PostingCalls>("posting.ts");
bench.atEnd(() => posting.end());
try {
  const postgres = await startPostgres(bench);
  const machine = thisMachine(postgres.version);
  await postgres.stop();
  const versions = execFileSync(programs.outpost, ["--version"], { encoding: "utf8" }).trim();
  console.error(`${describe(machine)}; ${versions}`);
  const turns = await measureTurns(bench, async (turn) => {
    const measured: Record<string, Measured> = {};
    // Who begins takes turns too.
    for (let place = 0; place < peers.length; place++) {
      const peer = peers[(turn + place) % peers.length]!;
      bench.say(`${peer.name}:`);
      measured[peer.name] = await measure(bench, posting, peer);
    }
    return measured;
  });
  const everything = { at: new Date().toISOString(), machine, versions, others: bench.othersShares, turns };
  const file = join(import.meta.dirname, "..", "results", "peers.json");
  writeFileSync(file, `${JSON.stringify(everything, null, 2)}\n`);
  const rows = FIGURES.map(({ name, of, show }) => [
    name,
    ...peers.map((peer) => {
      const values = turns.map((turn) => of(turn[peer.name]!));
      const { median, least, most } = sampleOf(values);
      const ratio = sampleOf(values.map((value, turn) => value / of(turns[turn]![boathook.name]!))).median;
      const beside = peer === boathook || !Number.isFinite(ratio) ? "" : `: ${significant(ratio)} times`;
      return `${show(median)} (${show(least)} to ${show(most)})${beside}`;
    }),
  ]);
  console.log(`${describe(machine)}; ${versions}\n`);
  console.log(table(["Figure", ...peers.map(({ name }) => name)], rows));
  console.error(`Other processes used ${percent(sampleOf(bench.othersShares).median)} of the machine.`);
} finally {
  await bench.end();
}
