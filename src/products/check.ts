/** Event data is checked when it is raised, so that no wrong body is ever delivered (spec 2.4). */
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";

import { complaintOf } from "../model/complaint.ts";
import type { Product } from "../model/product.ts";

export type EventCheck = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Says whether `data` is what an event of that type carries; the message names the place in `data`. */
export type CheckEventData = (product: string, type: string, data: unknown) => EventCheck;

const OK: EventCheck = { ok: true };

/** Compiles the schemas of all types that can be raised, once. */
export function eventDataCheck(products: readonly Product[]): CheckEventData {
  const compiled = new Map<TSchema, Validator>();
  const checks = new Map(products.map((product) => [product.tag, checksOf(product, compiled)]));
  const tags = products.map((product) => product.tag).join(", ");

  return (product, type, data) => {
    const types = checks.get(product);
    if (types === undefined) return refused(`product must be one of ${tags}`);
    const check = types.get(type);
    if (check === undefined) {
      return refused(`type must be one of those ${product} emits: ${[...types.keys()].join(", ")}`);
    }
    if (check.Check(data)) return OK;
    return refused(complaintOf(check.Type(), check.Errors(data), "data"));
  };
}

/** Types share schemas, and a schema takes about a millisecond to compile. */
function checksOf(product: Product, compiled: Map<TSchema, Validator>): ReadonlyMap<string, Validator> {
  const raised = product.catalogue.filter((type) => type.raised);
  return new Map(
    raised.map(({ name, data }) => {
      const check = compiled.get(data) ?? Compile(data);
      compiled.set(data, check);
      return [name, check];
    }),
  );
}

function refused(message: string): EventCheck {
  return { ok: false, message };
}
