/**
 * Says what a schema found wrong in an operator's file, one sentence a place: by place and rule, never by
 * value, since those are secrets. A schema says in `form` what its pattern stands for.
 */
import type { TSchema } from "typebox";
import type { TLocalizedValidationError } from "typebox/error";

import { ruleText } from "../../model/rule-text.ts";

/** Problems told at once. */
const PROBLEMS_MAX = 20;

/** `root` is the place of the value that was checked. */
export function fileProblems(
  schema: TSchema,
  errors: readonly TLocalizedValidationError[],
  root = "",
): readonly string[] {
  const told = errors
    // A field that is not known draws two errors; that of keyword `boolean` has its name in the path.
    // A value that is none of several draws one for each and one for all.
    .filter(({ keyword }) => keyword !== "boolean" && keyword !== "anyOf")
    .map((error) => `${`${root}${error.instancePath}` || "/"} ${ruleOf(schema, error, errors)}`);
  return [...new Set(told)].slice(0, PROBLEMS_MAX);
}

function ruleOf(
  schema: TSchema,
  error: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
): string {
  switch (error.keyword) {
    case "additionalProperties": {
      // Anything else may be a secret in the wrong place.
      const names = error.params.additionalProperties.filter((name) => /^[A-Za-z][\w-]{0,39}$/.test(name));
      return `has fields that are not known${names.length === 0 ? "" : `: ${names.join(", ")}`}`;
    }
    case "required":
      return `lacks ${error.params.requiredProperties.join(", ")}`;
    case "enum":
      return `must be one of ${error.params.allowedValues.join(", ")}`;
    case "const": {
      const allowed = errors.flatMap((other) =>
        other.keyword === "const" && other.instancePath === error.instancePath
          ? [other.params.allowedValue]
          : [],
      );
      return `must be ${allowed.length === 1 ? "" : "one of "}${allowed.join(", ")}`;
    }
    case "pattern": {
      const form = schemaAt(schema, error.schemaPath)?.["form"];
      return typeof form === "string" ? `must be ${form}` : error.message;
    }
    default:
      return ruleText(error);
  }
}

function schemaAt(schema: TSchema, schemaPath: string): Readonly<Record<string, unknown>> | undefined {
  let found: unknown = schema;
  for (const step of schemaPath.split("/").slice(1)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : undefined;
}
