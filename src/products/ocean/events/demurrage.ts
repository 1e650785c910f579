/**
 * For accounts that have armed demurrage alerting. Arming acts forward: free time that had run out by then is
 * never raised (spec 6.3: demurrage_warning, demurrage_started).
 */
import type { BoxRecord, FreeTime, AlreadyRaised } from "../record/shipment-record.ts";
import { AT_TERMINAL } from "../status/status-groups.ts";
import type { EventDrafts } from "./draft.ts";
import { statusData } from "./status.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export function demurrageEvents(
  box: BoxRecord,
  raised: AlreadyRaised,
  armedFromMs: number | null,
  nowMs: number,
): EventDrafts {
  const { freeTime } = box;
  const none = { drafts: [], raised };
  if (freeTime === null || armedFromMs === null || !AT_TERMINAL.includes(box.status)) return none;
  if (freeTime.endsMs <= armedFromMs) return none;
  const data = statusData(box.status, box.status, box, true);
  if (nowMs >= freeTime.endsMs) {
    if (raised.demurrageStarted) return none;
    return {
      drafts: [{ type: "demurrage_started", data, key: "demurrage_started" }],
      // No warning follows the start.
      raised: { ...raised, demurrageStarted: true, demurrageWarning: true },
    };
  }
  if (raised.demurrageWarning || nowMs < warningFromMs(freeTime)) return none;
  return {
    drafts: [{ type: "demurrage_warning", data, key: "demurrage_warning" }],
    raised: { ...raised, demurrageWarning: true },
  };
}

/** The beginning of the third day before the last free day (spec 8: demurrage_warning). */
function warningFromMs({ endsMs, warnsMs }: FreeTime): number {
  return warnsMs ?? endsMs - 4 * DAY_MS;
}

/** When the next warning, the end of free time or another day overdue is due; null: never. */
export function freeTimeChangesMs({ freeTime, status }: BoxRecord, nowMs: number): number | null {
  if (freeTime === null || !AT_TERMINAL.includes(status)) return null;
  const warningMs = warningFromMs(freeTime);
  if (nowMs < warningMs) return warningMs;
  const daysOver = Math.floor((nowMs - freeTime.endsMs) / DAY_MS) + 1;
  return freeTime.endsMs + Math.max(0, daysOver) * DAY_MS;
}
