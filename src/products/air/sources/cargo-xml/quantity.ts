/** Pieces, weight and volume of an element of Cargo-XML, and how much of the waybill they are. */
import type { AirEvent } from "../../timeline/air-event.ts";
import { elementsAt, type ReportElement, type XmlElement } from "../carried/xml.ts";
import type { Quantity } from "../imp/quantity.ts";
import { quoted } from "../imp/problem.ts";
import { CUBIC_METRES_OF, KILOGRAMS_OF, PARTS } from "../quantities.ts";

export type QuantityContext = {
  /** Of the whole waybill. */
  readonly totalPieces: number | null;
  /** Of the part that the message is about; null if it is about the whole waybill. */
  readonly partPieces: number | null;
};

/** As Cargo-IMP's quantities are read: in a message about a part, T is all of that part. */
export function readQuantity(
  element: XmlElement,
  { totalPieces, partPieces }: QuantityContext,
  report: ReportElement,
  prefix: "" | "Total" = "",
): Quantity {
  const pieces = wholeAt(element, `${prefix}PieceQuantity`, report);
  const written = partAt(element, report);
  const whole = written === "total" ? pieces : null;
  const isPart = whole !== null && partPieces !== null && whole <= partPieces;
  return {
    shipmentPart: isPart ? "part" : written,
    pieces,
    weightKg: amountAt(
      element,
      [`${prefix}GrossWeightMeasure`, ...TARE[prefix]],
      KILOGRAMS_OF,
      "KGM",
      1_000,
      report,
    ),
    volumeM3: amountAt(element, [`${prefix}GrossVolumeMeasure`], CUBIC_METRES_OF, "MTQ", 1e6, report),
    densityGroup: wholeAt(element, "DensityGroupCode", report) || null,
    totalPieces: totalPieces ?? whole,
  };
}

/** Waybills and house manifests name the weight so. */
const TARE = { "": [], Total: ["IncludedTareGrossWeightMeasure"] } as const;

function partAt(element: XmlElement, report: ReportElement): AirEvent["shipmentPart"] {
  const [split] = elementsAt(element, "TransportSplitDescription");
  const code = split?.text.trim().toUpperCase() ?? "";
  if (split === undefined || code === "") return null;
  if (Object.hasOwn(PARTS, code)) return PARTS[code]!;
  report(split, `T, P, S, D or M is expected here, not ${quoted(code)}`);
  return null;
}

function wholeAt(element: XmlElement, name: string, report: ReportElement): number | null {
  const [found] = elementsAt(element, name);
  const text = found?.text.trim() ?? "";
  if (found === undefined || text === "") return null;
  if (/^\d{1,9}(?:\.0{1,3})?$/.test(text)) return Math.trunc(Number(text));
  report(found, `a whole number is expected here, not ${quoted(text)}`);
  return null;
}

/** The first measure of these names, in the base unit. */
function amountAt(
  element: XmlElement,
  names: readonly string[],
  units: Readonly<Record<string, number>>,
  defaultUnit: string,
  precision: number,
  report: ReportElement,
): number | null {
  const [found] = names.flatMap((name) => elementsAt(element, name));
  const text = found?.text.trim() ?? "";
  if (found === undefined || text === "") return null;
  const unit = (found.attributes.get("unitCode") ?? defaultUnit).trim().toUpperCase();
  const isAmount = /^(?:\d{1,12}(?:\.\d{0,9})?|\.\d{1,9})$/.test(text) && Object.hasOwn(units, unit);
  if (isAmount) return Math.round(Number(text) * units[unit]! * precision) / precision;
  report(
    found,
    `a measure in ${Object.keys(units)[0]} or the like is expected here, not ${quoted(`${text} ${unit}`)}`,
  );
  return null;
}
