/** Every code of DCSA's Track & Trace 2.2 and 3.0, at every stage of a voyage: what it makes of the status. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { deriveStatus } from "../../src/products/ocean/status/status.ts";
import { timelineOf } from "../../src/products/ocean/timeline/timeline.ts";
import { event, march, documentEvent } from "./event.ts";

const NOW = march(23);
const heron = { vessel: { name: "HERON DAWN", imo: null } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
const rail = { mode: "rail" } as const;
const barge = { mode: "barge" } as const;

function statusOf(events: readonly CarrierEvent[]): string {
  return deriveStatus(timelineOf(events), NOW).status;
}

function at(code: string, unlocode: string, facilityType: string, more: Partial<CarrierEvent> = {}) {
  const place = { unlocode, name: null, facility: null, facilityType };
  return event(code, unlocode, march(22), { mode: "truck", ...more, place });
}

const origin = [event("GTOT", "CNTAO", march(1), { laden: false }), event("GTIN", "CNTAO", march(2))];
const loaded = [...origin, event("LOAD", "CNTAO", march(3), heron)];
const sailing = [...loaded, event("DEPA", "CNTAO", march(4), heron)];
const berthed = [...sailing, event("ARRI", "NLRTM", march(18), heron)];
const discharged = [...berthed, event("DISC", "NLRTM", march(19), heron)];
const toGdansk = event("ARRI", "PLGDN", march(28), { ...tern, classifier: "estimated" });
const transshipment = [...discharged, toGdansk];
const toMunich = event("DISC", "DEMUC", march(27), { ...rail, classifier: "planned" });
const onTrain = [...discharged, toMunich, event("LOAD", "NLRTM", march(20), rail)];
const available = [...discharged, documentEvent("SRM", "RELS", march(20))];
const delivered = [...discharged, event("GTOT", "NLRTM", march(20))];

const STAGES = { origin, loaded, sailing, berthed, transshipment, discharged, onTrain, available, delivered };

test("what is done to a box wherever it is, and what nobody knows, changes no status", () => {
  for (const [stage, events] of Object.entries(STAGES)) {
    for (const code of ["STUF", "INSP", "RSEA", "RMVD", "AVDO", "CROS", "XXXX"]) {
      for (const mode of ["vessel", "truck", "rail", "barge", null] as const) {
        const unlocode = stage === "origin" || stage === "loaded" ? "CNTAO" : "NLRTM";
        const done = event(code, unlocode, march(22), { mode });
        assert.equal(statusOf([...events, done]), statusOf(events), `${stage} ${code} ${mode}`);
      }
    }
  }
});

test("of the transport documents only bookings, releases and customs move a box", () => {
  const moving = ["CBR", "BKG", "SRM", "CUS"];
  const codes = [
    ...["RECE", "DRFT", "PENA", "PENU", "REJE", "APPR", "ISSU", "SURR", "SUBM", "VOID", "CONF", "REQS"],
    ...["CMPL", "HOLD", "RELS", "CANC", "CACF", "CADC", "DECL", "CARE", "AMCF", "PSDL", "UPCF"],
  ];
  for (const [stage, events] of Object.entries(STAGES)) {
    for (const type of ["CBR", "BKG", "SHI", "SRM", "TRD", "ARN", "VGM", "CAS", "CUS", "DGD", "OOG", "XXX"]) {
      const moved = codes.filter(
        (code) => statusOf([...events, documentEvent(type, code, march(22))]) !== statusOf(events),
      );
      if (!moving.includes(type)) assert.deepEqual(moved, [], `${stage} ${type}`);
    }
  }
});

test("a booking that is rejected, declined, cancelled or voided is off, and on again by the next request", () => {
  for (const code of ["VOID", "REJE", "DECL", "CANC", "CACF"]) {
    assert.equal(statusOf([...origin, documentEvent("CBR", code, march(3))]), "cancelled", code);
    assert.equal(statusOf([...sailing, documentEvent("BKG", code, march(22))]), "in_transit", code);
  }
  for (const code of ["CADC", "CARE", "PENU"]) {
    assert.equal(statusOf([...origin, documentEvent("BKG", code, march(3))]), "pre_departure", code);
  }
  const off = [...origin, documentEvent("CBR", "REJE", march(3))];
  for (const code of ["REQS", "RECE", "CONF"]) {
    assert.equal(statusOf([...off, documentEvent("CBR", code, march(5))]), "pre_departure", code);
  }
  assert.equal(
    statusOf([...off, event("LOAD", "CNTAO", march(6), heron)]),
    "pre_departure",
    "loaded in spite of it",
  );
});

test("the carrier's release can be held back again", () => {
  for (const code of ["HOLD", "VOID"]) {
    assert.equal(statusOf([...available, documentEvent("SRM", code, march(22))]), "discharged", code);
  }
});

test("customs hold a box by paper or by its number, at its destination only", () => {
  const hold = documentEvent("CUS", "HOLD", march(20));
  const released = [...discharged, hold, documentEvent("CUS", "RELS", march(20, 15))];
  assert.equal(statusOf([...discharged, hold]), "customs_hold");
  assert.equal(statusOf(released), "discharged");
  assert.equal(
    statusOf([...released, documentEvent("CUS", "HOLD", march(20, 18))]),
    "customs_hold",
    "held again",
  );
  assert.equal(statusOf([...discharged, hold, documentEvent("CUS", "VOID", march(21))]), "discharged");
  for (const code of ["CUSI", "CUSS"]) {
    const chosen = event(code, "NLRTM", march(20), { mode: null });
    assert.equal(statusOf([...discharged, chosen]), "customs_hold", code);
    assert.equal(
      statusOf([...discharged, chosen, event("CUSR", "NLRTM", march(21), { mode: null })]),
      "discharged",
    );
  }
  assert.equal(
    statusOf([...berthed, documentEvent("CUS", "HOLD", march(10)), ...discharged.slice(-1)]),
    "customs_hold",
    "at sea",
  );
  assert.equal(
    statusOf([documentEvent("CUS", "HOLD", march(2)), ...discharged]),
    "discharged",
    "on the export",
  );
  assert.equal(statusOf([...onTrain, hold]), "in_transit");
});

test("a terminal's word that the box is available is as good as a release", () => {
  assert.equal(statusOf([...discharged, event("AVPU", "NLRTM", march(20), { mode: null })]), "available");
  assert.equal(statusOf([...onTrain, event("AVPU", "DEMUC", march(22), rail)]), "available");
  assert.equal(
    statusOf([event("AVPU", "CNTAO", march(1), { mode: null })]),
    "pre_departure",
    "an empty one, to be filled",
  );
});

test("a box is delivered out of the gate, at the consignee's, and when it is stripped or dropped", () => {
  const ends = [
    at("GTOT", "NLRTM", "POTE"),
    at("GTOT", "NLRTM", "POTE", { mode: null, laden: null }),
    at("GTOT", "NLRTM", "POTE", { laden: false }),
    at("PICK", "NLRTM", "POTE"),
    at("DROP", "NLRTM", "CLOC"),
    at("ARRI", "DEMUC", "CLOC"),
    at("STRP", "NLRTM", "COFS", { laden: false }),
  ];
  for (const [index, end] of ends.entries()) {
    assert.equal(statusOf([...discharged, end]), "delivered", `${index} ${end.code}`);
  }
});

test("a delivered box is back when it is seen empty in the carrier's hands", () => {
  const back = [
    at("GTIN", "NLRTM", "DEPO", { laden: false }),
    at("GTIN", "NLRTM", "DEPO", { laden: null }),
    at("GTIN", "NLRTM", "DEPO"),
    at("DROP", "DEDUI", "INTE", { laden: false }),
    at("GTOT", "NLRTM", "DEPO", { laden: false }),
    at("LOAD", "NLRTM", "POTE", { mode: "vessel", laden: false }),
  ];
  for (const [index, end] of back.entries()) {
    assert.equal(statusOf([...delivered, end]), "returned_empty", `${index} ${end.code}`);
  }
  assert.equal(
    statusOf([...delivered, at("PICK", "DEMUC", "CLOC", { laden: false })]),
    "delivered",
    "still to come",
  );
});

test("a barge takes a box to its vessel and on from it, and sets out on no sailing leg", () => {
  const toShip = [
    event("LOAD", "CNWUH", march(1), barge),
    event("DISC", "CNSHA", march(3), barge),
    event("LOAD", "CNSHA", march(5), heron),
  ];
  assert.equal(statusOf(toShip), "pre_departure");
  const steps = deriveStatus(timelineOf([...toShip, event("DEPA", "CNSHA", march(6), heron)]), NOW).steps;
  assert.deepEqual(
    steps.filter(({ departs }) => departs).map(({ event: { place } }) => place?.unlocode),
    ["CNSHA"],
  );
  const byBarge = [...discharged, event("LOAD", "NLRTM", march(20), barge)];
  assert.equal(statusOf(byBarge), "in_transit");
  const toDuisburg = event("DISC", "DEDUI", march(24), { ...barge, classifier: "planned" });
  assert.equal(statusOf([...byBarge, toDuisburg, event("GTIN", "DEDUI", march(22), barge)]), "available");
});

test("an indicator that calls a box at sea empty is a slip", () => {
  const empty = { ...heron, laden: false };
  assert.equal(statusOf([...berthed, event("DISC", "NLRTM", march(19), empty)]), "discharged");
  assert.equal(statusOf([event("LOAD", "CNTAO", march(1), empty)]), "pre_departure");
});
