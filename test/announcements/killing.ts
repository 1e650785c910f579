/** Two nodes that announce to a crowd in two cells, killed in the middle again and again. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { startAnnouncing } from "../../src/freight/announcements/store/announcements.ts";
import { addCrowd, toldIn } from "../broadcasts/crowd.ts";
import { chanceFor } from "../faults/chance.ts";
import { atEnd } from "../faults/endings.ts";
import { watch } from "../faults/process.ts";
import { until } from "../faults/until.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import type { AnnouncingOptions } from "./announcing-process.ts";
import { entryOn } from "./entries.ts";

/** The first start was before this day, and it is over. */
const ENTRY = entryOn("2026-02-01");
const FIRST_START = "2026-01-01";
const NODES = 2;

export type Killing = {
  /** Accounts of each cell, a multiple of six; a third of them must be notified. */
  readonly crowd: number;
  readonly kills: number;
  /** Events that are raised in one transaction. */
  readonly eventsMax: number;
  readonly msMax: number;
};

/** Asserts that each subscribed account is notified once; returns how many accounts are notified in all. */
export async function killAnnouncers(
  t: TestContext,
  { crowd, kills, eventsMax, msMax }: Killing,
): Promise<number> {
  const chance = chanceFor(t);
  const on = await createTestDatabase({ cells: 2 });
  atEnd(t, () => on.drop());
  for (const cell of on.cells) {
    await addCrowd(on, cell, crowd);
    await startAnnouncing(on.database, cell, FIRST_START);
  }
  const toTell = (on.cells.length * crowd) / 3;
  const start = () => startNode(t, { address: on.address, entries: [ENTRY], eventsMax });
  const nodes = Array.from({ length: NODES }, start);

  for (let killed = 0; killed < kills; killed += 1) {
    const goal = Math.floor((toTell * (killed + 1)) / (kills + 2));
    await until(async () => (await toldSoFar(on)) >= goal, `${goal} accounts are notified`, msMax);
    await sleep(chance.between(0, 20));
    // Every other time all of them at once.
    const dying = nodes.splice(0, killed % 2 === 0 ? NODES : 1);
    for (const node of dying) await node.kill();
    assert.ok((await toldSoFar(on)) < toTell, "a kill comes in the middle");
    for (let missing = NODES - nodes.length; missing > 0; missing -= 1) nodes.push(start());
  }
  await until(async () => (await finishedIn(on)) === on.cells.length, "every cell is finished", msMax);
  for (const node of nodes) await node.kill();
  const told = await Promise.all(on.cells.map((cell) => toldIn(on.address, cell)));
  assert.deepEqual(
    told,
    on.cells.map(() => ({ [ENTRY.id]: crowd / 3 })),
  );
  assert.equal(await toldSoFar(on), toTell);
  return toTell;
}

function startNode(t: TestContext, options: AnnouncingOptions) {
  const file = join(import.meta.dirname, "announcing-process.ts");
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = watch(t, child);
  return {
    async kill() {
      child.kill("SIGKILL");
      const { signal } = await ended;
      assert.equal(signal, "SIGKILL", "it lives until it is killed");
    },
  };
}

async function toldSoFar(on: TestDatabase): Promise<number> {
  const counts = on.cells.map(async ({ schema }) => {
    const { rows } = await query(on.address, `select count(*)::integer as notified from ${schema}.events`);
    return (rows as { notified: number }[])[0]!.notified;
  });
  return (await Promise.all(counts)).reduce((sum, told) => sum + told, 0);
}

/** In how many cells the entry is announced, and no account is left to notify. */
async function finishedIn(on: TestDatabase): Promise<number> {
  const counts = on.cells.map(({ schema }) =>
    query(
      on.address,
      `select from ${schema}.announcements where not exists (select from ${schema}.broadcasts)`,
    ),
  );
  return (await Promise.all(counts)).reduce((sum, { rowCount }) => sum + rowCount!, 0);
}
