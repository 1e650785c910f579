/** Ways that carriers publish, and those of several carriers, in `GET /schedules/public/connections`. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { createReadContext } from "../../src/products/schedules/sources/read-context.ts";
import { readAnswer } from "../../src/products/schedules/sources/read-answer.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { VESSELS, voyage, type ShownWay } from "./connections-scene.ts";
import { onDay, startSchedulesService, type SchedulesService } from "./schedules-service.ts";

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

describe("connections of carriers", () => {
  let service: SchedulesService;
  before(async () => {
    service = await startSchedulesService();
  });
  after(() => service.close());
  beforeEach(() => service.clear());

  let asked = 0;
  const ask = async (more = "") => {
    const path = `/connections?origin=cnsha&destination=nlrtm${more}`;
    const { status, body } = await service.ask(path, `198.51.100.${(asked += 1)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
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
    const feeder = voyage(0, "1W", [
      ["CNSHA", 1],
      ["SGSIN", 8],
    ]);
    const [early, late] = [
      voyage(1, "2W", [
        ["SGSIN", 10],
        ["NLRTM", 30],
      ]),
      voyage(2, "3W", [
        ["SGSIN", 12],
        ["NLRTM", 30],
      ]),
    ];
    await service.say([...feeder, ...early, ...late]);
    assert.deepEqual(named((await ask()).data), ["joined HRNL 1W 2W"]);

    // As early as the joined one, and less than a day after the feeder: the carrier knows its own terminals.
    await publish(routing([0, "1W", "CNSHA", 2, "SGSIN", 8], [2, "3W", "SGSIN", 8.5, "NLRTM", 30]));
    const { data } = await ask();
    assert.deepEqual(named(data), ["carrier HRNL 1W 3W"]);
    assert.equal(data[0].transshipments[0].wait_hours, 12);

    // A joined one that arrives earlier is listed before it.
    await service.say(voyage(1, "2W", [["NLRTM", 29]]));
    assert.deepEqual(named((await ask()).data), ["joined HRNL 1W 2W", "carrier HRNL 1W 3W"]);

    // The vessel is late: the box would miss it.
    await later(voyage(0, "1W", [["SGSIN", 9]]));
    assert.deepEqual(named((await ask()).data), ["joined HRNL 1W 2W"]);
    await later(voyage(0, "1W", [["SGSIN", 8]]));
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
      ...voyage(0, "1W", [
        ["CNSHA", 1],
        ["SGSIN", 8],
      ]),
      ...voyage(1, "2W", [
        ["SGSIN", 10],
        ["NLRTM", 33],
      ]),
      ...voyage(
        2,
        "3W",
        [
          ["SGSIN", 10],
          ["NLRTM", 29],
        ],
        { carrier: "TRNC" },
      ),
      // Later than the carrier's own.
      ...voyage(
        3,
        "4W",
        [
          ["SGSIN", 12],
          ["NLRTM", 40],
        ],
        { carrier: "TRNC" },
      ),
    ]);
    const own = "joined HRNL 1W 2W";
    assert.deepEqual(named((await ask()).data), [own]);
    assert.deepEqual(named((await ask("&across_carriers=false")).data), [own]);
    for (const more of ["", "&carrier=HRNL", "&transshipments=2"]) {
      const { data } = await ask(`&across_carriers=true${more}`);
      assert.deepEqual(named(data), ["joined null 1W 3W", own], more);
      assert.deepEqual(
        data[0].legs.map((leg: { carrier: string }) => leg.carrier),
        ["HRNL", "TRNC"],
      );
    }
  });
});
