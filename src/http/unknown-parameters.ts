/** Refuses query parameters and fields that an operation does not have, by name: otherwise a misspelt one would be ignored. */
import type { RouteOptions } from "fastify";
import Type, { type TObject } from "typebox";

import type { Listener } from "./listener.ts";

type Query = Pick<TObject, "properties"> & { readonly additionalProperties?: unknown };

type Operation = { readonly operationId?: string; readonly querystring?: Query; readonly body?: Query };

/** For all operations mounted after it whose query does not set `additionalProperties` itself. */
export function refuseUnknownParameters(app: Listener): void {
  app.addHook("onRoute", (route: RouteOptions) => {
    const schema = route.schema as Operation | undefined;
    if (schema?.operationId !== undefined)
      route.schema = { ...schema, querystring: closed(schema.querystring) };
  });
}

/** The same of bodies whose schema is an object. */
export function refuseUnknownFields(app: Listener): void {
  app.addHook("onRoute", (route: RouteOptions) => {
    const schema = route.schema as Operation | undefined;
    if (schema?.body?.properties !== undefined)
      route.schema = { ...schema, body: closed(schema.body, "fields") };
  });
}

const NO_PARAMETERS = Type.Object({});

function closed(query: Query = NO_PARAMETERS, what = "parameters"): Query {
  const { properties, additionalProperties } = query;
  if (additionalProperties !== undefined) return query;
  return Type.Object(properties, {
    additionalProperties: false,
    description: namesOf(Object.keys(properties), what),
  });
}

/** Of a body that is read by hand; null: it has none. */
export function unknownField(sent: object, names: readonly string[]): string | null {
  const unknown = Object.keys(sent).find((name) => !names.includes(name));
  return unknown === undefined ? null : ` has no ${unknown}: ${namesOf(names, "fields")}`;
}

function namesOf(names: readonly string[], what: string): string {
  if (names.length === 0) return `it takes no ${what}`;
  const last = names.at(-1)!;
  return `it takes ${names.length === 1 ? last : `${names.slice(0, -1).join(", ")} and ${last}`}`;
}
