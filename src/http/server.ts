/** The public listener. Every product lies under its tag, or on a host name of its own. */
import { JSON_DEPTH_MAX } from "../model/json.ts";
import type { Product } from "../model/product.ts";
import { createCallers } from "./callers.ts";
import { productAt, routedUrl, type HostMap } from "./base-address.ts";
import { refuse, type EnvelopeOptions } from "./envelope.ts";
import { createLimiter } from "./limiter.ts";
import { openListener, type Listener } from "./listener.ts";
import type { PublicPorts } from "./ports.ts";
import { mountProduct, type ProductRoutes } from "./product.ts";

export type PublicOptions = {
  readonly products: readonly Product[];
  /** By tag. */
  readonly productRoutes: ReadonlyMap<Product["tag"], ProductRoutes>;
  readonly hosts: HostMap;
  readonly trustProxy: readonly string[];
  /** A minute. */
  readonly requestsPerKeyMax: number;
  /** A minute, on routes that ask for no key. */
  readonly requestsPerAddressMax: number;
};

const BODY_BYTES_MAX = 64 * 1024;

/** The listener, ready to `listen` or `inject`. */
export function createPublicServer(options: PublicOptions, ports: PublicPorts): Listener {
  const { products, productRoutes, hosts, trustProxy } = options;
  const app = openListener({
    bodyBytesMax: BODY_BYTES_MAX,
    jsonDepthMax: JSON_DEPTH_MAX,
    rewriteUrl: routedUrl(hosts),
    trustProxy,
    onBadUrl: (error, request, reply) => {
      const product = productAt(products, request.raw.url ?? "") ?? NO_PRODUCT;
      void refuse(reply, product, { code: "INVALID_REQUEST", message: error.message });
    },
  });
  app.decorateRequest("caller", null);
  app.decorateRequest("apiVersion", null);
  const limits = {
    byKey: createLimiter(ports.clock, options.requestsPerKeyMax, ports.shareUses?.("key")),
    byAddress: createLimiter(ports.clock, options.requestsPerAddressMax, ports.shareUses?.("address")),
  };
  const callers = createCallers(ports, ports.feed);
  for (const product of products) {
    const mount = (scope: Listener) =>
      mountProduct(
        scope,
        { ...ports, product, callers, limits },
        productRoutes.get(product.tag) ?? NO_ROUTES,
      );
    void app.register(mount, { prefix: `/${product.tag}` });
  }
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
