/** The usual name of a carrier's event, whatever its classifier. */
import type { Mode } from "../../../freight/dcsa/spelling.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";

/** `Discharge from vessel`, `Gate out, empty`, `Booking confirmed`; an unknown code itself. */
export function eventName(event: CarrierEvent): string {
  switch (event.kind) {
    case "transport":
      return transportName(event);
    case "equipment":
      return equipmentName(event);
    case "shipment":
      return documentEventName(event);
  }
}

const MEANS: { readonly [mode in Mode]: string } = {
  vessel: "vessel",
  rail: "train",
  truck: "truck",
  barge: "barge",
};

function transportName({ code, mode }: CarrierEvent): string {
  const step = { ARRI: "arrival", DEPA: "departure" }[code];
  if (step === undefined) return code;
  return capital(mode === null ? step : `${MEANS[mode]} ${step}`);
}

const EQUIPMENT: Readonly<Record<string, string>> = {
  GTIN: "Gate in",
  GTOT: "Gate out",
  PICK: "Pick-up",
  DROP: "Drop-off",
  STUF: "Stuffing",
  STRP: "Unpacking",
  INSP: "Inspection",
  RSEA: "Resealing",
  RMVD: "Removal",
  CUSS: "Selected for customs scan",
  CUSI: "Selected for customs inspection",
  CUSR: "Release by customs",
  AVPU: "Available for pick-up",
  AVDO: "Available for drop-off",
  CROS: "Border crossing",
};

function equipmentName({ code, mode, laden }: CarrierEvent): string {
  const by = mode === null ? null : MEANS[mode];
  if (code === "LOAD") return by === null ? "Loading" : `Loading on ${by}`;
  if (code === "DISC") return by === null ? "Discharge" : `Discharge from ${by}`;
  const name = EQUIPMENT[code] ?? code;
  return laden === false ? `${name}, empty` : name;
}

/** Document and code that together have their own name. */
const DOCUMENT_EVENTS: Readonly<Record<string, string>> = {
  "CUS HOLD": "Held by customs",
  "CUS RELS": "Released by customs",
  "SRM RELS": "Released for pick-up",
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  AMF: "Advance manifest filing",
  ARN: "Arrival notice",
  BKG: "Booking",
  CAS: "Cargo survey",
  CBR: "Booking request",
  CEA: "Certificate of analysis",
  CEO: "Certificate of origin",
  CQU: "Contract quotation",
  CRO: "Container release order",
  CUC: "Customs clearance",
  CUS: "Customs inspection",
  DEI: "Delivery instructions",
  DEO: "Delivery order",
  DGD: "Dangerous goods declaration",
  FCE: "Fumigation certificate",
  HCE: "Health certificate",
  ICE: "Inspection certificate",
  INV: "Invoice",
  OOG: "Out-of-gauge declaration",
  PCE: "Phytosanitary certificate",
  PFD: "Proof of delivery",
  SHI: "Shipping instructions",
  SRM: "Shipment release",
  TRD: "Transport document",
  TRO: "Transport order",
  VCE: "Veterinary certificate",
  VGM: "Verified gross mass",
};

const DECISIONS: Readonly<Record<string, string>> = {
  AMCF: "amendment confirmed",
  AMCN: "amendment cancelled",
  AMDC: "amendment declined",
  AMPR: "amendment in progress",
  AMRE: "amendment received",
  APPR: "approved",
  CACF: "cancellation confirmed",
  CADC: "cancellation declined",
  CANC: "cancelled",
  CARE: "cancellation received",
  CMPL: "completed",
  CONF: "confirmed",
  DECL: "declined",
  DRFT: "drafted",
  HOLD: "on hold",
  ISSU: "issued",
  PENA: "awaiting approval",
  PENC: "awaiting confirmation",
  PENM: "awaiting an amendment",
  PENU: "awaiting an update",
  PSAM: "awaiting surrender for amendment",
  PSDL: "awaiting surrender for delivery",
  RECE: "received",
  REJE: "rejected",
  RELS: "released",
  REQS: "requested",
  SUAM: "surrendered for amendment",
  SUBM: "submitted",
  SUDL: "surrendered for delivery",
  SURR: "surrendered",
  UPCF: "update confirmed",
  UPCN: "update cancelled",
  UPDC: "update declined",
  UPDT: "update in progress",
  UPRE: "update received",
  VOID: "voided",
};

function documentEventName({ code, documentType }: CarrierEvent): string {
  const decision = DECISIONS[code] ?? code;
  if (documentType === null) return capital(decision);
  return (
    DOCUMENT_EVENTS[`${documentType} ${code}`] ?? `${DOCUMENTS[documentType] ?? documentType} ${decision}`
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
