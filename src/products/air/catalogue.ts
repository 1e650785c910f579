/**
 * Air cargo's identity and events (spec 6.2: awb_accepted, awb_in_transit, awb_arrived, awb_available, awb_delivered,
 * awb_departed; 6.4: data; 5: family_key).
 */
import { join } from "node:path";

import Type from "typebox";

import { AIR_ENTITLEMENT } from "./air-product.ts";
import { joined, turn, words, type InWords } from "../../model/in-words.ts";
import type { Product } from "../../model/product.ts";
import { shipmentEventTimes, nullable, openObject } from "../../model/data-types.ts";

const AwbData = openObject("AwbData", {
  awb: Type.String({ minLength: 1, description: "the air waybill" }),
  airline_iata: Type.Optional(nullable(Type.String({ description: "the airline's IATA code" }))),
  status: Type.String({ pattern: "^[^A-Z]+$", description: "the status in lower case, such as delivered" }),
  origin: Type.Optional(nullable(Type.String({ description: "the airport of origin" }))),
  destination: Type.Optional(nullable(Type.String({ description: "the airport of destination" }))),
  ...shipmentEventTimes,
});

const inWords: InWords = ({ awb, status, origin, destination }) =>
  joined([
    joined([words(awb)?.replace(/^(\d{3})(\d{8})$/, "$1-$2") ?? null, words(status)], ": "),
    turn(words(origin), words(destination)),
  ]);

const EXAMPLE = { awb: "17612345675", airline_iata: "EK", origin: "DXB", destination: "LHR" };

const DESCRIPTIONS = {
  awb_accepted: "Accepted from the shipper at the origin.",
  awb_in_transit: "Uplifted, airborne or at a transit station.",
  awb_arrived: "Reached the destination station, not yet released.",
  awb_available: "The consignee was notified; ready for pickup.",
  awb_delivered: "Delivered to the consignee.",
  awb_departed: "Reserved: accepted in a subscription, and nothing emits it.",
};

export const air: Product = {
  tag: "air",
  title: "Air cargo",
  headerTag: "Air",
  keyPrefixes: ["tracking"],
  entitlement: AIR_ENTITLEMENT,
  envelope: "data-only",
  versions: [],
  examples: join(import.meta.dirname, "examples.json"),
  catalogue: Object.entries(DESCRIPTIONS).map(([name, description]) => ({
    name,
    description,
    subscribable: true,
    raised: name !== "awb_departed",
    data: AwbData,
    references: ["awb"],
    inWords,
    example: { ...EXAMPLE, status: name.replace("awb_", "") },
  })),
};
