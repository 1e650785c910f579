/** The products of a running service: each is handed what it may use, and hands back its routes. */
import type { Engine } from "../engine/engine.ts";
import { startAnnouncements } from "../freight/announcements/running.ts";
import { createPollingMetrics } from "../freight/polling/polling-metrics.ts";
import { broadcastRoutes } from "../freight/broadcasts/routes.ts";
import { warnOfUnconfiguredSources } from "../freight/polling/unconfigured-sources.ts";
import type { DescribedSources } from "../freight/sources/read-sources.ts";
import { sourceRoutes } from "../freight/sources/routes.ts";
import { createSourceLog } from "../freight/sources/source-log.ts";
import { createQuotaSharing } from "../freight/upstream/quota-share.ts";
import { deliverySchemaRoute } from "../http/delivery-schema.ts";
import type { ProductRoutes } from "../http/product.ts";
import { createEventDataCheck } from "../model/event-check.ts";
import type { OperatorRoutes } from "../operator/ports.ts";
import type { ProductManifest, ProductStart } from "../products/manifest.ts";
import type { CleanupStack } from "../runtime/cleanup.ts";
import type { Log } from "../runtime/log.ts";
import type { Settings } from "../runtime/settings.ts";
import type { Cell } from "../store/cell.ts";
import type { NodeContext } from "../store/node-context.ts";
import { countUpstreams } from "./request-metrics.ts";
import type { ConfigFiles } from "./config-files.ts";

/** Starts them in their order, and pushes what stops them. */
export async function startProducts(
  products: readonly ProductManifest[],
  settings: Settings,
  { ofProducts: files, authorities }: ConfigFiles,
  context: Pick<
    ProductStart,
    keyof NodeContext | "productCells" | "registry" | "wakeForwarder" | "onWork" | "onReported" | "index"
  > & {
    readonly engine: Engine;
    readonly wakeBroadcaster: (cell: Cell) => void;
    readonly report: (cell: Cell) => void;
  },
  opened: CleanupStack,
) {
  const { database, cells, log } = context;
  const polling = createPollingMetrics(context);
  const polls = settings.roles.includes("poll");
  const sources = createSourceLog({ ...context, onReported: context.report });
  opened.push(sources.stop);
  sources.start();
  const count = countUpstreams(context.registry);
  const scheduledCalls = products.map((one) => one.scheduledCalls?.(files.get(one.tag) ?? {}) ?? null);
  const given: ProductStart = {
    ...context,
    authorities: authorities ?? [],
    polls,
    check: createEventDataCheck(products),
    shareQuota: createQuotaSharing(context),
    onUpstreamAnswer(upstream, answer, subject) {
      count(upstream, answer);
      sources.onUpstreamAnswer(upstream, answer, subject);
    },
    onUpstreamSkipped: sources.onUpstreamSkipped,
    onPushed: sources.onPushed,
    watchPolling: polling.watch,
    scheduledCalls: scheduledCalls.find((find) => find !== null) ?? null,
    async onCallsChanged(tx, source, changes, atMs) {
      for (const { onCallsChanged } of products) await onCallsChanged?.(tx, source, cells, changes, atMs);
    },
  };
  const ofProducts = new Map<string, ProductRoutes>();
  const ofOperator: OperatorRoutes[] = [];
  for (const product of products) {
    const its = files.get(product.tag) ?? {};
    const running = (await product.start?.(given, settings, its)) ?? {};
    if (running.stop !== undefined) opened.push(running.stop);
    const published =
      product.changelog === undefined
        ? null
        : startAnnouncements(product, product.changelog, settings, context);
    if (published !== null) opened.push(published.stop);
    const { keyed = [], open = [], reading = [] } = running.routes ?? {};
    const documents = published === null ? [deliverySchemaRoute] : [published.routes, deliverySchemaRoute];
    ofProducts.set(product.tag, { keyed, open: [...open, ...documents], reading });
    ofOperator.push(running.operatorRoutes ?? {}, (await product.operatorRoutes?.(async () => its)) ?? {});
  }
  if (polls) await warnOfUnconfiguredSources(database, cells, polling.sources(), log);
  const described = await describeSources(products, { ofProducts: files });
  ofOperator.push(
    broadcastRoutes,
    sourceRoutes(async () => described),
  );
  return { ofProducts, ofOperator, onPushed: sources.onPushed };
}

/** The sources that the files of the products name, and what is pushed without one. */
export function describeSources(
  products: readonly ProductManifest[],
  { ofProducts: files }: Pick<ConfigFiles, "ofProducts">,
): Promise<DescribedSources> {
  return Promise.all(
    products.flatMap(({ tag, sources }) =>
      sources === undefined ? [] : [sources(files.get(tag) ?? {}).then((its) => ({ product: tag, ...its }))],
    ),
  );
}

/** Logs whom the files of the products name. */
export function logUpstreams(
  products: readonly ProductManifest[],
  { ofProducts: files }: ConfigFiles,
  log: Log,
): void {
  const named = Object.assign(
    {},
    ...products.map(({ tag, upstreams }) => upstreams?.(files.get(tag) ?? {})),
  ) as Record<string, readonly string[] | string | null>;
  if (Object.values(named).every((names) => names === null || names.length === 0)) return;
  log.info(named, "these are polled, or push");
}
