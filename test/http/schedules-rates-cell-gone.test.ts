/** One cell of a product's record is gone: what needs it gets 503, and the rest goes on. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { loadRates } from "../../src/products/rates/lanes/load.ts";
import { FILE_BOUNDS, readRates } from "../../src/products/rates/lanes/read-rates.ts";
import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { findScheduledCalls } from "../../src/products/schedules/calls/scheduled-calls.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { scheduleRoutes } from "../../src/products/schedules/routes/routes.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cells } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { SETTINGS } from "../schedules/scene.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, productCellsOf, type TestDatabase } from "../support/database.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { silentLog } from "../support/log.ts";
import { createCaller, createListeners, send, type TestListeners } from "../support/service.ts";
import { callOn } from "./schedules-service.ts";

const NOWHERE = { url: "postgres://nobody@127.0.0.1:1/nothing" };

describe("a product's second cell is gone", () => {
  const clock = manualClock();
  let on: TestDatabase;
  let database: Database;
  let listeners: TestListeners;
  let key: string;

  before(async () => {
    on = await createTestDatabase({ cells: 2 });
    const whole = { ...portsOn(on.database), productCells: on.productCells };
    for (const carrier of ["HRNL", "TRNC"]) await say(whole, carrier);
    for (const origin of ["CNSHA", "CNYTN"]) await load(whole, origin);
    const homes = fixedHomes((schema) => (/_(schedules|rates)_1$/.test(schema ?? "") ? NOWHERE : on.address));
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
      database: db,
      cells: on.cells as Cells,
      productCells: productCellsOf(db, 2),
      random: systemRandom(),
      clock,
      check: createEventDataCheck(products),
      wake: () => undefined,
    };
  }
  const say = (ports: ReturnType<typeof portsOn>, carrier: string, day = 3) =>
    ingest(ports, SETTINGS, {
      feed: "ovs",
      atMs: clock.nowMs(),
      calls: [callOn("NLRTM", day, { carrier })],
      complete: null,
    });
  const load = (ports: ReturnType<typeof portsOn>, origin: string) => {
    const lane = { origin, destination: "NLRTM", equipment: "40HC", carrier: null, currency: "USD" };
    const file = [{ ...lane, valid_from: "2026-10-01", valid_to: null, base: "7", surcharges: "" }];
    const read = runToEnd(readRates(Buffer.from(JSON.stringify(file)), "json", FILE_BOUNDS));
    assert.ok(read.kind === "rates");
    return loadRates(ports, read.rates);
  };
  const ask = async (url: string, authorization = {}) =>
    (await send(listeners.api, { method: "GET", url, headers: authorization })).status;
  const calls = (query: string) => ask(`/schedules/public/port-calls?port=NLRTM${query}`);
  const rates = (query: string) => ask(`/rates/v1/lanes${query}`, { authorization: `Bearer ${key}` });

  test("searches of a carrier and of a trade lane that live elsewhere are answered", async () => {
    assert.equal(await calls("&carrier=HRNL"), 200);
    assert.equal(await calls("&carrier=NONE"), 200, "nobody has it");
    assert.equal(await rates("?origin=CNSHA&destination=NLRTM"), 200);
  });

  test("what needs it is refused, and a client may ask again", async () => {
    const { headers } = await send(listeners.api, {
      method: "GET",
      url: "/schedules/public/port-calls?port=NLRTM",
    });
    assert.ok(Number(headers["retry-after"]) > 0);
    assert.equal(await calls("&carrier=TRNC"), 503);
    assert.equal(await calls(""), 503);
    assert.equal(await rates("?origin=CNYTN&destination=NLRTM"), 503);
    assert.equal(await rates(""), 503);
  });

  test("boxes of carriers that live elsewhere learn of their sailings, read together with others", async () => {
    const search = (carrier: string) => ({
      ...{ carrier, port: "NLRTM", fromMs: 0, toMs: Date.UTC(2030, 0) },
      ...{ imo: "9321483", name: null, voyage: null },
    });
    const wanted = [search("HRNL"), search("TRNC"), search("NONE")];
    const found = await findScheduledCalls(database, productCellsOf(database, 2), wanted);
    const plain = [...found.values()].map((some) => (some instanceof StoreUnavailable ? null : some.length));
    assert.deepEqual(plain, [1, null, 0]);
  });

  test("carriers and rates that live elsewhere are ingested and loaded", async () => {
    const node = portsOn(database);
    assert.equal((await say(node, "HRNL", 4)).changed, 1);
    await assert.rejects(say(node, "TRNC", 4), { name: "StoreUnavailable" });
    assert.equal((await load(node, "CNSHA")).unchanged, 1);
    await assert.rejects(load(node, "CNYTN"), { name: "StoreUnavailable" });
  });
});
