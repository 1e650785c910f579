/**
 * The tariffs that a node looks shipments up in: read whole, kept in memory, and read again every minute.
 *
 *     waiting ─(a minute)─▶ reading ─▶ waiting; what was read before stays when the store does not answer
 *        └────── stop ─────────┴─────▶ stopped
 */
import type { Cancel, Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { listTariffs, TARIFFS_FRESH_MS_MAX, type StoredTariff } from "../../../store/tariffs.ts";
import type { Tariff, Tariffs } from "./tariff.ts";

export type TariffBook = {
  /** As they were read last. */
  tariffs(): Tariffs;
  /** Reads them no more. */
  stop(): void;
};

/** Reads them for the first time: rejects when the store does not answer. `directory` is any cell. */
export async function createTariffBook(
  database: Connection,
  directory: Cell,
  clock: Clock,
  log: Log,
): Promise<TariffBook> {
  const read = async (): Promise<Tariffs> => (await listTariffs(database, directory, null)).map(tariffOf);
  let tariffs = await read();
  let isStopped = false;
  let cancel: Cancel = () => undefined;
  const wait = (): void => {
    if (!isStopped) cancel = clock.after(TARIFFS_FRESH_MS_MAX, () => void readAgain());
  };
  const readAgain = async (): Promise<void> => {
    try {
      tariffs = await read();
    } catch (error) {
      if (!isStopped) log.warn({ error }, "the tariffs could not be read again");
    }
    wait();
  };
  wait();
  return {
    tariffs: () => tariffs,
    stop() {
      isStopped = true;
      cancel();
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
