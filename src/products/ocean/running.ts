/** Runs ocean tracking: which carriers it polls, when, and what clients may do with their shipments. */

import type { FilesOf, ProductStart, RunningProduct } from "../manifest.ts";
import { containerRoutes } from "./routes/routes.ts";
import type { OCEAN_FILES, OceanSettings } from "./settings.ts";
import { createCarrierCallbacks } from "./sources/callback.ts";
import { createCarrierClient } from "./sources/carrier-client.ts";
import { createTariffCache } from "./demurrage/tariff-cache.ts";
import { createImportedReader } from "./sources/imported/read-imported.ts";
import { createRetention } from "../../freight/work/retention.ts";
import { IMPORTS_KEPT_MS } from "./sources/imported/import-milestones.ts";
import { importedMilestonePrune } from "./store/imported-milestones.sql.ts";
import { createPoller } from "./sources/poll-shipment.ts";
import { createScheduleReader, type ReadSchedule } from "./scheduled/schedule-reader.ts";
import { POLL_SCHEDULE_DEFAULTS } from "./sources/poll-schedule.ts";
import { certificateWarnings } from "../../freight/upstream/oauth-problems.ts";
import { openUpstreamHttp } from "../../freight/upstream/http.ts";
import { pollerSettings } from "../../freight/polling/settings.ts";
import type { BatchBounds } from "../../engine/batch-writer.ts";
import type { CallSearch } from "../../freight/scheduled-calls/scheduled-calls.ts";
import { startVessels } from "./vessels.ts";

/** Polls where this process does; tracking works without it, and another process polls. */
export async function startOcean(
  context: ProductStart,
  settings: OceanSettings,
  files: FilesOf<typeof OCEAN_FILES>,
): Promise<RunningProduct> {
  const { database, cells, index, polls, engine, check, clock, random, log, loops } = context;
  const carriers = files.carriersFile?.entries ?? [];
  for (const warning of certificateWarnings(carriers, clock.nowMs())) {
    log.error({ place: warning }, "a certificate in the carriers file needs to be renewed");
  }
  const upstreams = openUpstreamHttp(clock);
  const { http } = upstreams;
  const client = createCarrierClient({ ...context, carriers, http });
  const tariffs = await createTariffCache(context, cells[0]);
  const vessels = await startVessels(files.aisFile?.feed ?? null, polls, { ...context, http }).catch(
    async (cause: unknown) => {
      await tariffs.stop();
      throw cause;
    },
  );
  const pollsBy = pollerSettings(settings, settings.pollIntervalMs);
  const poller = createPoller(
    {
      database,
      index,
      carriers,
      client,
      readImported: createImportedReader(context, pollsBy),
      tariffs: tariffs.tariffs,
      vesselReportOf: vessels.vesselReportOf,
      ...scheduleReading(context, pollsBy),
      watchPolling: context.watchPolling,
      onWork: context.onWork,
      raiseWithin: (cell, change) => engine.raiseWithin(cell, change),
      check,
      clock,
      random,
      log,
      loops,
      polling: {
        ...POLL_SCHEDULE_DEFAULTS,
        intervalMs: settings.pollIntervalMs,
        nearIntervalMs: settings.pollNearIntervalMs,
      },
    },
    cells,
    pollsBy,
  );
  if (polls) poller.start();
  const retention = createRetention(context, "imported milestones", IMPORTS_KEPT_MS, importedMilestonePrune);
  retention.start();
  const { wake } = poller;
  const ports = { ...context, directory: cells[0], carriers, wake, unresolvedMax: settings.unresolvedMax };
  return {
    routes: containerRoutes(ports, createCarrierCallbacks(ports)),
    async stop() {
      const stopping = [tariffs.stop(), vessels.stop(), retention.stop()];
      if (polls) await poller.stop();
      // What waits for an answer ends with the connections.
      await upstreams.destroy();
      await Promise.all(stopping);
    },
  };
}

/** Nothing where no product has calls at ports. */
function scheduleReading(
  { scheduledCalls, database, productCells, clock }: ProductStart,
  batches: BatchBounds,
): { readonly readSchedule?: ReadSchedule } {
  if (scheduledCalls === null) return {};
  const find = (searches: readonly CallSearch[]) => scheduledCalls(database, productCells, searches);
  return { readSchedule: createScheduleReader(find, clock, batches) };
}
