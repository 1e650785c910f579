/** A node that lacks the key of endpoints which another node registered. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createMetrics } from "../../src/service/metrics.ts";
import { watchKeys } from "../../src/service/lacking-keys.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { addEndpoint } from "../cli/add-endpoint.ts";
import { openShell } from "../cli/shell.ts";
import { manualClock } from "../support/clock.ts";
import { silentLog } from "../support/log.ts";

test("a node says of which endpoints it lacks the master key, by its readiness and a metric, and takes it back", async (t) => {
  const boathook = await openShell(t);
  const account = await boathook.json("accounts", "create", "Acme");
  const [own, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  await addEndpoint(boathook, account.id, own);
  const clock = manualClock();
  const { registry } = createMetrics({ version: "1" }, clock);
  const { cells, database } = boathook.test;
  const loops = createLoopMonitor(clock, silentLog);
  const keys = watchKeys(registry, { database, cells, masterKeys: [own], clock, loops });
  t.after(() => keys.stop());
  const metric = async () => /^boathook_unopened_endpoints (\d+)$/m.exec(await registry.metrics())?.[1];
  const counted = (wanted: string) =>
    clock.until(async () => (await metric()) === wanted, `the metric says ${wanted}`);
  keys.start();
  await counted("0");
  assert.deepEqual(keys.trouble(), {});

  const { id } = await addEndpoint(boathook, account.id, other);
  await counted("1");
  assert.match(keys.trouble()["master keys"]!, /lacks the master key of 1 endpoints/);
  for (const cell of cells)
    await boathook.test.queryIn(cell, "delete from cell.endpoints where id = $1", [id]);
  await counted("0");
});
