/** What every process has, whatever its roles: the store, the engine and the sender. */
import type { Engine } from "../engine/engine.ts";
import { DEFAULT_ENGINE_SETTINGS, degradedOpenMaxOf, type EngineSettings } from "../engine/settings.ts";
import { startEngine } from "../engine/start.ts";
import { createWakes } from "../freight/work/wakes.ts";
import type { ProductManifest } from "../products/manifest.ts";
import { PING_DATA } from "../model/ping.ts";
import { createReferenceReader } from "../model/references.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { nameOfBuild, thisBuild } from "../runtime/build.ts";
import { hostName, openFilesMax } from "../runtime/host.ts";
import type { CleanupStack } from "../runtime/cleanup.ts";
import type { Settings } from "../runtime/settings.ts";
import { createAccountCells } from "../store/accounts/account-cells.ts";
import { createDirectoryFeed } from "../store/accounts/directory-feed.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { StoreOptions } from "../store/open.ts";
import { createCellHealth, exposeCellHealth } from "./cell-health.ts";
import { watchDatabase } from "./database-health.ts";
import { createMetrics, exposeInvariantMetrics } from "./metrics.ts";
import type { ConfigFiles } from "./config-files.ts";
import { exposeQueueMetrics } from "./queue-metrics.ts";
import { openMasterKeys, openServiceStore, requireMasterKeys } from "./store.ts";
import { openTraces } from "./traces/open-traces.ts";
import { addressPolicy } from "../engine/send/address.ts";
import { createSender, type Sender, type SenderOptions } from "../engine/send/attempt.ts";
import { checkTargetUrl } from "../engine/send/target-url.ts";
import type { UrlVerdict } from "../http/ports.ts";
import type { Clock } from "../runtime/clock.ts";
import { ownAddresses } from "../runtime/own-addresses.ts";
import { systemDnsLookup } from "../runtime/system-dns-lookup.ts";

export type CorePorts = Pick<NodeContext, "clock" | "random" | "log"> & {
  /** Begun by the caller, who stops it after the service. */
  readonly embedded?: StoreOptions["embedded"];
  /** Takes what `log` leaves out (`withoutFaults`). */
  readonly faultLog: NodeContext["log"];
  /** Of the processes that report as one, one counts the queue. */
  readonly isCountingQueue?: () => boolean;
  /** In place of the one that connects to endpoints. */
  readonly openSender?: ((options: SenderOptions) => Sender) | undefined;
};

/** Pushes what it opens; rejects as `startService` does. `checks` say what keeps the process from serving. */
export async function openServiceCore(
  settings: Settings,
  products: readonly ProductManifest[],
  authorities: ConfigFiles["authorities"],
  { clock, random, log, faultLog, isCountingQueue, embedded, openSender = createSender }: CorePorts,
  opened: CleanupStack,
) {
  const tags = products.map(({ tag }) => tag);
  const metrics = createMetrics(infoOf(settings), clock, tags);
  const { registry } = metrics;
  const traces = await openTraces(settings, { clock, random, log, registry }, opened);
  const health = watchDatabase(registry, clock, faultLog);
  const store = await openServiceStore(settings, clock, log, {
    products,
    watch: health.watch,
    embedded,
  });
  opened.push(() => store.close());
  const { database, cells, productCells } = store;
  const masterKeys = await openMasterKeys(settings, database, cells, random);
  await requireMasterKeys(database, cells, masterKeys, log);
  const engineSettings = engineSettingsOf(settings);
  const openMax = engineSettings.openMax + engineSettings.degradedOpenMax;
  const { sender, checkUrl } = openOutbound(settings, authorities, openMax, {
    clock,
    openSender,
  });
  opened.push(() => sender.close());

  const headerTags = new Map(products.map(({ tag, headerTag }) => [tag, headerTag]));
  const wakes = createWakes();
  const reports = createWakes();
  const on = { database, cells, clock };
  const feed = createDirectoryFeed({ ...on, log });
  const accountCells = createAccountCells(on);
  await accountCells.refresh();
  const running = await startEngine(engineSettings, {
    ...on,
    accountCells,
    random,
    log,
    masterKeys,
    about: { build: nameOfBuild(thisBuild()), host: hostName(), roles: settings.roles.join() },
    send: sender.send,
    // Endpoints of products that this build does not know still get their deliveries.
    headerTag: (product) => headerTags.get(product) ?? product,
    pingData: PING_DATA,
    referencesOf: createReferenceReader(products),
    delivers: settings.roles.includes("deliver"),
    ...metrics.counts,
    traces: traces.ofDeliveries,
    onWork: wakes.emit,
    unreported: products.flatMap(({ tag, isReporting }) => (isReporting === true ? [tag] : [])),
    onReported: reports.emit,
  });
  opened.push(() => running.stop());
  metrics.exposeGauges(() => ({ ...running.gauges(), connections: sender.connectionCount() }));
  exposeQueueMetrics({ ...on, isCounting: isCountingQueue, registry });
  exposeInvariantMetrics(registry, running.brokenInvariants);
  const cellHealth = createCellHealth({
    ...on,
    productCells: productCells.all,
    illInEngine: running.illCells,
    refusal: health.refusal,
  });
  exposeCellHealth(registry, cellHealth, feed);
  return {
    database,
    cells,
    productCells,
    masterKeys,
    feed,
    engine: traces.instrument(metrics.instrument<Engine>(running)),
    traceRequests: traces.ofRequests,
    checkUrl,
    prepareSending: sender.prepare,
    registry,
    checks: { database: cellHealth.noneWell, engine: running.unhealthyReason },
    cellHealth,
    onWork: wakes.onWork,
    reports,
    loops: running.loops,
    refreshHomes: async () => {
      await store.refreshHomes(running.addCell);
      await accountCells.refresh();
    },
  };
}

/** The labels of `boathook_info`. */
function infoOf({ roles }: Settings): Readonly<Record<string, string>> {
  const { version, commit } = thisBuild();
  return { version, commit: commit ?? "", host: hostName(), roles: roles.join() };
}

function engineSettingsOf(settings: Settings): EngineSettings {
  const { attemptsMax, retryWaitsMs: waitsMs, disableAfterFailures, disableAfterMs } = settings;
  return {
    ...DEFAULT_ENGINE_SETTINGS,
    retry: { attemptsMax, waitsMs, disableAfterFailures, disableAfterMs },
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

/** Connections with open requests and idle ones: at most this, and a quarter of the descriptors. */
const CONNECTIONS_MAX = 4_000;

/** `openMax`: attempts at once. `authorities` are trusted in addition to the usual ones. */
function openOutbound(
  settings: Settings,
  authorities: readonly string[] | null,
  openMax: number,
  { clock, openSender }: { readonly clock: Clock; readonly openSender: typeof createSender },
) {
  const policy = addressPolicy(settings.allowPrivateTargets, {
    denied: settings.denyTargets,
    own: ownAddresses(clock),
  });
  const sender = openSender({
    clock,
    policy,
    dnsLookup: systemDnsLookup(),
    timeoutMs: settings.attemptTimeoutMs,
    // Endpoints of many accounts may share a host: an attempt that waits for another's connection could time out unsent.
    connectionsPerOriginMax: openMax,
    connectionsMax: Math.max(Math.min(CONNECTIONS_MAX, Math.floor(openFilesMax() / 4)), 2 * openMax),
    ...(authorities === null ? {} : { extraCa: authorities }),
  });
  return { sender, checkUrl: (url: string): UrlVerdict => checkTargetUrl(url, policy) };
}
