/** `GET /schedules/public/connections` (docs/schedules.md). */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { callOn, onDay, startSchedulesService } from "./schedules-service.ts";
import { readAnswer } from "../../src/products/schedules/sources/read-answer.ts";
import { createReadContext } from "../../src/products/schedules/sources/read-context.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import type { Said } from "../schedules/statements.ts";
import { ofSuite } from "../support/suite.ts";
import { column } from "../support/columns.ts";

type ShownWay = Readonly<{
  carrier: string | null;
  routing: string;
  transshipments: readonly { readonly port: string; readonly wait_hours: number }[];
  transit_days: number;
  uncertain: boolean;
  legs: readonly {
    readonly voyage: string;
    readonly departure: { readonly port: string; readonly estimated: string };
    readonly arrival: { readonly port: string };
  }[];
}>;

const VESSELS = ["9321483", "9321495", "9074729", "9811000", "9839430"];

/** The calls of a vessel's voyage: ports with their days of arrival; it leaves a day later. */
function voyage(vessel: number, number: string, calls: Readonly<Record<string, number>>, more: Said = {}) {
  return Object.entries(calls).map(([port, day]) =>
    callOn(port, day, {
      vessel: { imo: VESSELS[vessel]!, name: `VESSEL ${vessel}`, isDummy: false },
      service: { code: `S${vessel}`, name: null, universal: null },
      voyage: { import: number, export: number },
      portName: null,
      ...more,
    }),
  );
}

/** A routing as a carrier answers with it: of each leg the vessel, the voyage, and where and when it begins and ends. */
function routing(
  ...legs: readonly (readonly [
    vessel: number,
    number: string,
    from: string,
    left: number,
    to: string,
    came: number,
  ])[]
) {
  const at = (port: string, day: number) => ({
    location: { UNLocationCode: port },
    dateTime: new Date(onDay(day)).toISOString(),
  });
  return {
    legs: legs.map(([vessel, number, from, left, to, came]) => ({
      transport: {
        modeOfTransport: "VESSEL",
        vessel: { vesselIMONumber: VESSELS[vessel] },
        servicePartners: [
          { carrierCode: "HRNL", carrierServiceCode: `S${vessel}`, carrierExportVoyageNumber: number },
        ],
      },
      departure: at(from, left),
      arrival: at(to, came),
    })),
  };
}

describe("connections", () => {
  const service = ofSuite(() => startSchedulesService());
  beforeEach(() => service.clear());

  const ask = async (more = "") => {
    const path = `/connections?origin=cnsha&destination=nlrtm${more}`;
    const { status, body } = await service.ask(path, `198.51.100.${(asked += 1)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  let asked = 0;
  const ways = (data: readonly ShownWay[]) =>
    data.map(({ legs }) =>
      legs.map((leg) => `${leg.departure.port}-${leg.arrival.port} ${leg.voyage}`).join(", "),
    );

  test("join vessels of one carrier with enough time between, the first to arrive", async () => {
    await service.say([
      ...voyage(0, "1W", { CNSHA: 1, SGSIN: 8 }),
      // Leaves before the box can be aboard, in time, and later.
      ...voyage(4, "2W", { SGSIN: 7, NLRTM: 25 }),
      ...voyage(1, "3W", { SGSIN: 10, NLRTM: 33 }),
      ...voyage(2, "4W", { SGSIN: 9, NLRTM: 35 }),
      ...voyage(3, "5W", { SGSIN: 9, NLRTM: 27 }, { carrier: "TRNC" }),
    ]);
    const { ok, data, next_cursor: next } = await ask();
    assert.deepEqual([ok, next, ways(data)], [true, undefined, ["CNSHA-SGSIN 1W, SGSIN-NLRTM 3W"]]);
    const [{ carrier, transshipments, transit_days, uncertain }] = data;
    assert.deepEqual(
      { carrier, transshipments, transit_days, uncertain },
      {
        carrier: "HRNL",
        transshipments: [{ port: "SGSIN", port_name: null, wait_hours: 72 }],
        transit_days: 31,
        uncertain: false,
      },
    );
    const [direct] = (await service.ask("/sailings?origin=SGSIN&destination=NLRTM&carrier=HRNL")).body.data;
    const { cancelled: _, uncertain: __, reliability: ___, ...leg } = direct;
    assert.equal(leg.voyage, "2W");
    assert.deepEqual(Object.keys(data[0].legs[1]).toSorted(), Object.keys(leg).toSorted());

    assert.deepEqual((await ask("&carrier=trnc")).data, []);
    await service.say(voyage(1, "3W", { NLRTM: 33 }, { status: "OMIT" }));
    assert.deepEqual(ways((await ask()).data), ["CNSHA-SGSIN 1W, SGSIN-NLRTM 4W"]);
  });

  test("come in pages by departure, and those of one departure stay together", async () => {
    await service.say([
      ...[1, 8, 15].flatMap((day, nth) => voyage(0, `${nth}W`, { CNSHA: day, SGSIN: day + 5 })),
      ...voyage(1, "9W", { SGSIN: 24, NLRTM: 44 }),
      ...voyage(2, "8W", { SGSIN: 21, LKCMB: 24 }),
      ...voyage(3, "7W", { LKCMB: 26, NLRTM: 40 }),
    ]);
    const whole = (await ask("&transshipments=2")).data as readonly ShownWay[];
    assert.equal(whole.length, 6);
    const paged: ShownWay[] = [];
    for (let cursor = ""; ;) {
      const { data, next_cursor: next } = await ask(`&transshipments=2&limit=1${cursor}`);
      assert.equal(data.length, 2);
      paged.push(...data);
      if (next === undefined) break;
      cursor = `&cursor=${next}`;
    }
    assert.deepEqual(paged, whole);
    const departures = whole.map(({ legs }) => legs[0]!.departure.estimated);
    assert.deepEqual(departures, departures.toSorted());
    assert.equal(departures[0], new Date(onDay(2)).toISOString());
  });

  test("wait no longer than three weeks, and never go back on the vessel that came", async () => {
    await service.say([
      ...voyage(0, "1W", { CNSHA: 1, SGSIN: 8 }),
      ...voyage(1, "2W", { SGSIN: 30, NLRTM: 50 }),
      ...voyage(
        0,
        "3W",
        { SGSIN: 12, NLRTM: 33 },
        { service: { code: "OTHER", name: null, universal: null } },
      ),
    ]);
    assert.deepEqual((await ask()).data, []);
  });

  test("are refused with what to change", async () => {
    for (const [more, says] of [
      ["&transshipments=3", /transshipments/],
      ["&destination=NLRTM", /destination/],
      ["&carriers=HRNL", /it takes origin, destination, from, to, carrier, across_carriers, transshipments/],
      ["&cursor=abc", /cursor/],
    ] as const) {
      const { status, body } = await service.ask(`/connections?origin=CNSHA&destination=NLRTM${more}`);
      assert.equal(status, 400, more);
      assert.match(body.error.message, says);
    }
  });

  const publish = async (...routes: readonly object[]) => {
    const reading = createReadContext({ carrier: "HRNL" }, service.clock.nowMs());
    const calls = runToEnd(readAnswer("cs-point-to-point", routes, reading));
    assert.ok(typeof calls !== "string");
    assert.deepEqual(reading.problems, []);
    const routings = { carrier: "HRNL", asked: "CNSHA-NLRTM", ways: reading.ways, isWhole: true };
    await service.clock.advance(60_000);
    await service.say(calls, { feed: "routes", routings });
  };
  const later = async (calls: Parameters<typeof service.say>[0]) => {
    await service.clock.advance(60_000);
    await service.say(calls);
  };
  const named = (data: readonly ShownWay[]) =>
    data.map(
      ({ routing: by, carrier, legs }) => `${by} ${carrier} ${legs.map((leg) => leg.voyage).join(" ")}`,
    );

  test("that the carrier publishes are preferred to the ones that Boathook joins, and last as long as they hold", async () => {
    const feeder = voyage(0, "1W", { CNSHA: 1, SGSIN: 8 });
    const [early, late] = [
      voyage(1, "2W", { SGSIN: 10, NLRTM: 30 }),
      voyage(2, "3W", { SGSIN: 12, NLRTM: 30 }),
    ];
    await service.say([...feeder, ...early, ...late]);
    assert.deepEqual(named((await ask()).data), ["joined HRNL 1W 2W"]);

    // As early as the joined one, and less than a day after the feeder: the carrier knows its own terminals.
    await publish(routing([0, "1W", "CNSHA", 2, "SGSIN", 8], [2, "3W", "SGSIN", 8.5, "NLRTM", 30]));
    const { data } = await ask();
    assert.deepEqual(named(data), ["carrier HRNL 1W 3W"]);
    assert.equal(data[0].transshipments[0].wait_hours, 12);

    // A joined one that arrives earlier is listed before it.
    await service.say(voyage(1, "2W", { NLRTM: 29 }));
    assert.deepEqual(named((await ask()).data), ["joined HRNL 1W 2W", "carrier HRNL 1W 3W"]);

    // The vessel is late: the box would miss it.
    await later(voyage(0, "1W", { SGSIN: 9 }));
    assert.deepEqual(named((await ask()).data), ["joined HRNL 1W 2W"]);
    await later(voyage(0, "1W", { SGSIN: 8 }));
    assert.equal((await ask()).data.length, 2);

    // Its next answer leaves the way out.
    await publish(routing([0, "1W", "CNSHA", 2, "SGSIN", 8]));
    assert.deepEqual(named((await ask()).data), ["joined HRNL 1W 2W"]);
  });

  test("with two transshipments are the carrier's as well, only when asked", async () => {
    await publish(
      routing(
        [0, "1W", "CNSHA", 2, "SGSIN", 8],
        [1, "2W", "SGSIN", 8.5, "LKCMB", 12],
        [2, "3W", "LKCMB", 12.5, "NLRTM", 30],
      ),
    );
    assert.deepEqual((await ask()).data, []);
    assert.deepEqual(named((await ask("&transshipments=2")).data), ["carrier HRNL 1W 2W 3W"]);
  });

  test("of different carriers are listed only when asked, where they arrive earlier, and say so", async () => {
    await service.say([
      ...voyage(0, "1W", { CNSHA: 1, SGSIN: 8 }),
      ...voyage(1, "2W", { SGSIN: 10, NLRTM: 33 }),
      ...voyage(2, "3W", { SGSIN: 10, NLRTM: 29 }, { carrier: "TRNC" }),
      // Later than the carrier's own.
      ...voyage(3, "4W", { SGSIN: 12, NLRTM: 40 }, { carrier: "TRNC" }),
    ]);
    const own = "joined HRNL 1W 2W";
    assert.deepEqual(named((await ask()).data), [own]);
    assert.deepEqual(named((await ask("&across_carriers=false")).data), [own]);
    for (const more of ["", "&carrier=HRNL", "&transshipments=2"]) {
      const { data } = await ask(`&across_carriers=true${more}`);
      assert.deepEqual(named(data), ["joined null 1W 3W", own], more);
      assert.deepEqual(column(data[0].legs, "carrier"), ["HRNL", "TRNC"]);
    }
  });
});
