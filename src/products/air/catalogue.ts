/** Air cargo (spec 6.2, 6.4). */
import Type from "typebox";

import type { EventType, Product } from "../../model/product.ts";
import { shipmentEventTimes, nullable, openObject } from "../../model/data-types.ts";

const AwbData = openObject("AwbData", {
  awb: Type.String({ minLength: 1, description: "the air waybill" }),
  airline_iata: Type.Optional(nullable(Type.String({ description: "the airline's IATA code" }))),
  status: Type.String({ pattern: "^[^A-Z]+$", description: "the status in lower case, such as delivered" }),
  origin: Type.Optional(nullable(Type.String({ description: "the airport of origin" }))),
  destination: Type.Optional(nullable(Type.String({ description: "the airport of destination" }))),
  ...shipmentEventTimes,
});

const catalogue: readonly EventType[] = [
  {
    name: "awb_accepted",
    description: "Accepted from the shipper at the origin.",
    subscribable: true,
    raised: true,
    data: AwbData,
  },
  {
    name: "awb_in_transit",
    description: "Uplifted, airborne or at a transit station.",
    subscribable: true,
    raised: true,
    data: AwbData,
  },
  {
    name: "awb_arrived",
    description: "Reached the destination station, not yet released.",
    subscribable: true,
    raised: true,
    data: AwbData,
  },
  {
    name: "awb_available",
    description: "The consignee was notified; ready for pickup.",
    subscribable: true,
    raised: true,
    data: AwbData,
  },
  {
    name: "awb_delivered",
    description: "Delivered to the consignee.",
    subscribable: true,
    raised: true,
    data: AwbData,
  },
  {
    name: "awb_departed",
    description: "Reserved: accepted in a subscription, and nothing emits it.",
    subscribable: true,
    raised: false,
    data: AwbData,
  },
];

export const air: Product = {
  tag: "air",
  title: "Air cargo",
  headerTag: "Air",
  keyPrefixes: ["tracking"],
  entitlement: "aircargo",
  envelope: "data-only",
  versions: [],
  catalogue,
};
