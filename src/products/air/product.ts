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
      about: "Waybills are what air cargo tracking polls airlines for.",
    },
  ],
  operatorRoutes: async (files) => {
    const { waybillOperatorRoutes } = await import("./operator/waybills.ts");
    return { guarded: waybillOperatorRoutes(async () => (await files()).airlinesFile?.entries ?? null) };
  },
  findTracked: async (...search) => (await import("./operator/waybills.ts")).findWaybills(...search),
  start: async (...given) => (await import("./running.ts")).startAir(...given),
});
