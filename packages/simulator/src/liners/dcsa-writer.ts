/** Reports of calls as the standards write them: CS 1.0 vessel-schedules and port-schedules, OVS 3.0. */
import { PLACES } from "../world/places.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { LinerCarrier, LinerFeed } from "./carriers.ts";
import { LINER_SERVICES, type LinerServiceCode } from "./services.ts";
import type { VesselSchedule } from "./vessel-schedules.ts";
import type { CallReport, ReportedTimes } from "./reporting.ts";

/** A page of an answer. */
export function writePage(
  carrier: LinerCarrier,
  feed: LinerFeed,
  sheets: readonly VesselSchedule[],
): readonly object[] {
  if (feed.kind === "cs-port-schedules") return writePortSchedules(carrier, sheets.flat());
  const byService = Map.groupBy(sheets, ([reports]) => (reports as CallReport).call.service);
  return [...byService].map(([code, some]) => ({
    ...writeService(code),
    vesselSchedules: some.map((sheet) => writeVesselSchedule(carrier, feed, sheet)),
  }));
}

function writeService(code: LinerServiceCode): object {
  const { name, universal } = LINER_SERVICES[code];
  return {
    carrierServiceName: name,
    carrierServiceCode: code,
    universalServiceReference: universal,
  };
}

function writeVesselSchedule(carrier: LinerCarrier, feed: LinerFeed, sheet: VesselSchedule): object {
  const { vessel } = sheet[0] as CallReport;
  const isOvs = feed.kind === "ovs-service-schedules";
  const named = isOvs
    ? { vesselName: vessel.name, ...(vessel.imo === null ? {} : { vesselIMONumber: vessel.imo }) }
    : { vessel: writeCsVessel(vessel) };
  return {
    ...named,
    isDummyVessel: vessel.isDummy,
    transportCalls: sheet.map((report) => writeTransportCall(carrier, report)),
  };
}

function writeCsVessel({ imo, name }: CallReport["vessel"]): object {
  return { name, ...(imo === null ? {} : { vesselIMONumber: imo }) };
}

function writeTransportCall(carrier: LinerCarrier, report: CallReport): object {
  const { call, voyage } = report;
  return {
    transportCallReference: referenceOf(report),
    carrierImportVoyageNumber: voyage.import,
    carrierExportVoyageNumber: voyage.export,
    location: writeLocation(call.port),
    ...writeTimesAndStatus(carrier, report),
  };
}

/** As OVS 3.0 makes it up of service, vessel, voyage and place: it changes with any of them. */
function referenceOf({ call, vessel, voyage }: CallReport): string {
  const { universal } = LINER_SERVICES[call.service];
  return `${universal}-${vessel.imo ?? vessel.name}-${voyage.export}-${call.port}-${PLACES[call.port].terminal}-${call.id % 100}`;
}

function writeLocation(port: CallReport["call"]["port"]): object {
  const { unlocode, name, terminal } = PLACES[port];
  return { locationName: name, UNLocationCode: unlocode, facilitySMDGCode: terminal };
}

function writeTimesAndStatus(
  { clock }: LinerCarrier,
  { call, status, arrival, departure, cutOffs }: CallReport,
): object {
  const { zone } = PLACES[call.port];
  const at = (ms: number): string => writeTime(ms, zone, clock);
  const stamps = (type: string, times: ReportedTimes) =>
    (["planned", "estimated", "actual"] as const).flatMap((which) => {
      const ms = times[which];
      const codes = { planned: "PLN", estimated: "EST", actual: "ACT" };
      if (ms === null) return [];
      return [{ eventTypeCode: type, eventClassifierCode: codes[which], eventDateTime: at(ms) }];
    });
  return {
    ...(status === null ? {} : { statusCode: status }),
    timestamps: [...stamps("ARRI", arrival), ...stamps("DEPA", departure)],
    ...(cutOffs === null
      ? {}
      : {
          cutOffTimes: cutOffs.map(({ code, ms }) => ({ cutOffDateTimeCode: code, cutOffDateTime: at(ms) })),
        }),
  };
}

function writePortSchedules(carrier: LinerCarrier, reports: readonly CallReport[]): readonly object[] {
  return [...Map.groupBy(reports, ({ call }) => call.port)].map(([port, some]) => ({
    location: writeLocation(port),
    vesselSchedules: some.map((one) => writeVesselAtPort(carrier, one)),
  }));
}

function writeVesselAtPort(carrier: LinerCarrier, report: CallReport): object {
  const { call, voyage, vessel } = report;
  const { code, name, universal } = LINER_SERVICES[call.service];
  return {
    universalServiceReference: universal,
    servicePartners: [
      { carrierCode: "ZZZZ", carrierCodeListProvider: "NMFTA", carrierServiceCode: "Z9" },
      {
        carrierCode: carrier.scac,
        carrierCodeListProvider: "NMFTA",
        carrierServiceName: name,
        carrierServiceCode: code,
        carrierImportVoyageNumber: voyage.import,
        carrierExportVoyageNumber: voyage.export,
      },
    ],
    vessel: writeCsVessel(vessel),
    isDummyVessel: vessel.isDummy,
    ...writeTimesAndStatus(carrier, report),
  };
}

function writeTime(ms: number, zone: string, clock: LinerCarrier["clock"]): string {
  if (clock === "utc") return `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const offset = offsetMinutes(zone, ms);
  const wall = new Date(ms + offset * MINUTE_MS).toISOString().slice(0, 19);
  if (clock === "wall") return wall;
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${wall}${offset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`;
}

/** Clocks are put forward and back on the hour. */
const offsets = new Map<string, number>();
const OFFSETS_MAX = 200_000;

function offsetMinutes(zone: string, ms: number): number {
  const hour = Math.floor(ms / HOUR_MS);
  const key = `${zone}${hour}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= OFFSETS_MAX) offsets.clear();
  const there = Temporal.Instant.fromEpochMilliseconds(hour * HOUR_MS).toZonedDateTimeISO(zone);
  const offset = there.offsetNanoseconds / 60e9;
  offsets.set(key, offset);
  return offset;
}
