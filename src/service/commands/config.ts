import { describeSettings, settingsTable } from "../../runtime/configuration.ts";
import { products } from "../../products/index.ts";
import { readConfigFiles } from "../config-files.ts";
import { action } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { readSettings } from "./settings.ts";
import { jsonText, table } from "../../cli/table.ts";

export const command = action({
  about:
    "Lists every setting with the value it has in this environment, or its default, and says what is wrong with " +
    "them, in which case the exit status is 2, and with the files that they name, in which case it is 1. Settings are " +
    "environment variables. Secrets are not shown.",
  arguments: [],
  options: { json: JSON_OPTION, markdown: { type: "boolean", about: "print the table of the documents" } },
  examples: ["boathook config", "BOATHOOK_ATTEMPT_TIMEOUT=5s boathook config --json"],
  async run({ options }, at) {
    if (options.markdown === true) {
      at.out(`${settingsTable(products)}\n`);
      return 0;
    }
    const settings = describeSettings(at.environment, products);
    if (options.json === true) {
      at.out(jsonText(settings));
    } else {
      const rows = settings.map(({ name, value, from, about }) => [name, value ?? "(unset)", from, about]);
      at.out(table(["SETTING", "VALUE", "FROM", "WHAT IT DOES"], rows));
    }
    // Refuses what is wrong as serve does, behind what there is.
    await readConfigFiles(readSettings(at), products);
    return 0;
  },
});
