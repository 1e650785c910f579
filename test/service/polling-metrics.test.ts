import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import { startTracking } from "../../src/products/ocean/tracking/track.ts";
import { createPollingMetrics } from "../../src/freight/polling/polling-metrics.ts";
import { claimDuePolls } from "../../src/freight/polling/store/polls.ts";
import { openHarbour } from "../ocean/harbour.ts";

test("metrics tell what looks came to, what waits too long for its turn, and which carriers are left alone", async (t) => {
  const harbour = await openHarbour();
  t.after(() => harbour.stored.drop());
  const { ports, cell, clock, stored } = harbour;
  const registry = new Registry();
  let down = "";
  let isAway = false;
  const { watch } = createPollingMetrics({
    registry,
    database: {
      ...stored.database,
      rows: (statement, parameters) =>
        isAway ? Promise.reject(new Error("away")) : stored.database.rows(statement, parameters),
    },
    cells: stored.cells,
    clock,
  });
  const count = watch([
    { source: "", carrier: "unknown", isBreakerOpen: null },
    ...["HRNL", "TRNC"].map((scac) => ({ source: scac, carrier: scac, isBreakerOpen: () => scac === down })),
  ]);
  const lines = async (name: string) =>
    (await registry.metrics()).split("\n").filter((line) => line.startsWith(`${name}{`));

  count("HRNL", "changed");
  count("HRNL", "changed");
  count("", "not_found");
  assert.deepEqual(await lines("boathook_polls_total"), [
    'boathook_polls_total{carrier="HRNL",outcome="changed"} 2',
    'boathook_polls_total{carrier="unknown",outcome="not_found"} 1',
  ]);

  down = "TRNC";
  assert.deepEqual(await lines("boathook_carrier_breaker_open"), [
    'boathook_carrier_breaker_open{carrier="HRNL"} 0',
    'boathook_carrier_breaker_open{carrier="TRNC"} 1',
  ]);

  await startTracking(ports, cell, { accountId: await harbour.account(), reference: "HRNU4000017" });
  await clock.advance(90_000);
  const backlog = () => lines("boathook_poll_backlog_seconds");
  assert.deepEqual(await backlog(), [
    'boathook_poll_backlog_seconds{carrier="unknown"} 90',
    'boathook_poll_backlog_seconds{carrier="HRNL"} 0',
    'boathook_poll_backlog_seconds{carrier="TRNC"} 0',
  ]);
  isAway = true;
  assert.deepEqual(await backlog(), [], "nothing rather than what was");
  isAway = false;
  await claimDuePolls(ports.database, cell, [{ source: "", limit: 1 }], clock.nowMs(), 60_000);
  assert.equal((await backlog())[0], 'boathook_poll_backlog_seconds{carrier="unknown"} 0');
});
