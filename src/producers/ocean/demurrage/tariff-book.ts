/**
 * The tariffs that a node looks shipments up in: read whole, kept in memory, and read again when they have
 * grown old.
 *
 *     fresh ─(a minute)─▶ old ─(asked for)─▶ reading ─▶ fresh; or, when the store does not answer, old again
 */
import type { Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { listTariffs, type StoredTariff } from "../../../store/tariffs.ts";
import type { Tariff, Tariffs } from "./tariff.ts";

export type TariffBook = {
  /** As they were a minute ago or later; longer ago only while nobody asked, or the store does not answer. */
  tariffs(): Tariffs;
};

const FRESH_MS_MAX = 60_000;

/** Reads them for the first time: rejects when the store does not answer. `directory` is any cell. */
export async function createTariffBook(
  database: Connection,
  directory: Cell,
  clock: Clock,
  log: Log,
): Promise<TariffBook> {
  const read = async (): Promise<Tariffs> => (await listTariffs(database, directory, null)).map(tariffOf);
  let tariffs = await read();
  let readAtMs = clock.monotonicMs();
  return {
    tariffs() {
      const nowMs = clock.monotonicMs();
      if (nowMs - readAtMs >= FRESH_MS_MAX) {
        readAtMs = nowMs;
        read().then(
          (latest) => (tariffs = latest),
          (error: unknown) => log.warn({ error }, "the tariffs could not be read again"),
        );
      }
      return tariffs;
    },
  };
}

/** What is not a tariff's case. */
export type Terms = Pick<Tariff, "freeDays" | "dischargeDayCounts" | "days" | "holidays" | "rates">;

export function tariffOf({ carrier, port, equipment, validFrom, validTo, terms }: StoredTariff): Tariff {
  return { carrier, port, equipment, validFrom, validTo, ...(JSON.parse(terms) as Terms) };
}

/** As it is stored under an id. */
export function storedTariff(tariff: Tariff, id: string): Omit<StoredTariff, "createdAt"> {
  const { carrier, port, equipment, validFrom, validTo, ...terms } = tariff;
  return { id, carrier, port, equipment, validFrom, validTo, terms: JSON.stringify(terms satisfies Terms) };
}
