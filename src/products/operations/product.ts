/** Operational events: a product of the same engine, for the people who run endpoints and the service. */
import { defineProduct } from "../manifest.ts";
import { operations as catalogue } from "./catalogue.ts";
import { OPERATIONS_SETTINGS } from "./settings.ts";

export const operations = defineProduct({
  ...catalogue,
  settings: OPERATIONS_SETTINGS,
  start: async (context, settings) => (await import("./running.ts")).startOperations(context, settings),
});
