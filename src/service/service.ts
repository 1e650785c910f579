/**
 * A running service: what `boathook serve` starts, put together from its parts.
 *
 *     files ─▶ store, engine ─▶ products ─▶ listeners ─▶ serving ─▶ stop: the same, backwards; the operator's listener last
 *       └─ any of them fails: those before it are closed, backwards, and the failure is the caller's
 */
import { airRoutes } from "../products/air/routes/routes.ts";
import { deliverySchemaRoute } from "../http/delivery-schema.ts";
import { containerRoutes } from "../products/ocean/routes/routes.ts";
import { rateRoutes } from "../products/rates/routes/routes.ts";
import { planRoutes } from "../products/loading/routes/routes.ts";
import { scheduleRoutes } from "../products/schedules/routes/routes.ts";
import type { PublicPorts } from "../http/ports.ts";
import { createPublicServer, type PublicOptions } from "../http/server.ts";
import { createGate } from "../operator/gate.ts";
import { createOpsServer } from "../operator/server.ts";
import { createBroadcaster } from "../freight/broadcasts/broadcaster.ts";
import { createEventDataCheck } from "../model/event-check.ts";
import { products } from "../products/index.ts";
import { createCleanupStack, type CleanupStack } from "../runtime/cleanup.ts";
import { createLoopMonitor } from "../runtime/loop-monitor.ts";
import type { Settings } from "../runtime/settings.ts";
import { closeListener, listenOn } from "./listen.ts";
import { startAir, type Air } from "../products/air/running.ts";
import { startAnnouncements, type Announcements } from "../freight/announcements/running.ts";
import { openServiceCore, type ServicePorts } from "./service-core.ts";
import { startLoading, type Loading } from "../products/loading/running.ts";
import { startOcean, type Ocean } from "../products/ocean/running.ts";
import { readConfigFiles } from "./config-files.ts";
import { resolveOperatorToken } from "./operator-token.ts";
import { createPollingMetrics } from "../freight/polling/polling-metrics.ts";
import { startRates } from "../products/rates/running.ts";
import { createReadiness } from "./readiness.ts";
import { startSchedules } from "../products/schedules/running.ts";
import { watchLoops } from "./watch-loops.ts";
import { warnOfUnconfiguredSources } from "../freight/polling/unconfigured-sources.ts";
import { logUpstreams } from "./upstreams.ts";

export type Service = {
  /** Null where the role `api` is another process's. */
  readonly publicUrl: string | null;
  readonly opsUrl: string;
  /** Takes nothing more, ends what is under way within the drain's deadline, and closes everything. */
  stop(): Promise<void>;
};

/** Rejects with `ServiceRefused`, `StoreRefused` or `StoreUnavailable` when it cannot be started as things are. */
export async function startService(settings: Settings, ports: ServicePorts): Promise<Service> {
  const opened = createCleanupStack();
  try {
    return await assemble(settings, ports, opened);
  } catch (cause) {
    await opened.closeAll();
    throw cause;
  }
}

async function assemble(settings: Settings, ports: ServicePorts, opened: CleanupStack): Promise<Service> {
  const { clock, random, log } = ports;
  // The operator's listener opens late and closes last: whoever watches is told until the end that the service stops.
  const lastly = createCleanupStack();
  opened.push(lastly.closeAll);
  const roles = new Set(settings.roles);
  const { upstreams, authorities } = await readConfigFiles(settings);
  logUpstreams(upstreams, log);
  const delivering = await openServiceCore(settings, authorities, ports, opened);
  const { database, cells, engine, registry } = delivering;
  const loops = createLoopMonitor(clock, log);
  opened.push(watchLoops([delivering.loops, loops], { registry, clock, log }).stop);
  const broadcaster = createBroadcaster({ ...delivering.engine, database, clock, log, loops }, cells);
  opened.push(() => broadcaster.stop());
  broadcaster.start();
  const shared = {
    upstreams,
    database,
    cells,
    engine,
    wakeBroadcaster: broadcaster.wake,
    clock,
    random,
    log,
    loops,
  };
  if (roles.has("poll")) await warnOfUnconfiguredSources(database, cells, upstreams, log);
  const check = createEventDataCheck(products);
  const watchPolling = createPollingMetrics({ ...shared, registry });
  const ocean = await startOcean(settings, roles.has("poll"), { ...shared, check, registry, watchPolling });
  opened.push(() => ocean.stop());
  const air = startAir(settings, roles.has("poll"), { ...shared, check, watchPolling });
  opened.push(() => air.stop());
  const announcements = startAnnouncements(settings, shared);
  opened.push(() => announcements.stop());

  const rates = startRates(roles.has("poll"), shared);
  opened.push(() => rates.stop());

  const schedules = startSchedules(settings, roles.has("poll"), { ...shared, check, registry });
  opened.push(() => schedules.stop());

  const loading = startLoading(shared);
  opened.push(() => loading.stop());

  const readiness = createReadiness(delivering.checks, clock);
  const gate = createGate(clock);
  const token = { setting: settings.operatorToken, dataFolder: settings.dataFolder };
  const ops = createOpsServer({
    ...shared,
    products,
    operatorToken: resolveOperatorToken(token, random, log),
    onAirMessages: air.onMessages,
    schedules: schedules.pushed,
    metrics: registry,
    notReady: readiness.reasons,
    gate,
  });
  opened.push(gate.close);
  lastly.push(() => closeListener(ops, clock));
  const opsUrl = await listenOn(ops, settings.opsListen, "BOATHOOK_OPS_LISTEN");
  const ownRoutes = ownRoutesOf(settings, ocean, air, loading, announcements);
  const api = { ...delivering, ...shared };
  const publicUrl = roles.has("api") ? await openPublic(settings, ownRoutes, api, opened) : null;
  readiness.started();
  return {
    publicUrl,
    opsUrl,
    async stop() {
      readiness.stopping();
      // What the operator has under way ends while the public listener closes; both before what they work with.
      void gate.close();
      await opened.closeAll();
    },
  };
}

/** The public listener's address. */
async function openPublic(
  settings: Settings,
  ownRoutes: PublicOptions["productRoutes"],
  ports: PublicPorts,
  opened: CleanupStack,
): Promise<string> {
  const api = createPublicServer({ ...publicOptionsOf(settings), productRoutes: ownRoutes }, ports);
  opened.push(() => closeListener(api, ports.clock));
  return listenOn(api, settings.listen, "BOATHOOK_LISTEN");
}

function ownRoutesOf(
  settings: Settings,
  { tracking, callbacks }: Ocean,
  air: Air,
  { planning }: Loading,
  announcements: Announcements,
): PublicOptions["productRoutes"] {
  const container = containerRoutes(tracking, callbacks);
  const own: PublicOptions["productRoutes"] = new Map([
    ["tracking", { ...container, open: [...container.open, announcements.routes] }],
    ["air", airRoutes(air.tracking)],
    ["loading", planRoutes(planning)],
    ["rates", rateRoutes()],
    ["schedules", scheduleRoutes(settings)],
  ]);
  return new Map(
    products.map(({ tag }) => {
      const { keyed = [], open = [] } = own.get(tag) ?? {};
      return [tag, { keyed, open: [...open, deliverySchemaRoute] }];
    }),
  );
}

function publicOptionsOf(settings: Settings) {
  const { hosts, trustedProxies: trustProxy, requestsPerKeyMax, requestsPerAddressMax } = settings;
  return { products, hosts: hosts ?? new Map(), trustProxy, requestsPerKeyMax, requestsPerAddressMax };
}
