import type { FastifyReply } from "fastify";

import { authenticate } from "./authenticate.ts";
import { refuse } from "./envelope.ts";
import { refuseUnknownParameters } from "./unknown-parameters.ts";
import type { Listener } from "./listener.ts";
import { refuseTheRest } from "./fallbacks.ts";
import { mountDocumentation } from "./openapi/mount.ts";
import type { ProductContext } from "./ports.ts";
import { limitByKey } from "./rate-limit.ts";
import type { Refusal } from "./refusal.ts";
import { pinVersion } from "./version.ts";
import { changeRoute, removeRoute } from "./webhooks/change.ts";
import { listRoute, readRoute } from "./webhooks/read.ts";
import { registerRoute } from "./webhooks/register.ts";
import { testRoute } from "./webhooks/test.ts";

export type Route = (app: Listener, context: ProductContext) => void;

/** Routes of a product that others do not have. */
export type ProductRoutes = {
  /** Mounted where a key has been asked for, and its quota taken. */
  readonly keyed: readonly Route[];
  /** Mounted where nobody is known: each asks for what it needs and has a limit of its own, such as `limitByAddress`. */
  readonly open: readonly Route[];
};

const webhookRoutes: readonly Route[] = [
  registerRoute,
  listRoute,
  readRoute,
  changeRoute,
  removeRoute,
  testRoute,
];

/**
 * Mounts one product on its base address: the six routes at `/v1/webhooks`, what it has besides, its
 * documentation, and its way of saying that something is wrong.
 */
export async function mountProduct(
  app: Listener,
  context: ProductContext,
  own: ProductRoutes,
): Promise<void> {
  const { product } = context;
  app.addHook("onRequest", pinVersion(product));
  const refuseOwn = (reply: FastifyReply, refusal: Refusal) => refuse(reply, product, refusal);
  const refuseOtherMethods = refuseTheRest(app, context.log, refuseOwn, "there is nothing at this path");
  refuseUnknownParameters(app);
  await mountDocumentation(app, context);
  await app.register(async (keyed: Listener) => {
    keyed.addHook("onRequest", authenticate(context));
    keyed.addHook("onRequest", limitByKey(context));
    for (const route of [...webhookRoutes, ...own.keyed]) route(keyed, context);
  });
  await app.register(async (open: Listener) => {
    for (const route of own.open) route(open, context);
  });
  refuseOtherMethods();
}
