/** The poller of waybills: a source queue for each configured airline, with a source for each of its prefixes. */
import type { NodeContext } from "../../../store/node-context.ts";
import { makeDueByMessage } from "../../../freight/tracking/store/shipments-due.ts";
import {
  batchSettings,
  createPoller,
  type PollerPorts,
  type Poller,
  type PollerSettings,
} from "../../../freight/polling/poller.ts";
import { AIR_PRODUCT, sourceQueueOf } from "../air-product.ts";
import type { AirlineClient } from "../sources/airline-client.ts";
import { createAirPollHandler, type AirPollPorts } from "./poll-waybill.ts";

export type AirPollerPorts = PollerPorts &
  AirPollPorts & { readonly client: Pick<AirlineClient, "isBreakerOpen"> };

export function createAirPoller(ports: AirPollerPorts, settings: PollerSettings): Poller {
  const { airlines, client, cells } = ports;
  // One for all prefixes of an airline, so that its slots hold for it as a whole.
  const queues = new Map(airlines.map((airline) => [sourceQueueOf(airline.prefixes[0]!), airline]));
  const polled = {
    product: AIR_PRODUCT,
    handler: createAirPollHandler(ports, batchSettings(settings)),
    slots: new Map(
      [...queues].map(
        ([source, { requestsMax }]) => [source, requestsMax ?? settings.slotsPerSource] as const,
      ),
    ),
    isBreakerOpen: (source: string) => client.isBreakerOpen(queues.get(source)!.prefixes[0]!),
    sourcesOf: (source: string) => queues.get(source)!.prefixes.map(sourceQueueOf),
  };
  return createPoller(ports, polled, cells, settings);
}

/** Makes waybills due now that an airline pushed messages about, and wakes the poller. `awbs`: eleven digits each. */
export async function wakeWaybills(
  { database, cells, clock, wake }: Pick<NodeContext, "database" | "cells" | "clock"> & Pick<Poller, "wake">,
  awbs: readonly string[],
): Promise<void> {
  let due = 0;
  for (const cell of cells) due += await makeDueByMessage(database, cell, AIR_PRODUCT, awbs, clock.nowMs());
  if (due > 0) wake();
}
