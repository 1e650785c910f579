/** What a client tracks, as it is listed and read without polling an airline. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { assertRefused, column, columns } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { send, sendWithKey } from "../support/service.ts";
import { AWB, BOOKED, fsa, fsu, PUSHED, RCS, startAirService } from "./air-service.ts";

const PARTS = [
  "DEP/F8081/02NOV/DXBFRA/P4K100T10/E1405/E1830",
  "DEP/F8083/02NOV/DXBFRA/P6K150T10/A1900/E2330",
] as const;

describe("the waybills of an account", () => {
  const air = ofSuite(() => startAirService());
  let key: string;
  beforeEach(async () => {
    key = await air.client();
  });

  const read = (path: string, own = key) => sendWithKey(air, own, "GET", `/air/v1/waybills${path}`);

  test("the list has what is known of each, newest first, page by page, and polls nobody", async () => {
    air.answer = async () => fsa(RCS, BOOKED);
    await air.track(key, AWB);
    await air.track(key, PUSHED);
    const polls = air.asked.length;
    const { status, body } = await read("");
    assert.equal(status, 200);
    const [newest, first] = body.data;
    assert.deepEqual(
      [newest.awb, newest.status, newest.legs, newest.last_event],
      [PUSHED, "Pending", [], null],
    );
    const { id: _, created_at: created, refreshed_at: refreshed, ...known } = first;
    assert.ok(created <= refreshed);
    assert.deepEqual(known, {
      ...{ awb: AWB, airline_iata: "F8", airline_name: "Falcon Cargo", status: "Accepted" },
      ...{ origin: "DXB", destination: "FRA", pieces: 10, weight_kg: 250 },
      ...{ flight_number: "F8081", eta: "2026-11-02T17:30:00.000Z", eta_is_actual: false, is_split: false },
      legs: [{ flight_number: "F8081", from: "DXB", to: "FRA", state: "booked" }],
      last_event: known.last_event,
    });
    const page = await read("?limit=1");
    assert.deepEqual([page.body.data.length, page.body.data[0].awb], [1, PUSHED]);
    const rest = await read(`?limit=1&cursor=${page.body.next_cursor}`);
    assert.deepEqual([rest.body.data[0].awb, rest.body.next_cursor], [AWB, undefined]);
    for (const [filter, awbs] of [
      ["?status=accepted", [AWB]],
      ["?status=pending", [PUSHED]],
      ["?status=delivered", []],
      ["?awb=176-1234%205675", [AWB]],
      ["?awb=176-1234%205675&status=pending", []],
    ] as const)
      assert.deepEqual(column((await read(filter)).body.data, "awb"), awbs, filter);
    assert.equal(air.asked.length, polls);
  });

  test("a waybill in parts has a flight for each, with its pieces and its times in local time", async () => {
    air.answer = async () => fsa(RCS, BOOKED, ...PARTS);
    await air.track(key, AWB);
    const { data } = (await read(`/${AWB}`)).body;
    assert.deepEqual([data.status, data.is_split, data.polling], ["In transit", true, true]);
    const [one, other] = data.legs;
    assert.deepEqual(
      [one.flight_number, one.from, one.to, one.state, one.pieces, one.weight_kg],
      ["F8081", "DXB", "FRA", "departed", 4, 100],
    );
    assert.deepEqual(
      [one.departure.scheduled, one.departure.estimated, one.departure.actual],
      ["2026-11-02T10:00:00.000Z", "2026-11-02T10:05:00.000Z", null],
    );
    assert.deepEqual(
      [other.flight_number, other.pieces, other.departure.actual, other.departure.event_local_datetime],
      ["F8083", 6, "2026-11-02T15:00:00.000Z", "2026-11-02T19:00:00"],
    );
    const departed = data.events.filter(({ code }: { code: string }) => code === "DEP");
    assert.deepEqual(columns(departed, "pieces", "total_pieces"), [
      [4, 10],
      [6, 10],
    ]);
    assert.deepEqual(columns(data.sources, "kind", "id"), [["answer", "fsr"]]);
  });

  test("a booking that another one replaces stays a flight of the page, and none of the list", async () => {
    air.answer = async () => fsa(RCS, BOOKED);
    await air.track(key, AWB);
    // What is said at one moment is said at once.
    await air.clock.advance(1);
    await air.push(fsu(AWB, "BKD/F8085/03NOV/DXBFRA/T10K250/S0800/S1230"));
    await air.until(async () => (await read(`/${AWB}`)).body.data.legs.length === 2);
    const { data } = (await read(`/${AWB}`)).body;
    assert.deepEqual(columns(data.legs, "flight_number", "state"), [
      ["F8081", "replaced"],
      ["F8085", "booked"],
    ]);
    const [, message] = data.sources;
    assert.deepEqual(
      [message.kind, message.events],
      ["message", [{ code: "BKD", station: "DXB", pieces: 10 }]],
    );
    const [listed] = (await read("")).body.data;
    assert.deepEqual(column(listed.legs, "flight_number"), ["F8085"]);
  });

  test("another account's waybill is not found, and a number that is none is refused", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    const other = await air.client();
    assert.deepEqual((await read("", other)).body, { data: [] });
    const unknown = await read(`/${AWB}`, other);
    assertRefused(unknown, 404, "not_found");
    for (const path of ["/12", "?awb=12", "?awb=176-12345674"]) {
      assertRefused(await read(path), 400, "invalid_awb");
    }
    assert.equal((await read("?limit=0")).status, 400);
    assert.equal((await read("?state=pending")).status, 400);
  });

  // spec 4.2: prefix_resolution; 5: public_routes
  test("anybody can look up the airline of a prefix, which goes by the operator's name where the service asks it", async () => {
    const lookUp = (prefix: string) =>
      send(air.api, { method: "GET", url: `/air/public/airlines/${encodeURIComponent(prefix)}` });
    for (const [prefix, iata, name] of [
      ["023", "FX", "FedEx Express"],
      ["176", "F8", "Falcon Cargo"],
      ["901", "F8", "Falcon Cargo"],
    ] as const) {
      const { status, body } = await lookUp(prefix);
      assert.deepEqual([status, body], [200, { data: { prefix, iata, name } }]);
    }
    assertRefused(await lookUp("000"), 404, "not_found");
    for (const none of ["17", "1761", AWB, "EK", "17x", "１７６"])
      assertRefused(await lookUp(none), 400, "invalid_request", /first three digits/);
  });
});
