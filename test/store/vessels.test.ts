/** Reports of vessels as nodes share them, and the boxes aboard. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  claimVesselPolls,
  readReports,
  storeReports,
  vesselsToPoll,
  makeDueAboard,
} from "../../src/products/ocean/store/vessels.ts";
import { dateOf, plain, storeRows, timeOf } from "./store-rows.ts";
import { vesselPrune } from "../../src/products/ocean/store/vessels.sql.ts";
import { pruneStep } from "../../src/store/prune-step.ts";

const ALL = ["9000001", "9000002", "9000003", "9000004", "9000005"];
const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = ALL as [string, string, string, string, string];

describe("vessels in the store", () => {
  const rows = storeRows(async (of) => {
    await of.clear();
    await of.run(`truncate ${of.cell.directory}.vessels`);
    await of.account(1);
  });

  type Times = { readonly seen?: number; readonly written?: number; readonly asked?: number };
  const known = (imo: string, { written, seen = written, asked }: Times) => {
    const [seenAt, writtenAt, askedAt] = [seen, written, asked].map((ms) =>
      ms === undefined ? "null" : `'${dateOf(ms).toISOString()}'`,
    );
    const status = written === undefined ? "null" : 1;
    return rows.run(
      `insert into ${rows.cell.directory}.vessels (imo, status, seen_at, written_at, polled_at)
       values ('${imo}', ${status}, ${seenAt}, ${writtenAt}, ${askedAt})`,
    );
  };
  const claim = async (imos: readonly string[], atMs: number, limit = 9) => {
    const times = { atMs: timeOf(atMs), sinceMs: timeOf(atMs - 10), limit };
    return [...(await claimVesselPolls(rows.database, rows.cell, imos, times))].toSorted();
  };
  const report = (imo: string, status: number, seenMs: number, atMs = seenMs) =>
    storeReports(rows.database, rows.cell, [{ imo, status, seenAtMs: timeOf(seenMs) }], timeOf(atMs));
  const read = async (writtenMs: number, seenMs: number, limit = 9) => {
    const since = { writtenMs: timeOf(writtenMs), seenMs: timeOf(seenMs) };
    const found = await readReports(rows.database, rows.cell, since, limit);
    return found.map(({ imo, status, seenAtMs }) => [imo, status, seenAtMs - timeOf(0)]);
  };

  test("are claimed by one node, never polled ones first, then the longest unpolled, without a recent report", async () => {
    await known(FIRST, { asked: 9 });
    await known(SECOND, { asked: 8 });
    await known(THIRD, { written: 10 });
    await known(FIFTH, { asked: 9, written: 11 });
    const claimed: string[][] = [];
    for (const limit of [1, 1, 1, 9]) claimed.push(await claim(ALL, 20, limit));
    assert.deepEqual(claimed, [[THIRD], [FOURTH], [SECOND], [FIRST]]);
    assert.deepEqual(await claim(ALL, 40), ALL);
    assert.deepEqual(await claim(ALL, 41), []);
    assert.deepEqual(await claim([SECOND], 60), [SECOND], "the others are not asked about");
  });

  test("are claimed by one of two nodes that ask at once", async () => {
    await known(FIRST, { asked: 9 });
    const times = { atMs: timeOf(40), sinceMs: timeOf(30), limit: 9 };
    const [second] = await rows.database.transaction(async (tx) => {
      assert.deepEqual([...(await claimVesselPolls(tx, rows.cell, [FIRST], times))], [FIRST]);
      const claimed = claim([FIRST], 40);
      const waiting = "select pid from pg_locks where not granted";
      while (((await rows.read(waiting)) as unknown[]).length === 0);
      return [claimed];
    });
    assert.deepEqual(await second, []);
  });

  test("take what is newer, also of two reports at once", async () => {
    await known(FIRST, { asked: 1 });
    await known(SECOND, { written: 5 });
    assert.deepEqual([await report(FIRST, 3, 2, 30), await report(SECOND, 3, 5, 30)], [1, 0]);
    const stored = `select imo, status, seen_at, written_at, polled_at from ${rows.cell.directory}.vessels order by 1`;
    assert.deepEqual(await rows.read(stored), [
      [FIRST, 3, 2, 30, 1],
      [SECOND, 1, 5, 5, null],
    ]);
    assert.equal(await report(SECOND, 4, 6, 31), 1);
    const [, newer] = await Promise.all([report(FIRST, 5, 100), report(FIRST, 1, 101)]);
    assert.deepEqual([newer, await report(FIRST, 0, 100)], [1, 0]);
    const both = [
      [FIRST, 1, 101],
      [SECOND, 4, 6],
    ];
    assert.deepEqual([await read(0, 0), await read(0, 0, 1)], [both, both.slice(0, 1)]);
    assert.deepEqual([await read(32, 6), await read(0, 7)], [both.slice(0, 1), both.slice(0, 1)]);
  });

  test("are forgotten in steps, by the last that was heard or asked of them", async () => {
    await known(FIRST, { written: 9, asked: 10 });
    await known(SECOND, { written: 10, asked: 9 });
    await known(THIRD, { asked: 9 });
    await known(FOURTH, { written: 9 });
    const prune = () =>
      pruneStep((limit) => vesselPrune(rows.database, rows.cell, { before: timeOf(10), limit }));
    const left = () => rows.read(`select imo from ${rows.cell.directory}.vessels order by imo`);
    assert.equal(await prune(), false);
    assert.deepEqual(await left(), [[FIRST], [SECOND]]);
    await rows.run(
      `insert into ${rows.cell.directory}.vessels (imo, polled_at)
       select (1000000 + n)::text, to_timestamp(0) from generate_series(1, 2001) n`,
    );
    assert.equal(await prune(), true);
    assert.deepEqual(await left(), [["1002001"], [FIRST], [SECOND]]);
  });

  test("with boxes aboard that arrive about now are named once, up to the limit", async () => {
    for (const [index, [vessels, from, until]] of (
      [
        [[FIRST, SECOND], 0, 1],
        [[FIRST], -1, 2],
        [[THIRD], -1, 0],
        [[FOURTH], 1, 2],
      ] as const
    ).entries())
      await rows.shipment(index + 1, { vessels, vessels_from: dateOf(from), vessels_until: dateOf(until) });
    const near = async (limit: number) =>
      [...(await vesselsToPoll(rows.database, rows.cell, timeOf(0), limit))].toSorted();
    assert.deepEqual(await near(9), [FIRST, SECOND]);
    assert.equal((await near(1)).length, 1);
  });

  test("wake the boxes aboard that stand otherwise, or may be on several vessels, and put none off", async () => {
    for (const [index, [status, vessels, changesMs]] of (
      [
        ["arriving", [FIRST], null],
        ["at_anchor", [FIRST], null],
        ["at_anchor", [FIRST, SECOND], null],
        ["in_transit", [THIRD], null],
        ["discharged", null, null],
        ["arriving", [FIRST], 4],
        ["arriving", [FIRST], 6],
      ] as const
    ).entries())
      await rows.shipment(index + 1, { status, vessels, changes_at: changesMs && dateOf(changesMs) });
    const wake = async (imos: readonly string[], atMs: number) => {
      const statuses = ["in_transit", "arriving", "at_berth"];
      await makeDueAboard(rows.database, rows.cell, imos, statuses, timeOf(atMs));
      return plain(await rows.read("select changes_at from cell.shipments order by id"));
    };
    assert.deepEqual(await wake([FIRST], 5), [[5], [null], [5], [null], [null], [4], [5]]);
    assert.deepEqual(await wake([FIRST, THIRD], 9), [[5], [null], [5], [9], [null], [4], [5]]);
  });
});
