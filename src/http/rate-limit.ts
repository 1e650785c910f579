import { isIPv6 } from "node:net";

import type { FastifyReply, FastifyRequest } from "fastify";

import { callerOf } from "./authenticate.ts";
import { refuse } from "./envelope.ts";
import { WINDOW_S, type Limiter } from "./limiter.ts";
import type { ProductContext } from "./ports.ts";

/** A hook that counts requests by the key they carry; to be run once the caller is known. */
export function limitByKey({ limits, product }: ProductContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await count(limits.byKey, callerOf(request).keyId, reply, product);
  };
}

/** Counts requests by their address, for routes without a key (spec 5: public_routes; 8: public_routes). */
export function limitByAddress({ limits, product }: ProductContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await count(limits.byAddress, networkOf(request.ip), reply, product);
  };
}

/** Says where the caller stands (draft-ietf-httpapi-ratelimit-headers), and refuses what is too much. */
async function count(
  limiter: Limiter,
  caller: string,
  reply: FastifyReply,
  product: ProductContext["product"],
): Promise<void> {
  const { allowed, remaining, resetS } = limiter.take(caller);
  reply.headers({
    "ratelimit-policy": `"default";q=${limiter.quota};w=${WINDOW_S}`,
    ratelimit: `"default";r=${remaining};t=${resetS}`,
  });
  if (allowed) return;
  await refuse(reply, product, {
    code: "RATE_LIMITED",
    message: `more than ${limiter.quota} requests in ${WINDOW_S} seconds; go on in ${resetS} seconds`,
    headers: { "retry-after": String(resetS) },
  });
}

/** Who has one IPv6 address has all of its /64. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail = ""] = address.split("::", 2);
  const first = head.split(":").filter((group) => group !== "");
  const last = tail.split(":").filter((group) => group !== "");
  const zeros = address.includes("::")
    ? Array.from({ length: 8 - first.length - last.length }, () => "0")
    : [];
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}
