/** The poller of waybills: a source queue for each configured airline, with a source for each of its prefixes. */
import { SECOND_MS } from "../../../runtime/durations.ts";
import { inCells } from "../../../store/in-cells.ts";
import type { ReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import type { Cells } from "../../../store/cell.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { makeDueByMessage } from "../../../freight/tracking/store/shipments-due.ts";
import {
  createPoller,
  type PollerPorts,
  type Poller,
  type PollerSettings,
} from "../../../freight/polling/poller.ts";
import { AIR_PRODUCT, sourceQueueOf } from "../air-product.ts";
import type { AirlineClient } from "../sources/airline-client.ts";
import { createAirPollHandler, type AirPollPorts } from "./poll-waybill.ts";

export type AirPollerPorts = PollerPorts &
  AirPollPorts & {
    readonly cells: Cells;
    readonly index: ReferenceIndex;
    readonly client: Pick<AirlineClient, "isBreakerOpen">;
  };

export function createAirPoller(ports: AirPollerPorts, settings: PollerSettings): Poller {
  const { airlines, client, cells } = ports;
  // One for all prefixes of an airline, so that its slots hold for it as a whole.
  const queues = new Map(airlines.map((airline) => [sourceQueueOf(airline.prefixes[0]!), airline]));
  const polled = {
    product: AIR_PRODUCT,
    handler: createAirPollHandler(ports, settings),
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
  { database, index, clock, wake }: WakePorts,
  awbs: readonly string[],
): Promise<void> {
  const cells = await index.cellsOf(AIR_PRODUCT, awbs);
  const { failures } = await inCells(clock, cells, CELL_MS_MAX, async (cell) => {
    if ((await makeDueByMessage(database, cell, AIR_PRODUCT, awbs, clock.nowMs())) > 0) wake(cell);
  });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

type WakePorts = Pick<NodeContext, "database" | "clock"> &
  Pick<Poller, "wake"> & { readonly index: Pick<ReferenceIndex, "cellsOf"> };

/** A cell that takes longer has failed. */
const CELL_MS_MAX = 5 * SECOND_MS;
