/** A request and its answer of each route of the frame, for the operator's document. Products have those of their own routes. */
import type { Examples, Product } from "../model/product.ts";
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
import { RAISED_EVENTS } from "./read-events.ts";
import { readingRoutes } from "./reading-examples.ts";

/** `products`: the first one's names are shown; without any, only what needs none. */
export function operatorExamples(products: readonly Product[]): Examples {
  const [shown] = products;
  if (shown === undefined) return HEALTH;
  return {
    ...HEALTH,
    ...accountRoutes(shown),
    ...eventRoutes(shown),
    ...endpointRoutes(shown),
    ...statusRoutes(products),
    ...readingRoutes(shown),
    id: ID,
    account_id: ID,
    endpoint_id: ENDPOINT_ID,
    link_id: LINK_ID,
    limit: 50,
    signature: SIGNATURE,
    type: shown.catalogue[0]!.name,
  };
}

const DISK_FULL = "the database's disk is full";

const HEALTH: ShownRoutes = {
  "GET /healthz": { summary: "Whether the process lives", status: 200, answer: { status: "ok" } },
  "GET /readyz": {
    summary: "Whether it can serve",
    status: 200,
    answer: { status: "ready" },
    others: { 503: { status: "not ready", reason: DISK_FULL, checks: { database: DISK_FULL } } },
  },
  "GET /metrics": {
    summary: "Its figures, for Prometheus",
    status: 200,
    answer: "boathook_directory_up 1\n",
    type: "text/plain",
  },
  "POST /v1/session": {
    summary: "Sign the console in",
    status: 200,
    body: { token: "the operator's token" },
    answer: {
      token: "Qm9hdGhvb2sgc2Vzc2lvbg.1795780800000.GQ3b1yG0sB1m3Wc0rXw9Vb7Jd2Lk5Pq8Tn4Hf6Zs1Ec",
      expires_in_seconds: 43_200,
    },
  },
  "DELETE /v1/session": { summary: "Sign the console out", status: 204 },
};

const ACCOUNT = {
  id: ID,
  name: ACCOUNT_NAME,
  entitlements: ["aircargo", "freightrates"],
  demurrage_alerting: false,
  created_at: CREATED,
};

function accountRoutes({ keyPrefixes }: Product): ShownRoutes {
  const prefix = keyPrefixes[0]!;
  const key = {
    id: "01a1fc9c-74c2-7f0b-b7a4-6e0c59b7b0de",
    account_id: ID,
    prefix,
    label: "production",
    created_at: CREATED,
    revoked_at: null,
  };
  return {
    "POST /v1/accounts": {
      summary: "Make an account",
      status: 201,
      body: { name: ACCOUNT_NAME, entitlements: ["aircargo", "freightrates"] },
      answer: ACCOUNT,
    },
    "GET /v1/accounts": {
      summary: "List accounts",
      status: 200,
      answer: { accounts: [ACCOUNT], next_cursor: "AaIFO98pdjuOwHTmeT52lQ" },
    },
    "GET /v1/accounts/{id}": { summary: "Read an account", status: 200, answer: ACCOUNT },
    "PATCH /v1/accounts/{id}": {
      summary: "Change an account",
      status: 200,
      body: { name: ACCOUNT_NAME },
      answer: ACCOUNT,
    },
    "DELETE /v1/accounts/{id}": {
      summary: "Remove an account with all that is its",
      status: 200,
      answer: { id: ID, deleted: true },
      others: { 202: { id: ID, deleted: false } },
    },
    "POST /v1/accounts/{id}/keys": {
      summary: "Mint an API key",
      status: 201,
      body: { prefix, label: "production" },
      answer: { ...key, key: `${prefix}_EWaetCt3RC5HyDWCnd8XqirvnjiReT1pKA2Q` },
    },
    "GET /v1/accounts/{id}/keys": { summary: "List an account's keys", status: 200, answer: { keys: [key] } },
    "DELETE /v1/keys/{id}": { summary: "Revoke a key", status: 200, answer: { ...key, revoked_at: CREATED } },
  };
}

function eventRoutes({ tag, catalogue }: Product): ShownRoutes {
  const { name, example } = catalogue[0]!;
  const event = {
    product: tag,
    account_id: ID,
    type: name,
    data: example,
    dedup_key: "move-4711",
  };
  return {
    "POST /v1/events": {
      summary: "Raise events",
      status: 202,
      body: { events: [event] },
      bodySchema: RAISED_EVENTS,
      answer: { accepted: 1, duplicates: 0, deliveries: 1 },
    },
  };
}

const ATTEMPT = {
  number: 1,
  ended_at: CREATED,
  duration_ms: 42,
  address: "203.0.113.7:443",
  status_code: 503,
  error: "http_503: The endpoint answered Service Unavailable.",
  answer_bytes: 0,
};

function endpointRoutes(product: Product): ShownRoutes {
  const { tag, catalogue } = product;
  const { name } = catalogue[0]!;
  const endpoint = {
    id: ENDPOINT_ID,
    account_id: ID,
    product: tag,
    url: URL,
    event_types: [name],
    description: "our warehouse",
    active: true,
    failure_count: 0,
    last_delivery_at: CREATED,
    disabled_at: null,
    disabled_reason: null,
    missed_events: 0,
    created_at: CREATED,
  };
  const named = { ...endpoint, account_name: ACCOUNT_NAME };
  return {
    "GET /v1/endpoints": {
      summary: "Search endpoints",
      status: 200,
      answer: { endpoints: [named], next_cursor: "AaIFO98pdjuOwHTmeT52lQ", unavailable_cells: [] },
    },
    "GET /v1/endpoints/failing": {
      summary: "List endpoints that fail or are off",
      status: 200,
      answer: { endpoints: [{ ...named, failure_count: 3 }], unavailable_cells: [] },
    },
    "GET /v1/endpoints/{id}": { summary: "Read an endpoint", status: 200, answer: named },
    "POST /v1/endpoints/{id}/enable": { summary: "Enable an endpoint", status: 200, answer: endpoint },
    ...deliveryRoutes(product),
  };
}

function deliveryRoutes({ tag, catalogue }: Product): ShownRoutes {
  const { name, example } = catalogue[0]!;
  const delivery = {
    id: DELIVERY_ID,
    endpoint_id: ENDPOINT_ID,
    event_id: EVENT_ID,
    event_type: name,
    status: "delivered",
    attempt_count: 1,
    last_status_code: 204,
    last_error: null,
    created_at: CREATED,
    delivered_at: CREATED,
    parked_until: null,
    next_attempt_at: null,
    account_id: ID,
    account_name: ACCOUNT_NAME,
    product: tag,
    url: URL,
  };
  return {
    "GET /v1/deliveries": {
      summary: "Search deliveries",
      status: 200,
      answer: { deliveries: [delivery], next_cursor: "AaIFO98pdjuOwHTmeT52lQ", unavailable_cells: [] },
    },
    "GET /v1/deliveries/{id}": {
      summary: "Read a delivery with its attempts",
      status: 200,
      answer: { ...delivery, attempts: [ATTEMPT] },
    },
    "GET /v1/deliveries/{id}/body": {
      summary: "Read the bytes of a delivery's body",
      status: 200,
      answer: {
        event_id: EVENT_ID,
        occurred_at: CREATED,
        body: JSON.stringify({ id: delivery.id, type: name, occurred_at: CREATED, data: example }),
      },
    },
  };
}

const SETTING = {
  name: "BOATHOOK_SWEEP_INTERVAL",
  value: "30s",
  default: "30s",
  from: "default",
  about: "How often the sweep looks for deliveries that are due.",
};

const NODE = {
  process: "boathook 11999 1795384132664",
  address: "",
  host: "host-1",
  build: "0.1.0",
  roles: "api,deliver,poll",
  started_at: CREATED,
  cells: 1,
  unopened_endpoints: 0,
};

function statusRoutes(products: readonly Product[]): ShownRoutes {
  const product = products[0]!.tag;
  const status = {
    version: "0.1.0",
    commit: null,
    products: products.map(({ tag }) => tag),
    checks: {},
    nodes: [NODE],
    cells: [{ name: "0", server: "", accounts: 1, open: true, trouble: null }],
    backlog: [{ product, due: 0, waiting: 1, claimed: 0, parked: 0 }],
    endpoints: { failing: 1, disabled: 0, paused: 0 },
    failing: [{ reason: "http_503", deliveries: 1, endpoints: 1 }],
    upstreams: { failing: [{ source: "HRNL", reason: "unavailable_timeout", polls: 2 }], paused: [] },
  };
  const sample = {
    at: CREATED,
    seconds: 10,
    delivered: { [product]: 12 },
    failed_attempts: { [product]: 1 },
    dead: {},
    attempt_seconds: { p50: 0.02, p99: 0.4 },
    arrival_seconds: { p50: 0.03, p99: 0.5 },
    backlog: { waiting: 1 },
  };
  return {
    "GET /v1/status": {
      summary: "How the service is, with what waits and fails",
      status: 200,
      answer: status,
    },
    "GET /v1/history": {
      summary: "Samples of the last hour or day",
      status: 200,
      answer: { step_seconds: 10, samples: [sample] },
    },
    "GET /v1/live": {
      summary: "Follow the status as it changes",
      status: 200,
      answer: `event: sample\ndata: ${JSON.stringify(sample)}\n\n`,
      type: "text/event-stream",
    },
    "GET /v1/settings": {
      summary: "List the settings, secrets masked",
      status: 200,
      answer: { settings: [SETTING] },
    },
  };
}
