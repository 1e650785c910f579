/** Air cargo. */
import { defineProduct } from "../manifest.ts";
import { air as catalogue } from "./catalogue.ts";
import { AIR_FILES, AIR_SETTINGS } from "./settings.ts";

export const air = defineProduct({
  ...catalogue,
  settings: AIR_SETTINGS,
  files: AIR_FILES,
  upstreams: ({ airlinesFile }) => ({
    airlines: (airlinesFile?.airlines ?? []).map(({ name, prefixes }) => `${name} (${prefixes.join(", ")})`),
  }),
  commands: [
    {
      name: "waybills",
      summary: "list, show and stop what air cargo tracking follows",
      load: () => import("./commands/waybills.ts"),
    },
  ],
  start: async (...given) => (await import("./running.ts")).startAir(...given),
});
