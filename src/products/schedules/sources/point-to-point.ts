/**
 * Routings from place to place: CS 1.0 `point-to-point-routes`. Each leg by vessel gives calls: where it loads, where
 * it discharges, and in between.
 */
import { isObject } from "../../../model/json.ts";
import type { CallStatement, CallTime } from "../calls/call-statement.ts";
import { serviceOf, voyageOf } from "../calls/call-record.ts";
import { isConnection, type PublishedLeg } from "../calls/published-way.ts";
import { mergeCutOffs } from "../calls/merge-statements.ts";
import {
  readCallTime,
  readCutOffs,
  readPartner,
  readPlace,
  readService,
  readVessel,
  readVoyage,
} from "./call-parts.ts";
import { partsOf, quoted, type Part, type ReadContext } from "./read-context.ts";
import { read, readObject, readText } from "./spelling.ts";
import { NO_TIMES } from "./timestamps.ts";

type Sailing = Pick<CallStatement, "carrier" | "service" | "vessel" | "voyage"> & {
  /** Before CS 1.0.1 the transport has it, not the call. */
  readonly reference: string | null;
};

/** Null for what is no call: a moment to let others go on. */
export function* callsOnRoute(route: Part, reading: ReadContext): Generator<CallStatement | null> {
  let isFirstSailing = true;
  let isWhole = true;
  const legs: PublishedLeg[] = [];
  for (const leg of partsOf(route, "legs", reading)) {
    yield null;
    isWhole &&= leg !== null;
    if (leg === null) continue;
    const sailing = readSailing(leg, reading);
    if (sailing === null) continue;
    const published = yield* callsOnLeg(leg, sailing, isFirstSailing ? route : null, reading);
    if (published === null) isWhole = false;
    else legs.push(published);
    isFirstSailing = false;
  }
  if (isWhole && isConnection(legs)) reading.publish(route.path, legs);
}

/** Null: the leg is by rail, road or barge. Before CS 1.0 the leg has the transport's fields. */
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

/** `route`: the routing whose cut-offs also hold for the leg. Returns null where it does not say when and where from. */
function* callsOnLeg(
  leg: Part,
  sailing: Sailing,
  route: Part | null,
  reading: ReadContext,
): Generator<CallStatement | null, PublishedLeg | null> {
  const departure = { raw: readObject(leg.raw, "departure"), path: `${leg.path}.departure` };
  const loads = callAt(departure, sailing, null, "dateTime", reading);
  if (loads !== null) {
    const common = route === null ? null : readCutOffs(route, loads.port, reading);
    const cutOffs = mergeCutOffs(readCutOffs(leg, loads.port, reading), common);
    yield { ...loads, reference: loads.reference ?? sailing.reference, cutOffs };
  }
  if (read(leg.raw, "intermediateCalls") !== undefined) {
    for (const between of partsOf(leg, "intermediateCalls", reading)) {
      yield between && callAt(between, sailing, "arrivalDateTime", "departureDateTime", reading);
    }
  }
  const arrival = { raw: readObject(leg.raw, "arrival"), path: `${leg.path}.arrival` };
  const discharges = callAt(arrival, sailing, "dateTime", null, reading);
  if (discharges !== null) yield discharges;
  const [left, came] = [loads?.departure.estimated ?? null, discharges?.arrival.estimated ?? null];
  if (loads === null || discharges === null || left === null || came === null) return null;
  return {
    service: serviceOf(sailing),
    voyage: voyageOf(sailing),
    vesselImo: sailing.vessel.imo,
    from: loads.port,
    to: discharges.port,
    departureMs: left.ms,
    arrivalMs: came.ms,
  };
}

/** `arrivalIn` and `departureIn`: the fields of its times; null: the leg has no such time. */
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
    // A leg is one voyage. It does not say on which other one the vessel comes or leaves.
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
