/** What one message says of one waybill: the lines behind the one that names it. */
import type { AirEvent, WaybillStatement } from "../air-event.ts";
import type { Consignment } from "./consignment.ts";
import { joinContinuations, type JoinedLine, type Line } from "./lines.ts";
import { quoted, type Report } from "./problem.ts";
import { isStatusCode, readStatus } from "./status/status-line.ts";
import { noSupplements, readSupplement, type Supplements } from "./supplements.ts";

export type ReadWaybill = {
  readonly statement: WaybillStatement;
  /** What is said without a status: before any, or behind one that could not be read. */
  readonly besides: Supplements;
};

/** Of one waybill in one message. */
const STATUSES_MAX = 500;

/** Telex lines have 69 characters. */
const LINE_CHARS_MAX = 1_000;

export function readWaybill(
  { awb, origin, destination, quantity, totalPieces }: Consignment,
  lines: readonly Line[],
  receivedMs: number,
  report: Report,
): ReadWaybill {
  const context = { receivedMs, totalPieces };
  const events: AirEvent[] = [];
  const besides = noSupplements();
  let supplements = besides;
  for (const joined of joinContinuations(lines.filter((line) => hasEnd(line, report)))) {
    const code = codeOf(joined.head);
    if (isStatusCode(code)) {
      if (events.length === STATUSES_MAX) {
        report(joined.head, 0, `no more than ${STATUSES_MAX} statuses are read`);
        break;
      }
      const event = readStatus(code, joined, context, report);
      supplements = event === null ? besides : noSupplements();
      // The lists are filled by the lines that follow.
      if (event !== null) events.push({ ...event, ...supplements });
    } else if (!readSupplement(code, joined, supplements, report)) {
      report(joined.head, 0, unknown(joined));
      if (code !== "") supplements = besides;
    }
  }
  const isWhole = quantity?.shipmentPart === "total";
  const weightKg = isWhole ? quantity.weightKg : null;
  return { statement: { awb, origin, destination, pieces: totalPieces, weightKg, events }, besides };
}

function hasEnd(line: Line, report: Report): boolean {
  if (line.text.length <= LINE_CHARS_MAX) return true;
  report(line, 0, `a line of more than ${LINE_CHARS_MAX} characters: not read`);
  return false;
}

/** Three letters and then a slant, or nothing. */
function codeOf({ capitals }: Line): string {
  const next = capitals.charAt(3);
  return next === "/" || next === "" ? capitals.slice(0, 3) : "";
}

function unknown({ head: { capitals } }: JoinedLine): string {
  if (capitals.startsWith("/")) return "this line continues none";
  return `${quoted(capitals.split("/", 1)[0]!)} is no status of FSU or FSA, nor OCI, ULD or OSI: not read`;
}
