/** Every code of DCSA's Track & Trace 2.2 and 3.0, at every stage of a voyage: what it makes of the status. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "./in-lines.ts";

const { assertStatus, box, status } = inLines({ today: 23, about: { identifierType: null } });

const origin = "GTOT CNTAO 1 empty; GTIN CNTAO 2";
const loaded = `${origin}; LOAD CNTAO 3 HERON`;
const sailing = `${loaded}; DEPA CNTAO 4 HERON`;
const berthed = `${sailing}; ARRI NLRTM 18 HERON`;
const discharged = `${berthed}; DISC NLRTM 19 HERON`;
const transshipment = `${discharged}; ARRI? PLGDN 28 TERN`;
const onTrain = `${discharged}; DISC~ DEMUC 27 rail; LOAD NLRTM 20 rail`;
const available = `${discharged}; SRM:RELS 20`;
const delivered = `${discharged}; GTOT NLRTM 20`;

const STAGES = { origin, loaded, sailing, berthed, transshipment, discharged, onTrain, available, delivered };

test("what is done to a box wherever it is, and what nobody knows, changes no status", () => {
  for (const [stage, line] of Object.entries(STAGES)) {
    const here = stage === "origin" || stage === "loaded" ? "CNTAO" : "NLRTM";
    const shown = status(line);
    for (const code of ["STUF", "INSP", "RSEA", "RMVD", "AVDO", "CROS", "XXXX"])
      for (const mode of ["vessel", "truck", "rail", "barge", "modeless"])
        assertStatus([`${line}; ${code} ${here} 22 ${mode}`, shown]);
  }
});

test("of the transport documents only bookings, releases and customs move a box", () => {
  const codes = [
    ...["RECE", "DRFT", "PENA", "PENU", "REJE", "APPR", "ISSU", "SURR", "SUBM", "VOID", "CONF", "REQS"],
    ...["CMPL", "HOLD", "RELS", "CANC", "CACF", "CADC", "DECL", "CARE", "AMCF", "PSDL", "UPCF"],
  ];
  for (const line of Object.values(STAGES)) {
    const shown = status(line);
    for (const type of ["SHI", "TRD", "ARN", "VGM", "CAS", "DGD", "OOG", "XXX"])
      for (const code of codes) assertStatus([`${line}; ${type}:${code} 22`, shown]);
  }
});

test("a booking that is rejected, declined, cancelled or voided is off, and on again by the next request", () => {
  for (const code of ["VOID", "REJE", "DECL", "CANC", "CACF"])
    assertStatus([`${origin}; CBR:${code} 3`, "cancelled"], [`${sailing}; BKG:${code} 22`, "in_transit"]);
  for (const code of ["CADC", "CARE", "PENU"]) assertStatus([`${origin}; BKG:${code} 3`, "pre_departure"]);
  const off = `${origin}; CBR:REJE 3`;
  for (const code of ["REQS", "RECE", "CONF"]) assertStatus([`${off}; CBR:${code} 5`, "pre_departure"]);
  assertStatus([`${off}; LOAD CNTAO 6 HERON`, "pre_departure", "loaded in spite of it"]);
});

test("the carrier's release can be held back again, and a terminal's word is as good as it", () =>
  assertStatus(
    [`${available}; SRM:HOLD 22`, "discharged"],
    [`${available}; SRM:VOID 22`, "discharged"],
    [`${discharged}; AVPU NLRTM 20 modeless`, "available"],
    [`${onTrain}; AVPU DEMUC 22 rail`, "available"],
    ["AVPU CNTAO 1 modeless", "pre_departure", "an empty one, to be filled"],
  ));

test("customs hold a box by paper or by its number, at its destination only", () => {
  const released = `${discharged}; CUS:HOLD 20; CUS:RELS 20.15`;
  assertStatus(
    [`${discharged}; CUS:HOLD 20`, "customs_hold"],
    [released, "discharged"],
    [`${released}; CUS:HOLD 20.18`, "customs_hold", "held again"],
    [`${discharged}; CUS:HOLD 20; CUS:VOID 21`, "discharged"],
    [`${discharged}; CUSI NLRTM 20 modeless`, "customs_hold"],
    [`${discharged}; CUSS NLRTM 20 modeless`, "customs_hold"],
    [`${discharged}; CUSI NLRTM 20 modeless; CUSR NLRTM 21 modeless`, "discharged"],
    [`${discharged}; CUSS NLRTM 20 modeless; CUSR NLRTM 21 modeless`, "discharged"],
    [`${discharged}; CUS:HOLD 10`, "customs_hold", "at sea"],
    [`CUS:HOLD 2; ${discharged}`, "discharged", "on the export"],
    [`${onTrain}; CUS:HOLD 20`, "in_transit"],
  );
});

test("a box is delivered out of the gate, at the consignee's, and when it is stripped or dropped", () => {
  for (const end of [
    "GTOT NLRTM/POTE 22 truck",
    "GTOT NLRTM/POTE 22 modeless unsaid",
    "GTOT NLRTM/POTE 22 truck empty",
    "PICK NLRTM/POTE 22 truck",
    "DROP NLRTM/CLOC 22 truck",
    "ARRI DEMUC/CLOC 22 truck",
    "STRP NLRTM/COFS 22 truck empty",
  ])
    assertStatus([`${discharged}; ${end}`, "delivered"]);
});

test("a delivered box is back when it is seen empty in the carrier's hands", () => {
  for (const back of [
    "GTIN NLRTM/DEPO 22 empty",
    "GTIN NLRTM/DEPO 22 unsaid",
    "GTIN NLRTM/DEPO 22",
    "DROP DEDUI/INTE 22 truck empty",
    "GTOT NLRTM/DEPO 22 empty",
    "LOAD NLRTM/POTE 22 empty",
  ])
    assertStatus([`@21 ${delivered} | @23 + ${back}`, "returned_empty"]);
  assertStatus([`${delivered}; PICK DEMUC/CLOC 22 truck empty`, "delivered", "still to come"]);
});

test("a barge takes a box to its vessel and on from it, and sets out on no sailing leg", () => {
  const toShip = "LOAD CNWUH 1 barge; DISC CNSHA 3 barge; LOAD CNSHA 5 HERON";
  const byBarge = `${discharged}; LOAD NLRTM 20 barge`;
  assertStatus(
    [toShip, "pre_departure"],
    [byBarge, "in_transit"],
    [`${byBarge}; DISC~ DEDUI 24 barge; GTIN DEDUI 22 barge`, "available"],
  );
  const left = box(`${toShip}; DEPA CNSHA 6 HERON`).milestones;
  assert.deepEqual(
    left.map(({ type, place }) => `${type} ${place?.unlocode}`),
    ["vessel_departed CNSHA"],
  );
});

test("an indicator that calls a box at sea empty is a slip", () =>
  assertStatus(
    [`${berthed}; DISC NLRTM 19 HERON empty`, "discharged"],
    ["LOAD CNTAO 1 HERON empty", "pre_departure"],
  ));
