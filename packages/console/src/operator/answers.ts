/** The operator's routes, and what they answer. */
import type { Operator } from "@boathook/client";

import { clientOf } from "../ui/api.ts";

export const { addressOf, ask } = clientOf<Operator>("");

type Schemas = Operator["schemas"];

export type Account = Schemas["Account"];
export type Endpoint = Schemas["NamedEndpoint"];
export type Delivery = Schemas["OperatorDelivery"];
export type DetailedDelivery = Schemas["OperatorDeliveryDetail"];
export type Attempt = Schemas["OperatorAttempt"];
export type ListedEvent = Schemas["OperatorEvent"];
export type DetailedEvent = Schemas["OperatorEventDetail"];
export type Finding = Schemas["OperatorFinding"];
export type SignatureCheck = Schemas["SignatureCheck"];
export type EndpointHealth = Schemas["EndpointHealth"];
export type Status = Schemas["Status"];
export type Sample = Schemas["Sample"];
export type Setting = Schemas["Setting"];
export type Source = Schemas["Source"];
