/** `boathook rates load`, killed in the middle of its transaction, on a database that others use. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { run, settingsFor } from "../cli/run.ts";
import { start } from "../service/boathook.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { until } from "./until.ts";

const HEADING = "origin,destination,equipment,currency,valid_from,base";
const LANES = 500;

function fileOf(base: number): string {
  const letters = (n: number) => String.fromCodePoint(65 + Math.floor(n / 26), 65 + (n % 26));
  const lines = Array.from({ length: LANES }, (_, n) => `CNX${letters(n)},NLRTM,40HC,USD,2020-01-01,${base}`);
  return [HEADING, ...lines].join("\n");
}

test("a killed load stores and raises nothing, and the same file loads again and raises its events once", async (t) => {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), "boathook-rates-"));
  t.after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  const environment = settingsFor(database);
  const file = (base: number) => {
    writeFileSync(join(folder, `${base}.csv`), fileOf(base));
    return join(folder, `${base}.csv`);
  };
  const { schema } = database.productCells.of("rates");
  const count = async (from: string) =>
    Number((await query(database.address, `select count(*) from ${from}`)).rows[0].count);
  const state = async () => {
    await database.forward();
    return [
      await count(`${schema}.lane_rates`),
      await count(`${schema}.lane_rates where ended_at is not null`),
      ...(await Promise.all(
        database.cells.map(
          async (cell) => (await database.queryIn(cell, "select from cell.broadcasts")).rows.length,
        ),
      )),
    ];
  };
  const load = (base: number) => run(["rates", "load", file(base)], { environment });
  assert.equal((await load(1000)).status, 0);
  assert.deepEqual(await state(), [LANES, 0, ...database.cells.map(() => 0)]);

  // Holds the load up where its rates are written, and the day is not over.
  const holder = new pg.Client(connectionConfig(database.address));
  await holder.connect();
  await holder.query("begin");
  await holder.query(`lock table ${schema}.lane_rates in share mode`);
  const killed = start(t, ["rates", "load", file(2000)], environment);
  const waiting =
    "pg_locks where not granted and database = (select oid from pg_database where datname = current_database())";
  await until(async () => (await count(waiting)) > 0, "the load writes");
  killed.signal("SIGKILL");
  assert.equal(await killed.ended, null);
  await holder.query("rollback");
  await holder.end();

  const again = await load(2000);
  assert.match(
    again.out,
    new RegExp(`^Loaded ${LANES} of .* Prices that changed today: ${LANES}`),
    again.err,
  );
  assert.deepEqual(await state(), [2 * LANES, LANES, ...database.cells.map(() => LANES)]);
  assert.match((await load(2000)).out, new RegExp(`^Loaded 0 of .* ${LANES} were there already`));
});
