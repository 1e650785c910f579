/** The ways that carriers publish, in the store: replaced by the next answer to the same question, and forgotten. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { PublishedWay } from "../../src/products/schedules/calls/published-way.ts";
import { listRoutings, saveRoutings } from "../../src/products/schedules/store/routings.ts";
import { START_MS } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { DAY_MS } from "./statements.ts";
import { routingPrune } from "../../src/products/schedules/store/routings.sql.ts";

const way = (voyage: string, day: number, carrier = "HRNL"): PublishedWay => ({
  carrier,
  legs: [["CNSHA", "SGSIN", day] as const, ["SGSIN", "NLRTM", day + 8] as const].map(([from, to, left]) => ({
    ...{ service: "HE1", voyage: `${voyage}${from}`, vesselImo: null, from, to },
    departureMs: START_MS + left * DAY_MS,
    arrivalMs: START_MS + (left + 6) * DAY_MS,
  })),
});

describe("published ways in the store", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 1 });
  });
  after(() => on.drop());
  const cell = () => on.productCells.of("schedules");
  beforeEach(() => on.queryIn(cell(), "truncate cell.routings"));

  const save = (
    ways: readonly PublishedWay[],
    more: { asked?: string; isWhole?: boolean; feed?: string; atMs?: number } = {},
  ) => {
    const { asked = "CNSHA-NLRTM", isWhole = true, feed = "routes", atMs = START_MS } = more;
    const published = { carrier: "HRNL", asked, ways, isWhole };
    return saveRoutings(on.database, cell(), feed, published, atMs);
  };
  const list = async (fromDay = 0, beforeDay = 60) => {
    const within = { fromMs: START_MS + fromDay * DAY_MS, beforeMs: START_MS + beforeDay * DAY_MS };
    const ports = { origin: "CNSHA", destination: "NLRTM", carriers: ["HRNL"] };
    const ways = await listRoutings(on.database, cell(), { ...ports, ...within }, 100);
    return ways.map(({ legs }) => `${legs[0]!.voyage} ${(legs[0]!.departureMs - START_MS) / DAY_MS}`);
  };

  test("a whole answer withdraws what the feed published to this question before, and nothing else", async () => {
    await save([way("1", 2), way("2", 9), way("2", 9)]);
    await save([way("3", 4)], { asked: "another" });
    await save([way("4", 5)], { feed: "another" });
    assert.deepEqual(await list(), ["1CNSHA 2", "3CNSHA 4", "4CNSHA 5", "2CNSHA 9"]);
    // The second has moved, and the first is no longer there.
    await save([way("2", 10)], { atMs: START_MS + DAY_MS });
    assert.deepEqual(await list(), ["3CNSHA 4", "4CNSHA 5", "2CNSHA 10"]);
    await save([way("5", 11)], { atMs: START_MS + 2 * DAY_MS, isWhole: false });
    assert.deepEqual(await list(), ["3CNSHA 4", "4CNSHA 5", "2CNSHA 10", "5CNSHA 11"]);
    assert.deepEqual(await list(5, 11), ["4CNSHA 5", "2CNSHA 10"]);
    await save([], { atMs: START_MS + 3 * DAY_MS });
    assert.deepEqual(await list(), ["3CNSHA 4", "4CNSHA 5"]);
  });

  test("pushes of one feed at once wait for each other, whatever they put and withdraw", async () => {
    const ways = Array.from({ length: 200 }, (_, nth) => way(String(nth), nth % 30));
    const push = (some: readonly PublishedWay[], atMs: number) =>
      on.database.transaction((tx) =>
        saveRoutings(
          tx,
          cell(),
          "routes",
          { carrier: "HRNL", asked: "pushed", ways: some, isWhole: true },
          atMs,
        ),
      );
    for (let round = 0; round < 5; round++) {
      const atMs = START_MS + round * DAY_MS;
      await Promise.all([
        push(ways.slice(0, 150), atMs),
        push(ways.slice(50).toReversed(), atMs),
        push([...ways.slice(100), ...ways.slice(0, 50)], atMs),
      ]);
    }
    await push(ways.slice(0, 3), START_MS + 5 * DAY_MS);
    assert.deepEqual(await list(), ["0CNSHA 0", "1CNSHA 1", "2CNSHA 2"]);
  });

  test("ways whose vessel was to leave long ago are pruned", async () => {
    await save([way("1", 2), way("2", 9)]);
    await routingPrune(on.database, cell(), { before: START_MS + 5 * DAY_MS, limit: 100 });
    assert.deepEqual(await list(), ["2CNSHA 9"]);
  });
});
