/** `GET /schedules/public/sailings` (spec 5; docs/schedules.md). */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { DAY_MS, HOUR_MS } from "../schedules/statements.ts";
import { ofSuite } from "../support/suite.ts";
import { START_MS } from "../support/clock.ts";
import { query } from "../support/database.ts";
import { callOn, DUSK, onDay, startSchedulesService } from "./schedules-service.ts";

const NOBODY = { imo: null, name: null, isDummy: false };

const AS_SHOWN = {
  ...{ carrier: "HRNL", service: "HE1", service_name: "Heron Express", universal_service_reference: null },
  ...{ voyage: "014E", import_voyage: "013W", export_voyage: "014E", arrival_voyage: "014E" },
  ...{ vessel_name: "HERON DAWN", vessel_imo: "9321483" },
  departure: {
    ...{ port: "JPYOK", port_name: "Yokohama", terminal: "HONMO", transport_call_reference: null },
    ...{ status: "expected", status_code: null, reinstated_at: null, delay_reason: "WEA", remark: null },
    ...{ planned: "2026-11-08T12:00:00.000Z", estimated: "2026-11-08T18:00:00.000Z", actual: null },
    ...{ first: "2026-11-08T12:00:00.000Z", event_date_time: "2026-11-08T18:00:00.000Z" },
    event_local_datetime: "2026-11-09T03:00:00",
    ...{ utc_offset_minutes: 540, event_timezone: "Asia/Tokyo" },
  },
  arrival: {
    ...{ port: "USOAK", port_name: "Oakland", terminal: null, transport_call_reference: null },
    ...{ status: "expected", status_code: null, reinstated_at: null, delay_reason: null, remark: null },
    ...{ planned: null, estimated: "2026-11-19T12:00:00.000Z", actual: null },
    ...{ first: "2026-11-19T12:00:00.000Z", event_date_time: "2026-11-19T12:00:00.000Z" },
    event_local_datetime: "2026-11-19T04:00:00",
    ...{ utc_offset_minutes: -480, event_timezone: "America/Los_Angeles" },
  },
  cancelled: false,
  uncertain: false,
  transit_days: 10.8,
  cut_offs: [
    ["FCO", "FCL delivery cut-off", "05"],
    ["VCO", "VGM cut-off", "06"],
  ].map(([code, name, day]) => ({
    code,
    name,
    at: `2026-11-${day}T12:00:00.000Z`,
    event_date_time: `2026-11-${day}T12:00:00.000Z`,
    event_local_datetime: `2026-11-${day}T21:00:00`,
    utc_offset_minutes: 540,
    event_timezone: "Asia/Tokyo",
  })),
  reliability: { on_time_percent: 71.4, calls: 42, calls_on_time: 30 },
};

describe("sailings from port to port", () => {
  const service = ofSuite(() => startSchedulesService());
  beforeEach(() => service.clear());

  const search = async (more = "", ports = "origin=JPYOK&destination=USOAK") => {
    const { status, body } = await service.ask(`/sailings?${ports}${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  /** From when to when each goes, in days from the beginning. */
  const found = async (more = "", ports?: string): Promise<readonly string[]> =>
    (await search(more, ports)).data.map((one: Record<string, Record<string, string>>) =>
      [one["departure"], one["arrival"]]
        .map((call) => Math.round((Date.parse(call!["event_date_time"]!) - START_MS) / DAY_MS))
        .join("-"),
    );

  test("a sailing says all that is known of it, in UTC and by the ports' clocks", async () => {
    const { schema } = service.test.productCells.of("schedules");
    await query(
      service.test.address,
      `insert into ${schema}.service_reliability values ('HRNL', 'HE1', '2026-11-01', 30, 42, 762);
       insert into ${schema}.schedule_days (reliability_until) values ('2026-11-01')`,
    );
    await service.say([
      callOn("JPYOK", 5, {
        departure: { planned: onDay(6), estimated: onDay(6) + 6 * HOUR_MS },
        voyage: { import: "013W", export: "014E" },
        cutOffs: { VCO: onDay(4), FCO: onDay(3) },
        terminal: "HONMO",
        delayReason: "WEA",
      }),
      callOn("USOAK", 17, { portName: "Oakland", voyage: { import: "014E", export: "015W" } }),
    ]);
    const { ok, data } = await search();
    const [{ departure, arrival, ...sailing }] = data;
    const [{ id: leaves, ...left }, { id: comes, ...came }] = [departure, arrival];
    assert.deepEqual([ok, { ...sailing, departure: left, arrival: came }], [true, AS_SHOWN]);
    const [call] = (await service.ask("/port-calls?port=USOAK&from=2026-11-01&to=2026-12-01")).body.data;
    assert.deepEqual([comes, leaves !== comes], [call.id, true]);
    assert.deepEqual((await search("", "origin=jpyok&destination=usoak&carrier=hrnl")).data, data);
  });

  test("a vessel that calls twice is taken at its last call before, and its first after", async () => {
    await service.say(
      ["JPYOK", "JPNGO", "JPYOK", "USOAK", "USLAX", "USOAK"].map((port, nth) => callOn(port, 3 * nth + 1)),
    );
    assert.deepEqual(await found(), ["8-10"]);
    assert.deepEqual(await found("", "origin=USOAK&destination=JPYOK"), []);
    assert.deepEqual(await found("", "origin=JPNGO&destination=USOAK"), ["5-10"]);
  });

  test("a vessel that goes round and round is found on each round, and on no longer way", async () => {
    const rounds = [0, 1, 2].flatMap((round) => [
      callOn("JPYOK", 1 + 20 * round, { voyage: { import: `${round}W`, export: `${round}E` } }),
      callOn("USOAK", 12 + 20 * round, { voyage: { import: `${round}E`, export: `${round + 1}W` } }),
    ]);
    await service.say(rounds);
    assert.deepEqual(await found("&to=2027-01-31"), ["2-12", "22-32", "42-52"]);
    assert.deepEqual(await found("&to=2027-01-31", "origin=USOAK&destination=JPYOK"), ["13-21", "33-41"]);
  });

  test("without a number in common the vessel and its service join calls, for ten weeks at most", async () => {
    const call = (port: string, day: number, number: string, code = "HE1") =>
      callOn(port, day, {
        voyage: { import: number, export: number },
        service: { code, name: null, universal: null },
      });
    await service.say([call("JPYOK", 1, "1E"), call("USOAK", 12, "2E")]);
    assert.deepEqual(await found(), ["2-12"]);
    assert.deepEqual(await found("", "origin=USOAK&destination=JPYOK"), []);
    await service.say([call("CNSHA", 1, "1E"), call("USLAX", 1 + 72, "2E")]);
    assert.deepEqual(await found("", "origin=CNSHA&destination=USLAX"), []);
    await service.say([call("KRPUS", 1, "1E"), call("USSEA", 12, "2E", "HE2")]);
    assert.deepEqual(await found("", "origin=KRPUS&destination=USSEA"), []);
  });

  test("without a vessel the number of the voyage joins calls of one service", async () => {
    const other = { code: "HE2", name: null, universal: null };
    await service.say([
      callOn("JPYOK", 1, { vessel: NOBODY }),
      callOn("USOAK", 12, { vessel: NOBODY }),
      callOn("JPYOK", 3, { vessel: NOBODY, service: other }),
      callOn("USOAK", 9, { vessel: DUSK, voyage: { import: "015E", export: "015E" } }),
    ]);
    assert.deepEqual(await found(), ["2-12"]);
    await service.clear();
    await service.say([callOn("JPYOK", 1), callOn("USOAK", 12, { vessel: DUSK })]);
    assert.deepEqual(await found(), [], "one vessel's number is not another's");
  });

  test("a sailing of whose calls one is omitted, blanked or slid is shown only when that is asked for", async () => {
    for (const [what, status, port] of [
      ["omitted", "OMIT", "USOAK"],
      ["blanked", "BLNK", "JPYOK"],
      ["slid", "SLID", "USOAK"],
    ] as const) {
      await service.clear();
      const calls = [callOn("JPYOK", 1), callOn("USOAK", 12)];
      await service.say(calls.map((call) => (call.port === port ? { ...call, status } : call)));
      assert.deepEqual([await found(), await found("&include_cancelled=false")], [[], []]);
      const { data } = await search("&include_cancelled=true");
      assert.equal(data.length, 1);
      const call = data[0][port === "JPYOK" ? "departure" : "arrival"];
      assert.deepEqual([data[0].cancelled, call.status, call.status_code], [true, what, status]);
    }
  });

  test("a call that a carrier lists no longer is missing, and the sailing goes from the one before", async () => {
    const [first, second, arrival] = [callOn("JPYOK", 2), callOn("JPYOK", 6), callOn("USOAK", 16)];
    await service.say([first, second, arrival]);
    assert.deepEqual(await found(), ["7-16"]);
    const complete = { carrier: "HRNL", service: null, port: null, fromMs: START_MS, toMs: onDay(60) };
    await service.say([first, arrival], { complete });
    const { data: uncertain } = await search();
    assert.deepEqual(
      uncertain.map((one: { uncertain: boolean; departure: { status: string } }) => [
        one.uncertain,
        one.departure.status,
      ]),
      [[true, "uncertain"]],
    );
    await service.say([first, arrival], { complete, atMs: START_MS + HOUR_MS });
    assert.deepEqual(await found(), ["3-16"]);
    const { data } = await search("&include_cancelled=true");
    assert.deepEqual(
      data.map((one: { departure: { status: string } }) => one.departure.status),
      ["expected", "missing"],
    );
  });
});
