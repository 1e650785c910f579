/** One departure from Yokohama, as it is read from whatever a carrier writes, and what reads it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import fc from "fast-check";

import { DCSA_SPELLING } from "../../../src/freight/dcsa/spelling.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { parseAnswer } from "../../../src/products/ocean/sources/dcsa/parse.ts";
import { sharedPath } from "../../support/shared.ts";

export const departed = (more: Partial<CarrierEvent> = {}): CarrierEvent => ({
  ...{ kind: "transport", code: "DEPA", classifier: "actual" },
  at: { ms: Date.UTC(2026, 2, 10, 10, 24), offsetMinutes: 540, local: "2026-03-10T19:24:00" },
  createdAtMs: Date.UTC(2026, 2, 10, 10, 50),
  place: { unlocode: "JPYOK", name: null, facility: "YOKMC", facilityType: "POTE" },
  ...{ mode: "vessel", vessel: { name: "HERON DAWN", imo: "1200017" }, voyage: "014E" },
  ...{ equipment: null, laden: null, documentType: null, documents: [{ type: "BKG", value: "HRN0040001" }] },
  ...more,
});

/** In the common spelling. */
export const parse = (answer: unknown, spelling = DCSA_SPELLING) => parseAnswer(answer, spelling);

/** Of an answer that is read whole. */
export function eventsOf(answer: unknown, spelling = DCSA_SPELLING): readonly CarrierEvent[] {
  const parsed = parse(answer, spelling);
  assert.deepEqual(parsed?.skipped, []);
  return parsed?.events ?? [];
}

/** The event with any of its parts replaced by any JSON, or left out. */
export function broken(whole: object): fc.Arbitrary<object> {
  const parts = Object.entries(whole).map(([key, value]) => [
    key,
    fc.oneof(fc.jsonValue(), fc.constant<unknown>(value)),
  ]);
  return fc.record(Object.fromEntries(parts) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] });
}

const folder = sharedPath("samples/ocean/dcsa");
const skip = folder === null ? "DCSA's sample messages are not on this machine" : false;

/** DCSA's sample messages: how many events of each are used, and how many are skipped. */
export function testSamples(
  samples: Readonly<Record<string, readonly [used: number, skipped: number]>>,
): void {
  for (const [file, [used, skipped]] of Object.entries(samples))
    test(`DCSA's sample ${file} is read as far as it can be`, { skip }, () => {
      const parsed = parse(JSON.parse(readFileSync(`${folder}/${file}.json`, "utf8")));
      assert.deepEqual([parsed?.events.length, parsed?.skipped.length], [used, skipped]);
      if (skipped === 0)
        for (const { place, kind } of parsed!.events) assert.ok(kind === "shipment" || place?.unlocode);
    });
}
