/** An import is ingested beside what a record has of its carrier, as if the carrier had answered again. */
import assert from "node:assert/strict";
import { test, afterEach, beforeEach, describe } from "node:test";
import { createHash } from "node:crypto";

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
import { upsertImportedMilestones } from "../../../src/products/ocean/store/imported-milestones.ts";
import { START_MS } from "../../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { column } from "../../support/columns.ts";
import { importedMilestonePrune } from "../../../src/products/ocean/store/imported-milestones.sql.ts";

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
      assert.deepEqual(column(again.boxes, "timeline"), column(before.boxes, "timeline"));
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

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type StoredRow = {
  readonly reference: string;
  readonly written: string;
  readonly withdrawn: boolean;
  readonly stated: number;
  readonly received: number;
};

describe("rows of an import", () => {
  let stored: TestDatabase;
  beforeEach(async () => {
    stored = await createTestDatabase();
  });
  afterEach(() => stored.drop());

  const cell = () => stored.cells.at(-1)!;
  const row = (reference: string, statedAtMs = START_MS, withdrawn = false) => {
    const statement = JSON.stringify({ code: "GTIN" });
    const digest = createHash("sha256").update(statement).digest("hex");
    return { reference, digest, statement, statedAtMs, withdrawn };
  };
  const A = "HRNU4000017";
  const B = "HRNU4000022";
  const NEW = "HRNU4000038";
  const digest = row(A).digest;

  const keep = async (atMs: number, ...rows: readonly ReturnType<typeof row>[]) => [
    ...(await upsertImportedMilestones(stored.database, cell(), rows, atMs)),
  ];
  /** By reference, the transaction that wrote its row last, and what the row says. */
  const rows = async (): Promise<readonly StoredRow[]> => {
    const found = await stored.queryIn(
      cell(),
      `select reference, xmin::text as written, withdrawn, extract(epoch from stated_at)::float8 * 1000 as stated,
        extract(epoch from received_at)::float8 * 1000 as received from cell.imported_milestones order by reference`,
    );
    return found.rows as StoredRow[];
  };

  test("a row that is known as it comes is not written again, but once a day, so that it is kept", async () => {
    assert.deepEqual(await keep(START_MS, row(A), row(B)), [digest]);
    const first = await rows();
    assert.deepEqual(await keep(START_MS + 23 * HOUR_MS, row(A), row(B), row(NEW)), [digest]);
    const again = await rows();
    assert.deepEqual([again[0], again[1]], first, "nothing of what is known was touched");
    assert.equal(again.length, 3);
    assert.deepEqual(await keep(START_MS + 25 * HOUR_MS, row(A)), []);
    const [kept, other] = await rows();
    assert.equal(other!.written, first[1]!.written);
    assert.equal(kept!.received, START_MS + 25 * HOUR_MS);
    await importedMilestonePrune(stored.database, cell(), { before: START_MS + DAY_MS, limit: 100 });
    assert.deepEqual(column(await rows(), "reference"), [A]);
  });

  test("what is stated later or taken back is written, and what is stated earlier is not", async () => {
    await keep(START_MS, row(A), row(B));
    const before = await rows();
    await keep(START_MS + HOUR_MS, row(A, START_MS - HOUR_MS, true), row(B, START_MS, true));
    const [a, b] = await rows();
    assert.deepEqual(a, before[0]);
    assert.deepEqual([b!.withdrawn, b!.stated], [true, START_MS]);
    await keep(START_MS + 2 * HOUR_MS, row(A, START_MS + HOUR_MS));
    assert.equal((await rows())[0]!.stated, START_MS + HOUR_MS);
    await keep(START_MS + 26 * HOUR_MS, row(A, START_MS, true));
    const [late] = await rows();
    assert.deepEqual(
      [late!.stated, late!.withdrawn, late!.received],
      [START_MS + HOUR_MS, false, START_MS + 26 * HOUR_MS],
      "kept for longer, as before",
    );
  });
});
