/** Which cells are asked for a reference, and what holds while one of them is gone. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { beforeEach, describe, test } from "node:test";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { verifyOld } from "../../src/freight/reference-index/reindex.ts";
import { vesselKey } from "../../src/freight/reference-index/store/reference-index.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { createCarrierCallbacks } from "../../src/products/ocean/sources/callback.ts";
import { stopTracking } from "../../src/products/ocean/tracking/track.ts";
import { cellOfKey } from "../../src/store/cell-of-key.ts";
import type { Cell } from "../../src/store/cell.ts";
import { HERON } from "../ocean/shipping-lines.ts";
import { CELLS, useScene } from "./scene.ts";

/** Container numbers that fall to the first and to the second of two cells. */
const [IN_FIRST, IN_SECOND] = ["OOLU7654320", "CSQU3054383"] as const;
const DAY_MS = 86_400_000;
const [first, second] = CELLS as readonly [Cell, Cell];

describe("the reference index", () => {
  const scene = useScene();

  const entries = async (cell: Cell) =>
    (await scene.stored.queryIn(cell, "select reference, tracked_in from cell.reference_index order by 1, 2"))
      .rows as { reference: string; tracked_in: number }[];

  // spec 4.2: public_lookup
  test("a lookup asks the cell that the number falls to, and the one that tracks it", async () => {
    await scene.reindex();
    await scene.track(second, IN_FIRST);
    await scene.track(second, IN_SECOND);
    for (const [reference, asked] of [
      [IN_FIRST, ["0", "1"]],
      [IN_SECOND, ["1", "1"]],
      ["APZU3456781", [`${cellOfKey("APZU3456781", 2)}`]],
    ] as const) {
      scene.asked.length = 0;
      assert.equal(await scene.lookUp(reference), asked.length === 2 ? "found" : "unknown");
      assert.deepEqual(scene.asked, asked, reference);
    }
  });

  test("shipments of before are found at once, by asking all cells, and by the index once it is complete", async () => {
    await scene.track(second, IN_FIRST);
    await scene.stored.queryIn(first, "delete from cell.reference_index");
    assert.equal(await scene.lookUp(IN_FIRST), "found");
    await scene.reindex();
    assert.deepEqual(await entries(first), [{ reference: IN_FIRST, tracked_in: 1 }]);
    scene.asked.length = 0;
    assert.equal(await scene.lookUp(IN_FIRST), "found");
    assert.deepEqual(scene.asked, ["0", "1"]);
  });

  test("a number is found while the cell that it falls to is gone, and tracked without it", async () => {
    await scene.reindex();
    await scene.track(first, IN_SECOND);
    scene.gone = second;
    assert.equal(await scene.lookUp(IN_SECOND), "found");
    await scene.stored.queryIn(second, "delete from cell.reference_index");
    await scene.track(first, "HRNU4000017");
    assert.equal(cellOfKey("HRNU4000017", 2), 1);
    scene.gone = null;
    await scene.index.refresh();
    assert.equal(await scene.lookUp("HRNU4000017"), "found");
    assert.deepEqual(await entries(second), []);
    await scene.reindex();
    assert.deepEqual((await entries(second)).length, 2);
  });

  test("an entry that is missed while the cells are read through keeps the part incomplete", async () => {
    await scene.reindex();
    scene.gone = second;
    await scene.track(first, "HRNU4000017");
    await assert.rejects(scene.reindex(), StoreUnavailable);
    scene.gone = null;
    await scene.index.refresh();
    scene.asked.length = 0;
    assert.equal(await scene.lookUp("HRNU4000017"), "found");
    assert.deepEqual(scene.asked.toSorted(), ["0", "1"]);
  });

  test("what a node left out is indexed after the next start of one, or the next day", async () => {
    await scene.reindex();
    await scene.track(first, IN_SECOND);
    await scene.stored.queryIn(second, "delete from cell.reference_index");
    await scene.reindex();
    assert.equal((await entries(second)).length, 0);
    await scene.reindex(scene.clock.nowMs());
    assert.equal((await entries(second)).length, 1);
  });

  test("a number that only a cell that is gone may know is unavailable, not unknown", async () => {
    await scene.track(second, IN_FIRST);
    await scene.reindex();
    await scene.track(first, "MSCU1234566");
    scene.gone = second;
    await assert.rejects(scene.lookUp(IN_FIRST), StoreUnavailable);
    assert.equal(await scene.lookUp("MSCU1234566"), "found");
  });

  test("a cell that hangs is passed by after a second", async () => {
    await scene.reindex();
    await scene.track(first, IN_SECOND);
    scene.hung = second;
    const startedMs = scene.clock.monotonicMs();
    let found: string | null = null;
    void scene.lookUp(IN_SECOND).then((kind) => (found = kind));
    await scene.clock.until(() => found !== null, "the lookup ends");
    assert.equal(found, "found");
    assert.ok(scene.clock.monotonicMs() - startedMs <= 3_100);
  });

  test("a new cell takes its share a minute after it is listed, and misses nothing", async () => {
    await scene.reindex();
    const { clock, stored } = scene;
    const move = `update ${first.directory}.cells set joined_at = $1, misses = misses_indexed + 1 where number = 1`;
    const joinMs = clock.nowMs() + 60_000;
    await stored.queryIn(first, move, [new Date(joinMs)]);
    await scene.index.refresh();
    assert.equal(scene.index.cellOf(IN_SECOND), first);
    assert.deepEqual(scene.index.cellsSince(IN_SECOND, clock.nowMs()), [first, second]);
    await scene.track(first, IN_SECOND);
    assert.equal((await entries(first)).length, 1);
    assert.equal((await entries(second)).length, 1);
    await stored.queryIn(second, "delete from cell.reference_index");
    await clock.advance(60_000);
    assert.equal(scene.index.cellOf(IN_SECOND), second);
    assert.equal(await scene.lookUp(IN_SECOND), "found");
    await scene.reindex();
    assert.deepEqual(await entries(second), [{ reference: IN_SECOND, tracked_in: 0 }]);
    assert.equal(await scene.lookUp(IN_SECOND), "found");
  });

  test("a node that does not know the new cell finds what it can, and stores nothing elsewhere", async () => {
    await scene.reindex();
    const index = createReferenceIndex({ ...scene, cells: [first] });
    await index.refresh();
    assert.throws(() => index.cellOf(IN_SECOND), StoreUnavailable);
    assert.deepEqual(await index.cellsOf("tracking", [IN_SECOND]), [first]);
    await index.add(first, "tracking", [IN_SECOND]);
    await scene.index.refresh();
    assert.deepEqual(await scene.index.cellsOf("tracking", [IN_SECOND]), [first, second]);
  });

  test("entries that no shipment has any longer go, and those of others stay", async () => {
    await scene.reindex();
    const kept = await scene.track(first, IN_FIRST);
    const ended = await scene.track(first, IN_SECOND);
    const sql = "update cell.shipments set transport_documents = $2, vessels = $3 where id = $1";
    await scene.stored.queryIn(first, sql, [kept, ["HRN0040001"], ["9321483"]]);
    await scene.index.add(first, "tracking", ["HRN0040001", vesselKey("9321483"), vesselKey("9000001")]);
    const { rows } = await scene.stored.queryIn(
      first,
      "select account_id as id from cell.shipments where id = $1",
      [ended],
    );
    await stopTracking(scene.ports, first, (rows[0] as { id: string }).id, ended);
    await scene.clock.advance(31 * DAY_MS);
    // Added again since, by another node.
    const other = createReferenceIndex(scene);
    await other.refresh();
    await other.add(first, "tracking", ["MSCU1234566"]);
    for (const part of [first, second]) await verifyOld(scene, part, () => false);
    const left = [...(await entries(first)), ...(await entries(second))].map(({ reference }) => reference);
    assert.deepEqual(
      left.toSorted(),
      ["HRN0040001", vesselKey("9321483"), "MSCU1234566", IN_FIRST].toSorted(),
    );
  });
});

const SECRET = Buffer.alloc(32, 7).toString("base64");

describe("callbacks of carriers to several cells", () => {
  const scene = useScene();
  beforeEach(() => scene.reindex());

  async function push(events: readonly object[]) {
    const carriers = [{ ...HERON, callbackSecrets: [SECRET] }];
    const callbacks = createCarrierCallbacks({ ...scene.ports, carriers });
    const body = Buffer.from(JSON.stringify(events));
    const hex = createHmac("sha256", Buffer.from(SECRET, "base64")).update(body).digest("hex");
    scene.asked.length = 0;
    return callbacks.handle("HRNL", `sha256=${hex}`, body);
  }

  const gateOut = (equipmentReference: string) => ({
    eventType: "EQUIPMENT",
    eventClassifierCode: "ACT",
    equipmentEventTypeCode: "GTOT",
    eventDateTime: "2026-11-02T10:00:00Z",
    equipmentReference,
  });

  test("a callback asks only the cells that its references fall to, and that track them", async () => {
    await scene.track(first, IN_FIRST);
    assert.deepEqual(await push([gateOut(IN_FIRST)]), { kind: "accepted", due: 1 });
    assert.deepEqual(scene.asked, ["0", "0"]);
  });

  test("one about a cell that is gone is to come again, and counts in the others", async () => {
    await scene.track(first, IN_FIRST);
    await scene.track(second, IN_SECOND);
    scene.gone = second;
    await assert.rejects(push([gateOut(IN_FIRST), gateOut(IN_SECOND)]), StoreUnavailable);
    const due = "select from cell.polls where next_poll_at < '1970-01-02'";
    assert.equal((await scene.stored.queryIn(first, due)).rowCount, 1);
    scene.gone = null;
    assert.deepEqual(await push([gateOut(IN_SECOND)]), { kind: "accepted", due: 1 });
  });
});
