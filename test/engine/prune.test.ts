import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { createPruner, type Pruner } from "../../src/engine/prune.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { makePartitions } from "../../src/store/partitions.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";

const DAY_MS = 86_400_000;

describe("pruning", () => {
  let on: TestDatabase;
  let clock: ManualClock;
  let pruner: Pruner;
  before(async () => {
    on = await createTestDatabase({ cells: 1, partitions: "none" });
    clock = manualClock();
    pruner = createPruner(DEFAULT_ENGINE_SETTINGS, on.database, on.cells[0]!, clock, silentLog);
  });
  after(() => on.drop());

  const sql = async (text: string, values: unknown[] = []) =>
    (await query(on.address, text.replaceAll("cell.", `${on.cells[0]!.schema}.`), values)).rows as Record<
      string,
      unknown
    >[];
  const deliveriesOf = async (atMs: number) => {
    const day = new Date(atMs).toISOString().slice(0, 10).replaceAll("-", "");
    const [row] = await sql(`select to_regclass('cell.deliveries_p${day}') is not null as there`);
    return row!["there"];
  };

  test("that cannot drop an old partition, since somebody reads the table, holds up nothing else", async () => {
    const oldMs = START_MS - 40 * DAY_MS;
    await makePartitions(on.database, on.cells[0]!, oldMs, oldMs + 1);
    await sql(
      "insert into cell.event_keys select gen_random_uuid(), 'air', n::text, gen_random_uuid(), $1 from generate_series(1, 5000) n",
      [new Date(oldMs)],
    );
    const dump = new pg.Client(connectionConfig(on.address));
    await dump.connect();
    await dump.query(`begin; lock table ${on.cells[0]!.schema}.deliveries in access share mode`);
    await pruner.prepare();
    assert.equal(await deliveriesOf(START_MS), true);
    await pruner.step();
    assert.deepEqual(await sql("select count(*)::int as left from cell.event_keys"), [{ left: 0 }]);
    assert.equal(await deliveriesOf(oldMs), true);
    await dump.end();
    await clock.advance(3_600_000);
    await pruner.step();
    assert.equal(await deliveriesOf(oldMs), false);
  });

  test("makes the partitions of today at once when a machine wakes after days", async () => {
    clock.jump(9 * DAY_MS);
    await pruner.step();
    assert.equal(await deliveriesOf(clock.nowMs()), true);
  });
});
