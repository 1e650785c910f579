import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import Type from "typebox";

import { mismatchOf } from "../model/validation-error.ts";

/**
 * Checks requests against the schemas that also make the documentation. It coerces nothing but the digits of whole
 * numbers in a query string, and neither fills in nor removes anything.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "body" }) => {
  const isQuery = httpPart === "querystring";
  const root = isQuery ? "query" : httpPart;
  return (sent: unknown) => {
    const repeated = isQuery ? repeatedIn(schema, sent) : undefined;
    if (repeated !== undefined) return { error: new Error(`query.${repeated} is given more than once`) };
    const value = isQuery ? readNumbers(schema, sent) : sent;
    const wrong = mismatchOf(schema, value, root);
    return wrong === null ? { value } : { error: new Error(wrong) };
  };
};

/** Of a route that reads its body by hand: the schema of the body is for the document. */
export const compileAllButBody: FastifySchemaCompiler<TSchema> = (route) =>
  route.httpPart === "body" ? (value: unknown) => ({ value }) : compileValidator(route);

/** At most `lengthMax` UTF-16 code units; JSON Schema's own `maxLength` counts visible characters. */
export function boundedText(
  lengthMax: number,
  options: { readonly description: string; readonly minLength?: number },
) {
  return Type.Refine(Type.String({ maxLength: lengthMax, ...options }), (text) => text.length <= lengthMax);
}

const WHOLE_NUMBER = /^\d{1,15}$/;

type Query = { readonly properties?: Readonly<Record<string, { readonly type?: string }>> };

/** A parameter that the query has, and has several times: it is read as a list, and none takes one. */
function repeatedIn(schema: TSchema, sent: unknown): string | undefined {
  const { properties = {} } = schema as Query;
  return Object.entries(sent ?? {}).find(([name, value]) => name in properties && Array.isArray(value))?.[0];
}

function readNumbers(schema: TSchema, sent: unknown): unknown {
  const { properties = {} } = schema as Query;
  if (typeof sent !== "object" || sent === null) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const isNumber = properties[name]?.type === "integer" && WHOLE_NUMBER.test(String(value));
      return [name, isNumber && typeof value === "string" ? Number(value) : value];
    }),
  );
}
