/**
 * For accounts that have armed demurrage alerting. Arming acts forward: free time that had run out by then is
 * never raised. Each is raised once for each last free day of a port (spec 6.2: demurrage_warning,
 * demurrage_started; 6.3: demurrage_warning, demurrage_started).
 */
import type { BoxRecord, FreeTime, AlreadyRaised } from "../record/shipment-record.ts";
import { AT_TERMINAL } from "../status/status-groups.ts";
import type { EventDrafts } from "./draft.ts";
import { keyAt, withKeys } from "./raised-keys.ts";
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
  if (freeTime.endsMs <= armedFromMs || nowMs < warningFromMs(freeTime)) return none;
  const type = nowMs < freeTime.endsMs ? "demurrage_warning" : "demurrage_started";
  const port = box.destination ?? box.discharge;
  const key = keyAt(type, port, freeTime.lastFreeDay);
  const keys = raised.keys ?? {};
  // After a start, an earlier day is a correction of one that has run out already.
  const started = keyAt("demurrage_started", port, "");
  const isOver = Object.keys(keys).some((other) => other.startsWith(started) && other >= key);
  if (key in keys || type in keys || (type === "demurrage_started" && isOver)) return none;
  const data = statusData(box.status, box.status, box, true);
  return { drafts: [{ type, data, key }], raised: withKeys(raised, [key]) };
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
