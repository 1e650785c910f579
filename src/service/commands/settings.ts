import { products } from "../../products/index.ts";
import { readConfiguration } from "../../runtime/configuration.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { Surroundings } from "../../runtime/surroundings.ts";
import { CommandRefused } from "../../cli/command.ts";

/** The settings of the environment. Throws `CommandRefused` with all that is wrong with them. */
export function settingsIn(at: Surroundings): Settings {
  const read = readConfiguration(
    at.environment,
    products.map(({ tag }) => tag),
  );
  if (read.kind === "wrong") throw new CommandRefused(read.message);
  return read.settings;
}
