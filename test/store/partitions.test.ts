/** A partition a day of events, their references, deliveries and attempts: made ahead, and dropped once nothing of it waits. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { Cell } from "../../src/store/cell.ts";
import { dropPartitions, makePartitions } from "../../src/store/deliveries/partitions.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 10, 2, 12);

/** An id of the moment, with nothing behind its time. */
function idAt(timeMs: number): string {
  const hex = timeMs.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

describe("partitions", () => {
  let made: TestDatabase;
  let cell: Cell;
  before(async () => {
    made = await createTestDatabase({ partitions: "none" });
    cell = made.cells[0]!;
  });
  after(() => made.drop());
  beforeEach(async () => {
    for (const [table, days] of Object.entries(await partitions()))
      for (const day of days.split(" "))
        await query(made.address, `drop table ${cell.schema}.${table}_p202611${day}`);
  });

  const make = (fromMs: number, toMs: number) => makePartitions(made.database, cell, fromMs, toMs);
  const drop = (beforeMs: number) => dropPartitions(made.database, cell, beforeMs);
  /** By table, their days in November 2026. */
  async function partitions(): Promise<Record<string, string>> {
    const sql = `select split_part(relname, '_p202611', 1) as table,
        string_agg(split_part(relname, '_p202611', 2), ' ' order by relname) as days
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where c.relnamespace = '${cell.schema}'::regnamespace and c.relkind = 'r' group by 1`;
    const { rows } = await query(made.address, sql);
    return Object.fromEntries(rows.map(({ table, days }) => [table, days] as const));
  }
  const insert = (timeMs: number) =>
    query(
      made.address,
      `insert into ${cell.schema}.deliveries (id, event_id, endpoint_id, created_at) values ($1, $1, $1, $2)`,
      [idAt(timeMs), new Date(timeMs)],
    );

  test("partitions are made for each day that the span touches, whole days of UTC", async () => {
    assert.equal(await make(NOON_MS, NOON_MS + DAY_MS), 8);
    assert.deepEqual(await partitions(), {
      ...{ attempts: "02 03", deliveries: "02 03", event_references: "02 03", events: "02 03" },
    });
    const midnightMs = Date.UTC(2026, 10, 2);
    await insert(midnightMs);
    await insert(midnightMs + 2 * DAY_MS - 1);
    await assert.rejects(insert(midnightMs - 1), /no partition/);
    await assert.rejects(insert(midnightMs + 2 * DAY_MS), /no partition/);
    assert.equal(await make(midnightMs, midnightMs + DAY_MS), 0);
  });

  test("a partition of deliveries leaves room for the one update of each row, and keeps the indexes", async () => {
    await make(NOON_MS, NOON_MS + 1);
    const { rows } = await query(
      made.address,
      `select array_to_string(reloptions, ' ') as options,
         (select count(*)::integer from pg_index where indrelid = c.oid) as indexes,
         (select count(*)::integer from pg_constraint where conrelid = c.oid and contype = 'c') as checks,
         (select count(*)::integer from pg_constraint
          where conrelid = '${cell.schema}.deliveries'::regclass and contype = 'c') as expected
       from pg_class c where oid = '${cell.schema}.deliveries_p20261102'::regclass`,
    );
    assert.match(rows[0].options, /fillfactor=50/);
    assert.match(rows[0].options, /autovacuum_vacuum_scale_factor=0.05/);
    assert.equal(rows[0].indexes, 2);
    assert.equal(rows[0].checks, rows[0].expected);
  });

  test("several sessions that make the same partitions at once make each once", async () => {
    const counts = await Promise.all(Array.from({ length: 4 }, () => make(NOON_MS, NOON_MS + 5 * DAY_MS)));
    assert.deepEqual(
      counts.toSorted((a, b) => a - b),
      [0, 0, 0, 24],
    );
  });

  test("partitions are made while a long transaction writes to the others", async () => {
    await make(NOON_MS, NOON_MS + 1);
    const write = {
      name: "write",
      text: `insert into ${cell.schema}.deliveries (id, event_id, endpoint_id, created_at) values ($1, $1, $1, $2)`,
    };
    await made.database.transaction(async (tx) => {
      await tx.rows(write, [idAt(NOON_MS), new Date(NOON_MS)]);
      assert.equal(await make(NOON_MS + DAY_MS, NOON_MS + DAY_MS + 1), 4);
    });
  });

  test("only days wholly past and with nothing in the queue are dropped, events a day after deliveries", async () => {
    await make(NOON_MS, NOON_MS + 4 * DAY_MS);
    await insert(NOON_MS + DAY_MS);
    await query(
      made.address,
      `insert into ${cell.schema}.queue (delivery_id, endpoint_id, due_at) values ($1, $1, now())`,
      [idAt(NOON_MS + DAY_MS)],
    );

    const dropped = await drop(NOON_MS + 3 * DAY_MS);
    assert.deepEqual(dropped, ["2026-11-02", "2026-11-04"]);
    assert.deepEqual(await partitions(), {
      ...{ attempts: "03 05 06", deliveries: "03 05 06", events: "02 03 04 05 06" },
      event_references: "02 03 04 05 06",
    });

    await query(made.address, `delete from ${cell.schema}.queue`);
    assert.deepEqual(await drop(NOON_MS + 3 * DAY_MS), ["2026-11-03"]);
    assert.equal((await partitions())["events"], "04 05 06");
  });
});
