/** Sailings, calls, vessels and reliability as the API's document describes them (docs/sailing-search.md). */
import Type from "typebox";

import { CALL_STATUSES } from "../calls/call-statement.ts";
import { CALL_STATES } from "../search/call-view.ts";
import {
  CalendarDate,
  shipmentEventTimes,
  nullable,
  UnLocode,
  UtcDateTime,
} from "../../../model/data-types.ts";

const text = (description: string) => nullable(Type.String({ description }));

const voyage = {
  carrier: Type.String({ description: "the carrier's SCAC" }),
  service: Type.String({ description: "the service's code, else its name; empty when it is not known" }),
  service_name: text("the service's name"),
  universal_service_reference: text("such as SR12345A"),
  voyage: Type.String({
    description:
      "the number of the voyage on which the vessel leaves, else on which it came; empty when not known",
  }),
  import_voyage: text("the number of the voyage on which the vessel comes to the port"),
  export_voyage: text("the number of the voyage on which it leaves the port"),
  vessel_name: text("the vessel's name"),
  vessel_imo: text("the vessel's IMO number"),
};

const port = {
  port: UnLocode,
  port_name: text("the port's name"),
  terminal: text("the terminal's SMDG code"),
  transport_call_reference: text("how the carrier refers to the call"),
  status: Type.Enum([...CALL_STATES], {
    description: "blanked, slid, omitted and missing calls are not made",
  }),
  status_code: nullable(
    Type.Enum([...CALL_STATUSES], { description: "the carrier's code; null: as planned" }),
  ),
};

const reason = {
  delay_reason: text("the carrier's code for why (SMDG delay reason)"),
  remark: text("the carrier's remark"),
};

/** The fields of `happenedAt` are of the last class that is known. */
const times = {
  planned: nullable(UtcDateTime),
  estimated: nullable(UtcDateTime),
  actual: nullable(UtcDateTime),
  ...shipmentEventTimes,
};

const CutOff = Type.Object(
  {
    code: Type.String({ description: "cutOffDateTimeCode of DCSA, such as DCO, VCO, FCO" }),
    name: text("what the code means"),
    at: UtcDateTime,
    ...shipmentEventTimes,
  },
  { title: "CutOff" },
);

const score = {
  on_time_percent: nullable(
    Type.Number({ minimum: 0, maximum: 100, description: "null: too few calls were measured" }),
  ),
  calls: Type.Integer({ description: "calls of the window that could be measured" }),
  calls_on_time: Type.Integer({ description: "those that came within a day of when they were expected" }),
};

const SailingCall = Type.Object({ ...port, ...times, ...reason }, { title: "SailingCall" });

const yokohama = {
  port: "JPYOK",
  port_name: "Yokohama",
  terminal: "HONMO",
  transport_call_reference: null,
  status: "expected",
  status_code: null,
  planned: "2026-11-09T12:00:00.000Z",
  estimated: "2026-11-10T03:00:00.000Z",
  actual: null,
  event_date_time: "2026-11-10T03:00:00.000Z",
  event_local_datetime: "2026-11-10T12:00:00",
  utc_offset_minutes: 540,
  event_timezone: "Asia/Tokyo",
  delay_reason: "WEA",
  remark: null,
};

const oakland = {
  ...yokohama,
  port: "USOAK",
  port_name: "Oakland",
  terminal: null,
  planned: "2026-11-20T16:00:00.000Z",
  estimated: "2026-11-21T10:00:00.000Z",
  event_date_time: "2026-11-21T10:00:00.000Z",
  event_local_datetime: "2026-11-21T02:00:00",
  utc_offset_minutes: -480,
  event_timezone: "America/Los_Angeles",
  delay_reason: null,
};

const heron = {
  carrier: "HRNL",
  service: "HE1",
  service_name: "Heron Express",
  universal_service_reference: null,
  voyage: "014E",
  import_voyage: "013W",
  export_voyage: "014E",
  vessel_name: "HERON DAWN",
  vessel_imo: "9321483",
};

const cutOffs = [
  {
    code: "FCO",
    name: "FCL delivery cut-off",
    at: "2026-11-08T08:00:00.000Z",
    event_date_time: "2026-11-08T08:00:00.000Z",
    event_local_datetime: "2026-11-08T17:00:00",
    utc_offset_minutes: 540,
    event_timezone: "Asia/Tokyo",
  },
];

export const SailingSchema = Type.Object(
  {
    ...voyage,
    arrival_voyage: text("the number of the voyage on which it comes to the destination"),
    departure: SailingCall,
    arrival: SailingCall,
    cancelled: Type.Boolean({ description: "one of its calls is not made" }),
    transit_days: nullable(Type.Number({ description: "from departure to arrival, as expected" })),
    cut_offs: Type.Array(CutOff, { description: "of the call at the origin, the first first" }),
    reliability: nullable(Type.Object(score, { title: "Reliability" })),
  },
  {
    title: "Sailing",
    examples: [
      {
        ...heron,
        arrival_voyage: "014E",
        departure: yokohama,
        arrival: oakland,
        cancelled: false,
        transit_days: 11.3,
        cut_offs: cutOffs,
        reliability: { on_time_percent: 71.4, calls: 42, calls_on_time: 30 },
      },
    ],
  },
);

const CallTimes = Type.Object(times, { title: "CallTimes" });

const callTimesOf = ({ planned, estimated, actual, ...more }: typeof yokohama) => ({
  planned,
  estimated,
  actual,
  event_date_time: more.event_date_time,
  event_local_datetime: more.event_local_datetime,
  utc_offset_minutes: more.utc_offset_minutes,
  event_timezone: more.event_timezone,
});

const callExample = {
  ...heron,
  port: "JPYOK",
  port_name: "Yokohama",
  terminal: "HONMO",
  transport_call_reference: null,
  status: "expected",
  status_code: null,
  arrival: { planned: null, estimated: null, actual: null },
  departure: callTimesOf(yokohama),
  cut_offs: cutOffs,
  delay_reason: "WEA",
  remark: null,
};

export const PortCallSchema = Type.Object(
  {
    ...voyage,
    ...port,
    arrival: CallTimes,
    departure: CallTimes,
    cut_offs: Type.Array(CutOff, { description: "the first first" }),
    ...reason,
  },
  { title: "PortCall", examples: [callExample] },
);

export const VesselSchema = Type.Object(
  {
    imo: Type.String({ pattern: "^[0-9]{7}$" }),
    name: text("as it was last told"),
    previous: Type.Array(PortCallSchema, { description: "its last ten calls, in their order" }),
    current: Type.Array(PortCallSchema, {
      description: "where it is now: a call of each carrier that tells of it; empty at sea",
    }),
    next: Type.Array(PortCallSchema, { description: "its next ten calls, in their order" }),
  },
  {
    title: "ScheduledVessel",
    examples: [{ imo: "9321483", name: "HERON DAWN", previous: [], current: [], next: [callExample] }],
  },
);

const CarrierScore = Type.Object({ carrier: Type.String(), ...score }, { title: "CarrierReliability" });

const ServiceScore = Type.Object(
  {
    carrier: Type.String(),
    service: Type.String(),
    ...score,
    reference_percent: nullable(
      Type.Number({ description: "what the next fall is counted from: the highest since the last one" }),
    ),
  },
  { title: "ServiceReliability" },
);

export const ReliabilitySchema = Type.Object(
  {
    day: nullable(CalendarDate),
    window_days: Type.Integer({ description: "days of arrivals, the last of them day" }),
    carriers: Type.Array(CarrierScore, { description: "all services of a carrier together" }),
    services: Type.Array(ServiceScore, { description: "by carrier and service" }),
  },
  {
    title: "Reliabilities",
    examples: [
      {
        day: "2026-11-01",
        window_days: 90,
        carriers: [{ carrier: "HRNL", on_time_percent: 64.2, calls: 120, calls_on_time: 77 }],
        services: [
          {
            carrier: "HRNL",
            service: "HE1",
            on_time_percent: 71.4,
            calls: 42,
            calls_on_time: 30,
            reference_percent: 76.2,
          },
        ],
      },
    ],
  },
);
