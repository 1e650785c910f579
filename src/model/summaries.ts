/** The line that gives an event (in-words.ts), by its product and type. */
import Type from "typebox";

import { nullable } from "./data-types.ts";
import { cut } from "./in-words.ts";
import type { JsonObject } from "./json.ts";
import type { Product } from "./product.ts";

/** In an answer. */
export const Summary = nullable(Type.String(), {
  description: "the event in one line, for people; null: there is no more to say than its type",
});

/** Null also where the type has no line. */
export type SummaryOf = (product: string, type: string, data: JsonObject) => string | null;

const LINE_LENGTH_MAX = 200;

export function createSummaries(products: readonly Product[]): SummaryOf {
  const lines = new Map(
    products.flatMap(({ tag, catalogue }) =>
      catalogue.flatMap(({ name, inWords }) => (inWords === undefined ? [] : [[`${tag} ${name}`, inWords]])),
    ),
  );
  return (product, type, data) => {
    const line = lines.get(`${product} ${type}`)?.(data) ?? null;
    return line === null ? null : cut(line, LINE_LENGTH_MAX);
  };
}
