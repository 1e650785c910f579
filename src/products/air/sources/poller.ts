/** The poller of waybills: a lane for each configured airline, whose waybills are stored under its prefixes. */
import type { Cell } from "../../../store/cell.ts";
import {
  batchSettings,
  createPoller,
  type Poller,
  type PollerPorts,
  type PollerSettings,
} from "../../../freight/polling/poller.ts";
import { AIR_PRODUCT, sourceQueueOf } from "../air-product.ts";
import type { AirlineClient } from "./airline-client.ts";
import { createAirPollHandler, type AirPollPorts } from "./poll-waybill.ts";

export type AirPollerPorts = PollerPorts &
  AirPollPorts & { readonly client: Pick<AirlineClient, "isBreakerOpen"> };

export function createAirPoller(
  ports: AirPollerPorts,
  cells: readonly Cell[],
  settings: PollerSettings,
): Poller {
  const { airlines, client } = ports;
  // One for all of an airline's prefixes, so that what it may be asked at once holds for it as a whole.
  const lanes = new Map(airlines.map((airline) => [sourceQueueOf(airline.prefixes[0]!), airline]));
  const polled = {
    product: AIR_PRODUCT,
    handler: createAirPollHandler(ports, batchSettings(settings)),
    slots: new Map(
      [...lanes].map(([lane, { requestsMax }]) => [lane, requestsMax ?? settings.slotsPerSource] as const),
    ),
    isBreakerOpen: (lane: string) => client.isBreakerOpen(lanes.get(lane)!.prefixes[0]!),
    sourcesOf: (lane: string) => lanes.get(lane)!.prefixes.map(sourceQueueOf),
  };
  return createPoller(ports, polled, cells, settings);
}
