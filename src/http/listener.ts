import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import {
  errorCodes,
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from "fastify";
import helmet from "helmet";

import { paced } from "./pipeline.ts";
import { traceRequests, type TraceRequest } from "./request-traces.ts";
import { boundConnections, type ConnectionBounds } from "./connections.ts";
import type { CommandView } from "../model/command-view.ts";
import { readJsonSteps } from "../model/json.ts";
import { createServer } from "../runtime/builtins.ts";
import type { Clock } from "../runtime/clock.ts";
import { compileValidator } from "./validation.ts";
import { MINUTE_MS } from "../runtime/durations.ts";
import { runInSlices } from "../runtime/time-slices.ts";

/** What the public and the operator's listener share: limits, JSON, headers. */
export type Listener = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifySchema {
    readonly "x-cli"?: CommandView;
  }
  interface FastifyContextConfig {
    /** An answer without an end is in no measure of how long answers take, and ends when its client sends no more. */
    readonly isEndless?: boolean;
  }
  interface FastifyRequest {
    /** The body's text, if JavaScript rounds one of its numbers (`model/json.ts`). */
    roundedFrom: string | null;
  }
}

/** `route` is the template, null for what no route answers. */
export type OnAnswered = (route: string | null, method: string, status: number, seconds: number) => void;

export type ListenerOptions = {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly bodyBytesMax: number;
  /** Objects and arrays counted. */
  readonly jsonDepthMax: number;
  /** Answers a request whose URL cannot be read. */
  readonly onBadUrl: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
  readonly onAnswered?: OnAnswered | undefined;
  readonly traceRequest?: TraceRequest | undefined;
  readonly rewriteUrl?: (request: IncomingMessage) => string;
  /** Addresses and ranges whose `X-Forwarded-For` counts. */
  readonly trustProxy?: readonly string[];
  readonly connections: ConnectionBounds;
};

/** How long a request, and its headers, may take to arrive. */
const REQUEST_MS_MAX = 15_000;
const HEADERS_MS_MAX = 10_000;

/** How often slow requests are detected. */
const CHECK_INTERVAL_MS = 2_500;

/** A socket on which nothing moves is closed; longer than any handler takes. */
const SOCKET_IDLE_MS_MAX = MINUTE_MS;

/** Longer than the usual minute of proxies, so that they close first. */
const KEEP_ALIVE_MS_MAX = 72_000;

const HEADER_BYTES_MAX = 16 * 1024;
/** As long as the header: routes explain better than the router what is wrong with an id. */
const PATH_PARAMETER_LENGTH_MAX = HEADER_BYTES_MAX;

export function openListener(options: ListenerOptions): Listener {
  const app: Listener = fastify({
    logger: false,
    bodyLimit: options.bodyBytesMax,
    serverFactory: (handle) => boundConnections(openHttpServer(handle), options.connections),
    routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    return503OnClosing: false,
    clientErrorHandler: answerMalformed,
    frameworkErrors: options.onBadUrl,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    ...(options.rewriteUrl === undefined ? {} : { rewriteUrl: options.rewriteUrl }),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => JSON.stringify);
  // No route takes it. Without a body, so that its refusal needs no content type.
  app.addHttpMethod("QUERY", { hasBody: false, overrideExisting: true });
  // In one hook, and without a promise: each further hook costs every request more than what it does.
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(EVERY_ANSWER);
    const { raw, routeOptions } = request;
    const refused = refusedAsAmbiguous(raw, reply);
    leaveBodyUnread(request, reply);
    if (routeOptions.config?.isEndless === true) raw.socket.once("end", () => reply.raw.destroy());
    done(refused);
  });
  readBodies(app, options);
  const { onAnswered, traceRequest } = options;
  if (traceRequest !== undefined) traceRequests(app, traceRequest);
  if (onAnswered !== undefined)
    app.addHook("onResponse", ({ routeOptions, method }, reply, done) => {
      if (routeOptions.config?.isEndless !== true || reply.statusCode !== 200)
        onAnswered(routeOptions.url ?? null, method, reply.statusCode, reply.elapsedTime / 1_000);
      done();
    });
  return app;
}

/** In place of Fastify's own, which loads a hundred modules of Ajv: a listener sets its compilers. */
function noCompiler(): never {
  throw new Error("the listener has no compiler of schemas");
}

/** Of every answer; pages and documents replace some. */
const EVERY_ANSWER: Readonly<Record<string, string>> = {
  // Answers hold secrets and fresh data.
  "cache-control": "no-store",
  ...securityHeaders(),
};

/** They are the same for all answers, so helmet is asked once. */
function securityHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  const fill = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // The proxy that ends TLS sets it: it knows what else lives under the name.
    strictTransportSecurity: false,
  });
  fill({} as IncomingMessage, answer as unknown as ServerResponse, (cause) => {
    if (cause !== undefined) throw new Error("no security headers", { cause });
  });
  return headers;
}

function openHttpServer(handle: RequestListener): Server {
  const options = {
    maxHeaderSize: HEADER_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    headersTimeout: HEADERS_MS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS_MAX,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  return paced(handle, (pacedHandle) => createServer(options, pacedHandle)).setTimeout(SOCKET_IDLE_MS_MAX);
}

/** Nothing is at that address, whatever the body is: the answer does not wait for it, and the connection ends with it. */
function leaveBodyUnread({ is404, headers }: FastifyRequest, reply: FastifyReply): void {
  if (!is404 || (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined))
    return;
  for (const name of ["content-type", "content-length", "transfer-encoding"]) delete headers[name];
  reply.header("connection", "close");
}

/**
 * What another server before this one may read in another way, so that its rules hold for another request than the one
 * that is answered. Node refuses the other forms.
 */
function refusedAsAmbiguous(raw: IncomingMessage, reply: FastifyReply): Error | undefined {
  const what = ambiguityOf(raw);
  if (what === null) return undefined;
  reply.header("connection", "close");
  return Object.assign(new Error(what), { statusCode: 400 });
}

function ambiguityOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  if (httpVersion === "0.9") return "HTTP/0.9 has no headers; use HTTP/1.1";
  if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined)
    return "HTTP/1.0 has no Transfer-Encoding";
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at]!)) hosts += 1;
  return hosts > 1 ? "the request names several hosts" : null;
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === "host";
}

/** Bodies are JSON. An empty body is none, whatever type it claims: many clients name one out of habit. */
function readBodies(app: Listener, { jsonDepthMax, clock }: ListenerOptions): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest("roundedFrom", null);
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      const reading = await runInSlices(readJsonSteps(body, jsonDepthMax), clock);
      if (!reading.ok) throw Object.assign(new Error(reading.message), { statusCode: 400 });
      request.roundedFrom = reading.roundedFrom ?? null;
      return reading.value;
    },
  );
  app.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, body, done) => {
    return body.length === 0 ? done(null, undefined) : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
}

/** Answers what is not HTTP. */
function answerMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const [status, message] = MALFORMED[error.code ?? ""] ?? [
    "400 Bad Request",
    "the request is not valid HTTP/1.1",
  ];
  const body = JSON.stringify({ ok: false, error: { code: "INVALID_REQUEST", message } });
  if (!socket.writable) return void socket.destroy(error);
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const MALFORMED: Readonly<Record<string, readonly [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request took too long to arrive"],
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    `the headers are larger than ${HEADER_BYTES_MAX} bytes`,
  ],
};
