/**
 * A running service: what `boathook serve` starts, put together from its parts.
 *
 *     files ─▶ store, engine ─▶ products ─▶ listeners ─▶ serving ─▶ stop: the same, backwards; the operator's listener last
 *       └─ one fails: those before it close, backwards, and the caller gets the failure
 */
import type { Registry } from "prom-client";

import { createBroadcaster } from "../freight/broadcasts/broadcaster.ts";
import { createReferenceIndex } from "../freight/reference-index/reference-index.ts";
import { createReindexing } from "../freight/reference-index/reindex.ts";
import type { PublicPorts } from "../http/ports.ts";
import { createPublicServer, type PublicOptions } from "../http/server.ts";
import { createGate } from "../operator/gate.ts";
import { createOpsServer } from "../operator/server.ts";
import type { Monitoring } from "../operator/ports.ts";
import { products as allProducts } from "../products/index.ts";
import type { ProductManifest } from "../products/manifest.ts";
import { createCleanupStack, waitAtMost, type CleanupStack } from "../runtime/cleanup.ts";
import { directoryOf } from "../store/cell.ts";
import { createLoopMonitor } from "../runtime/loop-monitor.ts";
import type { Settings } from "../runtime/settings.ts";
import { readConfigFiles } from "./config-files.ts";
import { closeListener, listenOn } from "./listen.ts";
import { openForwarder } from "./outbox.ts";
import { resolveOperatorToken } from "./operator-token.ts";
import { logUpstreams, startProducts } from "./products.ts";
import { createReadiness, directoryTrouble } from "./readiness.ts";
import { openServiceCore, type CorePorts } from "./service-core.ts";
import { watchHomes } from "./watch-homes.ts";
import { watchLoops } from "./watch-loops.ts";

export type ServicePorts = CorePorts & {
  /** From what this process reports of itself, what the operator's listener reports of the whole service. */
  readonly asOne?: ((own: Monitoring & { readonly metrics: Registry }) => Monitoring) | undefined;
  readonly shareUses?: PublicPorts["shareUses"];
};

export type Service = {
  /** Null where the role `api` is another process's. */
  readonly publicUrl: string | null;
  readonly opsUrl: string;
  /** Takes nothing more, drains within the deadline, and closes everything. */
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
  // The operator's listener opens late and closes last: until the end, probes learn that the service stops.
  const lastly = createCleanupStack();
  opened.push(lastly.closeAll);
  const files = await readConfigFiles(settings, products);
  logUpstreams(products, files, log);
  const core = await openServiceCore(settings, products, files.authorities, ports, opened);
  const { database, cells, productCells, feed, engine, registry, onWork } = core;
  const loops = createLoopMonitor(clock, log);
  opened.push(watchLoops(() => [...core.loops(), loops], { registry, clock, log }).stop);
  const following = feed.follow({ loops });
  opened.push(following.stop);
  following.start();
  const broadcaster = createBroadcaster({ ...engine, database, clock, log, loops, onWork }, cells);
  opened.push(() => broadcaster.stop());
  broadcaster.start();
  opened.push(watchHomes(core.refreshHomes, { clock, log, loops }).stop);
  const node = { database, cells, clock, random, log, loops };
  const sources = [directoryOf(cells[0]), ...productCells.all];
  const forwarder = await openForwarder(node, sources, products, broadcaster.wake, registry);
  opened.push(() => forwarder.stop());
  forwarder.start();
  const wakes = { wakeBroadcaster: broadcaster.wake, wakeForwarder: forwarder.wake };
  const index = createReferenceIndex(node);
  await index.refresh();
  const reindexing = createReindexing({ ...node, index });
  opened.push(reindexing.stop);
  reindexing.start();
  const context = { ...node, productCells, ...wakes, onWork, engine, registry, index };
  const routes = await startProducts(products, settings, files, context, opened);

  const readiness = createReadiness(core.checks, clock);
  const gate = createGate(clock);
  const monitoring = { metrics: registry, notReady: async () => ({ checks: await readiness.reasons() }) };
  const ops = createOpsServer({
    ...context,
    ...(ports.asOne?.(monitoring) ?? monitoring),
    products,
    operatorToken: resolveOperatorToken(settings, random, log),
    productRoutes: routes.ofOperator,
    illCells: core.cellHealth.ill,
    degraded: () => directoryTrouble(feed),
    catchUp: async () => void (await waitAtMost(clock, CATCH_UP_MS_MAX, feed.read())),
    gate,
  });
  opened.push(gate.close);
  lastly.push(() => closeListener(ops, clock));
  const opsUrl = await listenOn(ops, settings.opsListen, "BOATHOOK_OPS_LISTEN");
  const own = { products, productRoutes: routes.ofProducts };
  const publicUrl = settings.roles.includes("api")
    ? await openPublic(settings, own, { ...core, ...context, shareUses: ports.shareUses }, opened)
    : null;
  readiness.started();
  return {
    publicUrl,
    opsUrl,
    async stop() {
      readiness.stopping();
      // The operator's open requests end while the public listener closes.
      void gate.close();
      await opened.closeAll();
    },
  };
}

/** The public listener's address. */
async function openPublic(
  settings: Settings,
  own: Pick<PublicOptions, "products" | "productRoutes">,
  ports: PublicPorts,
  opened: CleanupStack,
): Promise<string> {
  const { hosts, trustedProxies: trustProxy } = settings;
  const api = createPublicServer({ ...settings, ...own, hosts: hosts ?? new Map(), trustProxy }, ports);
  opened.push(() => closeListener(api, ports.clock));
  return listenOn(api, settings.listen, "BOATHOOK_LISTEN");
}
