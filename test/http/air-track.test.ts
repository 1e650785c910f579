/** The waybill routes of a client, from the request to the airline and back (spec 2.6, 4.3). */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import Schema from "typebox/schema";

import { POLLER_DEFAULTS } from "../../src/freight/polling/poller.ts";
import { query } from "../support/database.ts";
import { sendWithKey, createCaller, send, type Answer } from "../support/service.ts";
import { answered, fsa, startAirService, type AirService } from "./air-service.ts";

const AWB = "17612345675";
const RCS = "RCS/01NOV0930/DXB/T10K250/FALCON";
const DEP = "DEP/F8081/02NOV/DXBFRA/T10K250/E1405/E1830";
const BOOKED = "BKD/F8081/02NOV/DXBFRA/T10K250/S1400/S1830";
const MINUTE_MS = 60_000;

describe("GET /air/track", () => {
  let air: AirService;
  let key: string;
  beforeEach(async () => {
    air = await startAirService();
    key = await air.client();
  });
  afterEach(() => air.close());

  function assertRefused(answer: Answer, status: number, code: string, message?: RegExp): void {
    assert.deepEqual([answer.status, Object.keys(answer.body)], [status, ["error"]]);
    assert.equal(answer.body.error.code, code);
    if (message !== undefined) assert.match(answer.body.error.message, message);
  }

  // spec 4.3: track
  // spec 2.6: awb, airline_iata, airline_name, status, origin, destination, pieces, weight_kg, events
  // spec 2.6: flight_number, eta, eta_is_actual
  test("the first request asks the airline while the client waits, and answers with the fields of the specification", async () => {
    air.answer = async () => fsa(RCS, BOOKED);
    const { status, body } = await air.track(key, AWB);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      data: {
        awb: AWB,
        airline_iata: "F8",
        airline_name: "Falcon Cargo",
        status: "Accepted",
        origin: "DXB",
        destination: "FRA",
        pieces: 10,
        weight_kg: 250,
        flight_number: "F8081",
        eta: "2026-11-02T17:30:00.000Z",
        eta_is_actual: false,
        events: body.data.events,
      },
    });
    assert.deepEqual(body.data.events[0], {
      code: "RCS",
      name: "Received from shipper",
      station: "DXB",
      at: "2026-11-01T05:30:00.000Z",
    });
    assert.deepEqual(air.raised, [], "earlier events are no changes");
  });

  test("what is fresh is answered from the record, and what is stale after asking again", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    await air.clock.advance(4 * MINUTE_MS);
    await air.track(key, AWB);
    assert.equal(air.asked.length, 1);
    air.answer = async () => fsa(RCS, DEP);
    await air.clock.advance(MINUTE_MS);
    const { body } = await air.track(key, AWB);
    assert.deepEqual([body.data.status, air.asked.length], ["In transit", 2]);
    assert.deepEqual(
      air.raised.map(({ type }) => type),
      ["awb_in_transit"],
    );
  });

  // spec 4.3: awb
  test("a number may be written in any formatting, and what is none is refused before anybody is asked", async () => {
    air.answer = async () => fsa(RCS);
    for (const written of ["176-12345675", "176%201234%205675", "176.1234.5675", AWB]) {
      assert.equal((await air.track(key, written)).body.data.awb, AWB);
    }
    assert.equal(air.asked.length, 1);
    assertRefused(await air.track(key, "176-12345674"), 400, "invalid_awb", /would be 5/);
    assertRefused(await air.track(key, "176-1234567"), 400, "invalid_awb", /eleven|11/);
    assertRefused(await air.track(key, "HRNU4000017"), 400, "invalid_awb", /digits/);
  });

  test("it takes a key, and the entitlement", async () => {
    const url = `/air/track/${AWB}`;
    assertRefused(await send(air.api, { method: "GET", url }), 401, "unauthorized");
    const { key: poor } = await createCaller(air, "tracking");
    assertRefused(await air.track(poor, AWB), 403, "entitlement_required", /aircargo/);
    assert.deepEqual(air.asked, []);
  });

  // spec 5: family_key
  test("the family's key is taken by either header, and another product's is not", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    const get = (headers: Record<string, string>) =>
      send(air.api, { method: "GET", url: `/air/track/${AWB}`, headers });
    assert.equal((await get({ "x-api-key": key })).status, 200);
    for (const prefix of ["schedules", "rates", "loading"]) {
      const { key: other } = await createCaller(air, prefix, ["aircargo"]);
      assertRefused(await get({ authorization: `Bearer ${other}` }), 401, "unauthorized");
      assertRefused(await get({ "x-api-key": other }), 401, "unauthorized");
    }
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
    const serials = Array.from(
      { length: 8 },
      (_, index) => `${String(index + 1).padStart(7, "0")}${(index + 1) % 7}`,
    );
    const awbs = serials.flatMap((serial) => [`176${serial}`, `901${serial}`]);
    const answers = await Promise.all(awbs.map((awb) => air.track(key, awb)));
    for (const answer of answers) assertRefused(answer, 404, "waybill_not_found", /Falcon Cargo/);
    assert.deepEqual([air.asked.length, most], [awbs.length, POLLER_DEFAULTS.slotsPerSource]);
  });

  test("an airline that nobody knows, one that is not asked here, and one that knows no such waybill are three errors", async () => {
    assertRefused(await air.track(key, "000-12345675"), 404, "unknown_airline", /000/);
    assertRefused(await air.track(key, "057-12345675"), 422, "airline_not_configured", /Air France/);
    assertRefused(await air.track(key, AWB), 404, "waybill_not_found", /Falcon Cargo/);
  });

  test("an airline that does not answer is a fourth, and says when to come back", async () => {
    air.answer = async () => answered(503, "");
    const down = await air.track(key, AWB);
    assertRefused(down, 503, "airline_unavailable", /Falcon Cargo/);
    assert.ok(Number(down.headers["retry-after"]) >= 1);
    air.answer = async () => fsa(RCS);
    await air.clock.advance(2 * MINUTE_MS);
    await air.until(async () => (await air.track(key, AWB)).status === 200);
  });

  test("an airline that refuses our credentials is no client's fault, and answers what it can later", async () => {
    air.answer = async () => answered(401, "");
    assertRefused(await air.track(key, AWB), 503, "airline_unavailable");
    await air.push("FSU/14\r\n176-12345675DXBFRA/T10K250\r\n" + RCS + "\r\n");
    await air.until(() => air.asked.length === 2);
    assertRefused(await air.track(key, AWB), 503, "airline_unavailable");
    for (const looks of [3, 4]) {
      await air.clock.advance(20 * MINUTE_MS);
      await air.until(() => air.asked.length >= looks);
    }
    await air.until(async () => (await air.track(key, AWB)).status === 200);
    assert.equal((await air.track(key, AWB)).body.data.status, "Accepted");
    assert.deepEqual(air.raised, [], "it had happened before");
  });

  test("an airline that is slow keeps the client waiting for five seconds, and is shown when it has answered", async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    air.answer = async () => {
      await slow;
      return fsa(RCS);
    };
    const beganMs = air.clock.nowMs();
    const asking = air.track(key, AWB);
    await air.until(() => air.asked.length === 1);
    // The rest of the five seconds passes in the steps of the waiting request.
    await air.clock.advance(4_000);
    const { status, body } = await asking;
    assert.ok(air.clock.nowMs() - beganMs < 5_500, String(air.clock.nowMs() - beganMs));
    assert.deepEqual([status, body.data.status, body.data.airline_iata], [200, "Pending", "F8"]);
    assert.deepEqual([body.data.origin, body.data.eta, body.data.events], [null, null, []]);
    release();
    await air.until(async () => (await air.track(key, AWB)).body.data.status === "Accepted");
    assert.equal(air.asked.length, 1);
  });

  test("what is known is shown although the airline is down", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    air.answer = async () => answered(500, "");
    await air.clock.advance(6 * MINUTE_MS);
    assert.equal((await air.track(key, AWB)).body.data.status, "Accepted");
  });

  test("an airline that is left alone just now is not waited for", async () => {
    air.answer = async () => answered(500, "");
    const others = ["17600000011", "17600000022", "17600000033", "17600000044", "17600000055", "17600000066"];
    for (const awb of others) await air.track(key, awb);
    const beganMs = air.clock.nowMs();
    assertRefused(await air.track(key, AWB), 503, "airline_unavailable");
    assert.ok(air.clock.nowMs() - beganMs < 1_000);
  });

  test("a waybill that was not known at first tells what happens from then on", async () => {
    assertRefused(await air.track(key, AWB), 404, "waybill_not_found");
    air.answer = async () => fsa("RCS/02NOV1610/DXB/T10K250/FALCON");
    await air.clock.advance(2 * MINUTE_MS);
    await air.until(() => air.raised.length > 0);
    assert.equal(air.raised[0]?.type, "awb_accepted");
    assert.equal((await air.track(key, AWB)).body.data.status, "Accepted");
  });

  test("stopping ends tracking for that account only, and a later request starts it again", async () => {
    const other = await air.client();
    const url = `/air/track/${AWB}`;
    air.answer = async () => fsa(RCS);
    assertRefused(await sendWithKey(air, key, "DELETE", url), 404, "not_found");
    assertRefused(await sendWithKey(air, key, "DELETE", "/air/track/1"), 400, "invalid_awb");
    await air.track(key, AWB);
    await air.track(other, "176 1234 5675");
    const stopped = await sendWithKey(air, key, "DELETE", "/air/track/176-12345675");
    assert.deepEqual([stopped.status, stopped.body], [200, { data: { awb: AWB, deleted: true } }]);
    assertRefused(await sendWithKey(air, key, "DELETE", url), 404, "not_found");
    air.answer = async () => fsa(RCS, DEP);
    await air.clock.advance(40 * MINUTE_MS);
    await air.until(() => air.raised.length > 0);
    assert.deepEqual(
      air.raised.map(({ type }) => type),
      ["awb_in_transit"],
      "only the other account's",
    );
    assert.equal((await air.track(key, AWB)).body.data.status, "In transit");
    assert.equal(air.raised.length, 1);
  });

  /** Whether no poll is due or running. */
  async function hasEnded(): Promise<boolean> {
    const counts = await Promise.all(
      air.test.cells.map(async ({ schema }) => {
        const polls = `select from ${schema}.polls where next_poll_at is not null or leased_until is not null`;
        return (await query(air.test.address, polls)).rowCount ?? 0;
      }),
    );
    return counts.every((count) => count === 0);
  }

  test("tracking ends some days after the delivery, and the record is answered from", async () => {
    air.answer = async () => fsa(RCS, "DLV/02NOV1200/FRA/T10K250/CONSIGNEE");
    assert.equal((await air.track(key, AWB)).body.data.status, "Delivered");
    air.clock.jump(3 * 24 * 60 * MINUTE_MS - 1_000);
    await air.until(() => air.asked.length >= 2);
    air.clock.jump(10 * 24 * 60 * MINUTE_MS);
    await air.until(hasEnded);
    const asked = air.asked.length;
    air.clock.jump(10 * 24 * 60 * MINUTE_MS);
    await air.clock.advance(2_000);
    assert.equal((await air.track(key, AWB)).body.data.status, "Delivered");
    assert.equal(air.asked.length, asked);
  });

  test("the answer is what the document describes", async () => {
    air.answer = async () => fsa(RCS, "DIS/02NOV1000/DXB/MSCA/P1");
    const body: object = (await air.track(key, AWB)).body;
    const document = (await send(air.api, { method: "GET", url: "/air/openapi.json" })).body;
    const operation = document.paths["/track/{awb}"].get;
    const schema = operation.responses["200"].content["application/json"].schema;
    const compiled = Schema.Compile({ ...schema, components: document.components });
    assert.ok(compiled.Check(body), JSON.stringify(body));
    assert.deepEqual(Object.keys(operation.responses).toSorted(), [
      "200",
      "400",
      "401",
      "403",
      "404",
      "409",
      "422",
      "429",
      "500",
      "503",
    ]);
    assert.match(JSON.stringify(body), /"Discrepancy: missing cargo"/);
  });
});
