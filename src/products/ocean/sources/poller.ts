/** The poller of containers: a lane for each carrier, and one for shipments whose carrier is not known yet. */
import type { Cell } from "../../../store/cell.ts";
import {
  batchesOf,
  createPoller as createPollerOf,
  POLLER_DEFAULTS,
  type Poller,
  type PollerPorts as AnyPollerPorts,
  type PollerSettings,
} from "../../../freight/polling/poller.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { createLooks, type LookPorts } from "./refresh.ts";

export type PollerPorts = LookPorts & AnyPollerPorts;

/** The lane of shipments whose carrier is not known. */
export const UNKNOWN_CARRIER = "";

export function createPoller(
  ports: PollerPorts,
  cells: readonly Cell[],
  settings: PollerSettings = POLLER_DEFAULTS,
): Poller {
  const { carriers, desk } = ports;
  const { lanePlaces } = settings;
  const polled = {
    product: OCEAN_PRODUCT,
    looks: createLooks(ports, batchesOf(settings)),
    places: new Map([
      [UNKNOWN_CARRIER, lanePlaces],
      ...carriers.map(({ scac, requestsMax }) => [scac, requestsMax ?? lanePlaces] as const),
    ]),
    isOpen: (lane: string) => lane !== UNKNOWN_CARRIER && desk.isOpen(lane),
  };
  return createPollerOf(ports, polled, cells, settings);
}

export { POLLER_DEFAULTS, type Poller, type PollerSettings };
