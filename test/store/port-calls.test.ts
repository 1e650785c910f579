/** Port calls: how the store writes them, and how writers find them again. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  type CallKey,
  lockDueCalls,
  lockCallsByKey,
  lockCallsOfVoyages,
  listScopedCalls,
  countCalls,
  insertCalls,
  lockCarriers,
  lockMissingCalls,
  type PortCallRow,
  pruneCalls,
  updateCalls,
} from "../../src/products/schedules/store/port-calls.ts";
import { callOf, IMO, OTHER_IMO } from "./call-rows.ts";
import { dateOf, idOf, storeRows, plain, timeOf } from "./store-rows.ts";

const NOW = 5_000;

describe("calls at ports in the store", () => {
  const rows = storeRows((of) =>
    of.run(`truncate ${of.schedules.schema}.port_calls, ${of.schedules.schema}.schedule_carriers`),
  );

  const insert = (calls: Readonly<Record<number, Partial<PortCallRow>>>, atMs = NOW) =>
    insertCalls(
      rows.database,
      rows.schedules,
      Object.entries(calls).map(([id, fields]) => callOf(Number(id), fields)),
      timeOf(atMs),
    );
  const all = () => rows.read(`select * from ${rows.schedules.schema}.port_calls order by id`);
  const ids = (found: readonly { readonly id: string }[]) => plain(found.map(({ id }) => id));

  describe("a call", () => {
    const ROW: Partial<PortCallRow> = {
      importVoyage: "045W",
      nth: 2,
      vesselImo: IMO,
      vesselName: "Dawn",
      terminal: "ECTDEL",
      status: "OMIT",
      arrivalMs: timeOf(1),
      departureMs: timeOf(2),
      callsAtMs: timeOf(3),
      goneMs: timeOf(4),
      dueMs: timeOf(5),
      measuredOn: "2026-11-02",
      onTime: true,
    };
    const written = (id: number, fields: Partial<PortCallRow>, atMs: number) => {
      const call = callOf(id, fields);
      const time = (ms: number | null) => (ms === null ? null : new Date(ms));
      return plain([
        ...[call.id, call.carrier, call.service, call.voyage, call.importVoyage, call.port, call.nth],
        ...[call.vesselImo, call.vesselName, call.terminal, call.status],
        ...[time(call.arrivalMs), time(call.departureMs), time(call.callsAtMs), call.record],
        ...[time(call.goneMs), time(call.dueMs)],
        ...[
          call.measuredOn === null ? null : new Date(`${call.measuredOn}T00:00`),
          call.onTime,
          dateOf(atMs),
        ],
      ]);
    };

    test("is written with all its columns", async () => {
      await insert({ 1: ROW, 2: {} });
      assert.deepEqual(await all(), [written(1, ROW, NOW), written(2, {}, NOW)]);
      assert.equal(await countCalls(rows.database, rows.schedules), 2);
    });

    test("is changed in all but its carrier and port", async () => {
      await insert({ 1: {}, 2: {} });
      const changed = { ...ROW, service: "AE9", voyage: "099E", record: "{}" };
      const update = callOf(1, { ...changed, carrier: "TRNC", port: "DEHAM" });
      await updateCalls(rows.database, rows.schedules, [update], timeOf(NOW + 1));
      assert.deepEqual(await all(), [written(1, changed, NOW + 1), written(2, {}, NOW)]);
    });
  });

  test("carriers are locked once, whether new or already stored", async () => {
    const lock = (...carriers: readonly string[]) => lockCarriers(rows.database, rows.schedules, carriers);
    await lock("TRNC", "HRNL");
    await lock("HRNL", "ACME");
    assert.deepEqual(
      await rows.read(`select carrier from ${rows.schedules.schema}.schedule_carriers order by 1`),
      [["ACME"], ["HRNL"], ["TRNC"]],
    );
  });

  test("are found by the voyage on which they leave or came, of a carrier at a port", async () => {
    await insert({
      4: { voyage: "", nth: 4 },
      3: { voyage: "046E", importVoyage: "046W" },
      2: { voyage: "046W", dueMs: timeOf(9) },
      5: { voyage: "046W", carrier: "TRNC" },
      6: { voyage: "046W", port: "DEHAM" },
      7: { voyage: "047E", importVoyage: "046W", carrier: "TRNC" },
      8: { voyage: "047E", importVoyage: "046W", port: "DEHAM" },
      9: { voyage: "048E" },
    });
    const find = (...keys: readonly Partial<CallKey>[]) =>
      lockCallsByKey(
        rows.database,
        rows.schedules,
        keys.map((key) => ({ carrier: "HRNL", voyage: "046W", port: "NLRTM", ...key })),
      );
    assert.deepEqual(plain(await find({})), [
      { id: 2, record: '{"n":2}', dueAt: 9 },
      { id: 3, record: '{"n":3}', dueAt: null },
    ]);
    assert.deepEqual(ids(await find({ voyage: "" })), [4], "not those without a voyage on which they came");
    assert.deepEqual(ids(await find({ port: "DEHAM" }, { carrier: "TRNC" }, {})), [2, 3, 5, 6, 7, 8]);
    const voyages = await lockCallsOfVoyages(rows.database, rows.schedules, [
      { carrier: "HRNL", voyage: "046W" },
      { carrier: "TRNC", voyage: "047E" },
    ]);
    assert.deepEqual(ids(voyages), [2, 6, 7]);
  });

  test("are due once time has changed them, the longest due first", async () => {
    await insert({
      1: { dueMs: timeOf(3) },
      2: { dueMs: timeOf(NOW) },
      3: { dueMs: timeOf(NOW + 1) },
      4: { dueMs: timeOf(1) },
      5: {},
    });
    const due = async (limit: number) =>
      plain(await lockDueCalls(rows.database, rows.schedules, timeOf(NOW), limit));
    const [first, second, third] = [4, 1, 2].map((id) => ({
      id,
      record: `{"n":${id}}`,
      dueAt: { 4: 1, 1: 3, 2: NOW }[id],
    }));
    assert.deepEqual(await due(9), [first, second, third]);
    assert.deepEqual(await due(2), [first, second]);
  });

  test("are listed if a fetch should have reported them: in its scope, in the future, and not gone", async () => {
    const FROM = 1_000;
    await insert({
      12: { callsAtMs: timeOf(NOW + 1) },
      11: { callsAtMs: timeOf(NOW + 2), arrivalMs: timeOf(FROM) },
      13: { callsAtMs: timeOf(NOW) },
      14: { callsAtMs: timeOf(NOW + 1), arrivalMs: timeOf(FROM - 1) },
      15: { callsAtMs: timeOf(NOW + 1), goneMs: timeOf(1) },
      16: { callsAtMs: timeOf(NOW + 1), carrier: "TRNC" },
      17: { callsAtMs: timeOf(NOW + 1), service: "AE9" },
      18: { callsAtMs: timeOf(NOW + 1), port: "DEHAM", vesselImo: IMO },
    });
    type Scope = Parameters<typeof listScopedCalls>[2];
    const scope = { carrier: "HRNL", service: null, port: null, fromMs: timeOf(FROM), atMs: timeOf(NOW) };
    const within = async (fields: Partial<Scope> = {}, behind: number | null = null, limit = 9) =>
      listScopedCalls(
        rows.database,
        rows.schedules,
        { ...scope, ...fields },
        behind === null ? null : idOf(behind),
        limit,
      );
    assert.deepEqual(plain((await within()).slice(0, 2)), [
      { id: 11, service: "AE1", voyage: "011W", callsAt: NOW + 2, arrivalAt: FROM },
      { id: 12, service: "AE1", voyage: "012W", callsAt: NOW + 1, arrivalAt: null },
    ]);
    assert.deepEqual(ids(await within()), [11, 12, 17, 18]);
    assert.deepEqual(ids(await within({ service: "AE1" })), [11, 12, 18]);
    assert.deepEqual(ids(await within({ port: "NLRTM" })), [11, 12, 17]);
    assert.deepEqual(ids(await within({ vessel: IMO })), [18]);
    assert.deepEqual(ids(await within({}, 11, 2)), [12, 17]);
    // A fetch of what is to come later.
    assert.deepEqual(ids(await within({ fromMs: timeOf(NOW + 1) })), [12, 17, 18]);
    assert.deepEqual(ids(await within({ fromMs: timeOf(NOW + 2) })), []);
  });

  test("are replaced by calls of the vessel at the port about then, of another voyage or service", async () => {
    const NEAR = 2_000;
    const replaced = async (fields: Partial<PortCallRow> | null, others: readonly number[] = []) => {
      await rows.run(`truncate ${rows.schedules.schema}.port_calls`);
      const missing = { vesselImo: IMO, callsAtMs: timeOf(NOW), dueMs: timeOf(7) };
      await insert({ 2: missing, 1: { vesselImo: OTHER_IMO } });
      if (fields !== null) await insert({ 3: { ...missing, ...fields } });
      const found = await lockMissingCalls(rows.database, rows.schedules, [2, ...others].map(idOf), NEAR);
      return plain(found.map(({ id, isReplaced }) => [id, isReplaced]));
    };
    assert.deepEqual(await replaced(null), [[2, false]]);
    const yes: readonly Partial<PortCallRow>[] = [
      {},
      { voyage: "002W", service: "AE9" },
      { callsAtMs: timeOf(NOW - NEAR), status: "CNFM" },
      { callsAtMs: timeOf(NOW + NEAR) },
    ];
    for (const fields of yes) assert.deepEqual(await replaced(fields), [[2, true]], JSON.stringify(fields));
    const no: readonly Partial<PortCallRow>[] = [
      { voyage: "002W", nth: 2 },
      { vesselImo: OTHER_IMO },
      { vesselImo: null },
      { callsAtMs: timeOf(NOW - NEAR - 1) },
      { callsAtMs: timeOf(NOW + NEAR + 1) },
      { carrier: "TRNC" },
      { port: "DEHAM" },
      { goneMs: timeOf(1) },
      { status: "OMIT" },
      { status: "BLNK" },
      { status: "SLID" },
    ];
    for (const fields of no) assert.deepEqual(await replaced(fields), [[2, false]], JSON.stringify(fields));
    assert.deepEqual(
      await replaced({}, [3, 1]),
      [
        [1, false],
        [2, false],
        [3, false],
      ],
      "not by one that is missing too",
    );
    const [found] = await lockMissingCalls(rows.database, rows.schedules, [idOf(2)], NEAR);
    assert.deepEqual(plain(found), { id: 2, record: '{"n":2}', dueAt: 7, isReplaced: true });
  });

  test("are forgotten by age, so many at a time", async () => {
    await insert({ 1: { callsAtMs: timeOf(4) }, 2: { callsAtMs: timeOf(5) }, 3: { callsAtMs: timeOf(6) } });
    const prune = () => pruneCalls(rows.database, rows.schedules, timeOf(5));
    assert.equal(await prune(), false);
    const left = `select id from ${rows.schedules.schema}.port_calls where id < '${idOf(10)}' order by id`;
    assert.deepEqual(await rows.read(left), [[2], [3]]);
    await rows.run(
      `insert into ${rows.schedules.schema}.port_calls
         (id, carrier, service, voyage, import_voyage, port, nth, calls_at, record, updated_at)
       select gen_random_uuid(), 'TRNC', '', n::text, '', 'NLRTM', 1, to_timestamp(3000 - n), '{}', to_timestamp(0)
       from generate_series(1, 2001) n`,
    );
    assert.equal(await prune(), true);
    assert.deepEqual(
      await rows.read(
        `select extract(epoch from calls_at)::integer from ${rows.schedules.schema}.port_calls where carrier = 'TRNC'`,
      ),
      [[2_999]],
    );
    assert.equal(await prune(), false);
  });
});
