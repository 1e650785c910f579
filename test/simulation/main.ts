/**
 * Lives worlds, each in a process of its own with a PostgreSQL of its own (docs/proof.md).
 *
 *     npm run simulate:engine -- --seed 7             one world; its last line is `hash <hex>`
 *     npm run simulate:engine -- --seed 7 --verbose   all that happens in it
 *     npm run simulate:engine -- --seeds 1-99,107     several, as many at once as the processors bear
 *     npm run simulate:engine -- --seeds 1-100 --first  until one ends wrong, which is shown as it is
 *     npm run simulate:engine -- --minutes 2          fresh seeds for so long; or --hours 8
 *     npm run simulate:engine -- --minutes 2 --table  and what happened under which fault, as a table
 *
 * It ends with 1 where the oracle objects: then it prints the shortest story that still shows it. A world that stands still
 * is wrong too.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { databaseFolder, useMemoryFolder } from "../support/database-folder.ts";
import { copyPreparedDatabase, prepareDatabase } from "../support/prepared-database.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { realClock } from "../support/real-clock.ts";
import { CANDIDATES, createCoverage } from "./coverage.ts";
import { storyOf } from "./story.ts";
import type { Lived, Wanted } from "./worlds.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    minutes: { type: "string" },
    hours: { type: "string" },
    steps: { type: "string" },
    verbose: { type: "boolean", default: false },
    first: { type: "boolean", default: false },
    table: { type: "boolean", default: false },
    "at-once": { type: "string", default: String(availableParallelism()) },
  },
});

/** A world that says nothing for so long stands still: the slowest ones take a third of it. */
const STANDS_STILL_MS = 300_000;

const memory = useMemoryFolder();
try {
  await prepareDatabase();
  process.exitCode =
    values.seeds === undefined && values.minutes === undefined && values.hours === undefined
      ? await liveOne()
      : await liveMany();
} finally {
  memory.remove();
}

async function liveOne(): Promise<number> {
  const process = await openProcess();
  const { isRight, said } = await live(process, Number(values.seed ?? "1"), {
    steps: stepsOf(values.steps),
    isVerbose: values.verbose,
  });
  process.kill();
  print(said);
  return isRight ? 0 : 1;
}

async function liveMany(): Promise<number> {
  const coverage = createCoverage();
  const seeds = seedsOf(coverage.choose);
  const failed: number[] = [];
  let lived = 0;
  const work = async (): Promise<void> => {
    let process = await openProcess();
    for (const seed of seeds) {
      const { isRight, said, seen, stands } = await live(process, seed);
      if (stands) {
        process.kill("SIGKILL");
        process = await openProcess();
      }
      lived += 1;
      coverage.add(seen);
      if (failed.length > 0 && values.first) break;
      print([said.slice(-2).join(", ")]);
      if (isRight) continue;
      failed.push(seed);
      if (values.first) {
        print([...said, `wrong after ${lived} worlds, at seed ${seed}`]);
        break;
      }
      if (!stands) print(await shortest(process, seed));
    }
    process.kill();
  };
  await Promise.all(Array.from({ length: Number(values["at-once"]) }, work));
  if (values.table) print([coverage.table()]);
  print([
    `${coverage.faulted()} steps under a fault`,
    `${lived} worlds, ${failed.length} of them wrong${failed.length > 0 ? `: ${failed.join(", ")}` : ""}`,
  ]);
  return failed.length > 0 ? 1 : 0;
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** `choose`: which of the next seeds. */
function* seedsOf(choose: (from: number) => number): Generator<number> {
  if (values.seeds !== undefined) {
    for (const range of values.seeds.split(",")) {
      const [from = 1, to = from] = range.split("-").map(Number);
      for (let seed = from; seed <= to; seed++) yield seed;
    }
    return;
  }
  const forMs = Number(values.minutes ?? "0") * 60_000 + Number(values.hours ?? "0") * 3_600_000;
  const startedMs = realClock.monotonicMs();
  const first = Number(values.seed ?? Math.floor(realClock.nowMs() / 1_000));
  for (let seed = first; realClock.monotonicMs() - startedMs < forMs; seed += CANDIDATES) yield choose(seed);
}

/** Leaves steps out for as long as the story still ends wrong, half of them first, then fewer. */
async function shortest(on: ChildProcess, seed: number): Promise<readonly string[]> {
  let steps: readonly number[] = storyOf(seed).steps.map((_step, index) => index);
  let shown = (await live(on, seed, { steps })).said;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length;) {
      const fewer = [...steps.slice(0, from), ...steps.slice(from + size)];
      const { isRight, said } = await live(on, seed, { steps: fewer });
      if (isRight) from += size;
      else [steps, shown] = [fewer, said];
    }
  }
  return [...shown, `It is shown by --seed ${seed} --steps ${steps.join() || "none"}`];
}

/** What worlds are lived in: all that they need is loaded once. */
async function openProcess(): Promise<ChildProcess> {
  const made = fork(join(import.meta.dirname, "worlds.ts"));
  await live(made, 0, { steps: [], isFirst: true });
  return made;
}

async function live(
  on: ChildProcess,
  seed: number,
  how: Partial<Pick<Wanted, "steps" | "isVerbose" | "isFirst">> = {},
): Promise<Lived> {
  const dataFolder = mkdtempSync(join(databaseFolder(), "boathook-world-"));
  copyPreparedDatabase(dataFolder);
  const postgres = await startPrivatePostgres({ dataFolder });
  try {
    if ("url" in postgres.address) throw new Error("a world needs the socket of the embedded PostgreSQL");
    const { socketFolder, port, user, database } = postgres.address;
    const server = { socketPath: join(socketFolder, `.s.PGSQL.${port}`), user, database };
    on.send({ seed, isVerbose: false, ...how, server } satisfies Wanted);
    const answered = once(on, "message") as Promise<[Lived]>;
    const still: Lived = { isRight: false, said: [`seed ${seed} stands still`], seen: {}, stands: true };
    let cancel = (): void => undefined;
    const stands = new Promise<[Lived]>((resolve) => {
      cancel = realClock.after(STANDS_STILL_MS, () => resolve([still]));
    });
    const [lived] = await Promise.race([answered, stands]);
    cancel();
    return lived;
  } finally {
    await postgres.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function stepsOf(list: string | undefined): readonly number[] | undefined {
  return list === undefined
    ? undefined
    : list
        .split(",")
        .filter((one) => /^\d+$/.test(one))
        .map(Number);
}
