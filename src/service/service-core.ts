/** What every process has, whatever its roles: the store, the engine and the sender. */
import packageJson from "../../package.json" with { type: "json" };
import type { Engine } from "../engine/engine.ts";
import { DEFAULT_ENGINE_SETTINGS, degradedOpenMaxOf, type EngineSettings } from "../engine/settings.ts";
import { startEngine } from "../engine/start.ts";
import { createWakes } from "../freight/work/wakes.ts";
import type { ProductManifest } from "../products/manifest.ts";
import { PING_DATA } from "../model/ping.ts";
import { DAY_MS } from "../runtime/durations.ts";
import type { CleanupStack } from "../runtime/cleanup.ts";
import type { Settings } from "../runtime/settings.ts";
import { createDirectoryFeed } from "../store/accounts/directory-feed.ts";
import type { NodeContext } from "../store/node-context.ts";
import { createCellHealth, exposeCellHealth } from "./cell-health.ts";
import { watchDatabase } from "./database-health.ts";
import { createMetrics, exposeInvariantMetrics } from "./metrics.ts";
import type { ConfigFiles } from "./config-files.ts";
import { exposeQueueMetrics } from "./queue-metrics.ts";
import { openOutbound } from "./outbound.ts";
import { masterKeysOf, openServiceStore, requireMasterKeys } from "./store.ts";

export type CorePorts = Pick<NodeContext, "clock" | "random" | "log"> & {
  /** Of the processes that report as one, one counts the queue. */
  readonly isCountingQueue?: () => boolean;
};

/** Pushes what it opens; rejects as `startService` does. `checks` say what keeps the process from serving. */
export async function openServiceCore(
  settings: Settings,
  products: readonly ProductManifest[],
  authorities: ConfigFiles["authorities"],
  { clock, random, log, isCountingQueue }: CorePorts,
  opened: CleanupStack,
) {
  const metrics = createMetrics(packageJson.version, clock);
  const { registry } = metrics;
  const health = watchDatabase(registry, clock, log);
  const store = await openServiceStore(settings, clock, log, { products, watch: health.watch });
  opened.push(() => store.close());
  const { database, cells, productCells } = store;
  const masterKeys = masterKeysOf(settings, random);
  await requireMasterKeys(database, cells, masterKeys, log);
  const engineSettings = engineSettingsOf(settings);
  const openMax = engineSettings.openMax + engineSettings.degradedOpenMax;
  const { sender, checkUrl } = openOutbound(settings, authorities, openMax, clock);
  opened.push(() => sender.close());

  const headerTags = new Map(products.map(({ tag, headerTag }) => [tag, headerTag]));
  const wakes = createWakes();
  const feed = createDirectoryFeed({ database, cells, clock, log });
  const running = await startEngine(engineSettings, {
    database,
    cells,
    feed,
    clock,
    random,
    log,
    masterKeys,
    send: sender.send,
    // Endpoints of products that this build does not know still get their deliveries.
    headerTag: (product) => headerTags.get(product) ?? product,
    pingData: PING_DATA,
    delivers: settings.roles.includes("deliver"),
    onAttempt: metrics.onAttempt,
    onWork: wakes.emit,
  });
  opened.push(() => running.stop());
  metrics.exposeGauges(() => ({ ...running.gauges(), connections: sender.connectionCount() }));
  exposeQueueMetrics(registry, database, cells, clock, isCountingQueue);
  exposeInvariantMetrics(registry, running.brokenInvariants);
  const cellHealth = createCellHealth({
    database,
    cells,
    productCells: productCells.all,
    clock,
    illInEngine: running.illCells,
    refusal: health.refusal,
  });
  exposeCellHealth(registry, cellHealth);
  const checks = { database: cellHealth.noneWell, engine: running.unhealthyReason };
  const engine: Engine = metrics.instrument(running);
  return {
    database,
    cells,
    productCells,
    masterKeys,
    feed,
    engine,
    checkUrl,
    registry,
    checks,
    cellHealth,
    onWork: wakes.onWork,
    loops: running.loops,
    refreshHomes: () => store.refreshHomes(running.addCell),
  };
}

function engineSettingsOf(settings: Settings): EngineSettings {
  const { attemptsMax, retryWaitsMs: waitsMs, disableAfterFailures } = settings;
  return {
    ...DEFAULT_ENGINE_SETTINGS,
    retry: { attemptsMax, waitsMs, disableAfterFailures },
    attemptTimeoutMs: settings.attemptTimeoutMs,
    sweepIntervalMs: settings.sweepIntervalMs,
    openMax: settings.openMax,
    degradedOpenMax: degradedOpenMaxOf(settings.openMax),
    openPerEndpointMax: settings.openPerEndpointMax,
    memoryDeliveriesMax: settings.memoryDeliveriesMax,
    historyMs: settings.historyDays * DAY_MS,
    parkedMs: settings.parkedMs,
    drainMs: settings.drainMs,
  };
}
