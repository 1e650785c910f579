import packageJson from "../../../package.json" with { type: "json" };
import { action } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { jsonText } from "../../cli/table.ts";

export const command = action({
  about: "Prints the version of Boathook, and with --json that of its Node.js as well.",
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["boathook version"],
  async run({ options }, at) {
    const { version, dependencies } = packageJson;
    at.out(options.json === true ? jsonText({ version, node: dependencies.node }) : `boathook ${version}\n`);
    return 0;
  },
});
