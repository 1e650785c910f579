/** Whether an answer that names another booking concerns a box at sea, by its documents. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRecord } from "../../src/products/ocean/record/record.ts";
import type { Statements } from "../../src/products/ocean/record/shipment-record.ts";
import type { CarrierEvent, DocumentReference } from "../../src/products/ocean/sources/carrier-event.ts";
import { event, march } from "./event.ts";
import { pollThrough, UNARMED } from "./life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: "9321483" } };
const planned = { classifier: "planned" } as const;

function under(documents: readonly DocumentReference[], ...events: readonly CarrierEvent[]) {
  return events.map((one) => ({ ...one, documents }));
}

const booking = (value: string): DocumentReference => ({ type: "BKG", value });
const bill = (value: string): DocumentReference => ({ type: "TRD", value });

const atSea = [
  event("LOAD", "CNTAO", march(1), heron),
  event("DEPA", "CNTAO", march(2), heron),
  event("ARRI", "NLRTM", march(25), { ...heron, ...planned }),
];
/** From a port that the box was not to call at. */
const elsewhere = [
  event("LOAD", "USNYC", march(10), tern),
  event("DEPA", "USNYC", march(11), tern),
  event("ARRI", "BRSSZ", march(25), { ...tern, ...planned }),
];

function vesselAfter(
  first: readonly CarrierEvent[],
  then: readonly CarrierEvent[],
  more: Partial<Statements> = {},
): string | null {
  const statements = { carrier: "TEST", identifierType: "bill_of_lading", freeDays: [], ...more } as const;
  const known = nextRecord({ ...statements, events: first }, null, UNARMED, march(3));
  const next = nextRecord({ ...statements, events: then }, known, UNARMED, march(12));
  return next.boxes[0]?.vessel?.name ?? null;
}

test("an answer that names only another booking changes nothing", () => {
  assert.equal(
    vesselAfter(under([booking("A1")], ...atSea), under([booking("B1")], ...elsewhere)),
    "HERON DAWN",
  );
});

test("a bill of lading that both name makes them one cargo, whatever its bookings", () => {
  const first = under([booking("A1"), bill("X1")], ...atSea);
  assert.equal(vesselAfter(first, under([booking("B1"), bill("X1")], ...elsewhere)), "TERN SOLSTICE");
  assert.equal(vesselAfter(first, under([booking("B1"), bill("X2")], ...elsewhere)), "HERON DAWN");
});

test("an answer that names the tracked reference concerns the shipment, also without the SCAC of a bill", () => {
  const answers = [
    under([booking("A1")], ...atSea),
    under([booking("B1"), bill("X234567")], ...elsewhere),
  ] as const;
  for (const reference of ["X234567", "TESTX234567"])
    assert.equal(vesselAfter(...answers, { reference }), "TERN SOLSTICE");
  assert.equal(vesselAfter(...answers, { reference: "X999999" }), "HERON DAWN");
});

test("the next vessel of a box that was handed over begins its awaited trip, also after an import", () => {
  const old = under(
    [booking("A1")],
    event("LOAD", "CNTAO", march(-30), heron),
    event("DISC", "NLRTM", march(-9), { ...heron, movement: "import" }),
    event("STRP", "NLRTM", march(-6), { mode: null, movement: "import" }),
  );
  const next = under(
    [booking("B1")],
    event("DEPA", "NLRTM", march(10), { ...tern, ...planned }),
    event("ARRI", "USNYC", march(25), { ...tern, ...planned }),
  );
  const polls = pollThrough([
    [march(1), old],
    [march(2), [...old, ...next]],
  ]);
  assert.deepEqual(
    polls.map(({ record }) => [record.status, record.boxes[0]?.discharge?.unlocode]),
    [
      ["delivered", "NLRTM"],
      ["pre_departure", "USNYC"],
    ],
  );
});
