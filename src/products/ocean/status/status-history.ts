/** Which statuses a box went through, and when this service learned of each. */
import type { ContainerStatus } from "../event-data.ts";
import type { StatusEntry } from "../record/shipment-record.ts";
import type { StatusReading } from "./status.ts";

export const STATUS_HISTORY_MAX = 100;

/**
 * Steps that the carrier stated since the last entry come in between. What time, a vessel's report or a correction
 * changes follows from no step: such an entry has no time of its own.
 */
export function statusHistory(
  before: readonly StatusEntry[],
  status: ContainerStatus,
  steps: StatusReading["steps"],
  seenMs: number,
): readonly StatusEntry[] {
  const knownMs = Math.max(Number.NEGATIVE_INFINITY, ...before.flatMap(({ atMs }) => atMs ?? []));
  const history = [...before];
  for (const { to, event } of steps) {
    if (event.at.ms > knownMs && history.at(-1)?.status !== to)
      history.push({ status: to, atMs: event.at.ms, seenMs });
  }
  if (history.at(-1)?.status !== status) history.push({ status, seenMs });
  return history.slice(-STATUS_HISTORY_MAX);
}
