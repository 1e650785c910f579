/**
 * One node that forwards the outbox, as a process of its own, for the tests that kill it. What it takes is in its first
 * argument. With `hangs` it stops between the two commits: it writes a line once a message is applied in its cell, and
 * never deletes it.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { products } from "../../src/products/index.ts";
import { jsonLog } from "../../src/runtime/log.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { startSystemClock } from "../../src/runtime/system-clock.ts";
import { messageHandlers } from "../../src/service/outbox.ts";
import { cellsNamed, directoryOf, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { createForwarder, FORWARDER_DEFAULTS } from "../../src/store/outbox/forwarder.ts";
import type { MessageHandlers } from "../../src/store/outbox/outbox.ts";

export type ForwardingOptions = {
  /** Of the directory with cell 0, and of cell 1. */
  readonly addresses: readonly [DatabaseAddress, DatabaseAddress];
  readonly hangs: boolean;
  readonly leaseMs: number;
};

const { addresses, hangs, leaseMs } = JSON.parse(process.argv[2]!) as ForwardingOptions;
const log = jsonLog("info");
const clock = startSystemClock(log);
const cells = cellsNamed(SCHEMA_PREFIX, 2);
const database = openDatabaseOn(
  fixedHomes((schema) => addresses[schema === cells[1]?.schema ? 1 : 0]),
  {
    sessionName: `boathook forwarding ${process.pid}`,
    connectionsMax: 4,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  },
);
const handlers = await messageHandlers(products, () => undefined);
const hanging: MessageHandlers = Object.fromEntries(
  Object.entries(handlers).map(([kind, apply]) => [
    kind,
    async (...given) => {
      await apply(...given);
      process.stdout.write("applied\n");
      await sleep(3_600_000);
    },
  ]),
);
createForwarder(
  { database, source: directoryOf(cells[0]), cells, clock, log, loops: createLoopMonitor(clock, log) },
  hangs ? hanging : handlers,
  { ...FORWARDER_DEFAULTS, intervalMs: 50, messagesMax: 5, leaseMs },
).start();
