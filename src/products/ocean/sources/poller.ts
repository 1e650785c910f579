/** The poller of containers: a source queue for each carrier, and one for shipments of an unknown carrier. */
import {
  POLLER_DEFAULTS,
  type Poller,
  type PollerSettings,
  batchSettings,
  createPoller as createPollerOf,
  type PollerPorts as AnyPollerPorts,
} from "../../../freight/polling/poller.ts";
import type { Cell } from "../../../store/cell.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { createPollHandler, type PollHandlerPorts } from "./poll-shipment.ts";

export type PollerPorts = PollHandlerPorts & AnyPollerPorts;

/** The source queue of shipments of an unknown carrier. */
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
    isBreakerOpen: (source: string) => source !== UNKNOWN_CARRIER && client.isBreakerOpen(source),
  };
  return createPollerOf(ports, polled, cells, settings);
}
