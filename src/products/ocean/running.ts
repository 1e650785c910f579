/** Ocean tracking at work: whom it asks, when, and what clients may do with their shipments. */
import { Agent } from "undici";

import type { FilesOf, ProductStart, RunningProduct } from "../manifest.ts";
import { oceanOperatorRoutes } from "./operator/routes.ts";
import { containerRoutes } from "./routes/routes.ts";
import type { OCEAN_FILES, OceanSettings } from "./settings.ts";
import type { OceanTracking } from "./routes/tracking.ts";
import { createCarrierCallbacks } from "./sources/callback.ts";
import { createCarrierClient } from "./sources/carrier-client.ts";
import { createTariffCache } from "./demurrage/tariff-cache.ts";
import { createPoller, UNKNOWN_CARRIER } from "./sources/poller.ts";
import { batchSettings } from "../../freight/polling/poller.ts";
import { createScheduleReader } from "./scheduled/schedule-reader.ts";
import { POLL_SCHEDULE_DEFAULTS } from "./sources/poll-schedule.ts";
import { lookupContainer } from "./tracking/lookup.ts";
import { getShipment, listShipments, recheck, startTracking, stopTracking } from "./tracking/track.ts";
import { createHttpPort } from "../../freight/upstream/http.ts";
import { pollerSettings } from "../../freight/polling/poller-settings.ts";
import { startVessels } from "./vessels.ts";

/** Polls where this process does; tracking works without it, and another process polls. */
export async function startOcean(
  context: ProductStart,
  settings: OceanSettings,
  files: FilesOf<typeof OCEAN_FILES>,
): Promise<RunningProduct> {
  const { database, cells, polls, engine, check, clock, random, log, loops, scheduledCalls } = context;
  const carriers = files.carriersFile?.carriers ?? [];
  const agent = new Agent({ allowH2: false });
  const http = createHttpPort(agent, clock);
  const desk = createCarrierClient({ carriers, http, clock, random });
  const book = await createTariffCache(context, cells[0]);
  const vessels = await startVessels(files.aisFile?.feed ?? null, polls, { ...context, http }).catch(
    async (cause: unknown) => {
      await book.stop();
      throw cause;
    },
  );
  const onLook = context.watchPolling([
    { source: UNKNOWN_CARRIER, carrier: "unknown", isBreakerOpen: null },
    ...carriers.map(({ scac }) => ({
      source: scac,
      carrier: scac,
      isBreakerOpen: () => desk.isBreakerOpen(scac),
    })),
  ]);
  const pollsBy = pollerSettings(settings, settings.pollIntervalMs);
  const poller = createPoller(
    {
      database,
      carriers,
      client: desk,
      tariffs: book.tariffs,
      vesselReportOf: vessels.vesselReportOf,
      ...(scheduledCalls === null
        ? {}
        : {
            readSchedule: createScheduleReader(
              (searches) => scheduledCalls(database, cells[0], searches),
              clock,
              batchSettings(pollsBy),
            ),
          }),
      onPoll: onLook,
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
  const track = { database, carriers, clock, random, wake: poller.wake };
  const tracking: OceanTracking = {
    start: (cell, input) => startTracking(track, cell, input),
    recheck: (cell, accountId, id) => recheck(track, cell, accountId, id),
    read: (cell, accountId, id) => getShipment(track, cell, accountId, id),
    stop: (cell, accountId, id) => stopTracking(track, cell, accountId, id),
    list: (cell, accountId, wanted) => listShipments(track, cell, accountId, wanted),
    lookup: (reference) => lookupContainer(database, cells, reference),
  };
  return {
    routes: containerRoutes(
      tracking,
      createCarrierCallbacks({ database, cells, carriers, wake: poller.wake }),
    ),
    operatorRoutes: oceanOperatorRoutes,
    async stop() {
      const stopping = [book.stop(), vessels.stop()];
      if (polls) await poller.stop();
      // What waits for an answer ends with the connections.
      await agent.destroy();
      await Promise.all(stopping);
    },
  };
}
