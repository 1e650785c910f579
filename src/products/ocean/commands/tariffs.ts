import { readFile } from "node:fs/promises";

import { OCEAN_SETTINGS } from "../settings.ts";
import { readCarriers } from "../sources/carriers.ts";
import { readTariffs } from "../demurrage/read-tariffs.ts";
import { storedTariff, tariffOf } from "../demurrage/tariff-cache.ts";
import { equipmentText } from "../demurrage/tariff-fields.ts";
import type { Tariff } from "../demurrage/tariff.ts";
import { carrierNamed } from "../sources/likely-carriers.ts";
import type { ProcessContext } from "../../../runtime/process-context.ts";
import { readNamedFile } from "../../../runtime/config-file.ts";
import { deleteTariff, listTariffs, storeTariffs, TARIFFS_MAX } from "../store/tariffs.ts";
import { action, CommandError, group } from "../../../cli/command.ts";
import { parseId, JSON_OPTION } from "../../../cli/options.ts";
import { jsonText, table } from "../../../cli/table.ts";
import { withStore } from "../../../service/commands/with-store.ts";

/** What is wrong with a file, in one go. */
const PROBLEMS_SHOWN_MAX = 20;

export const command = group(
  "Demurrage tariffs: free days and rates, by carrier, port and size of the box.",
  {
    load: action({
      about: "Loads tariffs from a .json or .csv file (docs/demurrage.md), all of them or none.",
      arguments: ["file"],
      options: { json: JSON_OPTION },
      examples: ["boathook tariffs load tariffs-2026.csv"],
      async run({ options, positionals: [file = ""] }, at) {
        const tariffs = await readTariffsFile(file);
        const unknown = await unknownCarrierHints(at, tariffs);
        const stored = await withStore(at, ({ store, cells, clock, random }) => {
          const nowMs = clock.nowMs();
          const withIds = tariffs.map((tariff) => storedTariff(tariff, random.uuid(nowMs)));
          return storeTariffs(store.database, cells, withIds, nowMs);
        });
        if (!stored) throw new CommandError(`There would be more than ${TARIFFS_MAX} tariffs.`, 1);
        if (options.json === true) at.out(jsonText({ loaded: tariffs.length }));
        else at.out(`Loaded ${tariffs.length} ${tariffs.length === 1 ? "tariff" : "tariffs"}.\n`);
        for (const line of unknown) at.err(`${line}\n`);
        return 0;
      },
    }),
    list: action({
      about: "Lists the tariffs, by carrier, port, equipment and the first day they hold.",
      arguments: [],
      options: {
        carrier: { type: "string", value: "scac", about: "only those of one carrier" },
        json: JSON_OPTION,
      },
      examples: ["boathook tariffs list --carrier MAEU"],
      async run({ options }, at) {
        const carrier = options.carrier?.toUpperCase() ?? null;
        const stored = await withStore(at, ({ store, cells }) =>
          listTariffs(store.database, cells[0], carrier),
        );
        const tariffs = stored.map((one) => ({ id: one.id, ...tariffOf(one) }));
        at.out(options.json === true ? jsonText(tariffs.map(asJson)) : asTable(tariffs));
        return 0;
      },
    }),
    remove: action({
      about: "Removes a tariff.",
      arguments: ["tariff-id"],
      options: { json: JSON_OPTION },
      examples: ["boathook tariffs remove 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7d"],
      async run({ options, positionals: [typed = ""] }, at) {
        const id = parseId("a tariff", typed);
        const removed = await withStore(at, ({ store, cells, clock }) =>
          deleteTariff(store.database, cells, id, clock.nowMs()),
        );
        if (!removed) throw new CommandError("There is no tariff of that id.", 1);
        at.out(options.json === true ? jsonText({ id, deleted: true }) : "Removed.\n");
        return 0;
      },
    }),
  },
);

async function readTariffsFile(file: string): Promise<readonly Tariff[]> {
  const format = /\.(json|csv)$/i.exec(file)?.[1]?.toLowerCase();
  if (format === undefined) throw new CommandError(`${file} must be a file named .json or .csv`);
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new CommandError(`${file} cannot be read: ${cause.message}`, 1);
  });
  const read = readTariffs(text, format as "json" | "csv");
  if (read.kind === "tariffs") return read.tariffs;
  const shown = read.problems.slice(0, PROBLEMS_SHOWN_MAX);
  const more = read.problems.length - shown.length;
  const lines = more === 0 ? shown : [...shown, `and ${more} more`];
  throw new CommandError(
    `Nothing was loaded from ${file}:\n${lines.map((line) => `  ${line}`).join("\n")}`,
    1,
  );
}

/** A line for each carrier that no box has; none where the settings name no carriers file. */
async function unknownCarrierHints(
  at: ProcessContext,
  tariffs: readonly Tariff[],
): Promise<readonly string[]> {
  const file = await readNamedFile(OCEAN_SETTINGS.carriersFile, at.environment, readCarriers);
  if (file === null) return [];
  const { carriers } = file;
  const named = [...new Set(tariffs.map(({ carrier }) => carrier))];
  return named
    .filter((scac) => !carriers.some((carrier) => carrier.scac === scac))
    .map((scac) => {
      const meant = carrierNamed(carriers, scac)?.scac;
      const hint = meant === undefined ? "" : `; that line is there as ${meant}`;
      return `Tariffs of ${scac} hold for no box yet: no carrier in BOATHOOK_CARRIERS_FILE has this SCAC${hint}.`;
    });
}

type ListedTariff = Tariff & { readonly id: string };

/** The fields of a file, so that what is listed can be loaded. */
function asJson(tariff: ListedTariff): object {
  return {
    id: tariff.id,
    carrier: tariff.carrier,
    port: tariff.port,
    equipment: tariff.equipment === null ? null : equipmentText(tariff.equipment),
    free_days: tariff.freeDays,
    discharge_day_counts: tariff.dischargeDayCounts,
    days: tariff.days,
    holidays: tariff.holidays,
    rates: tariff.rates.map(({ fromDay, centsUsd }) => ({ from_day: fromDay, usd: centsUsd / 100 })),
    valid_from: tariff.validFrom,
    valid_to: tariff.validTo,
  };
}

function asTable(tariffs: readonly ListedTariff[]): string {
  const rows = tariffs.map((tariff) => [
    tariff.id,
    tariff.carrier,
    tariff.port ?? "any",
    tariff.equipment === null ? "any" : equipmentText(tariff.equipment),
    `${tariff.freeDays} ${tariff.days}`,
    tariff.dischargeDayCounts ? "day of discharge" : "day after",
    tariff.rates.map(({ fromDay, centsUsd }) => `${fromDay}=${(centsUsd / 100).toFixed(2)}`).join(";") || "-",
    tariff.validFrom,
    tariff.validTo ?? "-",
  ]);
  return table(["ID", "CARRIER", "PORT", "EQUIPMENT", "FREE", "FROM", "USD A DAY", "VALID FROM", "TO"], rows);
}
