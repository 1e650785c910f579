/** How results are written. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { FailingEndpoint } from "../../src/store/deliveries/settling.ts";
import { FAIL, idOf, OK } from "./endpoint.ts";
import { AWAY, delivery, queue, range, startSettler } from "./settling.ts";

describe("results", () => {
  test("are gathered for a moment and written together", async () => {
    const { clock, end, batches, seen } = startSettler();
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
    const { clock, end, batches } = startSettler({ settleBatchMax: 3 });
    end([1, 2, 3, 4, 5, 6, 7]);
    await clock.rest();
    assert.deepEqual(batches(), [range(4).slice(1), range(7).slice(4)], "a full batch does not wait");
    await clock.advance(20);
    assert.deepEqual(batches().slice(2), [[7]]);
  });

  test("of an earlier number of the node are written apart", async () => {
    const { clock, settler, writings } = startSettler();
    for (const [index, node] of [1, 1, 2, 1].entries()) settler.ended(queue(), delivery(index, { node }), OK);
    await clock.advance(100);
    assert.deepEqual(
      writings.map(({ of, node }) => `${of.join()} of ${node}`),
      ["0,1 of 1", "2 of 2", "3 of 1"],
    );
  });

  test("have the failures in a row that the database counts copied to the endpoint queue and reported; none means none", async () => {
    const { clock, end, seen, state } = startSettler();
    const [bad, good] = [queue({ failureCount: 3 }), queue({ id: idOf(901), failureCount: 2 })];
    const counted = {
      id: idOf(900),
      accountId: "a",
      product: "air",
      failureCount: 4,
      disabled: false,
      changed: false,
    };
    state.answer = () => [counted];
    end([1], FAIL, bad);
    end([2], OK, good);
    await clock.advance(20);
    assert.deepEqual([bad.target.failureCount, good.target.failureCount, seen.failing], [4, 0, [idOf(900)]]);
  });
});

describe("while the database is away", () => {
  test("results wait, and are tried again less and less often", async () => {
    const { clock, logged, end, batches, seen, state } = startSettler();
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
    const { clock, settler, end, batches, seen, state } = startSettler();
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

describe("what follows from results that are written", () => {
  test("is done as far as it can be, and the results that follow are written", async () => {
    const broken = () => {
      throw new Error("our own fault");
    };
    const { clock, end, seen, logged, loops } = startSettler({}, { onFailing: broken });
    for (const results of [[1, 2], [3]]) {
      end(results);
      await clock.advance(20);
    }
    assert.deepEqual(seen.written, [1, 2, 3]);
    assert.deepEqual(logged(), Array(2).fill("error: results are written, but a step that follows failed"));
    await clock.advance(600_000);
    assert.equal(loops.overdue(), null, "nothing is expected while there is nothing to write");
  });

  test("may fail at its first step, and the others are still done", async () => {
    const { clock, end, logged, state, seen } = startSettler();
    state.answer = ({ of }) => (of.includes(1) ? [null as unknown as FailingEndpoint] : []);
    for (const number of [1, 2]) {
      end([number], number === 1 ? FAIL : OK);
      await clock.advance(20);
    }
    const failed = "error: results are written, but a step that follows failed";
    assert.deepEqual([logged(), seen.written], [Array(3).fill(failed), [1, 2]]);
  });
});

// spec 2.1: last_delivery_at
describe("the last success of an endpoint that goes on succeeding", () => {
  test("is written a second later, once, and with all else when that is waited for", async () => {
    const { clock, settler, end, seen } = startSettler();
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
    const { clock, end, seen, state, batches } = startSettler();
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
