/**
 * A poller of containers as a process of its own, for the tests that kill it: the store, the engine and the poller
 * of a real service, with their real timers, under a time of day that its parent sets. What it takes is in its
 * first argument (`PollerOptions`).
 *
 *     { call, atMs }       → { call, answer: "set" } once it is that time of day
 *     { call, stop: true } → finishes running polls, leaves and ends
 */
import { Agent } from "undici";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { POLLER_DEFAULTS } from "../../src/freight/polling/poller.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { startEngine } from "../../src/engine/start.ts";
import type { Carrier } from "../../src/products/ocean/sources/carriers.ts";
import type { Tariff } from "../../src/products/ocean/demurrage/tariff.ts";
import { createCarrierClient } from "../../src/products/ocean/sources/carrier-client.ts";
import { createPoller } from "../../src/products/ocean/sources/poll-shipment.ts";
import { POLL_SCHEDULE_DEFAULTS } from "../../src/products/ocean/sources/poll-schedule.ts";
import { createHttpPort } from "../../src/freight/upstream/http.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { jsonLog } from "../../src/runtime/log.ts";
import { startSystemClock } from "../../src/runtime/system-clock.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { openStore } from "../../src/store/open.ts";

export type PollerOptions = {
  readonly dataFolder: string;
  readonly carriers: readonly Carrier[];
  readonly tariffs: readonly Tariff[];
  /** The time of day, until another is set. */
  readonly atMs: number;
  /** By the time of day. */
  readonly leaseMs: number;
};

export type PollerCall = { readonly atMs: number };

/** Between two looks for what is due, by the real time. */
const IDLE_MS = 4;

/** Nothing that was raised is to be pruned before the test has read it. */
const HISTORY_MS = 3_650 * 24 * 3_600_000;

const options = JSON.parse(process.argv[2]!) as PollerOptions;
const { carriers } = options;
const log = jsonLog("warn");
const system = startSystemClock(log);
let { atMs } = options;
const clock: Clock = { ...system, nowMs: () => atMs };
const random = systemRandom();
const store = await openStore({
  databaseUrl: null,
  dataFolder: options.dataFolder,
  cells: 1,
  connectionsMax: 8,
  connectTimeoutMs: 2_000,
  clock,
  log,
});
const { database, cells } = store;
const engine = await startEngine(
  { ...DEFAULT_ENGINE_SETTINGS, historyMs: HISTORY_MS },
  {
    database,
    cells,
    clock,
    random,
    log,
    masterKeys: [Buffer.alloc(32)],
    send: () => {
      throw new Error("there is no endpoint to send to");
    },
    headerTag: (product) => product,
    pingData: "{}",
    delivers: false,
  },
);
const agent = new Agent({ allowH2: false });
const poller = createPoller(
  {
    database,
    index: createReferenceIndex({ database, cells, clock }),
    carriers,
    client: createCarrierClient({ carriers, http: createHttpPort(agent, clock), clock, random }),
    tariffs: () => options.tariffs,
    raiseWithin: engine.raiseWithin,
    check: createEventDataCheck(products),
    clock,
    random,
    log,
    loops: createLoopMonitor(clock, log),
    polling: POLL_SCHEDULE_DEFAULTS,
  },
  cells,
  { ...POLLER_DEFAULTS, idleMs: IDLE_MS, leaseMs: options.leaseMs },
);
poller.start();

async function stop(): Promise<void> {
  await poller.stop();
  await agent.destroy();
  await engine.stop();
  await store.close();
  process.exit(0);
}

process.on("message", (message: { readonly call: number } & (PollerCall | { readonly stop: true })) => {
  if ("stop" in message) return void stop();
  ({ atMs } = message);
  process.send!({ call: message.call, answer: "set" });
});
process.on("disconnect", () => void stop());
process.send!("ready");
