import type { FastifyReply, FastifyRequest } from "fastify";

import type { Product } from "../model/product.ts";
import { refuse } from "./envelope.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** False on a route where `Api-Version` is another standard's. */
    readonly pinsVersion?: boolean;
  }
}

/**
 * A hook that reads the version from `Api-Version: YYYY-MM-DD` (spec 9: pinning, supported_versions). Without
 * the header the oldest supported version answers.
 */
export function pinVersion(product: Product) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const wanted = request.headers["api-version"];
    if (wanted === undefined || product.versions.length === 0) return;
    if (request.routeOptions.config.pinsVersion === false) return;
    if (typeof wanted === "string" && product.versions.includes(wanted)) {
      request.apiVersion = wanted;
      return;
    }
    await refuse(reply, product, {
      code: "UNKNOWN_VERSION",
      message: `there is no such version; api-version must be one of ${product.versions.join(", ")}`,
    });
  };
}
