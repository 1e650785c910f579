/** Where a box comes from, of which the carrier may tell the end only. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";
import { pollThrough } from "../life.ts";

const { answers } = inLines();

/** At the end of a journey. */
function placesAt(journey: string): readonly (string | null)[] {
  const { origin, discharge } = pollThrough(answers(journey)).at(-1)!.record.boxes[0]!;
  return [origin?.unlocode ?? null, discharge?.unlocode ?? null];
}

test("a port that a vessel brings the box to is no origin, unless it also leaves from there", () => {
  for (const [journey, ...places] of [
    ["@10 GTIN CNTAO 1; LOAD CNTAO 2 HERON; ARRI? NLRTM 20 HERON", "CNTAO", "NLRTM"],
    ["@21 ARRI NLRTM 20 HERON", null, "NLRTM"],
    ["@21 ARRI NLRTM 20 HERON; DISC NLRTM 20.18 HERON", null, "NLRTM"],
    ["@21 ARRI? NLRTM 25 HERON", null, "NLRTM"],
    ["@24 DISC NLRTM 20 HERON; GTOT NLRTM 22; GTIN NLRTM 23 empty", null, "NLRTM"],
    // The history begins where a vessel comes to fetch the box, or where the box is transshipped.
    ["@10 ARRI CNTAO 1 HERON; LOAD CNTAO 2 HERON; ARRI? NLRTM 20 HERON", "CNTAO", "NLRTM"],
    ["@10 ARRI~ CNTAO 11 HERON; DEPA~ CNTAO 12 HERON; ARRI? NLRTM 20 HERON", "CNTAO", "NLRTM"],
    ["@10 DISC MYPKG 1 HERON; LOAD MYPKG 3 EGRET; ARRI? NLRTM 20 EGRET", "MYPKG", "NLRTM"],
    // A lorry brings it to the port that it leaves from.
    ["@10 ARRI CNTAO 1 truck", "CNTAO", null],
  ] as const)
    assert.deepEqual(placesAt(journey), places, journey);
});
