/**
 * What an account's own keys would read, for the operator: `GET /v1/accounts/{account_id}/{product}/…` answers as the
 * product's route of that path does. Only routes that change nothing are there.
 */
import type { FastifyReply, FastifyRequest } from "fastify";

import { refuse as refuseClient } from "../http/envelope.ts";
import { createLimiter } from "../http/limiter.ts";
import type { Listener } from "../http/listener.ts";
import { createPortalTokens } from "../http/portal/tokens.ts";
import type { ProductContext, PublicPorts } from "../http/ports.ts";
import type { ProductRoutes } from "../http/product.ts";
import { createStreams } from "../http/streams.ts";
import { listEventsRoute } from "../http/webhooks/events.ts";
import { refuseUnknownParameters } from "../http/unknown-parameters.ts";
import { pinVersion } from "../http/version.ts";
import type { Product } from "../model/product.ts";
import { cellNumbered } from "../store/cell.ts";
import { NO_ACCOUNT, readAccount } from "./accounts.ts";
import type { OperatorRoute } from "./ports.ts";

/** In place of a key's id. */
const OPERATOR = "operator";

type Parts = {
  readonly products: readonly ProductContext["product"][];
  /** By tag. */
  readonly productRoutes: ReadonlyMap<Product["tag"], ProductRoutes>;
};

export function accountProductsRoute({ products, productRoutes }: Parts, ports: PublicPorts): OperatorRoute {
  return (app) => {
    app.decorateRequest("caller", null);
    app.decorateRequest("apiVersion", null);
    const unlimited = createLimiter(ports.clock, Number.MAX_SAFE_INTEGER);
    const limits = { byKey: unlimited, byAddress: unlimited };
    const callers = { read: async () => null, readLink: async () => null, isKnown: () => false };
    const portalTokens = createPortalTokens(ports.masterKeys, 0, ports);
    for (const product of products) {
      const context = { ...ports, product, callers, limits, streams: createStreams(), portalTokens };
      const mount = async (scope: Listener): Promise<void> => {
        scope.addHook("onRoute", (route) => {
          // The product's own document has them.
          route.schema = { ...route.schema, hide: true };
        });
        scope.addHook("onRequest", pinVersion(product));
        scope.addHook("onRequest", asAccount(product, ports));
        refuseUnknownParameters(scope);
        const own = productRoutes.get(product.tag)?.reading ?? [];
        for (const route of [listEventsRoute, ...own]) route(scope, context);
      };
      void app.register(mount, { prefix: `/v1/accounts/:account_id/${product.tag}` });
    }
  };
}

/** A hook that lets a request read as the account that its path names. */
function asAccount(product: Product, ports: Pick<PublicPorts, "database" | "cells">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { account_id: typed } = request.params as { readonly account_id: string };
    const account = await readAccount(ports, typed);
    if (account === null) return void (await refuseClient(reply, product, NO_ACCOUNT));
    request.caller = { keyId: OPERATOR, account, cell: cellNumbered(ports.cells, account.cell) };
  };
}
