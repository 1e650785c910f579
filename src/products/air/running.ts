/** Air cargo at work: which airlines it polls, when, and its routes. */
import { pollerSettings } from "../../freight/polling/settings.ts";
import { airOperatorRoutes } from "./operator/messages.ts";

import type { FilesOf, ProductStart, RunningProduct } from "../manifest.ts";
import { airRoutes } from "./routes/routes.ts";
import type { AIR_FILES, AirSettings } from "./settings.ts";
import { AIR_ENTITLEMENT } from "./air-product.ts";
import { createAirlineClient } from "./sources/airline-client.ts";
import { createRetention } from "../../freight/work/retention.ts";
import { MESSAGES_KEPT_MS } from "./sources/pushed-messages.ts";
import { airMessagePrune } from "./store/air-messages.sql.ts";
import { createAirPoller, wakeWaybills } from "./polling/poller.ts";
import { createIsEntitled } from "./polling/entitled.ts";
import { AIR_POLL_DEFAULTS } from "./polling/poll-schedule.ts";
import { createAwbTracking, TRACK_DEFAULTS } from "./tracking/track.ts";
import { openUpstreamHttp } from "../../freight/upstream/http.ts";

/** Polls where this process does; tracking works without it, and another process polls. */
export async function startAir(
  context: ProductStart,
  settings: AirSettings,
  { airlinesFile }: FilesOf<typeof AIR_FILES>,
): Promise<RunningProduct> {
  const { polls, engine, clock, log } = context;
  const { airPollIntervalMs: intervalMs, airAfterDeliveryMs: afterDeliveryMs, unresolvedMax } = settings;
  const airlines = airlinesFile?.entries ?? [];
  const upstreams = openUpstreamHttp(clock);
  const client = createAirlineClient({ ...context, airlines, http: upstreams.http });
  const polling = { ...AIR_POLL_DEFAULTS, intervalMs, afterDeliveryMs };
  const { raiseWithin } = engine;
  const isEntitled = createIsEntitled(context, AIR_ENTITLEMENT);
  const ports = { ...context, airlines, client, raiseWithin, polling, isEntitled };
  const poller = createAirPoller(ports, pollerSettings(settings, intervalMs));
  if (polls) poller.start();
  const retention = createRetention(context, "air messages", MESSAGES_KEPT_MS, airMessagePrune);
  retention.start();
  const { wake } = poller;
  const onMessages = (awbs: readonly string[]): void => {
    wakeWaybills({ ...context, wake }, awbs).catch((error: unknown) => {
      // The messages are stored, and the next poll of each waybill reads them.
      log.warn({ error, awbs: awbs.length }, "waybills with pushed messages wait for their next poll");
    });
  };
  const track = createAwbTracking(
    { ...context, airlines, client, wake },
    { ...TRACK_DEFAULTS, unresolvedMax },
  );
  return {
    routes: airRoutes(airlines, track, context.index),
    operatorRoutes: airOperatorRoutes(context.index, onMessages),
    async stop() {
      await retention.stop();
      if (polls) await poller.stop();
      await upstreams.destroy();
    },
  };
}
