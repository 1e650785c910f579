/** A request and its answer of the routes that read events, sources and the database's shape, and of links of the portal. */
import type { Product } from "../model/product.ts";
import {
  ACCOUNT_NAME,
  CREATED,
  DELIVERY_ID,
  ENDPOINT_ID,
  EVENT_ID,
  ID,
  LINK_ID,
  SIGNATURE,
  URL,
  type ShownRoutes,
} from "./example-values.ts";

export function readingRoutes(product: Product): ShownRoutes {
  return {
    ...eventRoutes(product),
    ...sourceRoutes(product),
    ...databaseRoutes(product),
    ...portalRoutes(product),
  };
}

function eventRoutes({ tag, headerTag, catalogue }: Product): ShownRoutes {
  const { name, example } = catalogue[0]!;
  const data = JSON.stringify(example);
  const event = {
    id: EVENT_ID,
    account_id: ID,
    account_name: ACCOUNT_NAME,
    product: tag,
    type: name,
    occurred_at: CREATED,
    raised_at: CREATED,
    data_bytes: Buffer.byteLength(data),
  };
  const delivery = {
    id: DELIVERY_ID,
    endpoint_id: ENDPOINT_ID,
    url: URL,
    status: "delivered",
    attempt_count: 1,
    last_status_code: 204,
    last_error: null,
    created_at: CREATED,
    delivered_at: CREATED,
    parked_until: null,
    next_attempt_at: null,
  };
  const body = JSON.stringify({ id: DELIVERY_ID, type: name, occurred_at: CREATED, data: example });
  const check = {
    header: `X-${headerTag}-Signature`,
    algorithm: "HMAC-SHA256 in hexadecimal, behind sha256=",
    signed: "the body, byte for byte",
    signed_bytes: Buffer.byteLength(body),
    signature: SIGNATURE,
    problem: null,
    received_verifies: true,
  };
  const health = {
    step_seconds: 1_800,
    is_complete: true,
    steps: [{ at: CREATED, delivered: 12, failed: 1 }],
    failures: [{ code: "http_503", attempts: 1 }],
  };
  return {
    "GET /v1/events": {
      summary: "Search events",
      status: 200,
      answer: { events: [event], next_cursor: "AaIFO98pdjuOwHTmeT52lQ", unavailable_cells: [] },
    },
    "GET /v1/events/{id}": {
      summary: "Read an event with its deliveries",
      status: 200,
      path: { id: EVENT_ID },
      answer: { ...event, data, deliveries: [delivery] },
    },
    "GET /v1/deliveries/{id}/signature": {
      summary: "Check a signature that a receiver got",
      status: 200,
      path: { id: DELIVERY_ID },
      answer: check,
    },
    "GET /v1/endpoints/{id}/health": {
      summary: "Read how an endpoint has answered",
      status: 200,
      path: { id: ENDPOINT_ID },
      answer: health,
    },
  };
}

const SOURCE_ID = "carrier-avct";

function sourceRoutes({ tag }: Product): ShownRoutes {
  const last = { at: CREATED, subject: "AVCU0003377", outcome: "ok", text: "It answered." };
  const channel = {
    name: "ocean AVCT",
    about: "Track & Trace",
    is_pushed: false,
    last,
    answered_at: CREATED,
    failed_at: null,
    failure: null,
    requests: 20,
    failures: 0,
    counted_since: "2026-11-21T00:00:00.000Z",
    waits: null,
    quota: [{ per: "minute", limit: 60, used: 12, is_shared: false }],
    skipped: [],
  };
  const source = {
    id: SOURCE_ID,
    product: tag,
    kind: "carrier",
    title: "AVCT · Avocet Lines",
    is_polled: true,
    state: "well",
    last,
    waits: null,
    polls: { scheduled: 2, due: 0, next_at: "2026-11-21T09:30:05.000Z", failures: [] },
    channels: [channel],
    skipped: 0,
  };
  return {
    "GET /v1/sources": {
      summary: "List what says something from outside, healthy or not",
      status: 200,
      answer: { sources: [source] },
    },
    "GET /v1/sources/{id}": {
      summary: "Read one source",
      status: 200,
      path: { id: SOURCE_ID },
      answer: source,
    },
  };
}

function databaseRoutes({ tag, catalogue }: Product): ShownRoutes {
  const broadcast = {
    cell: "0",
    product: tag,
    type: catalogue[0]!.name,
    broadcasts: 1,
    oldest_at: CREATED,
    has_begun: true,
  };
  const schemas = [
    { name: "directory", ran: [{ name: "001_directory", at: CREATED }], lacks: [] },
    { name: "0", ran: [{ name: "001_deliveries", at: CREATED }], lacks: [] },
  ];
  return {
    "GET /v1/broadcasts": {
      summary: "List broadcasts that go on or have ended",
      status: 200,
      answer: { broadcasts: [broadcast], unavailable_cells: [] },
    },
    "GET /v1/migrations": {
      summary: "List the migrations of the database",
      status: 200,
      answer: { schemas, unavailable_cells: [] },
    },
  };
}

function portalRoutes({ tag }: Product): ShownRoutes {
  const link = {
    id: LINK_ID,
    account_id: ID,
    product: tag,
    created_at: CREATED,
    expires_at: "2026-11-21T09:35:00.000Z",
    used_at: null,
    sessions_until: null,
    revoked_at: null,
  };
  const used = { ...link, used_at: "2026-11-21T09:30:04.000Z", sessions_until: "2026-11-21T21:30:04.000Z" };
  const revokedAt = "2026-11-21T10:12:00.000Z";
  const url = `https://webhooks.example.com/${tag}/portal#link=link.eyJwcm9kdWN0IjoiYWlyIn0.mHjgKRkTIw6BCNDuTaBjO5ej90UAaXLyS5w7pErlhvc&theme=dark`;
  return {
    "POST /v1/accounts/{id}/portal-links": {
      summary: "Mint a link to the portal",
      status: 201,
      body: { product: tag, expires_in_seconds: 300, theme: "dark" },
      answer: { ...link, url },
    },
    "GET /v1/accounts/{id}/portal-links": {
      summary: "List an account's links to the portal",
      status: 200,
      answer: { portal_links: [used] },
    },
    "DELETE /v1/accounts/{id}/portal-links/{link_id}": {
      summary: "Revoke a link to the portal",
      status: 200,
      answer: { ...used, sessions_until: revokedAt, revoked_at: revokedAt },
    },
  };
}
