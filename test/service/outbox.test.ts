/** What the metrics say of messages that wait for a cell. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import { systemRandom } from "../../src/runtime/system-random.ts";
import { openForwarder } from "../../src/service/outbox.ts";
import { createMergedMetrics } from "../../src/service/workers/merged-metrics.ts";
import { directoryOf, type Cells } from "../../src/store/cell.ts";
import { writeMessages } from "../../src/store/outbox/outbox.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

test("the metrics show how many messages wait for a cell, since when, and the tries that failed", async () => {
  const { database, cells: all, drop } = await createTestDatabase({ cells: 2 });
  const cells = all as Cells;
  const [clock, registry] = [manualClock(), new Registry()];
  const broken = async () => ({ broken: () => Promise.reject(new Error("a bug")) });
  const node = { database, cells, clock, random: systemRandom(), log: silentLog, loops: unwatchedLoops };
  const forwarder = await openForwarder(
    node,
    [directoryOf(cells[0])],
    [{ messages: broken }],
    () => undefined,
    registry,
  );
  const write = (kind: string, payloads: readonly string[]) =>
    database.transaction((tx) =>
      writeMessages(tx, directoryOf(cells[0]), [cells[1]!], kind, payloads, clock.nowMs()),
    );
  const shownIn = (text: string) =>
    [...text.matchAll(/^boathook_outbox_(\w+)\{cell="(\d)"\} (\d+)$/gm)].map(
      ([, name, cell, value]) => `${name} ${cell}: ${value}`,
    );
  const shown = async () => shownIn(await registry.metrics());

  await write("of a newer build", ["a"]);
  await clock.advance(90_000);
  await write("broken", ["b"]);
  const waiting = [
    ...["messages 0: 0", "messages 1: 2", "oldest_seconds 0: 0", "oldest_seconds 1: 90"],
    ...["behind_bytes 0: 0", "behind_bytes 1: 1024"],
  ];
  assert.deepEqual(await shown(), waiting);
  // Two workers of one service report the same.
  const merged = createMergedMetrics();
  for (const worker of [1, 2]) merged.report(worker, await registry.getMetricsAsJSON());
  assert.deepEqual(shownIn(await merged.text([])), waiting);
  forwarder.start();
  await clock.atOnce(async () => (await shown()).includes("failures_total 1: 1"), "the try is counted");
  await forwarder.stop();
  await drop();
});
