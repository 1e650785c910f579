/** Searches of connections at once: two run, some wait, and no address has all turns. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";

import { createSearchTurns } from "../../src/products/schedules/search/search-turns.ts";
import { manualClock } from "../support/clock.ts";

function scene() {
  const clock = manualClock();
  const turns = createSearchTurns(clock);
  const ends: PromiseWithResolvers<number>[] = [];
  const outcomes: string[] = [];
  let running = 0;
  let most = 0;
  return {
    clock,
    outcomes,
    most: () => most,
    begun: () => ends.length,
    async end(nth: number) {
      ends[nth]!.resolve(nth);
      await setImmediate();
    },
    async fail(nth: number) {
      ends[nth]!.reject(new Error("the database is away"));
      await setImmediate();
    },
    async ask(...addresses: readonly string[]) {
      for (const address of addresses) {
        void turns
          .take(address, async () => {
            running += 1;
            most = Math.max(most, running);
            const end = Promise.withResolvers<number>();
            ends.push(end);
            return end.promise.finally(() => (running -= 1));
          })
          .then(
            (taken) =>
              outcomes.push(`${address} ${taken.kind === "busy" ? taken.reason : String(taken.found)}`),
            () => outcomes.push(`${address} failed`),
          );
      }
      await setImmediate();
    },
  };
}

const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `a${at}`);

test("two searches run at once, and the next begins when one ends, or fails", async () => {
  const { ask, begun, end, fail, outcomes, most } = scene();
  await ask("a", "b", "c", "d");
  assert.equal(begun(), 2);
  await end(1);
  await fail(0);
  assert.equal(begun(), 4);
  await end(2);
  await end(3);
  assert.deepEqual([outcomes, most()], [["b 1", "a failed", "c 2", "d 3"], 2]);
  await ask("a", "a");
  assert.equal(begun(), 6);
});

test("an address has no more than four searches, running and waiting", async () => {
  const { ask, end, outcomes } = scene();
  await ask("a", "a", "a", "a", "a", "b");
  assert.deepEqual(outcomes, ["a address_limit"]);
  await end(0);
  await ask("a");
  assert.deepEqual(outcomes, ["a address_limit", "a 0"]);
});

test("no more than twenty searches wait, none of them for long", async () => {
  const { ask, begun, end, clock, outcomes } = scene();
  await ask(...addresses(23));
  assert.deepEqual(outcomes, ["a22 queue_full"]);
  await end(0);
  assert.equal(begun(), 3);
  await clock.advance(10_000);
  assert.equal(outcomes.filter((outcome) => outcome.endsWith("queue_full")).length, 1 + 19);
  // Searches that gave up hold no place.
  await end(1);
  await end(2);
  await ask("a5", "a5", "a5");
  assert.deepEqual([begun(), clock.pending()], [5, 1]);
});
