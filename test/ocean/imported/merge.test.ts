/** An import is ingested beside what a record has of its carrier, as if the carrier had answered again. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import {
  carrierEvents,
  importedEvents,
  withImports,
} from "../../../src/products/ocean/sources/imported/merge.ts";
import { event, march } from "../event.ts";
import { statementsOf, TRACKED, UNARMED } from "../life.ts";

const recordings = await readRecordings(JOURNEYS_FOLDER);

function record(
  events: readonly CarrierEvent[],
  previous: ShipmentRecord | null,
  nowMs: number,
): ShipmentRecord {
  return nextRecord(
    { carrier: "HRNL", identifierType: null, events, freeDays: [] },
    previous,
    UNARMED,
    nowMs,
  );
}

test("what a record has of its carrier stands for the answer: ingesting nothing changes and raises nothing", () => {
  let compared = 0;
  for (const recording of recordings) {
    const statements = statementsOf(recording);
    const actual = statements.filter(({ classifier }) => classifier === "actual").map(({ at }) => at.ms);
    for (const nowMs of new Set(actual)) {
      const stated = statements.filter(({ classifier, at }) => classifier !== "actual" || at.ms <= nowMs);
      const answered = record(stated, null, nowMs);
      const before = changesBetween(TRACKED, null, answered, UNARMED, nowMs).record;
      const again = record(carrierEvents(before), before, nowMs);
      const changes = changesBetween(TRACKED, before, again, UNARMED, nowMs);
      assert.deepEqual(
        changes.events,
        [],
        `${JSON.stringify(recording.references)} ${new Date(nowMs).toISOString()}`,
      );
      assert.equal(again.status, before.status);
      assert.deepEqual(
        again.boxes.map(({ timeline }) => timeline),
        before.boxes.map(({ timeline }) => timeline),
      );
      compared += 1;
    }
  }
  assert.ok(compared > 50, String(compared));
});

const CONTAINER = { reference: "CSQU3054383", identifierType: "container_id", carrier: "HRNL" };
const BILL = { reference: "HRNL4000017", identifierType: "bill_of_lading", carrier: "HRNL" };
const imported = (more: Partial<CarrierEvent> = {}, carrier: string | null = null) => ({
  event: event("LOAD", "NLRTM", march(2), { source: "sheet", ...more }),
  carrier,
  withdrawn: false,
});
const bill = (value: string) => ({ documents: [{ type: "TRD", value }] });

test("a statement concerns a container by its number, a bill by its documents and its carrier", () => {
  for (const [shipment, statement, concerns] of [
    [CONTAINER, imported(), true],
    [CONTAINER, imported({ equipment: "HRNU4000017" }), false],
    [CONTAINER, imported({ equipment: null }), true],
    [BILL, imported(), true],
    [BILL, imported(bill("HRNL4000017")), true],
    [BILL, imported(bill("4000017")), true],
    [BILL, imported(bill("HRNL4000018")), false],
    [BILL, imported({}, "TRNC"), false],
    [BILL, imported({}, "HRNL"), true],
  ] as const)
    assert.equal(
      importedEvents(shipment, [statement], null).length,
      Number(concerns),
      JSON.stringify(statement),
    );
});

test("of an event that both state, a carrier's statement without a time counts, else the latest stated", () => {
  const own = event("LOAD", "NLRTM", march(2, 13), { createdAtMs: null });
  const other = event("LOAD", "NLRTM", march(2), { source: "sheet" });
  assert.deepEqual(withImports([own], [other]), [own]);
  const dated = { ...own, createdAtMs: march(1) };
  assert.deepEqual(withImports([dated], [other]), [dated, other]);
  const merged = record(withImports([dated], [other]), null, march(5));
  assert.deepEqual(
    merged.boxes[0]!.timeline.map(({ source, at }) => [source, at.ms]),
    [["sheet", march(2)]],
  );
  const planned = { ...other, classifier: "estimated" as const };
  assert.deepEqual(withImports([own], [planned]), [own, planned], "the timeline prefers what happened");
  const far = { ...other, at: { ...other.at, ms: march(9) } };
  assert.deepEqual(withImports([own], [far]), [own, far], "another loading, a week later");
  const onOtherBox = { ...other, equipment: "HRNU4000017" };
  assert.deepEqual(withImports([own], [onOtherBox]), [own, onOtherBox]);
});
