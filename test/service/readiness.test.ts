import assert from "node:assert/strict";
import { test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { watchReadiness } from "../../src/service/readiness.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";

const [cell] = cellsNamed("boathook", 1);

/** A database whose answers the test gives. */
function databaseOf(rows: () => Promise<object[]>): Database {
  return { rows } as unknown as Database;
}

test("a service is ready while its database answers and takes writes", async () => {
  let writable = true;
  const { notReady } = watchReadiness(
    databaseOf(async () => [{ writable }]),
    cell!,
    manualClock(),
  );
  assert.equal(await notReady(), null);
  writable = false;
  assert.match((await notReady())!, /takes no writes/);
});

test("it is not ready while the database cannot be reached, and ready again by itself", async () => {
  let isThere = false;
  const database = databaseOf(async () => {
    if (!isThere) throw new StoreUnavailable("the database cannot be reached");
    return [{ writable: true }];
  });
  const { notReady } = watchReadiness(database, cell!, manualClock());
  assert.match((await notReady())!, /cannot be reached/);
  isThere = true;
  assert.equal(await notReady(), null);
});

test("a database that hangs is told of after two seconds, and asked once however many want to know", async () => {
  const clock = manualClock();
  let asked = 0;
  let answer = (_rows: object[]) => {};
  const database = databaseOf(() => {
    asked += 1;
    return new Promise((resolve) => (answer = resolve));
  });
  const { notReady } = watchReadiness(database, cell!, clock);
  const reasons = [notReady(), notReady(), notReady()];
  await clock.advance(2_000);
  for (const reason of await Promise.all(reasons)) assert.match(reason!, /not answered in 2000 ms/);
  assert.equal(asked, 1);
  const late = notReady();
  answer([{ writable: true }]);
  assert.equal(await late, null);
  assert.equal(clock.pending(), 0);
});

test("a service that is ending is not ready, whatever its database says", async () => {
  const readiness = watchReadiness(
    databaseOf(async () => [{ writable: true }]),
    cell!,
    manualClock(),
  );
  readiness.ending();
  assert.match((await readiness.notReady())!, /stopping/);
});
