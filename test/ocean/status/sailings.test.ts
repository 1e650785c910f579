/** The sailings of a box: each leg of its plan, promised for when it was first planned. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";

const { box } = inLines({ today: 2 });

const plan =
  "DEPA~ CNTAO 3 FEEDER; ARRI~ SGSIN 8 FEEDER; DISC~ SGSIN 8 FEEDER; LOAD~ SGSIN 12 HERON; DEPA~ SGSIN 13 HERON; ARRI~ NLRTM 30 HERON";
const ONWARD = "SGSIN HERON 13>13";

/** Each sailing: `CNTAO HERON 3>5` promised for the 3rd, expected on the 5th; `CNTAO HERON 3>5!` made on the 5th. */
function assertSailings(line: string, sailings: readonly string[], why?: string): void {
  const day = (ms: number): number => new Date(ms).getUTCDate();
  const shown = box(line).sailings.map(
    ({ from, vessel, promisedMs, expectedMs, departedMs }) =>
      `${from} ${vessel} ${day(promisedMs)}>${day(departedMs ?? expectedMs)}${departedMs === null ? "" : "!"}`,
  );
  assert.deepEqual(shown, sailings, why ?? line);
}

test("each leg of the plan is a sailing, promised for when it was first planned", () => {
  const later = `${plan} | @2.13 + DEPA? CNTAO 5 FEEDER`;
  assertSailings(plan, ["CNTAO FEEDER 3>3", ONWARD]);
  assertSailings(later, ["CNTAO FEEDER 3>5", ONWARD]);
  assertSailings(`${later} | @6 + DEPA CNTAO 6 FEEDER`, ["CNTAO FEEDER 3>6!", ONWARD]);
});

test("a swap of vessels is the same sailing and keeps its promise, a roll-over or another port is another one", () => {
  const first = "CNTAO FEEDER 3>3";
  assertSailings(`${plan} | @2.13 + DEPA~ SGSIN 14.11 DUSK (20)`, [first, "SGSIN DUSK 13>14"]);
  assertSailings(`${plan} | @2.13 + DEPA~ SGSIN 20 DUSK (20)`, [first, "SGSIN DUSK 20>20"]);
  assertSailings(`${plan} | @2.13 ${plan.replaceAll("SGSIN", "MYPKG")}`, [first, "MYPKG HERON 13>13"]);
});

test("a call on the way, where the box stays aboard, is no sailing of it", () => {
  const leaves = "DEPA~ SGSIN 9 HERON; ARRI~ NLRTM 30 HERON";
  assertSailings(`DEPA~ CNTAO 3 HERON; ARRI~ SGSIN 8 HERON; ${leaves}`, ["CNTAO HERON 3>3"]);
  assertSailings(
    `DEPA~ CNTAO 3 FEEDER; ARRI~ SGSIN 8 FEEDER; ${leaves}`,
    ["CNTAO FEEDER 3>3", "SGSIN HERON 9>9"],
    "the vessel changes, so the box does too",
  );
});

test("a vessel that leaves its anchorage or its pilot does not set out", () =>
  assertSailings(`DEPA~ CNTAO/ANCH 1 HERON; DEPA~ CNTAO/PBPL 4 HERON; ${plan}`, [
    "CNTAO FEEDER 3>3",
    ONWARD,
  ]));

test("the vessel that brought the box to a transshipment leaves, and the sailing onward still stands", () => {
  const sailed = "LOAD CNTAO 2 FEEDER; DEPA CNTAO 3 FEEDER; ARRI SGSIN 8 FEEDER; DISC SGSIN 8 FEEDER";
  const gone = `@8 ${plan}; ${sailed} | @9 + DEPA SGSIN 9 FEEDER`;
  assertSailings(gone, ["CNTAO FEEDER 3>3!", ONWARD]);
  const onward = `${gone} | @15 + LOAD SGSIN 14 HERON; DEPA SGSIN 15 HERON`;
  assertSailings(onward, ["CNTAO FEEDER 3>3!", "SGSIN HERON 13>15!"]);
});

test("a departure that nobody reported was made once the box is elsewhere, and a plan left behind is none", () => {
  const implied = `@2 ${plan} | @8 + GTIN CNTAO 1; ARRI SGSIN 8 FEEDER`;
  assertSailings(implied, ["CNTAO FEEDER 3>3!", ONWARD]);
  const reRouted =
    "DEPA~ CNTAO 3 HERON; LOAD~ SGSIN 12 HERON; DEPA~ SGSIN 13 HERON; GTIN CNTAO 1; DEPA CNTAO 4 HERON; ARRI NLRTM 25 HERON";
  assertSailings(`@25 ${reRouted}`, ["CNTAO HERON 4>4!"]);
});
