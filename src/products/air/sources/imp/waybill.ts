/** The lines of one waybill in one message, after its consignment line → a statement. */
import type { AirEvent, WaybillStatement } from "../../timeline/air-event.ts";
import type { Consignment } from "./consignment.ts";
import { joinContinuations, type JoinedLine, type Line } from "./lines.ts";
import { quoted, type Report } from "./problem.ts";
import { partPiecesOf, weightOfAll } from "../quantities.ts";
import { dayAndTimeIn } from "./day-and-time.ts";
import { pastDay } from "./station-time.ts";
import { isPlannedCode, isStatusCode, readStatus } from "./status/status-line.ts";
import { emptySupplements, readSupplement, type Supplements } from "./supplements.ts";
import { DAY_MS } from "../../../../runtime/durations.ts";

export type ReadWaybill = {
  readonly statement: WaybillStatement;
  /** Supplements without a status: before the first, or after one that could not be read. */
  readonly unattached: Supplements;
};

/** Of one waybill in one message. */
const STATUSES_MAX = 500;

/** Telex lines have 69 characters. */
export const LINE_CHARS_MAX = 1_000;

export function readWaybill(
  { awb, origin, destination, quantity, totalPieces }: Consignment,
  lines: readonly Line[],
  receivedMs: number,
  report: Report,
): ReadWaybill {
  const partPieces = quantity && partPiecesOf(quantity, quantity.totalPieces);
  const context = { receivedMs, lastEventMs: lastEventDayMs(lines, receivedMs), totalPieces, partPieces };
  const events: AirEvent[] = [];
  const unattached = emptySupplements();
  let supplements = unattached;
  for (const joined of joinContinuations(lines.filter((line) => isWithinLength(line, report)))) {
    const code = codeOf(joined.head);
    if (isStatusCode(code)) {
      if (events.length === STATUSES_MAX) {
        report(joined.head, 0, `no more than ${STATUSES_MAX} statuses are read`);
        break;
      }
      const event = readStatus(code, joined, context, report);
      supplements = event === null ? unattached : emptySupplements();
      // The following lines fill the lists.
      if (event !== null) events.push({ ...event, ...supplements });
    } else if (!isPartMark(joined.head) && !readSupplement(code, joined, supplements, report)) {
      report(joined.head, 0, unknownLineMessage(joined));
      if (code !== "") supplements = unattached;
    }
  }
  const weightKg = quantity?.shipmentPart === "total" ? quantity.weightKg : null;
  return {
    statement: {
      awb,
      origin,
      destination,
      pieces: totalPieces,
      weightKg: weightKg ?? weightOfAll(events),
      events,
    },
    unattached,
  };
}

function isWithinLength(line: Line, report: Report): boolean {
  if (line.text.length <= LINE_CHARS_MAX) return true;
  report(line, 0, `a line of more than ${LINE_CHARS_MAX} characters: not read`);
  return false;
}

/** The last day of an event that has happened; needed only if the message announces one. */
function lastEventDayMs(lines: readonly Line[], receivedMs: number): number | null {
  if (!lines.some((line) => isPlannedCode(codeOf(line)))) return null;
  let last: number | null = null;
  for (const line of lines) {
    const code = codeOf(line);
    const written = isStatusCode(code) && !isPlannedCode(code) ? DAY_FIELD.exec(line.capitals) : null;
    const day = written === null ? null : dayAndTimeIn(written[1]!);
    const eventDay = day === null ? null : pastDay(day, receivedMs);
    if (eventDay !== null && (last === null || eventDay > last)) last = eventDay;
  }
  return last === null ? null : last * DAY_MS;
}

const DAY_FIELD = /\/ ?(\d{1,2} ?[A-Z]{3})/;

/** Ends each part of a long message: `PART/1/CONT`, then `PART/2/LAST`. */
function isPartMark({ capitals }: Line): boolean {
  return /^PART\/\d+\/(?:CONT|LAST)$/.test(capitals);
}

/** Three letters before a slant, with blanks before it or not, or the end; else empty. */
function codeOf({ capitals }: Line): string {
  const slant = capitals.indexOf("/");
  const code = slant === -1 ? capitals : capitals.slice(0, slant).trimEnd();
  return code.length === 3 ? code : "";
}

function unknownLineMessage({ head: { capitals } }: JoinedLine): string {
  if (capitals.startsWith("/")) return "this line continues no other";
  return `${quoted(capitals.split("/", 1)[0]!)} is no status of FSU or FSA, nor OCI, ULD or OSI: not read`;
}
