/** Air cargo's running parts: whom it asks, when, and what clients may do with their waybills. */
import { Agent } from "undici";

import type { Engine } from "../../engine/engine.ts";
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
import type { CheckEventData } from "../../model/event-check.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { pollerSettings, type PollingSettings } from "../../freight/polling/poller-settings.ts";
import type { WatchPolling } from "../../freight/polling/polling-metrics.ts";
import type { Upstreams } from "../../service/upstreams.ts";

export type AirSettings = PollingSettings & Pick<Settings, "airPollIntervalMs" | "airAfterDeliveryMs">;

export type AirPorts = NodeContext & {
  readonly upstreams: Pick<Upstreams, "airlines">;
  readonly engine: Pick<Engine, "raiseWithin">;
  readonly check: CheckEventData;
  readonly watchPolling: WatchPolling;
};

export type Air = {
  readonly tracking: AirTracking;
  /** Has these waybills looked at, eleven digits each: airlines have pushed news of them. */
  readonly onMessages: (awbs: readonly string[]) => void;
  /** Asks no airline any more; resolves when nobody is being asked. */
  stop(): Promise<void>;
};

/** Starts polling where `polls` says so; tracking works without it, and another node's poller looks. */
export function startAir(settings: AirSettings, polls: boolean, ports: AirPorts): Air {
  const { database, cells, engine, check, clock, random, log, loops } = ports;
  const { airlines } = ports.upstreams;
  const agent = new Agent({ allowH2: false });
  const desk = createAirlineClient({ airlines, http: createHttpPort(agent, clock), clock, random });
  const lanes = airlines.flatMap(({ prefixes }) =>
    prefixes.map((prefix) => {
      const lane = sourceQueueOf(prefix);
      return { source: lane, carrier: lane, isBreakerOpen: () => desk.isBreakerOpen(prefix) };
    }),
  );
  const poller = createAirPoller(
    {
      database,
      airlines,
      client: desk,
      pushedStatementsOf: (awb) => pushedStatementsOf(database, cells[0], awb),
      onPoll: ports.watchPolling(lanes),
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
  const forgetting = createMessageRetention({ ...ports, cell: cells[0] });
  forgetting.start();
  const track = createAwbTracking({ database, airlines, client: desk, clock, random, wake: poller.wake });
  return {
    tracking: {
      track,
      stop: (cell, accountId, awb) => stopTrackingAwb({ database }, cell, accountId, awb),
      resolveAirline: (prefix) => resolveAirline(airlines, prefix),
    },
    onMessages(awbs) {
      wakeWaybills({ database, cells, clock, wake: poller.wake }, awbs).catch((error: unknown) => {
        // The messages are kept, and the next look at each of them reads them.
        log.warn({ error, awbs: awbs.length }, "waybills wait for their next look to read what was pushed");
      });
    },
    async stop() {
      await forgetting.stop();
      if (polls) await poller.stop();
      await agent.destroy();
    },
  };
}
