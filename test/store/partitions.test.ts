import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { dropPartitions, makePartitions } from "../../src/store/deliveries/partitions.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 10, 2, 12);

async function bareDatabase(t: TestContext): Promise<TestDatabase> {
  const made = await createTestDatabase({ partitions: "none" });
  t.after(made.drop);
  return made;
}

/** An id of the moment, with nothing behind its time. */
function idAt(timeMs: number): string {
  const hex = timeMs.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

async function partitions({ address, cells }: TestDatabase): Promise<string[]> {
  const sql = `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relnamespace = '${cells[0]!.schema}'::regnamespace and c.relkind = 'r'
    order by 1`;
  return (await query(address, sql)).rows.map(({ name }) => name);
}

async function insert({ address, cells }: TestDatabase, timeMs: number): Promise<void> {
  const { schema } = cells[0]!;
  await query(
    address,
    `insert into ${schema}.deliveries (id, event_id, endpoint_id, created_at) values ($1, $1, $1, $2)`,
    [idAt(timeMs), new Date(timeMs)],
  );
}

test("partitions are made for each day that the span touches, whole days of UTC", async (t) => {
  const made = await bareDatabase(t);
  const { database, cells } = made;
  assert.equal(await makePartitions(database, cells[0]!, NOON_MS, NOON_MS + DAY_MS), 6);
  assert.deepEqual(await partitions(made), [
    "attempts_p20261102",
    "attempts_p20261103",
    "deliveries_p20261102",
    "deliveries_p20261103",
    "events_p20261102",
    "events_p20261103",
  ]);
  const midnightMs = Date.UTC(2026, 10, 2);
  await insert(made, midnightMs);
  await insert(made, midnightMs + 2 * DAY_MS - 1);
  await assert.rejects(insert(made, midnightMs - 1), /no partition/);
  await assert.rejects(insert(made, midnightMs + 2 * DAY_MS), /no partition/);
  assert.equal(await makePartitions(database, cells[0]!, midnightMs, midnightMs + DAY_MS), 0);
});

test("a partition of deliveries leaves room for the one update of each row, and keeps the indexes", async (t) => {
  const made = await bareDatabase(t);
  await makePartitions(made.database, made.cells[0]!, NOON_MS, NOON_MS + 1);
  const { schema } = made.cells[0]!;
  const { rows } = await query(
    made.address,
    `select array_to_string(reloptions, ' ') as options,
       (select count(*)::integer from pg_index where indrelid = c.oid) as indexes,
       (select count(*)::integer from pg_constraint where conrelid = c.oid and contype = 'c') as checks,
       (select count(*)::integer from pg_constraint
        where conrelid = '${schema}.deliveries'::regclass and contype = 'c') as expected
     from pg_class c where oid = '${schema}.deliveries_p20261102'::regclass`,
  );
  assert.match(rows[0].options, /fillfactor=50/);
  assert.match(rows[0].options, /autovacuum_vacuum_scale_factor=0.05/);
  assert.equal(rows[0].indexes, 2);
  assert.equal(rows[0].checks, rows[0].expected);
});

test("several sessions that make the same partitions at once make each once", async (t) => {
  const { database, cells } = await bareDatabase(t);
  const counts = await Promise.all(
    Array.from({ length: 4 }, () => makePartitions(database, cells[0]!, NOON_MS, NOON_MS + 5 * DAY_MS)),
  );
  assert.deepEqual(
    counts.toSorted((a, b) => a - b),
    [0, 0, 0, 18],
  );
});

test("partitions are made while a long transaction writes to the others", async (t) => {
  const made = await bareDatabase(t);
  const { database, cells } = made;
  await makePartitions(database, cells[0]!, NOON_MS, NOON_MS + 1);
  await database.transaction(async (tx) => {
    const id = idAt(NOON_MS);
    await tx.rows(
      {
        name: "write",
        text: `insert into ${cells[0]!.schema}.deliveries (id, event_id, endpoint_id, created_at) values ($1, $1, $1, $2)`,
      },
      [id, new Date(NOON_MS)],
    );
    assert.equal(await makePartitions(database, cells[0]!, NOON_MS + DAY_MS, NOON_MS + DAY_MS + 1), 3);
  });
});

test("only days wholly past and with nothing in the queue are dropped, events a day after deliveries", async (t) => {
  const made = await bareDatabase(t);
  const { database, cells, address } = made;
  const { schema } = cells[0]!;
  await makePartitions(database, cells[0]!, NOON_MS, NOON_MS + 4 * DAY_MS);
  await insert(made, NOON_MS + DAY_MS);
  await query(
    address,
    `insert into ${schema}.queue (delivery_id, endpoint_id, due_at) values ($1, $1, now())`,
    [idAt(NOON_MS + DAY_MS)],
  );

  const dropped = await dropPartitions(database, cells[0]!, NOON_MS + 3 * DAY_MS);
  assert.deepEqual(dropped, ["2026-11-02", "2026-11-04"]);
  assert.deepEqual(await partitions(made), [
    "attempts_p20261103",
    "attempts_p20261105",
    "attempts_p20261106",
    "deliveries_p20261103",
    "deliveries_p20261105",
    "deliveries_p20261106",
    "events_p20261102",
    "events_p20261103",
    "events_p20261104",
    "events_p20261105",
    "events_p20261106",
  ]);

  await query(address, `delete from ${schema}.queue`);
  assert.deepEqual(await dropPartitions(database, cells[0]!, NOON_MS + 3 * DAY_MS), ["2026-11-03"]);
  assert.deepEqual(
    (await partitions(made)).filter((name) => name.startsWith("events")),
    ["events_p20261104", "events_p20261105", "events_p20261106"],
  );
});
