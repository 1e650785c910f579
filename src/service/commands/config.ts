import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printRows, type Column } from "../../cli/print.ts";
import { describeSettings, settingsTable } from "../../runtime/configuration.ts";
import { products } from "../../products/index.ts";
import { readConfigFiles } from "../config-files.ts";
import { readSettings } from "./settings.ts";

const COLUMNS: readonly Column<ReturnType<typeof describeSettings>[number]>[] = [
  ["SETTING", ({ name }) => name],
  ["VALUE", ({ value }) => value ?? "(unset)"],
  ["FROM", ({ from }) => from],
  ["WHAT IT DOES", ({ about }) => about],
];

export const command: CommandFactory = (at) =>
  action(
    "config",
    "List every setting with its value in this environment, or its default. Settings are environment variables. " +
      "Secrets are not shown. The exit status is 2 when a setting is wrong, and 1 when a file that a setting names " +
      "is wrong.",
    "boathook config",
    "BOATHOOK_ATTEMPT_TIMEOUT=5s boathook config --json",
  )
    .option(...JSON_OPTION)
    .option("--markdown", "print the table of the documentation")
    .action(async ({ json, markdown }) => {
      if (markdown) return at.out(`${settingsTable(products)}\n`);
      printRows(at, describeSettings(at.environment, products), COLUMNS, json);
      // Refuses what is wrong as serve does, after the list.
      await readConfigFiles(readSettings(at, "service"), products);
    });
