/** The rules of a schema that are about numbers and lengths, in plain words. */
import type { TLocalizedValidationError } from "typebox/error";

/** What a value must be, to follow its name: "must be at least 1". */
export function ruleText(error: TLocalizedValidationError): string {
  switch (error.keyword) {
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

const NOT_EMPTY = "must not be empty";
