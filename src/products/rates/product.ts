/** Freight rates. */
import { join } from "node:path";

import { defineProduct } from "../manifest.ts";
import { rates as catalogue } from "./catalogue.ts";

export const rates = defineProduct({
  ...catalogue,
  migrations: join(import.meta.dirname, "migrations"),
  sources: async () => (await import("./described-sources.ts")).describeSources(),
  commands: [
    {
      name: "rates",
      summary: "load, list and remove freight rates, and define indices",
      about: "Freight rates: what a container costs on a lane, and indices over lanes.",
      groups: {
        index: "Indices over baskets of lanes.",
        currencies: "Exchange rates that convert the prices of indices.",
      },
      loads: true,
    },
  ],
  operatorRoutes: async () => (await import("./operator/routes.ts")).rateOperatorRoutes(),
  start: async (context) => (await import("./running.ts")).startRates(context),
});
