/** `GET /schedules/public/connections` (docs/sailing-search.md). */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { voyage, type ShownWay } from "./connections-scene.ts";
import { onDay, startSchedulesService, type SchedulesService } from "./schedules-service.ts";

describe("connections", () => {
  let service: SchedulesService;
  before(async () => {
    service = await startSchedulesService();
  });
  after(() => service.close());
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
      ...voyage(0, "1W", [
        ["CNSHA", 1],
        ["SGSIN", 8],
      ]),
      // Leaves before the box can be aboard, in time, and later.
      ...voyage(4, "2W", [
        ["SGSIN", 7],
        ["NLRTM", 25],
      ]),
      ...voyage(1, "3W", [
        ["SGSIN", 10],
        ["NLRTM", 33],
      ]),
      ...voyage(2, "4W", [
        ["SGSIN", 9],
        ["NLRTM", 35],
      ]),
      ...voyage(
        3,
        "5W",
        [
          ["SGSIN", 9],
          ["NLRTM", 27],
        ],
        { carrier: "TRNC" },
      ),
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
    await service.say(voyage(1, "3W", [["NLRTM", 33]], { status: "OMIT" }));
    assert.deepEqual(ways((await ask()).data), ["CNSHA-SGSIN 1W, SGSIN-NLRTM 4W"]);
  });

  test("use two transshipments only when asked, where they arrive earlier", async () => {
    await service.say([
      ...voyage(0, "1W", [
        ["CNSHA", 1],
        ["SGSIN", 8],
      ]),
      ...voyage(1, "2W", [
        ["SGSIN", 10],
        ["LKCMB", 14],
      ]),
      ...voyage(2, "3W", [
        ["LKCMB", 17],
        ["NLRTM", 30],
      ]),
    ]);
    assert.deepEqual((await ask()).data, []);
    const two = "CNSHA-SGSIN 1W, SGSIN-LKCMB 2W, LKCMB-NLRTM 3W";
    assert.deepEqual(ways((await ask("&transshipments=2")).data), [two]);
    await service.say(
      voyage(3, "4W", [
        ["SGSIN", 11],
        ["NLRTM", 33],
      ]),
    );
    const one = "CNSHA-SGSIN 1W, SGSIN-NLRTM 4W";
    assert.deepEqual(ways((await ask("&transshipments=2")).data), [two, one]);
    await service.say(
      voyage(3, "5W", [
        ["SGSIN", 13],
        ["NLRTM", 29],
      ]),
    );
    assert.deepEqual(ways((await ask("&transshipments=2")).data), ["CNSHA-SGSIN 1W, SGSIN-NLRTM 5W"]);
  });

  test("come in pages by departure, and those of one departure stay together", async () => {
    await service.say([
      ...[1, 8, 15].flatMap((day, nth) =>
        voyage(0, `${nth}W`, [
          ["CNSHA", day],
          ["SGSIN", day + 5],
        ]),
      ),
      ...voyage(1, "9W", [
        ["SGSIN", 24],
        ["NLRTM", 44],
      ]),
      ...voyage(2, "8W", [
        ["SGSIN", 21],
        ["LKCMB", 24],
      ]),
      ...voyage(3, "7W", [
        ["LKCMB", 26],
        ["NLRTM", 40],
      ]),
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
      ...voyage(0, "1W", [
        ["CNSHA", 1],
        ["SGSIN", 8],
      ]),
      ...voyage(1, "2W", [
        ["SGSIN", 30],
        ["NLRTM", 50],
      ]),
      ...voyage(
        0,
        "3W",
        [
          ["SGSIN", 12],
          ["NLRTM", 33],
        ],
        {
          service: { code: "OTHER", name: null, universal: null },
        },
      ),
    ]);
    assert.deepEqual((await ask()).data, []);
  });

  test("are refused with what to change", async () => {
    for (const [more, says] of [
      ["&transshipments=3", /transshipments/],
      ["&destination=NLRTM", /destination/],
      ["&carriers=HRNL", /there are origin, destination, from, to, carrier, across_carriers, transshipments/],
      ["&cursor=abc", /cursor/],
    ] as const) {
      const { status, body } = await service.ask(`/connections?origin=CNSHA&destination=NLRTM${more}`);
      assert.equal(status, 400, more);
      assert.match(body.error.message, says);
    }
  });
});
