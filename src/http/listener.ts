import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

import helmet from "@fastify/helmet";
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

import { readJson } from "../model/json.ts";
import { compileValidator } from "./validation.ts";
import { MINUTE_MS } from "../runtime/durations.ts";

/** What the public and the operator's listener share: limits, JSON, headers. */
export type Listener = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyRequest {
    /** The body's text, if JavaScript rounds one of its numbers (`model/json.ts`). */
    roundedFrom: string | null;
  }
}

export type ListenerOptions = {
  readonly bodyBytesMax: number;
  /** Objects and arrays counted. */
  readonly jsonDepthMax: number;
  /** Answers a request whose URL cannot be read. */
  readonly onBadUrl: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
  readonly rewriteUrl?: (request: IncomingMessage) => string;
  /** Addresses and ranges whose `X-Forwarded-For` counts. */
  readonly trustProxy?: readonly string[];
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
    requestTimeout: REQUEST_MS_MAX,
    connectionTimeout: SOCKET_IDLE_MS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS_MAX,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MS_MAX,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    return503OnClosing: false,
    clientErrorHandler: answerMalformed,
    frameworkErrors: options.onBadUrl,
    ...(options.rewriteUrl === undefined ? {} : { rewriteUrl: options.rewriteUrl }),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => JSON.stringify);
  readBodies(app, options.jsonDepthMax);
  // Answers hold secrets and fresh data; pages of documentation override this.
  app.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", "no-store"));
  void app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // The proxy that ends TLS sets it: it knows what else lives under the name.
    strictTransportSecurity: false,
  });
  return app;
}

/** Bodies are JSON. An empty body is none, whatever type it claims: many clients name one out of habit. */
function readBodies(app: Listener, jsonDepthMax: number): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest("roundedFrom", null);
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    const reading = readJson(body, jsonDepthMax);
    if (reading.ok) {
      request.roundedFrom = reading.roundedFrom ?? null;
      return done(null, reading.value);
    }
    return done(Object.assign(new Error(reading.message), { statusCode: 400 }));
  });
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
