/** Values of the documents, of the world of `boathook try`. */
import type { Examples } from "../../model/product.ts";

const ORIGIN = { unlocode: "CNNGB", name: "Ningbo", time_zone: "Asia/Shanghai" };
const POINT = { latitude: 29.87, longitude: 121.55 };
const VESSEL = { name: "AMBER NODDY", imo: "1379202" };

const VESSEL_POSITION = {
  imo: VESSEL.imo,
  latitude: 29.41,
  longitude: 122.93,
  course: 104.2,
  seen_at: "2026-11-23T00:12:00.000Z",
};

const POSITION = {
  vessel: VESSEL,
  vessel_position: VESSEL_POSITION,
  place: { unlocode: ORIGIN.unlocode, name: ORIGIN.name, ...POINT },
  departed_at: "2026-11-22T20:05:00.000Z",
  next_place: { unlocode: "USLGB", name: "Long Beach", latitude: 33.74, longitude: -118.19 },
  arrives_at: "2026-12-10T00:00:00.000Z",
  containers: 1,
  newest: [{ id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54", reference: "AVCU0003377", status: "in_transit" }],
};

export const oceanExamples: Examples = {
  reference: "AVCU0003377",
  carrier: "AVCT",
  identifier_type: "container_id",
  other_references: { booking: "AVCT4000017" },
  "Container.status": "in_transit",
  "ContainerDetail.status": "in_transit",
  "Box.status": "in_transit",
  "PublicContainer.status": "in_transit",
  eta: "2026-12-10T00:00:00.000Z",
  equipment_reference: "AVCU0003377",
  voyage: "030W",
  Vessel: VESSEL,
  VesselPosition: VESSEL_POSITION,
  ContainerPosition: POSITION,
  StatusSeen: {
    status: "in_transit",
    at: POSITION.departed_at,
    seen_at: "2026-11-22T20:31:40.000Z",
  },
  Place: { ...ORIGIN, facility: "NGB1", ...POINT },
  PublicPlace: ORIGIN,
  code: "LOAD",
  name: "Loading on vessel",
  kind: "equipment",
  mode: "vessel",
  laden: true,
  event_date_time: "2026-11-22T12:00:00.000Z",
  event_local_datetime: "2026-11-22T20:00:00",
  utc_offset_minutes: 480,
  event_timezone: "Asia/Shanghai",
  document_type: null,
  "Failure.code": "not_found",
  "Failure.message":
    "No carrier that was asked knows this reference yet. Check that it is written right; it is asked for again with growing waits, for two weeks.",
  Changelog: {
    oldest_supported_version: "2026-06-01",
    latest_version: "2026-08-19",
    changelog_url: "https://webhooks.example.com/tracking/changelog.json",
    versions_url: "https://webhooks.example.com/tracking/versions.json",
    entries: [
      {
        notice_days: 0,
        id: "2026-08-19-identifier-type",
        type: "added",
        axis: "shape",
        title: "identifier_type says what kind of reference a shipment is tracked by",
        detail: "The data of every shipment event, and containers read in the version 2026-08-19, carry it.",
        announced_at: "2026-08-19",
        effective_at: "2026-08-19",
        surfaces: ["rest", "webhooks"],
        endpoints: ["/v1/containers", "/v1/containers/{id}"],
        api_version: "2026-08-19",
        action_required: false,
      },
    ],
  },
  Versions: {
    oldest_supported_version: "2026-06-01",
    latest_version: "2026-08-19",
    changelog_url: "https://webhooks.example.com/tracking/changelog.json",
    versions_url: "https://webhooks.example.com/tracking/versions.json",
    versions: [
      { version: "2026-06-01", announced_at: "2026-06-01", effective_at: "2026-06-01" },
      { version: "2026-08-19", announced_at: "2026-08-19", effective_at: "2026-08-19" },
    ],
  },
  INVALID_REFERENCE: "AVCU0003378 is no container number: its check digit should be 7 (AVCU0003377), not 8",
  REFERENCE_LIMIT: "no carrier knows 2000 of your references yet; wait for answers, or stop tracking some",
  "readContainer.NOT_FOUND": "you track no container with that id",
  "recheckContainer.NOT_FOUND": "you track no container with that id",
  "stopTracking.NOT_FOUND": "you track no container with that id",
  "lookUpContainer.NOT_FOUND": "nothing is known of this container",
  "POST /v1/vessels/positions": {
    summary: "Push vessels' positions",
    status: 202,
    body: { positions: [{ imo: "1379202", status: "At anchor", at: "2026-11-21T08:00:00Z" }] },
    answer: { accepted: 1, outdated: 0 },
  },
  "POST /v1/tracking/milestones": {
    summary: "Import milestones of containers",
    status: 202,
    path: { source: "edi-provider" },
    body: {
      milestones: [
        { container: "HRNU4000017", milestone: "gate_in", time: "2026-11-21T08:00:00Z", location: "NLRTM" },
        { container: "HRNU4000018", milestone: "gate_in", time: "2026-11-21T08:00:00Z", location: "NLRTM" },
      ],
    },
    answer: {
      accepted: 1,
      refused: 1,
      duplicates: 0,
      problems: [
        {
          line: 2,
          column: null,
          field: "container",
          refused: true,
          message:
            "container is wrong: HRNU4000018 is no container number: its check digit should be 7 (HRNU4000017), not 8",
        },
      ],
    },
  },
};
