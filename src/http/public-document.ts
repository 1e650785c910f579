/** Documents without a key: cacheable, with an ETag, and limited by address. */
import { createHash } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type TSchema } from "typebox";

import { refusalSchemas } from "./answer-schema.ts";
import type { Listener } from "./listener.ts";
import type { ProductContext } from "./ports.ts";
import { limitByAddress } from "./rate-limit.ts";

export type PublicDocument = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly mediaType: "application/json" | "application/schema+json";
  readonly schema: TSchema;
  readonly text: () => string;
};

/** How long, in seconds, a cache may keep a document. */
const FRESH_S = 300;

export function publicDocumentRoute(app: Listener, context: ProductContext, document: PublicDocument): void {
  const { path, operationId, summary, mediaType, text } = document;
  // It takes any parameter, and any version.
  const { 400: _, ...refusals } = refusalSchemas(context.product, [], "open");
  const schema = {
    operationId,
    tags: ["Public"],
    summary,
    description: `${document.description} Limited by address.`,
    security: [],
    // Clients add a parameter of their own to pass by caches.
    querystring: Type.Object({}, { additionalProperties: true }),
    response: {
      200: {
        description: "Done",
        content: { [mediaType]: { schema: document.schema } },
      },
      304: { type: "null", "x-response-description": "It is what If-None-Match names" },
      ...refusals,
    },
  };
  // A client that pins a version that is gone can still read which there are.
  const config = { pinsVersion: false };
  app.get(path, { schema, config, onRequest: limitByAddress(context) }, async (request, reply) => {
    // As bytes: a text would be written as JSON once more.
    return answerFresh(request, reply, mediaType, Buffer.from(text()));
  });
}

export function answerFresh(request: FastifyRequest, reply: FastifyReply, mediaType: string, body: Buffer) {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  reply.headers({ etag, "cache-control": `public, max-age=${FRESH_S}` });
  if (namesTag(request.headers["if-none-match"], etag))
    return reply.code(304).removeHeader("content-encoding").send();
  return reply.type(mediaType).send(body);
}

/** Compares weakly (RFC 9110, 13.1.2). */
function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((tag) => [weak(etag), "*"].includes(weak(tag.trim())));
}

function weak(tag: string): string {
  return tag.replace(/^W\//, "");
}
