/** Statements of one instant: many carriers give dates without times. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { inOrder } from "../../../src/products/ocean/timeline/order.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { tripsOf } from "../../../src/products/ocean/timeline/trip.ts";
import { documentEvent, event, march } from "../event.ts";
import { statementsOf, UNARMED } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
const empty = { laden: false } as const;

function recordOf(events: readonly CarrierEvent[], nowMs = march(28)) {
  const about = { carrier: "HRNL", identifierType: "container_id", freeDays: [] } as const;
  return nextRecord({ ...about, events }, null, UNARMED, nowMs).boxes[0]!;
}

/** The same on the dates alone. */
function datesOnly(events: readonly CarrierEvent[]): CarrierEvent[] {
  return events.map((one) => {
    const ms = Math.floor(one.at.ms / 86_400_000) * 86_400_000;
    return { ...one, at: { ms, offsetMinutes: null, local: new Date(ms).toISOString().slice(0, 19) } };
  });
}

const days: readonly (readonly [string, readonly CarrierEvent[]])[] = [
  [
    "a transshipment and the vessel on of one day",
    [
      event("DEPA", "CNTAO", march(1), heron),
      event("ARRI", "SGSIN", march(9, 1), heron),
      event("DISC", "SGSIN", march(9, 2), heron),
      event("LOAD", "SGSIN", march(9, 20), tern),
      event("DEPA", "SGSIN", march(9, 22), tern),
    ],
  ],
  [
    "a feeder's voyage of one day",
    [
      event("GTIN", "CNTAO", march(8)),
      event("LOAD", "CNTAO", march(9, 1), heron),
      event("DEPA", "CNTAO", march(9, 2), heron),
      event("ARRI", "CNSHA", march(9, 20), heron),
      event("DISC", "CNSHA", march(9, 22), heron),
    ],
  ],
  [
    "a change of terminals and a loading of one day",
    [
      event("DEPA", "CNTAO", march(1), heron),
      event("DISC", "SGSIN", march(9), heron),
      event("GTOT", "SGSIN", march(10, 1)),
      event("GTIN", "SGSIN", march(10, 2)),
      event("LOAD", "SGSIN", march(10, 3), tern),
    ],
  ],
  [
    "a discharge, its release, the way out and the empty return of one day",
    [
      event("DEPA", "CNTAO", march(1), heron),
      event("DISC", "NLRTM", march(20, 1), heron),
      documentEvent("CUS", "RELS", march(20, 2)),
      documentEvent("SRM", "RELS", march(20, 3)),
      event("GTOT", "NLRTM", march(20, 4)),
      event("GTIN", "DEDUI", march(20, 20), empty),
    ],
  ],
  [
    "a train that takes the box inland, and a truck that fetches it, on one day",
    [
      event("DEPA", "CNTAO", march(1), heron),
      event("DISC", "NLRTM", march(20), heron),
      event("LOAD", "NLRTM", march(21, 1), { mode: "rail" }),
      event("GTOT", "NLRTM", march(21, 2), { mode: "rail" }),
      event("GTIN", "DEDUI", march(21, 20), { mode: "rail" }),
      event("GTOT", "DEDUI", march(21, 22)),
    ],
  ],
  [
    "an empty return and the next shipper's pick-up of one day",
    [
      event("DEPA", "CNTAO", march(1), heron),
      event("DISC", "NLRTM", march(20), heron),
      event("GTOT", "NLRTM", march(21)),
      event("GTIN", "NLRTM", march(23, 1), empty),
      event("GTOT", "NLRTM", march(23, 5), empty),
      event("GTIN", "NLRTM", march(24)),
    ],
  ],
];

test("statements of one instant follow the sense of the journey, in whatever order the carrier gives them", () => {
  for (const [name, events] of days) {
    const codes = (some: readonly CarrierEvent[]): readonly string[] =>
      some.map(({ code, place }) => `${code} ${place?.unlocode ?? ""}`);
    fc.assert(
      fc.property(fc.shuffledSubarray(datesOnly(events), { minLength: events.length }), (shuffled) => {
        assert.deepEqual(codes(inOrder(shuffled)), codes(events), name);
      }),
      { numRuns: 20 },
    );
  }
});

test("a journey in dates shows what it shows with its times", async () => {
  const recordings = await readRecordings(JOURNEYS_FOLDER);
  const told = recordings.map((one) => tripsOf(statementsOf(one))[0]?.events ?? []);
  for (const events of [...days.map(([, day]) => day), ...told]) {
    const actual = events.filter(({ classifier }) => classifier === "actual");
    for (let count = 1; count <= actual.length; count += 1) {
      // A day is over before its dates are read.
      const dayMs = Math.floor((actual[count - 1]?.at.ms ?? 0) / 86_400_000);
      if (Math.floor((actual[count]?.at.ms ?? 0) / 86_400_000) === dayMs) continue;
      const part = actual.slice(0, count);
      const readMs = (dayMs + 1) * 86_400_000;
      const [byTime, byDate] = [recordOf(part, readMs), recordOf(datesOnly(part), readMs)];
      const shown = ({ status, origin, discharge, destination, vessel, transshipments }: typeof byTime) => {
        const places = [origin, discharge, destination, ...transshipments].map((one) => one?.unlocode ?? "");
        return { status, vessel, places };
      };
      const codes = part.map(({ code, place }) => `${code} ${place?.unlocode ?? ""}`);
      assert.deepEqual(shown(byDate), shown(byTime), codes.join(", "));
      assert.deepEqual(
        byDate.milestones.map(({ key }) => key),
        byTime.milestones.map(({ key }) => key),
        codes.join(", "),
      );
    }
  }
});

test("a plan of the day on which its box was discharged is still to come", () => {
  const midnight = Date.UTC(2026, 2, 9);
  const events = [
    event("DEPA", "CNTAO", march(1), heron),
    event("DISC", "SGSIN", midnight, heron),
    event("LOAD", "SGSIN", midnight, { ...tern, classifier: "planned" }),
  ];
  assert.equal(recordOf(events, march(10)).status, "at_transshipment");
});
