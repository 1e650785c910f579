/** Sailings, calls, vessels and reliability in the API's description (docs/schedules.md). */
import Type from "typebox";

import { HISTORY_MAX } from "../calls/call-record.ts";
import { CALL_STATUSES } from "../calls/call-statement.ts";
import { portFields, reasonFields, voyageFields } from "../event-data.ts";
import { CALL_STATES } from "../search/call-view.ts";
import { score } from "./reliability-schema.ts";
import { shipmentEventTimes, nullable, UtcDateTime } from "../../../model/data-types.ts";

const text = (description: string) => nullable(Type.String({ description }));

const voyage = Type.Required(Type.Object(voyageFields)).properties;
const reason = Type.Required(Type.Object(reasonFields)).properties;
const port = {
  id: Type.String({ format: "uuid", description: "of the call: its history is read by it" }),
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
  first: nullable(UtcDateTime, { description: "the one that was known first: planned, else estimated" }),
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

const SailingCall = Type.Object({ ...port, ...times, ...reason }, { title: "SailingCall" });

const leg = {
  ...voyage,
  arrival_voyage: text("the number of the voyage on which it comes to the destination"),
  departure: SailingCall,
  arrival: SailingCall,
  transit_days: nullable(Type.Number({ description: "from the expected departure to the expected arrival" })),
  cut_offs: Type.Array(CutOff, { description: "of the call at the origin, earliest first" }),
};

export const SailingSchema = Type.Object(
  {
    ...leg,
    cancelled: Type.Boolean({ description: "one of its calls is cancelled" }),
    uncertain: Type.Boolean({ description: "it is not cancelled, and one of its calls is uncertain" }),
    reliability: nullable(Type.Object(score, { title: "Reliability" })),
  },
  {
    title: "Sailing",
  },
);

const Transshipment = Type.Object(
  {
    port: Type.String({ description: "UN/LOCODE" }),
    port_name: text("as a carrier writes it"),
    wait_hours: Type.Number({ description: "from the expected arrival to the next vessel's departure" }),
  },
  { title: "Transshipment" },
);

export const ConnectionSchema = Type.Object(
  {
    carrier: nullable(
      Type.String({ description: "who sells all legs; null: they are of different carriers" }),
    ),
    routing: Type.Enum(["carrier", "joined"], {
      description:
        "carrier: the carrier publishes the way as one; joined: Boathook joined sailings, ask whether they can be booked as one",
    }),
    transshipments: Type.Array(Transshipment, { description: "one or two, in their order" }),
    transit_days: Type.Number({
      description: "from the first expected departure to the last expected arrival",
    }),
    uncertain: Type.Boolean({ description: "one of its calls is uncertain" }),
    legs: Type.Array(Type.Object(leg, { title: "ConnectionLeg" }), { description: "in their order" }),
  },
  {
    title: "Connection",
  },
);

const CallTimes = Type.Object(times, { title: "CallTimes" });

const portCall = {
  ...voyage,
  ...port,
  arrival: CallTimes,
  departure: CallTimes,
  cut_offs: Type.Array(CutOff, { description: "earliest first" }),
  ...reason,
};

export const PortCallSchema = Type.Object(portCall, { title: "PortCall" });

const CallChange = Type.Object(
  {
    changed_at: Type.String({ format: "date-time", description: "when a feed first reported the new value" }),
    field: Type.String({
      description:
        "arrival or departure and planned, estimated or actual (departure.planned); cut_offs and a code (cut_offs.FCO); vessel_imo, vessel_name, terminal, status_code",
    }),
    from: text("the value before; null: none was known"),
    to: text("the value since then; null: it was withdrawn"),
    shift_hours: nullable(Type.Number({ description: "between two times; positive: later" })),
  },
  { title: "CallChange" },
);

export const CallHistorySchema = Type.Object(
  {
    ...portCall,
    first_seen_at: Type.String({ format: "date-time", description: "when a feed first reported the call" }),
    changes: Type.Array(CallChange, {
      description: `oldest first; of each field, the latest ${HISTORY_MAX - 1}`,
    }),
  },
  {
    title: "PortCallHistory",
  },
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
  },
);
