/** Requests as traces see them: from the headers to the end of the answer. */
import type { IncomingHttpHeaders } from "node:http";

import type { FastifyInstance } from "fastify";

export type TracedRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** The template. */
  readonly route: string;
  /** Without the query. */
  readonly path: string;
};

export type TraceRequest = (request: TracedRequest) => RequestTrace;

/** Callers of the operator's listener are trusted. */
export type TraceRequests = { readonly api: TraceRequest; readonly ops: TraceRequest };

export type RequestTrace = {
  /** Runs what answers the request: what it raises belongs to the request. */
  within(handle: () => void): void;
  answered(status: number): void;
};

declare module "fastify" {
  interface FastifyRequest {
    trace: RequestTrace | null;
  }
}

/** What monitoring asks for every few seconds. */
const UNTRACED: readonly string[] = ["/healthz", "/readyz", "/metrics"];

/** Traces what routes answer. Mount it before them. */
export function traceRequests(
  app: Pick<FastifyInstance, "decorateRequest" | "addHook">,
  trace: TraceRequest,
): void {
  app.decorateRequest("trace", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, method, url } = request;
    const { url: route } = request.routeOptions;
    if (route !== undefined && !UNTRACED.includes(route))
      request.trace = trace({ headers, method, route, path: url.split("?", 1)[0]! });
    done();
  });
  // Not earlier: what arrives of the body runs outside.
  app.addHook("preHandler", ({ trace: begun }, _reply, done) => {
    if (begun === null) done();
    else begun.within(done);
  });
  app.addHook("onResponse", ({ trace: begun }, { statusCode }, done) => {
    begun?.answered(statusCode);
    done();
  });
}
