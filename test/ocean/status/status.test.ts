/** Which status the statements of one answer show (spec 2.4: container_status). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";

const { assertStatus, box, polled } = inLines({ madeOn: 1 });

const loaded = "GTIN CNTAO 1; LOAD CNTAO 2 HERON";
const sailed = `${loaded}; DEPA CNTAO 3 HERON`;
const berthed = `${sailed}; ARRI NLRTM 20 HERON`;
const discharged = `${berthed}; DISC NLRTM 21 HERON`;
/** By a carrier that states no loadings. */
const unloaded = discharged.replace("LOAD CNTAO 2 HERON; ", "");

/** From where the box is said to have sailed. */
function departuresOf(line: string): readonly (string | null | undefined)[] {
  return box(line).milestones.flatMap(({ type, place }) =>
    type === "vessel_departed" ? [place?.unlocode] : [],
  );
}

test("spec 2.4: container_status: a direct voyage goes from pre_departure to discharged", () => {
  assertStatus(
    ["", "unknown"],
    ["DEPA? CNTAO 3", "pre_departure"],
    [loaded, "pre_departure"],
    [sailed, "in_transit"],
    [berthed, "at_berth"],
    [discharged, "discharged"],
  );
});

test("a box is arriving when its vessel is less than 48 hours from its last port", () => {
  const eta = "ARRI? NLRTM 20";
  assertStatus(
    [`@18 ${sailed}; ${eta}`, "in_transit"],
    [`@18.13 ${sailed}; ${eta}`, "arriving"],
    [`@19 ${loaded}; ${eta}`, "arriving", "its departure is neither reported nor planned"],
    [`@19 ${loaded}; DEPA? CNTAO 19; ${eta}`, "pre_departure"],
    [`@19 ${loaded}; ${eta}; BKG:CANC 6`, "cancelled"],
    [`@19 ${sailed}; ${eta}; DEPA? NLRTM 22; ARRI? PLGDN 24`, "in_transit", "another leg is to come"],
  );
});

test("a discharge is a transshipment while a vessel is to carry the box on", () => {
  assertStatus(
    [`${discharged}; ARRI? PLGDN 26`, "at_transshipment"],
    [`${discharged}; LOAD? NLRTM 24 TERN`, "at_transshipment"],
    [`${discharged}; DEPA? NLRTM 22 HERON`, "discharged"],
  );
});

test("the vessel that leaves a transshipment without the box sets out on no leg of it", () => {
  const left = `${unloaded}; ARRI? PLGDN 26; DEPA NLRTM 22 HERON`;
  const onward = `${left}; DEPA NLRTM 24 TERN`;
  assertStatus([left, "at_transshipment"], [`@24 ${onward}`, "in_transit"]);
  assert.deepEqual([departuresOf(left), departuresOf(`@24 ${onward}`)], [["CNTAO"], ["CNTAO", "NLRTM"]]);
});

test("the vessel that brought the box takes it on if it is to be loaded on it, or comes on its next voyage", () => {
  const waiting = `${unloaded}; LOAD? NLRTM 26 HERON; ARRI? SEGOT 30 HERON`;
  const off = `@27 GTIN CNTAO 1; DEPA CNTAO 3 HERON; DISC NLRTM 12 HERON #014W; ARRI? PLGDN 30`;
  assertStatus(
    [waiting, "at_transshipment"],
    [`${waiting}; DEPA NLRTM 27 HERON`, "in_transit"],
    [`${off}; DEPA NLRTM 26 HERON #016W`, "in_transit"],
    [`${off}; DEPA NLRTM 13 HERON #015E`, "at_transshipment"],
    [`${off}; DEPA NLRTM 26 HERON #014W`, "at_transshipment"],
  );
});

test("spec 6.3: vessel_departed: an intermediate call begins no leg, and another vessel's departure from the berth does", () => {
  const call = `${sailed}; ARRI SGSIN 9; DEPA SGSIN 10`;
  const onward = `${berthed}; DEPA NLRTM 22 TERN`;
  assertStatus([call, "in_transit"], [onward, "in_transit"]);
  assert.deepEqual([departuresOf(call), departuresOf(onward)], [["CNTAO"], ["CNTAO", "NLRTM"]]);
});

test("the vessel that comes for the box brings it nowhere", () => {
  assertStatus(["GTIN CNCKG 1 rail; ARRI CNTAO 2; DEPA? CNTAO 3", "pre_departure"]);
});

test("steps that the carrier does not report are implied by the next one", () => {
  const takenOff = `${loaded}; GTOT CNTAO 3`;
  assertStatus(
    [`${loaded}; ARRI NLRTM 20`, "at_berth"],
    [`${berthed}; GTOT NLRTM 22`, "delivered"],
    ["DISC NLRTM 21", "discharged"],
    [`${loaded}; GTOT NLRTM 22`, "delivered"],
    [takenOff, "pre_departure"],
    [`${takenOff}; GTIN CNSHA 4`, "pre_departure"],
    [`${discharged}; ARRI DEMUC 24 rail; GTOT? DEMUC 27`, "in_transit"],
    [`${discharged}; GTIN DEMUC 24 rail; GTOT? DEMUC 27`, "available"],
  );
});

test("spec 6.3: container_available: by its release and not by its discharge", () => {
  assertStatus(
    [`${discharged}; CUS:RELS 22`, "discharged"],
    [`${discharged}; SRM:RELS 22`, "available"],
    [`${discharged}; CUS:HOLD 22.9; SRM:RELS 22`, "customs_hold"],
  );
});

test("released cargo that goes on by rail is available where its journey ends, not at the port", () => {
  const released = `${discharged}; SRM:RELS 22; DISC? DEMUC 26 rail`;
  const onTrain = `${released}; LOAD NLRTM 23 rail`;
  const offTrain = `${onTrain}; GTIN DEDUI 24 rail; DISC DEMUC 27 rail`;
  assertStatus(
    [released, "discharged"],
    [onTrain, "in_transit"],
    [`${onTrain}; GTIN DEDUI 24 rail`, "in_transit"],
    [offTrain, "available"],
  );
});

test("spec 6.3: container_delivered: out of the gate by truck where the journey ends", () => {
  const onRoad = `${discharged}; GTOT NLRTM 23; GTIN DEMUC 26 truck`;
  assertStatus(
    [`${discharged}; GTOT NLRTM 23`, "delivered"],
    [`${discharged}; GTOT NLRTM 23 rail`, "in_transit"],
    [`${discharged}; GTOT NLRTM 23; GTOT? DEMUC 26 truck`, "in_transit"],
    ["GTIN CNTAO 1; GTOT CNTAO 1.15", "pre_departure"],
    [`@28 ${onRoad}`, "available", "by truck from terminal to terminal, though no plan says so"],
    [`${onRoad}; GTOT DEMUC 27`, "delivered"],
    [`${discharged}; GTOT NLRTM 23; ARRI DEMUC/CLOC 26 truck`, "delivered", "at the consignee's own place"],
  );
});

test("plans that never came true are not waited for, and late moves of the port just left move nothing", () => {
  assertStatus(
    [`${discharged}; DEPA? SGSIN 10 TERN; GTOT NLRTM 23`, "delivered", "a transshipment"],
    [`DEPA~ CNSHA 1.6; ${discharged}`, "discharged", "an origin that was changed"],
    [`${sailed}; GTIN CNTAO 4`, "in_transit"],
    [`${sailed}; LOAD CNTAO 4`, "in_transit"],
  );
});

test("spec 2.4: end_values: the empty return outranks delivery, also at a depot without an empty indicator", () => {
  assertStatus(
    [`${discharged}; GTOT NLRTM 23; GTIN NLRTM 25 empty`, "returned_empty"],
    [`${discharged}; GTIN NLRTM 25 empty`, "returned_empty"],
    [`${discharged}; GTIN NLRTM/DEPO 25 unsaid`, "returned_empty"],
  );
});

test("a voided booking is cancelled until it is confirmed again, and never once the box has sailed", () => {
  assertStatus(
    ["BKG:VOID 2", "cancelled"],
    ["BKG:VOID 2; BKG:CONF 4", "pre_departure"],
    [`${sailed}; BKG:VOID 5`, "in_transit"],
  );
});

test("gates alone, of a carrier that reports no vessel, show where the journey ends", () => {
  const before = "GTOT CNTAO -40 empty; GTIN CNTAO -38";
  for (const [gates, status, ...told] of [
    ["GTOT NLRTM -6", "delivered", "vessel_departed", "container_delivered"],
    ["GTOT NLRTM -6; GTIN NLRTM -3 empty", "returned_empty", "vessel_departed", "container_delivered"],
    ["GTIN NLRTM -3 empty", "returned_empty", "container_delivered"],
    ["GTOT CNSHA -6", "pre_departure"],
  ] as const) {
    const [, there] = polled(`@-37 ${before} | @0 + ${gates}`);
    const types = there!.raised.map(({ type }) => type).filter((type) => type !== "shipment_updated");
    assert.deepEqual([there!.record.status, ...types], [status, ...told], gates);
  }
});
