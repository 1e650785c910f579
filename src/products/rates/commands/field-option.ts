import { InvalidArgumentError } from "commander";

import { ValidationError, type ReadField } from "../../../freight/tables/field.ts";

/** For an option that is read as the field of a table is. */
export function fieldOption<T>(read: ReadField<T>): (typed: string) => T {
  return (typed) => {
    try {
      return read(typed);
    } catch (error) {
      if (error instanceof ValidationError) throw new InvalidArgumentError(`It ${error.message}.`);
      throw error;
    }
  };
}
