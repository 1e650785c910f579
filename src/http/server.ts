/** The public listener. Every product lies under its tag, or on a host name of its own. */
import { JSON_DEPTH_MAX } from "../model/json.ts";
import type { Product } from "../model/product.ts";
import { credentialIn } from "./authenticate.ts";
import { createCallers } from "./callers.ts";
import { productAt, routedUrl, type HostMap } from "./base-address.ts";
import { answer, refuse, type EnvelopeOptions } from "./envelope.ts";
import { createLimiter } from "./limiter.ts";
import { openListener, type Listener } from "./listener.ts";
import type { PortalSettings } from "./portal/pages.ts";
import { createPortalTokens } from "./portal/tokens.ts";
import type { PublicPorts } from "./ports.ts";
import { limitByAddress, limitRefused } from "./rate-limit.ts";
import { createStreams } from "./streams.ts";
import { warnOfUnnamedProxy } from "./unnamed-proxy.ts";
import { mountProduct, type ProductRoutes } from "./product.ts";

export type PublicOptions = {
  readonly products: readonly Product[];
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
