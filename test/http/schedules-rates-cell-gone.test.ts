/** The cells of two products' records are gone: what needs them gets 503, and the rest goes on. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";

import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { loadRates } from "../../src/products/rates/lanes/load.ts";
import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { findScheduledCalls } from "../../src/products/schedules/calls/scheduled-calls.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { scheduleRoutes } from "../../src/products/schedules/routes/routes.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cells } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { SETTINGS } from "../schedules/scene.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { silentLog } from "../support/log.ts";
import { createCaller, createListeners, send, type TestListeners } from "../support/service.ts";
import { callOn } from "./schedules-service.ts";

const NOWHERE = { url: "postgres://nobody@127.0.0.1:1/nothing" };

describe("the cells of schedules and rates are gone", () => {
  const clock = manualClock();
  let on: TestDatabase;
  let database: Database;
  let listeners: TestListeners;
  let key: string;

  before(async () => {
    on = await createTestDatabase();
    const homes = fixedHomes((schema) => (/_(schedules|rates)_0$/.test(schema ?? "") ? NOWHERE : on.address));
    database = openDatabaseOn(homes, {
      sessionName: "boathook test",
      connectionsMax: 5,
      connectTimeoutMs: 5_000,
      onIdleError: () => undefined,
    });
    const productRoutes = new Map([
      ["schedules", scheduleRoutes({ reliabilityWindowDays: 90, transshipmentMs: 86_400_000 })],
      ["rates", rateRoutes()],
    ]);
    const own = { engine: fakeEngine(), log: silentLog, masterKeys: [randomBytes(32)] as const };
    listeners = createListeners({ productRoutes }, { ...portsOn(database), ...own });
    ({ key } = await createCaller(listeners, "rates", ["freightrates"]));
  });
  after(async () => {
    await listeners.api.close();
    await listeners.ops.close();
    await database.close();
    await on.drop();
  });

  function portsOn(db: Database) {
    return {
      ...{
        database: db,
        cells: on.cells as Cells,
        productCells: on.productCells,
        random: systemRandom(),
        clock,
      },
      ...{
        cell: on.productCells.of("schedules"),
        check: createEventDataCheck(products),
        wake: () => undefined,
      },
    };
  }
  const read = (url: string) =>
    send(listeners.api, { method: "GET", url, headers: { authorization: `Bearer ${key}` } });

  test("what needs them is refused, and a client may ask again", async () => {
    for (const url of ["/schedules/public/port-calls?port=NLRTM", "/rates/v1/lanes"]) {
      const { status, headers } = await read(url);
      assert.equal(status, 503, url);
      assert.ok(Number(headers["retry-after"]) > 0);
    }
    const read503 = { name: "StoreUnavailable" };
    const node = portsOn(database);
    await assert.rejects(loadRates(node, []), read503);
    const update = { feed: "ovs", atMs: clock.nowMs(), calls: [callOn("NLRTM", 3)], complete: null };
    await assert.rejects(ingest(node, SETTINGS, update), read503);
    await assert.rejects(findScheduledCalls(database, on.productCells, []), read503);
  });

  test("what does not need them goes on", async () => {
    assert.equal((await read("/rates/v1/webhooks")).status, 200);
  });
});
