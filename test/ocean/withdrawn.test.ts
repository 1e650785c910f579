/** What a source takes back by name, beside what an answer only leaves out. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { event, march } from "./event.ts";
import { lookAt, raisedIn } from "./life.ts";

const landed = [
  event("LOAD", "CNTAO", march(2)),
  event("DEPA", "CNTAO", march(3)),
  event("DISC", "NLRTM", march(20), { movement: "import" }),
];
const out = event("GTOT", "NLRTM", march(21));

test("a withdrawn end is believed at once, one that is left out stands for another answer, and the true one is raised", () => {
  const delivered = lookAt([...landed, out], lookAt(landed, null, march(20, 18)).record, march(22));
  const leftOut = lookAt(landed, delivered.record, march(22, 18));
  const withdrawn = lookAt(landed, delivered.record, march(22, 18), { withdrawn: [out] });
  const again = lookAt([...landed, event("GTOT", "NLRTM", march(23))], withdrawn.record, march(24));
  assert.deepEqual(raisedIn([delivered, leftOut, withdrawn, again]), [
    "2026-03-22T12:00 delivered container_delivered",
    "2026-03-22T18:00 delivered",
    "2026-03-22T18:00 discharged updated(status)",
    "2026-03-24T12:00 delivered container_delivered",
  ]);
});

test("a cut answer takes back what it withdraws, and nothing else that it leaves out", () => {
  const before = lookAt([...landed, out], null, march(22));
  const { record } = lookAt([], before.record, march(23), { withdrawn: [out], incomplete: true });
  assert.equal(record.status, "discharged");
  const other = { ...out, equipment: "HRNU4000017" };
  assert.equal(
    lookAt([], before.record, march(23), { withdrawn: [other], incomplete: true }).record.status,
    "delivered",
  );
});

test("a retraction names what it takes back by its own fields, or by the version that it retracts", () => {
  const raw = {
    eventID: "1",
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: "GTOT",
    eventClassifierCode: "ACT",
    eventDateTime: "2026-03-21T12:00:00Z",
    equipmentReference: "CSQU3054383",
  };
  const bare = { eventID: "1", isRetracted: true };
  for (const answer of [[{ ...raw, isRetracted: true }], [raw, bare]]) {
    const parsed = parseAnswer(answer, DCSA_SPELLING);
    assert.deepEqual([parsed?.events, parsed?.withdrawn?.map(({ code }) => code)], [[], ["GTOT"]]);
  }
});
