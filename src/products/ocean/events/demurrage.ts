/**
 * `demurrage_warning` and `demurrage_started` of spec 6.3, for accounts that have armed the alerting.
 * Arming acts forward: free time that was over by then is never raised.
 */
import type { BoxRecord, FreeTime, AlreadyRaised } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../status/status.ts";
import type { EventDrafts } from "./draft.ts";
import { statusData } from "./status.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Where free time runs, and costs begin. */
const AT_THE_TERMINAL: readonly ContainerStatus[] = ["discharged", "customs_hold", "available"];

export function demurrageEvents(
  box: BoxRecord,
  raised: AlreadyRaised,
  armedFromMs: number | null,
  nowMs: number,
): EventDrafts {
  const { freeTime } = box;
  const quiet = { drafts: [], raised: raised };
  if (freeTime === null || armedFromMs === null || !AT_THE_TERMINAL.includes(box.status)) return quiet;
  if (freeTime.endsMs <= armedFromMs) return quiet;
  const data = statusData(box.status, box.status, box, true);
  if (nowMs >= freeTime.endsMs) {
    if (raised.demurrageStarted) return quiet;
    return {
      drafts: [{ type: "demurrage_started", data, key: "demurrage_started" }],
      // A warning after the fact warns of nothing.
      raised: { ...raised, demurrageStarted: true, demurrageWarning: true },
    };
  }
  if (raised.demurrageWarning || nowMs < warningFromMs(freeTime)) return quiet;
  return {
    drafts: [{ type: "demurrage_warning", data, key: "demurrage_warning" }],
    raised: { ...raised, demurrageWarning: true },
  };
}

/** The beginning of the third day before the last free day. */
function warningFromMs({ endsMs, warnsMs }: FreeTime): number {
  return warnsMs ?? endsMs - 4 * DAY_MS;
}

/** When time alone brings the next warning, the end of free time, or another day overdue; null: never. */
export function freeTimeChangesMs({ freeTime, status }: BoxRecord, nowMs: number): number | null {
  if (freeTime === null || !AT_THE_TERMINAL.includes(status)) return null;
  const warningMs = warningFromMs(freeTime);
  if (nowMs < warningMs) return warningMs;
  const daysOver = Math.floor((nowMs - freeTime.endsMs) / DAY_MS) + 1;
  return freeTime.endsMs + Math.max(0, daysOver) * DAY_MS;
}
