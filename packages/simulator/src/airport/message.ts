/** What an airline says → the messages it sends, in its version of Cargo-IMP and its envelope. */
import { inEdifact, inFreeText, inTypeB } from "./imp-envelope.ts";
import { impMessage } from "./imp-writer.ts";
import { statementOf } from "./statement.ts";
import type { Report } from "./reporting.ts";
import type { Waybill } from "./waybill.ts";

/** @param sentMs - milliseconds since the epoch. */
export function messageOf(
  type: "FSU" | "FSA",
  waybill: Waybill,
  reports: readonly Report[],
  sentMs: number,
): string {
  const { version, envelope, hub, iata } = waybill.airline;
  const message = impMessage({ type, version }, statementOf(waybill, reports), waybill.airline);
  if (waybill.airline.padsLines) return `\uFEFF${message.replaceAll("\r\n", " \r\n")}`;
  if (envelope === "none") return message;
  if (envelope === "type-b") {
    const sentAt = new Date(sentMs).toISOString().replace(/^.{8}(..)T(..):(..).*$/, "$1$2$3");
    return inTypeB(message, { to: ["LONFM7X"], from: `${hub}FF${iata}` }, sentAt);
  }
  const reference = String(Math.floor(sentMs / 60_000) % 10_000_000);
  return waybill.index % 2 === 0 ? inEdifact(message, reference) : inFreeText(message, reference);
}
