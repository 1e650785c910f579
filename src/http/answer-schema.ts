/** The schemas of answers: each product's envelope around what the routes return. */
import Type, { type TProperties, type TSchema } from "typebox";

import { ERRORS, type ErrorCode } from "../model/errors.ts";
import type { Product } from "../model/product.ts";
import { codeIn } from "./envelope.ts";
import { NextCursor } from "./page.ts";

export function answerSchema(product: Product, data: TSchema, page: "page" | "whole" = "whole"): TSchema {
  return succeeded(product, {
    data,
    ...(page === "page" ? { next_cursor: NextCursor } : {}),
  });
}

/** What a route with a key answers: `data`, and the refusals. */
export function answersOf(
  product: Product,
  data: TSchema,
  codes: readonly ErrorCode[],
  page: "page" | "whole" = "whole",
): Readonly<Record<string, TSchema>> {
  return { 200: answerSchema(product, data, page), ...refusalSchemas(product, codes) };
}

/** The schema of a route without a key (spec 5: public_routes). */
export function publicSchema(
  product: Product,
  data: TSchema,
  codes: readonly ErrorCode[] = [],
  page: "page" | "whole" = "whole",
) {
  const response = { 200: answerSchema(product, data, page), ...refusalSchemas(product, codes, "open") };
  return { tags: ["Public"], security: [], response };
}

/** For answers that are no JSON. */
export function textAnswer(type: string) {
  return { description: "Done", content: { [type]: { schema: Type.String() as TSchema } } };
}

/** For routes whose answers have no `data` (spec 2.5, 4.2). */
export function flatAnswerSchema(product: Product, fields: TProperties): TSchema {
  return succeeded(product, fields);
}

function succeeded(product: Product, fields: TProperties): TSchema {
  return Type.Object(
    {
      ...(product.envelope === "ok-and-data" ? { ok: Type.Literal(true) } : {}),
      ...fields,
      ...versionSchema(product),
    },
    { "x-response-description": "Done" },
  );
}

/** Refusals by status: those of every route, those of routes with a key, and `codes`. */
export function refusalSchemas(
  product: Product,
  codes: readonly ErrorCode[],
  access: "keyed" | "open" = "keyed",
): Readonly<Record<string, TSchema>> {
  const common: readonly ErrorCode[] = [
    "INVALID_REQUEST",
    ...(product.versions.length > 0 ? (["UNKNOWN_VERSION"] as const) : []),
    ...(access === "keyed" ? (["UNAUTHORIZED"] as const) : []),
    "RATE_LIMITED",
    "INTERNAL_ERROR",
    "UNAVAILABLE",
  ];
  const given = codes.filter((code) => code !== "ENTITLEMENT_REQUIRED" || product.entitlement !== null);
  const all = [...new Set([...common, ...given])];
  const statuses = [...new Set(all.map((code) => ERRORS[code]))].toSorted((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const names = all.filter((code) => ERRORS[code] === status).map((code) => codeIn(product, code));
      return [status, { ...errorSchema(product), "x-response-description": names.join(", ") }];
    }),
  );
}

function errorSchema(product: Product): TSchema {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return Type.Object(
    {
      ...(product.envelope === "ok-and-data" ? { ok: Type.Literal(false) } : {}),
      error: Type.Object({
        code: Type.Enum(codes.map((code) => codeIn(product, code))),
        message: Type.String({ description: "what to change, for people" }),
      }),
      ...versionSchema(product),
    },
    { title: "Refusal" },
  );
}

function versionSchema(product: Product): { readonly api_version?: TSchema } {
  if (product.versions.length === 0) return {};
  return { api_version: Type.Enum([...product.versions], { description: "the version that answered" }) };
}
