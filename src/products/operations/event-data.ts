/** The data of operational events. */
import Type from "typebox";

import { nullable, openObject, UtcDateTime } from "../../model/data-types.ts";

const Id = (description: string) => Type.String({ format: "uuid", description });
const OptionalText = (description: string) => nullable(Type.String(), { description });

const endpointFields = {
  account_id: Id("whose endpoint it is"),
  endpoint_id: Id("the endpoint"),
  product: Type.String({ description: "the product on which it is registered" }),
  url: Type.String({ description: "where it receives" }),
  last_error: OptionalText("why the last attempt failed; null: it did not"),
};

export const EndpointData = openObject("EndpointData", {
  ...endpointFields,
  failure_count: Type.Integer({ minimum: 0, description: "its consecutive failures when this was raised" }),
  failing_since: nullable(UtcDateTime, { description: "when they began; null without any" }),
});

export const DeadDeliveryData = openObject("DeadDeliveryData", {
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

export const SourceData = openObject("SourceData", {
  source: Type.String({ description: "the source's channel, as GET /v1/sources of the operator names it" }),
  down_since: { ...UtcDateTime, description: "since when it has done nothing but fail, or did" },
  failure: OptionalText("the code of its last failure"),
  text: OptionalText("that code in words"),
});
