/** One logistics event of ONE Record → an air event. Lenient in what it takes, as servers differ. */
import { UNTOLD, type AirEvent, type AirStatusCode, type TimeIs } from "../../timeline/air-event.ts";
import {
  allValuesOf,
  codesOf,
  flagOf,
  numberOf,
  wholeOf,
  wordOf,
  type LinkedDocument,
  type LinkedNode,
} from "./json-ld.ts";
import { readMoment } from "./moment.ts";
import { readMovement } from "./movement.ts";
import { stationOf } from "./station.ts";
import { readWeightKg } from "./weight.ts";

const CODES = new Set<string>(
  "BKD FOH RCS RCT PRE MAN DEP ARR RCF TRM TFD NFD AWR AWD CRC CCD TGC DLV DDL DIS".split(" "),
);

/** The event, or the reason why it cannot be used. */
export function readLogisticsEvent(document: LinkedDocument, event: LinkedNode): AirEvent | string {
  const written = codesOf(document, event, "eventCode")[0] ?? "";
  // The code list has a discrepancy's code behind its status: DIS_FDCA.
  const [, code = "", discrepancy = null] = /^([A-Z]{3})(?:[_ -]([A-Z]{4}))?$/.exec(written) ?? [];
  if (!CODES.has(code)) return `eventCode ${written === "" ? "missing" : `${written} is no status`}`;
  const station = stationOf(document, event, "eventLocation", "recordedAtLocation");
  const date = wordOf(event, "eventDate");
  const at = date === null ? null : readMoment(date, station);
  if (date !== null && at === null) return "eventDate is no date-time";
  const time = timeTypeOf(document, event);
  if (time === null) return "eventTimeType is not known";
  const movement = ofTypes(document, event, ["TransportMovement"])[0];
  return {
    ...UNTOLD,
    ...(movement === undefined ? {} : readMovement(document, movement)),
    ...partOf(document, event),
    code: code as AirStatusCode,
    station,
    at,
    timeIs: time.is,
    ...(time.planned ? { planned: true } : {}),
    weightKg: readWeightKg(document, event, "recordedWeight"),
    discrepancy: code === "DIS" ? discrepancy : null,
  };
}

type TimeType = { readonly is: TimeIs | null; readonly planned: boolean };

const TIME_TYPES: { readonly [code: string]: TimeType } = {
  ACTUAL: { is: "actual", planned: false },
  ESTIMATED: { is: "estimated", planned: true },
  EXPECTED: { is: "estimated", planned: true },
  PLANNED: { is: "scheduled", planned: true },
  SCHEDULED: { is: "scheduled", planned: true },
  REQUESTED: { is: "scheduled", planned: true },
};

/** What says nothing of its time has happened: events are recorded. */
function timeTypeOf(document: LinkedDocument, event: LinkedNode): TimeType | null {
  const code = codesOf(document, event, "eventTimeType")[0];
  if (code === undefined) return { is: null, planned: false };
  return Object.hasOwn(TIME_TYPES, code) ? TIME_TYPES[code]! : null;
}

/** An event of single pieces only, or one marked as partial, is of a part of the shipment. */
function partOf(document: LinkedDocument, event: LinkedNode): Pick<AirEvent, "pieces" | "shipmentPart"> {
  const isPartial = flagOf(event, "partialEventIndicator");
  const count = numberOf(event, "recordedPieceCount");
  const pieces = count !== null && Number.isInteger(count) && count > 0 ? count : null;
  const ofPieces = ofTypes(document, event, ["Piece", "PieceDg", "PieceLiveAnimals"]).length;
  const ofWhole = ofTypes(document, event, ["Shipment", "Waybill"]).length > 0;
  if (ofPieces > 0 && !ofWhole) return { pieces: pieces ?? ofPieces, shipmentPart: "part" };
  if (isPartial === null) return { pieces, shipmentPart: null };
  return { pieces, shipmentPart: isPartial ? "part" : "total" };
}

/** Version 3.0 says `eventFor`; before it was `linkedObject`, which some servers still write. */
function ofTypes(
  document: LinkedDocument,
  event: LinkedNode,
  types: readonly string[],
): readonly LinkedNode[] {
  return wholeOf(document, allValuesOf(event, "eventFor", "linkedObject")).filter((node) =>
    node.types.some((type) => types.includes(type)),
  );
}
