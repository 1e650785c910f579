/** The parts that every kind of schedule has: a place, a vessel, a service with its partners, cut-offs. */
import { type JsonObject, isObject } from "../../../model/json.ts";
import { readImoNumber } from "../../../freight/references/imo-number.ts";
import { readUnlocode } from "../../../freight/places/unlocode.ts";
import type { CallStatement, CutOff } from "../calls/call-statement.ts";
import { readCallTime } from "./call-time.ts";
import { objectsIn, quoted, type Part, type ReadContext } from "./read-context.ts";
import { nameIn, read, readObject, readText } from "./spelling.ts";

export type Place = Pick<CallStatement, "port" | "portName" | "terminal">;

/** Null, and a problem told: it has no UN/LOCODE, without which a call is nowhere. */
export function readPlace({ raw, path }: Part, reading: ReadContext): Place | null {
  const location = readObject(raw, "location");
  const within = readText(location, "UNLocationCode");
  const written = within ?? readText(raw, "UNLocationCode");
  if (written === null) {
    reading.skip(`${path}.location`, "lacks UNLocationCode");
    return null;
  }
  const port = readUnlocode(written);
  if (port !== null) {
    return { port, portName: readText(location, "locationName"), terminal: readTerminal(location) };
  }
  const place =
    within === null ? nameIn(raw, "UNLocationCode") : `location.${nameIn(location, "UNLocationCode")}`;
  reading.skip(`${path}.${place}`, `${quoted(written)} is no UN/LOCODE, such as NLRTM`);
  return null;
}

/** A terminal's SMDG code; one of another list, such as BIC's, is not taken for it. */
function readTerminal(location: JsonObject): string | null {
  const own = readText(location, "facilitySMDGCode");
  if (own !== null) return own.toUpperCase();
  const facility = readObject(location, "facility");
  const isSmdg = readText(facility, "facilityCodeListProvider")?.toUpperCase() === "SMDG";
  return isSmdg ? (readText(facility, "facilityCode")?.toUpperCase() ?? null) : null;
}

/** CS 1.0 puts the vessel into an object of its own, OVS 3.0 beside its calls. */
export function readVessel({ raw, path }: Part, reading: ReadContext): CallStatement["vessel"] {
  const own = read(raw, "vessel");
  const vessel = isObject(own) ? own : raw;
  const written = readText(vessel, "vesselIMONumber");
  const number = written === null ? null : readImoNumber(written);
  if (written !== null && number?.kind === "invalid") {
    const place = vessel === raw ? path : `${path}.vessel`;
    const message = `${quoted(written)} ${number.message}`;
    reading.note(`${place}.${nameIn(vessel, "vesselIMONumber")}`, message);
  }
  const imo = number?.kind === "imo" ? number.imo : null;
  return { imo, name: readText(vessel, "vesselName"), isDummy: read(raw, "isDummyVessel") === true };
}

/** Code and name stand in `named`, the universal reference in `raw`. */
export function readService(
  { raw, path }: Part,
  named: JsonObject,
  reading: ReadContext,
): CallStatement["service"] {
  const written = readText(raw, "universalServiceReference");
  const isRight = written !== null && UNIVERSAL_SERVICE.test(written);
  if (written !== null && !isRight) {
    const message = `${quoted(written)} is no universal service reference, such as SR12345A`;
    reading.note(`${path}.universalServiceReference`, message);
  }
  return {
    code: readText(named, "carrierServiceCode"),
    name: readText(named, "carrierServiceName"),
    universal: isRight ? written : null,
  };
}

const UNIVERSAL_SERVICE = /^SR\d{5}[A-Z]$/;

/** The carrier's own voyage numbers, where `raw` names them. */
export function readVoyage(raw: JsonObject): CallStatement["voyage"] {
  return {
    import: voyageNumber(readText(raw, "carrierImportVoyageNumber")),
    export: voyageNumber(readText(raw, "carrierExportVoyageNumber")),
  };
}

/** OVS 3.0: the reserved `9999R` means that there is no number. */
function voyageNumber(written: string | null): string | null {
  return written === "9999R" ? null : written;
}

/** Of the carriers that share a service, the feed's own by SCAC or SMDG code, else the first; empty: none is named. */
export function readPartner({ raw, path }: Part, reading: ReadContext): JsonObject {
  const list = read(raw, "servicePartners");
  const partners = Array.isArray(list)
    ? [...objectsIn(list, `${path}.servicePartners`, reading)].map((partner) => partner.raw)
    : [];
  const { carrier, smdg } = reading.feed;
  const own = partners.find((partner) => {
    const code = readText(partner, "carrierCode")?.toUpperCase();
    return code === carrier || (code !== undefined && code === smdg);
  });
  return own ?? partners[0] ?? {};
}

/** Null: the answer says nothing of them. One that cannot be read is left out with a problem. */
export function readCutOffs(
  { raw, path }: Part,
  port: string,
  reading: ReadContext,
): readonly CutOff[] | null {
  const list = read(raw, "cutOffTimes");
  if (list === undefined) return null;
  const place = `${path}.${nameIn(raw, "cutOffTimes")}`;
  if (!Array.isArray(list)) {
    reading.note(place, "is no list");
    return null;
  }
  const byCode = new Map<string, CutOff>();
  for (const [index, one] of list.slice(0, CUT_OFFS_MAX).entries()) {
    const cutOff = isObject(one) ? readCutOff(one, port) : "is no object";
    if (typeof cutOff === "string") reading.note(`${place}[${index}]`, cutOff);
    else byCode.set(cutOff.code, cutOff);
  }
  if (list.length > CUT_OFFS_MAX)
    reading.note(place, `has more than ${CUT_OFFS_MAX}: the others are left out`);
  return [...byCode.values()];
}

/** The standard knows fifteen codes, and a carrier may have a few of its own. */
const CUT_OFFS_MAX = 50;

/** The cut-off, or what is wrong with it. */
function readCutOff(raw: JsonObject, port: string): CutOff | string {
  const code = readText(raw, "cutOffDateTimeCode")?.toUpperCase();
  if (code === undefined) return "lacks cutOffDateTimeCode";
  if (!/^[A-Z0-9_]{2,20}$/.test(code)) return `cutOffDateTimeCode ${quoted(code)} is no code, such as DCO`;
  const written = readText(raw, "cutOffDateTime");
  if (written === null) return "lacks cutOffDateTime";
  const at = readCallTime(written, port);
  return at === null ? `cutOffDateTime ${quoted(written)} is no date-time` : { code, at };
}
