/** Whether an answer that names another booking concerns a box at sea, by its documents. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { DocumentReference } from "../../src/products/ocean/sources/carrier-event.ts";
import { march } from "./event.ts";
import { inLines } from "./in-lines.ts";
import { lookAt } from "./life.ts";

const { polled, said } = inLines();

const atSea = said("LOAD CNTAO 1 HERON; DEPA CNTAO 2 HERON; ARRI~ NLRTM 25 HERON");
/** From a port that the box was not to call at. */
const elsewhere = said("LOAD USNYC 10 TERN; DEPA USNYC 11 TERN; ARRI~ BRSSZ 25 TERN");

/** `BKG=A1 TRD=X1`. */
const documentsIn = (text: string): readonly DocumentReference[] =>
  text.split(" ").map((one) => ({ type: one.slice(0, 3), value: one.slice(4) }));

test("an answer concerns the shipment if it names a document of it, or the tracked reference", () => {
  for (const [first, then, reference, vessel, why] of [
    ["BKG=A1", "BKG=B1", undefined, "HERON", "only another booking: it changes nothing"],
    ["BKG=A1 TRD=X1", "BKG=B1 TRD=X1", undefined, "TERN", "one bill makes them one cargo"],
    ["BKG=A1 TRD=X1", "BKG=B1 TRD=X2", undefined, "HERON", "another bill"],
    ["BKG=A1", "BKG=B1 TRD=X234567", "X234567", "TERN", "the tracked reference"],
    ["BKG=A1", "BKG=B1 TRD=X234567", "TESTX234567", "TERN", "also without the SCAC of a bill"],
    ["BKG=A1", "BKG=B1 TRD=X234567", "X999999", "HERON", "another reference"],
  ] as const) {
    const about = { identifierType: "bill_of_lading", ...(reference && { reference }) } as const;
    const [known, next] = [
      atSea.map((one) => ({ ...one, documents: documentsIn(first) })),
      elsewhere.map((one) => ({ ...one, documents: documentsIn(then) })),
    ];
    const before = lookAt(known, null, march(3), about).record;
    assert.equal(lookAt(next, before, march(12), about).record.boxes[0]?.vessel?.name, vessel, why);
  }
});

test("the next vessel of a box that was handed over begins its awaited trip, also after an import", () => {
  const old =
    "LOAD CNTAO -30 HERON BKG=A1; DISC NLRTM -9 HERON import BKG=A1; STRP NLRTM -6 modeless import BKG=A1";
  const polls = polled(`@1 ${old} | @2 + DEPA~ NLRTM 10 TERN BKG=B1; ARRI~ USNYC 25 TERN BKG=B1`);
  assert.deepEqual(
    polls.map(({ record }) => [record.status, record.boxes[0]?.discharge?.unlocode]),
    [
      ["delivered", "NLRTM"],
      ["pre_departure", "USNYC"],
    ],
  );
});
