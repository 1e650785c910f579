/** Ocean container tracking. */
import { join } from "node:path";

import { defineProduct } from "../manifest.ts";
import { tracking } from "./catalogue.ts";
import { OCEAN_FILES, OCEAN_SETTINGS } from "./settings.ts";

export const ocean = defineProduct({
  ...tracking,
  changelog: join(import.meta.dirname, "..", "..", "..", "changelog"),
  settings: OCEAN_SETTINGS,
  files: OCEAN_FILES,
  upstreams: ({ carriersFile, aisFile }) => ({
    carriers: (carriersFile?.entries ?? []).map(({ scac }) => scac),
    ais: aisFile === null ? null : (aisFile.feed.name ?? new URL(aisFile.feed.url).host),
  }),
  sources: async (files) => (await import("./described-sources.ts")).describeSources(files),
  commands: [
    {
      name: "carriers",
      summary: "list the carriers that Boathook knows, and try your credentials",
      load: () => import("./commands/carriers.ts"),
    },
    {
      name: "tariffs",
      summary: "load, list and remove demurrage tariffs",
      about: "Demurrage tariffs: free days and rates by carrier, port and size of the box.",
      loads: true,
    },
    {
      name: "containers",
      summary: "list, show, recheck and stop tracked containers, import milestones",
      about: "Containers are what ocean tracking polls carriers for.",
    },
  ],
  operatorRoutes: async (files) => {
    const { oceanOperatorRoutes } = await import("./operator/routes.ts");
    return oceanOperatorRoutes(async () => (await files()).carriersFile?.entries ?? null);
  },
  findTracked: async (...search) => (await import("./operator/containers.ts")).findContainers(...search),
  onCallsChanged: async (...change) =>
    (await import("./scheduled/awaited-sailings.ts")).wakeShipments(...change),
  messages: async () => ({
    ...(await import("./store/awaited-sailings.ts")).awaitedSailingMessages,
    ...(await import("./store/tariffs.ts")).tariffMessages,
  }),
  start: async (...given) => (await import("./running.ts")).startOcean(...given),
});
