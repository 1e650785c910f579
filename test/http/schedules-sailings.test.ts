/** `GET /schedules/public/sailings` (spec 5; docs/schedules.md). */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { DAY_MS, HOUR_MS, said } from "../schedules/statements.ts";
import { ofSuite } from "../support/suite.ts";
import { START_MS } from "../support/clock.ts";
import { query } from "../support/database.ts";
import { callOn, onDay, startSchedulesService, DUSK } from "./schedules-service.ts";
import { allPages } from "../support/answers.ts";

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

describe("a search for sailings", () => {
  const service = ofSuite(() => startSchedulesService());
  beforeEach(() => service.clear());

  const search = async (more = "") => {
    const { status, body } = await service.ask(`/sailings?origin=JPYOK&destination=USOAK${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  test("the window is of days at the origin, from today on for four weeks", async () => {
    // Midnight at Yokohama is three in the afternoon of UTC.
    const midnightMs = Date.UTC(2026, 10, 10, 15);
    const calls = [midnightMs - 1, midnightMs].flatMap((ms, nth) => {
      const voyage = { import: `${nth}E`, export: `${nth}E` };
      const vessel = { ...DUSK, imo: `932149${nth}` };
      return [
        said({ departure: { planned: ms }, voyage, vessel }),
        said({ port: "USOAK", arrival: { planned: ms + 9 * DAY_MS }, voyage, vessel }),
      ];
    });
    await service.say([...calls, callOn("JPYOK", 29), callOn("USOAK", 40)]);
    assert.equal((await search()).data.length, 2);
    assert.equal((await search("&to=2026-12-31")).data.length, 3);
    const only = async (day: string) =>
      (await search(`&from=${day}&to=${day}`)).data.map(
        (one: { departure: { planned: string } }) => one.departure.planned,
      );
    assert.deepEqual(await only("2026-11-10"), [new Date(midnightMs - 1).toISOString()]);
    assert.deepEqual(await only("2026-11-11"), [new Date(midnightMs).toISOString()]);
  });

  test("pages go on where the one before ended, also where several leave at once", async () => {
    await service.say(
      Array.from({ length: 7 }, (_, nth) => {
        const vessel = { imo: `900000${nth}`, name: null, isDummy: false };
        const voyage = { import: `${nth}E`, export: `${nth}E` };
        return [
          callOn("JPYOK", nth < 4 ? 1 : 2, { vessel, voyage }),
          callOn("USOAK", 12, { vessel, voyage }),
        ];
      }).flat(),
    );
    const whole = await search();
    const seen = await allPages((cursor) =>
      service.ask(`/sailings?origin=JPYOK&destination=USOAK&limit=2${cursor}`),
    );
    assert.equal(seen.length, 7);
    assert.deepEqual(seen, whole.data);
    assert.equal(whole.next_cursor, undefined);
  });

  test("what cannot be meant is refused with what to change", async () => {
    const ports = "origin=JPYOK&destination=USOAK";
    for (const [asked, message] of [
      ["", /^query lacks origin|^query\.origin/],
      ["origin=JPYOK", /destination/],
      [
        "origin=Yokohama&destination=USOAK",
        /^query\.origin must be a UN\/LOCODE such as NLRTM, not "Yokohama"$/,
      ],
      ["origin=JPYOK&destination=jpyok", /^query\.destination must be another port than origin/],
      ["origin=%00&destination=USOAK", /^query\.origin must be a UN\/LOCODE/],
      ["origin=JPYOK&origin=JPNGO&destination=USOAK", /^query\.origin/],
      [`${ports}&from=tomorrow`, /^query\.from must be a day such as/],
      [`${ports}&from=2026-11-10&to=2026-11-09`, /^query\.to must be 2026-11-10 or later/],
      [`${ports}&from=2026-11-01&to=2027-02-01`, /^query\.to must be 2027-01-31 or earlier: 92 days/],
      [`${ports}&carrier=HERON`, /^query\.carrier must be a SCAC/],
      [`${ports}&carier=HRNL`, /^query has no carier: it takes origin, destination, from/],
      [`${ports}&include_cancelled=yes`, /^query\.include_cancelled/],
      [`${ports}&limit=101`, /^query\.limit/],
      [`${ports}&cursor=x`, /^query\.cursor must be/],
      [`${ports}&cursor=${Buffer.from('[1e99,"",""]').toString("base64url")}`, /^query\.cursor must be/],
    ] as const) {
      const { status, body } = await service.ask(`/sailings?${asked}`);
      assert.deepEqual([status, body.ok, body.error.code], [400, false, "INVALID_REQUEST"], asked);
      assert.match(body.error.message, message);
    }
    assert.deepEqual((await search("&from=9999-12-31")).data, []);
    assert.deepEqual((await search("&from=1970-01-01&to=1970-04-02")).data, []);
  });
});
