/** What results that are settled together make of each endpoint's counts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  countByEndpoint,
  LAST_SUCCESS_EVERY_MS,
  type EndedAttempt,
} from "../../src/engine/settle/endpoint-counts.ts";
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { settle } from "../../src/model/delivery.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { deliveryOf, queueOf } from "./endpoint.ts";

const AT_MS = 1_000_000;

/** `+` is a success, `-` a failure; each ends a millisecond after the one before it. */
function ended(queue: EndpointQueue, results: string): EndedAttempt[] {
  return results.split("").map((result, index) => {
    const outcome = { kind: "answered", statusCode: result === "+" ? 200 : 500 } as const;
    const settlement = settle(0, outcome, AT_MS + index, DEFAULT_ENGINE_SETTINGS.retry);
    return { queue: queue, delivery: deliveryOf(`${index}`), settlement, failed: null };
  });
}

/** The counts of one endpoint for the database, and whether its last success is left for later. */
function counted(queue: EndpointQueue, results: string) {
  const {
    counts: [count],
    onlySucceeded,
  } = countByEndpoint(ended(queue, results), AT_MS);
  if (count === undefined) return { later: onlySucceeded.includes(queue) };
  assert.deepEqual(onlySucceeded, []);
  const { endpointId, delivered, leadingFailures, longestRun, trailingFailures, lastDeliveredAtMs } = count;
  assert.equal(endpointId, queue.target.id);
  return {
    delivered,
    carried: leadingFailures,
    longest: longestRun,
    streak: trailingFailures,
    last: lastDeliveredAtMs === null ? null : lastDeliveredAtMs - AT_MS,
  };
}

describe("results that are settled together are counted as if one by one", () => {
  for (const [results, delivered, carried, longest, streak, last] of [
    ["-", false, 1, 0, 1, null],
    ["---", false, 3, 0, 3, null],
    ["+", true, 0, 0, 0, 0],
    ["--+", true, 2, 0, 0, 2],
    ["+--", true, 0, 2, 2, 0],
    ["-+---+-", true, 1, 3, 1, 5],
    ["+-+--+", true, 0, 2, 0, 5],
    ["+--+-", true, 0, 2, 1, 3],
  ] as const) {
    test(`${results} carries ${carried} on, has ${longest} in a row within, and ends with ${streak}`, () => {
      assert.deepEqual(counted(queueOf(), results), { delivered, carried, longest, streak, last });
    });
  }

  test("each endpoint by itself, in the order of their ids", () => {
    const [a, b] = [queueOf({ id: "a" }), queueOf({ id: "b" })];
    const [first, second] = [ended(b, "-+"), ended(a, "--")];
    const { counts } = countByEndpoint([first[0]!, second[0]!, first[1]!, second[1]!], AT_MS);
    const { counts: inOrder } = countByEndpoint([...second, ...first], AT_MS);
    assert.deepEqual(
      inOrder.map(({ endpointId }) => endpointId),
      ["a", "b"],
    );
    assert.deepEqual(
      counts.map(({ endpointId, leadingFailures, trailingFailures }) => [
        endpointId,
        leadingFailures,
        trailingFailures,
      ]),
      [
        ["a", 2, 2],
        ["b", 1, 0],
      ],
    );
  });
});

describe("the last success of an endpoint that only succeeds", () => {
  const writtenAt = (atMs: number, more: Parameters<typeof queueOf>[0] = {}) =>
    Object.assign(queueOf(more), { lastWrittenAtMs: atMs });

  test("is left for later while one was written a moment ago", () => {
    const queue = writtenAt(AT_MS - LAST_SUCCESS_EVERY_MS + 1);
    assert.deepEqual(counted(queue, "++"), { later: true });
    assert.equal(queue.lastDeliveredAtMs, AT_MS + 1);
    assert.equal(queue.lastWrittenAtMs, AT_MS - LAST_SUCCESS_EVERY_MS + 1);
  });

  test("is written when the last one that was is old enough", () => {
    const queue = writtenAt(AT_MS - LAST_SUCCESS_EVERY_MS);
    assert.equal(counted(queue, "+").delivered, true);
    assert.equal(queue.lastWrittenAtMs, AT_MS);
  });

  test("is written at once where failures are to be forgotten or counted", () => {
    assert.equal(counted(writtenAt(AT_MS, { failureCount: 1 }), "+").delivered, true);
    assert.equal(counted(writtenAt(AT_MS), "-+").carried, 1);
    assert.equal(counted(writtenAt(AT_MS), "+-+").longest, 1);
  });

  test("is not moved by failures alone", () => {
    const queue = writtenAt(5);
    counted(queue, "--");
    assert.deepEqual([queue.lastWrittenAtMs, queue.lastDeliveredAtMs], [5, 0]);
  });
});
