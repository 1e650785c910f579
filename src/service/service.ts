/**
 * A running service: what `boathook serve` starts, put together from its parts.
 *
 *     files ─▶ store, engine ─▶ products ─▶ listeners ─▶ serving ─▶ stop: the same, backwards; the operator's listener last
 *       └─ any of them fails: those before it are closed, backwards, and the failure is the caller's
 */
import { createBroadcaster } from "../freight/broadcasts/broadcaster.ts";
import type { PublicPorts } from "../http/ports.ts";
import { createPublicServer, type PublicOptions } from "../http/server.ts";
import { createGate } from "../operator/gate.ts";
import { createOpsServer } from "../operator/server.ts";
import { products as allProducts } from "../products/index.ts";
import type { ProductManifest } from "../products/manifest.ts";
import { createCleanupStack, type CleanupStack } from "../runtime/cleanup.ts";
import { createLoopMonitor } from "../runtime/loop-monitor.ts";
import type { Settings } from "../runtime/settings.ts";
import { readConfigFiles } from "./config-files.ts";
import { closeListener, listenOn } from "./listen.ts";
import { resolveOperatorToken } from "./operator-token.ts";
import { logUpstreams, startProducts } from "./products.ts";
import { createReadiness } from "./readiness.ts";
import { openServiceCore, type ServicePorts } from "./service-core.ts";
import { watchLoops } from "./watch-loops.ts";

export type Service = {
  /** Null where the role `api` is another process's. */
  readonly publicUrl: string | null;
  readonly opsUrl: string;
  /** Takes nothing more, ends what is under way within the drain's deadline, and closes everything. */
  stop(): Promise<void>;
};

/**
 * `settings` also hold the values of the products' own settings. Rejects with `StartupError`
 * or `StoreUnavailable` when it cannot be started as things are.
 */
export async function startService(
  settings: Settings,
  ports: ServicePorts,
  products: readonly ProductManifest[] = allProducts,
): Promise<Service> {
  const opened = createCleanupStack();
  try {
    return await assemble(settings, ports, products, opened);
  } catch (cause) {
    await opened.closeAll();
    throw cause;
  }
}

async function assemble(
  settings: Settings,
  ports: ServicePorts,
  products: readonly ProductManifest[],
  opened: CleanupStack,
): Promise<Service> {
  const { clock, random, log } = ports;
  // The operator's listener opens late and closes last: whoever watches is told until the end that the service stops.
  const lastly = createCleanupStack();
  opened.push(lastly.closeAll);
  const files = await readConfigFiles(settings, products);
  logUpstreams(products, files, log);
  const core = await openServiceCore(settings, products, files.authorities, ports, opened);
  const { database, cells, engine, registry } = core;
  const loops = createLoopMonitor(clock, log);
  opened.push(watchLoops([core.loops, loops], { registry, clock, log }).stop);
  const broadcaster = createBroadcaster({ ...engine, database, clock, log, loops }, cells);
  opened.push(() => broadcaster.stop());
  broadcaster.start();
  const context = {
    database,
    cells,
    engine,
    registry,
    wakeBroadcaster: broadcaster.wake,
    clock,
    random,
    log,
    loops,
  };
  const routes = await startProducts(products, settings, files, context, opened);

  const readiness = createReadiness(core.checks, clock);
  const gate = createGate(clock);
  const token = { setting: settings.operatorToken, dataFolder: settings.dataFolder };
  const ops = createOpsServer({
    ...context,
    products,
    operatorToken: resolveOperatorToken(token, random, log),
    productRoutes: routes.ofOperator,
    metrics: registry,
    notReady: readiness.reasons,
    gate,
  });
  opened.push(gate.close);
  lastly.push(() => closeListener(ops, clock));
  const opsUrl = await listenOn(ops, settings.opsListen, "BOATHOOK_OPS_LISTEN");
  const options = { ...publicOptionsOf(settings), products, productRoutes: routes.ofProducts };
  const publicUrl = settings.roles.includes("api")
    ? await openPublic(settings, options, { ...core, ...context }, opened)
    : null;
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
  options: PublicOptions,
  ports: PublicPorts,
  opened: CleanupStack,
): Promise<string> {
  const api = createPublicServer(options, ports);
  opened.push(() => closeListener(api, ports.clock));
  return listenOn(api, settings.listen, "BOATHOOK_LISTEN");
}

function publicOptionsOf(settings: Settings) {
  const { hosts, trustedProxies: trustProxy, requestsPerKeyMax, requestsPerAddressMax } = settings;
  return { hosts: hosts ?? new Map(), trustProxy, requestsPerKeyMax, requestsPerAddressMax };
}
