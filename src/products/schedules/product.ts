/** Sailing schedules. */
import { join } from "node:path";

import type { FindScheduledCalls } from "../../freight/scheduled-calls/scheduled-calls.ts";
import { defineProduct } from "../manifest.ts";
import { schedules as catalogue } from "./catalogue.ts";
import { SCHEDULES_FILES, SCHEDULES_SETTINGS } from "./settings.ts";

const findCalls: FindScheduledCalls = async (...search) =>
  (await import("./calls/scheduled-calls.ts")).findScheduledCalls(...search);

export const schedules = defineProduct({
  ...catalogue,
  settings: SCHEDULES_SETTINGS,
  migrations: join(import.meta.dirname, "migrations"),
  files: SCHEDULES_FILES,
  upstreams: ({ schedulesFile }) => ({ schedules: (schedulesFile?.entries ?? []).map(({ name }) => name) }),
  sources: async (files) => (await import("./described-sources.ts")).describeSources(files),
  commands: [
    {
      name: "schedules",
      summary: "list feeds of sailing schedules, the calls they report, and carriers that have feeds",
      about:
        "Sailing schedules: feeds, the calls of vessels that they report, and the carriers that have feeds.",
      byHand: async () => [
        (await import("./commands/catalogue.ts")).catalogue,
        (await import("./check/feed-check.ts")).feedsCheck,
      ],
    },
  ],
  operatorRoutes: async (files) => {
    const { listCallsRoute, readCallRoute } = await import("./operator/calls.ts");
    const { listFeedsRoute } = await import("./operator/feeds.ts");
    const feeds = listFeedsRoute(async () => (await files()).schedulesFile?.entries ?? null);
    return { guarded: [feeds, listCallsRoute, readCallRoute] };
  },
  scheduledCalls: ({ schedulesFile }) => ((schedulesFile?.entries ?? []).length === 0 ? null : findCalls),
  start: async (...given) => (await import("./running.ts")).startSchedules(...given),
});
