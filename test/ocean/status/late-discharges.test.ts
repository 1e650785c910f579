/** A box aboard a vessel at a hub, whose discharge is reported late. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march } from "../event.ts";
import { pollThrough } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9000001" }, voyage: "012E" };
const egret = { vessel: { name: "EGRET BAY", imo: "9000002" }, voyage: "044E" };
const tern = { vessel: { name: "TERN SOLSTICE", imo: "9000003" }, voyage: "007W" };

function plan(code: string, atMs: number): CarrierEvent {
  return event(code, "SGSIN", atMs, { ...egret, classifier: "planned", createdAtMs: march(9) });
}

function last(stated: readonly CarrierEvent[]): string | undefined {
  return pollThrough([[march(10), stated]])[0]?.record.status;
}

test("a vessel leaves a hub without a box whose discharge is not reported yet and whose plan has it leave later", () => {
  const berthed = [
    event("LOAD", "CNTAO", march(2), heron),
    event("DEPA", "CNTAO", march(3), heron),
    event("ARRI", "SGSIN", march(8), heron),
  ];
  const left = event("DEPA", "SGSIN", march(9), tern);
  assert.equal(last([...berthed, left]), "in_transit", "it has changed vessels");
  const next = plan("DEPA", march(16));
  assert.equal(last([...berthed, left, next]), "at_berth");
  const loads = plan("LOAD", march(15));
  assert.equal(last([...berthed, left, loads]), "at_berth");
  assert.equal(
    last([...berthed, left, loads, next, event("DISC", "SGSIN", march(8, 20), heron)]),
    "at_transshipment",
  );
});
