/** Values of the documents, of the world of `boathook try`. */
import type { Examples } from "../../model/product.ts";

const DEPARTED = {
  event_date_time: "2026-11-20T14:59:00.000Z",
  event_local_datetime: "2026-11-20T22:59:00",
  utc_offset_minutes: 480,
  event_timezone: "Asia/Hong_Kong",
};

const FLIGHT = { flight_number: "1Q2643", from: "HKG", to: "SIN", state: "departed" };

const LEG = {
  ...FLIGHT,
  date: "2026-11-20",
  departure: {
    scheduled: "2026-11-20T14:40:00.000Z",
    estimated: null,
    actual: DEPARTED.event_date_time,
    ...DEPARTED,
  },
  arrival: {
    scheduled: "2026-11-21T01:30:00.000Z",
    estimated: "2026-11-21T01:47:00.000Z",
    actual: null,
    event_date_time: "2026-11-21T01:47:00.000Z",
    event_local_datetime: "2026-11-21T09:47:00",
    utc_offset_minutes: 480,
    event_timezone: "Asia/Singapore",
  },
  pieces: 14,
  weight_kg: 924,
};

const FSU = "FSU/14\r\n940-10000841AMSJFK/T10K250\r\nRCF/6Q8045/01NOV1230/JFK/T10K250";

export const airExamples: Examples = {
  awb: "94110003033",
  prefix: "941",
  airline_iata: "1Q",
  airline_name: "Albatross Cargo",
  "Waybill.status": "In transit",
  "WaybillSummary.status": "In transit",
  "WaybillDetail.status": "In transit",
  polling: true,
  origin: "HKG",
  destination: "SIN",
  pieces: 14,
  weight_kg: 924,
  flight_number: "1Q2643",
  eta: "2026-11-21T01:47:00.000Z",
  "WaybillEvent.code": "DEP",
  "WaybillEvent.name": "Departed",
  station: "HKG",
  at: "2026-11-20T14:59:00.000Z",
  "listWaybills.status": "in_transit",
  FlightOfWaybill: FLIGHT,
  WaybillLeg: LEG,
  WaybillEventDetail: {
    code: "DEP",
    name: "Departed",
    station: "HKG",
    at: DEPARTED.event_date_time,
    ...DEPARTED,
    planned: false,
    time_is: "actual",
    flight_number: "1Q2643",
    from: "HKG",
    to: "SIN",
    pieces: 14,
    weight_kg: 924,
    total_pieces: null,
    party: null,
    remarks: ["offloaded part follows on the next flight"],
    ulds: ["PMC41003MU"],
  },
  WaybillSource: {
    kind: "answer",
    id: "one-record",
    said_at: "2026-11-20T15:06:00.000Z",
    events: [{ code: "DEP", station: "HKG", pieces: 14 }],
  },
  RaisedEvent: {
    id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54",
    type: "awb_in_transit",
    raised_at: "2026-11-20T15:06:00.244Z",
  },
  "Airline.iata": "1Q",
  "Airline.name": "Albatross Cargo",
  INVALID_AWB:
    "941-10003034 is no air waybill: after 1000303 the last digit would be 3; check the number for a slip",
  UNKNOWN_AIRLINE: "no airline is known by 000; check the first three digits",
  AIRLINE_NOT_CONFIGURED: "Emirates (176) is not configured; the operator of this service can add it",
  WAYBILL_NOT_FOUND:
    "Albatross Cargo does not know 941-10003044 yet; check the number. The service keeps polling and raises its events until you stop tracking it",
  AIRLINE_UNAVAILABLE:
    "Albatross Cargo does not answer at the moment; the service polls it again, so try again later",
  REFERENCE_LIMIT: "no airline knows many of your waybills yet; wait for answers, or stop tracking some",
  "stopTrackingWaybill.NOT_FOUND": "you do not track 941-10003033",
  "readWaybill.NOT_FOUND": "you do not track 941-10003033",
  "readAirline.NOT_FOUND": "no airline is known by 000",
  "POST /v1/air/messages": {
    summary: "Push messages of air waybills",
    status: 202,
    body: { messages: [FSU] },
    texts: {
      "text/plain": FSU,
      "message/rfc822": `From: cargo@kite.example\r\nSubject: FSU\r\nMIME-Version: 1.0\r\n\r\n${FSU}`,
      "application/xml": `<Inbox><Message>${FSU}</Message></Inbox>`,
    },
    answer: { accepted: 1, refused: 0, duplicates: 0, problems: [] },
  },
};
