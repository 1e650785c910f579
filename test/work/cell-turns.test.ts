/** Which cells a loop asks: idle ones seldom, and none later than before. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createCellTurns, type CellTurns } from "../../src/freight/work/cell-turns.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";

const EVERY_MS = 1_000;
const CELLS = cellsNamed("boathook", 100);
const ONE = CELLS[42]!;

/** Jobs in the database, by cell: the times at which they are due. */
type Jobs = Map<Cell, number[]>;

type Scene = {
  readonly clock: ManualClock;
  readonly turns: CellTurns;
  readonly jobs: Jobs;
  /** One round. Returns the statements that it cost, and the cells whose jobs it claimed. */
  round(): Promise<{ readonly statements: number; readonly claimed: readonly Cell[] }>;
  /** Rounds until the job of `ONE` is claimed; how long that took. */
  claimedAfterMs(): Promise<number>;
};

function scene(cells: readonly Cell[] = CELLS): Scene {
  const clock = manualClock();
  const turns = createCellTurns(clock, cells, EVERY_MS);
  const jobs: Jobs = new Map();
  const round: Scene["round"] = async () => {
    let statements = 0;
    const claimed: Cell[] = [];
    for (const cell of turns.next()) {
      const readNextDue = async () => {
        statements += 1;
        return jobs.get(cell)?.toSorted((a, b) => a - b)[0] ?? null;
      };
      const claim = async () => {
        statements += 1;
        const all = jobs.get(cell) ?? [];
        const due = all.filter((atMs) => atMs <= clock.nowMs());
        jobs.set(
          cell,
          all.filter((atMs) => atMs > clock.nowMs()),
        );
        return due;
      };
      if ((await turns.ask(cell, readNextDue, claim)).length > 0) claimed.push(cell);
    }
    await clock.advance(EVERY_MS);
    return { statements, claimed };
  };
  const claimedAfterMs = async (): Promise<number> => {
    for (let rounds = 0; rounds < 100; rounds += 1) {
      if ((await round()).claimed.includes(ONE)) return rounds * EVERY_MS;
    }
    return assert.fail("the job is never claimed");
  };
  return { clock, turns, jobs, round, claimedAfterMs };
}

/** All cells are known to be idle. */
async function quietScene(): Promise<Scene> {
  const quiet = scene();
  await quiet.round();
  return quiet;
}

test("a hundred idle cells cost as many statements as twenty, and each is asked within half a minute", async () => {
  const { round, claimedAfterMs, jobs } = await quietScene();
  let statements = 0;
  for (let rounds = 0; rounds < 60; rounds += 1) statements += (await round()).statements;
  assert.equal(statements, 60 * 4);
  // Nobody said so: another node was killed before it could.
  jobs.set(ONE, [0]);
  assert.ok((await claimedAfterMs()) <= 30_000);
});

test("each of few cells is asked within five rounds", async () => {
  for (const cells of [1, 4, 20]) {
    const { round } = scene(CELLS.slice(0, cells));
    await round();
    for (let more = 0; more < 12; more += 1) {
      let statements = 0;
      for (let rounds = 0; rounds < 5; rounds += 1) statements += (await round()).statements;
      assert.equal(statements, cells);
    }
  }
});

test("a thousand cells have their turns within half a minute, too", async () => {
  const { round } = scene(cellsNamed("boathook", 1_000));
  await round();
  let statements = 0;
  for (let rounds = 0; rounds < 30; rounds += 1) statements += (await round()).statements;
  assert.equal(statements, 1_000);
});

test("a job is claimed in the round of its time: one that was read, and one that this node wrote", async () => {
  const read = scene();
  read.jobs.set(ONE, [read.clock.nowMs() + 20_000]);
  assert.equal(await read.claimedAfterMs(), 20_000);
  const written = await quietScene();
  const atMs = written.clock.nowMs() + 7_000;
  written.jobs.set(ONE, [atMs]);
  written.turns.expect(ONE, atMs);
  assert.equal(await written.claimedAfterMs(), 7_000);
});

test("what this or another node has made due is claimed in the next round", async () => {
  for (const learn of ["wake", "forget"] as const) {
    const { turns, jobs, claimedAfterMs } = await quietScene();
    jobs.set(ONE, [0]);
    turns[learn](ONE);
    assert.equal(await claimedAfterMs(), 0, learn);
  }
});

test("what is learnt while a cell is read is not lost", async () => {
  for (const learn of ["wake", "forget", "expect"] as const) {
    const { turns, jobs, clock, claimedAfterMs } = scene();
    const readNextDue = async () => {
      jobs.set(ONE, [clock.nowMs()]);
      turns[learn](ONE, clock.nowMs());
      return null;
    };
    turns.next();
    const claimed = await turns.ask(ONE, readNextDue, async () => []);
    assert.deepEqual(claimed, []);
    assert.equal(await claimedAfterMs(), 0, learn);
  }
});

test("a busy cell is claimed in every round without reading, and a due one whose jobs others hold likewise", async () => {
  const { turns, clock } = scene([ONE]);
  const asked: string[] = [];
  const ask = async (nextDueMs: number | null, jobs: number) => {
    asked.length = 0;
    turns.next();
    await turns.ask(
      ONE,
      async () => {
        asked.push("read");
        return nextDueMs;
      },
      async () => {
        asked.push("claim");
        return Array.from({ length: jobs }, () => "job");
      },
    );
    await clock.advance(EVERY_MS);
    return asked;
  };
  assert.deepEqual(await ask(0, 1), ["read", "claim"]);
  for (let rounds = 0; rounds < 4; rounds += 1) assert.deepEqual(await ask(0, 0), ["claim"]);
  assert.deepEqual(await ask(0, 0), ["read", "claim"], "it has been without jobs for five seconds");
  const later: string[] = [];
  for (let rounds = 0; rounds < 5; rounds += 1) later.push(...(await ask(null, 0)));
  assert.equal(later.at(-1), "read", "then it is quiet");
});

test("a cell that cannot be read is asked again in the next round", async () => {
  const { turns } = await quietScene();
  turns.forget(ONE);
  const fails = () => Promise.reject(new Error("the server is away"));
  await assert.rejects(turns.ask(ONE, fails, async () => []));
  assert.ok(turns.next().includes(ONE));
});
