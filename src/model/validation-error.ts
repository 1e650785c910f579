/**
 * What a schema refuses, in plain words: where, and what to change. `validationMessage` is one sentence for the sender of
 * a request; `fileProblems` is one sentence a place for the author of a file. A schema says in `form` what its pattern
 * stands for.
 */
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";

import { didYouMean } from "../runtime/did-you-mean.ts";

const compiled = new WeakMap<TSchema, Validator>();

/** A schema is compiled when it is first asked for: those of all routes, events and files are a fifth of a start. */
export function validatorOf<Schema extends TSchema>(schema: Schema): Validator<{}, Schema> {
  let validator = compiled.get(schema) as Validator<{}, Schema> | undefined;
  if (validator === undefined) {
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  return validator;
}

/** The first problem of a value, or null when it is right. */
export function mismatchOf(schema: TSchema, value: unknown, root: string): string | null {
  const validator = validatorOf(schema);
  return validator.Check(value) ? null : validationMessage(schema, validator.Errors(value), root);
}

/** The first problem: `data.eta must be a string`. `errors` holds at least one; `root` names the value: `body`, `data`. */
export function validationMessage(
  schema: TSchema,
  errors: readonly TLocalizedValidationError[],
  root: string,
): string {
  const first = errors[0]!;
  const place = placeOf(root, first.instancePath);
  const unknown = errors.find((error) => error.keyword === "additionalProperties");
  if (first.keyword === "required") {
    const lacks = `${place} lacks ${first.params.requiredProperties.join(", ")}`;
    if (unknown?.instancePath !== first.instancePath) return lacks;
    // Most likely the field is there by another name.
    const names = unknown.params.additionalProperties.join(", ");
    return `${lacks}, and has ${names}, which is not known${meaningOf(schema, unknown.schemaPath)}`;
  }
  if (first.keyword === "enum") return `${place} must be one of ${first.params.allowedValues.join(", ")}`;
  if (first.keyword === "type") return `${place} must be ${typesWanted(errors, first.instancePath)}`;
  if (unknown !== undefined) {
    const names = unknown.params.additionalProperties.join(", ");
    return `${placeOf(root, unknown.instancePath)} has no ${names}${meaningOf(schema, unknown.schemaPath)}`;
  }
  return `${place} ${ruleText(schema, first)}${meaningOf(schema, first.schemaPath)}`;
}

/** Problems that one reading reports. */
export const PROBLEMS_MAX = 20;

/**
 * All problems: `/0/url must be …`. They name places and rules, never values, since those may be secrets. `root` is the
 * place of the value that was checked; `further`: names that may be meant beside those of the schema.
 */
export function fileProblems(
  schema: TSchema,
  errors: readonly TLocalizedValidationError[],
  root = "",
  further: readonly string[] = [],
): readonly string[] {
  const problems = errors
    // A field that is not known draws two errors; that of keyword `boolean` has its name in the path.
    // A value that is none of several draws one for each and one for all.
    .filter(({ keyword }) => keyword !== "boolean" && keyword !== "anyOf")
    .map((error) => `${`${root}${error.instancePath}` || "/"} ${ruleOf(schema, error, errors, further)}`);
  return [...new Set(problems)].slice(0, PROBLEMS_MAX);
}

function ruleOf(
  schema: TSchema,
  error: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
  further: readonly string[],
): string {
  switch (error.keyword) {
    case "additionalProperties": {
      const known = [...fieldsAt(schema, error.instancePath, errors), ...further];
      // Anything else may be a secret in the wrong place.
      const names = error.params.additionalProperties
        .filter((name) => /^[A-Za-z][\w-]{0,39}$/.test(name))
        .map((name) => {
          const meant = didYouMean(name, known);
          return meant === null ? name : `${name} (did you mean ${meant}?)`;
        });
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
    default:
      return ruleText(schema, error);
  }
}

/** Of all that a value may be there. */
function fieldsAt(
  schema: TSchema,
  instancePath: string,
  errors: readonly TLocalizedValidationError[],
): readonly string[] {
  return errors.flatMap((error) =>
    error.keyword === "additionalProperties" && error.instancePath === instancePath
      ? Object.keys(Object(memberOf(schemaAt(schema, error.schemaPath), "properties")))
      : [],
  );
}

function ruleText(schema: TSchema, error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case "pattern": {
      const form = memberOf(schemaAt(schema, error.schemaPath), "form");
      return typeof form === "string" ? `must be ${form}` : error.message;
    }
    case "format": {
      const right = FORMATS[error.params.format];
      return right === undefined ? error.message : `must be ${right}`;
    }
    case "minimum":
      return `must be at least ${error.params.limit}`;
    case "maximum":
      return `must be at most ${error.params.limit}`;
    case "exclusiveMinimum":
      return `must be more than ${error.params.limit}`;
    case "exclusiveMaximum":
      return `must be less than ${error.params.limit}`;
    case "minItems":
      return error.params.limit === 1 ? NOT_EMPTY : `must have at least ${error.params.limit} items`;
    case "maxItems":
      return `must have at most ${error.params.limit} ${error.params.limit === 1 ? "item" : "items"}`;
    case "minLength":
      return error.params.limit === 1 ? NOT_EMPTY : `must have at least ${error.params.limit} characters`;
    case "maxLength":
      return `must have at most ${error.params.limit} ${error.params.limit === 1 ? "character" : "characters"}`;
    default:
      return error.message;
  }
}

/** With one that is right, to copy. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "a date such as 2026-01-31",
  "date-time": "a date-time such as 2026-01-31T08:00:00Z",
  email: "an e-mail address such as ops@example.com",
  uri: "a URL such as https://api.example.com/v1",
  uuid: "a UUID such as 01a1fc98-3684-702d-8add-9c7eb13bfa2f",
};

const NOT_EMPTY = "must not be empty";

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
