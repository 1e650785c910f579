/** Has shipments looked at whose boxes are to sail from a call of which something has changed. */
import type { OnCallsChanged } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { wakeAwaitingShipments } from "../store/awaited-sailings.ts";
import { callKeys } from "./awaited-sailings.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Nobody waits any more for a sailing that was to leave so long ago. */
const WAITED_MS_MAX = 60 * DAY_MS;

/** In the transaction of the changes: whoever looks then sees them, and none is lost with a process. */
export const wakeShipments: OnCallsChanged = async (tx, cells, changes, atMs) => {
  const keys = changes
    .filter(({ departureMs }) => departureMs >= atMs - WAITED_MS_MAX)
    .flatMap(({ names }) => names)
    .flatMap(({ carrier, port, vessel, voyage }) => callKeys(carrier, port, vessel, voyage));
  if (keys.length === 0) return;
  for (const cell of cells) await wakeAwaitingShipments(tx, cell, [...new Set(keys)], atMs);
};
