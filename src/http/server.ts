/** The public listener. Every product lies under its tag, or on a host name of its own. */
import { JSON_DEPTH_MAX } from "../model/json.ts";
import type { Product } from "../model/product.ts";
import { credentialIn } from "./authenticate.ts";
import { createCallers } from "./callers.ts";
import { type HostMap, productAt, routedUrl } from "./base-address.ts";
import { answer, type EnvelopeOptions, refuse } from "./envelope.ts";
import { createLimiter, type ShareUses } from "./limiter.ts";
import { type Listener, openListener } from "./listener.ts";
import type { PortalSettings } from "./portal/pages.ts";
import { createPortalTokens } from "./portal/tokens.ts";
import type { ProductContext, PublicPorts } from "./ports.ts";
import { limitByAddress, limitRefused } from "./rate-limit.ts";
import { createStreams } from "./streams.ts";
import { mountProduct, type ProductRoutes } from "./product.ts";
import type { Clock } from "../runtime/clock.ts";
import { DAY_MS, SECOND_MS } from "../runtime/durations.ts";
import type { Log } from "../runtime/log.ts";
import { blocksOf, isIn } from "./network.ts";

export type PublicOptions = {
  readonly products: readonly ProductContext["product"][];
  /** By tag. */
  readonly productRoutes: ReadonlyMap<Product["tag"], ProductRoutes>;
  readonly hosts: HostMap;
  readonly trustProxy: readonly string[];
  readonly connectionsMax: number;
  /** Of an address that is no trusted proxy. */
  readonly connectionsPerAddressMax: number;
  /** A minute. */
  readonly requestsPerKeyMax: number;
  /** A minute, on routes that ask for no key. */
  readonly requestsPerAddressMax: number;
  readonly portal: PortalSettings;
};

const BODY_BYTES_MAX = 64 * 1024;

/** The listener, ready to `listen` or `inject`. */
export function createPublicServer(options: PublicOptions, ports: PublicPorts): Listener {
  const { products, productRoutes, hosts, trustProxy } = options;
  const app = openListener({
    clock: ports.clock,
    bodyBytesMax: BODY_BYTES_MAX,
    jsonDepthMax: JSON_DEPTH_MAX,
    rewriteUrl: routedUrl(hosts),
    trustProxy,
    onAnswered: ports.onAnswered,
    traceRequest: ports.traceRequests?.api,
    connections: {
      connectionsMax: options.connectionsMax,
      perAddressMax: options.connectionsPerAddressMax,
      unbounded: trustProxy,
      watch: ports.watchConnections,
    },
    onBadUrl: (error, request, reply) => {
      const product = productAt(products, request.raw.url ?? "") ?? NO_PRODUCT;
      void refuse(reply, product, { code: "INVALID_REQUEST", message: error.message });
    },
  });
  app.decorateRequest("caller", null);
  app.decorateRequest("apiVersion", null);
  const share = (limit: string) => ({ share: ports.shareUses?.(limit) });
  const limits = {
    byKey: createLimiter(ports.clock, options.requestsPerKeyMax, share("key")),
    byAddress: createLimiter(ports.clock, options.requestsPerAddressMax, share("address")),
  };
  const streams = createStreams();
  app.addHook("preClose", async () => streams.endAll());
  const callers = createCallers(ports, ports.feed);
  warnOfUnnamedProxy(app, trustProxy, { ...ports, ...share("unnamed proxy") });
  const portalTokens = createPortalTokens(ports.masterKeys, options.portal.sessionMs, ports);
  limitRefused(
    app,
    limits.byAddress,
    { ...ports, credentialIn: (request) => credentialIn(request, { callers, portalTokens }) },
    ({ url }) => productAt(products, url) ?? NO_PRODUCT,
  );
  for (const product of products) {
    const mount = (scope: Listener) =>
      mountProduct(
        scope,
        { ...ports, product, callers, limits, streams, portalTokens },
        productRoutes.get(product.tag) ?? NO_ROUTES,
        options.portal,
      );
    void app.register(mount, { prefix: `/${product.tag}` });
  }
  const onRequest = limitByAddress({ limits, product: NO_PRODUCT });
  // Relative addresses: a proxy may serve all of this under a prefix.
  const list = products.map(({ tag, title }) => ({
    product: tag,
    title,
    docs: `${tag}/docs/`,
    portal: `${tag}/portal`,
    openapi: `${tag}/openapi.json`,
  }));
  app.get("/", { onRequest }, async (_request, reply) => answer(reply, NO_PRODUCT, 200, list));
  app.setNotFoundHandler(async (_request, reply) => {
    const places = products.map(({ tag }) => `/${tag}`).join(", ");
    return refuse(reply, NO_PRODUCT, {
      code: "NOT_FOUND",
      message: `there is nothing here; look under ${places}`,
    });
  });
  return app;
}

const NO_ROUTES: ProductRoutes = { keyed: [], open: [] };

/** The envelope outside of every product's address. */
const NO_PRODUCT: EnvelopeOptions = { envelope: "ok-and-data", versions: [] };

/** Any client may send the header: however many do, the service warns once. */
const WARNING_INTERVAL_S = DAY_MS / SECOND_MS;

/** Warns of a reverse proxy that the operator has not named: all of its clients share one address's limits. */
function warnOfUnnamedProxy(
  app: Listener,
  named: readonly string[],
  { clock, log, share }: { readonly clock: Clock; readonly log: Log; readonly share: ShareUses | undefined },
): void {
  const proxies = blocksOf(named);
  const warnings = createLimiter(clock, 1, { share, windowS: WARNING_INTERVAL_S });
  app.addHook("onRequest", async ({ headers, socket: { remoteAddress: address } }) => {
    if (headers["x-forwarded-for"] === undefined || address === undefined) return;
    if (isIn(proxies, address) || !warnings.take("all").allowed) return;
    log.warn(
      { address },
      "this address sends X-Forwarded-For and is not trusted: if it is your proxy, name it in BOATHOOK_TRUST_PROXY, or its clients share one limit",
    );
  });
}
