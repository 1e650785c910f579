/** Vessels that leave without the box: it was taken off again, is to be loaded on another one, or came too late. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { FLEET, inLines } from "../in-lines.ts";
import { departures, type Poll } from "../life.ts";

const UNNUMBERED = { HERRON: { vessel: { name: "HERRON DAWN", imo: null } } };
const MISSPELT = { MISSPELT: { ...FLEET["HERON"], vessel: { name: "HERRON DAWN", imo: "9000001" } } };
const UNNAMED = { UNNAMED: { vessel: null } };

const { assertStatus, assertLooks, box, polled, looks } = inLines({
  words: { ...FLEET, ...UNNUMBERED, ...MISSPELT, ...UNNAMED },
  madeOn: 1,
});

const gateIn = "GTIN CNTAO 1";
const takenOff = `${gateIn}; LOAD CNTAO 2 HERON; DISC CNTAO 4 HERON`;
const heronLeaves = "DEPA CNTAO 5 HERON";
const atHub = `${gateIn}; LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON; ARRI SGSIN 8 HERON; DISC SGSIN 8.20 HERON`;

const vesselOf = (line: string) => box(line).vessel?.name ?? null;
/** The days on which departures that were raised happened. */
const departedOn = (polls: readonly Poll[]) => departures(polls).map((at) => Number(String(at).slice(8, 10)));

test("spec 6.3: vessel_departed: a box that is taken off again does not sail with the vessel, but with its next one", () => {
  const line = `@2 ${gateIn}; LOAD CNTAO 2 HERON | @4 + DISC CNTAO 4 HERON | @5 + ${heronLeaves} | @9 + LOAD CNTAO 9 EGRET | @10 + DEPA CNTAO 10 EGRET`;
  const statuses = polled(line).map(({ record }) => record.status);
  assert.deepEqual(statuses, [...Array<string>(4).fill("pre_departure"), "in_transit"]);
  assert.deepEqual([departedOn(polled(line)), vesselOf(line)], [[10], "EGRET BAY"]);
});

test("the vessel that the box was taken off comes to its ports without the box", () =>
  assertStatus(
    [`${takenOff}; ${heronLeaves}; ARRI SGSIN 12 HERON`, "pre_departure"],
    [`${takenOff}; ARRI SGSIN 12 HERON`, "pre_departure"],
    [`${takenOff}; ${heronLeaves}; DISC SGSIN 14 EGRET`, "discharged", "it has sailed after all"],
    [`${takenOff}; LOAD CNTAO 5.20 HERON; DEPA CNTAO 6 HERON`, "in_transit", "loaded again"],
    [`${takenOff}; LOAD~ CNTAO 5.20 HERON (4); DEPA CNTAO 6 HERON`, "in_transit", "so by its plan"],
  ));

test("a vessel leaves without a box that is to be loaded on another one or on its next voyage", () => {
  for (const next of ["EGRET", "HERON #013E"]) {
    const calls = `${gateIn}; DEPA~ CNTAO 5 HERON; DEPA~ CNTAO 12 ${next} (3)`;
    assertStatus(
      [`${gateIn}; LOAD~ CNTAO 12 ${next} (3); ${heronLeaves}`, "pre_departure"],
      [`${calls}; ${heronLeaves}`, "pre_departure", "no loading stated"],
    );
    const line = `@3 ${calls} | @5 + ${heronLeaves} | @13 + LOAD CNTAO 12 ${next}; DEPA CNTAO 13 ${next}`;
    assert.deepEqual(departedOn(polled(line)), [13]);
    assert.equal(box(line).voyage, next === "EGRET" ? "044E" : "013E");
  }
  const loaded = `${gateIn}; LOAD CNTAO 4 HERON; LOAD~ CNTAO 12 EGRET`;
  assertStatus([`${loaded}; ${heronLeaves}`, "in_transit", "loaded on it after all"]);
});

test("of two vessels that leave without a word of a loading, the box is aboard of the later one", () => {
  const both = `@20 ${gateIn}; ${heronLeaves}; DEPA CNTAO 12 EGRET`;
  const unloaded = atHub.replace("LOAD CNTAO 2 HERON; ", "");
  for (const [line, name, why] of [
    [both, "EGRET BAY"],
    [`${both}; ARRI SGSIN 18 EGRET`, "EGRET BAY"],
    [`${both}; ARRI SGSIN 18 HERON`, "HERON DAWN", "she brings it"],
    [`${both}; ARRI~ SGSIN 22 HERON`, "HERON DAWN", "she is to"],
    [`${both}; ARRI HKHKG 8 HERON`, "HERON DAWN", "the box was elsewhere before"],
    [`${both}; LOAD CNTAO 4 HERON`, "HERON DAWN", "loaded on her"],
    [
      `${unloaded}; DEPA SGSIN 9 TERN; DEPA SGSIN 11 HERON`,
      "TERN SOLSTICE",
      "she that brought it leaves later",
    ],
    [`${unloaded}; DEPA SGSIN 19 HERON #014E`, "HERON DAWN", "she that brought it has come back"],
    [`${unloaded}; DEPA SGSIN 9.8 TERN; DEPA SGSIN 9.20 HERON`, "TERN SOLSTICE", "of one day: no correction"],
  ] as const) {
    assert.equal(vesselOf(line.startsWith("@") ? line : `@20 ${line}`), name, why ?? line);
  }
  const back = box(`@21 ${both.slice(4)}; DEPA CNTAO 20 HERON #014E; ARRI~ SGSIN 30 HERON`);
  assert.equal(new Date(back.sailings.at(-1)!.departedMs!).getUTCDate(), 20, "she has come back");
  const line = `@3 ${gateIn}; DEPA~ CNTAO 5 HERON | @5 ${gateIn}; ${heronLeaves}; DEPA~ CNTAO 12 EGRET (4) | ${both.replace("@20", "@12")}`;
  assert.deepEqual(departedOn(polled(line)), [12]);
});

test("a plan that names no vessel tells another sailing by its voyage", () => {
  for (const code of ["LOAD~", "DEPA~"]) {
    assertStatus(
      [`@6 ${gateIn}; ${code} CNTAO 9 UNNAMED #044E (4); ${heronLeaves}`, "pre_departure"],
      [
        `@6 ${gateIn}; ${code} CNTAO 6 UNNAMED #044E (4); ${heronLeaves}`,
        "in_transit",
        "one sailing's number",
      ],
      [`@6 ${gateIn}; ${code} CNTAO 9 UNNAMED #012E (4); ${heronLeaves}`, "in_transit", "left over"],
    );
  }
});

test("a vessel that comes back for the box under the same voyage number has left without it", () => {
  const [load, sails] = ["LOAD~ CNTAO 18 HERON (5)", "DEPA~ CNTAO 19 HERON (5)"];
  for (const again of [`${load}; ${sails}`, load, sails]) {
    assertStatus([`@6 ${gateIn}; ${heronLeaves}; ${again}`, "pre_departure"]);
  }
  assertLooks(
    `@4 ${gateIn}; DEPA~ CNTAO 5 HERON | @6 ${gateIn}; ${heronLeaves}; ${load}; ${sails} | @20 ${gateIn}; ${heronLeaves}; DEPA CNTAO 19 HERON`,
    "pre_departure",
    "pre_departure schedule_disruption",
    "in_transit vessel_departed",
  );
});

test("neither an old plan for another vessel, nor a new voyage number or name of one, holds a box back", () =>
  assertStatus(
    [
      `${gateIn}; DEPA~ CNTAO 12 EGRET; DEPA~ CNTAO 5 HERON (3); ${heronLeaves}`,
      "in_transit",
      "moved earlier",
    ],
    [`${gateIn}; LOAD~ CNTAO 5.20 HERON #012W; ${heronLeaves}`, "in_transit"],
    [`${gateIn}; DEPA~ CNTAO 5.20 HERON #013E; ${heronLeaves}`, "in_transit"],
    [`${gateIn}; LOAD CNTAO 4 MISSPELT; ${heronLeaves}`, "in_transit"],
    [`${gateIn}; LOAD CNTAO 4 HERRON; ${heronLeaves}`, "in_transit"],
  ));

test("a vessel other than the one that the box was loaded on leaves without it", () =>
  assertStatus(
    [`${gateIn}; LOAD CNTAO 4 EGRET; ${heronLeaves}`, "pre_departure"],
    [`${gateIn}; LOAD CNTAO 4 EGRET; ${heronLeaves}; DEPA CNTAO 6 EGRET`, "in_transit"],
    [
      `${gateIn}; LOAD CNTAO 4 HERON; ${heronLeaves}; LOAD CNTAO 9 EGRET`,
      "pre_departure",
      "it had been taken off, and nobody said so",
    ],
  ));

test("at a hub the vessel leaves without a box that is to be loaded on a later one, or was taken off again", () => {
  const rolled = `${atHub}; LOAD~ SGSIN 18 EGRET (11); DEPA SGSIN 12 TERN`;
  const off = `${atHub}; LOAD SGSIN 11 TERN; DISC SGSIN 12.20 TERN`;
  const left = `${off}; DEPA SGSIN 14 TERN`;
  assertStatus(
    [rolled, "at_transshipment"],
    [`${rolled}; ARRI LKCMB 16 TERN`, "at_transshipment"],
    [off, "at_transshipment"],
    [left, "at_transshipment"],
    [`${off}; DEPA SGSIN 9 HERON`, "at_transshipment"],
    [`${left}; DEPA SGSIN 19 EGRET`, "at_transshipment", "its loading would be stated, as the others were"],
    [`${left}; GTOT SGSIN 20`, "delivered", "unless it leaves by land"],
  );
  const line = `@11 ${atHub}; LOAD~ SGSIN 18 EGRET (11) | @12 ${rolled} | @19 + LOAD SGSIN 18 EGRET; DEPA SGSIN 19 EGRET`;
  assert.deepEqual(departedOn(polled(line)), [19]);
});

test("a box that is taken off a second vessel on the day of its discharge has been discharged twice", () => {
  const berthed = atHub.slice(0, atHub.lastIndexOf(";"));
  const off = `${berthed}; LOAD SGSIN 9.2 TERN; DISC SGSIN 9.6 TERN; DEPA SGSIN 9.20 TERN`;
  assertStatus(
    [off, "at_transshipment"],
    [`${off}; DISC SGSIN 8.20 HERON (10)`, "at_transshipment", "its discharge is reported late"],
  );
});

test("a vessel leaves a hub without a box whose discharge is not reported yet and whose plan has it leave later", () => {
  const left = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON; ARRI SGSIN 8 HERON; DEPA SGSIN 9 TERN";
  const [loads, next] = ["LOAD~ SGSIN 15 EGRET (9)", "DEPA~ SGSIN 16 EGRET (9)"];
  assertStatus(
    [`@10 ${left}`, "in_transit", "it has changed vessels"],
    [`@10 ${left}; ${next}`, "at_berth"],
    [`@10 ${left}; ${loads}`, "at_berth"],
    [`@10 ${left}; ${loads}; ${next}; DISC SGSIN 8.20 HERON`, "at_transshipment"],
  );
});

test("in dates, a vessel has its box aboard on the day of its departure", () => {
  const eta = "ARRI~ NLRTM 20.0 EGRET (12.0)";
  const plan = `DEPA~ SGSIN 18.0 EGRET (12.0); ${eta}`;
  const left = `${atHub}; DEPA SGSIN 12.0 TERN`;
  const loaded = `${left}; LOAD SGSIN 18.0 EGRET`;
  assert.deepEqual(
    looks(
      `@12 ${left}; ${plan} | @18 ${loaded}; ${plan} | @18.20 ${loaded}; DEPA SGSIN 18.0 EGRET; ${eta}`,
    ).slice(1),
    ["at_transshipment updated(vessel)", "arriving vessel_departed container_arrived"],
  );
});

test("the vessel that is shown before the box sails is the one that is to take it", () => {
  for (const [line, name] of [
    [`@6 ${takenOff}; ${heronLeaves}`, null],
    [`@6 ${takenOff}; DEPA~ CNTAO 12 EGRET (6)`, "EGRET BAY"],
    [`@6 ${takenOff}; ${heronLeaves}; DEPA~ CNTAO 12 EGRET (6)`, "EGRET BAY"],
    [`@6 ${takenOff}; ${heronLeaves}; LOAD~ CNTAO 12 EGRET`, "EGRET BAY"],
  ] as const)
    assert.equal(vesselOf(line), name, line);
});

test("spec 6.3: vessel_departed: a vessel leaves without the box that was not in the port yet a day later", () => {
  const gone = "DEPA CNTAO 5 HERON";
  const planned = "@2 DEPA~ CNTAO 5 HERON; ARRI~ NLRTM 30 HERON";
  for (const late of [
    "GTOT CNTAO 3 empty; GTIN CNTAO 9",
    "GTOT CNTAO 7 empty",
    "GTOT CNTAO 7 empty; GTIN CNTAO 9",
    "GTOT CNTAO 7 empty; STUF CNTAO 8; GTIN CNTAO 9",
  ]) {
    const rebooked = `${late}; ${gone}; DEPA~ CNTAO 14 EGRET (11); ARRI~ NLRTM 38 EGRET (11)`;
    const line = `${planned} | @10 ${gone}; ARRI~ NLRTM 30 HERON; ${late} | @11 ${rebooked} | @14 + GTIN CNTAO 9; LOAD CNTAO 13 EGRET; DEPA CNTAO 14 EGRET`;
    assert.deepEqual(
      looks(line)
        .slice(1, 3)
        .map((look) => look.split(" updated")[0]),
      ["pre_departure schedule_disruption", "pre_departure eta_changed"],
      late,
    );
    assert.deepEqual(departedOn(polled(line)), [14], late);
  }
  const shortly = `${planned} | @10 ${gone}; ARRI~ NLRTM 30 HERON; GTIN CNTAO 6.6`;
  assertStatus([shortly, "in_transit", "a gate reported with a time shortly after the departure"]);
});
