/**
 * Says in one sentence what is wrong with a value that a schema refused, and where: `data.eta must …`.
 * The message is for the person who sent the value, so it names the place as they would write it.
 */
import type { TSchema } from "typebox";
import type { TLocalizedValidationError } from "typebox/error";

import { ruleText } from "./rule-text.ts";

/** `errors` are those of one check, at least one; `root` is what the value is called: `body`, `data`. */
export function validationMessage(
  schema: TSchema,
  errors: readonly TLocalizedValidationError[],
  root: string,
): string {
  const first = errors[0]!;
  const place = placeOf(root, first.instancePath);
  const stranger = errors.find((error) => error.keyword === "additionalProperties");
  if (first.keyword === "required") {
    const lacks = `${place} lacks ${first.params.requiredProperties.join(", ")}`;
    if (stranger?.instancePath !== first.instancePath) return lacks;
    // Most likely it is there by another name.
    const names = stranger.params.additionalProperties.join(", ");
    return `${lacks}, and has ${names}, which is not known${meaningOf(schema, stranger.schemaPath)}`;
  }
  if (first.keyword === "enum") return `${place} must be one of ${first.params.allowedValues.join(", ")}`;
  if (first.keyword === "type") return `${place} must be ${typesWanted(errors, first.instancePath)}`;
  if (stranger !== undefined) {
    const names = stranger.params.additionalProperties.join(", ");
    return `${placeOf(root, stranger.instancePath)} has no ${names}${meaningOf(schema, stranger.schemaPath)}`;
  }
  return `${place} ${ruleText(first)}${meaningOf(schema, first.schemaPath)}`;
}

function meaningOf(schema: TSchema, schemaPath: string): string {
  const description = memberOf(schemaAt(schema, schemaPath), "description");
  return typeof description === "string" ? `: ${description}` : "";
}

/** A value that may be one of several types draws one error for each. */
function typesWanted(errors: readonly TLocalizedValidationError[], instancePath: string): string {
  const types = errors.flatMap((error) =>
    error.keyword === "type" && error.instancePath === instancePath ? [error.params.type].flat() : [],
  );
  return [...new Set(types)].map((type) => ARTICLES[type] ?? type).join(" or ");
}

const ARTICLES: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

/** `/recent/3/at` of `data` is `data.recent[3].at`. */
function placeOf(root: string, instancePath: string): string {
  const steps = instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return root + steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join("");
}

function schemaAt(schema: TSchema, schemaPath: string): unknown {
  return schemaPath.split("/").slice(1).reduce(memberOf, schema);
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}
