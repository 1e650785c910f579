import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { readSettings } from "./settings.ts";

export const command: CommandFactory = (at) =>
  action(
    "migrate",
    "Migrate the database to this build. serve does the same when it starts; migrate lets you do it earlier. " +
      "If there is no database yet, it creates one. If several run at once, one migrates and the others wait.",
    "BOATHOOK_DATABASE_URL=postgres://boathook@db/boathook boathook migrate",
  )
    .option(...JSON_OPTION)
    .action(async ({ json }) => {
      readSettings(at, "service");
      const { migrated } = await at.open({ mayCreate: true });
      const text = ["Migrated:", ...migrated.map((name) => `  ${name}`)].join("\n");
      printAnswer(at, { ran: migrated }, migrated.length === 0 ? "The database is up to date." : text, json);
    });
