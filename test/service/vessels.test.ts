/** What vessels report, as a process sets it up by its settings. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { Registry } from "prom-client";

import { ingestReports } from "../../src/products/ocean/sources/ais/vessel-reports.ts";
import { startVessels, type VesselPorts } from "../../src/products/ocean/vessels.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cells } from "../../src/store/cell.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

const FEED = { url: "https://ais.example/{imo}", fields: { status: "status", at: "at" } };
const IMO = "9074729";

describe("the vessels of a process", () => {
  let stored: TestDatabase;
  before(async () => {
    stored = await createTestDatabase();
  });
  after(() => stored.drop());

  const ports = (): VesselPorts & { readonly clock: ReturnType<typeof manualClock> } => ({
    database: stored.database,
    cells: stored.cells as Cells,
    http: async () => ({ kind: "failed", reason: "connection" }),
    clock: manualClock(),
    random: { ...systemRandom(), fraction: () => 0.5 },
    log: silentLog,
    loops: unwatchedLoops,
    registry: new Registry(),
  });

  test("reports are known some seconds after any node ingests them, even without a feed, and counted", async () => {
    const own = ports();
    const vessels = await startVessels(null, true, own);
    const reports = [{ imo: IMO, status: 5, seenAtMs: own.clock.nowMs() }];
    await ingestReports(stored.database, stored.cells[0]!, reports, own.clock.nowMs());
    assert.equal(vessels.vesselReportOf(IMO), null);
    await own.clock.advance(10_000);
    assert.deepEqual(vessels.vesselReportOf(`IMO ${IMO}`), { status: 5, seenMs: reports[0]!.seenAtMs });
    assert.match(await own.registry.metrics(), /^boathook_vessel_reports 1$/m);
    await own.clock.advance(6 * 3_600_000);
    assert.equal(vessels.vesselReportOf(IMO), null, "six hours old");
    await vessels.stop();
    assert.equal(own.clock.pending(), 0);
  });

  test("with a feed the metrics report its breaker, and a process that does not poll sends no requests", async () => {
    const own = ports();
    const vessels = await startVessels(FEED, true, own);
    assert.match(await own.registry.metrics(), /^boathook_ais_breaker_open 0$/m);
    await vessels.stop();
    const other = ports();
    const idle = await startVessels(FEED, false, other);
    assert.equal(other.clock.pending(), 0);
    assert.equal(idle.vesselReportOf(IMO), null);
  });
});
