/** The ocean product's running parts: whom it asks, when, and what clients may do with their shipments. */
import type { Registry } from "prom-client";
import { Agent } from "undici";

import type { Engine } from "../../engine/engine.ts";
import type { OceanTracking } from "./routes/tracking.ts";
import { createCarrierCallbacks, type CarrierCallbacks } from "./sources/callback.ts";
import { createCarrierClient } from "./sources/carrier-client.ts";
import { createTariffCache } from "./demurrage/tariff-cache.ts";
import { createPoller, UNKNOWN_CARRIER } from "./sources/poller.ts";
import { batchSettings } from "../../freight/polling/poller.ts";
import { createScheduleReader } from "./scheduled/schedule-reader.ts";
import { POLL_SCHEDULE_DEFAULTS } from "./sources/poll-schedule.ts";
import { lookupContainer } from "./tracking/lookup.ts";
import { getShipment, listShipments, recheck, startTracking, stopTracking } from "./tracking/track.ts";
import { createHttpPort } from "../../freight/upstream/http.ts";
import type { CheckEventData } from "../../model/event-check.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { pollerSettings, type PollingSettings } from "../../freight/polling/poller-settings.ts";
import type { WatchPolling } from "../../freight/polling/polling-metrics.ts";
import { startVessels } from "./vessels.ts";
import type { Upstreams } from "../../service/upstreams.ts";

export type OceanSettings = PollingSettings & Pick<Settings, "pollIntervalMs" | "pollNearIntervalMs">;

export type OceanPorts = NodeContext & {
  readonly upstreams: Pick<Upstreams, "carriers" | "aisFeed" | "scheduleFeeds">;
  readonly engine: Pick<Engine, "raiseWithin">;
  readonly check: CheckEventData;
  /** Where metrics are registered. */
  readonly registry: Registry;
  readonly watchPolling: WatchPolling;
};

export type Ocean = {
  readonly tracking: OceanTracking;
  /** What carriers push. */
  readonly callbacks: CarrierCallbacks;
  /** Asks no carrier any more; resolves when nobody is being asked. */
  stop(): Promise<void>;
};

/** Starts polling where `polls` says so; tracking works without it, and another node's poller looks. */
export async function startOcean(settings: OceanSettings, polls: boolean, ports: OceanPorts): Promise<Ocean> {
  const { database, cells, engine, check, clock, random, log, loops } = ports;
  const { carriers, aisFeed, scheduleFeeds } = ports.upstreams;
  const agent = new Agent({ allowH2: false });
  const http = createHttpPort(agent, clock);
  const desk = createCarrierClient({ carriers, http, clock, random });
  const book = await createTariffCache(ports, cells[0]);
  const vessels = await startVessels(aisFeed, polls, { ...ports, http }).catch(async (cause: unknown) => {
    await book.stop();
    throw cause;
  });
  const onLook = ports.watchPolling([
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
      ...(scheduleFeeds.length === 0
        ? {}
        : { readSchedule: createScheduleReader(database, cells[0], clock, batchSettings(pollsBy)) }),
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
  return {
    tracking: {
      start: (cell, input) => startTracking(track, cell, input),
      recheck: (cell, accountId, id) => recheck(track, cell, accountId, id),
      read: (cell, accountId, id) => getShipment(track, cell, accountId, id),
      stop: (cell, accountId, id) => stopTracking(track, cell, accountId, id),
      list: (cell, accountId, wanted) => listShipments(track, cell, accountId, wanted),
      lookup: (reference) => lookupContainer(database, cells, reference),
    },
    callbacks: createCarrierCallbacks({ database, cells, carriers, wake: poller.wake }),
    async stop() {
      const stopping = [book.stop(), vessels.stop()];
      if (polls) await poller.stop();
      // What waits for an answer ends with the connections.
      await agent.destroy();
      await Promise.all(stopping);
    },
  };
}
