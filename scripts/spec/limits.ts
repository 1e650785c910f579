import type { Section } from "./section.ts";

/** Chapters 7 to 9. */
export const LIMITS: readonly Section[] = [
  {
    id: "7",
    title: "Errors",
    rows: {
      unauthorized: "401 for a missing or bad key",
      invalid_url: "400, code in the product's case",
      not_found: "404, code in the product's case",
      entitlement: "write without the entitlement",
      patch_url: "an invalid URL in PATCH is no error",
      event_types: "unknown event types are no error",
      last_error: "failures show on the delivery",
    },
  },
  {
    id: "8",
    title: "Limits",
    rows: {
      recent_deliveries: "20",
      timeout: "10 seconds",
      sweep: "every 30 seconds",
      attempts: "6",
      ladder: "waits between attempts",
      disable: "20 consecutive failures",
      eta_changed: "24 hours, once a day",
      container_arrived: "48 hours",
      demurrage_warning: "3 days",
      redirects: "failures, never followed",
      response_body: "ignored",
      public_routes: "limited by address",
    },
  },
  {
    id: "9",
    title: "Versioning",
    rows: {
      api_version: "contract in force, in ocean's envelope",
      supported_versions: "published, the oldest is the default",
      path_version: "/v1/ in paths, /1 in the user agent",
      additive_changes: "identifier_type is absent in older versions",
      pinning: "how a request pins a version",
      delivery_schema: "JSON Schema of ocean's deliveries",
    },
  },
];
