import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";

/** Loses the answers of so many runs of a statement that answered something: what it did is done. */
export function losing<Of extends Connection>(database: Of, name: string, losses: number): Of {
  let left = losses;
  const rows: Of["rows"] = async (statement, parameters) => {
    const answered = await database.rows(statement, parameters);
    if (statement.name.split("@")[0] !== name || answered.length === 0 || left === 0)
      return answered as never;
    left -= 1;
    throw new StoreUnavailable("the connection is lost");
  };
  return { ...database, rows };
}
