/** The poller of waybills: a lane for each configured airline, whose waybills are stored under its prefixes. */
import type { Cell } from "../../../store/cell.ts";
import {
  batchesOf,
  createPoller,
  type Poller,
  type PollerPorts,
  type PollerSettings,
} from "../../../freight/polling/poller.ts";
import { AIR_PRODUCT, laneOf } from "../air-product.ts";
import type { AirlineDesk } from "./desk.ts";
import { createAirLooks, type AirLookPorts } from "./look.ts";

export type AirPollerPorts = PollerPorts & AirLookPorts & { readonly desk: Pick<AirlineDesk, "isOpen"> };

export function createAirPoller(
  ports: AirPollerPorts,
  cells: readonly Cell[],
  settings: PollerSettings,
): Poller {
  const { airlines, desk } = ports;
  // One for all of an airline's prefixes, so that what it may be asked at once holds for it as a whole.
  const lanes = new Map(airlines.map((airline) => [laneOf(airline.prefixes[0]!), airline]));
  const polled = {
    product: AIR_PRODUCT,
    looks: createAirLooks(ports, batchesOf(settings)),
    places: new Map(
      [...lanes].map(([lane, { requestsMax }]) => [lane, requestsMax ?? settings.lanePlaces] as const),
    ),
    isOpen: (lane: string) => desk.isOpen(lanes.get(lane)!.prefixes[0]!),
    namesOf: (lane: string) => lanes.get(lane)!.prefixes.map(laneOf),
  };
  return createPoller(ports, polled, cells, settings);
}
