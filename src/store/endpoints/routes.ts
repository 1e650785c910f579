import type { Target } from "../../model/endpoint.ts";
import { uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { statement } from "../sql.ts";

/** Who receives what of one account, at one version. */
export type AccountRoute = {
  readonly version: number;
  readonly targets: readonly Target[];
};

/** The cell number of an account, or null when there is no such account. */
export async function cellOfAccount(
  connection: Connection,
  cell: Cell,
  accountId: string,
): Promise<number | null> {
  const rows = await connection.rows<{ cell: number }>(statement("account_cell", cell), [accountId]);
  return rows[0]?.cell ?? null;
}

/** The account's endpoints and the version at which they stand; null when it is not of this cell. */
export async function readRoute(
  connection: Connection,
  cell: Cell,
  accountId: string,
): Promise<AccountRoute | null> {
  const rows = await connection.rows<
    { version: number; id: string | null } & Omit<Target, "id" | "accountId">
  >(statement("account_route", cell), [accountId]);
  const first = rows[0];
  if (first === undefined) return null;
  return {
    version: first.version,
    targets: rows.flatMap(({ version: _, id, ...target }) =>
      id === null ? [] : [{ ...target, id, accountId }],
    ),
  };
}

/** The endpoints of the given ids that exist. */
export function readTargets(
  connection: Connection,
  cell: Cell,
  endpointIds: readonly string[],
): Promise<Target[]> {
  return connection.rows<Target>(statement("endpoint_targets", cell), [uuidArray(endpointIds)]);
}
