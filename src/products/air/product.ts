/** Air cargo. */
import { defineProduct } from "../manifest.ts";
import { air as catalogue } from "./catalogue.ts";
import { AIR_FILES, AIR_SETTINGS } from "./settings.ts";

export const air = defineProduct({
  ...catalogue,
  settings: AIR_SETTINGS,
  files: AIR_FILES,
  upstreams: ({ airlinesFile }) => ({
    airlines: (airlinesFile?.entries ?? []).map(({ name, prefixes }) => `${name} (${prefixes.join(", ")})`),
  }),
  sources: async (files) => (await import("./described-sources.ts")).describeSources(files),
  commands: [
    {
      name: "airlines",
      summary: "list the airlines that Boathook knows, and try your credentials",
      load: () => import("./commands/airlines.ts"),
    },
    {
      name: "waybills",
      summary: "list, show and stop tracked air waybills",
      load: () => import("./commands/waybills.ts"),
    },
  ],
  start: async (...given) => (await import("./running.ts")).startAir(...given),
});
