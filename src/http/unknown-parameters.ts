/** Refuses query parameters that an operation does not have, by name: otherwise a misspelt one would be ignored. */
import type { RouteOptions } from "fastify";
import Type, { type TObject } from "typebox";

import type { Listener } from "./listener.ts";

type Query = Pick<TObject, "properties"> & { readonly additionalProperties?: unknown };

type Operation = { readonly operationId?: string; readonly querystring?: Query };

/** For all operations mounted after it whose query does not set `additionalProperties` itself. */
export function refuseUnknownParameters(app: Listener): void {
  app.addHook("onRoute", (route: RouteOptions) => {
    const schema = route.schema as Operation | undefined;
    if (schema?.operationId !== undefined)
      route.schema = { ...schema, querystring: closed(schema.querystring) };
  });
}

const NO_PARAMETERS = Type.Object({});

function closed(query: Query = NO_PARAMETERS): Query {
  const { properties, additionalProperties } = query;
  if (additionalProperties !== undefined) return query;
  return Type.Object(properties, {
    additionalProperties: false,
    description: namesOf(Object.keys(properties)),
  });
}

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return "there are no parameters";
  const last = names.at(-1)!;
  return names.length === 1 ? `there is ${last}` : `there are ${names.slice(0, -1).join(", ")} and ${last}`;
}
