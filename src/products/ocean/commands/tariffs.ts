import { action, CommandError, group, type CommandFactory } from "../../../cli/command.ts";
import type { CommandContext } from "../../../cli/context.ts";
import { problemLines, readNamedFile, tableFormat } from "../../../cli/files.ts";
import { JSON_OPTION, uuid } from "../../../cli/options.ts";
import { printAnswer, printRows, type Column } from "../../../cli/print.ts";
import { readSettingFile } from "../../../runtime/config-file.ts";
import { OCEAN_SETTINGS } from "../settings.ts";
import { equipmentText, readTariffs } from "../demurrage/read-tariffs.ts";
import { storedTariff, tariffOf } from "../demurrage/tariff-cache.ts";
import type { Tariff } from "../demurrage/tariff.ts";
import { carrierNamed, readCarriers } from "../sources/carriers.ts";
import { deleteTariff, listTariffs, storeTariffs, TARIFFS_MAX } from "../store/tariffs.ts";

/** Problems of one file that are shown in one go. */
const PROBLEMS_SHOWN_MAX = 20;

const load: CommandFactory = (at) =>
  action(
    "load",
    "Load all tariffs of a .json or .csv file, or none (docs/demurrage.md).",
    "boathook tariffs load tariffs-2026.csv",
  )
    .argument("<file>")
    .option(...JSON_OPTION)
    .action(async (file, { json }) => {
      const tariffs = await readTariffsFile(file);
      const { database, cells, clock, random } = await at.open();
      const hints = await unknownCarrierHints(at, tariffs);
      const nowMs = clock.nowMs();
      const withIds = tariffs.map((tariff) => storedTariff(tariff, random.uuid(nowMs)));
      if (!(await storeTariffs(database, cells, withIds, nowMs))) {
        throw new CommandError(`There would be more than ${TARIFFS_MAX} tariffs.`, 1);
      }
      const count = tariffs.length;
      printAnswer(at, { loaded: count }, `Loaded ${count} ${count === 1 ? "tariff" : "tariffs"}.`, json);
      for (const line of hints) at.err(`${line}\n`);
    });

const list: CommandFactory = (at) =>
  action(
    "list",
    "List the tariffs by carrier, port, equipment and first day of validity.",
    "boathook tariffs list --carrier MAEU",
  )
    .option("--carrier <scac>", "only tariffs of one carrier")
    .option(...JSON_OPTION)
    .action(async ({ carrier, json }) => {
      const { database, cells } = await at.open();
      const tariffs = await listTariffs(database, cells[0], carrier?.toUpperCase() ?? null);
      printRows(
        at,
        tariffs.map((tariff) => ({ id: tariff.id, ...fileFields(tariffOf(tariff)) })),
        COLUMNS,
        json,
      );
    });

const remove: CommandFactory = (at) =>
  action("remove", "Remove a tariff.", "boathook tariffs remove 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7d")
    .argument("<tariff-id>", "", uuid)
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const { database, cells, clock } = await at.open();
      if (!(await deleteTariff(database, cells, id, clock.nowMs()))) {
        throw new CommandError("There is no tariff of that id.", 1);
      }
      printAnswer(at, { id, deleted: true }, "Removed.", json);
    });

async function readTariffsFile(file: string): Promise<readonly Tariff[]> {
  const format = tableFormat(file);
  const read = readTariffs(await readNamedFile(file), format);
  if (read.kind === "tariffs") return read.tariffs;
  throw new CommandError(
    `Nothing was loaded from ${file}:\n${problemLines(read.problems, PROBLEMS_SHOWN_MAX)}`,
    1,
  );
}

/** A line for each carrier that no box has; no lines without a carriers file. */
async function unknownCarrierHints(
  { environment }: CommandContext,
  tariffs: readonly Tariff[],
): Promise<readonly string[]> {
  const file = await readSettingFile(OCEAN_SETTINGS.carriersFile, environment, readCarriers);
  if (file === null) return [];
  const { entries: carriers } = file;
  const named = [...new Set(tariffs.map(({ carrier }) => carrier))];
  return named
    .filter((scac) => !carriers.some((carrier) => carrier.scac === scac))
    .map((scac) => {
      const meant = carrierNamed(carriers, scac)?.scac;
      const hint = meant === undefined ? "" : `; the file has this line as ${meant}`;
      return `Tariffs of ${scac} match no box yet: no carrier in BOATHOOK_CARRIERS_FILE has this SCAC${hint}.`;
    });
}

/** The fields of a file, so that you can load what you list. */
function fileFields(tariff: Tariff) {
  return {
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

const COLUMNS: readonly Column<{ readonly id: string } & ReturnType<typeof fileFields>>[] = [
  ["ID", ({ id }) => id],
  ["CARRIER", ({ carrier }) => carrier],
  ["PORT", ({ port }) => port ?? "any"],
  ["EQUIPMENT", ({ equipment }) => equipment ?? "any"],
  ["FREE", ({ free_days, days }) => `${free_days} ${days}`],
  ["FROM", ({ discharge_day_counts }) => (discharge_day_counts ? "day of discharge" : "day after")],
  ["USD A DAY", ({ rates }) => rates.map(({ from_day, usd }) => `${from_day}=${usd.toFixed(2)}`).join(";")],
  ["VALID FROM", ({ valid_from }) => valid_from],
  ["TO", ({ valid_to }) => valid_to],
];

export const command = group(
  "tariffs",
  "Demurrage tariffs: free days and rates by carrier, port and size of the box.",
  [load, list, remove],
);
