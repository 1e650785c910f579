/** A database that fails during a transaction, as if the process died or lost its connection. */
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";

/** Where it fails: before a statement of its transactions, counted from 1, or with the answer to a commit. */
export type Failing = Database & { hasFailed(): boolean };

export function failingAt(database: Database, statement: number | "answer"): Failing {
  let count = 0;
  let hasFailed = false;
  const fail = (): never => {
    hasFailed = true;
    throw new StoreUnavailable("it fails here", { cause: new Error("the test says so") });
  };
  return {
    ...database,
    hasFailed: () => hasFailed,
    async transaction(work) {
      const result = await database.transaction((tx) =>
        work({
          rows(...asked) {
            count += 1;
            return count === statement ? fail() : tx.rows(...asked);
          },
        }),
      );
      return statement === "answer" && !hasFailed ? fail() : result;
    },
  };
}
