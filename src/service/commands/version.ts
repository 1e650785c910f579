import packageJson from "../../../package.json" with { type: "json" };
import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";

export const command: CommandFactory = (at) =>
  action(
    "version",
    "Print the version of Boathook, with --json that of its Node.js as well.",
    "boathook version",
  )
    .option(...JSON_OPTION)
    .action(({ json }) => {
      const { version, dependencies } = packageJson;
      printAnswer(at, { version, node: dependencies.node }, `boathook ${version}`, json);
    });
