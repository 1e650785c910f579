/** The parts that all kinds of schedules share: place, vessel, service and its partners, cut-offs, times. */
import { zoneOf } from "../../../freight/places/ports.ts";
import { type JsonObject, isObject } from "../../../model/json.ts";
import { readImoNumber } from "../../../freight/references/imo-number.ts";
import { readUnlocode } from "../../../freight/places/ports.ts";
import type { CallStatement, CutOff } from "../calls/call-statement.ts";
import { readDateTime, readWallClock } from "../../../freight/dcsa/time.ts";
import type { CallTime } from "../calls/call-statement.ts";
import { objectsIn, quoted, type Part, type ReadContext } from "./read-context.ts";
import { nameIn, read, readObject, readText } from "./spelling.ts";

export type Place = Pick<CallStatement, "port" | "portName" | "terminal">;

/** Null, with a problem: a call without a UN/LOCODE has no place. */
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

/** A terminal's SMDG code. Codes of other lists, such as BIC's, do not count. */
function readTerminal(location: JsonObject): string | null {
  const own = readText(location, "facilitySMDGCode");
  if (own !== null) return own.toUpperCase();
  const facility = readObject(location, "facility");
  const isSmdg = readText(facility, "facilityCodeListProvider")?.toUpperCase() === "SMDG";
  return isSmdg ? (readText(facility, "facilityCode")?.toUpperCase() ?? null) : null;
}

/** CS 1.0 gives the vessel as an object of its own, OVS 3.0 beside its calls. */
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

const UNIVERSAL_SERVICE = /^SR\d{5}[A-Z]$/;

/** `named` has the code and name, `raw` the universal reference. */
export function readService(
  { raw, path }: Part,
  named: JsonObject,
  reading: ReadContext,
): CallStatement["service"] {
  const written = readText(raw, "universalServiceReference");
  const isValid = written !== null && UNIVERSAL_SERVICE.test(written);
  if (written !== null && !isValid) {
    const message = `${quoted(written)} is no universal service reference, such as SR12345A`;
    reading.note(`${path}.universalServiceReference`, message);
  }
  return {
    code: readText(named, "carrierServiceCode"),
    name: readText(named, "carrierServiceName"),
    universal: isValid ? written : null,
  };
}

/** OVS 3.0 reserves this number for a voyage without one. */
const NO_VOYAGE_NUMBER = "9999R";

export function readVoyage(raw: JsonObject): CallStatement["voyage"] {
  const number = (name: string) => {
    const written = readText(raw, name);
    return written === NO_VOYAGE_NUMBER ? null : written;
  };
  return { import: number("carrierImportVoyageNumber"), export: number("carrierExportVoyageNumber") };
}

/** Of the service's partners, the feed's carrier by SCAC or SMDG code, else the first; empty without partners. */
export function readPartner({ raw, path }: Part, reading: ReadContext): JsonObject {
  const list = read(raw, "servicePartners");
  const listed: readonly unknown[] = Array.isArray(list) ? list.slice(0, PARTNERS_MAX) : [];
  const parts = [...objectsIn(listed, `${path}.servicePartners`, reading)];
  const partners = parts.filter((part) => part !== null).map(({ raw: partner }) => partner);
  const { carrier, smdg } = reading.feed;
  const own = partners.find((partner) => {
    const code = readText(partner, "carrierCode")?.toUpperCase();
    return code === carrier || (code !== undefined && code === smdg);
  });
  return own ?? partners[0] ?? {};
}

/** Carriers that share a service are some ten. */
const PARTNERS_MAX = 100;

/** The standard knows fifteen codes, and a carrier may have a few of its own. */
const CUT_OFFS_MAX = 50;

/** Null: the answer has no list of them. */
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

/** A text: why it cannot be read. */
function readCutOff(raw: JsonObject, port: string): CutOff | string {
  const code = readText(raw, "cutOffDateTimeCode")?.toUpperCase();
  if (code === undefined) return "lacks cutOffDateTimeCode";
  if (!/^[A-Z0-9_]{2,20}$/.test(code)) return `cutOffDateTimeCode ${quoted(code)} is no code, such as DCO`;
  const written = readText(raw, "cutOffDateTime");
  if (written === null) return "lacks cutOffDateTime";
  const at = readCallTime(written, port);
  return at === null ? `cutOffDateTime ${quoted(written)} is no date-time` : { code, at };
}

/** Null: no date-time. Without an offset it is the port's wall clock; if the port's zone is not known, UTC. */
export function readCallTime(written: string, port: string | null): CallTime | null {
  const instant = readDateTime(written);
  if (instant !== null) return { ms: instant.ms, offsetMinutes: instant.offsetMinutes };
  const zone = zoneOf(port);
  const wall = readWallClock(written, zone ?? "UTC");
  if (wall === null) return null;
  return { ms: wall.ms, offsetMinutes: zone === null ? null : wall.offsetMinutes };
}
