/** The poller of containers: a lane for each carrier, and one for shipments whose carrier is not known yet. */
import type { Cell } from "../../../store/cell.ts";
import {
  batchSettings,
  createPoller as createPollerOf,
  POLLER_DEFAULTS,
  type Poller,
  type PollerPorts as AnyPollerPorts,
  type PollerSettings,
} from "../../../freight/polling/poller.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { createPollHandler, type PollHandlerPorts } from "./poll-shipment.ts";

export type PollerPorts = PollHandlerPorts & AnyPollerPorts;

/** The lane of shipments whose carrier is not known. */
export const UNKNOWN_CARRIER = "";

export function createPoller(
  ports: PollerPorts,
  cells: readonly Cell[],
  settings: PollerSettings = POLLER_DEFAULTS,
): Poller {
  const { carriers, client } = ports;
  const { slotsPerSource } = settings;
  const polled = {
    product: OCEAN_PRODUCT,
    handler: createPollHandler(ports, batchSettings(settings)),
    slots: new Map([
      [UNKNOWN_CARRIER, slotsPerSource],
      ...carriers.map(({ scac, requestsMax }) => [scac, requestsMax ?? slotsPerSource] as const),
    ]),
    isBreakerOpen: (lane: string) => lane !== UNKNOWN_CARRIER && client.isBreakerOpen(lane),
  };
  return createPollerOf(ports, polled, cells, settings);
}

export { POLLER_DEFAULTS, type Poller, type PollerSettings };
