/** The names that spreadsheets give the fields of a milestone. */
import type { MilestoneField } from "./milestone.ts";
import { MILESTONE_FIELDS } from "./milestone.ts";

const SYNONYMS: { readonly [field in MilestoneField]: readonly string[] } = {
  container: [
    "container number",
    "container no",
    "container id",
    "equipment",
    "equipment reference",
    "unit",
    "cntr no",
  ],
  milestone: [
    "event",
    "event code",
    "status",
    "status code",
    "activity",
    "move",
    "movement",
    "event description",
  ],
  classifier: ["event classifier", "actual or estimated", "type"],
  time_form: ["time format", "date format"],
  time: ["date", "date time", "event time", "event date", "event date time", "timestamp", "event timestamp"],
  location: ["unlocode", "un locode", "locode", "location code", "port", "port code"],
  place: ["location name", "place name", "port name", "city"],
  facility: ["terminal", "depot", "facility name", "facility code", "terminal name"],
  facility_type: [],
  mode: ["mode of transport", "transport mode", "transport"],
  vessel: ["vessel name", "ship", "ship name"],
  imo: ["imo number", "imo no", "vessel imo", "vessel imo number", "lloyds number"],
  voyage: ["voyage number", "voyage no", "voy"],
  carrier: ["scac", "carrier code", "carrier scac", "line", "shipping line"],
  booking: [
    "booking number",
    "booking no",
    "booking reference",
    "bkg",
    "bkg no",
    "carrier booking reference",
  ],
  bill: [
    "bill of lading",
    "bl",
    "bl number",
    "bl no",
    "bol",
    "mbl",
    "transport document",
    "bill of lading number",
  ],
  load: ["laden empty", "full empty", "empty full", "load status", "empty indicator", "fe"],
  iso_code: ["iso", "size type", "container type", "equipment type", "iso type"],
  stated_at: ["created at", "reported at", "updated at", "event created"],
  withdrawn: ["deleted", "cancelled"],
};

const BY_HEADING: ReadonlyMap<string, MilestoneField> = new Map(
  MILESTONE_FIELDS.flatMap((field) =>
    [field, ...SYNONYMS[field]].map((name) => [plain(name), field] as const),
  ),
);

/** `Container No.` is `container`; null: a column of none. */
export function fieldOfHeading(heading: string): MilestoneField | null {
  return BY_HEADING.get(plain(heading)) ?? BY_HEADING.get(plain(partsOf(heading).name)) ?? null;
}

/** The form of its times, which a heading may name behind it: `Event date (dd/MM/yyyy HH:mm)`. */
export function timeFormIn(headings: readonly string[]): string | null {
  const heading = headings.find((one) => partsOf(one).form !== null && fieldOfHeading(one) === "time");
  return heading === undefined ? null : partsOf(heading).form;
}

function partsOf(heading: string): { readonly name: string; readonly form: string | null } {
  const [name = "", form] = heading.trimEnd().split("(");
  return form?.endsWith(")") === true ? { name, form: form.slice(0, -1) } : { name: heading, form: null };
}

function plain(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
