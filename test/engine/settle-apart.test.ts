/** Results of which some cannot be written, with a database that answers by hand. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { createSettler } from "../../src/engine/settle/settle.ts";
import type { Outcome } from "../../src/model/delivery.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, queueOf } from "./endpoint.ts";

const OK: Outcome = { kind: "answered", statusCode: 200 };
const FAIL: Outcome = { kind: "answered", statusCode: 500 };
const FULL = new StoreUnavailable("full", { commitUnknown: false, reason: "disk_full" });
const AWAY = new StoreUnavailable("away");
const REFUSED = new Error("refused");

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** `fail` says what becomes of a writing: null, and it is written. */
function start(
  fail: (of: readonly number[], isPlain: boolean) => Error | null,
  onFailing: () => void = () => undefined,
) {
  const [clock, log] = [manualClock(), recordingLog()];
  const loops = createLoopMonitor(clock, log);
  const state = { fail };
  const writings: number[][] = [];
  const written: number[] = [];
  const lost: number[] = [];
  const database = {
    async rows({ name }: { readonly name: string }, parameters: readonly unknown[]) {
      if (name.startsWith("endpoint_touch")) return [];
      const hex = (parameters[1] as Buffer).toString("hex");
      const of = [...hex.matchAll(/00000000000070008000(\d{12})/g)].map(([, number]) => Number(number));
      writings.push(of);
      const failure = state.fail(of, (parameters[5] as Buffer).includes("internal_error"));
      if (failure !== null) throw failure;
      return [];
    },
  } as unknown as Database;
  const settler = createSettler(DEFAULT_ENGINE_SETTINGS, {
    database,
    loops,
    cell: { number: 0, schema: "c", directory: "d" },
    clock,
    log,
    onWritten: (batch) => void written.push(...batch.map(({ delivery }) => Number(delivery.id.slice(-12)))),
    onFailing,
    onCommitUnknown: () => undefined,
    onDisowned: (deliveries) => void lost.push(...deliveries.map(({ id }) => Number(id.slice(-12)))),
  });
  const end = (numbers: readonly number[], outcome = OK) => {
    for (const number of numbers) settler.ended(queueOf(), deliveryOf(idOf(number)), outcome);
  };
  const errors = () => log.lines.filter(({ level }) => level === "error").length;
  return { clock, log, loops, settler, state, writings, written, lost, end, errors };
}

describe("a result that the database refuses", () => {
  test("is found by halves, logged once, and set aside; all others are written", async () => {
    const { clock, settler, written, writings, end, errors } = start((of) =>
      of.includes(5) ? REFUSED : null,
    );
    end(range(16));
    await clock.advance(20);
    assert.deepEqual(
      written,
      range(16).filter((number) => number !== 5),
    );
    assert.ok(writings.length <= 9, `${writings.length} statements`);
    assert.deepEqual([settler.refusedCount(), errors()], [1, 1]);
    settler.retryRefused();
    await clock.advance(20);
    assert.deepEqual([settler.refusedCount(), errors()], [1, 1], "tried again, and not logged again");
  });

  test("is written with a plain description where the description is at fault", async () => {
    const { clock, settler, written, end } = start((of, isPlain) =>
      of.includes(1) && !isPlain ? REFUSED : null,
    );
    end([0, 1, 2], FAIL);
    await clock.advance(20);
    assert.deepEqual([written.toSorted((a, b) => a - b), settler.refusedCount()], [[0, 1, 2], 0]);
  });

  test("is tried again with others, twice as many at a time while all are written, and at once", async () => {
    const { clock, settler, state, writings, written, end } = start(() => REFUSED);
    end(range(100));
    await clock.advance(20);
    assert.equal(settler.refusedCount(), 100);
    writings.length = 0;
    state.fail = (of) => (of.includes(60) ? REFUSED : null);
    settler.retryRefused();
    settler.retryRefused();
    await clock.advance(20);
    assert.deepEqual(writings, [range(20)], "no more while these are being tried");
    await clock.advance(20);
    assert.deepEqual(writings.at(-1)?.length, 40);
    await clock.advance(1_000);
    assert.deepEqual(written.length, 60 + 39, "the next forty hold the one that is still refused");
    assert.equal(settler.refusedCount(), 1);
    state.fail = () => null;
    settler.retryRefused();
    await clock.advance(20);
    assert.equal(settler.refusedCount(), 0);
  });

  test("means nothing any more once the node was replaced", async () => {
    const { clock, settler, lost, writings, end } = start(() => REFUSED);
    end([1, 2]);
    await clock.advance(20);
    settler.replaced();
    assert.deepEqual([lost, settler.refusedCount()], [[1, 2], 0]);
    const before = writings.length;
    settler.retryRefused();
    await clock.advance(20);
    assert.equal(writings.length, before);
  });
});

describe("a fault of the server's that may pass", () => {
  test("has all results wait while it lasts, without a word of each", async () => {
    const { clock, settler, state, written, end, log, loops } = start(() => FULL);
    end(range(8));
    await clock.advance(59_000);
    assert.deepEqual([written, settler.refusedCount()], [[], 0]);
    assert.deepEqual(
      log.lines.map(({ level, message }) => [level, message]),
      [["warn", "results wait in memory"]],
    );
    assert.equal(loops.overdue(), null);
    await clock.advance(2_000);
    assert.equal(loops.overdue(), "settling in cell 0");
    state.fail = () => null;
    await clock.advance(1_000);
    assert.deepEqual([written.toSorted((a, b) => a - b), loops.overdue()], [range(8), null]);
  });

  test("that one row causes costs that row alone, also where it came by itself", async () => {
    const { clock, settler, written, end } = start((of) => (of.includes(3) ? FULL : null));
    end([3]);
    await clock.advance(5_000);
    assert.deepEqual(written, [], "nothing shows yet that the database is well");
    end([4, 5, 6]);
    await clock.advance(10_000);
    assert.deepEqual([written.toSorted((a, b) => a - b), settler.refusedCount()], [[4, 5, 6], 1]);
  });

  test("is no reason to try results apart before it has lasted", async () => {
    const { clock, writings, end } = start(() => FULL);
    end(range(4));
    await clock.advance(20 + 50 + 100 + 200 + 500);
    assert.deepEqual(
      writings,
      Array.from({ length: 5 }, () => range(4)),
    );
    await clock.advance(1_000);
    assert.deepEqual(writings.slice(5), [range(4), [1]], "then a single one is tried");
  });

  test("has what is left wait where the database goes away between two halves", async () => {
    let tries = 0;
    const { clock, state, written, end, settler } = start((of) => {
      tries += 1;
      if (tries > 2) return AWAY;
      return of.includes(7) ? REFUSED : null;
    });
    end(range(8));
    await clock.advance(20);
    assert.deepEqual(written, [0, 1, 2, 3]);
    state.fail = () => null;
    await clock.advance(1_000);
    assert.deepEqual([written, settler.refusedCount()], [range(8), 0]);
  });
});

describe("what follows from a result that is written", () => {
  test("is done as far as it can be, and the results that follow are written", async () => {
    const broken = () => {
      throw new Error("our own fault");
    };
    const { clock, end, written, log, loops } = start(() => null, broken);
    end([1, 2]);
    await clock.advance(20);
    end([3]);
    await clock.advance(20);
    assert.deepEqual(written, [1, 2, 3]);
    assert.deepEqual(
      log.lines.map(({ level, message }) => [level, message]),
      Array.from({ length: 2 }, () => ["error", "results are written, but a step that follows failed"]),
    );
    await clock.advance(600_000);
    assert.equal(loops.overdue(), null, "nothing is expected while there is nothing to write");
  });
});
