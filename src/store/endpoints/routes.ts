import type { Target } from "../../model/endpoint.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { routeRead } from "./routes.sql.ts";

/** Who receives what of one account, at one version. */
export type AccountRoute = { readonly version: number; readonly targets: readonly Target[] };

/** The account's endpoints and the version at which they stand; null when it is not of this cell. */
export async function readRoute(db: Connection, cell: Cell, accountId: string) {
  const rows = await routeRead(db, cell, accountId);
  const first = rows[0];
  if (first === undefined) return null;
  return {
    version: first.version,
    targets: rows.flatMap((row) => {
      if (row.id === null) return [];
      const { version: _, ...target } = row;
      return [{ ...target, accountId }];
    }),
  };
}
