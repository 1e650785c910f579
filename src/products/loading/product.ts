/** Load planning. */
import { defineProduct } from "../manifest.ts";
import { loading as catalogue } from "./catalogue.ts";

export const loading = defineProduct({
  ...catalogue,
  commands: [
    { name: "plans", summary: "list an account's load plans", load: () => import("./commands/plans.ts") },
  ],
  start: async (context) => (await import("./running.ts")).startLoading(context),
});
