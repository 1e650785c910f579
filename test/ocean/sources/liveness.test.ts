import assert from "node:assert/strict";
import { test } from "node:test";

import { isLive } from "../../../src/products/ocean/sources/liveness.ts";
import { event, march, documentEvent } from "../event.ts";

const NOW_MS = march(20);
const DAY_MS = 24 * 3_600_000;

const discharged = event("DISC", "NLRTM", march(10));
const returned = event("GTIN", "NLRTM", march(12), { laden: false });
const pickedUp = event("GTOT", "NLRTM", march(14), { laden: false });

test("a trip is live until its empty return, and the next one from its empty pick-up", () => {
  assert.equal(isLive([discharged], NOW_MS), true);
  assert.equal(isLive([discharged, returned], NOW_MS), false);
  assert.equal(isLive([discharged, returned, pickedUp], NOW_MS), true);
});

test("a trip without events for two months is over", () => {
  assert.equal(isLive([discharged], march(10) + 59 * DAY_MS), true);
  assert.equal(isLive([discharged], march(10) + 61 * DAY_MS), false);
  const planned = event("ARRI", "NLRTM", march(10) + 90 * DAY_MS, { classifier: "planned" });
  assert.equal(isLive([discharged, planned], march(10) + 61 * DAY_MS), true);
});

test("a booking whose boxes have not moved is live", () => {
  assert.equal(isLive([documentEvent("BKG", "CONF", march(18))], NOW_MS), true);
});

test("of many boxes one that goes on is enough, whatever was said of all of them", () => {
  const of = (equipment: string) => ({ equipment });
  const one = [discharged, returned].map((move) => ({ ...move, ...of("CSQU3054383") }));
  const other = [discharged].map((move) => ({ ...move, ...of("CSQU3054362") }));
  const stated = documentEvent("TRD", "ISSU", march(1));
  assert.equal(isLive([...one, stated], NOW_MS), false);
  assert.equal(isLive([...one, ...other, stated], NOW_MS), true);
});

test("an answer without events is not live", () => {
  assert.equal(isLive([], NOW_MS), false);
});
