/** Waybills of a client, from the request and from what airlines push to the airline and back (spec 2.6, 4.3). */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { POLLER_DEFAULTS } from "../../src/freight/polling/poller.ts";
import { assertDocumented, assertRefused } from "../support/answers.ts";
import { query } from "../support/database.ts";
import { sendWithKey, send } from "../support/service.ts";
import {
  answered,
  AWB,
  BOOKED,
  fsa,
  fsu,
  PUSHED,
  RCS,
  startAirService,
  type AirService,
} from "./air-service.ts";
import { ofSuite } from "../support/suite.ts";
import { column, columns } from "../support/columns.ts";

const DEP = "DEP/F8081/02NOV/DXBFRA/T10K250/E1405/E1830";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe("GET /air/track", () => {
  let air: AirService;
  let key: string;
  beforeEach(async () => {
    air = await startAirService();
    key = await air.client();
  });
  afterEach(() => air.close());

  const statusOf = async (awb = AWB) => (await air.track(key, awb)).body.data?.status;
  const raised = () => column(air.raised, "type");

  // spec 4.3: track
  // spec 2.6: awb, airline_iata, airline_name, status, origin, destination, pieces, weight_kg, events
  // spec 2.6: flight_number, eta, eta_is_actual
  test("the first request asks the airline while the client waits, and answers with the fields of the specification", async () => {
    air.answer = async () => fsa(RCS, BOOKED, "DIS/02NOV1000/DXB/MSCA/P1");
    const answer = await air.track(key, AWB);
    const { events, ...data } = answer.body.data;
    assert.deepEqual(data, {
      ...{ awb: AWB, airline_iata: "F8", airline_name: "Falcon Cargo", status: "Accepted" },
      ...{ origin: "DXB", destination: "FRA", pieces: 10, weight_kg: 250 },
      ...{ flight_number: "F8081", eta: "2026-11-02T17:30:00.000Z", eta_is_actual: false },
    });
    const at = "2026-11-01T05:30:00.000Z";
    assert.deepEqual(events[0], { code: "RCS", name: "Received from shipper", station: "DXB", at });
    assert.match(JSON.stringify(events), /"Discrepancy: missing cargo"/);
    assert.deepEqual(air.raised, [], "earlier events are no changes");
    await assertDocumented(air, "air", "GET /track/{awb}", answer);
  });

  test("what is fresh is answered from the record, and what is stale after asking again, unless the airline is down", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    await air.clock.advance(4 * MINUTE_MS);
    await air.track(key, AWB);
    assert.equal(air.asked.length, 1);
    air.answer = async () => fsa(RCS, DEP);
    await air.clock.advance(MINUTE_MS);
    assert.deepEqual([await statusOf(), air.asked.length, raised()], ["In transit", 2, ["awb_in_transit"]]);
    air.answer = async () => answered(500, "");
    await air.clock.advance(6 * MINUTE_MS);
    assert.equal(await statusOf(), "In transit");
  });

  // spec 4.3: awb
  test("a number may be written in any formatting, and what is none is refused before anybody is asked", async () => {
    air.answer = async () => fsa(RCS);
    for (const written of ["176-12345675", "176%201234%205675", "176.1234.5675", AWB])
      assert.equal((await air.track(key, written)).body.data.awb, AWB);
    assert.equal(air.asked.length, 1);
    assertRefused(await air.track(key, "176-12345674"), 400, "invalid_awb", /would be 5/);
    assertRefused(await air.track(key, "176-1234567"), 400, "invalid_awb", /eleven|11/);
    assertRefused(await air.track(key, "HRNU4000017"), 400, "invalid_awb", /digits/);
  });

  test("an airline is asked for so many waybills at once, whatever their prefixes", async () => {
    let [open, most] = [0, 0];
    air.answer = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => void air.clock.after(200, resolve));
      open -= 1;
      return answered(404, "");
    };
    const awbs = [1, 2, 3, 4, 5].flatMap((at) => ["176", "901"].map((prefix) => `${prefix}000000${at}${at}`));
    const asking = awbs.map((awb) => sendWithKey(air, key, "GET", `/air/track/${awb}`));
    for (const answer of await air.clock.drive(Promise.all(asking)))
      assertRefused(answer, 404, "waybill_not_found", /Falcon Cargo/);
    assert.equal(most, POLLER_DEFAULTS.slotsPerSource);
  });

  test("what keeps an answer from a client has an error of its own, and an airline that is down says when to come back", async () => {
    assertRefused(await air.track(key, "000-12345675"), 404, "unknown_airline", /000/);
    assertRefused(await air.track(key, "057-12345675"), 422, "airline_not_configured", /Air France/);
    air.answer = async () => answered(503, "");
    const down = await air.track(key, AWB);
    assertRefused(down, 503, "airline_unavailable", /Falcon Cargo/);
    assert.ok(Number(down.headers["retry-after"]) >= 1);
    air.answer = async () => fsa(RCS);
    await air.clock.advance(2 * MINUTE_MS);
    await air.until(async () => (await air.track(key, AWB)).status === 200);
  });

  test("an airline that refuses our credentials is no client's fault, and what it pushed is answered later", async () => {
    air.answer = async () => answered(401, "");
    assertRefused(await air.track(key, AWB), 503, "airline_unavailable");
    await air.push(fsu(AWB, RCS));
    await air.until(() => air.asked.length === 2);
    assertRefused(await air.track(key, AWB), 503, "airline_unavailable");
    await air.clock.advance(60 * MINUTE_MS);
    assert.ok(air.asked.length >= 4, String(air.asked.length));
    assert.equal(await statusOf(), "Accepted");
    assert.deepEqual(air.raised, [], "it had happened before");
  });

  test("an airline that is slow keeps the client waiting for five seconds, and is shown when it has answered", async () => {
    const slow = Promise.withResolvers<void>();
    air.answer = () => slow.promise.then(() => fsa(RCS));
    const beganMs = air.clock.nowMs();
    const { status, body } = await air.track(key, AWB);
    assert.equal(air.clock.nowMs() - beganMs, 5_000);
    assert.deepEqual([status, body.data.status, body.data.airline_iata], [200, "Pending", "F8"]);
    assert.deepEqual([body.data.origin, body.data.eta, body.data.events], [null, null, []]);
    slow.resolve();
    await air.until(async () => (await statusOf()) === "Accepted");
    assert.equal(air.asked.length, 1);
  });

  test("an airline that is left alone just now is not waited for", async () => {
    air.answer = async () => answered(500, "");
    for (const at of [1, 2, 3, 4, 5, 6]) await air.track(key, `176000000${at}${at}`);
    const beganMs = air.clock.nowMs();
    assertRefused(await air.track(key, AWB), 503, "airline_unavailable");
    assert.ok(air.clock.nowMs() - beganMs < 1_000);
  });

  test("a waybill that was not known at first tells what happens from then on", async () => {
    assertRefused(await air.track(key, AWB), 404, "waybill_not_found", /Falcon Cargo/);
    air.answer = async () => fsa("RCS/02NOV1610/DXB/T10K250/FALCON");
    await air.clock.advance(2 * MINUTE_MS);
    await air.until(() => air.raised.length > 0);
    assert.deepEqual([raised(), await statusOf()], [["awb_accepted"], "Accepted"]);
  });

  test("stopping ends tracking for that account only, and a later request starts it again", async () => {
    const other = await air.client();
    const stop = (awb: string) => sendWithKey(air, key, "DELETE", `/air/track/${awb}`);
    air.answer = async () => fsa(RCS);
    assertRefused(await stop(AWB), 404, "not_found");
    assertRefused(await stop("1"), 400, "invalid_awb");
    await air.track(key, AWB);
    await air.track(other, "176 1234 5675");
    const stopped = await stop("176-12345675");
    assert.deepEqual([stopped.status, stopped.body], [200, { data: { awb: AWB, deleted: true } }]);
    assertRefused(await stop(AWB), 404, "not_found");
    air.answer = async () => fsa(RCS, DEP);
    await air.clock.advance(40 * MINUTE_MS);
    await air.until(() => air.raised.length > 0);
    assert.deepEqual(raised(), ["awb_in_transit"], "only the other account's");
    assert.deepEqual([await statusOf(), air.raised.length], ["In transit", 1]);
  });

  test("tracking ends some days after the delivery, and the record is answered from", async () => {
    air.answer = async () => fsa(RCS, "DLV/02NOV1200/FRA/T10K250/CONSIGNEE");
    assert.equal(await statusOf(), "Delivered");
    air.clock.jump(3 * DAY_MS - 1_000);
    await air.until(() => air.asked.length >= 2);
    air.clock.jump(10 * DAY_MS);
    const open = "select from cell.polls where next_poll_at is not null or leased_until is not null";
    await air.until(async () => (await air.test.queryEach(air.test.cells, open)).length === 0);
    const asked = air.asked.length;
    air.clock.jump(10 * DAY_MS);
    await air.clock.advance(2 * MINUTE_MS);
    assert.deepEqual([await statusOf(), air.asked.length], ["Delivered", asked]);
  });

  // spec 4.3: a key tracks; entitlements
  test("an account without the entitlement has its waybills polled when it reads them, and by itself when it has it", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    const hourWith = async (entitlements: string): Promise<number> => {
      await query(air.test.address, "update boathook.accounts set entitlements = $1", [entitlements]);
      // A poll that has begun may end.
      await air.clock.advance(MINUTE_MS);
      const before = air.asked.length;
      await air.clock.advance(60 * MINUTE_MS);
      return air.asked.length - before;
    };
    assert.ok((await hourWith("{aircargo}")) >= 1);
    assert.equal(await hourWith("{}"), 0);
    air.answer = async () => fsa(RCS, DEP);
    assert.equal(await statusOf(), "In transit", "to read needs a key only, and a read polls");
    assert.equal(await hourWith("{}"), 0);
    assert.ok((await hourWith("{aircargo}")) >= 1);
  });

  test("messages from before tracking count in the first poll, and later messages raise events at once", async () => {
    await air.push(fsu(PUSHED, RCS));
    assert.deepEqual([await statusOf(PUSHED), air.raised], ["Accepted", []]);
    for (const _ of ["one", "again"]) await air.push(fsu(PUSHED, DEP));
    await air.until(() => air.raised.length > 0);
    assert.deepEqual([raised(), await statusOf(PUSHED)], [["awb_in_transit"], "In transit"]);
    assert.deepEqual(air.asked, [], "an airline that only pushes is not asked");
  });

  test("messages count together with what the airline answers, though it is down", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    air.answer = async () => answered(500, "");
    await air.push(fsu(AWB, DEP));
    await air.until(() => air.raised.length > 0);
    assert.deepEqual([raised(), air.asked.length], [["awb_in_transit"], 1]);
    assert.deepEqual(column((await air.track(key, AWB)).body.data.events, "code"), ["RCS", "DEP"]);
    air.answer = async () => fsa(RCS);
    await air.clock.advance(30 * MINUTE_MS);
    await air.until(() => air.asked.length >= 2);
    assert.deepEqual([await statusOf(), air.raised.length], ["In transit", 1]);
  });
});

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
      ["?status=unknown", [PUSHED]],
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
