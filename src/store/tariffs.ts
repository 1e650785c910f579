/** Demurrage tariffs as they are stored: the case that each is for, and its terms as JSON. */
import { textArray, uuidArray } from "./binary.ts";
import type { Cell } from "./cell.ts";
import type { Connection, Database } from "./database.ts";
import { statement } from "./sql.ts";

/** Days are `YYYY-MM-DD`. */
export type StoredTariff = {
  readonly id: string;
  readonly carrier: string;
  /** Null: every port. */
  readonly port: string | null;
  /** Null: every box. */
  readonly equipment: string | null;
  readonly validFrom: string;
  readonly validTo: string | null;
  /** JSON. */
  readonly terms: string;
  readonly createdAt: Date;
};

/** The most that are kept: every node holds them all in memory. */
export const TARIFFS_MAX = 20_000;

/**
 * Writes all of them or none, no two for the same case; one that is there for the case gives way, and
 * keeps its id. `directory` is any cell: all share the directory. False: there would be more than
 * {@link TARIFFS_MAX}, and nothing is written.
 */
export async function storeTariffs(
  database: Database,
  directory: Cell,
  tariffs: readonly Omit<StoredTariff, "createdAt">[],
  atMs: number,
): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      await insertTariffs(tx, directory, tariffs, atMs);
      const [kept] = await tx.rows<{ count: number }>(statement("tariff_count", directory));
      if ((kept?.count ?? 0) > TARIFFS_MAX) throw TOO_MANY;
    });
    return true;
  } catch (error) {
    if (error === TOO_MANY) return false;
    throw error;
  }
}

/** Rolls the transaction back. */
const TOO_MANY = new Error("too many tariffs");

async function insertTariffs(
  tx: Connection,
  directory: Cell,
  tariffs: readonly Omit<StoredTariff, "createdAt">[],
  atMs: number,
): Promise<void> {
  await tx.rows(statement("tariff_store", directory), [
    uuidArray(tariffs.map(({ id }) => id)),
    textArray(tariffs.map(({ carrier }) => carrier)),
    textArray(tariffs.map(({ port }) => port)),
    textArray(tariffs.map(({ equipment }) => equipment)),
    textArray(tariffs.map(({ validFrom }) => validFrom)),
    textArray(tariffs.map(({ validTo }) => validTo)),
    textArray(tariffs.map(({ terms }) => terms)),
    new Date(atMs),
  ]);
}

/** By carrier, port, equipment and first day; of all carriers where `carrier` is null. */
export function listTariffs(
  connection: Connection,
  directory: Cell,
  carrier: string | null,
): Promise<readonly StoredTariff[]> {
  return connection.rows<StoredTariff>(statement("tariff_list", directory), [carrier, TARIFFS_MAX]);
}

/** False: there is no such tariff. */
export async function deleteTariff(connection: Connection, directory: Cell, id: string): Promise<boolean> {
  const rows = await connection.rows(statement("tariff_delete", directory), [id]);
  return rows.length > 0;
}
