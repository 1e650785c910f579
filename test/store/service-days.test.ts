/** How services kept their schedules: counted over a window of calls, kept a day, read and forgotten. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { insertCalls, type PortCallRow } from "../../src/products/schedules/store/port-calls.ts";
import {
  listCarrierDays,
  listServiceDays,
  type ServiceKey,
} from "../../src/products/schedules/store/schedules-read.ts";
import {
  advanceReliability,
  insertServiceDays,
  pruneServiceDays,
  readReliabilityDay,
  readServiceWindows,
} from "../../src/products/schedules/store/service-reliability.ts";
import { callOf } from "./call-rows.ts";
import { storeRows, timeOf } from "./store-rows.ts";

/** A day of October 2026. */
const day = (number: number) => `2026-10-${String(number).padStart(2, "0")}`;

describe("reliability of services in the store", () => {
  const rows = storeRows(async (of) => {
    const { schema } = of.schedules;
    await of.run(`truncate ${schema}.port_calls, ${schema}.service_reliability, ${schema}.schedule_days`);
  });

  type Window = readonly [carrier: string, service: string, onTime: number, measured: number];
  const insertDays = async (
    on: number,
    ...windows: readonly (readonly [...Window, reference?: number])[]
  ) => {
    const given = windows.map(([carrier, service, onTime, measured, reference = null]) => ({
      ...{ carrier, service, onTime, measured, reference },
    }));
    const written = await insertServiceDays(rows.database, rows.schedules, day(on), given);
    return written.map(({ carrier, service }) => `${carrier} ${service}`).toSorted();
  };

  test("is worked out to a day, and never goes back", async () => {
    const until = () => readReliabilityDay(rows.database, [rows.schedules]);
    assert.equal(await until(), null);
    for (const [on, expected] of [
      [2, 2],
      [1, 2],
      [4, 4],
    ] as const) {
      await advanceReliability(rows.database, rows.schedules, day(on));
      assert.equal(await until(), day(expected));
    }
  });

  describe("a window", () => {
    const measure = async (
      calls: readonly (readonly [fields: Partial<PortCallRow>, on: number, onTime: boolean])[],
    ) =>
      insertCalls(
        rows.database,
        rows.schedules,
        calls.map(([fields, on, onTime], index) =>
          callOf(index + 1, { ...fields, measuredOn: day(on), onTime }),
        ),
        timeOf(0),
      );
    const windows = (behind: ServiceKey | null = null, limit = 9) =>
      readServiceWindows(rows.database, rows.schedules, { after: day(10), until: day(20) }, behind, limit);
    const windowOf = (
      carrier: string,
      service: string,
      onTime: number,
      measured: number,
      reference: number | null = null,
    ) => ({
      ...{ carrier, service, onTime, measured, reference },
    });

    test("counts the calls of each service that were measured on its days", async () => {
      await insertCalls(rows.database, rows.schedules, [callOf(90)], timeOf(0));
      await measure([
        [{}, 10, true],
        [{}, 11, true],
        [{}, 15, true],
        [{}, 20, false],
        [{}, 21, true],
        [{ carrier: "TRNC" }, 15, false],
        [{ service: "AE9" }, 15, true],
        [{ service: "" }, 15, true],
        [{ service: "AE5" }, 21, true],
      ]);
      const [first, second, third] = [
        windowOf("HRNL", "AE1", 2, 3),
        windowOf("HRNL", "AE9", 1, 1),
        windowOf("TRNC", "AE1", 0, 1),
      ];
      assert.deepEqual(await windows(), [first, second, third]);
      assert.deepEqual(await windows(null, 2), [first, second]);
      assert.deepEqual(await windows(null, 1), [first]);
      assert.deepEqual(await windows({ carrier: "HRNL", service: "AE1" }), [second, third]);
      assert.deepEqual(await windows({ carrier: "HRNL", service: "AE9" }), [third]);
    });

    test("knows the reference of the last day before its own that was kept", async () => {
      await measure([
        [{}, 15, true],
        [{ service: "AE9" }, 15, true],
        [{ carrier: "TRNC" }, 15, true],
        [{ service: "B" }, 15, true],
      ]);
      await insertDays(19, ["HRNL", "AE1", 1, 1, 700], ["TRNC", "AE9", 1, 1, 100]);
      await insertDays(18, ["HRNL", "AE1", 1, 1, 600], ["HRNL", "AE9", 1, 1, 500]);
      await insertDays(20, ["HRNL", "AE1", 1, 1, 800], ["HRNL", "B", 1, 1, 400]);
      assert.deepEqual(await windows(), [
        windowOf("HRNL", "AE1", 1, 1, 700),
        windowOf("HRNL", "AE9", 1, 1, 500),
        windowOf("HRNL", "B", 1, 1),
        windowOf("TRNC", "AE1", 1, 1),
      ]);
    });
  });

  test("is written once a day and service", async () => {
    assert.deepEqual(await insertDays(1, ["TRNC", "AE1", 1, 2], ["HRNL", "AE1", 3, 4, 5]), [
      "HRNL AE1",
      "TRNC AE1",
    ]);
    assert.deepEqual(await insertDays(1, ["HRNL", "AE1", 9, 9], ["HRNL", "AE9", 0, 0]), ["HRNL AE9"]);
    assert.deepEqual(await insertDays(2, ["HRNL", "AE1", 9, 9]), ["HRNL AE1"]);
    assert.deepEqual(
      await rows.read(
        `select carrier, service, day::text, on_time, measured, reference
         from ${rows.schedules.schema}.service_reliability order by day, carrier, service`,
      ),
      [
        ["HRNL", "AE1", day(1), 3, 4, 5],
        ["HRNL", "AE9", day(1), 0, 0, null],
        ["TRNC", "AE1", day(1), 1, 2, null],
        ["HRNL", "AE1", day(2), 9, 9, null],
      ],
    );
  });

  test("is read by service, and of all services of a carrier together", async () => {
    const days: readonly (readonly [...Window, number])[] = [
      ["TRNC", "AE1", 1, 2, 10],
      ["HRNL", "AE9", 3, 5, 20],
      ["HRNL", "AE1", 4, 6, 30],
    ];
    await insertDays(1, ...days);
    await insertDays(2, ["ACME", "AE1", 1, 1]);
    const list = async (
      carrier: string | null,
      service: string | null,
      behind: ServiceKey | null = null,
      limit = 9,
    ) =>
      (
        await listServiceDays(rows.database, [rows.schedules], day(1), { carrier, service }, behind, limit)
      ).map((one) => [...[one.carrier, one.service, one.onTime, one.measured, one.reference]]);
    const [third, second, first] = days;
    assert.deepEqual(await list(null, null), [first, second, third]);
    assert.deepEqual(await list("HRNL", null), [first, second]);
    assert.deepEqual(await list(null, "AE1"), [first, third]);
    assert.deepEqual(await list(null, null, null, 2), [first, second]);
    assert.deepEqual(await list(null, null, { carrier: "HRNL", service: "AE1" }), [second, third]);
    const carriers = (carrier: string | null) =>
      listCarrierDays(rows.database, [rows.schedules], day(1), carrier);
    const both = [
      { carrier: "HRNL", onTime: 7, measured: 11 },
      { carrier: "TRNC", onTime: 1, measured: 2 },
    ];
    assert.deepEqual(await carriers(null), both);
    assert.deepEqual(await carriers("TRNC"), both.slice(1));
  });

  test("of one day has five hundred carriers at the most", async () => {
    await rows.run(
      `insert into ${rows.schedules.schema}.service_reliability (carrier, service, day, on_time, measured)
       select 'C' || n, '', '${day(1)}', 0, 0 from generate_series(1000, 1500) n`,
    );
    const carriers = await listCarrierDays(rows.database, [rows.schedules], day(1), null);
    assert.deepEqual([carriers.length, carriers[0]?.carrier], [500, "C1000"]);
  });

  test("is forgotten by age, so many at a time", async () => {
    const left = () =>
      rows.read(
        `select carrier, service, day::text from ${rows.schedules.schema}.service_reliability order by 1, 2, 3`,
      );
    const prune = () => pruneServiceDays(rows.database, rows.schedules, day(5));
    await insertDays(4, ["HRNL", "AE1", 1, 1]);
    await insertDays(5, ["HRNL", "AE1", 1, 1], ["HRNL", "AE9", 1, 1]);
    await insertDays(6, ["TRNC", "AE1", 1, 1]);
    const kept = [
      ["HRNL", "AE1", day(5)],
      ["HRNL", "AE9", day(5)],
      ["TRNC", "AE1", day(6)],
    ];
    assert.equal(await prune(), false);
    assert.deepEqual(await left(), kept);
    // The step ends in the midst of the last day: with one of its four.
    await rows.run(
      `insert into ${rows.schedules.schema}.service_reliability (carrier, service, day, on_time, measured)
       select 'A', 'X', date '2000-01-01' + n, 0, 0 from generate_series(1, 1999) n
       union all
       select carrier, service, date '2010-01-01', 0, 0
       from (values ('A'), ('B')) as c (carrier), (values ('X'), ('Y')) as s (service)`,
    );
    assert.equal(await prune(), true);
    const remaining = (await left()) as readonly (readonly [string, string, string])[];
    assert.deepEqual(
      remaining.filter(([, , on]) => on < day(1)).map(([, , on]) => on),
      ["2010-01-01", "2010-01-01", "2010-01-01"],
    );
    assert.equal(await prune(), false);
    assert.deepEqual(await left(), kept);
  });
});
