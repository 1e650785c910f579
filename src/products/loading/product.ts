/** Load planning. */
import { defineProduct } from "../manifest.ts";
import { loading as catalogue } from "./catalogue.ts";
import { LOADING_SETTINGS } from "./settings.ts";

export const loading = defineProduct({
  ...catalogue,
  commands: [
    { name: "plans", summary: "list an account's load plans", load: () => import("./commands/plans.ts") },
  ],
  settings: LOADING_SETTINGS,
  start: async (context, settings) => (await import("./running.ts")).startLoading(context, settings),
});
