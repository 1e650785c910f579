/** Checks event data when it is raised, so that every delivered body is right (spec 2.4). */
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";

import { validationMessage } from "./validation-error.ts";
import type { EventType, Product } from "./product.ts";
import { AnyObject } from "./data-types.ts";

export type EventCheck = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Says whether `data` is what an event of that type carries; the message names the place in `data`. */
export type CheckEventData = (product: string, type: string, data: unknown) => EventCheck;

const OK: EventCheck = { ok: true };

/** For Boathook's own producers. Compiles each schema once. */
export function createEventDataCheck(products: readonly Product[]): CheckEventData {
  return compileCheck(products, ({ data }) => data);
}

/** For operators: any object where the specification leaves the payloads open. */
export function createOperatorDataCheck(products: readonly Product[]): CheckEventData {
  return compileCheck(products, ({ data }, { arePayloadsOpen }) =>
    arePayloadsOpen === true ? AnyObject : data,
  );
}

type SchemaOf = (type: EventType, product: Product) => TSchema;

function compileCheck(products: readonly Product[], schemaOf: SchemaOf): CheckEventData {
  const compiled = new Map<TSchema, Validator>();
  const checks = new Map(products.map((product) => [product.tag, validatorsOf(product, schemaOf, compiled)]));
  const tags = products.map((product) => product.tag).join(", ");

  return (product, type, data) => {
    const types = checks.get(product);
    if (types === undefined) return refused(`product must be one of ${tags}`);
    const check = types.get(type);
    if (check === undefined) {
      return refused(`type must be one of those ${product} emits: ${[...types.keys()].join(", ")}`);
    }
    if (check.Check(data)) return OK;
    return refused(validationMessage(check.Type(), check.Errors(data), "data"));
  };
}

/** Types share schemas, and a schema takes about a millisecond to compile. */
function validatorsOf(
  product: Product,
  schemaOf: SchemaOf,
  compiled: Map<TSchema, Validator>,
): ReadonlyMap<string, Validator> {
  const raised = product.catalogue.filter((type) => type.raised);
  return new Map(
    raised.map((type) => {
      const schema = schemaOf(type, product);
      const check = compiled.get(schema) ?? Compile(schema);
      compiled.set(schema, check);
      return [type.name, check];
    }),
  );
}

function refused(message: string): EventCheck {
  return { ok: false, message };
}
