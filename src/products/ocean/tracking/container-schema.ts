/** Tracked shipments as clients see them: the one definition of documents, answers and types. */
import Type, { type Static, type TProperties } from "typebox";

import { ATTENTION } from "../record/attention.ts";
import { SHIPMENT_STATUSES } from "./shipment-filter.ts";
import { CalendarDate, shipmentEventTimes, nullable, UtcDateTime } from "../../../model/data-types.ts";
import { ContainerStatus } from "../event-data.ts";

const status = Type.Enum([...SHIPMENT_STATUSES], { description: "pending until a carrier has answered" });

/** (spec 2.5: id, reference, carrier, status, created_at) */
export const startedFields = {
  id: Type.String({ format: "uuid" }),
  reference: Type.String({ description: "in upper case, without spaces and hyphens" }),
  carrier: Type.String({
    description: "the SCAC of the carrier found, until then the one you named, else empty",
  }),
  status,
  created_at: UtcDateTime,
};

const Failure = Type.Object(
  {
    code: Type.String({ description: "not_found, wrong_carrier, not_permitted or unavailable" }),
    message: Type.String({ description: "what it means, and what happens next" }),
  },
  { title: "Failure", description: "why the last poll had no answer" },
);

const viewFields = {
  ...startedFields,
  identifier_type: Type.Optional(
    nullable(
      Type.Enum(["container_id", "bill_of_lading", "booking"], {
        description: "null until it is known; absent before version 2026-08-19",
      }),
    ),
  ),
  eta: nullable(UtcDateTime),
  attention: Type.Array(Type.Enum([...ATTENTION]), {
    description:
      "what somebody should act on: free time that is over or ends within three days, a customs hold …",
  }),
  last_failure: nullable(Failure),
  refreshed_at: nullable(UtcDateTime),
};

export const ContainerSchema = Type.Object(viewFields, { title: "Container" });

const placeFields = {
  unlocode: nullable(Type.String({ description: "UN/LOCODE" })),
  name: nullable(Type.String()),
  time_zone: nullable(Type.String({ description: "IANA" })),
};

const PublicPlace = Type.Object(placeFields, { title: "PublicPlace" });

const pointFields = {
  latitude: nullable(Type.Number({ description: "degrees north" })),
  longitude: nullable(Type.Number({ description: "degrees east" })),
};

const Place = Type.Object(
  {
    ...placeFields,
    facility: nullable(Type.String({ description: "the terminal's or depot's code" })),
    ...pointFields,
  },
  { title: "Place" },
);

const Vessel = Type.Object(
  { name: nullable(Type.String()), imo: nullable(Type.String()) },
  { title: "Vessel" },
);

const VesselPosition = Type.Object(
  {
    imo: Type.String(),
    latitude: Type.Number({ description: "degrees north" }),
    longitude: Type.Number({ description: "degrees east" }),
    course: nullable(Type.Number({ description: "over ground, degrees from north" })),
    seen_at: UtcDateTime,
  },
  { title: "VesselPosition", description: "as last reported by AIS" },
);

const happened = {
  code: Type.String({ description: "DCSA's: LOAD, DISC, GTIN, GTOT, ARRI, DEPA …" }),
  name: Type.String({ description: "the usual name of the event" }),
  ...shipmentEventTimes,
  event_date_time: UtcDateTime,
  mode: nullable(Type.Enum(["vessel", "rail", "truck", "barge"])),
  vessel: nullable(Vessel),
  voyage: nullable(Type.String()),
  laden: nullable(Type.Boolean({ description: "false: empty" })),
};

const TimelineEvent = Type.Object(
  {
    equipment_reference: nullable(Type.String({ description: "null: it concerns all boxes" })),
    kind: Type.Enum(["equipment", "transport", "shipment"]),
    classifier: Type.Enum(["actual", "estimated", "planned"]),
    ...happened,
    place: nullable(Place),
    document_type: nullable(Type.String({ description: "of kind shipment: TRD, CUS, BKG …" })),
  },
  { title: "TimelineEvent" },
);

const EtaSeen = Type.Object({ eta: UtcDateTime, seen_at: UtcDateTime }, { title: "EtaSeen" });

const StatusSeen = Type.Object(
  {
    status: ContainerStatus,
    at: nullable(UtcDateTime, { description: "the time of the event that led to it; null if none did" }),
    seen_at: UtcDateTime,
  },
  { title: "StatusSeen" },
);

const FreeTime = Type.Object(
  {
    last_free_day: CalendarDate,
    ends_at: UtcDateTime,
    source: Type.Enum(["carrier", "tariff"], { description: "who states the day" }),
    days_overdue: Type.Integer(),
    accrued_usd: nullable(Type.Number()),
    rates: nullable(
      Type.Array(
        Type.Object({
          from_day: Type.Integer({ description: "from this day overdue on; the first day is 1" }),
          usd_per_day: Type.Number(),
        }),
      ),
    ),
  },
  { title: "FreeTime" },
);

function journey<P extends TProperties>(place: ReturnType<typeof Type.Object<P>>) {
  return {
    vessel: nullable(Vessel),
    voyage: nullable(Type.String()),
    origin: nullable(place),
    discharge: nullable(place),
    destination: nullable(place),
    transshipments: Type.Array(place, { description: "planned or actual" }),
    eta_is_actual: Type.Boolean({ description: "the eta is the actual arrival" }),
  };
}

const journeyFields = {
  awaiting_next_trip: Type.Boolean({
    description: "the trip shown had ended when tracking began; the next one is shown once it begins",
  }),
  ...journey(Place),
  vessel_position: nullable(VesselPosition),
  status_history: Type.Array(StatusSeen, { description: "oldest first, an entry for each change" }),
  eta_history: Type.Array(EtaSeen, { description: "oldest first, an entry for each change" }),
  free_time: nullable(FreeTime),
};

const Box = Type.Object(
  {
    equipment_reference: nullable(Type.String({ description: "the container's number" })),
    status: ContainerStatus,
    eta: nullable(UtcDateTime),
    ...journeyFields,
  },
  { title: "Box" },
);

export const ContainerDetailSchema = Type.Object(
  {
    ...viewFields,
    ...journeyFields,
    next_refresh_at: nullable(UtcDateTime),
    incomplete: Type.Boolean({
      description: "the carrier cut its last answer: more may have happened than is shown",
    }),
    boxes: Type.Array(Box, {
      description: "one for a container, one or more for a bill of lading or booking",
    }),
    events: Type.Array(TimelineEvent, { description: "of all boxes, in order of time" }),
  },
  {
    title: "ContainerDetail",
    description: "With many boxes: the journey and the ETA of the least advanced one.",
  },
);

const MapPlace = Type.Object(
  {
    unlocode: nullable(Type.String({ description: "UN/LOCODE" })),
    name: nullable(Type.String()),
    latitude: Type.Number({ description: "degrees north" }),
    longitude: Type.Number({ description: "degrees east" }),
  },
  { title: "MapPlace" },
);

export const PositionSchema = Type.Object(
  {
    vessel: nullable(Vessel),
    vessel_position: nullable(VesselPosition),
    place: MapPlace,
    departed_at: nullable(UtcDateTime),
    next_place: nullable(MapPlace),
    arrives_at: nullable(UtcDateTime),
    containers: Type.Integer({ description: "how many are there" }),
    newest: Type.Array(Type.Object({ id: startedFields.id, reference: startedFields.reference, status }), {
      description: "five of them at most",
    }),
  },
  {
    title: "ContainerPosition",
    description:
      "At a place, or on the way from there to the next one. With many boxes: the least advanced one's.",
  },
);

export const PublicContainerSchema = Type.Object(
  {
    reference: startedFields.reference,
    carrier: startedFields.carrier,
    status: ContainerStatus,
    ...journey(PublicPlace),
    eta: nullable(UtcDateTime),
    last_event: nullable(
      Type.Object({ ...happened, place: nullable(PublicPlace) }, { title: "PublicEvent" }),
    ),
  },
  { title: "PublicContainer" },
);

export type ShipmentView = Static<typeof ContainerSchema>;
export type ShipmentDetail = Static<typeof ContainerDetailSchema>;
export type BoxView = Static<typeof Box>;
export type PositionView = Static<typeof PositionSchema>;
export type VesselPositionView = Static<typeof VesselPosition>;
export type PlaceView = Static<typeof Place>;
export type EventView = Static<typeof TimelineEvent>;
export type PublicContainer = Static<typeof PublicContainerSchema>;
