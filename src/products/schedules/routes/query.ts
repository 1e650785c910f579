/** What the public routes share: none needs a key (spec 5: public_routes). */
import Type, { type TSchema } from "typebox";

import { answerSchema, refusalSchemas } from "../../../http/answer-schema.ts";
import type { ErrorCode } from "../../../model/errors.ts";
import type { Product } from "../../../model/product.ts";
import { SCAC_OR_EMPTY } from "../../../http/stated-rules.ts";

export function publicSchema(product: Product, data: TSchema, page: "page" | "whole", ...more: ErrorCode[]) {
  return {
    tags: ["Public"],
    security: [],
    response: {
      200: answerSchema(product, data, page),
      ...refusalSchemas(product, ["INVALID_REQUEST", ...more], "open"),
    },
  };
}

export const CarrierQuery = Type.Optional(
  Type.String({
    description: "only those of the carrier with this SCAC",
    stated: SCAC_OR_EMPTY,
  }),
);

export const CancelledQuery = Type.Optional(
  Type.Enum(["true", "false"], {
    description: "true: also calls that are blanked, slid, omitted or missing",
  }),
);
