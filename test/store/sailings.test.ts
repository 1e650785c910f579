/** Direct sailings: which calls at two ports make one. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { insertCalls, type PortCallRow } from "../../src/products/schedules/store/port-calls.ts";
import {
  listSailings,
  type SailingKey,
  type SailingsFilter,
} from "../../src/products/schedules/store/schedules-read.ts";
import { insertServiceDays } from "../../src/products/schedules/store/service-reliability.ts";
import { callOf, IMO, OTHER_IMO } from "./call-rows.ts";
import { dateOf, idOf, openStoreRows, plain, type StoreRows, timeOf } from "./store-rows.ts";

type Fields = Partial<PortCallRow>;
/** By what makes them differ. */
type Cases = Readonly<
  Record<string, { readonly leaves?: Fields; readonly comes?: Fields; readonly others?: readonly Fields[] }>
>;

const [DEPARTURE, ARRIVAL] = [1_000, 2_000];
const AT_SEA_MS_MAX = 70 * 24 * 3_600_000;
const ALONG_VOYAGE = { vesselImo: null, vesselName: null };
const DAY = "2026-11-01";

const NOT_MADE: readonly Fields[] = [
  { goneMs: timeOf(0) },
  { status: "BLNK" },
  { status: "SLID" },
  { status: "OMIT" },
];

describe("sailings in the store", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  const clear = () =>
    rows.run(`truncate ${rows.schedules.schema}.port_calls, ${rows.schedules.schema}.service_reliability`);
  beforeEach(clear);

  const leaves = (ms: number, fields: Fields = {}): Fields => ({
    ...{ port: "CNSHA", departureMs: timeOf(ms), arrivalMs: timeOf(ms - 1), vesselImo: IMO, voyage: "001W" },
    ...fields,
  });
  const comes = (ms: number, fields: Fields = {}): Fields => ({
    ...{ port: "NLRTM", arrivalMs: timeOf(ms), departureMs: timeOf(ms + 1), vesselImo: IMO, voyage: "001W" },
    ...fields,
  });
  /** The calls get ids from 1 on. */
  const insert = async (...calls: readonly Fields[]) => {
    await clear();
    // No two are of one voyage and port, as far as the store can tell.
    const all = calls.map((fields, index) => callOf(index + 1, { nth: index + 1, ...fields }));
    await insertCalls(rows.database, rows.schedules, all, timeOf(0));
  };
  const list = (fields: Partial<SailingsFilter> = {}, behind: SailingKey | null = null, limit = 99) =>
    listSailings(
      rows.database,
      [rows.schedules],
      {
        ...{ origin: "CNSHA", destination: "NLRTM", fromMs: timeOf(0), beforeMs: timeOf(5_000) },
        ...{ carrier: null, withCancelled: false },
        ...fields,
      },
      DAY,
      behind,
      limit,
    );
  const sailings = async (...given: Parameters<typeof list>) =>
    (await list(...given)).map(({ originId, destinationId }) =>
      [plain(originId), plain(destinationId)].join("-"),
    );
  const all = () => sailings({ withCancelled: true });

  const check = async (cases: Cases, expected: boolean) => {
    for (const [what, one] of Object.entries(cases)) {
      await insert(leaves(DEPARTURE, one.leaves), comes(ARRIVAL, one.comes), ...(one.others ?? []));
      assert.equal((await sailings()).includes("1-2"), expected, what);
    }
  };

  test("are of one vessel, on one service or one voyage", async () => {
    const later = timeOf(DEPARTURE + AT_SEA_MS_MAX);
    await check(
      {
        "service and voyage": {},
        "confirmed calls": { leaves: { status: "CNFM" }, comes: { status: "CNFM" } },
        service: { comes: { voyage: "002W" } },
        voyage: { comes: { service: "AE9" } },
        "voyage on which it came": { comes: { service: "AE9", voyage: "002E", importVoyage: "001W" } },
        "service, no voyage known": { leaves: { voyage: "" } },
        "as long as it may take": { comes: { arrivalMs: later } },
      },
      true,
    );
    await check(
      {
        vessel: { comes: { vesselImo: OTHER_IMO } },
        carrier: { comes: { carrier: "TRNC" } },
        port: { comes: { port: "DEHAM" } },
        origin: { leaves: { port: "CNNGB" } },
        "neither service nor voyage": { comes: { service: "AE9", voyage: "002W" } },
        "it came on another voyage": { comes: { service: "AE9", importVoyage: "002W" } },
        "no voyage known": { leaves: { voyage: "" }, comes: { service: "AE9", voyage: "" } },
        "no time at sea": { comes: { arrivalMs: timeOf(DEPARTURE) } },
        "too long at sea": { comes: { arrivalMs: later + 1 } },
      },
      false,
    );
  });

  test("are of one service and voyage where a call names no vessel", async () => {
    const later = timeOf(DEPARTURE + AT_SEA_MS_MAX);
    const none = ALONG_VOYAGE;
    await check(
      {
        neither: { leaves: none, comes: none },
        "it leaves": { comes: none },
        "it comes": { leaves: none },
        "voyage on which it came": { comes: { ...none, voyage: "002E", importVoyage: "001W" } },
        "same name": { leaves: { vesselName: "Dawn" }, comes: { vesselImo: null, vesselName: "DAWN" } },
        "one name": { leaves: { vesselName: "Dawn" }, comes: none },
        "as long as it may take": { comes: { ...none, arrivalMs: later } },
      },
      true,
    );
    await check(
      {
        service: { comes: { ...none, service: "AE9" } },
        voyage: { comes: { ...none, voyage: "002W" } },
        carrier: { comes: { ...none, carrier: "TRNC" } },
        port: { comes: { ...none, port: "DEHAM" } },
        "it came on another voyage": { comes: { ...none, importVoyage: "002W" } },
        "no voyage known": { leaves: { voyage: "" }, comes: { ...none, voyage: "" } },
        name: { leaves: { vesselName: "Dawn" }, comes: { vesselImo: null, vesselName: "Dusk" } },
        "no time at sea": { comes: { ...none, arrivalMs: timeOf(DEPARTURE) } },
        "too long at sea": { comes: { ...none, arrivalMs: later + 1 } },
      },
      false,
    );
  });

  test("come to the first call at the destination that is made", async () => {
    for (const way of [{}, ALONG_VOYAGE]) {
      await insert(leaves(DEPARTURE), comes(2_000, way), comes(2_500, way));
      assert.deepEqual([await sailings(), await all()], [["1-2"], ["1-2"]]);
      for (const not of NOT_MADE) {
        const unmade = { ...way, ...not };
        await insert(leaves(DEPARTURE), comes(2_000, unmade), comes(2_500, way), comes(3_000, unmade));
        assert.deepEqual([await sailings(), await all()], [["1-3"], ["1-2", "1-3"]], JSON.stringify(unmade));
        await insert(leaves(DEPARTURE), comes(2_000, unmade), comes(2_500, unmade));
        assert.deepEqual([await sailings(), await all()], [[], ["1-2", "1-3"]], JSON.stringify(unmade));
      }
    }
  });

  test("begin with a call that is made, unless others are asked for as well", async () => {
    for (const not of NOT_MADE) {
      await insert(leaves(DEPARTURE, not), comes(ARRIVAL));
      assert.deepEqual([await sailings(), await all()], [[], ["1-2"]], JSON.stringify(not));
    }
  });

  test("begin with the last call at the origin before the destination", async () => {
    const none = ALONG_VOYAGE;
    const others = (...fields: readonly Fields[]) => ({ others: fields });
    await check(
      {
        vessel: others(leaves(1_500, { service: "AE9", voyage: "009W" })),
        "service and voyage": others(leaves(1_500, none)),
        "service and voyage of no vessel": { leaves: none, ...others(leaves(1_500)) },
        "just before it arrives": others(leaves(ARRIVAL - 1)),
        "just after it left": others(leaves(DEPARTURE + 1)),
      },
      false,
    );
    await check(
      {
        "when it left": others(leaves(DEPARTURE)),
        "when it arrives": others(leaves(ARRIVAL)),
        port: others(leaves(1_500, { port: "CNNGB" })),
        carrier: others(leaves(1_500, { carrier: "TRNC" })),
        vessel: others(leaves(1_500, { vesselImo: OTHER_IMO })),
        service: others(leaves(1_500, { ...none, service: "AE9" })),
        voyage: others(leaves(1_500, { ...none, voyage: "009W" })),
        "no voyage known": { leaves: { voyage: "" }, ...others(leaves(1_500, { ...none, voyage: "" })) },
        ...Object.fromEntries(
          NOT_MADE.map((not) => [JSON.stringify(not), others(leaves(1_500, not))] as const),
        ),
      },
      true,
    );
  });

  test("are listed by departure, by pages, of a time and a carrier", async () => {
    const trnc = { carrier: "TRNC", vesselImo: OTHER_IMO };
    await insert(
      leaves(DEPARTURE, { voyage: "005W", service: "AE5", vesselImo: "9000005" }),
      leaves(DEPARTURE),
      // Both arrive at the same time.
      comes(ARRIVAL),
      comes(ARRIVAL),
      comes(ARRIVAL, { voyage: "005W", service: "AE5", vesselImo: "9000005" }),
      leaves(DEPARTURE - 1, trnc),
      comes(ARRIVAL, trnc),
      leaves(DEPARTURE + 1, { vesselImo: "9000003" }),
      comes(ARRIVAL, { vesselImo: "9000003" }),
    );
    const listed = ["6-7", "1-5", "2-3", "2-4", "8-9"];
    assert.deepEqual(await sailings(), listed);
    const keys = [
      [DEPARTURE - 1, 6, 7],
      [DEPARTURE, 1, 5],
      [DEPARTURE, 2, 3],
      [DEPARTURE, 2, 4],
    ] as const;
    for (const [index, [ms, originId, destinationId]] of keys.entries()) {
      const behind = { ms: timeOf(ms), originId: idOf(originId), destinationId: idOf(destinationId) };
      assert.deepEqual(await sailings({}, behind, 2), listed.slice(index + 1, index + 3));
    }
    assert.deepEqual(await sailings({}, null, 2), listed.slice(0, 2));
    assert.deepEqual(await sailings({ carrier: "TRNC" }), ["6-7"]);
    assert.deepEqual(await sailings({ fromMs: timeOf(DEPARTURE) }), listed.slice(1));
    assert.deepEqual(await sailings({ beforeMs: timeOf(DEPARTURE) }), ["6-7"]);
  });

  test("come with their calls, and with how their service kept its schedule", async () => {
    await insert(leaves(DEPARTURE), comes(ARRIVAL));
    const day = (on: string, carrier: string, service: string, onTime: number) =>
      insertServiceDays(rows.database, rows.schedules, on, [
        { carrier, service, onTime, measured: 9, reference: null },
      ]);
    await day("2026-10-31", "HRNL", "AE1", 1);
    await day(DAY, "HRNL", "AE9", 2);
    await day(DAY, "TRNC", "AE1", 3);
    const sailing = {
      ...{ originId: 1, origin: '{"n":1}', departureAt: DEPARTURE, destinationId: 2, destination: '{"n":2}' },
    };
    assert.deepEqual(plain(await list()), [{ ...sailing, onTime: null, measured: null }]);
    await day(DAY, "HRNL", "AE1", 4);
    assert.deepEqual(plain(await list()), [{ ...sailing, onTime: 4, measured: 9 }]);
    assert.deepEqual((await list())[0]?.departureAt, dateOf(DEPARTURE));
  });
});
