/** All that is known of one tracked waybill. Nobody is polled. */
import Type, { type Static } from "typebox";

import { companionTimes, type LocalTime } from "../../../freight/places/local-time.ts";
import type { DetailedShipment } from "../../../freight/tracking/store/shipments-read.ts";
import type { ReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import { CalendarDate, nullable, shipmentEventTimes, UtcDateTime } from "../../../model/data-types.ts";
import { timeOfUuid } from "../../../model/uuid.ts";
import type { Cell } from "../../../store/cell.ts";
import { AIR_PRODUCT } from "../air-product.ts";
import { awbOf, type Awb } from "../../../freight/references/awb.ts";
import { EVENT_BY_STATUS, raisedKey } from "../events.ts";
import { LEG_STATES, legsOf, type Leg, type LegTimes } from "../record/legs.ts";
import { readWaybillRecord, type WaybillRecord } from "../record/waybill-record.ts";
import { pushedStatementsOf } from "../sources/pushed-messages.ts";
import { resolveAirline } from "../sources/airlines/airlines-file.ts";
import { AIR_STATUSES } from "../status.ts";
import { findRaised } from "../store/waybills.ts";
import type { AirEvent, WaybillStatement } from "../timeline/air-event.ts";

import { isSplit, summaryFields, type WaybillPorts } from "./waybill-list.ts";
import { Airport, eventView, isSilent, WaybillEvent, waybillView } from "./waybill-view.ts";
import { shipmentGetByReference } from "../../../freight/tracking/store/shipments.sql.ts";

const TimeIs = nullable(Type.Enum(["actual", "estimated", "scheduled"]));
const Pieces = nullable(Type.Integer());
const Weight = nullable(Type.Number());

/** The companion times belong to the best known of the three. */
const FlightTimes = Type.Object(
  {
    scheduled: nullable(UtcDateTime),
    estimated: nullable(UtcDateTime),
    actual: nullable(UtcDateTime),
    ...shipmentEventTimes,
  },
  { title: "FlightTimes" },
);

const LegSchema = Type.Object(
  {
    flight_number: Type.String(),
    date: nullable(CalendarDate, { description: "of the departure, by its local calendar" }),
    from: Airport,
    to: Airport,
    state: Type.Enum([...LEG_STATES], { description: "replaced: booked, and then booked otherwise" }),
    departure: FlightTimes,
    arrival: FlightTimes,
    pieces: Pieces,
    weight_kg: Weight,
  },
  { title: "WaybillLeg" },
);

const DetailedEvent = Type.Object(
  {
    ...WaybillEvent.properties,
    ...shipmentEventTimes,
    planned: Type.Boolean({ description: "announced only" }),
    time_is: TimeIs,
    flight_number: nullable(Type.String()),
    from: Airport,
    to: Airport,
    pieces: Pieces,
    weight_kg: Weight,
    total_pieces: nullable(Type.Integer({ description: "of the whole shipment, if the event is of a part" })),
    party: nullable(Type.String({ description: "who delivered, received or was notified, as written" })),
    remarks: Type.Array(Type.String()),
    ulds: Type.Array(Type.String(), { description: "unit load devices" }),
  },
  { title: "WaybillEventDetail" },
);

const SourceSchema = Type.Object(
  {
    kind: Type.Enum(["message", "answer"], {
      description: "message: the airline pushed it; answer: to the last poll",
    }),
    id: Type.String({ description: "of a message; of an answer, the interface that was polled" }),
    said_at: nullable(UtcDateTime),
    events: Type.Array(
      Type.Object({ code: Type.String(), station: Airport, pieces: Pieces }, { title: "EventOfSource" }),
    ),
  },
  { title: "WaybillSource" },
);

const RaisedSchema = Type.Object(
  { id: Type.String({ format: "uuid" }), type: Type.String(), raised_at: UtcDateTime },
  { title: "RaisedEvent" },
);

export const WaybillDetailSchema = Type.Object(
  {
    ...summaryFields,
    polling: Type.Boolean({ description: "false: tracking has ended" }),
    legs: Type.Array(LegSchema, { description: "its flights in their order" }),
    events: Type.Array(DetailedEvent, {
      description: "in order of time, announced ones included",
    }),
    sources: Type.Array(SourceSchema, {
      description: "what the airline said: the answers, then the messages, the last first",
    }),
    raised: Type.Array(RaisedSchema, {
      description: "its events, for as long as history is kept, the last first",
    }),
  },
  { title: "WaybillDetail" },
);

export type WaybillDetail = Static<typeof WaybillDetailSchema>;

export type WaybillDetailPorts = WaybillPorts & {
  readonly index: Pick<ReferenceIndex, "cellOf" | "cellsSince">;
};

/** Null: the account does not track it. */
export async function getWaybill(
  ports: WaybillDetailPorts,
  cell: Cell,
  accountId: string,
  { awb }: Awb,
): Promise<WaybillDetail | null> {
  const { database } = ports;
  const wanted = { product: AIR_PRODUCT, accountId, reference: awb };
  const shipment = await shipmentGetByReference(database, cell, wanted);
  if (shipment === null) return null;
  const record = recordOf(shipment);
  const timeline = record?.timeline ?? [];
  const keys = AIR_STATUSES.map((status) => raisedKey(shipment.id, status));
  const [raised, pushed] = await Promise.all([
    findRaised(database, cell, accountId, keys),
    pushedStatementsOf(ports, awb),
  ]);
  const airline = resolveAirline(ports.airlines, awbOf(awb).prefix);
  return {
    ...waybillView(awb, airline, record),
    id: shipment.id,
    is_split: isSplit(timeline, record?.pieces ?? null),
    refreshed_at: shipment.refreshedAt?.toISOString() ?? null,
    created_at: shipment.createdAt.toISOString(),
    polling: shipment.nextPollAt !== null,
    legs: (record?.legs ?? legsOf(timeline, record?.pieces ?? null)).map(legView),
    events: timeline.map(detailedEvent),
    sources: [...answersOf(record, shipment), ...messagesOf(pushed.statements)],
    raised: raisedViews(shipment.id, raised),
  };
}

/** Null, too, while an airline that only pushes has not spoken. */
function recordOf({ record: stored }: DetailedShipment): WaybillRecord | null {
  const record = stored === null ? null : readWaybillRecord(stored);
  return record === null || isSilent(record) ? null : record;
}

function legView({ flight, date, from, to, state, departure, arrival, pieces, weightKg }: Leg) {
  return {
    flight_number: flight,
    date,
    from,
    to,
    state,
    departure: timesView(departure),
    arrival: timesView(arrival),
    pieces,
    weight_kg: weightKg,
  };
}

function timesView(times: LegTimes): Static<typeof FlightTimes> {
  const text = (time: LocalTime | null) => (time === null ? null : new Date(time.ms).toISOString());
  const best = times.actual ?? times.estimated ?? times.scheduled;
  return {
    scheduled: text(times.scheduled),
    estimated: text(times.estimated),
    actual: text(times.actual),
    ...(best === null ? {} : companionTimes(best)),
  };
}

function detailedEvent(event: AirEvent): Static<typeof DetailedEvent> {
  const { at, departure, arrival, flight, planned, timeIs, weightKg, totalPieces } = event;
  const time = at ?? departure ?? arrival;
  return {
    ...eventView(event),
    ...(time === null ? {} : companionTimes(time)),
    planned: planned === true,
    time_is: timeIs,
    flight_number: flight === null ? null : flight.carrier + flight.number,
    from: event.from,
    to: event.to,
    pieces: event.pieces,
    weight_kg: weightKg,
    total_pieces: totalPieces,
    party: event.party,
    remarks: [...event.remarks],
    ulds: [...event.ulds],
  };
}

type SourceView = Static<typeof SourceSchema>;

function answersOf(record: WaybillRecord | null, { refreshedAt }: DetailedShipment): SourceView[] {
  const said_at = refreshedAt?.toISOString() ?? null;
  return Object.keys(record?.answered ?? {}).flatMap((id) => {
    const events = record?.said.filter(({ said }) => said?.answers.includes(id)).map(eventOfSource) ?? [];
    return events.length === 0 ? [] : [{ kind: "answer" as const, id, said_at, events }];
  });
}

/** Shown of one waybill; more say the same again. */
const MESSAGES_MAX = 100;

function messagesOf(statements: readonly WaybillStatement[]): SourceView[] {
  return statements
    .map(({ message = "", saidMs, events }) => ({
      kind: "message" as const,
      id: message,
      said_at: saidMs === undefined ? null : new Date(saidMs).toISOString(),
      events: events.map(eventOfSource),
    }))
    .toReversed()
    .slice(0, MESSAGES_MAX);
}

function eventOfSource({ code, station, pieces }: AirEvent): SourceView["events"][number] {
  return { code, station, pieces };
}

function raisedViews(shipmentId: string, raised: ReadonlyMap<string, string>): WaybillDetail["raised"] {
  return AIR_STATUSES.toReversed().flatMap((status) => {
    const id = raised.get(raisedKey(shipmentId, status));
    const type = EVENT_BY_STATUS[status];
    if (id === undefined || type === undefined) return [];
    return [{ id, type, raised_at: new Date(timeOfUuid(id)).toISOString() }];
  });
}
