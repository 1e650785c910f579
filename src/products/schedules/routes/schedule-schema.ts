/** Sailings, calls, vessels and reliability in the API's description (docs/sailing-search.md). */
import Type from "typebox";

import { CALL_STATUSES } from "../calls/call-statement.ts";
import { portFields, reasonFields, voyageFields } from "../event-data.ts";
import { CALL_STATES } from "../search/call-view.ts";
import { CalendarDate, shipmentEventTimes, nullable, UtcDateTime } from "../../../model/data-types.ts";

const text = (description: string) => nullable(Type.String({ description }));

const voyage = Type.Required(Type.Object(voyageFields)).properties;
const reason = Type.Required(Type.Object(reasonFields)).properties;
const port = {
  ...Type.Required(Type.Object(portFields)).properties,
  status: Type.Enum([...CALL_STATES], {
    description:
      "blanked, slid, omitted and missing calls are cancelled; uncertain: the carrier's last complete answer leaves it out",
  }),
  status_code: nullable(
    Type.Enum([...CALL_STATUSES], { description: "the carrier's code; null: as planned" }),
  ),
  reinstated_at: nullable(
    Type.String({
      format: "date-time",
      description: "when its cancellation was last withdrawn; null: it was not, or another holds",
    }),
  ),
};

/** The companion times belong to the best known of the three. */
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
  calls: Type.Integer({ description: "measured calls of the window" }),
  calls_on_time: Type.Integer({ description: "calls that arrived within a day of the expected time" }),
};

const SailingCall = Type.Object({ ...port, ...times, ...reason }, { title: "SailingCall" });

const yokohama = {
  port: "JPYOK",
  port_name: "Yokohama",
  terminal: "HONMO",
  transport_call_reference: null,
  status: "expected",
  status_code: null,
  reinstated_at: null,
};

const departureTimes = {
  planned: "2026-11-09T12:00:00.000Z",
  estimated: "2026-11-10T03:00:00.000Z",
  actual: null,
  event_date_time: "2026-11-10T03:00:00.000Z",
  event_local_datetime: "2026-11-10T12:00:00",
  utc_offset_minutes: 540,
  event_timezone: "Asia/Tokyo",
};

const delay = { delay_reason: "WEA", remark: null };

const oakland = {
  ...yokohama,
  port: "USOAK",
  port_name: "Oakland",
  terminal: null,
  planned: "2026-11-20T16:00:00.000Z",
  estimated: "2026-11-21T10:00:00.000Z",
  actual: null,
  event_date_time: "2026-11-21T10:00:00.000Z",
  event_local_datetime: "2026-11-21T02:00:00",
  utc_offset_minutes: -480,
  event_timezone: "America/Los_Angeles",
  delay_reason: null,
  remark: null,
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
    cancelled: Type.Boolean({ description: "one of its calls is cancelled" }),
    uncertain: Type.Boolean({ description: "it is not cancelled, and one of its calls is uncertain" }),
    transit_days: nullable(
      Type.Number({ description: "from the expected departure to the expected arrival" }),
    ),
    cut_offs: Type.Array(CutOff, { description: "of the call at the origin, earliest first" }),
    reliability: nullable(Type.Object(score, { title: "Reliability" })),
  },
  {
    title: "Sailing",
    examples: [
      {
        ...heron,
        arrival_voyage: "014E",
        departure: { ...yokohama, ...departureTimes, ...delay },
        arrival: oakland,
        cancelled: false,
        uncertain: false,
        transit_days: 11.3,
        cut_offs: cutOffs,
        reliability: { on_time_percent: 71.4, calls: 42, calls_on_time: 30 },
      },
    ],
  },
);

const CallTimes = Type.Object(times, { title: "CallTimes" });

const callExample = {
  ...heron,
  ...yokohama,
  arrival: { planned: null, estimated: null, actual: null },
  departure: departureTimes,
  cut_offs: cutOffs,
  ...delay,
};

export const PortCallSchema = Type.Object(
  {
    ...voyage,
    ...port,
    arrival: CallTimes,
    departure: CallTimes,
    cut_offs: Type.Array(CutOff, { description: "earliest first" }),
    ...reason,
  },
  { title: "PortCall", examples: [callExample] },
);

export const VesselSchema = Type.Object(
  {
    imo: Type.String({ pattern: "^[0-9]{7}$" }),
    name: text("as last reported"),
    previous: Type.Array(PortCallSchema, { description: "its last ten calls, in their order" }),
    current: Type.Array(PortCallSchema, {
      description: "where it is now: one call for each carrier that reports it; empty at sea",
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
      Type.Number({ description: "what the next fall counts from: the highest since the last event" }),
    ),
  },
  { title: "ServiceReliability" },
);

export const ReliabilitySchema = Type.Object(
  {
    day: nullable(CalendarDate),
    window_days: Type.Integer({ description: "days of arrivals, ending with day" }),
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
