/** Running air cargo: the airlines it polls, and the waybills of clients. */
import { Agent } from "undici";

import type { FilesOf, ProductStart, RunningProduct } from "../manifest.ts";
import { airOperatorRoutes } from "./operator/messages.ts";
import { airRoutes } from "./routes/routes.ts";
import type { AIR_FILES, AirSettings } from "./settings.ts";
import type { AirTracking } from "./routes/tracking.ts";
import { sourceQueueOf } from "./air-product.ts";
import { resolveAirline } from "./sources/airlines/airlines-file.ts";
import { createAirlineClient } from "./sources/airline-client.ts";
import { createMessageRetention } from "./sources/message-retention.ts";
import { wakeWaybills } from "./sources/wake-waybills.ts";
import { createAirPoller } from "./sources/poller.ts";
import { pushedStatementsOf } from "./sources/pushed-messages.ts";
import { AIR_POLL_DEFAULTS } from "./sources/poll-schedule.ts";
import { createAwbTracking, stopTrackingAwb } from "./tracking/track.ts";
import { createHttpPort } from "../../freight/upstream/http.ts";
import { pollerSettings } from "../../freight/polling/settings.ts";

/** Polls where this process does; tracking works without it, and another process polls. */
export async function startAir(
  context: ProductStart,
  settings: AirSettings,
  { airlinesFile }: FilesOf<typeof AIR_FILES>,
): Promise<RunningProduct> {
  const { database, cells, polls, engine, check, clock, random, log, loops } = context;
  const airlines = airlinesFile?.airlines ?? [];
  const agent = new Agent({ allowH2: false });
  const client = createAirlineClient({ airlines, http: createHttpPort(agent, clock), clock, random });
  const sources = airlines.flatMap(({ prefixes }) =>
    prefixes.map((prefix) => {
      const source = sourceQueueOf(prefix);
      return { source, carrier: source, isBreakerOpen: () => client.isBreakerOpen(prefix) };
    }),
  );
  const poller = createAirPoller(
    {
      database,
      airlines,
      client,
      pushedStatementsOf: (awb) => pushedStatementsOf(database, cells[0], awb),
      onPoll: context.watchPolling(sources),
      raiseWithin: (cell, change) => engine.raiseWithin(cell, change),
      check,
      clock,
      random,
      log,
      loops,
      polling: {
        ...AIR_POLL_DEFAULTS,
        intervalMs: settings.airPollIntervalMs,
        afterDeliveryMs: settings.airAfterDeliveryMs,
      },
    },
    cells,
    pollerSettings(settings, settings.airPollIntervalMs),
  );
  if (polls) poller.start();
  const retention = createMessageRetention({ ...context, cell: cells[0] });
  retention.start();
  const track = createAwbTracking({ database, airlines, client, clock, random, wake: poller.wake });
  const tracking: AirTracking = {
    track,
    stop: (cell, accountId, awb) => stopTrackingAwb({ database }, cell, accountId, awb),
    resolveAirline: (prefix) => resolveAirline(airlines, prefix),
  };
  const onMessages = (awbs: readonly string[]): void => {
    wakeWaybills({ database, cells, clock, wake: poller.wake }, awbs).catch((error: unknown) => {
      // The messages are kept, and the next poll of each waybill reads them.
      log.warn({ error, awbs: awbs.length }, "waybills wait for their next poll to read what was pushed");
    });
  };
  return {
    routes: airRoutes(tracking),
    operatorRoutes: airOperatorRoutes(onMessages),
    async stop() {
      await retention.stop();
      if (polls) await poller.stop();
      await agent.destroy();
    },
  };
}
