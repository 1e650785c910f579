/** Has shipments looked at whose boxes are to sail from a call of which something has changed. */
import type { Cell } from "../../../store/cell.ts";
import { wakeAwaitingShipments } from "../store/awaited-sailings.ts";
import type { Connection } from "../../../store/database.ts";
import { expectedTime, type CallRecord } from "../../schedules/calls/call-record.ts";
import { callState } from "../../schedules/search/call-view.ts";
import type { CallChange } from "../../schedules/events/blank-sailing.ts";
import { callKeys } from "./awaited-sailings.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Nobody waits any more for a sailing that was to leave so long ago. */
const WAITED_MS_MAX = 60 * DAY_MS;

/** In the transaction of the changes: whoever looks then sees them, and none is lost with a process. */
export async function wakeShipments(
  tx: Connection,
  cells: readonly Cell[],
  changes: readonly CallChange[],
  atMs: number,
): Promise<void> {
  const keys = changes
    .filter((change) => isCallChange(change, atMs))
    .flatMap(({ before, after }) => awaitedKeysOfChange(before, after));
  if (keys.length === 0) return;
  for (const cell of cells) await wakeAwaitingShipments(tx, cell, [...new Set(keys)], atMs);
}

function isCallChange({ before, after }: CallChange, atMs: number): boolean {
  const leavesMs = expectedTime(after.departure)?.ms ?? null;
  if (leavesMs === null || leavesMs < atMs - WAITED_MS_MAX) return false;
  return (
    before === null ||
    callState(before) !== callState(after) ||
    (expectedTime(before.departure)?.ms ?? null) !== leavesMs
  );
}

/** Also under its old names: a vessel or number that was changed is still what boxes are told of. */
function awaitedKeysOfChange(before: CallRecord | null, after: CallRecord): readonly string[] {
  return [before ?? after, after].flatMap(({ carrier, port, vessel, voyage }) =>
    callKeys(carrier, port, vessel, voyage.export ?? voyage.import),
  );
}
