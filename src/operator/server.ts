/**
 * The operator's listener (design 5): health and figures for whoever watches, and with the operator's
 * token accounts, keys, the raising of events and the products' own routes. It is not for the open internet.
 */
import { openListener, type Listener } from "../http/listener.ts";
import { collectMethods } from "../http/methods.ts";
import { refusalOf } from "../http/refusal.ts";
import { DATA_DEPTH_MAX } from "../model/event.ts";
import { changeAccountRoute } from "./accounts/change.ts";
import { createAccountRoute } from "./accounts/create.ts";
import { listAccountsRoute } from "./accounts/list.ts";
import { readAccountRoute } from "./accounts/read.ts";
import { refuse } from "./errors.ts";
import { raiseRoute } from "./events/raise.ts";
import { healthRoutes } from "./health.ts";
import { createKeyRoute } from "./keys/create.ts";
import { listKeysRoute } from "./keys/list.ts";
import { revokeKeyRoute } from "./keys/revoke.ts";
import { operatorOnly } from "./operator.ts";
import type { OperatorPorts, OperatorRoute } from "./ports.ts";
import { listRoutes } from "./route-list.ts";

/** All bodies but those with events, which have a bound of their own. */
const BODY_BYTES_MAX = 64 * 1024;

/** `{events: [{data}]}`: three levels lie above an event's data. */
const LEVELS_ABOVE_DATA = 3;

const routes: readonly OperatorRoute[] = [
  raiseRoute,
  createAccountRoute,
  listAccountsRoute,
  readAccountRoute,
  changeAccountRoute,
  createKeyRoute,
  listKeysRoute,
  revokeKeyRoute,
];

/** The listener, ready to `listen` or `inject`. */
export function createOpsServer(ports: OperatorPorts): Listener {
  const app = openListener({
    bodyBytesMax: BODY_BYTES_MAX,
    jsonDepthMax: DATA_DEPTH_MAX + LEVELS_ABOVE_DATA,
    onBadUrl: (error, _request, reply) =>
      void refuse(reply, { code: "INVALID_REQUEST", message: error.message }),
  });
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.code === "INTERNAL_ERROR") {
      ports.log.error({ cause: error, route: request.routeOptions.url }, "a request of the operator failed");
    }
    return refuse(reply, refusal);
  });
  app.setNotFoundHandler(async (_request, reply) => {
    const message = "there is nothing at this path; GET / lists what there is";
    return refuse(reply, { code: "NOT_FOUND", message });
  });
  const refuseOtherMethods = collectMethods(app);
  listRoutes(app);
  healthRoutes(app, ports);
  const { gate, operatorToken, productRoutes = [] } = ports;
  void app.register(async (scope: Listener) => {
    gate?.guard(scope);
    scope.addHook("onRequest", operatorOnly(operatorToken));
    for (const route of [...routes, ...productRoutes.flatMap(({ guarded = [] }) => guarded)])
      route(scope, ports);
  });
  void app.register(async (scope: Listener) => {
    gate?.guard(scope);
    for (const route of productRoutes.flatMap(({ open = [] }) => open)) route(scope, ports);
  });
  refuseOtherMethods((reply, method, allowed) =>
    refuse(reply, {
      code: "METHOD_NOT_ALLOWED",
      message: `this path takes ${allowed}, not ${method}`,
      headers: { allow: allowed },
    }),
  );
  return app;
}
