/** Waybills of an account whose entitlement comes and goes. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { query } from "../support/database.ts";
import { fsa, startAirService } from "./air-service.ts";

const AWB = "17612345675";
const RCS = "RCS/01NOV0930/DXB/T10K250/FALCON";
const MINUTE_MS = 60_000;

// spec 5: entitlements
test("an account that has lost the entitlement has its waybills polled no more, and again when it is back", async () => {
  const air = await startAirService();
  const key = await air.client();
  air.answer = async () => fsa(RCS);
  await air.track(key, AWB);
  const entitle = (entitlements: string) =>
    query(air.test.address, `update ${SCHEMA_PREFIX}.accounts set entitlements = '${entitlements}'`);
  const hourOfPolls = async (): Promise<number> => {
    const before = air.asked.length;
    const endMs = air.clock.nowMs() + 60 * MINUTE_MS;
    await air.until(async () => {
      await air.clock.advance(MINUTE_MS);
      return air.clock.nowMs() >= endMs;
    });
    return air.asked.length - before;
  };
  assert.ok((await hourOfPolls()) >= 1, "with it");
  await entitle("{}");
  // A poll that has begun may end.
  await air.clock.advance(MINUTE_MS);
  assert.equal(await hourOfPolls(), 0, "without it");
  await entitle("{aircargo}");
  assert.ok((await hourOfPolls()) >= 1, "again with it");
  await air.close();
});
