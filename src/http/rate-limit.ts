import type { FastifyReply, FastifyRequest } from "fastify";

import { callerOf, type Credential } from "./authenticate.ts";
import { refuse, type EnvelopeOptions } from "./envelope.ts";
import type { NodeContext } from "../store/node-context.ts";
import { createLimiter, type Limiter, type QuotaState } from "./limiter.ts";
import type { Listener } from "./listener.ts";
import { networkOf } from "./network.ts";
import type { ProductContext } from "./ports.ts";
import type { Refusal } from "./refusal.ts";

/** A hook that counts requests by key; it runs after `authenticate`. */
export function limitByKey({ limits, product }: ProductContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await count(limits.byKey, callerOf(request).keyId, reply, product);
  };
}

/** A hook for routes without a key: counts requests by address (spec 5: public_routes; 8: public_routes). */
export function limitByAddress({
  limits,
  product,
}: Pick<ProductContext, "limits"> & { readonly product: EnvelopeOptions }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.isCounted = true;
    await count(limits.byAddress, networkOf(request.ip), reply, product, OF_ADDRESS);
  };
}

/** A request without a good key counts wherever it is refused. */
const OF_ADDRESS = "public or refused requests of this address";

declare module "fastify" {
  interface FastifyRequest {
    /** By address, for a route without a key. */
    isCounted: boolean;
  }
}

/**
 * Lookups a second of keys that this process does not know, for addresses beyond their limit: enough for clients behind
 * one address whose neighbour sends forged keys, and little for the directory.
 */
const LOOKUPS_BEYOND_MAX = 50;

/**
 * Counts by address what is refused without a valid key: forged keys, unknown paths and versions. Beyond the limit all
 * that such an address asks is refused at once, unless it carries a key that is known, or that may be looked up.
 */
export function limitRefused(
  app: Listener,
  byAddress: Limiter,
  {
    clock,
    credentialIn,
  }: Pick<NodeContext, "clock"> & {
    readonly credentialIn: (request: FastifyRequest) => Credential;
  },
  productOf: (request: FastifyRequest) => EnvelopeOptions,
): void {
  const lookups = createLimiter(clock, LOOKUPS_BEYOND_MAX, { windowS: 1 });
  app.decorateRequest("isCounted", false);
  app.addHook("onRequest", async (request, reply) => {
    const state = byAddress.take(networkOf(request.ip), 0);
    if (state.allowed) return;
    const credential = credentialIn(request);
    if (credential === "known") return;
    const lookup = credential === "none" ? null : lookups.take("all");
    if (lookup?.allowed === true) return;
    await refuse(
      reply,
      productOf(request),
      lookup === null ? tooMany(byAddress, state, OF_ADDRESS) : tooMany(lookups, lookup),
    );
  });
  app.addHook("onResponse", async (request, { statusCode }) => {
    const isRefused = statusCode >= 400 && statusCode <= 499 && request.caller === null;
    if (isRefused && !request.isCounted) byAddress.take(networkOf(request.ip));
  });
}

async function count(
  limiter: Limiter,
  caller: string,
  reply: FastifyReply,
  product: EnvelopeOptions,
  what?: string,
): Promise<void> {
  const state = limiter.take(caller);
  reply.headers(headersOf(limiter, state));
  if (!state.allowed) await refuse(reply, product, tooMany(limiter, state, what));
}

/** As in draft-ietf-httpapi-ratelimit-headers. */
function headersOf({ quota, windowS }: Limiter, { remaining, resetS }: QuotaState) {
  return {
    "ratelimit-policy": `"default";q=${quota};w=${windowS}`,
    ratelimit: `"default";r=${remaining};t=${resetS}`,
  };
}

/** `what`: the limiter counts. */
export function tooMany(limiter: Limiter, state: QuotaState, what = "requests"): Refusal {
  const { resetS } = state;
  return {
    code: "RATE_LIMITED",
    message: `more than ${limiter.quota} ${what} in ${limiter.windowS} seconds; go on in ${resetS} seconds`,
    headers: { ...headersOf(limiter, state), "retry-after": String(resetS) },
  };
}
