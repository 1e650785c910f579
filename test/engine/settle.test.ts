/** How results are written, with a database that answers by hand. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import { createSettler } from "../../src/engine/settle/settle.ts";
import type { InFlightDelivery, Outcome } from "../../src/model/delivery.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import type { FailingEndpoint } from "../../src/store/deliveries/settling.ts";
import type { Statement } from "../../src/store/sql.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, queueOf } from "./endpoint.ts";

const OK: Outcome = { kind: "answered", statusCode: 200 };
const FAIL: Outcome = { kind: "answered", statusCode: 500 };
const AWAY = new StoreUnavailable("away");
const BROKEN = new Error("a row that is refused");

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const delivery = (number: number, more: Partial<InFlightDelivery> = {}) => deliveryOf(idOf(number), more);
const queue = (more: Parameters<typeof queueOf>[0] = {}): EndpointQueue =>
  queueOf({ id: idOf(900), ...more });

/** One writing: the deliveries by their numbers, the node, and whether one has lost the text of its failure. */
type Writing = { readonly of: readonly number[]; readonly node: number; readonly isPlain: boolean };

function start(settings: Partial<EngineSettings> = {}) {
  const [clock, log] = [manualClock(), recordingLog()];
  const writings: Writing[] = [];
  const seen = {
    written: [] as number[],
    failing: [] as string[],
    doubtful: [] as string[],
    lost: [] as string[],
    touched: 0,
  };
  const state: {
    answer: (writing: Writing) => Promise<readonly FailingEndpoint[]> | readonly FailingEndpoint[];
  } = {
    answer: () => [],
  };
  const database = {
    async rows({ name }: Statement, parameters: readonly unknown[]) {
      if (name.startsWith("endpoint_touch")) return void seen.touched++;
      const ids = (parameters[1] as Buffer).toString("hex");
      const of = Array.from({ length: 60 }, (_, number) => number).filter((number) =>
        ids.includes(idOf(number).replaceAll("-", "")),
      );
      const writing = {
        of,
        node: Number(parameters[0]),
        isPlain: (parameters[5] as Buffer).includes("internal_error"),
      };
      writings.push(writing);
      return state.answer(writing);
    },
  } as unknown as Database;
  const settler = createSettler(
    { ...DEFAULT_ENGINE_SETTINGS, ...settings },
    {
      database,
      loops: createLoopMonitor(clock, log),
      cell: { number: 0, schema: "c", directory: "d" },
      clock,
      log,
      onWritten: (batch) => void seen.written.push(...batch.map((one) => Number(one.delivery.id.slice(-12)))),
      onFailing: (endpoints) => void seen.failing.push(...endpoints.map(({ id }) => id)),
      onCommitUnknown: (targets) => void seen.doubtful.push(...[...targets].map(({ id }) => id)),
      onDisowned: (deliveries) => void seen.lost.push(...deliveries.map(({ id }) => id)),
    },
  );
  const batches = () => writings.map(({ of }) => of);
  return { clock, log, settler, writings, batches, seen, state };
}

describe("results", () => {
  test("are gathered for a moment and written together", async () => {
    const { clock, settler, batches, seen } = start();
    const to = queue();
    settler.ended(to, delivery(1), OK);
    await clock.advance(19);
    settler.ended(to, delivery(2), FAIL);
    assert.deepEqual(batches(), []);
    await clock.advance(1);
    assert.deepEqual([batches(), seen.written], [[[1, 2]], [1, 2]]);
    await clock.advance(60_000);
    assert.equal(batches().length, 1);
  });

  test("are written at once when there are enough, and no more than that together", async () => {
    const { clock, settler, batches } = start({ settleBatchMax: 3 });
    for (let number = 1; number <= 7; number += 1) settler.ended(queue(), delivery(number), OK);
    await clock.advance(0);
    assert.deepEqual(
      batches(),
      [
        [1, 2, 3],
        [4, 5, 6],
      ].slice(0, batches().length),
    );
    await clock.advance(40);
    assert.deepEqual(batches(), [[1, 2, 3], [4, 5, 6], [7]]);
  });

  test("of an earlier number of the node are written apart", async () => {
    const { clock, settler, writings } = start();
    for (const [number, node] of [
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 1],
    ] as const)
      settler.ended(queue(), delivery(number, { node }), OK);
    await clock.advance(100);
    assert.deepEqual(
      writings.map(({ of, node }) => [of, node]),
      [
        [[1, 2], 1],
        [[3], 2],
        [[4], 1],
      ],
    );
  });

  test("gather while others are written", async () => {
    const { clock, settler, batches, state } = start();
    let letGo: (failing: readonly FailingEndpoint[]) => void = () => undefined;
    state.answer = () => new Promise((resolve) => (letGo = resolve));
    settler.ended(queue(), delivery(1), OK);
    await clock.advance(20);
    settler.ended(queue(), delivery(2), OK);
    settler.ended(queue(), delivery(3), OK);
    await clock.advance(1_000);
    assert.deepEqual(batches(), [[1]]);
    letGo([]);
    await clock.advance(20);
    assert.deepEqual(batches(), [[1], [2, 3]]);
  });
});

describe("the failures in a row that the database counts", () => {
  test("are copied to the endpoint queue and reported, and none means none", async () => {
    const { clock, settler, seen, state } = start();
    const [bad, good] = [queue({ failureCount: 3 }), queue({ id: idOf(901), failureCount: 2 })];
    state.answer = () => [
      { id: idOf(900), accountId: "a", product: "air", failureCount: 4, disabled: false },
    ];
    settler.ended(bad, delivery(1), FAIL);
    settler.ended(good, delivery(2), OK);
    await clock.advance(20);
    assert.deepEqual([bad.target.failureCount, good.target.failureCount, seen.failing], [4, 0, [idOf(900)]]);
  });
});

describe("while the database is away", () => {
  test("results wait, and are tried again less and less often", async () => {
    const { clock, log, settler, batches, seen, state } = start();
    state.answer = () => Promise.reject(AWAY);
    const to = queue();
    settler.ended(to, delivery(1), FAIL);
    settler.ended(queue({ id: idOf(901) }), delivery(2), OK);
    await clock.advance(20);
    const counts: number[] = [];
    for (const waitMs of [50, 100, 200, 500, 1_000, 1_000]) {
      await clock.advance(waitMs - 1);
      counts.push(batches().length);
      await clock.advance(1);
    }
    assert.deepEqual(counts, [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(
      log.lines.map(({ level, message }) => [level, message]),
      [["warn", "results wait in memory"]],
    );
    state.answer = () => [];
    await clock.advance(1_000);
    assert.deepEqual([seen.written, seen.doubtful], [[1, 2], [idOf(900)]], "an answer may have been lost");
  });

  test("nothing is of unknown commit where the first try was answered", async () => {
    const { clock, settler, seen } = start();
    settler.ended(queue(), delivery(1), FAIL);
    await clock.advance(20);
    assert.deepEqual(seen.doubtful, []);
  });

  test("it may be given up", async () => {
    const { clock, settler, batches, seen, state } = start();
    state.answer = () => Promise.reject(AWAY);
    settler.ended(queue(), delivery(1), OK);
    await clock.advance(20);
    const idle = settler.idle();
    settler.giveUp();
    await clock.advance(10_000);
    await idle;
    settler.ended(queue(), delivery(2), OK);
    await clock.advance(10_000);
    assert.deepEqual([batches().length, seen.written, seen.touched], [1, [], 0]);
  });
});

describe("a result that the database refuses", () => {
  const refusing =
    (bad: number, unless: (writing: Writing) => boolean = () => false) =>
    (writing: Writing) =>
      writing.of.includes(bad) && !unless(writing) ? Promise.reject(BROKEN) : [];

  test("is found by halves, and costs no other", async () => {
    const { clock, settler, batches, seen, state, log } = start();
    state.answer = refusing(3);
    for (let number = 1; number <= 5; number += 1) settler.ended(queue(), delivery(number), OK);
    await clock.advance(20);
    assert.deepEqual(batches(), [[1, 2, 3, 4, 5], [1, 2], [3, 4, 5], [3], [4, 5]]);
    assert.deepEqual([seen.written, settler.refusedCount()], [[1, 2, 4, 5], 1]);
    assert.deepEqual(
      log.lines.map(({ fields }) => fields),
      [{ err: BROKEN, delivery: idOf(3), endpoint: "e" }],
    );
  });

  test("is tried without the text of its failure before it is set aside", async () => {
    const { clock, settler, writings, seen, state } = start();
    state.answer = refusing(1, ({ isPlain }) => isPlain);
    settler.ended(queue(), delivery(1), FAIL);
    await clock.advance(20);
    assert.deepEqual(
      writings.map(({ isPlain }) => isPlain),
      [false, true],
    );
    assert.deepEqual([seen.written, settler.refusedCount()], [[1], 0]);
  });

  test("is tried again when that is asked for, and forgotten once it is written", async () => {
    const { clock, settler, batches, seen, state } = start();
    state.answer = refusing(1);
    settler.ended(queue(), delivery(1), OK);
    await clock.advance(20);
    assert.equal(settler.refusedCount(), 1);
    settler.retryRefused();
    await clock.advance(20);
    assert.deepEqual([batches(), settler.refusedCount()], [[[1], [1]], 1]);
    state.answer = () => [];
    settler.retryRefused();
    await clock.advance(20);
    assert.deepEqual([seen.written, settler.refusedCount()], [[1], 0]);
    settler.retryRefused();
    await clock.advance(100);
    assert.equal(batches().length, 3);
  });

  test("is another's once this node was replaced", async () => {
    const { clock, settler, seen, state } = start();
    state.answer = refusing(1);
    settler.ended(queue(), delivery(1), OK);
    await clock.advance(20);
    settler.replaced();
    assert.deepEqual([seen.lost, settler.refusedCount()], [[idOf(1)], 0]);
  });
});

describe("the last success of an endpoint that goes on succeeding", () => {
  test("is written a second later, once, and with all else when that is waited for", async () => {
    const { clock, settler, seen } = start();
    const to = Object.assign(queue(), { lastWrittenAtMs: clock.nowMs() });
    settler.ended(to, delivery(1), OK);
    await clock.advance(20);
    assert.equal(seen.touched, 0);
    await clock.advance(999);
    assert.equal(seen.touched, 0);
    await clock.advance(1);
    assert.equal(seen.touched, 1);
    assert.equal(to.lastWrittenAtMs, to.lastDeliveredAtMs);
    await clock.advance(10_000);
    assert.equal(seen.touched, 1);
    to.lastWrittenAtMs = clock.nowMs();
    settler.ended(to, delivery(2), OK);
    await settler.idle();
    assert.deepEqual([seen.written, seen.touched], [[1, 2], 2]);
    await settler.idle();
    assert.equal(seen.touched, 2);
  });
});

test("what is made of written results may fail, and the next are still written", async () => {
  const { clock, settler, log, state, seen } = start();
  let faults = 1;
  state.answer = () => {
    if (faults-- > 0) return [null as unknown as FailingEndpoint];
    return [];
  };
  settler.ended(queue(), delivery(1), FAIL);
  await clock.advance(20);
  assert.equal(log.lines[0]?.message, "the follow-up of written results failed");
  settler.ended(queue(), delivery(2), OK);
  await clock.advance(20);
  assert.deepEqual(seen.written, [2]);
});
