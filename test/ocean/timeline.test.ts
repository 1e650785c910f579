import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../sim/replay/server.ts";
import { recordOf } from "../../src/producers/ocean/record.ts";
import { timelineOf } from "../../src/producers/ocean/timeline.ts";
import { currentTrip } from "../../src/producers/ocean/trip.ts";
import { event, march } from "./event.ts";
import { UNARMED } from "./life.ts";

const HOUR_MS = 3_600_000;

test("what happened beats what was estimated, and an estimate beats a plan, whenever they were written", () => {
  const plan = event("ARRI", "NLRTM", march(9), { classifier: "planned", createdAtMs: march(8) });
  const estimate = event("ARRI", "NLRTM", march(10), { classifier: "estimated", createdAtMs: march(1) });
  const actual = event("ARRI", "NLRTM", march(11), { createdAtMs: march(2) });
  assert.deepEqual(timelineOf([plan, estimate]), [estimate]);
  assert.deepEqual(timelineOf([plan, actual, estimate]), [actual]);
});

test("the statement created last supersedes, on whatever vessel it puts the box", () => {
  const first = event("DEPA", "NLRTM", march(9), {
    classifier: "estimated",
    createdAtMs: march(1),
    vessel: { name: "TERN FEEDER", imo: null },
  });
  const rolled = { ...first, at: event("DEPA", "NLRTM", march(16)).at, createdAtMs: march(2), vessel: null };
  assert.deepEqual(timelineOf([rolled, first]), [rolled]);
});

test("a corrected time is the same happening, and a second visit another", () => {
  const first = event("DISC", "NLRTM", march(9), { createdAtMs: march(9) });
  const corrected = event("DISC", "NLRTM", march(9) - 5 * HOUR_MS, { createdAtMs: march(10) });
  const again = event("DISC", "NLRTM", march(19));
  assert.deepEqual(timelineOf([again, first, corrected]), [corrected, again]);
});

test("neither order nor repetition of a carrier's statements changes the record", async () => {
  const journeys = await readRecordings(JOURNEYS_FOLDER);
  for (const { events, lastMs } of journeys) {
    const statements = events.map((recorded) => recorded.event);
    const about = { carrier: "TEST", identifierType: null, freeDays: [] };
    const inOrder = recordOf({ ...about, events: statements }, null, UNARMED, lastMs);
    const shuffled = fc.shuffledSubarray(statements, { minLength: statements.length });
    fc.assert(
      fc.property(shuffled, fc.subarray(statements), (once, twice) => {
        const record = recordOf({ ...about, events: [...once, ...twice] }, null, UNARMED, lastMs);
        assert.deepEqual(record, inOrder);
      }),
      { numRuns: 50 },
    );
  }
});

test("a shipment is the trip it was when it was first seen, though the box goes on to the next", () => {
  const empty = { laden: false } as const;
  const ours = [
    event("GTOT", "CNTAO", march(1), empty),
    event("GTIN", "CNTAO", march(2)),
    event("GTIN", "NLRTM", march(20), empty),
  ];
  const afterwards = event("LOAD", "NLRTM", march(21), { mode: "rail" });
  const next = [event("GTOT", "NLRTM", march(22), empty), event("GTIN", "NLRTM", march(23))];
  const all = [...ours, afterwards, ...next];
  assert.deepEqual(currentTrip([...ours, afterwards], null).events, ours);
  assert.deepEqual(currentTrip(all, march(1)), { events: ours, anchorMs: march(1) });
  assert.deepEqual(currentTrip(all, null), { events: [afterwards, ...next], anchorMs: march(21) });
});

test("an empty box that comes back before any cargo was in it ends no trip", () => {
  const rejected = [
    event("GTOT", "CNTAO", march(1), { laden: false }),
    event("GTIN", "CNTAO", march(1, 15), { laden: false }),
    event("GTOT", "CNTAO", march(2), { laden: false }),
    event("GTIN", "CNTAO", march(3)),
  ];
  assert.deepEqual(currentTrip(rejected, null).events, rejected);
});
