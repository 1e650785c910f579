import type { FastifyReply, FastifyRequest } from "fastify";

import { callerOf } from "./authenticate.ts";
import { refuse } from "./envelope.ts";
import type { ProductContext } from "./ports.ts";

/** Requires the product's entitlement (spec 4.1: register_entitlement; 5: entitlements; 7: entitlement). */
export function requireEntitlement({ product }: ProductContext) {
  const { entitlement } = product;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (entitlement === null || callerOf(request).account.entitlements.includes(entitlement)) return;
    await refuse(reply, product, {
      code: "ENTITLEMENT_REQUIRED",
      message: `your account needs the entitlement ${entitlement} for this`,
    });
  };
}
