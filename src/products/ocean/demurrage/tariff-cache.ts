/** All tariffs in memory, read again every minute. If the store does not answer, the last ones stay. */
import { createInterval } from "../../../runtime/interval.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { TARIFFS_FRESH_MS_MAX, TARIFFS_MAX, type StoredTariff } from "../store/tariffs.ts";
import type { Tariff, Tariffs } from "./tariff.ts";
import { tariffList } from "../store/tariffs.sql.ts";

export type TariffCache = {
  tariffs(): Tariffs;
  stop(): Promise<void>;
};

/** Reads the tariffs for the first time: rejects if the store does not answer. `directory` is any cell. */
export async function createTariffCache(
  ports: Pick<NodeContext, "clock" | "log" | "loops"> & { readonly database: Connection },
  directory: Cell,
): Promise<TariffCache> {
  const { database, log } = ports;
  const read = async (): Promise<void> => {
    const all = { carrier: null, behind: null, limit: TARIFFS_MAX };
    tariffs = (await tariffList(database, directory, all)).map(tariffOf);
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

/** A tariff without its case; stored as JSON. */
type Terms = Pick<Tariff, "freeDays" | "dischargeDayCounts" | "days" | "holidays" | "rates">;

export function tariffOf({ carrier, port, equipment, validFrom, validTo, terms }: StoredTariff): Tariff {
  return { carrier, port, equipment, validFrom, validTo, ...(JSON.parse(terms) as Terms) };
}

export function storedTariff(tariff: Tariff, id: string): Omit<StoredTariff, "createdAt"> {
  const { carrier, port, equipment, validFrom, validTo, ...terms } = tariff;
  return { id, carrier, port, equipment, validFrom, validTo, terms: JSON.stringify(terms satisfies Terms) };
}
