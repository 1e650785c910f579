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
      loads: true,
      load: () => import("./commands/rates.ts"),
    },
  ],
  start: async (context) => (await import("./running.ts")).startRates(context),
});
