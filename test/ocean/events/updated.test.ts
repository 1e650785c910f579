/** `shipment_updated` names what has changed, and nothing that an answer only left out, or wrote otherwise. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent, Place } from "../../../src/products/ocean/sources/carrier-event.ts";
import { inLines, looksOf } from "../in-lines.ts";
import { pollThrough } from "../life.ts";
import { place } from "../records.ts";

const IMO = {
  IMO: { vessel: { name: "HERON", imo: "9074729" } },
  OTHER: { vessel: { name: "HERON", imo: "9321483" } },
};
const { answers, looks } = inLines({ words: IMO });

const gateIn = "GTIN CNTAO 1";
const plan = (vessel: string): string => `${gateIn}; DEPA~ CNTAO 10 ${vessel}; ARRI~ NLRTM 30 ${vessel}`;
const [heron, tern, unnamed] = ["HERON", "TERN", "vessel"].map(plan) as [string, string, string];

/** The fields named at the last of the answers. */
const changedIn = (shown: readonly string[]): string => / updated\((.*)\)/.exec(shown.at(-1)!)?.[1] ?? "";
const inTurn = (told: readonly string[]): string => told.map((one, nth) => `@2.${nth} ${one}`).join(" | ");

test("spec 2.4: shipment_updated: what returns is compared with the last one known, however often it was left out, or written otherwise", () => {
  for (const [fields, ...told] of [
    ["", heron, gateIn, heron],
    ["", heron, gateIn, gateIn, heron],
    ["vessel", heron, gateIn, tern],
    ["vessel", heron, unnamed, tern, unnamed, heron],
    ["", heron, plan("IMO")],
    ["", plan("IMO"), heron],
    ["", heron, plan("He-ron")],
    ["vessel", plan("IMO"), plan("OTHER")],
  ] as const)
    assert.equal(changedIn(looks(inTurn(told))), fields, inTurn(told));
});

/** The answers, their vessel bound for ports in turn. */
function boundFor(told: string, ...ports: readonly Place[]) {
  return answers(told).map(([atMs, stated], nth) => {
    const isThere = (one: CarrierEvent): boolean => one.place?.unlocode === "NLRTM";
    return [atMs, stated.map((one) => (isThere(one) ? { ...one, place: ports[nth]! } : one))] as const;
  });
}

test("spec 2.4: shipment_updated: a port of discharge without a UN/LOCODE changes by its name, and is arrived at", () => {
  const [piraeus, limassol] = ["PIRAEUS", "LIMASSOL"].map((name) => ({ ...place(""), unlocode: null, name }));
  for (const [fields, ...ports] of [
    ["", piraeus!, piraeus!],
    ["discharge", piraeus!, limassol!],
    ["", { ...piraeus!, unlocode: "GRPIR" }, piraeus!],
  ] as const)
    assert.equal(changedIn(looksOf(pollThrough(boundFor(inTurn([heron, heron]), ...ports)))), fields);
  const first = boundFor(inTurn([gateIn, heron]), piraeus!, piraeus!);
  assert.equal(changedIn(looksOf(pollThrough(first))), "eta,vessel,discharge");
  const sailed = `${gateIn}; DEPA CNTAO 2 HERON`;
  const arrives = `@3 ${sailed}; ARRI~ NLRTM 28 HERON | @29 ${sailed}; ARRI NLRTM 28 HERON`;
  assert.equal(pollThrough(boundFor(arrives, piraeus!, piraeus!)).at(-1)?.record.eta?.actual, true);
});
