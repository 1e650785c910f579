/** What no run shows. */
import type { KeptExamples } from "../../src/http/openapi/examples.ts";

const REFUSALS = {
  RATE_LIMITED: "more than 600 requests in 60 seconds; go on in 12 seconds",
  INTERNAL_ERROR: "the service failed; this is not your fault",
  UNAVAILABLE: "the database cannot be reached at the moment; try again",
};

const OF_PRODUCTS = {
  ...REFUSALS,
  ENDPOINT_LIMIT: "you have 100 endpoints here already; delete one first",
};

const DISK_FULL = "the database's disk is full";

/** By the name of the API. */
export const BY_HAND: Readonly<Record<string, KeptExamples>> = {
  operator: {
    refusals: REFUSALS,
    routes: {
      // One of the world is over in a moment.
      "GET /v1/broadcasts": {
        answers: {
          200: {
            broadcasts: [
              {
                ...{ cell: "0", product: "rates", type: "lane_rate_updated", broadcasts: 1 },
                ...{ oldest_at: "2026-11-21T09:30:00.000Z", has_begun: true },
              },
            ],
            unavailable_cells: [],
          },
        },
      },
      "DELETE /v1/accounts/{id}": {
        answers: { 202: { id: "01a1fc98-3684-702d-8add-9c7eb13bfa2f", deleted: false } },
      },
      "GET /readyz": {
        answers: { 503: { status: "not ready", reason: DISK_FULL, checks: { database: DISK_FULL } } },
      },
    },
  },
  tracking: {
    refusals: {
      ...OF_PRODUCTS,
      REFERENCE_LIMIT:
        "no carrier knows 2000 of your references yet; wait for answers, or stop tracking some",
    },
    routes: {},
  },
  air: {
    refusals: {
      ...OF_PRODUCTS,
      REFERENCE_LIMIT: "no airline knows many of your waybills yet; wait for answers, or stop tracking some",
      AIRLINE_UNAVAILABLE:
        "Albatross Cargo does not answer at the moment; the service polls it again, so try again later",
    },
    routes: {},
  },
  schedules: { refusals: OF_PRODUCTS, routes: {} },
  operations: { refusals: OF_PRODUCTS, routes: {} },
  rates: { refusals: OF_PRODUCTS, routes: {} },
  loading: {
    refusals: { ...OF_PRODUCTS, PLAN_LIMIT: "you have 1000 plans already; delete some first" },
    routes: {},
  },
};
