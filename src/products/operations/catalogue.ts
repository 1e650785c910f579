/** Operational events: what happens to endpoints, deliveries and sources (docs/operational-events.md). */
import { join } from "node:path";

import Type from "typebox";

import { nullable, openObject, UtcDateTime } from "../../model/data-types.ts";
import type { InWords } from "../../model/in-words.ts";
import type { EventType, Product } from "../../model/product.ts";
import { deadInWords, downInWords, endpointInWords, recoveredInWords } from "./in-words.ts";

const Id = (description: string) => Type.String({ format: "uuid", description });
const OptionalText = (description: string) => nullable(Type.String(), { description });

const endpointFields = {
  account_id: Id("whose endpoint it is"),
  endpoint_id: Id("the endpoint"),
  product: Type.String({ description: "the product on which it is registered" }),
  url: Type.String({ description: "where it receives" }),
  last_error: OptionalText("why the last attempt failed; null: it did not"),
};

const EndpointData = openObject("EndpointData", {
  ...endpointFields,
  failure_count: Type.Integer({ minimum: 0, description: "its consecutive failures when this was raised" }),
  failing_since: nullable(UtcDateTime, { description: "when they began; null without any" }),
});

const DeadDeliveryData = openObject("DeadDeliveryData", {
  ...endpointFields,
  delivery_id: Id("the delivery, which is the id of its body"),
  event_id: Id("the event that it carried"),
  event_type: Type.String({ description: "the type of that event" }),
  attempt_count: Type.Integer({ minimum: 0, description: "how often it was tried" }),
  last_status_code: nullable(Type.Integer(), {
    description: "the status that the last attempt was answered with; null: no answer",
  }),
  created_at: UtcDateTime,
});

const SourceData = openObject("SourceData", {
  source: Type.String({ description: "the source's channel, as GET /v1/sources of the operator names it" }),
  down_since: { ...UtcDateTime, description: "since when it has done nothing but fail, or did" },
  failure: OptionalText("the code of its last failure"),
  text: OptionalText("that code in words"),
});

/** An account that has it receives the events of all accounts, and those of sources. */
export const OVERSIGHT = "operations";

const ENDPOINT = {
  account_id: "01a1fc98-3684-702d-8add-9c7eb13bfa2f",
  endpoint_id: "01a1fc9a-7c1e-7b52-9a3d-2f6f0f1c7a11",
  product: "tracking",
  url: "https://hooks.acme.example/containers",
};
const REFUSED = { last_error: "http_503: The endpoint answered Service Unavailable." };
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
