/** Freight rates. */
import { join } from "node:path";

import { count } from "../../runtime/setting-kinds.ts";
import { setting } from "../../runtime/setting.ts";
import { defineProduct } from "../manifest.ts";
import { rates as catalogue } from "./catalogue.ts";

const RATES_SETTINGS = {
  rateCells: setting("BOATHOOK_RATE_CELLS", count(1, 256), "1", {
    about: "Cells of freight rates, at least; rates between two ports stay in one.",
    section: "service",
  }),
};

export const rates = defineProduct({
  ...catalogue,
  settings: RATES_SETTINGS,
  migrations: join(import.meta.dirname, "migrations"),
  recordCells: ({ rateCells }) => rateCells,
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
