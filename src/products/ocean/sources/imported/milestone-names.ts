/** The milestones that an import may state, by DCSA's code or by a plain name. */
import type { Classifier, Mode } from "../../../../freight/dcsa/spelling.ts";
import type { CarrierEvent } from "../carrier-event.ts";

/** What a name says of an event; the fields of its row say the rest, and win where both do. */
export type Milestone = Pick<CarrierEvent, "kind" | "code"> & {
  readonly documentType?: string;
  readonly mode?: Mode;
  readonly laden?: boolean;
  readonly classifier?: Classifier;
  /** DCSA's facility type where the name alone tells it. */
  readonly facilityType?: string;
};

const EQUIPMENT_CODES =
  "LOAD DISC GTIN GTOT PICK DROP STUF STRP INSP RSEA RMVD CUSS CUSI CUSR AVPU AVDO CROS".split(" ");
const TRANSPORT_CODES = ["ARRI", "DEPA"];

const equipment = (code: string, more: Omit<Milestone, "kind" | "code"> = {}): Milestone => ({
  kind: "equipment",
  code,
  ...more,
});
const transport = (code: string, more: Omit<Milestone, "kind" | "code"> = {}): Milestone => ({
  kind: "transport",
  code,
  ...more,
});
const document = (documentType: string, code: string): Milestone => ({
  kind: "shipment",
  code,
  documentType,
});

const DELIVERED = equipment("DROP", { laden: true, facilityType: "CLOC" });

/** The first name of each line is the one that messages and documents show. */
const NAMES: readonly (readonly [Milestone, ...string[]])[] = [
  [
    equipment("GTOT", { laden: false }),
    "empty out",
    "empty gate out",
    "gate out empty",
    "empty pick up",
    "empty to shipper",
    "empty dispatched",
  ],
  [equipment("STUF"), "stuffed", "packed"],
  [equipment("GTIN"), "gate in", "gated in", "gate in full", "received at terminal"],
  [
    equipment("GTIN", { laden: false, facilityType: "DEPO" }),
    "empty return",
    "empty returned",
    "returned empty",
    "empty in",
    "gate in empty",
    "empty gate in",
    "container returned",
  ],
  [
    equipment("LOAD", { mode: "vessel" }),
    "loaded on vessel",
    "loaded",
    "loaded on board",
    "load",
    "vessel loaded",
  ],
  [equipment("LOAD", { mode: "rail" }), "loaded on rail", "on rail", "rail loaded"],
  [equipment("LOAD", { mode: "truck" }), "loaded on truck"],
  [equipment("LOAD", { mode: "barge" }), "loaded on barge"],
  [
    transport("DEPA", { mode: "vessel" }),
    "vessel departed",
    "vessel departure",
    "departed",
    "departure",
    "sailed",
    "atd",
  ],
  [transport("DEPA", { mode: "vessel", classifier: "estimated" }), "etd", "estimated departure"],
  [transport("DEPA", { mode: "rail" }), "rail departed", "rail departure"],
  [transport("DEPA", { mode: "truck" }), "truck departed", "truck departure"],
  [transport("DEPA", { mode: "barge" }), "barge departed", "barge departure"],
  [transport("ARRI", { mode: "vessel" }), "vessel arrived", "vessel arrival", "arrived", "arrival", "ata"],
  [transport("ARRI", { mode: "vessel", classifier: "estimated" }), "eta", "estimated arrival"],
  [transport("ARRI", { mode: "rail" }), "rail arrived", "rail arrival"],
  [transport("ARRI", { mode: "truck" }), "truck arrived", "truck arrival"],
  [transport("ARRI", { mode: "barge" }), "barge arrived", "barge arrival"],
  [
    equipment("DISC", { mode: "vessel" }),
    "discharged",
    "discharged from vessel",
    "discharge",
    "unloaded from vessel",
    "unloaded",
  ],
  [equipment("DISC", { mode: "rail" }), "unloaded from rail", "discharged from rail", "rail unloaded"],
  [equipment("DISC", { mode: "truck" }), "unloaded from truck"],
  [equipment("DISC", { mode: "barge" }), "unloaded from barge", "discharged from barge"],
  [equipment("GTOT"), "gate out", "gated out", "gate out full", "picked up", "out gate"],
  [equipment("AVPU"), "available", "available for pick up", "available for delivery", "ready for pick up"],
  [DELIVERED, "delivered", "delivery", "delivered to consignee"],
  [equipment("STRP"), "stripped", "unpacked", "devanned"],
  [document("CUS", "HOLD"), "customs hold", "held by customs", "held at customs"],
  [
    document("CUS", "RELS"),
    "customs released",
    "released by customs",
    "cleared by customs",
    "customs cleared",
    "customs release",
  ],
  [
    document("SRM", "RELS"),
    "carrier release",
    "carrier released",
    "freight released",
    "released for pick up",
  ],
  [document("BKG", "CONF"), "booking confirmed"],
  [document("BKG", "CANC"), "booking cancelled", "booking canceled"],
  [document("TRD", "ISSU"), "bill issued", "bill of lading issued"],
  [document("ARN", "ISSU"), "arrival notice"],
  [equipment("CROS"), "border crossing", "crossed border"],
  [equipment("INSP"), "inspected", "inspection"],
];

const BY_NAME: ReadonlyMap<string, Milestone> = new Map([
  ...NAMES.flatMap(([milestone, ...names]) => names.map((name) => [plain(name), milestone] as const)),
  ...EQUIPMENT_CODES.map((code) => [plain(code), equipment(code)] as const),
  ...TRANSPORT_CODES.map((code) => [plain(code), transport(code)] as const),
]);

/** The names to suggest, and those to choose from. */
export const MILESTONE_NAMES: readonly string[] = NAMES.map(([, name = ""]) => name.replaceAll(" ", "_"));

/** `loaded_on_vessel`, `Loaded on vessel`, `LOAD`; null: no milestone is called so. */
export function milestoneNamed(written: string): Milestone | null {
  return BY_NAME.get(plain(written)) ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
