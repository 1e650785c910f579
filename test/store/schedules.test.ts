/** Schedules in the store: which calls make a sailing, which replace a missing one, and which a box waits for. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { CallSearch } from "../../src/freight/scheduled-calls/scheduled-calls.ts";
import { shipmentWakeByCall } from "../../src/products/ocean/store/shipments.sql.ts";
import { readAwaitedCalls } from "../../src/products/schedules/store/awaited-calls.ts";
import {
  insertCalls,
  listScopedCalls,
  lockMissingCalls,
  type PortCallRow,
} from "../../src/products/schedules/store/port-calls.ts";
import { listSailings } from "../../src/products/schedules/store/schedules-read.ts";
import { dateOf, idOf, plain, storeRows, timeOf } from "./store-rows.ts";
import { portCallLockByKey, portCallPrune } from "../../src/products/schedules/store/port-calls.sql.ts";
import { serviceDayPrune } from "../../src/products/schedules/store/reliability.sql.ts";
import { pruneStep } from "../../src/store/prune-step.ts";

const IMO = "9000001";

/** Its voyage is another one for each id. */
function callOf(id: number, fields: Partial<PortCallRow> = {}): PortCallRow {
  return {
    ...{ id: idOf(id), carrier: "HRNL", service: "AE1", voyage: `${String(id).padStart(3, "0")}W` },
    ...{ importVoyage: "", port: "NLRTM", nth: 1, vesselImo: null, vesselName: null, terminal: null },
    ...{ status: null, arrivalMs: null, departureMs: null, callsAtMs: timeOf(0), record: `{"n":${id}}` },
    ...{ goneMs: null, dueMs: null, measuredOn: null, onTime: null },
    ...fields,
  };
}

type Fields = Partial<PortCallRow>;
type Case = readonly [what: string, leaves: Fields, comes: Fields, ...others: readonly Fields[]];

const OTHER_IMO = "9000002";
const [DEPARTURE, ARRIVAL] = [1_000, 2_000];
const AT_SEA_MS_MAX = 70 * 24 * 3_600_000;
const NO_SHIP = { vesselImo: null, vesselName: null };
const CANCELLED: readonly Fields[] = [
  { goneMs: timeOf(0) },
  ...["BLNK", "SLID", "OMIT"].map((status) => ({ status })),
];

describe("schedules in the store", () => {
  const rows = storeRows(async (of) => {
    await of.clear();
    await of.run(`truncate ${of.schedules.schema}.port_calls, ${of.schedules.schema}.service_reliability`);
  });

  /** Their ids are 1 on, and their numbers at the port as well: no two are the same, as far as the store can tell. */
  const insert = (...calls: readonly Fields[]) => {
    const all = calls.map((fields, index) => callOf(index + 1, { nth: index + 1, ...fields }));
    return insertCalls(rows.database, rows.schedules, all, timeOf(0));
  };
  const clear = () => rows.run(`truncate ${rows.schedules.schema}.port_calls`);

  describe("a sailing", () => {
    const leaves = (ms: number, fields: Fields = {}): Fields => ({
      ...{
        port: "CNSHA",
        departureMs: timeOf(ms),
        arrivalMs: timeOf(ms - 1),
        vesselImo: IMO,
        voyage: "001W",
      },
      ...fields,
    });
    const comes = (ms: number, fields: Fields = {}): Fields => ({
      ...{
        port: "NLRTM",
        arrivalMs: timeOf(ms),
        departureMs: timeOf(ms + 1),
        vesselImo: IMO,
        voyage: "001W",
      },
      ...fields,
    });
    const filter = {
      ...{ origin: "CNSHA", destination: "NLRTM", fromMs: timeOf(0), beforeMs: timeOf(5_000) },
      ...{ carrier: null, withCancelled: false },
    };
    const check = async (isMade: boolean, cases: readonly Case[]) => {
      for (const [what, origin, destination, ...others] of cases) {
        await clear();
        await insert(leaves(DEPARTURE, origin), comes(ARRIVAL, destination), ...others);
        const listed = await listSailings(rows.database, rows.schedules, filter, "2026-11-01", null, 99);
        const isListed = listed.some((one) => one.originId === idOf(1) && one.destinationId === idOf(2));
        assert.equal(isListed, isMade, what);
      }
    };
    const latest = timeOf(DEPARTURE + AT_SEA_MS_MAX);

    test("is of one vessel, on one service or one voyage, or of one service and voyage where a call names no vessel", async () => {
      await check(true, [
        ["service and voyage", {}, {}],
        ["confirmed calls", { status: "CNFM" }, { status: "CNFM" }],
        ["service", {}, { voyage: "002W" }],
        ["voyage", {}, { service: "AE9" }],
        ["voyage on which it came", {}, { service: "AE9", voyage: "002E", importVoyage: "001W" }],
        ["service, no voyage known", { voyage: "" }, {}],
        ["as long as it may take", {}, { arrivalMs: latest }],
        ["no vessel: neither call has one", NO_SHIP, NO_SHIP],
        ["no vessel: it leaves", {}, NO_SHIP],
        ["no vessel: it comes", NO_SHIP, {}],
        ["no vessel: voyage on which it came", {}, { ...NO_SHIP, voyage: "002E", importVoyage: "001W" }],
        ["no vessel: same name", { vesselName: "Dawn" }, { vesselImo: null, vesselName: "DAWN" }],
        ["no vessel: one name", { vesselName: "Dawn" }, NO_SHIP],
        ["no vessel: as long as it may take", {}, { ...NO_SHIP, arrivalMs: latest }],
      ]);
      await check(false, [
        ["vessel", {}, { vesselImo: OTHER_IMO }],
        ["neither service nor voyage", {}, { service: "AE9", voyage: "002W" }],
        ["it came on another voyage", {}, { service: "AE9", importVoyage: "002W" }],
        ["no voyage known", { voyage: "" }, { service: "AE9", voyage: "" }],
        ["no vessel: service", {}, { ...NO_SHIP, service: "AE9" }],
        ["no vessel: voyage", {}, { ...NO_SHIP, voyage: "002W" }],
        ["no vessel: it came on another voyage", {}, { ...NO_SHIP, importVoyage: "002W" }],
        ["no vessel: no voyage known", { voyage: "" }, { ...NO_SHIP, voyage: "" }],
        ["no vessel: name", { vesselName: "Dawn" }, { vesselImo: null, vesselName: "Dusk" }],
        ...[{}, NO_SHIP].flatMap((ship): Case[] => [
          ["carrier", {}, { ...ship, carrier: "TRNC" }],
          ["port", {}, { ...ship, port: "DEHAM" }],
          ["origin", { port: "CNNGB" }, ship],
          ["no time at sea", {}, { ...ship, arrivalMs: timeOf(DEPARTURE) }],
          ["too long at sea", {}, { ...ship, arrivalMs: latest + 1 }],
        ]),
      ]);
    });

    test("begins with the last call at the origin, and ends with the first one at the destination, that is made", async () => {
      await check(false, [
        ["vessel", {}, {}, leaves(1_500, { service: "AE9", voyage: "009W" })],
        ["service and voyage", {}, {}, leaves(1_500, NO_SHIP)],
        ["service and voyage of no vessel", NO_SHIP, {}, leaves(1_500)],
        ["just before it arrives", {}, {}, leaves(ARRIVAL - 1)],
        ["just after it left", {}, {}, leaves(DEPARTURE + 1)],
        ["it comes before", {}, {}, comes(ARRIVAL - 1)],
        ["it comes before, of no vessel", {}, {}, comes(ARRIVAL - 1, NO_SHIP)],
        ...CANCELLED.flatMap((call): Case[] => [
          ["its first call is cancelled", call, {}],
          ["its last call is cancelled", {}, call],
        ]),
      ]);
      await check(true, [
        ["when it left", {}, {}, leaves(DEPARTURE)],
        ["when it arrives", {}, {}, leaves(ARRIVAL)],
        ["port", {}, {}, leaves(1_500, { port: "CNNGB" })],
        ["carrier", {}, {}, leaves(1_500, { carrier: "TRNC" })],
        ["vessel", {}, {}, leaves(1_500, { vesselImo: OTHER_IMO })],
        ["service", {}, {}, leaves(1_500, { ...NO_SHIP, service: "AE9" })],
        ["voyage", {}, {}, leaves(1_500, { ...NO_SHIP, voyage: "009W" })],
        ["no voyage known", { voyage: "" }, {}, leaves(1_500, { ...NO_SHIP, voyage: "" })],
        ...CANCELLED.flatMap((call): Case[] => [
          ["another is cancelled", {}, {}, leaves(1_500, call)],
          ["an earlier arrival is cancelled", {}, {}, comes(1_500, call)],
        ]),
      ]);
    });
  });

  test("calls are found by the voyage on which they leave or came, and listed if a fetch should have reported them", async () => {
    const [NOW, FROM] = [5_000, 1_000];
    const numbers = (found: readonly { readonly id: string }[]) => plain(found.map(({ id }) => id));
    await insert(
      { voyage: "046W" },
      { voyage: "046E", importVoyage: "046W" },
      { voyage: "046W", carrier: "TRNC" },
      { voyage: "046W", port: "DEHAM" },
      { voyage: "" },
      { voyage: "048E" },
    );
    const find = async (...keys: readonly object[]) => {
      const asked = keys.map((key) => ({ carrier: "HRNL", voyage: "046W", port: "NLRTM", ...key }));
      return numbers(await portCallLockByKey(rows.database, rows.schedules, asked));
    };
    assert.deepEqual([await find({}), await find({ voyage: "" })], [[1, 2], [5]]);
    assert.deepEqual(await find({ port: "DEHAM" }, { carrier: "TRNC" }), [3, 4]);
    await clear();
    const coming = { callsAtMs: timeOf(NOW + 1) };
    await insert(
      { ...coming, arrivalMs: timeOf(FROM) },
      { callsAtMs: timeOf(NOW) },
      { ...coming, arrivalMs: timeOf(FROM - 1) },
      { ...coming, goneMs: timeOf(1) },
      { ...coming, carrier: "TRNC" },
      { ...coming, service: "AE9" },
      { ...coming, port: "DEHAM", vesselImo: IMO },
    );
    const scope = { carrier: "HRNL", service: null, port: null, fromMs: timeOf(FROM), atMs: timeOf(NOW) };
    const within = async (fields: object = {}, behind: string | null = null) =>
      numbers(await listScopedCalls(rows.database, rows.schedules, { ...scope, ...fields }, behind, 9));
    assert.deepEqual(
      [await within(), await within({}, idOf(1))],
      [
        [1, 6, 7],
        [6, 7],
      ],
    );
    assert.deepEqual(
      [await within({ service: "AE1" }), await within({ port: "NLRTM" }), await within({ vessel: IMO })],
      [[1, 7], [1, 6], [7]],
    );
    assert.deepEqual(await within({ fromMs: timeOf(NOW + 2) }), [], "a fetch of what is to come later");
  });

  test("a missing call is replaced by one of the vessel at the port about then, of another voyage or service", async () => {
    const [NOW, NEAR] = [5_000, 2_000];
    const missing = { vesselImo: IMO, callsAtMs: timeOf(NOW), dueMs: timeOf(7) };
    const isReplaced = async (fields: Fields, ...others: readonly number[]) => {
      await clear();
      await insert({ vesselImo: OTHER_IMO }, missing, { ...missing, ...fields });
      const found = await lockMissingCalls(rows.database, rows.schedules, [2, ...others].map(idOf), NEAR);
      return found.find(({ id }) => id === idOf(2))!.isReplaced;
    };
    for (const [fields, expected] of [
      [{}, true],
      [{ voyage: "002W", service: "AE9" }, true],
      [{ callsAtMs: timeOf(NOW - NEAR), status: "CNFM" }, true],
      [{ callsAtMs: timeOf(NOW + NEAR) }, true],
      [{ voyage: "002W" }, false],
      [{ vesselImo: OTHER_IMO }, false],
      [{ vesselImo: null }, false],
      [{ callsAtMs: timeOf(NOW - NEAR - 1) }, false],
      [{ callsAtMs: timeOf(NOW + NEAR + 1) }, false],
      [{ carrier: "TRNC" }, false],
      [{ port: "DEHAM" }, false],
      ...CANCELLED.map((call) => [call, false] as const),
    ] as const)
      assert.equal(await isReplaced(fields), expected, JSON.stringify(fields));
    assert.equal(await isReplaced({}, 3), false, "not by one that is missing too");
  });

  test("sailings that boxes wait for are found by vessel, name or voyage, within the time, forty of a search", async () => {
    const [FROM, BEFORE] = [1_000, 2_000];
    const find = async (...searches: readonly Partial<CallSearch>[]) => {
      const common = { carrier: "HRNL", port: "NLRTM", fromMs: timeOf(FROM), toMs: timeOf(BEFORE) };
      const asked = searches.map((one) => ({ ...common, imo: null, name: null, voyage: null, ...one }));
      const found = await readAwaitedCalls(rows.database, rows.productCells.of("schedules"), asked);
      return found.map((records) => records.map((record) => (JSON.parse(record) as { n: number }).n));
    };
    const at = (ms: number, fields: Fields = {}) => ({
      ...{ departureMs: timeOf(ms), vesselImo: IMO, vesselName: "M/V Dawn-2", ...fields },
    });
    await insert(
      at(BEFORE),
      at(FROM),
      at(1_500, { vesselImo: OTHER_IMO, vesselName: null }),
      at(1_600, { vesselImo: null }),
      at(FROM - 1),
      at(BEFORE + 1),
      at(1_500, { carrier: "TRNC" }),
      at(1_500, { port: "DEHAM" }),
    );
    const [byImo, byName, byVoyage] = [{ imo: IMO }, { name: "MVDAWN2" }, { voyage: "003W" }];
    assert.deepEqual(await find(byImo, byName, byVoyage, {}), [[2, 1], [2, 4, 1], [3], []]);
    assert.deepEqual(await find({ ...byImo, ...byName, ...byVoyage }), [[2, 3, 4, 1]]);
    await clear();
    await insert(...Array.from({ length: 41 }, (_, index) => at(FROM + index)));
    assert.equal((await find(byImo))[0]!.length, 40);
    await rows.account(1);
    await rows.shipment(1, { awaited_sailings: ["a", "b"] });
    await rows.shipment(2, { awaited_sailings: ["c"], changes_at: dateOf(6) });
    await rows.shipment(3, { awaited_sailings: ["c"], changes_at: dateOf(4) });
    await rows.shipment(4, { awaited_sailings: ["d"] });
    await shipmentWakeByCall(rows.database, rows.cell, { keys: ["b", "c"], at: timeOf(5) });
    assert.deepEqual(await rows.read("select changes_at from cell.shipments order by id"), [
      [5],
      [5],
      [4],
      [null],
    ]);
  });

  test("calls and service days are forgotten by age, so many at a time, the oldest first", async () => {
    const { schema } = rows.schedules;
    await insert({ callsAtMs: timeOf(4) }, { callsAtMs: timeOf(5) }, { callsAtMs: timeOf(6) });
    await rows.run(
      `insert into ${schema}.port_calls
         (id, carrier, service, voyage, import_voyage, port, nth, calls_at, record, updated_at)
       select gen_random_uuid(), 'TRNC', '', n::text, '', 'NLRTM', 1, to_timestamp(3000 - n), '{}', to_timestamp(0)
       from generate_series(1, 2000) n`,
    );
    const prune = () =>
      pruneStep((limit) => portCallPrune(rows.database, rows.schedules, { before: timeOf(5), limit }));
    assert.equal(await prune(), true);
    assert.deepEqual(await rows.read(`select id from ${schema}.port_calls order by 1`), [[1], [2], [3]]);
    assert.deepEqual(
      [await prune(), await rows.read(`select id from ${schema}.port_calls`)],
      [false, [[2], [3]]],
    );
    // The step ends in the midst of the last day: with one of its four.
    await rows.run(
      `insert into ${schema}.service_reliability (carrier, service, day, on_time, measured)
       select 'A', 'X', date '2000-01-01' + n, 0, 0 from generate_series(1, 1999) n
       union all
       select carrier, service, date '2010-01-01', 0, 0
       from (values ('A'), ('B')) as c (carrier), (values ('X'), ('Y')) as s (service)
       union all values ('A', 'X', date '2026-10-05', 0, 0)`,
    );
    const left = async () =>
      (
        plain(await rows.read(`select day::text from ${schema}.service_reliability order by 1`)) as string[][]
      ).flat();
    const pruneDays = () =>
      pruneStep((limit) => serviceDayPrune(rows.database, rows.schedules, { before: "2026-10-05", limit }));
    assert.equal(await pruneDays(), true);
    assert.deepEqual(await left(), ["2010-01-01", "2010-01-01", "2010-01-01", "2026-10-05"]);
    assert.deepEqual([await pruneDays(), await left()], [false, ["2026-10-05"]]);
  });
});
