/** What goes on in the other cells while one is gone: AIS reports, and polls of air waybills. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { claimDuePolls } from "../../src/freight/polling/store/polls.ts";
import { awbOf } from "../../src/freight/references/awb.ts";
import { createReindexing } from "../../src/freight/reference-index/reindex.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { sourceQueueOf } from "../../src/products/air/air-product.ts";
import { AIR_POLL_DEFAULTS } from "../../src/products/air/polling/poll-schedule.ts";
import { createAirPollHandler } from "../../src/products/air/polling/poll-waybill.ts";
import { createAwbTracking, TRACK_DEFAULTS } from "../../src/products/air/tracking/track.ts";
import { storeMessages } from "../../src/products/air/sources/pushed-messages.ts";
import { createVesselReports, ingestReports } from "../../src/products/ocean/sources/ais/vessel-reports.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import { KITE } from "../http/air-service.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { awbIn, CELLS, useScene } from "./scene.ts";

const random = systemRandom();
const VESSEL = "9321483";
const AWB = awbIn("020", 1);
const [first, second] = CELLS as readonly [Cell, Cell];

describe("while a cell is gone", () => {
  const scene = useScene();
  beforeEach(() => scene.reindex());

  test("AIS reports reach the boxes of the others, and its own when it is back", async () => {
    const { clock, stored, database, cells } = scene;
    for (const cell of scene.cells) {
      const id = await scene.track(cell, "OOLU7654320");
      await stored.queryIn(cell, "update cell.shipments set vessels = $2 where id = $1", [id, [VESSEL]]);
    }
    const own = { database, cells, clock, log: silentLog, loops: unwatchedLoops };
    const reports = await createVesselReports(own);
    const woken = async (cell: Cell) =>
      (await stored.queryIn(cell, "select from cell.shipments where changes_at is not null")).rowCount;
    scene.gone = first;
    const anchored = { imo: VESSEL, status: 1, seenAtMs: clock.nowMs() };
    await ingestReports(database, first, [anchored], clock.nowMs());
    await clock.until(async () => (await woken(second)) === 1, "the box in the other cell is woken");
    await stored.queryIn(second, "update cell.shipments set changes_at = null");
    await clock.advance(10_000);
    scene.gone = null;
    await clock.until(async () => (await woken(first)) === 1, "the cell that was gone is notified");
    assert.equal(await woken(second), 0, "once is enough");
    await reports.stop();
  });

  test("a waybill with a record is polled without new messages, a first poll waits for them", async () => {
    const { clock, stored, index } = scene;
    const accountId = await scene.newAccount(first);
    const client = { isBreakerOpen: () => false, fetch: () => assert.fail("Kite only pushes") };
    const ports = { ...scene, random, client, airlines: [KITE], wake: () => undefined, log: silentLog };
    const track = createAwbTracking(ports, { ...TRACK_DEFAULTS, waitingMax: 0 });
    await track(first, accountId, awbOf(AWB));
    const text = `FSU/14\r\n020-${AWB.slice(3)}DXBFRA/T10K250\r\nRCF/K7045/01NOV1230/FRA/T10K250\r\n`;
    await storeMessages({ ...scene, random }, [Buffer.from(text)]);
    const queue = { source: sourceQueueOf("020"), limit: 1 };
    const [claimed] = await claimDuePolls(stored.database, first, [queue], clock.nowMs(), 60_000);
    const checked = { ok: true } as const;
    const handler = createAirPollHandler(
      { ...ports, index, check: () => checked, polling: AIR_POLL_DEFAULTS, isEntitled: async () => true },
      { batchMax: 10, gatherMs: 0 },
    );
    const claim = { cell: first, claimed: claimed!, deadlineMs: clock.monotonicMs() + 30_000 };
    scene.gone = second;
    await assert.rejects(handler.poll(claim), StoreUnavailable);
    scene.gone = null;
    const polled = await handler.poll(claim);
    assert.ok(polled.kind === "polled");
    const { record, carrier, status } = polled.update.result.state!;
    const known = "update cell.shipments set record = $2, carrier = $3, status = $4 where id = $1";
    await stored.queryIn(first, known, [claimed!.id, record, carrier, status]);
    scene.gone = second;
    const again = await handler.poll(claim);
    assert.ok(again.kind === "polled" && again.outcome === "unchanged", JSON.stringify(again));
  });

  test("the index is completed by a node at its interval, once all cells answer", async () => {
    const { clock, stored } = scene;
    const start = createReindexing({ ...scene, log: silentLog, loops: unwatchedLoops });
    scene.gone = second;
    await scene.track(first, "CSQU3054383");
    start.start();
    await clock.advance(60_000);
    scene.gone = null;
    await clock.until(async () => {
      const found = await stored.queryIn(second, "select from cell.reference_index");
      return found.rowCount === 1;
    }, "the entry that was missed is there");
    await clock.until(async () => {
      scene.asked.length = 0;
      await scene.lookUp("CSQU3054383");
      return scene.asked.filter((one) => one !== "directory").join() === "1,0";
    }, "readers trust the index again");
    await start.stop();
  });
});
