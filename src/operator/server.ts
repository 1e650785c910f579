/**
 * The operator's listener: health and figures for monitoring, and behind the operator's token accounts,
 * keys, the raising of events and the products' own routes. Keep it off the open internet.
 */
import type { RouteOptions } from "fastify";
import Type from "typebox";

import { textAnswer } from "../http/answer-schema.ts";
import { openListener, type Listener } from "../http/listener.ts";
import { refuseTheRest } from "../http/fallbacks.ts";
import { refuseUnknownFields, refuseUnknownParameters } from "../http/unknown-parameters.ts";
import { DATA_DEPTH_MAX } from "../model/event.ts";
import { changeAccountRoute, createAccountRoute, listAccountsRoute, readAccountRoute } from "./accounts.ts";
import { listCellsRoute, openCellRoutes } from "./cells.ts";
import { removeAccountRoute } from "./remove-account.ts";
import { mountConsole } from "./console/pages.ts";
import { signInRoute, signOutRoute } from "./console/session-routes.ts";
import { createSessions } from "./console/session.ts";
import { liveRoute } from "./console/live.ts";
import { historyRoute, settingsRoute } from "./console/routes.ts";
import { mountOperatorDocument } from "./document.ts";
import { enableRoute, readDeliveryRoute } from "./endpoints.ts";
import { endpointHealthRoute } from "./endpoint-health.ts";
import { refuse } from "./errors.ts";
import { readEventRoute, searchEventsRoute } from "./events-of-all.ts";
import { raiseRoute } from "./events.ts";
import { findRoute } from "./find.ts";
import { requireHost } from "./host-names.ts";
import { createKeyRoute, listKeysRoute, revokeKeyRoute } from "./keys.ts";
import { listEndpointsRoute, listFailingRoute, readEndpointRoute } from "./list-endpoints.ts";
import { migrationsRoute } from "./migrations.ts";
import { listPortalLinksRoute, revokePortalLinkRoute } from "./portal-links.ts";
import { createLimiter } from "../http/limiter.ts";
import { operatorOnly, refuseCounted } from "./operator.ts";
import type { OperatorPorts, OperatorRoute } from "./ports.ts";
import { readBodyRoute, searchDeliveriesRoute } from "./search-deliveries.ts";
import { nameOperations } from "./shown-routes.ts";
import { signatureRoute } from "./signatures.ts";
import { statusRoute } from "./status.ts";
import { createTokenWarnings } from "./token-warnings.ts";

/** All bodies but those with events, which have a bound of their own. */
const BODY_BYTES_MAX = 64 * 1024;

/** Of its descriptors, which the public listener's bound keeps free: each producer of events keeps some open. */
const CONNECTIONS_SHARE = 1 / 8;
const CONNECTIONS_MIN = 200;

/** Refused requests of one address, a minute. */
const FAILURES_MAX = 60;

/** `{events: [{data}]}`: three levels lie above an event's data. */
const LEVELS_ABOVE_DATA = 3;

const routes: readonly OperatorRoute[] = [
  raiseRoute,
  createAccountRoute,
  listAccountsRoute,
  readAccountRoute,
  changeAccountRoute,
  removeAccountRoute,
  createKeyRoute,
  listKeysRoute,
  revokeKeyRoute,
  listPortalLinksRoute,
  revokePortalLinkRoute,
  listFailingRoute,
  enableRoute,
  readDeliveryRoute,
  listEndpointsRoute,
  readEndpointRoute,
  searchDeliveriesRoute,
  readBodyRoute,
  signatureRoute,
  searchEventsRoute,
  readEventRoute,
  findRoute,
  endpointHealthRoute,
  statusRoute,
  liveRoute,
  historyRoute,
  settingsRoute,
  migrationsRoute,
  listCellsRoute,
  openCellRoutes,
  signOutRoute,
];

/** The listener, ready to `listen` or `inject`. */
export function createOpsServer(given: OperatorPorts): Listener {
  const failures = createLimiter(given.clock, FAILURES_MAX);
  const sessions = createSessions(given.operatorToken, given);
  const tokenWarnings = createTokenWarnings(given);
  const ports = { ...given, failures, sessions, tokenWarnings };
  const { openFilesMax = 0 } = ports;
  const app = openListener({
    clock: ports.clock,
    bodyBytesMax: BODY_BYTES_MAX,
    connections: { connectionsMax: Math.max(CONNECTIONS_MIN, openFilesMax * CONNECTIONS_SHARE) },
    jsonDepthMax: DATA_DEPTH_MAX + LEVELS_ABOVE_DATA,
    onAnswered: ports.onAnswered,
    traceRequest: ports.traceRequests?.ops,
    onBadUrl: (error, _request, reply) =>
      void refuse(reply, { code: "INVALID_REQUEST", message: error.message }),
  });
  app.addHook("onClose", async () => tokenWarnings.close());
  requireHost(app, ports.opsHosts ?? []);
  const nothingHere = "there is nothing at this path; GET / lists what there is";
  refuseTheRest(app, ports.log, refuse, nothingHere, (reply, refusal) =>
    refuseCounted(failures, reply.request, reply, refusal),
  );
  nameOperations(app);
  listRoutes(app);
  mountOperatorDocument(app);
  mountConsole(app);
  void app.register(async (scope: Listener) => healthRoutes(scope, ports));
  const { gate, productRoutes = [] } = ports;
  void app.register(async (scope: Listener) => {
    gate?.guard(scope);
    refuseUnknown(scope);
    scope.addHook("onRequest", operatorOnly(ports));
    for (const route of [...routes, ...productRoutes.flatMap(({ guarded = [] }) => guarded)])
      route(scope, ports);
  });
  void app.register(async (scope: Listener) => {
    gate?.guard(scope);
    refuseUnknown(scope);
    for (const route of [signInRoute, ...productRoutes.flatMap(({ open = [] }) => open)]) route(scope, ports);
  });
  return app;
}

function refuseUnknown(scope: Listener): void {
  refuseUnknownParameters(scope);
  refuseUnknownFields(scope);
}

/** `GET /`: the routes of the listener. To be mounted before all others. Needs no token. */
function listRoutes(app: Listener): void {
  const known: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void known.push(route));
  app.get("/", async () => {
    // What hides a route may run after this hook. HEAD comes with every GET.
    const open = known.filter(({ schema }) => schema?.hide !== true);
    const shown = open.flatMap(({ method, url }) =>
      [method]
        .flat()
        .flatMap((one) => (one === "HEAD" ? [] : [`${one} ${url.replaceAll(/:(\w+)/g, "{$1}")}`])),
    );
    return { documentation: "docs/operator-api.md", routes: shown };
  });
}

const Reasons = Type.Record(Type.String(), Type.String());

const Workers = Type.Optional(Type.Record(Type.String(), Reasons));

const Ready = Type.Object({
  status: Type.Literal("ready"),
  checks: Type.Optional(Reasons),
  cells: Type.Optional(Reasons),
  workers: Workers,
});

const NotReady = Type.Object(
  { status: Type.Literal("not ready"), reason: Type.String(), checks: Reasons, workers: Workers },
  { title: "NotReady", description: "it cannot serve now" },
);

/** For monitoring: alive, able to serve, and its figures. Needs no token; answered until the process ends. */
function healthRoutes(
  app: Listener,
  { notReady, illCells, degraded = () => ({}), metrics }: OperatorPorts,
): void {
  const liveness = { summary: "Whether the process lives", security: [] };
  app.get("/healthz", { schema: liveness }, async () => ({ status: "ok" }));

  const readiness = {
    summary: "Whether it can serve",
    security: [],
    response: { 200: Ready, 503: NotReady },
  };
  app.get("/readyz", { schema: readiness }, async (_request, reply) => {
    const { checks, ...workers } = await notReady();
    const reasons = Object.values(checks);
    if (reasons.length === 0) {
      const lesser = degraded();
      const cells = Object.fromEntries(await illCells());
      return {
        status: "ready" as const,
        ...(Object.keys(lesser).length > 0 && { checks: lesser }),
        ...(Object.keys(cells).length > 0 && { cells }),
        ...workers,
      };
    }
    const reason = reasons.join("; ");
    return reply.code(503).send({ status: "not ready", reason, checks, ...workers });
  });

  const figures = {
    summary: "Its figures, for Prometheus",
    security: [],
    response: { 200: textAnswer("text/plain") },
  };
  app.get("/metrics", { schema: figures }, async (_request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
