/** One reported status of an XFSU → its events, in the form that Cargo-IMP's status lines give. */
import { MILESTONES, type AirEvent, type AirStatusCode } from "../../timeline/air-event.ts";
import { elementsAt, textAt, type ReportElement, type XmlElement } from "../carried/xml.ts";
import { departureOf, DEPARTURES, inForm, placedIn, type Movement } from "../event-form.ts";
import { isCarrier } from "../imp/flight.ts";
import { quoted } from "../imp/problem.ts";
import { LINE_CHARS_MAX } from "../imp/waybill.ts";
import { NO_MOVEMENT, readMovement } from "./movement.ts";
import { readQuantity, type QuantityContext } from "./quantity.ts";

/** Consignments of one status, and movements of one consignment. */
const REPEATS_MAX = 100;

export function readStatus(
  status: XmlElement,
  context: QuantityContext,
  report: ReportElement,
): readonly AirEvent[] {
  const [reason] = elementsAt(status, "ReasonCode");
  const written = reason?.text.trim().toUpperCase() ?? "";
  // The code list appends the discrepancy: DIS_FDCA.
  const [, code = "", discrepancy = null] = /^([A-Z]{3})(?:[_ -]([A-Z]{4}))?$/.exec(written) ?? [];
  if (!Object.hasOwn(MILESTONES, code)) {
    if (!SUPPLEMENTS.includes(code))
      report(reason ?? status, `${quoted(written)} is no status of XFSU: not read`);
    return [];
  }
  const consignments = elementsAt(status, "AssociatedStatusConsignment");
  const told = consignments.length === 0 ? [status] : consignments.slice(0, REPEATS_MAX);
  return told.flatMap((consignment) =>
    readConsignment(code as AirStatusCode, discrepancy, consignment, context, report),
  );
}

/** Messages with these reasons bring information, and no status. */
const SUPPLEMENTS: readonly string[] = ["OCI", "OSI", "ULD"];

function readConsignment(
  code: AirStatusCode,
  discrepancy: string | null,
  consignment: XmlElement,
  context: QuantityContext,
  report: ReportElement,
): readonly AirEvent[] {
  const movements = elementsAt(consignment, "SpecifiedLogisticsTransportMovement").slice(0, REPEATS_MAX);
  const common = {
    ...readQuantity(consignment, context, report),
    party: partyOf(code, consignment, report),
    discrepancy: code === "DIS" ? (discrepancyAt(consignment, report) ?? discrepancy) : null,
    remarks: remarksOf(consignment, report),
    customs: customsOf(consignment, report),
    ulds: ulds(consignment, report),
  };
  if (DEPARTURES.includes(code)) {
    const legs = movements.length === 0 ? [NO_MOVEMENT] : movements.map((one) => readMovement(one, report));
    return legs.flatMap((movement) => {
      const event = departureOf(code, movement);
      if (event !== null) return [inForm(code, { ...common, ...event })];
      if (!movement.isTimed)
        report(movements[0] ?? consignment, `${code} without the airport that the flight leaves: not read`);
      return [];
    });
  }
  const [first, ...others] = movements;
  for (const other of others) report(other, `a further movement of ${code} is not read`);
  const movement = first === undefined ? NO_MOVEMENT : readMovement(first, report);
  const placed = placedIn(code, movement, transferOf(code, movement, consignment, report));
  return placed === null ? [] : [inForm(code, { ...common, ...placed })];
}

/** What somebody wrote; null: nothing, or more than a line of Cargo-IMP may have. */
function wordsAt(element: XmlElement, report: ReportElement, ...path: readonly string[]): string | null {
  const found = elementsAt(element, ...path).find(({ text }) => text.trim() !== "");
  return found === undefined ? null : wordsOf(found, report);
}

function wordsOf(element: XmlElement, report: ReportElement): string | null {
  const words = element.text.trim();
  if (words.length <= LINE_CHARS_MAX) return words === "" ? null : words;
  report(element, `a text of more than ${LINE_CHARS_MAX} characters: not read`);
  return null;
}

/** Who hands over, who receives, and the manifest between them. */
function transferOf(
  code: AirStatusCode,
  { carrier }: Movement,
  consignment: XmlElement,
  report: ReportElement,
): AirEvent["transfer"] {
  const received = carrierAt(consignment, "AssociatedReceivedFromParty");
  const transferred = carrierAt(consignment, "AssociatedTransferredFromParty");
  const isReceipt = code === "RCT";
  return {
    from: isReceipt ? (received ?? transferred) : transferred,
    to: isReceipt ? carrier : (carrier ?? received),
    manifest: code === "TFD" ? wordsAt(consignment, report, "AssociatedManifestDocument", "ID") : null,
  };
}

function carrierAt(consignment: XmlElement, name: string): string | null {
  const code = textAt(consignment, name, "PrimaryID")?.toUpperCase() ?? "";
  return isCarrier(code) ? code : null;
}

/** Who was notified, received the cargo or delivered it. */
function partyOf(code: AirStatusCode, consignment: XmlElement, report: ReportElement): string | null {
  const named = (...names: readonly string[]): string | null =>
    names.map((name) => wordsAt(consignment, report, name, "Name")).find((name) => name !== null) ?? null;
  switch (code) {
    case "NFD":
    case "AWD":
      return named("NotifiedParty", "DeliveryParty");
    case "DLV":
    case "DDL":
      return named("DeliveryParty", "NotifiedParty");
    case "TFD":
    case "TRM":
      return named("AssociatedTransferredFromParty", "AssociatedReceivedFromParty");
    default:
      return named(
        "AssociatedReceivedFromParty",
        "AssociatedTransferredFromParty",
        "DeliveryParty",
        "NotifiedParty",
      );
  }
}

function discrepancyAt(consignment: XmlElement, report: ReportElement): string | null {
  const [found] = elementsAt(consignment, "DiscrepancyDescriptionCode");
  const code = found?.text.trim().toUpperCase() ?? "";
  if (/^[A-Z]{4}$/.test(code)) return code;
  if (code !== "") report(found!, `a discrepancy code of four letters is expected here, not ${quoted(code)}`);
  return null;
}

/** Of each kind, of one status. */
const SUPPLEMENTS_MAX = 100;

function remarksOf(consignment: XmlElement, report: ReportElement): AirEvent["remarks"] {
  return elementsAt(consignment, "HandlingOSIInstructions", "Description")
    .slice(0, SUPPLEMENTS_MAX)
    .flatMap((remark) => wordsOf(remark, report) ?? []);
}

function customsOf(consignment: XmlElement, report: ReportElement): AirEvent["customs"] {
  return elementsAt(consignment, "IncludedCustomsNote")
    .slice(0, SUPPLEMENTS_MAX)
    .map((note) => {
      const country = (textAt(note, "CountryID") ?? textAt(note, "CountryId"))?.toUpperCase() ?? "";
      return {
        country: /^[A-Z]{2}$/.test(country) ? country : null,
        info: wordsAt(note, report, "SubjectCode")?.toUpperCase() ?? "",
        control: wordsAt(note, report, "ContentCode")?.toUpperCase() ?? null,
        text: wordsAt(note, report, "Content") ?? "",
      };
    })
    .filter(
      ({ country, info, control, text }) =>
        country !== null || info !== "" || control !== null || text !== "",
    );
}

/** `AKE`, `12345` and `LH` are apart; some write all of it as the number. */
function ulds(consignment: XmlElement, report: ReportElement): AirEvent["ulds"] {
  return elementsAt(consignment, "UtilizedUnitLoadTransportEquipment")
    .slice(0, SUPPLEMENTS_MAX)
    .flatMap((device) => {
      const number = textAt(device, "ID") ?? "";
      const kind = textAt(device, "CharacteristicCode") ?? "";
      const owner = textAt(device, "OperatingParty", "PrimaryID") ?? "";
      const whole = /^[A-Z]{3}/i.test(number) ? number : `${kind}${number}${owner}`;
      const written = whole.toUpperCase().replaceAll(" ", "");
      if (/^[A-Z][A-Z0-9]{2}[A-Z0-9]{4,5}[A-Z0-9]{2,3}$/.test(written)) return [written];
      report(device, `a ULD such as AKE12345LH is expected here, not ${quoted(written)}`);
      return [];
    });
}
