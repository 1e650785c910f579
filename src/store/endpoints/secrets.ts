import type { PageRequest } from "../../model/page-request.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import { secretList, secretReseal } from "./secrets.sql.ts";

/** An endpoint's secret as it is kept (`engine/secret.ts`). */
export type SealedSecret = RowOf<typeof secretList>;

/** Sealed secrets by their endpoints' ids; a null `afterId`: from the first on. */
export function readSealedSecrets(db: Connection, cell: Cell, { afterId, limit }: PageRequest) {
  return secretList(db, cell, { afterId, limit });
}

/** Replaces each secret's seal unless somebody else has; says how many it replaced. */
export async function replaceSeals(
  db: Connection,
  cell: Cell,
  secrets: readonly (SealedSecret & { readonly fresh: Buffer })[],
): Promise<number> {
  const rows = await secretReseal(db, cell, secrets);
  return rows.length;
}
