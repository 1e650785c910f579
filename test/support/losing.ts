import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";

/** So many times, a statement fails with `refusal` before it runs; without one, what it answers is lost. */
export function losing<Of extends Connection>(
  database: Of,
  name: string,
  losses: number,
  refusal?: StoreUnavailable,
): Of {
  let left = losses;
  const rows: Of["rows"] = async (statement, parameters) => {
    const isLost = left > 0 && statement.name.split("@")[0] === name;
    const answered = isLost && refusal !== undefined ? [] : await database.rows(statement, parameters);
    if (!isLost || (refusal === undefined && answered.length === 0)) return answered;
    left -= 1;
    throw refusal ?? new StoreUnavailable("the connection is lost");
  };
  return { ...database, rows };
}
