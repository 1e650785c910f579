/** Operational events: a product of the same engine, for the people who run endpoints and the service. */
import { defineProduct } from "../manifest.ts";
import { operations as catalogue } from "./catalogue.ts";

export const operations = defineProduct({
  ...catalogue,
  start: async (context) => (await import("./running.ts")).startOperations(context),
});
