import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import fc from "fast-check";

import { readRecord } from "../../../src/products/air/sources/one-record/read.ts";
import { runToEnd } from "../../../src/runtime/time-slices.ts";
import { sharedPath } from "../../support/shared.ts";
import { AWB, logisticsEvent, read, RECEIVED } from "./logistics-event.ts";
import { forAll } from "../../support/runs.ts";

const waybill = {
  "@id": "https://1r.example.com/logistics-objects/w1",
  "@type": "cargo:Waybill",
  "cargo:waybillPrefix": 176,
  "cargo:waybillNumber": "12345675",
  "cargo:departureLocation": { "cargo:locationCodes": { "cargo:code": "DXB" } },
  "cargo:arrivalLocation": { "cargo:locationCodes": { "cargo:code": "FRA" } },
  "cargo:shipment": { "@id": "https://1r.example.com/logistics-objects/s1" },
};

test("facts of the waybill are read, and facts of another are not", () => {
  const shipment = {
    "@id": "https://1r.example.com/logistics-objects/s1",
    "@type": "cargo:Shipment",
    "cargo:pieces": [{ "@id": "p1" }, { "@id": "p2" }],
    "cargo:totalGrossWeight": { "cargo:numericalValue": { "@value": "120.5" }, "cargo:unit": "KGM" },
  };
  const both = read({ "@graph": [waybill, shipment] });
  assert.deepEqual(both.statement, {
    awb: AWB,
    origin: "DXB",
    destination: "FRA",
    pieces: 2,
    weightKg: 120.5,
    events: [],
  });
  assert.deepEqual(both.shipments, ["https://1r.example.com/logistics-objects/s1"]);
  const other = read({ ...waybill, "cargo:waybillNumber": "12345686" });
  assert.deepEqual([other.isOtherWaybill, other.statement.origin, other.shipments], [true, null, []]);
  assert.equal(read({ ...waybill, "cargo:waybillNumber": 17_612_345_675 }).isOtherWaybill, false);
});

test("an unusable event is skipped with its reason, and the others count", () => {
  const bad = [
    [{ "cargo:eventCode": [] }, "eventCode missing"],
    [{ "cargo:eventCode": "XYZ" }, "eventCode XYZ is no status"],
    [{ "cargo:eventDate": "yesterday" }, "eventDate is no date-time"],
    [{ "cargo:eventDate": "2026-02-30T10:00:00Z" }, "eventDate is no date-time"],
    [{ "cargo:eventDate": "0001-01-01T00:00:00Z" }, "eventDate is no date-time"],
    [{ "cargo:eventTimeType": "cargo:SOME_DAY" }, "eventTimeType is not known"],
  ] as const;
  const list = [logisticsEvent(), ...bad.map(([fields]) => logisticsEvent(fields)), logisticsEvent()];
  const { statement, skipped } = read({ "@type": "api:Collection", "api:hasItem": list });
  assert.equal(statement.events.length, 2);
  assert.deepEqual(
    skipped,
    bad.map(([, reason], index) => ({ index: index + 1, reason })),
  );
});

test("no JSON makes reading throw", () => {
  for (const value of [null, 1, "text", true, undefined])
    assert.equal(runToEnd(readRecord(value, AWB)), null);
  let deep: unknown = logisticsEvent();
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  assert.deepEqual(read(deep).statement.events, []);
  const NAMES = ["@id", "@type", "@value", "cargo:eventCode", "cargo:eventDate", "eventLocation"];
  const names = fc.constantFrom(...NAMES);
  const leaf = fc.constantFrom(null, 0, true, "", "DEP", "cargo:LogisticsEvent", "2026-01-01", "#", "\ud800");
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.dictionary(names, tie("tree"), { maxKeys: 4 }),
      fc.array(tie("tree"), { maxLength: 3 }),
    ),
  }));
  forAll(100, tree, (value) => {
    const { statement } = read({ "@graph": [value, logisticsEvent()] });
    assert.deepEqual(statement.events.at(-1), RECEIVED);
  });
});

const samples = sharedPath("samples/air/one-record");

test(
  "the samples of the standard are read",
  { skip: samples === null ? "the standard's samples are not beside the project" : false },
  () => {
    const codes = (name: string): readonly string[] => {
      const { statement, skipped } = read(JSON.parse(readFileSync(`${samples}/${name}.json`, "utf8")));
      assert.deepEqual(skipped, [], name);
      for (const { timeIs, at } of statement.events) {
        assert.deepEqual([timeIs, at?.ms], ["actual", Date.UTC(2023, 3, 1, 10, 38, 1)], name);
      }
      return statement.events.map(({ code }) => code);
    };
    assert.deepEqual(codes("LogisticsEvent"), ["DEP"]);
    assert.deepEqual(codes("LogisticsEvent_with_id"), ["DEP"]);
    assert.deepEqual(codes("LogisticsEvents_empty_list"), []);
    assert.deepEqual(codes("LogisticsEvents_filtered_list"), ["DEP"]);
    assert.deepEqual(codes("LogisticsEvents_list"), ["DEP", "MAN"]);
    assert.deepEqual(codes("MultipleEvents_example1"), ["DEP"]);
    assert.deepEqual(codes("MultipleEvents_example2"), ["DEP"]);
    assert.deepEqual(codes("MultipleEventsResponse_example1"), []);
  },
);
