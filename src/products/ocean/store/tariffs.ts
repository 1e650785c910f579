/** Demurrage tariffs as they are stored: the case that each is for, and its terms as JSON. */
import { directoryOf, type Cells } from "../../../store/cell.ts";
import type { Connection, Database } from "../../../store/database.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";
import { writeMessages, type MessageHandlers } from "../../../store/outbox/outbox.ts";
import type { RowOf } from "../../../store/sql.ts";
import { shipmentWakeByTariff } from "./shipments.sql.ts";
import { tariffCount, tariffDelete, type tariffList, tariffUpsert } from "./tariffs.sql.ts";

/** Days are `YYYY-MM-DD`, `terms` is JSON. A null port or equipment stands for every one. */
export type StoredTariff = Omit<RowOf<typeof tariffList>, "key">;

/** Every node holds all tariffs in memory. */
export const TARIFFS_MAX = 20_000;

/**
 * How long nodes may use tariffs that they have read before. Shipments are re-evaluated for a change of tariffs once
 * that time is over.
 */
export const TARIFFS_FRESH_MS_MAX = MINUTE_MS;

/**
 * Writes all of them or none, no two for the same case; one that is there for the case gives way, and
 * keeps its id. False: there would be more than {@link TARIFFS_MAX}, and nothing is written.
 */
export async function storeTariffs(
  database: Database,
  cells: Cells,
  tariffs: readonly Omit<StoredTariff, "createdAt">[],
  atMs: number,
): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      await tariffUpsert(tx, cells[0], { tariffs, at: atMs });
      const kept = await tariffCount(tx, cells[0]);
      if (kept.count > TARIFFS_MAX) throw TOO_MANY;
      await wakeByTariff(tx, cells, [...new Set(tariffs.map(({ carrier }) => carrier))], atMs);
    });
    return true;
  } catch (error) {
    if (error === TOO_MANY) return false;
    throw error;
  }
}

/** Rolls the transaction back. */
const TOO_MANY = new Error("too many tariffs");

/** False: there is no such tariff. */
export function deleteTariff(database: Database, cells: Cells, id: string, atMs: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const deleted = await tariffDelete(tx, cells[0], id);
    if (deleted !== null) await wakeByTariff(tx, cells, [deleted.carrier], atMs);
    return deleted !== null;
  });
}

const WAKE_BY_TARIFF = "ocean_wake_by_tariff";

/** Re-evaluates the live shipments of carriers at a time. */
type WakeByTariff = { readonly carriers: readonly string[]; readonly atMs: number };

function wakeByTariff(tx: Connection, cells: Cells, carriers: readonly string[], atMs: number) {
  const wake: WakeByTariff = { carriers, atMs: atMs + 2 * TARIFFS_FRESH_MS_MAX };
  return writeMessages(tx, directoryOf(cells[0]), cells, WAKE_BY_TARIFF, [JSON.stringify(wake)], atMs);
}

/** Twice costs one more re-evaluation, which changes nothing. */
export const tariffMessages: MessageHandlers = {
  [WAKE_BY_TARIFF](db, cell, payload) {
    const { carriers, atMs } = JSON.parse(payload) as WakeByTariff;
    return shipmentWakeByTariff(db, cell, { carriers, at: atMs });
  },
};
