/** Reports of vessels as nodes share them, and the boxes aboard. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Cell } from "../../src/store/cell.ts";
import {
  claimAsking,
  pruneVessels,
  readReports,
  storeReports,
  vesselsNear,
  wakeAboard,
} from "../../src/store/vessels.ts";
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
    claimAsking(stored.database, cell, [DAWN, DUSK, NOON], { atMs, sinceMs: atMs - 5 * MINUTE_MS, limit });
  const report = (imo: string, status: number, seenAtMs: number, atMs = seenAtMs) =>
    storeReports(stored.database, cell, [{ imo, status, seenAtMs }], atMs);

  test("a vessel is one node's to ask for, those that were asked for longest ago first, and none that has told", async () => {
    assert.deepEqual(await ask(NOW, 1), [DAWN]);
    const both = await Promise.all([ask(NOW + 1), ask(NOW + 1)]);
    assert.deepEqual(both.flat().toSorted(), [DUSK, NOON]);
    assert.deepEqual(await ask(NOW + 2), []);
    assert.equal(await report(DUSK, 1, NOW + MINUTE_MS), 1);
    assert.deepEqual(await ask(NOW + 5 * MINUTE_MS), [DAWN]);
    assert.deepEqual(await ask(NOW + 5 * MINUTE_MS + 1), [NOON], "the other has told of itself");
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
    assert.deepEqual(await vesselsNear(database, cell, NOW, 10), [DAWN]);
    const changing = async () => {
      const sql = `select reference, changes_at as at from ${cell.schema}.shipments where changes_at is not null`;
      const { rows } = await query(address, `${sql} order by reference`);
      return rows.map(({ reference, at }) => `${reference} ${at.getTime() - NOW}`);
    };
    await wakeAboard(database, cell, [DAWN], ["in_transit", "arriving", "at_berth"], NOW + 5);
    assert.deepEqual(await changing(), ["ARRIVING 5", "SEVERAL 5"]);
    await wakeAboard(database, cell, [DAWN, NOON], ["in_transit", "arriving", "at_berth"], NOW + 9);
    assert.deepEqual(await changing(), ["ARRIVING 5", "LATER 9", "SEVERAL 5"], "never put off");
  });

  test("what nobody has asked for or told of since is forgotten", async () => {
    const atMs = NOW + 100 * MINUTE_MS;
    await report(NOON, 5, atMs);
    assert.equal(await pruneVessels(stored.database, cell, atMs), false);
    const left = await readReports(stored.database, cell, { writtenMs: 0, seenMs: 0 }, 10);
    assert.deepEqual(
      left.map(({ imo }) => imo),
      [NOON],
    );
  });
});
