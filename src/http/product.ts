import type { FastifyReply } from "fastify";

import { authenticate } from "./authenticate.ts";
import { refuse } from "./envelope.ts";
import { refuseUnknownParameters } from "./unknown-parameters.ts";
import type { Listener } from "./listener.ts";
import { refuseTheRest } from "./fallbacks.ts";
import { mountDocumentation } from "./openapi/mount.ts";
import { mountPackages } from "./packages.ts";
import { mountPortal, type PortalSettings } from "./portal/pages.ts";
import { portalSessionRoute } from "./portal/session-route.ts";
import type { ProductContext } from "./ports.ts";
import { limitByKey } from "./rate-limit.ts";
import type { Refusal } from "./refusal.ts";
import { pinVersion } from "./version.ts";
import { eventStreamRoute } from "./webhooks/event-stream.ts";
import { changeRoute, removeRoute } from "./webhooks/change.ts";
import { listDeliveriesRoute, readDeliveryRoute, searchDeliveriesRoute } from "./webhooks/deliveries.ts";
import { listEventTypesRoute } from "./webhooks/event-types.ts";
import { listEventsRoute } from "./webhooks/events.ts";
import { findRoute } from "./webhooks/find.ts";
import { listRoute, readRoute } from "./webhooks/read.ts";
import { registerRoute } from "./webhooks/register.ts";
import { testRoute } from "./webhooks/test.ts";

export type Route = (app: Listener, context: ProductContext) => void;

/** A product's own routes. */
export type ProductRoutes = {
  /** Mounted behind the key and its quota. */
  readonly keyed: readonly Route[];
  /** Mounted without either: each checks what it needs and has a limit of its own, such as `limitByAddress`. */
  readonly open: readonly Route[];
  /** Those of both that change nothing: the operator's listener has them, too, for each account. */
  readonly reading?: readonly Route[];
};

const webhookRoutes: readonly Route[] = [
  registerRoute,
  listRoute,
  readRoute,
  changeRoute,
  removeRoute,
  testRoute,
  eventStreamRoute,
  listDeliveriesRoute,
  readDeliveryRoute,
  searchDeliveriesRoute,
  listEventsRoute,
  listEventTypesRoute,
  findRoute,
];

/** Mounts one product on its base address: the routes of webhooks, its own, documentation and refusals. */
export async function mountProduct(
  app: Listener,
  context: ProductContext,
  own: ProductRoutes,
  portal: PortalSettings,
): Promise<void> {
  const { product } = context;
  app.addHook("onRequest", pinVersion(product));
  const refuseOwn = (reply: FastifyReply, refusal: Refusal) => refuse(reply, product, refusal);
  refuseTheRest(app, context.log, refuseOwn, "there is nothing at this path");
  refuseUnknownParameters(app);
  await mountDocumentation(app, context);
  await mountPortal(app, context, portal);
  mountPackages(app, context);
  await app.register(async (keyed: Listener) => {
    keyed.addHook("onRequest", authenticate(context));
    keyed.addHook("onRequest", limitByKey(context));
    for (const route of [...webhookRoutes, ...own.keyed]) route(keyed, context);
  });
  await app.register(async (open: Listener) => {
    for (const route of [portalSessionRoute, ...own.open]) route(open, context);
  });
}
