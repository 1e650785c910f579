/** Load planning. */
import { join } from "node:path";

import { defineProduct } from "../manifest.ts";
import { loading as catalogue } from "./catalogue.ts";
import { LOADING_SETTINGS } from "./settings.ts";

export const loading = defineProduct({
  ...catalogue,
  commands: [
    {
      name: "plans",
      summary: "list an account's load plans",
      about: "Plans are what load planning has worked out.",
    },
  ],
  operatorRoutes: async () => ({ guarded: [(await import("./operator/plans.ts")).listPlansRoute] }),
  findTracked: async (...search) => (await import("./plan/plans.ts")).findPlans(...search),
  settings: LOADING_SETTINGS,
  migrations: join(import.meta.dirname, "migrations"),
  accountTables: ["load_plans"],
  start: async (context, settings) => (await import("./running.ts")).startLoading(context, settings),
});
