/** The entries of the guide that come from public documents, on servers that answer as the documents say. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { AIRLINE_CHECK } from "../../../src/products/air/check/airline-check.ts";
import { readAirlines } from "../../../src/products/air/sources/airlines/airlines-file.ts";
import type { MappedSource } from "../../../src/products/air/sources/airlines/airline-schema.ts";
import { describeTrusting } from "../../support/trusting.ts";
import { secretOf } from "../../source-check/given.ts";
import { check, withSource } from "../../source-check/replayed.ts";
import { CASES, NOW_MS, type Case } from "./cases.ts";
import { shown } from "./documented.ts";

const caseOf = (name: string): Case => CASES.find((one) => one.name === name)!;

/** The source as it is shown, on our server, with the client's key. */
function shownSource(start: string, url: string, key: string): MappedSource {
  const source = shown(new RegExp(`^\\{\\s+"kind":"mapped",\\s*"url":"${start}`)) as MappedSource;
  const { origin } = new URL(source.url.replaceAll(/[{}]/g, ""));
  const text = JSON.stringify({ ...source, url: source.url.replace(origin, url) });
  return JSON.parse(text.replaceAll("YOUR-KEY", key)) as MappedSource;
}

/** What differs between the guide's examples. */
const EXAMPLES = [
  {
    one: caseOf("LH"),
    start: "https://api.lufthansa-cargo.com",
    need: "apiKey",
    facts: ["FRA", "JFK", 12, 340.5, "LH8160", "In transit"],
    events: [
      ["RCS", "FRA", "2026-10-30T10:25:00.000Z"],
      ["DEP", "FRA", "2026-10-31T12:41:00.000Z"],
    ],
    planned: 2,
    raised: ["awb_accepted", "awb_in_transit"],
  },
  {
    one: caseOf("CARGOAI"),
    start: "https://air-cargo-co2",
    need: "rapidApiKey",
    facts: ["DOH", "AMS", 3, 96, "QR8115", "In transit"],
    events: [
      ["RCS", "DOH", "2026-10-29T12:30:00.000Z"],
      ["BKD", "DOH", "2026-10-29T23:10:00.000Z"],
      ["DEP", "DOH", "2026-10-29T23:31:00.000Z"],
    ],
    planned: 1,
    raised: ["awb_accepted", "awb_in_transit"],
  },
] as const;

describeTrusting("an example of the guide", () => {
  for (const { one, start, need, facts, events, planned, raised } of EXAMPLES) {
    const { documented, name } = one;
    const { named, awb } = documented;
    const airline = { name: "Guide", iata: named["airline"]!, prefixes: [awb.slice(0, 3)] };

    test(`${name}: the source that is shown reads the answer that is shown`, async () => {
      await withSource(documented, async ({ url, asked }) => {
        const sources = [shownSource(start, url, secretOf(need))];
        assert.equal(readAirlines(JSON.stringify([{ ...airline, sources }])).kind, "entries");
        const { passed, outcome, steps } = await check(
          AIRLINE_CHECK,
          { ...airline, sources },
          { awb },
          { nowMs: NOW_MS },
        );
        assert.equal(passed, true, JSON.stringify(steps));
        const { waybill } = outcome!;
        const { origin, destination, pieces, weight_kg, flight_number, status } = waybill;
        assert.deepEqual([origin, destination, pieces, weight_kg, flight_number, status], facts);
        assert.deepEqual(
          waybill.events.map(({ code, station, at }) => [code, station, at]),
          events,
        );
        assert.deepEqual([outcome!.planned, outcome!.skipped], [planned, []]);
        assert.deepEqual(
          outcome!.raised.map(({ type }) => type),
          raised,
        );
        assert.equal(asked.length, 1);
      });
    });

    test(`${name}: the catalogue's entry is what the guide shows`, () => {
      const key = "YOUR-KEY";
      const read = readAirlines(JSON.stringify([{ ...named, [need]: key }]));
      assert.ok(read.kind === "entries", JSON.stringify(read));
      assert.deepEqual(read.entries[0]?.sources, [
        shown(new RegExp(`^\\{\\s+"kind":"mapped",\\s*"url":"${start}`)),
      ]);
    });
  }
});
