/**
 * Files of before there were layers, kinds, commodities and surcharges by bill, loaded in turn: what held on each day then
 * holds on it now, and what was raised then is raised now. The figures are those of the build before.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { loadRates } from "../../src/products/rates/lanes/load.ts";
import { FILE_BOUNDS, readRates } from "../../src/products/rates/lanes/read-rates.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { openScene } from "./scene.ts";

/** Of the guide as it was. */
const GUIDE = `origin,destination,equipment,carrier,currency,valid_from,valid_to,base,surcharges,total
CNSHA,NLRTM,40HC,KITE,USD,2026-01-01,2026-12-31,2000.00,BAF=350.50|THC=210.00:included,2350.50
CNYTN,DEHAM,40HC,,USD,2026-01-01,,2100,,
`;
/** A year's contract, then what looks like a promotion inside it: the contract did not come back. */
const SHORT = `origin;destination;equipment;carrier;currency;valid_from;valid_to;base;surcharges
CNSHA;NLRTM;40HC;KITE;USD;09.11.2026;22.11.2026;1750,00;BAF=350,50
CNYTN;DEHAM;40HC;;USD;10.11.2026;;1990,00;
`;
/** A correction of the contract, loaded later, that begins when it did; another that begins inside the short one. */
const CORRECTION = `[{"origin": "CNSHA", "destination": "NLRTM", "equipment": "40HQ", "carrier": "KITE", "currency": "USD",
  "valid_from": "2026-01-01", "valid_to": "2026-12-31", "base": 1900.10, "lane_id": "x", "id": "x", "loaded_at": "x",
  "surcharges": [{"code": "THC", "amount": "210", "included": true}, {"code": "BAF", "amount": 350.5}]},
 {"origin": "CNSHA", "destination": "NLRTM", "equipment": "40HC", "carrier": "KITE", "currency": "USD",
  "valid_from": "2026-11-16", "valid_to": "2026-11-18", "base": "1800", "surcharges": []}]`;

const DAYS = ["11-01", "11-08", "11-09", "11-10", "11-15", "11-16", "11-18", "11-19", "11-22", "11-23"];

test("files that overlap load as before, and hold and raise the same", async (t) => {
  const scene = await openScene();
  t.after(() => scene.drop());
  const load = async (file: string) => {
    const read = runToEnd(readRates(Buffer.from(file), file.startsWith("[") ? "json" : "csv", FILE_BOUNDS));
    assert.ok(read.kind === "rates");
    assert.deepEqual(read.problems, []);
    const { loaded, replaced, unchanged, changes } = await loadRates(scene, read.rates);
    return [loaded, replaced, unchanged, changes];
  };
  const held = async () => {
    const found: unknown[][] = [];
    for (const day of DAYS) {
      const lanes = await scene.lanesOn(`2026-${day}`);
      for (const [at, { rate }] of lanes.entries()) {
        const last = found[at]?.at(-1);
        const now = rate === null ? null : `${rate.total} ${rate.valid_from} ${rate.valid_to ?? "open"}`;
        if (last === undefined || last !== now) (found[at] ??= []).push(now);
      }
    }
    return found;
  };
  const raised = async () =>
    (await scene.raised()).map(({ data }) =>
      [data.origin, data.reason, data.effective_on, data.old_total, data.new_total].map(String).join(" "),
    );

  assert.deepEqual(await load(GUIDE), [2, 0, 0, 0]);
  assert.deepEqual(await held(), [["2350.50 2026-01-01 2026-12-31"], ["2100.00 2026-01-01 open"]]);
  assert.deepEqual(await load(GUIDE), [0, 0, 2, 0]);
  assert.deepEqual(await load(SHORT), [2, 0, 0, 0]);
  const hamburg = ["2100.00 2026-01-01 2026-11-09", "1990.00 2026-11-10 open"];
  assert.deepEqual(await held(), [
    ["2350.50 2026-01-01 2026-11-08", "2100.50 2026-11-09 2026-11-22", null],
    hamburg,
  ]);
  assert.deepEqual(await load(CORRECTION), [2, 1, 0, 1]);
  const rotterdam = [
    ...["2250.60 2026-01-01 2026-11-08", "2100.50 2026-11-09 2026-11-15", "1800.00 2026-11-16 2026-11-18"],
    null,
  ];
  assert.deepEqual(await held(), [rotterdam, hamburg]);
  for (const file of [GUIDE, SHORT, CORRECTION]) await load(file);
  assert.deepEqual(await held(), [rotterdam, hamburg]);
  assert.deepEqual(await raised(), [
    "CNSHA loaded 2026-01-01 2350.50 2250.60",
    "CNSHA loaded 2026-01-01 2250.60 2350.50",
    "CNSHA loaded 2026-01-01 2350.50 2250.60",
  ]);

  const seen = [];
  for (const day of DAYS.slice(1)) {
    scene.clock.jump(Date.parse(`2026-${day}T06:00:00Z`) - scene.clock.nowMs());
    await scene.tick();
    seen.push(...(await raised()));
  }
  assert.deepEqual(seen, [
    "CNSHA began 2026-11-09 2250.60 2100.50",
    "CNYTN began 2026-11-10 2100.00 1990.00",
    "CNSHA began 2026-11-16 2100.50 1800.00",
    "CNSHA expired 2026-11-19 1800.00 null",
  ]);
});
