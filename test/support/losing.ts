import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";

/** Loses a statement so many times before it runs, or after it: then only an answer that says something. */
export function losing<Of extends Connection>(
  database: Of,
  name: string,
  losses: number,
  what: "statement" | "answer" = "answer",
): Of {
  let left = losses;
  const rows: Of["rows"] = async (statement, parameters) => {
    if (what === "statement" && statement.name.split("@")[0] === name && left > 0) {
      left -= 1;
      throw new StoreUnavailable("the connection is lost");
    }
    const answered = await database.rows(statement, parameters);
    if (statement.name.split("@")[0] !== name || answered.length === 0 || left === 0) return answered;
    left -= 1;
    throw new StoreUnavailable("the connection is lost");
  };
  return { ...database, rows };
}
