/** Operational events: what happens to endpoints, deliveries and sources (docs/operational-events.md). */
import { join } from "node:path";

import type { InWords } from "../../model/in-words.ts";
import type { EventType, Product } from "../../model/product.ts";
import { DeadDeliveryData, EndpointData, SourceData } from "./event-data.ts";
import { deadInWords, downInWords, endpointInWords, recoveredInWords } from "./in-words.ts";

/** An account that has it receives the events of all accounts, and those of sources. */
export const OVERSIGHT = "operations";

const ENDPOINT = {
  account_id: "01a1fc98-3684-702d-8add-9c7eb13bfa2f",
  endpoint_id: "01a1fc9a-7c1e-7b52-9a3d-2f6f0f1c7a11",
  product: "tracking",
  url: "https://hooks.acme.example/containers",
};
const REFUSED = { last_error: "http_503: Service Unavailable" };
const SINCE = { failing_since: "2026-12-01T08:00:00Z" };

function ofEndpoint(name: string, description: string, example: object): EventType {
  return {
    name,
    description,
    subscribable: true,
    raised: true,
    data: EndpointData,
    references: ["endpoint_id"],
    inWords: endpointInWords,
    example: { ...ENDPOINT, ...example },
  };
}

function ofSource(name: string, description: string, inWords: InWords): EventType {
  return {
    name,
    description,
    subscribable: true,
    raised: true,
    data: SourceData,
    references: ["source"],
    inWords,
    example: {
      source: "carrier HRNL",
      down_since: "2026-12-01T08:00:00Z",
      failure: "timeout",
      text: "It did not answer in time.",
    },
  };
}

export const operations: Product = {
  tag: "operations",
  title: "Operations",
  headerTag: "Operations",
  keyPrefixes: ["tracking", "schedules", "rates", "loading"],
  entitlement: null,
  furtherEntitlements: [OVERSIGHT],
  envelope: "ok-and-data",
  versions: [],
  isReporting: true,
  examples: join(import.meta.dirname, "examples.json"),
  catalogue: [
    ofEndpoint("endpoint_failing", "Five attempts in a row have failed.", {
      ...REFUSED,
      ...SINCE,
      failure_count: 5,
    }),
    ofEndpoint("endpoint_disabled", "Failures have switched the endpoint off; it receives nothing more.", {
      ...REFUSED,
      ...SINCE,
      failure_count: 20,
    }),
    ofEndpoint("endpoint_recovered", "An endpoint that was failing, or switched off, works again.", {
      last_error: null,
      failing_since: null,
      failure_count: 0,
    }),
    {
      name: "delivery_dead",
      description: "A delivery has failed for good.",
      subscribable: true,
      raised: true,
      data: DeadDeliveryData,
      references: ["delivery_id", "endpoint_id"],
      inWords: deadInWords,
      example: {
        ...ENDPOINT,
        ...REFUSED,
        delivery_id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54",
        event_id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f53",
        event_type: "container_arrived",
        attempt_count: 6,
        last_status_code: 503,
        created_at: "2026-12-01T08:00:00Z",
      },
    },
    ofSource("source_down", "A source has done nothing but fail for five minutes.", downInWords),
    ofSource("source_recovered", "A source that was down answers again.", recoveredInWords),
  ],
};
