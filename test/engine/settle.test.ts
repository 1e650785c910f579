/** How results are written, with a database that answers by hand. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import type { EndedAttempt } from "../../src/engine/settle/endpoint-counts.ts";
import { createRefusedResults } from "../../src/engine/settle/refused-results.ts";
import { createSettler, type SettlerPorts } from "../../src/engine/settle/settle.ts";
import type { InFlightDelivery } from "../../src/model/delivery.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import type { FailingEndpoint } from "../../src/store/deliveries/settling.ts";
import type { Statement } from "../../src/store/sql.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { CELL, deliveryOf, FAIL, idOf, numberOf, numbersIn, OK, queueOf } from "./endpoint.ts";

const AWAY = new StoreUnavailable("away");
const FULL = new StoreUnavailable("full", { commitUnknown: false, reason: "disk_full" });
const REFUSED = new Error("a row that is refused");

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
const delivery = (number: number, more: Partial<InFlightDelivery> = {}) => deliveryOf(idOf(number), more);
const queue = (more: Parameters<typeof queueOf>[0] = {}): EndpointQueue =>
  queueOf({ id: idOf(900), ...more });

/** One writing: the deliveries by their numbers, the node, and whether one has lost the text of its failure. */
type Writing = { readonly of: readonly number[]; readonly node: number; readonly isPlain: boolean };
type Answer = (writing: Writing) => Promise<readonly FailingEndpoint[]> | readonly FailingEndpoint[];

/** Fails the writings with that delivery. */
const failing =
  (number: number, cause: Error = REFUSED): Answer =>
  ({ of }) =>
    of.includes(number) ? Promise.reject(cause) : [];

function start(settings: Partial<EngineSettings> = {}, ports: Partial<SettlerPorts> = {}) {
  const [clock, log] = [manualClock(), recordingLog()];
  const loops = createLoopMonitor(clock, log);
  const writings: Writing[] = [];
  const seen = {
    written: [] as number[],
    failing: [] as string[],
    doubtful: [] as string[],
    lost: [] as number[],
    touched: 0,
  };
  const state = { answer: (() => []) as Answer, touch: async () => {} };
  const database = {
    async rows({ name }: Statement, parameters: readonly unknown[]) {
      if (name.startsWith("endpoint_touch")) {
        seen.touched += 1;
        return state.touch();
      }
      const isPlain = (parameters[5] as Buffer).includes("internal_error");
      const writing = { of: numbersIn(parameters[1]), node: Number(parameters[0]), isPlain };
      writings.push(writing);
      return state.answer(writing);
    },
  } as unknown as Database;
  const settler = createSettler(
    { ...DEFAULT_ENGINE_SETTINGS, ...settings },
    {
      database,
      loops,
      cell: CELL,
      clock,
      log,
      onWritten: (batch) => void seen.written.push(...batch.map((one) => numberOf(one.delivery.id))),
      onFailing: (endpoints) => void seen.failing.push(...endpoints.map(({ id }) => id)),
      onCommitUnknown: (targets) => void seen.doubtful.push(...[...targets].map(({ id }) => id)),
      onDisowned: (deliveries) => void seen.lost.push(...deliveries.map(({ id }) => numberOf(id))),
      ...ports,
    },
  );
  const end = (numbers: readonly number[], outcome = OK, to = queue()) => {
    for (const number of numbers) settler.ended(to, delivery(number), outcome);
  };
  const batches = () => writings.map(({ of }) => of);
  const logged = () => log.lines.map(({ level, message }) => `${level}: ${message}`);
  return { clock, log, logged, loops, settler, writings, batches, seen, state, end };
}

describe("results", () => {
  test("are gathered for a moment and written together", async () => {
    const { clock, end, batches, seen } = start();
    end([1]);
    await clock.advance(19);
    end([2], FAIL);
    assert.deepEqual(batches(), []);
    await clock.advance(1);
    assert.deepEqual([batches(), seen.written], [[[1, 2]], [1, 2]]);
    await clock.advance(60_000);
    assert.deepEqual([batches().length, seen.doubtful], [1, []]);
  });

  test("of more than a batch go in one batch after the other, and what is left gathers again", async () => {
    const { clock, end, batches } = start({ settleBatchMax: 3 });
    end([1, 2, 3, 4, 5, 6, 7]);
    await clock.advance(20);
    assert.deepEqual(batches(), [range(4).slice(1), range(7).slice(4)]);
    await clock.advance(20);
    assert.deepEqual(batches().slice(2), [[7]]);
  });

  test("of an earlier number of the node are written apart", async () => {
    const { clock, settler, writings } = start();
    for (const [index, node] of [1, 1, 2, 1].entries()) settler.ended(queue(), delivery(index, { node }), OK);
    await clock.advance(100);
    assert.deepEqual(
      writings.map(({ of, node }) => `${of.join()} of ${node}`),
      ["0,1 of 1", "2 of 2", "3 of 1"],
    );
  });

  test("gather while others are written", async () => {
    const { clock, end, batches, state } = start();
    let letGo: (failing: readonly FailingEndpoint[]) => void = () => undefined;
    state.answer = () => new Promise((resolve) => (letGo = resolve));
    end([1]);
    await clock.advance(20);
    end([2, 3]);
    await clock.advance(1_000);
    assert.deepEqual(batches(), [[1]]);
    letGo([]);
    await clock.advance(20);
    assert.deepEqual(batches(), [[1], [2, 3]]);
  });

  test("have the failures in a row that the database counts copied to the endpoint queue and reported; none means none", async () => {
    const { clock, end, seen, state } = start();
    const [bad, good] = [queue({ failureCount: 3 }), queue({ id: idOf(901), failureCount: 2 })];
    const counted = { id: idOf(900), accountId: "a", product: "air", failureCount: 4, disabled: false };
    state.answer = () => [counted];
    end([1], FAIL, bad);
    end([2], OK, good);
    await clock.advance(20);
    assert.deepEqual([bad.target.failureCount, good.target.failureCount, seen.failing], [4, 0, [idOf(900)]]);
  });
});

describe("while the database is away", () => {
  test("results wait, and are tried again less and less often", async () => {
    const { clock, logged, end, batches, seen, state } = start();
    state.answer = () => Promise.reject(AWAY);
    end([1], FAIL);
    end([2], OK, queue({ id: idOf(901) }));
    await clock.advance(20);
    const counts: number[] = [];
    for (const waitMs of [50, 100, 200, 500, 1_000, 1_000]) {
      await clock.advance(waitMs - 1);
      counts.push(batches().length);
      await clock.advance(1);
    }
    assert.deepEqual(counts, [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(logged(), ["warn: results wait in memory"]);
    state.answer = () => [];
    await clock.advance(1_000);
    assert.deepEqual([seen.written, seen.doubtful], [[1, 2], [idOf(900)]], "an answer may have been lost");
  });

  test("it may be given up", async () => {
    const { clock, settler, end, batches, seen, state } = start();
    state.answer = () => Promise.reject(AWAY);
    end([1]);
    await clock.advance(20);
    const idle = settler.idle();
    settler.giveUp();
    await clock.advance(10_000);
    await idle;
    end([2]);
    await clock.advance(10_000);
    assert.deepEqual([batches().length, seen.written, seen.touched], [1, [], 0]);
  });
});

describe("a result that the database refuses", () => {
  test("is found by halves, logged once, and set aside; all others are written", async () => {
    const { clock, settler, end, batches, seen, state, log } = start();
    state.answer = failing(3);
    end([1, 2, 3, 4, 5]);
    await clock.advance(20);
    assert.deepEqual(batches(), [[1, 2, 3, 4, 5], [1, 2], [3, 4, 5], [3], [4, 5]]);
    for (const what of ["at first", "tried again, and not logged again"]) {
      assert.deepEqual([seen.written, settler.refusedCount()], [[1, 2, 4, 5], 1], what);
      const fields = log.lines.map((line) => line.fields);
      assert.deepEqual(fields, [{ err: REFUSED, delivery: idOf(3), endpoint: "e" }], what);
      settler.retryRefused();
      await clock.advance(20);
    }
    assert.equal(batches().length, 7);
  });

  test("is written with a plain description where the description is at fault", async () => {
    const { clock, settler, end, writings, seen, state } = start();
    state.answer = (writing) => (writing.isPlain ? [] : failing(1)(writing));
    end([0, 1, 2], FAIL);
    await clock.advance(20);
    assert.deepEqual([sorted(seen.written), settler.refusedCount()], [[0, 1, 2], 0]);
    const plain = writings.filter(({ isPlain }) => isPlain);
    assert.deepEqual([plain.map(({ of }) => of), writings.at(-1)], [[[1]], plain[0]]);
  });

  test("is tried again with others, twice as many at a time while all are written, and at once", async () => {
    const { clock, settler, state, batches, seen, end } = start();
    state.answer = () => Promise.reject(REFUSED);
    end(range(100));
    await clock.advance(20);
    assert.equal(settler.refusedCount(), 100);
    const before = batches().length;
    state.answer = failing(60);
    settler.retryRefused();
    settler.retryRefused();
    await clock.advance(20);
    assert.deepEqual(batches().slice(before), [range(20)], "no more while these are being tried");
    await clock.advance(20);
    assert.deepEqual(batches().at(-1)?.length, 40);
    await clock.advance(1_000);
    assert.deepEqual(seen.written.length, 60 + 39, "the next forty hold the one that is still refused");
    assert.equal(settler.refusedCount(), 1);
    state.answer = () => [];
    settler.retryRefused();
    await clock.advance(20);
    assert.equal(settler.refusedCount(), 0);
    const tries = batches().length;
    settler.retryRefused();
    await clock.advance(100);
    assert.equal(batches().length, tries, "what is written is forgotten");
  });

  test("means nothing any more once the node was replaced", async () => {
    const { clock, settler, seen, batches, state, end } = start();
    state.answer = () => Promise.reject(REFUSED);
    end([1, 2]);
    await clock.advance(20);
    settler.replaced();
    assert.deepEqual([seen.lost, settler.refusedCount()], [[1, 2], 0]);
    const before = batches().length;
    settler.retryRefused();
    await clock.advance(20);
    assert.equal(batches().length, before);
  });
});

describe("a fault of the server's that may pass", () => {
  test("has all results wait while it lasts, without a word of each", async () => {
    const { clock, settler, state, seen, end, logged, loops } = start();
    state.answer = () => Promise.reject(FULL);
    end(range(8));
    await clock.advance(59_000);
    assert.deepEqual([seen.written, settler.refusedCount()], [[], 0]);
    assert.deepEqual(logged(), ["warn: results wait in memory"]);
    assert.equal(loops.overdue(), null);
    await clock.advance(2_000);
    assert.equal(loops.overdue(), "settling in cell 0");
    state.answer = () => [];
    await clock.advance(1_000);
    assert.deepEqual([sorted(seen.written), loops.overdue()], [range(8), null]);
  });

  test("that one row causes costs that row alone, also where it came by itself", async () => {
    const { clock, settler, state, seen, end } = start();
    state.answer = failing(3, FULL);
    end([3]);
    await clock.advance(5_000);
    assert.deepEqual(seen.written, [], "nothing shows yet that the database is well");
    end([4, 5, 6]);
    await clock.advance(10_000);
    assert.deepEqual([sorted(seen.written), settler.refusedCount()], [[4, 5, 6], 1]);
  });

  test("is no reason to try results apart before it has lasted", async () => {
    const { clock, batches, state, end } = start();
    state.answer = () => Promise.reject(FULL);
    end(range(4));
    await clock.advance(20 + 50 + 100 + 200 + 500);
    assert.deepEqual(batches(), Array(5).fill(range(4)));
    await clock.advance(1_000);
    assert.deepEqual(batches().slice(5), [range(4), [1]], "then a single one is tried");
  });

  test("has what is left wait where the database goes away between two halves", async () => {
    const { clock, state, batches, seen, end, settler } = start();
    state.answer = (writing) => (batches().length > 2 ? Promise.reject(AWAY) : failing(7)(writing));
    end(range(8));
    await clock.advance(20);
    assert.deepEqual(seen.written, [0, 1, 2, 3]);
    state.answer = () => [];
    await clock.advance(1_000);
    assert.deepEqual([seen.written, settler.refusedCount()], [range(8), 0]);
  });
});

describe("what follows from results that are written", () => {
  test("is done as far as it can be, and the results that follow are written", async () => {
    const broken = () => {
      throw new Error("our own fault");
    };
    const { clock, end, seen, logged, loops } = start({}, { onFailing: broken });
    for (const results of [[1, 2], [3]]) {
      end(results);
      await clock.advance(20);
    }
    assert.deepEqual(seen.written, [1, 2, 3]);
    assert.deepEqual(logged(), Array(2).fill("error: results are written, but a step that follows failed"));
    await clock.advance(600_000);
    assert.equal(loops.overdue(), null, "nothing is expected while there is nothing to write");
  });

  test("may fail as a whole, and the next are still written", async () => {
    const { clock, end, logged, state, seen } = start();
    state.answer = ({ of }) => (of.includes(1) ? [null as unknown as FailingEndpoint] : []);
    for (const number of [1, 2]) {
      end([number], number === 1 ? FAIL : OK);
      await clock.advance(20);
    }
    assert.deepEqual([logged(), seen.written], [["error: the follow-up of written results failed"], [2]]);
  });
});

// spec 2.1: last_delivery_at
describe("the last success of an endpoint that goes on succeeding", () => {
  test("is written a second later, once, and with all else when that is waited for", async () => {
    const { clock, settler, end, seen } = start();
    const to = Object.assign(queue(), { lastWrittenAtMs: clock.nowMs() });
    end([1], OK, to);
    await clock.advance(1_019);
    assert.equal(seen.touched, 0);
    await clock.advance(1);
    assert.equal(seen.touched, 1);
    assert.equal(to.lastWrittenAtMs, to.lastDeliveredAtMs);
    await clock.advance(10_000);
    assert.equal(seen.touched, 1);
    to.lastWrittenAtMs = clock.nowMs();
    end([2], OK, to);
    await settler.idle();
    assert.deepEqual([seen.written, seen.touched], [[1, 2], 2]);
    await settler.idle();
    assert.equal(seen.touched, 2);
  });

  test("is written before a failure that came after it, which it would forget", async () => {
    const { clock, end, seen, state, batches } = start();
    const touching = Promise.withResolvers<void>();
    state.touch = () => touching.promise;
    const to = Object.assign(queue(), { lastWrittenAtMs: clock.nowMs() });
    end([1], OK, to);
    await clock.advance(1_020);
    assert.equal(seen.touched, 1, "it is being written");
    end([2], FAIL, to);
    await clock.advance(1_000);
    assert.deepEqual(batches(), [[1]]);
    touching.resolve();
    await clock.advance(0);
    assert.deepEqual(batches(), [[1], [2]]);
  });
});

describe("refused results", () => {
  const ended = (id: string) => ({ queue: queueOf(), delivery: deliveryOf(id) }) as unknown as EndedAttempt;
  const idsOf = (batch: readonly EndedAttempt[]) => batch.map((one) => one.delivery.id);

  function startRefused(...ids: readonly string[]) {
    const refused = createRefusedResults(recordingLog());
    for (const id of ids) refused.setAside(ended(id), REFUSED);
    return refused;
  }

  test("are tried twenty at a time, least recently tried first, and the next when these have ended", () => {
    const ids = range(25).map((index) => `d${index}`);
    const refused = startRefused(...ids);
    const first = refused.retry();
    assert.deepEqual(idsOf(first), ids.slice(0, 20));
    assert.deepEqual(refused.retry(), []);
    refused.written(first.slice(0, 19));
    assert.deepEqual(refused.retry(), [], "one of them is still being tried");
    refused.setAside(first[19]!, REFUSED);
    assert.deepEqual(idsOf(refused.retry()), [...ids.slice(20), "d19"]);
    assert.equal(refused.count(), 6);
  });

  test("are dropped when they are written; other results do not touch them", () => {
    const refused = startRefused("a");
    refused.written([ended("b")]);
    assert.equal(refused.count(), 1);
    refused.written([ended("a")]);
    assert.deepEqual([refused.count(), refused.retry()], [0, []]);
  });

  test("are abandoned, except while they are being tried", () => {
    const refused = startRefused("a");
    const abandoned = () => refused.abandon().map(({ id }) => id);
    refused.retry();
    refused.setAside(ended("b"), REFUSED);
    assert.deepEqual([abandoned(), refused.count()], [["b"], 1]);
    refused.setAside(ended("a"), REFUSED);
    assert.deepEqual([abandoned(), refused.count()], [["a"], 0]);
  });
});
