/** Results that the database refuses, kept until it takes them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createRefusedResults } from "../../src/engine/settle/refused-results.ts";
import type { EndedAttempt } from "../../src/engine/settle/endpoint-counts.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, queueOf } from "./endpoint.ts";

const ended = (id: string): EndedAttempt =>
  ({ queue: queueOf(), delivery: deliveryOf(id) }) as unknown as EndedAttempt;
const idsOf = (batch: readonly EndedAttempt[]) => batch.map(({ delivery }) => delivery.id);

function start(...ids: readonly string[]) {
  const log = recordingLog();
  const refused = createRefusedResults(log);
  for (const id of ids) refused.setAside(ended(id), new Error("refused"));
  return { log, refused };
}

describe("refused results", () => {
  test("are logged once each, with delivery and endpoint", () => {
    const { log, refused } = start("a", "b", "a");
    assert.equal(refused.count(), 2);
    const logged = log.lines.map(
      ({ fields }) => fields as { err: Error; delivery: string; endpoint: string },
    );
    assert.deepEqual(
      logged.map(({ err, delivery, endpoint }) => [err.message, delivery, endpoint]),
      [
        ["refused", "a", "e"],
        ["refused", "b", "e"],
      ],
    );
  });

  test("are tried twenty at a time, least recently tried first, and the next when these have ended", () => {
    const ids = Array.from({ length: 25 }, (_, index) => `d${index}`);
    const { refused } = start(...ids);
    const first = refused.retry();
    assert.deepEqual(idsOf(first), ids.slice(0, 20));
    assert.deepEqual(refused.retry(), []);
    refused.written(first.slice(0, 19));
    assert.deepEqual(refused.retry(), [], "one of them is still being tried");
    refused.setAside(first[19]!, new Error("again"));
    assert.deepEqual(idsOf(refused.retry()), [...ids.slice(20), "d19"]);
    assert.equal(refused.count(), 6);
  });

  test("are dropped when they are written; other results do not touch them", () => {
    const { refused } = start("a");
    refused.written([ended("b")]);
    assert.equal(refused.count(), 1);
    refused.written([ended("a")]);
    assert.equal(refused.count(), 0);
    refused.written([ended("a")]);
    assert.deepEqual(refused.retry(), []);
  });

  test("are abandoned, except while they are being tried", () => {
    const { refused } = start("a");
    refused.retry();
    refused.setAside(ended("b"), new Error("refused"));
    assert.deepEqual(
      refused.abandon().map(({ id }) => id),
      ["b"],
    );
    assert.equal(refused.count(), 1);
    refused.setAside(ended("a"), new Error("again"));
    assert.deepEqual(
      refused.abandon().map(({ id }) => id),
      ["a"],
    );
    assert.equal(refused.count(), 0);
  });
});
