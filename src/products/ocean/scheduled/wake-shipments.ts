/** Makes the shipments due whose boxes are to sail from a changed call. */
import type { OnCallsChanged } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { wakeAwaitingShipments } from "../store/awaited-sailings.ts";
import { callKeys } from "./awaited-sailings.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** No box still waits for a sailing that was to leave so long ago. */
const WAITED_MS_MAX = 60 * DAY_MS;

/** In the transaction of the changes: the next poll sees them, and no crash loses them. */
export const wakeShipments: OnCallsChanged = async (tx, cells, changes, atMs) => {
  const keys = changes
    .filter(({ departureMs }) => departureMs >= atMs - WAITED_MS_MAX)
    .flatMap(({ names }) => names)
    .flatMap(({ carrier, port, vessel, voyage }) => callKeys(carrier, port, vessel, voyage));
  if (keys.length === 0) return;
  for (const cell of cells) await wakeAwaitingShipments(tx, cell, [...new Set(keys)], atMs);
};
