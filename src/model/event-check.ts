/** Checks event data when it is raised, so that every delivered body is right (spec 2.4). */
import type { TSchema } from "typebox";

import { mismatchOf } from "./validation-error.ts";
import type { EventType, Product } from "./product.ts";
import { AnyObject } from "./data-types.ts";

export type EventCheck = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Says whether `data` is what an event of that type carries; the message names the place in `data`. */
export type CheckEventData = (product: string, type: string, data: unknown) => EventCheck;

const OK: EventCheck = { ok: true };

/** For Boathook's own producers. */
export function createEventDataCheck(products: readonly Product[]): CheckEventData {
  return checkBy(products, ({ data }) => data);
}

/** For operators: any object where the specification leaves the payloads open. */
export function createOperatorDataCheck(products: readonly Product[]): CheckEventData {
  return checkBy(products, ({ data }, { arePayloadsOpen }) => (arePayloadsOpen === true ? AnyObject : data));
}

type SchemaOf = (type: EventType, product: Product) => TSchema;

function checkBy(products: readonly Product[], schemaOf: SchemaOf): CheckEventData {
  const schemas = new Map(products.map((product) => [product.tag, schemasOf(product, schemaOf)]));
  const tags = products.map((product) => product.tag).join(", ");

  return (product, type, data) => {
    const types = schemas.get(product);
    if (types === undefined) return refused(`product must be one of ${tags}`);
    const schema = types.get(type);
    if (schema === undefined) {
      return refused(`type must be one of those ${product} emits: ${[...types.keys()].join(", ")}`);
    }
    const wrong = mismatchOf(schema, data, "data");
    return wrong === null ? OK : refused(wrong);
  };
}

function schemasOf(product: Product, schemaOf: SchemaOf): ReadonlyMap<string, TSchema> {
  const raised = product.catalogue.filter((type) => type.raised);
  return new Map(raised.map((type) => [type.name, schemaOf(type, product)]));
}

function refused(message: string): EventCheck {
  return { ok: false, message };
}
