/** What airlines push, as the waybill routes show it and as it is raised. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { answered, fsa, startAirService, type AirService } from "./air-service.ts";

const AWB = "17612345675";
const RCS = "RCS/01NOV0930/DXB/T10K250/FALCON";
const DEP = "DEP/F8081/02NOV/DXBFRA/T10K250/E1405/E1830";
const MINUTE_MS = 60_000;

describe("messages that airlines push", () => {
  let air: AirService;
  let key: string;
  beforeEach(async () => {
    air = await startAirService();
    key = await air.client();
  });
  afterEach(() => air.close());

  const fsu = (awb: string, line: string): string => `FSU/14\r\n${awb}DXBFRA/T10K250\r\n${line}\r\n`;

  test("messages from before tracking count in the first poll, and later messages raise events at once", async () => {
    await air.push(fsu("020-12345675", RCS));
    const first = await air.track(key, "02012345675");
    assert.deepEqual([first.status, first.body.data.status], [200, "Accepted"]);
    assert.deepEqual(air.raised, []);
    await air.push(fsu("020-12345675", DEP));
    await air.until(() => air.raised.length > 0);
    await air.push(fsu("020-12345675", DEP));
    assert.deepEqual(
      air.raised.map(({ type }) => type),
      ["awb_in_transit"],
    );
    assert.equal((await air.track(key, "02012345675")).body.data.status, "In transit");
    assert.deepEqual(air.asked, [], "an airline that only pushes is not asked");
  });

  test("a waybill of an airline that only pushes is pending until it does", async () => {
    const { status, body } = await air.track(key, "02012345675");
    assert.deepEqual([status, body.data.status, body.data.events], [200, "Pending", []]);
  });

  test("they count together with what the airline answers, though it is down", async () => {
    air.answer = async () => fsa(RCS);
    await air.track(key, AWB);
    air.answer = async () => answered(500, "");
    await air.push(fsu("176-12345675", DEP));
    await air.until(() => air.raised.length > 0);
    assert.deepEqual([air.raised[0]?.type, air.asked.length], ["awb_in_transit", 1]);
    const { body } = await air.track(key, AWB);
    assert.deepEqual(
      body.data.events.map(({ code }: { code: string }) => code),
      ["RCS", "DEP"],
    );
    air.answer = async () => fsa(RCS);
    await air.clock.advance(30 * MINUTE_MS);
    await air.until(() => air.asked.length >= 2);
    assert.equal((await air.track(key, AWB)).body.data.status, "In transit");
    assert.equal(air.raised.length, 1);
  });
});
