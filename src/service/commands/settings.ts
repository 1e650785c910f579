import { products } from "../../products/index.ts";
import { readConfiguration } from "../../runtime/configuration.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { CommandError } from "../../cli/command.ts";

/** The settings of the environment. Throws `CommandError` with everything that is wrong with them. */
export function readSettings(at: ProcessContext, use: "command" | "service" = "command"): Settings {
  const read = readConfiguration(at.environment, products, use);
  if (read.kind === "invalid") throw new CommandError(read.message);
  return read.settings;
}
