/** Between its discharge and its pickup, a box may be carried from one terminal of the port to another. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";

const { assertLooks, box, status } = inLines();

const [DELTA, CITY] = ["NLRTM:DDE/POTE", "NLRTM:RST/POTE"];
const landed = `LOAD CNTAO -26 HERON; DEPA CNTAO -25 HERON; ARRI NLRTM 1 HERON; DISC ${DELTA} 2 HERON`;
const pickedUp = `SRM:RELS 6; GTOT ${CITY} 7`;
const truck = `GTOT ${DELTA} 3; GTIN ${CITY} 4`;
const train = `GTOT ${DELTA} 3 rail; GTIN ${CITY} 4 rail`;
const barge = `LOAD ${DELTA} 3 barge; DISC ${CITY} 4 barge`;
const bargeThatCalls = `LOAD ${DELTA} 3 barge; DEPA ${DELTA} 3.14 barge; ARRI ${CITY} 3.20 barge; DISC ${CITY} 4 barge`;

test("spec 6.3: container_delivered: a box that is shuttled to another terminal is delivered from there", () => {
  for (const shuttle of [barge, barge.replaceAll("barge", "rail"), train, bargeThatCalls, truck])
    assertLooks(
      `@2.13 ${landed} | @5 + ${shuttle} | @6.13 + SRM:RELS 6 | @8 ${landed}; ${shuttle}; ${pickedUp}`,
      "discharged",
      "discharged",
      "available container_available",
      "delivered container_delivered",
    );
});

test("spec 6.3: container_delivered: a box on the road to another terminal is handed over from there, too", () => {
  const [out, back] = truck.split("; ");
  assertLooks(
    `@2.13 ${landed} | @3.13 + ${out} | @5.13 + ${back} | @6.13 + SRM:RELS 6 | @8.13 + GTOT ${CITY} 7`,
    "discharged",
    "delivered container_delivered",
    "discharged updated(status)",
    "available container_available",
    "delivered container_delivered",
  );
});

test("spec 6.3: container_available: the vessel that sails on while a shuttle moves the box takes the journey's end nowhere", () => {
  for (const shuttle of [barge, train]) {
    const line = `@6.13 ${landed}; ${shuttle}; ARRI DEHAM 3.20 HERON; SRM:RELS 6`;
    assert.deepEqual([status(line), box(line).destination?.unlocode], ["available", "NLRTM"], shuttle);
  }
});
