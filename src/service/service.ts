/**
 * A running service: what `boathook serve` starts, put together from its parts.
 *
 *     files ─▶ store, engine ─▶ products ─▶ listeners ─▶ serving ─▶ stop: the same, backwards; the operator's listener last
 *       └─ one fails: those before it close, backwards, and the caller gets the failure
 */
import { Gauge, type Registry } from "prom-client";
import { createBroadcaster } from "../freight/broadcasts/broadcaster.ts";
import { createReferenceIndex, type ReferenceIndex } from "../freight/reference-index/reference-index.ts";
import { createReindexing } from "../freight/reference-index/reindex.ts";
import type { PublicPorts } from "../http/ports.ts";
import { createPublicServer, type PublicOptions } from "../http/server.ts";
import { accountProductsRoute } from "../operator/account-products.ts";
import { createGate, type Gate } from "../operator/gate.ts";
import { createOpsServer } from "../operator/server.ts";
import type { Monitoring, OperatorPorts } from "../operator/ports.ts";
import { products as allProducts } from "../products/index.ts";
import type { ProductManifest } from "../products/manifest.ts";
import { type CleanupStack, createCleanupStack, waitAtMost } from "../runtime/cleanup.ts";
import { directoryOf } from "../store/cell.ts";
import type { NodeContext } from "../store/node-context.ts";
import { createLoopMonitor, type LoopMonitor } from "../runtime/loop-monitor.ts";
import { openFilesMax } from "../runtime/host.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { sleep } from "../runtime/sleep.ts";
import type { Settings } from "../runtime/settings.ts";
import { readConfigFiles } from "./config-files.ts";
import { withoutFaults } from "./fault-log.ts";
import { type KeyWatch, watchKeys } from "./lacking-keys.ts";
import { warnOfOpenFiles } from "./open-files.ts";
import { openForwarder } from "./outbox.ts";
import { keepHistory, sampledOf } from "./history.ts";
import { resolveOperatorToken } from "./operator-token.ts";
import { logUpstreams, startProducts } from "./products.ts";
import { countConnections, countRequests } from "./request-metrics.ts";
import { createReadiness, directoryTrouble, type Readiness } from "./readiness.ts";
import { portalLinks, portalSettings } from "./portal.ts";
import { exposeWorkers } from "./workers/worker-metrics.ts";
import { type CorePorts, openServiceCore } from "./service-core.ts";
import { failureLevel } from "../model/errors.ts";
import { createInterval, type Interval, type IntervalPorts } from "../runtime/interval.ts";
import type { Log } from "../runtime/log.ts";
import type { AddressInfo } from "node:net";
import type { Listener } from "../http/listener.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ListenAddress } from "../runtime/setting-kinds.ts";
import { StartupError } from "../runtime/startup-error.ts";

export type ServicePorts = Omit<CorePorts, "faultLog"> & {
  /** From what this process reports of itself, what the operator's listener reports of the whole service. */
  readonly asOne?: ((own: Monitoring & { readonly metrics: Registry }) => Monitoring) | undefined;
  readonly shareUses?: PublicPorts["shareUses"];
  /** The settings as the console shows them. */
  readonly described?: OperatorPorts["described"];
};

export type Service = {
  /** Null where the role `api` is another process's. */
  readonly publicUrl: string | null;
  readonly opsUrl: string;
  /** Gives notice by its readiness, takes nothing more, drains within the deadline, and closes everything. */
  stop(): Promise<void>;
};

/** The change is committed: the next read finds it. */
const CATCH_UP_MS_MAX = 1_000;

/**
 * `settings` also hold the values of the products' own. Rejects with `StartupError` or
 * `StoreUnavailable`.
 */
export async function startService(
  settings: Settings,
  ports: ServicePorts,
  products: readonly ProductManifest[] = allProducts,
): Promise<Service> {
  const opened = createCleanupStack();
  warnOfOpenFiles(settings, products, ports.log);
  try {
    return await assemble(
      settings,
      { ...ports, log: withoutFaults(ports.log), faultLog: ports.log },
      products,
      opened,
    );
  } catch (cause) {
    await opened.closeAll();
    throw cause;
  }
}

/** It stops with the rest. */
function start(one: { start(): void; stop(): Promise<void> }, opened: CleanupStack): void {
  opened.push(() => one.stop());
  one.start();
}

async function assemble(
  settings: Settings,
  ports: ServicePorts & CorePorts,
  products: readonly ProductManifest[],
  opened: CleanupStack,
): Promise<Service> {
  const { clock, random, log } = ports;
  // The operator's listener opens late and closes last: until the end, probes learn that the service stops.
  const lastly = createCleanupStack();
  opened.push(lastly.closeAll);
  const files = await readConfigFiles(settings, products);
  logUpstreams(products, files, log);
  const core = await openServiceCore(settings, products, files.authorities, ports, opened);
  const { database, cells, productCells, feed, engine, registry, onWork, reports } = core;
  const loops = createLoopMonitor(clock, log);
  opened.push(watchLoops(() => [...core.loops(), loops], { registry, clock, log }).stop);
  start(feed.follow({ loops }), opened);
  const broadcaster = createBroadcaster({ ...engine, database, clock, log, loops, onWork }, cells);
  start(broadcaster, opened);
  const keys = watchStore(core, { clock, log, loops }, opened);
  const node = { database, cells, clock, random, log, loops, parkedMs: settings.parkedMs };
  const sources = [directoryOf(cells[0]), ...productCells.all];
  const forwarder = await openForwarder(node, sources, products, broadcaster.wake, registry);
  start(forwarder, opened);
  const wakes = { wakeBroadcaster: broadcaster.wake, wakeForwarder: forwarder.wake };
  const index = await openIndex(node, opened);
  const watching = { onAnswered: countRequests(registry), traceRequests: core.traceRequests };
  const reporting = { onReported: reports.onWork, report: reports.emit };
  const context = {
    ...node,
    ...watching,
    productCells,
    ...wakes,
    onWork,
    ...reporting,
    engine,
    registry,
    index,
  };
  const routes = await startProducts(products, settings, files, context, opened);

  const own = { products, productRoutes: routes.ofProducts };
  const publicPorts = { ...core, ...context, shareUses: ports.shareUses };

  const links = portalLinks(settings, { ...node, products, masterKeys: () => core.masterKeys });
  const readiness = createReadiness(core.checks, clock);
  const gate = createGate(clock);
  const monitoring = { metrics: registry, notReady: async () => ({ checks: await readiness.reasons() }) };
  const ops = createOpsServer({
    ...context,
    historyMs: settings.historyDays * DAY_MS,
    masterKeys: core.masterKeys,
    ...(ports.asOne?.(monitoring) ?? alone(monitoring, node, opened)),
    products,
    described: ports.described,
    operatorToken: resolveOperatorToken(settings, random, log),
    opsHosts: [settings.opsListen.host, ...settings.opsHosts],
    openFilesMax: openFilesMax(),
    productRoutes: [...routes.ofOperator, { guarded: [accountProductsRoute(own, publicPorts), links.route] }],
    onPushed: routes.onPushed,
    illCells: core.cellHealth.ill,
    degraded: () => ({ ...directoryTrouble(feed), ...keys.trouble() }),
    async catchUp() {
      const sinceMs = clock.monotonicMs();
      await waitAtMost(clock, CATCH_UP_MS_MAX, feed.read());
      if (feed.readAtMs() < sinceMs) feed.forget();
    },
    gate,
  });
  opened.push(gate.close);
  lastly.push(() => closeListener(ops, clock));
  const [opsUrl, publicUrl] = await openBoth(
    () => listenOn(ops, settings.opsListen, "BOATHOOK_OPS_LISTEN"),
    () => openPublic(settings, own, publicPorts, opened),
  );
  links.listensAt(publicUrl);
  readiness.started();
  // The start does not wait for this.
  const cancel = clock.after(0, core.prepareSending);
  opened.push(async () => cancel());
  return {
    publicUrl,
    opsUrl,
    async stop() {
      await giveNotice(settings, readiness, ports);
      await end(readiness, gate, opened);
    },
  };
}

/** Where the cells live, and whether the keys open their secrets. */
function watchStore(
  core: Awaited<ReturnType<typeof openServiceCore>>,
  ports: Pick<NodeContext, "clock" | "log" | "loops">,
  opened: CleanupStack,
): KeyWatch {
  const keys = watchKeys(core.registry, { ...core, ...ports });
  start(keys, opened);
  opened.push(watchHomes(core.refreshHomes, ports).stop);
  return keys;
}

/** The only process of its service keeps the history itself, and is its one worker. */
function alone(
  monitoring: Monitoring & { readonly metrics: Registry },
  node: NodeContext,
  opened: CleanupStack,
): Monitoring {
  exposeWorkers(monitoring.metrics);
  const history = keepHistory(async () => sampledOf(monitoring.metrics), node);
  opened.push(history.stop);
  return { ...monitoring, history: async (range) => history.read(range) };
}

async function openIndex(node: NodeContext, opened: CleanupStack): Promise<ReferenceIndex> {
  const index = createReferenceIndex(node);
  await index.refresh();
  const reindexing = createReindexing({ ...node, index });
  opened.push(reindexing.stop);
  reindexing.start();
  return index;
}

/** The operator's open requests end while the public listener closes. */
async function end(readiness: Readiness, gate: Gate, opened: CleanupStack): Promise<void> {
  readiness.stopping();
  void gate.close();
  await opened.closeAll();
}

/** Not ready and serving on, until balancers have turned away. */
async function giveNotice(
  { drainNoticeMs: noticeMs }: Settings,
  readiness: Readiness,
  { clock, log }: Pick<ServicePorts, "clock" | "log">,
): Promise<void> {
  if (noticeMs === 0) return;
  readiness.draining();
  log.info({ noticeMs }, "not ready any more; the drain begins after the notice");
  await sleep(clock, noticeMs);
}

/** The public listener's address; null: it is another process's. */
/** One address may be many clients behind a gateway, and no more than leave room for others. */
const ADDRESS_CONNECTIONS_MAX = 1_000;

async function openPublic(
  settings: Settings,
  own: Pick<PublicOptions, "products" | "productRoutes">,
  ports: PublicPorts & { readonly registry: Registry },
  opened: CleanupStack,
): Promise<string | null> {
  if (!settings.roles.includes("api")) return null;
  const { hosts, trustedProxies: trustProxy } = settings;
  // The rest of the descriptors is for sending, the operator's listener and the store.
  const connectionsMax = settings.connectionsMax ?? Math.ceil(openFilesMax() / 2);
  const portal = portalSettings(settings);
  const connectionsPerAddressMax =
    settings.connectionsPerAddressMax ?? Math.min(ADDRESS_CONNECTIONS_MAX, Math.ceil(connectionsMax / 4));
  const options = {
    ...settings,
    ...own,
    portal,
    connectionsMax,
    connectionsPerAddressMax,
    hosts: hosts ?? new Map(),
    trustProxy,
  };
  const api = createPublicServer(options, { ...ports, watchConnections: countConnections(ports.registry) });
  opened.push(() => closeListener(api, ports.clock));
  return listenOn(api, settings.listen, "BOATHOOK_LISTEN");
}

/**
 * A node uses a cell's new home at the latest so long after a move, when Citus passes its statements on until then, and
 * takes up a new cell.
 */
const READ_EVERY_MS = 5_000;

/** Follows cells that move to other servers, and takes up cells that were added. */
function watchHomes(
  refresh: () => Promise<void>,
  { clock, loops, log }: IntervalPorts & { readonly log: Log },
): Interval {
  const interval = createInterval(
    { clock, loops },
    { name: "homes", everyMs: READ_EVERY_MS, firstAfterMs: READ_EVERY_MS },
    refresh,
    // The feed of the directory says that it is away.
    (cause) =>
      log[failureLevel(cause) === "warn" ? "debug" : "error"](
        { cause },
        "where the cells live could not be read; they stay where they were",
      ),
  );
  interval.start();
  return interval;
}

/** How soon the log names an overdue loop. */
const CHECK_INTERVAL_MS = 15_000;

function watchLoops(
  all: () => readonly LoopMonitor[],
  { registry, clock, log }: Pick<NodeContext, "clock" | "log"> & { readonly registry: Registry },
): Interval {
  exposeLoopMetrics(all, registry);
  const checking = createInterval(
    // Nothing watches this loop: if its timer stops, so have all others.
    { clock, loops: createLoopMonitor(clock, log) },
    { name: "loops", everyMs: CHECK_INTERVAL_MS },
    async () => {
      for (const loops of all()) loops.check();
    },
    (cause) => log.error({ cause }, "the loops could not be checked"),
  );
  checking.start();
  return checking;
}

function exposeLoopMetrics(all: () => readonly LoopMonitor[], registry: Registry): void {
  const silences = () => all().flatMap((loops) => loops.silences());
  new Gauge({
    name: "boathook_loop_silent_seconds",
    help: "Time since a loop of this process last got on: up to its interval where it works every so often, 0 where it rests.",
    labelNames: ["loop"],
    aggregator: "max",
    registers: [registry],
    collect() {
      this.reset();
      for (const { loop, silentMs } of silences()) this.set({ loop }, silentMs / 1_000);
    },
  });
  new Gauge({
    name: "boathook_loops_overdue",
    help: "Loops that have been silent for longer than they ever should be.",
    registers: [registry],
    collect() {
      this.set(silences().filter(({ isOverdue }) => isOverdue).length);
    },
  });
}

/** How long open requests may take to end when the listener closes. */
const CLOSE_MS_MAX = 5_000;

/** Returns the address as a URL for this machine. `setting` names the address. Throws `StartupError`. */
/** One after the other. Rejects with what keeps each of them from listening. */
async function openBoth<One, Other>(
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<readonly [One, Other]> {
  const [[first], [second]] = [await Promise.allSettled([one()]), await Promise.allSettled([other()])];
  if (first.status === "fulfilled" && second.status === "fulfilled") return [first.value, second.value];
  const causes = [first, second].flatMap((each) =>
    each.status === "rejected" ? [each.reason as unknown] : [],
  );
  if (causes.length < 2 || !causes.every((cause) => cause instanceof StartupError)) throw causes[0];
  throw new StartupError(causes.map(({ message }) => message).join("\n"), { cause: causes[0] });
}

async function listenOn(app: Listener, { host, port }: ListenAddress, setting: string): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new StartupError(`Boathook cannot listen on ${host}:${port}: ${reason(cause, setting)}`, {
      cause,
    });
  }
  return urlOf(app.server.address() as AddressInfo);
}

function reason(cause: Error & { readonly code?: unknown }, setting: string): string {
  switch (cause.code) {
    case "EADDRINUSE":
      return `another program does. Stop it, or set ${setting} to another address (port 0 takes one that is free).`;
    case "EACCES":
      return `this user may not. Set ${setting} to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `that is no address of this machine. Set ${setting} to one that is.`;
    default:
      return `${cause.message} (${setting}).`;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (address === "::") return `http://[::1]:${port}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** Takes no more connections, and waits a bounded time for open requests. */
async function closeListener(app: Listener, clock: Clock): Promise<void> {
  const cancel = clock.after(CLOSE_MS_MAX, () => app.server.closeAllConnections());
  await app.close();
  cancel();
}
