import { StoreUnavailable } from "../model/errors.ts";
import { isWritable } from "../store/writable.ts";
import type { Cell } from "../store/cell.ts";
import type { Connection } from "../store/database.ts";
import type { Check } from "./readiness.ts";

/** Checks that the database answers, and is one that takes writes. */
export function databaseCheck(database: Connection, cell: Cell): Check {
  return async () => {
    try {
      return (await isWritable(database, cell)) ? null : "the database is read-only";
    } catch (error) {
      if (error instanceof StoreUnavailable) return error.message;
      return `the database refuses to be asked: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}
