import type { IncomingMessage } from "node:http";

import type { FastifyReply, RouteOptions } from "fastify";

import type { Log } from "../runtime/log.ts";
import type { Listener } from "./listener.ts";
import { refusalOf, type Refusal } from "./refusal.ts";

type Route = { readonly segments: readonly string[]; readonly methods: readonly string[] };

type Refuse = (reply: FastifyReply, refusal: Refusal) => FastifyReply;

/** Of a body that is refused; the listener bounds its time. */
const READ_AWAY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Reads what is left of a body. The connection closes behind the answer: a client or proxy that still sends would find
 * it closed, and never read the answer.
 */
async function readAway(body: IncomingMessage): Promise<void> {
  if (body.readableEnded || body.destroyed) return;
  let left = READ_AWAY_BYTES_MAX;
  await new Promise<void>((resolve) => {
    body.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) resolve();
    });
    for (const end of ["end", "error", "close"]) body.once(end, resolve);
  });
}

/**
 * Answers what no route of the scope answers: errors, unknown paths with `nothingHere`, and methods that a path does
 * not have. Call it before the scope's routes are mounted.
 */
export function refuseTheRest(
  app: Listener,
  log: Log,
  refuse: Refuse,
  nothingHere: string,
  refuseUnknown: (reply: FastifyReply, refusal: Refusal) => unknown = refuse,
): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error, request.routeOptions.bodyLimit);
    if (refusal.code === "INTERNAL_ERROR") {
      const { url: route } = request.routeOptions;
      log.error({ cause: error, route, method: request.method }, "a request failed");
    }
    if (refusal.code === "PAYLOAD_TOO_LARGE") await readAway(request.raw);
    return refuse(reply, refusal);
  });
  const routes: Route[] = [];
  app.addHook("onRoute", ({ url, method }: RouteOptions & { readonly url: string }) => {
    // The other form of a path that is there already, and files.
    if (/[/*]$/.test(url)) return;
    routes.push({ segments: url.split("/"), methods: [method].flat() });
  });
  void app.register(async (rest) => {
    // Before the body is read, and before a key is asked for.
    rest.addHook("onRequest", async ({ url, method }, reply) => {
      const segments = url.split("?", 1)[0]!.split("/");
      const methods = new Set(routes.flatMap((route) => (leads(route, segments) ? route.methods : [])));
      if (methods.size === 0 || methods.has(method)) return undefined;
      const allowed = [...methods].join(", ");
      const message = `this path takes ${allowed}, not ${method}`;
      await refuseUnknown(reply, { code: "METHOD_NOT_ALLOWED", message, headers: { allow: allowed } });
      return reply;
    });
    rest.setNotFoundHandler(async (_request, reply) => {
      await refuseUnknown(reply, { code: "NOT_FOUND", message: nothingHere });
      return reply;
    });
  });
}

/** A parameter is a whole segment. */
function leads(route: Route, segments: readonly string[]): boolean {
  return (
    route.segments.length === segments.length &&
    route.segments.every((one, index) => one === segments[index] || one.startsWith(":"))
  );
}
