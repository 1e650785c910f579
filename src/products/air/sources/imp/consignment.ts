/** The consignment line, which names the waybill of a message: `020-12345675FRAJFK/T10K250.5`. */
import { hasValidCheckDigit } from "../../../../freight/references/awb.ts";
import type { Line } from "./lines.ts";
import { quoted, type Report } from "./problem.ts";
import { looksLikeQuantity, quantityIn, type Quantity } from "./quantity.ts";

export type Consignment = {
  /** 11 digits. */
  readonly awb: string;
  readonly origin: string | null;
  readonly destination: string | null;
  readonly quantity: Quantity | null;
  /** Of the whole waybill, if the line gives it. */
  readonly totalPieces: number | null;
};

/** Why the line is refused, and where. */
export type ConsignmentError = { readonly index: number; readonly message: string };

const AWB = /^(\d{3})[- ]?(\d{4}) ?(\d{4})/;

/** No status begins with a digit: such a line starts another waybill, even if it is unreadable. */
export function looksLikeConsignment({ text }: Line): boolean {
  return /^\d/.test(text);
}

export function readConsignment(line: Line, report: Report): Consignment | ConsignmentError {
  const { capitals } = line;
  const found = AWB.exec(capitals);
  if (found === null || /^\d/.test(capitals.slice(found[0].length))) {
    return { index: 0, message: `a waybill number is expected here, not ${quoted(capitals)}` };
  }
  const awb = `${found[1]}${found[2]}${found[3]}`;
  const end = found[0].length;
  if (capitals.charAt(end) === "-") {
    return {
      index: end,
      message: "this is a house waybill, and only air waybills are tracked",
    };
  }
  if (!hasValidCheckDigit(awb)) {
    report(line, end - 1, `${awb} has a wrong check digit`);
  }
  const ends = readRoute(line, end, report);
  const quantity = readQuantity(line, ends.index, report);
  return {
    awb,
    origin: ends.origin,
    destination: ends.destination,
    quantity,
    totalPieces: totalOf(quantity),
  };
}

function readRoute(line: Line, index: number, report: Report) {
  const slant = line.capitals.indexOf("/", index);
  const end = slant === -1 ? line.capitals.length : slant;
  const text = line.capitals.slice(index, end).trim();
  const airports = /^([A-Z]{3})[- ]?([A-Z]{3})$/.exec(text);
  if (airports !== null) return { origin: airports[1]!, destination: airports[2]!, index: end };
  if (text !== "") {
    report(
      line,
      index,
      `an origin and a destination of three letters each are expected here, not ${quoted(text)}`,
    );
  }
  return { origin: null, destination: null, index: end };
}

function readQuantity(line: Line, index: number, report: Report): Quantity | null {
  const written = line.capitals.slice(index);
  const text = written.replace(/^[/ ]+/, "");
  if (text === "") return null;
  const start = index + written.length - text.length;
  if (!looksLikeQuantity(text)) {
    report(line, start, `a quantity is expected here, not ${quoted(text)}`);
    return null;
  }
  const { quantity, error } = quantityIn(text);
  if (error !== null) report(line, start + error.index, `${error.expected} is expected here`);
  return quantity;
}

function totalOf(quantity: Quantity | null): number | null {
  if (quantity === null) return null;
  return quantity.totalPieces ?? (quantity.shipmentPart === "total" ? quantity.pieces : null);
}
