/** What both roles read of endpoints and deliveries; the operator's routes answer more. */
import type { AnyProduct } from "@boathook/client";

type Schemas = AnyProduct["schemas"];

export type Endpoint = Schemas["Endpoint"];
export type Delivery = Schemas["LoggedDelivery"];
export type Attempt = Schemas["Attempt"];
