import type { FastifyReply, FastifyRequest } from "fastify";

import { ERRORS, type ErrorCode } from "../model/errors.ts";
import type { Product } from "../model/product.ts";
import type { Refusal } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The version that the request pins. */
    apiVersion: string | null;
  }
}

/** How a product wraps its answers (spec 4.1: envelope_ok, envelope_data, envelope_api_version). */
export type EnvelopeOptions = Pick<Product, "envelope" | "versions">;

export function answer(
  reply: FastifyReply,
  product: EnvelopeOptions,
  status: 200 | 201 | 202,
  data: unknown,
  next: { readonly next_cursor?: string } = {},
): FastifyReply {
  return answerFlat(reply, product, status, { data, ...next });
}

/** For routes whose answers have no `data` (spec 2.5, 4.2). */
export function answerFlat(
  reply: FastifyReply,
  product: EnvelopeOptions,
  status: 200 | 201 | 202,
  fields: object,
): FastifyReply {
  return reply.code(status).send({
    ...(product.envelope === "ok-and-data" ? { ok: true } : {}),
    ...fields,
    ...versionField(reply.request, product),
  });
}

export function refuse(reply: FastifyReply, product: EnvelopeOptions, refusal: Refusal): FastifyReply {
  const { code, message, headers = {} } = refusal;
  return reply
    .code(ERRORS[code])
    .headers(headers)
    .type("application/json")
    .send(errorIn(product, { code: codeIn(product, code), message }, versionOf(reply.request, product)));
}

/** The body of a refusal. */
export function errorIn(
  { envelope, versions }: EnvelopeOptions,
  error: { readonly code: string; readonly message: string },
  version: string | null = versions.at(-1) ?? null,
): object {
  return {
    ...(envelope === "ok-and-data" ? { ok: false } : {}),
    error,
    ...(version === null ? {} : { api_version: version }),
  };
}

/** A code in the product's case (spec 7: invalid_url, not_found). */
export function codeIn(product: EnvelopeOptions, code: ErrorCode): string {
  return product.envelope === "data-only" ? code.toLowerCase() : code;
}

/** The version that answers: the pinned one, or the oldest; null: the product has none (spec 9: api_version). */
export function versionOf(request: FastifyRequest, product: EnvelopeOptions): string | null {
  return request.apiVersion ?? product.versions[0] ?? null;
}

function versionField(request: FastifyRequest, product: EnvelopeOptions): { readonly api_version?: string } {
  const version = versionOf(request, product);
  return version === null ? {} : { api_version: version };
}
