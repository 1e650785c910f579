/**
 * Routings from place to place: CS 1.0 `point-to-point-routes`. Of each leg by vessel, the departure at its first port
 * and the arrival at its last are calls, and so are those in between.
 */
import { isObject } from "../../../model/json.ts";
import type { CallStatement, CallTime, CutOff } from "../calls/call-statement.ts";
import { readCutOffs, readPartner, readPlace, readService, readVessel, readVoyage } from "./call-parts.ts";
import { partsOf, quoted, type Part, type ReadContext } from "./read-context.ts";
import { read, readObject, readText } from "./spelling.ts";
import { readCallTime } from "./call-time.ts";
import { NO_TIMES } from "./timestamps.ts";

type Sailing = Pick<CallStatement, "carrier" | "service" | "vessel"> & {
  readonly voyage: CallStatement["voyage"];
  /** Of the transport, where the call itself has none: before CS 1.0.1. */
  readonly reference: string | null;
};

export function* callsOnRoute(route: Part, reading: ReadContext): Generator<CallStatement> {
  let isFirstSailing = true;
  for (const leg of partsOf(route, "legs", reading)) {
    const sailing = readSailing(leg, reading);
    if (sailing === null) continue;
    const cutOffsOf = (port: string, isFirst: boolean): readonly CutOff[] | null =>
      mergeCutOffs(isFirst ? readCutOffs(route, port, reading) : null, readCutOffs(leg, port, reading));
    yield* callsOnLeg(leg, sailing, isFirstSailing, cutOffsOf, reading);
    isFirstSailing = false;
  }
}

/** What a leg's own list names goes before what the routing's does. */
function mergeCutOffs(
  common: readonly CutOff[] | null,
  own: readonly CutOff[] | null,
): readonly CutOff[] | null {
  if (common === null || own === null) return own ?? common;
  return [...new Map([...common, ...own].map((cutOff) => [cutOff.code, cutOff])).values()];
}

/** Null: the leg is by rail, road or barge. Before CS 1.0 the transport's fields stood in the leg. */
function readSailing({ raw, path }: Part, reading: ReadContext): Sailing | null {
  const own = read(raw, "transport");
  const transport = isObject(own) ? { raw: own, path: `${path}.transport` } : { raw, path };
  const mode = readText(transport.raw, "modeOfTransport")?.toUpperCase();
  if (mode === undefined ? !isObject(read(transport.raw, "vessel")) : mode !== "VESSEL") return null;
  const partner = readPartner(transport, reading);
  return {
    carrier: reading.feed.carrier,
    service: readService(transport, partner, reading),
    vessel: readVessel(transport, reading),
    voyage: readVoyage(partner),
    reference: readText(transport.raw, "transportCallReference"),
  };
}

function* callsOnLeg(
  leg: Part,
  sailing: Sailing,
  isFirstSailing: boolean,
  cutOffsOf: (port: string, isFirst: boolean) => readonly CutOff[] | null,
  reading: ReadContext,
): Generator<CallStatement> {
  const departure = { raw: readObject(leg.raw, "departure"), path: `${leg.path}.departure` };
  const loaded = callAt(departure, sailing, null, "dateTime", reading);
  if (loaded !== null) {
    const reference = loaded.reference ?? sailing.reference;
    yield { ...loaded, reference, cutOffs: cutOffsOf(loaded.port, isFirstSailing) };
  }
  if (read(leg.raw, "intermediateCalls") !== undefined) {
    for (const between of partsOf(leg, "intermediateCalls", reading)) {
      const call = callAt(between, sailing, "arrivalDateTime", "departureDateTime", reading);
      if (call !== null) yield call;
    }
  }
  const arrival = { raw: readObject(leg.raw, "arrival"), path: `${leg.path}.arrival` };
  const discharged = callAt(arrival, sailing, "dateTime", null, reading);
  if (discharged !== null) yield discharged;
}

/** `arrivalIn` and `departureIn` name the fields of its times; null: a leg does not tell it. */
function callAt(
  call: Part,
  { voyage, reference: _, ...sailing }: Sailing,
  arrivalIn: string | null,
  departureIn: string | null,
  reading: ReadContext,
): CallStatement | null {
  const place = readPlace(call, reading);
  if (place === null) return null;
  const arrival = arrivalIn === null ? null : readTime(call, arrivalIn, place.port, reading);
  const departure = departureIn === null ? null : readTime(call, departureIn, place.port, reading);
  if (arrival === null && departure === null) {
    reading.skip(call.path, "none of its times can be read");
    return null;
  }
  return {
    ...sailing,
    // A leg is one voyage; with what other the vessel comes or goes on, it does not say.
    voyage: {
      import: arrivalIn === null ? null : (voyage.import ?? voyage.export),
      export: departureIn === null ? null : (voyage.export ?? voyage.import),
    },
    ...place,
    reference: readText(call.raw, "transportCallReference"),
    status: null,
    arrival: { ...NO_TIMES, estimated: arrival },
    departure: { ...NO_TIMES, estimated: departure },
    cutOffs: null,
    delayReason: null,
    remark: null,
  };
}

function readTime({ raw, path }: Part, name: string, port: string, reading: ReadContext): CallTime | null {
  const written = readText(raw, name);
  if (written === null) return null;
  const at = readCallTime(written, port);
  if (at === null) reading.note(`${path}.${name}`, `${quoted(written)} is no date-time`);
  return at;
}
