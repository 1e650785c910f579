/** Reports of vessels as nodes share them, and the boxes aboard. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { Cell } from "../../src/store/cell.ts";
import {
  claimVesselPolls,
  pruneVessels,
  readReports,
  storeReports,
  vesselsToPoll,
  makeDueAboard,
} from "../../src/products/ocean/store/vessels.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const NOW = Date.UTC(2026, 10, 2, 12);
const MINUTE_MS = 60_000;
const [DAWN, DUSK, NOON] = ["9000001", "9000002", "9000003"];

describe("vessels in the store", () => {
  let stored: TestDatabase;
  let cell: Cell;
  before(async () => {
    stored = await createTestDatabase();
    cell = stored.cells.at(-1)!;
  });
  after(() => stored.drop());

  const ask = (atMs: number, limit = 10) =>
    claimVesselPolls(stored.database, cell, [DAWN, DUSK, NOON], {
      atMs,
      sinceMs: atMs - 5 * MINUTE_MS,
      limit,
    });
  const report = (imo: string, status: number, seenAtMs: number, atMs = seenAtMs) =>
    storeReports(stored.database, cell, [{ imo, status, seenAtMs }], atMs);

  test("one node claims a vessel, the longest unpolled first, and skips vessels with a recent report", async () => {
    assert.deepEqual(await ask(NOW, 1), [DAWN]);
    const both = await Promise.all([ask(NOW + 1), ask(NOW + 1)]);
    assert.deepEqual(both.flat().toSorted(), [DUSK, NOON]);
    assert.deepEqual(await ask(NOW + 2), []);
    assert.equal(await report(DUSK, 1, NOW + MINUTE_MS), 1);
    assert.deepEqual(await ask(NOW + 5 * MINUTE_MS), [DAWN]);
    assert.deepEqual(await ask(NOW + 5 * MINUTE_MS + 1), [NOON], "the other vessel has a recent report");
    assert.deepEqual((await ask(NOW + 6 * MINUTE_MS)).toSorted(), [DUSK]);
  });

  test("only what is newer is written, also by two at once", async () => {
    const atMs = NOW + 10 * MINUTE_MS;
    const sorted = await Promise.all([report(DAWN, 5, atMs), report(DAWN, 1, atMs + 1)]);
    assert.equal(sorted[1], 1);
    assert.equal(await report(DAWN, 0, atMs), 0);
    const since = { writtenMs: atMs, seenMs: atMs };
    assert.deepEqual(await readReports(stored.database, cell, since, 10), [
      { imo: DAWN, status: 1, seenAtMs: atMs + 1 },
    ]);
  });

  test("boxes are found by the vessels that they are aboard of, and woken where they stand otherwise", async () => {
    const { address, database } = stored;
    const account = "01890000-0000-7000-8000-0000000000aa";
    await query(address, `insert into ${cell.schema}.accounts (id) values ($1)`, [account]);
    const box = async (reference: string, status: string, vessels: string[] | null, hours: number | null) => {
      const from = hours === null ? null : new Date(NOW + hours * 3_600_000);
      const until = hours === null ? null : new Date(NOW + (hours + 24) * 3_600_000);
      const values = [account, reference, status, vessels, from, until, new Date(NOW)];
      await query(
        address,
        `insert into ${cell.schema}.shipments
           (id, account_id, reference, status, vessels, vessels_from, vessels_until, created_at,
            carrier, record)
         values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, 'HRNL', '{}')`,
        values,
      );
    };
    await box("ARRIVING", "arriving", [DAWN], -1);
    await box("ANCHORED", "at_anchor", [DAWN], -1);
    await box("SEVERAL", "at_anchor", [DAWN, DUSK], -30);
    await box("LATER", "in_transit", [NOON], 1);
    await box("ASHORE", "discharged", null, null);
    assert.deepEqual(await vesselsToPoll(database, cell, NOW, 10), [DAWN]);
    const changing = async () => {
      const sql = `select reference, changes_at as at from ${cell.schema}.shipments where changes_at is not null`;
      const { rows } = await query(address, `${sql} order by reference`);
      return rows.map(({ reference, at }) => `${reference} ${at.getTime() - NOW}`);
    };
    await makeDueAboard(database, cell, [DAWN], ["in_transit", "arriving", "at_berth"], NOW + 5);
    assert.deepEqual(await changing(), ["ARRIVING 5", "SEVERAL 5"]);
    await makeDueAboard(database, cell, [DAWN, NOON], ["in_transit", "arriving", "at_berth"], NOW + 9);
    assert.deepEqual(await changing(), ["ARRIVING 5", "LATER 9", "SEVERAL 5"], "never put off");
  });

  test("vessels with no poll or report since are pruned", async () => {
    const atMs = NOW + 100 * MINUTE_MS;
    await report(NOON, 5, atMs);
    assert.equal(await pruneVessels(stored.database, cell, atMs), false);
    const left = await readReports(stored.database, cell, { writtenMs: 0, seenMs: 0 }, 10);
    assert.deepEqual(
      left.map(({ imo }) => imo),
      [NOON],
    );
  });

  describe("by themselves", () => {
    const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = [1, 2, 3, 4, 5].map((n) => `900000${n}`);
    const SINCE = NOW + 10;
    const at = (ms: number | null) => (ms === null ? null : new Date(NOW + ms));
    const insert = (
      imo: string,
      times: { readonly seen?: number; readonly written?: number; readonly asked?: number },
    ) =>
      query(
        stored.address,
        `insert into ${cell.directory}.vessels (imo, status, seen_at, written_at, polled_at) values ($1, $2, $3, $4, $5)`,
        [
          imo,
          times.written === undefined ? null : 1,
          ...[times.seen ?? times.written ?? null, times.written ?? null, times.asked ?? null].map(at),
        ],
      );
    beforeEach(() => query(stored.address, `truncate ${cell.directory}.vessels`));

    test("vessels that were never polled come first, then the longest unpolled", async () => {
      await insert(FIRST!, { asked: 9 });
      await insert(SECOND!, { asked: 8 });
      await insert(THIRD!, { written: 10 });
      await insert(FIFTH!, { asked: 9, written: 11 });
      const all = [FIRST!, SECOND!, THIRD!, FOURTH!, FIFTH!];
      const asked: string[][] = [];
      for (const limit of [1, 1, 1, 9])
        asked.push([
          ...(await claimVesselPolls(stored.database, cell, all, { atMs: NOW + 20, sinceMs: SINCE, limit })),
        ]);
      assert.deepEqual(asked, [[THIRD], [FOURTH], [SECOND], [FIRST]]);
    });

    test("only vessels that are asked about are asked for", async () => {
      await insert(FIRST!, { asked: 1 });
      await insert(SECOND!, { asked: 1 });
      const times = { atMs: NOW + 20, sinceMs: SINCE, limit: 9 };
      assert.deepEqual(await claimVesselPolls(stored.database, cell, [SECOND!], times), [SECOND]);
    });

    test("a vessel that was only asked for takes its first report, and another's stays", async () => {
      await insert(FIRST!, { asked: 1 });
      await insert(SECOND!, { written: 5 });
      assert.equal(await report(FIRST!, 3, NOW + 2, NOW + 30), 1);
      assert.equal(await report(SECOND!, 3, NOW + 5, NOW + 30), 0, "it was seen then already");
      const { rows } = await query(
        stored.address,
        `select imo, status, seen_at as seen, written_at as written, polled_at as asked
         from ${cell.directory}.vessels order by imo`,
      );
      assert.deepEqual(rows, [
        { imo: FIRST, status: 3, seen: at(2), written: at(30), asked: at(1) },
        { imo: SECOND, status: 1, seen: at(5), written: at(5), asked: null },
      ]);
      assert.equal(await report(SECOND!, 4, NOW + 6, NOW + 31), 1);
    });

    test("reports are read by when they were written and seen, the latest seen first", async () => {
      await insert(FIRST!, { seen: 5, written: 10 });
      await insert(SECOND!, { seen: 7, written: 10 });
      await insert(THIRD!, { seen: 4, written: 10 });
      await insert(FOURTH!, { seen: 6, written: 9 });
      await insert(FIFTH!, { seen: 6, written: 11 });
      const read = async (limit: number) =>
        (await readReports(stored.database, cell, { writtenMs: NOW + 10, seenMs: NOW + 5 }, limit)).map(
          ({ imo, seenAtMs }) => [imo, seenAtMs - NOW],
        );
      const all = [
        [SECOND, 7],
        [FIFTH, 6],
        [FIRST, 5],
      ];
      assert.deepEqual(await read(9), all);
      assert.deepEqual(await read(2), all.slice(0, 2));
    });

    test("they are forgotten in steps, by the last that was heard or asked of them", async () => {
      await insert(FIRST!, { written: 9, asked: 10 });
      await insert(SECOND!, { written: 10, asked: 9 });
      await insert(THIRD!, { asked: 9 });
      await insert(FOURTH!, { written: 9 });
      const prune = () => pruneVessels(stored.database, cell, NOW + 10);
      const left = async () =>
        (await query(stored.address, `select imo from ${cell.directory}.vessels order by imo`)).rows.map(
          ({ imo }) => imo,
        );
      assert.equal(await prune(), false);
      assert.deepEqual(await left(), [FIRST, SECOND]);
      await query(
        stored.address,
        `insert into ${cell.directory}.vessels (imo, polled_at)
         select (1000000 + n)::text, to_timestamp(0) from generate_series(1, 2001) n`,
      );
      assert.equal(await prune(), true);
      assert.deepEqual(await left(), ["1002001", FIRST, SECOND]);
      assert.equal(await prune(), false);
    });

    const aboard = async (
      boxes: readonly (readonly [vessels: readonly string[], from: number, until: number])[],
    ) => {
      const account = "01890000-0000-7000-8000-0000000000bb";
      await query(stored.address, `delete from ${cell.schema}.shipments`);
      await query(
        stored.address,
        `insert into ${cell.schema}.accounts (id) values ($1) on conflict do nothing`,
        [account],
      );
      for (const [index, [vessels, from, until]] of boxes.entries())
        await query(
          stored.address,
          `insert into ${cell.schema}.shipments
             (id, account_id, reference, status, vessels, vessels_from, vessels_until, created_at, carrier, record)
           values (gen_random_uuid(), $1, $2, 'arriving', $3, $4, $5, $6, 'HRNL', '{}')`,
          [account, `REFERENCE${index}`, vessels, at(from), at(until), at(0)],
        );
    };

    test("vessels with boxes aboard that arrive about now are named once, up to the limit", async () => {
      await aboard([
        [[FIRST!, SECOND!], 0, 1],
        [[FIRST!], -1, 2],
        [[THIRD!], -1, 0],
        [[FOURTH!], 1, 2],
      ]);
      const near = async (limit: number) =>
        (await vesselsToPoll(stored.database, cell, NOW, limit)).toSorted();
      assert.deepEqual(await near(9), [FIRST, SECOND]);
      assert.equal((await near(1)).length, 1);
    });

    test("boxes are woken once, and only those aboard", async () => {
      await aboard([
        [[FIRST!, SECOND!], 0, 1],
        [[FIRST!], 0, 1],
        [[THIRD!], 0, 1],
      ]);
      const shipments = `${cell.schema}.shipments`;
      for (const [reference, ms] of [
        ["REFERENCE0", 4],
        ["REFERENCE1", 6],
      ] as const)
        await query(stored.address, `update ${shipments} set changes_at = $1 where reference = $2`, [
          at(ms),
          reference,
        ]);
      await makeDueAboard(stored.database, cell, [FIRST!], ["arriving"], NOW + 5);
      const { rows } = await query(
        stored.address,
        `select reference, changes_at as at from ${shipments} where changes_at is not null order by reference`,
      );
      assert.deepEqual(rows, [
        { reference: "REFERENCE0", at: at(4) },
        { reference: "REFERENCE1", at: at(5) },
      ]);
    });
  });
});
