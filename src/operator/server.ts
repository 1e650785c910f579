/**
 * The operator's listener: health and figures for monitoring, and behind the operator's token accounts,
 * keys, the raising of events and the products' own routes. Keep it off the open internet.
 */
import { openListener, type Listener } from "../http/listener.ts";
import { refuseTheRest } from "../http/fallbacks.ts";
import { DATA_DEPTH_MAX } from "../model/event.ts";
import { changeAccountRoute, createAccountRoute, listAccountsRoute, readAccountRoute } from "./accounts.ts";
import { refuse } from "./errors.ts";
import { raiseRoute } from "./events.ts";
import { createKeyRoute, listKeysRoute, revokeKeyRoute } from "./keys.ts";
import { operatorOnly } from "./operator.ts";
import type { OperatorPorts, OperatorRoute } from "./ports.ts";

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
  const nothingHere = "there is nothing at this path; GET / lists what there is";
  const refuseOtherMethods = refuseTheRest(app, ports.log, refuse, nothingHere);
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
  refuseOtherMethods();
  return app;
}

/** `GET /`: the routes of the listener. To be mounted before all others. Needs no token. */
function listRoutes(app: Listener): void {
  const listed: string[] = [];
  app.addHook("onRoute", ({ method, url, schema }) => {
    if (schema?.hide === true) return;
    for (const one of [method].flat()) {
      // HEAD comes with every GET.
      if (one !== "HEAD") listed.push(`${one} ${url.replaceAll(/:(\w+)/g, "{$1}")}`);
    }
  });
  app.get("/", async () => ({ documentation: "docs/operator-api.md", routes: listed }));
}

/** For monitoring: alive, able to serve, and its figures. Needs no token; answered until the process ends. */
function healthRoutes(
  app: Listener,
  { notReady, illCells, degraded = () => ({}), metrics }: OperatorPorts,
): void {
  app.get("/healthz", async () => ({ status: "ok" }));

  app.get("/readyz", async (_request, reply) => {
    const { checks, ...workers } = await notReady();
    const reasons = Object.values(checks);
    if (reasons.length === 0) {
      const lesser = degraded();
      const cells = Object.fromEntries(await illCells());
      return {
        status: "ready",
        ...(Object.keys(lesser).length > 0 && { checks: lesser }),
        ...(Object.keys(cells).length > 0 && { cells }),
        ...workers,
      };
    }
    return reply.code(503).send({ status: "not ready", reason: reasons.join("; "), checks, ...workers });
  });

  app.get("/metrics", async (_request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
