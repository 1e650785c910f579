/** The poller of waybills: a lane for each configured airline's prefix. */
import type { Cell } from "../../store/cell.ts";
import {
  batchesOf,
  createPoller,
  type Poller,
  type PollerPorts,
  type PollerSettings,
} from "../polling/poller.ts";
import { AIR_PRODUCT, laneOf } from "./air-product.ts";
import type { AirlineDesk } from "./desk.ts";
import { createAirLooks, type AirLookPorts } from "./look.ts";

export type AirPollerPorts = PollerPorts & AirLookPorts & { readonly desk: Pick<AirlineDesk, "isOpen"> };

export function createAirPoller(
  ports: AirPollerPorts,
  cells: readonly Cell[],
  settings: PollerSettings,
): Poller {
  const { airlines, desk } = ports;
  const prefixes = new Map(
    airlines.flatMap((airline) =>
      airline.prefixes.map((prefix) => [laneOf(prefix), { airline, prefix }] as const),
    ),
  );
  const polled = {
    product: AIR_PRODUCT,
    looks: createAirLooks(ports, batchesOf(settings)),
    places: new Map(
      [...prefixes].map(([lane, { airline }]) => [lane, airline.requestsMax ?? settings.lanePlaces] as const),
    ),
    isOpen: (lane: string) => desk.isOpen(prefixes.get(lane)!.prefix),
  };
  return createPoller(ports, polled, cells, settings);
}
