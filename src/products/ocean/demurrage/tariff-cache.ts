/**
 * The tariffs that a node looks shipments up in: read whole, kept in memory, and read again every minute.
 * What was read before stays when the store does not answer.
 */
import type { Clock } from "../../../runtime/clock.ts";
import { createInterval } from "../../../runtime/interval.ts";
import type { Log } from "../../../runtime/log.ts";
import type { LoopMonitor } from "../../../runtime/loop-monitor.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { listTariffs, TARIFFS_FRESH_MS_MAX, type StoredTariff } from "../store/tariffs.ts";
import type { Tariff, Tariffs } from "./tariff.ts";

export type TariffCache = {
  /** As they were read last. */
  tariffs(): Tariffs;
  /** Reads them no more. */
  stop(): Promise<void>;
};

export type TariffCachePorts = {
  readonly database: Connection;
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: LoopMonitor;
};

/** Reads them for the first time: rejects when the store does not answer. `directory` is any cell. */
export async function createTariffCache(ports: TariffCachePorts, directory: Cell): Promise<TariffCache> {
  const { database, log } = ports;
  const read = async (): Promise<void> => {
    tariffs = (await listTariffs(database, directory, null)).map(tariffOf);
  };
  let tariffs: Tariffs = [];
  await read();
  const everyMs = TARIFFS_FRESH_MS_MAX;
  const interval = createInterval(ports, { name: "tariffs", everyMs, firstAfterMs: everyMs }, read, (error) =>
    log.warn({ error }, "the tariffs could not be read again"),
  );
  interval.start();
  return { tariffs: () => tariffs, stop: interval.stop };
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
