/**
 * Reads Cargo-XML (IATA): status messages (XFSU), and of waybills (XFWB) and house manifests (XFHL) what they say of the
 * air waybill as a whole (spec 1: air_tracking). docs/cargo-imp.md says which elements. No document makes it throw.
 */
import { hasValidCheckDigit } from "../../../../freight/references/awb.ts";
import type { AirEvent, WaybillStatement } from "../../timeline/air-event.ts";
import { elementsAt, type ReportElement, type XmlElement } from "../carried/xml.ts";
import { PROBLEMS_MAX, quoted, type Problem } from "../imp/problem.ts";
import type { ReadMessage } from "../imp/read-messages.ts";
import { messageId } from "../message-id.ts";
import { readQuantity, type QuantityContext } from "./quantity.ts";
import { partPiecesOf, weightOfAll } from "../quantities.ts";
import { codeAt } from "./movement.ts";
import { readStatus } from "./status.ts";

/** Roots of the documents that are read, by the name and the namespace of the element. */
const DOCUMENTS = {
  StatusMessage: { type: "XFSU", namespace: /^iata:statusmessage:\d+$/ },
  Waybill: { type: "XFWB", namespace: /^iata:waybill:\d+$/ },
  HouseManifest: { type: "XFHL", namespace: /^iata:housemanifest:\d+$/ },
} as const;

/** Of one document. */
const STATUSES_MAX = 500;

const VERSION_MIN = 2;
const VERSION_MAX = 7;

/** Whether an element is a document of Cargo-XML. Some providers take the namespaces off. */
export function isCargoDocument({ name, uri, children }: XmlElement): boolean {
  if (!Object.hasOwn(DOCUMENTS, name)) return false;
  const { namespace } = DOCUMENTS[name as keyof typeof DOCUMENTS];
  return namespace.test(uri) || children.some((child) => child.name === "MessageHeaderDocument");
}

export function readDocument(root: XmlElement): ReadMessage {
  const { type, namespace } = DOCUMENTS[root.name as keyof typeof DOCUMENTS];
  const problems: Problem[] = [];
  const report: ReportElement = ({ line, column }, message) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ line, column, message });
  };
  if (!namespace.test(root.uri)) {
    report(root, `namespace ${quoted(root.uri)}: the ${type} is read as if it were IATA's`);
  }
  const version = readVersion(root, type, report);
  const [header] = elementsAt(root, "MessageHeaderDocument", "PurposeCode");
  if (header !== undefined && /^(?:deletion|delete|cancellation|1|3)$/i.test(header.text.trim())) {
    return refused(header, `the ${type} withdraws another (${header.text.trim()}), and none is withdrawn`);
  }
  const [consignment] = elementsAt(root, "MasterConsignment");
  const named = awbAt(root, type, consignment);
  if (consignment === undefined || named === null) {
    return refused(consignment ?? root, `a waybill's number is missing in this ${type}`);
  }
  const awb = awbIn(named.text);
  if (awb === null)
    return refused(named, `a waybill number is expected here, not ${quoted(named.text.trim())}`);
  if (!hasValidCheckDigit(awb)) report(named, `${awb} has a wrong check digit`);
  const statement =
    type === "XFSU"
      ? statusOf(awb, consignment, report)
      : { ...wholeOf(awb, consignment), isDocument: true as const };
  const id = messageId(wordsOf(root), null);
  return { kind: "message", type, version, statement, id, remarks: [], customs: [], ulds: [], problems };
}

/** Without prefixes and blanks between elements, which others may write otherwise. */
function wordsOf({ name, attributes, text, children }: XmlElement): string {
  const named = [...attributes].map((attribute) => JSON.stringify(attribute)).toSorted();
  return `<${name} ${named.join(" ")}>${text.trim()}${children.map(wordsOf).join("")}</>`;
}

function refused({ line, column }: XmlElement, message: string): ReadMessage {
  return { kind: "refused", problem: { line, column, message }, text: "" };
}

/** `3.00`: the namespace has one number for all of them. */
function readVersion(root: XmlElement, type: string, report: ReportElement): number | null {
  const [element] = elementsAt(root, "MessageHeaderDocument", "VersionID");
  const written = element?.text.trim() ?? "";
  const version = /^\d{1,3}(?:\.\d{1,3})?$/.test(written) ? Number(written) : null;
  if (version === null || version < VERSION_MIN || version >= VERSION_MAX) {
    const shown = written === "" ? "no version" : `version ${written}`;
    report(
      element ?? root,
      `${shown}: the ${type} is read as ${VERSION_MIN}.00 to ${VERSION_MAX - 1}.00 are`,
    );
  }
  return version;
}

/** A waybill has its number in its business header, where a status message has another. */
function awbAt(root: XmlElement, type: string, consignment: XmlElement | undefined): XmlElement | null {
  const [inContract] =
    consignment === undefined ? [] : elementsAt(consignment, "TransportContractDocument", "ID");
  const [inHeader] = type === "XFWB" ? elementsAt(root, "BusinessHeaderDocument", "ID") : [];
  return inContract ?? inHeader ?? null;
}

function awbIn(written: string): string | null {
  const found = /^(\d{3})[- ]?(\d{4}) ?(\d{4})$/.exec(written.trim());
  return found === null ? null : `${found[1]}${found[2]}${found[3]}`;
}

/** What is said of the waybill as a whole. */
function wholeOf(awb: string, consignment: XmlElement): WaybillStatement {
  const total = readQuantity(consignment, NO_CONTEXT, () => undefined, "Total");
  const own = readQuantity(consignment, NO_CONTEXT, () => undefined);
  const isWhole = own.shipmentPart === "total" || own.shipmentPart === null;
  return {
    awb,
    origin: codeAt(consignment, "OriginLocation"),
    destination: codeAt(consignment, "FinalDestinationLocation"),
    pieces: total.pieces ?? (isWhole ? own.pieces : null),
    weightKg: total.weightKg ?? (isWhole ? own.weightKg : null),
    events: [],
  };
}

const NO_CONTEXT: QuantityContext = { totalPieces: null, partPieces: null };

function statusOf(awb: string, consignment: XmlElement, report: ReportElement): WaybillStatement {
  const whole = wholeOf(awb, consignment);
  const own = readQuantity(consignment, NO_CONTEXT, () => undefined);
  const context = { totalPieces: whole.pieces, partPieces: partPiecesOf(own, whole.pieces) };
  const events: AirEvent[] = [];
  for (const status of elementsAt(consignment, "ReportedStatus")) {
    if (events.length >= STATUSES_MAX) {
      report(status, `no more than ${STATUSES_MAX} statuses are read`);
      break;
    }
    events.push(...readStatus(status, context, report));
  }
  return { ...whole, weightKg: whole.weightKg ?? weightOfAll(events), events };
}
