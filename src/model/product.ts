import type { TObject, TSchema } from "typebox";

import type { InWords } from "./in-words.ts";
import type { JsonObject } from "./json.ts";

/** One product of the family, as data: all that differs between products (spec 1: products, differences). */
export type Product = {
  /** `tracking`, `air` …, the first segment of the base address as well. */
  readonly tag: string;
  readonly title: string;
  /** `Tracking` in `X-Tracking-Signature` and `User-Agent: Tracking-Webhooks/1` (spec 5.1: user_agent, event_header, delivery_header, signature_header). */
  readonly headerTag: string;
  /** The prefixes of keys that the product accepts, without the underscore (spec 5: prefixes, family_key). */
  readonly keyPrefixes: readonly string[];
  /** What registering and testing require (spec 4.1: register_entitlement); null: nothing. */
  readonly entitlement: string | null;
  /** What an account may have besides, for more than the product gives to all. */
  readonly furtherEntitlements?: readonly string[];
  /** Its events say what happens to endpoints; nothing is reported of its own. */
  readonly isReporting?: true;
  /** `{ok, data}` with upper-case error codes, or `{data}` with lower-case ones (spec 4.1: envelope_ok, envelope_data). */
  readonly envelope: "ok-and-data" | "data-only";
  /** API versions, oldest first; empty where the answers carry none (spec 4.1: envelope_api_version). */
  readonly versions: readonly string[];
  /** The specification leaves the events' data open: what operators raise may be any object. */
  readonly arePayloadsOpen?: true;
  readonly catalogue: readonly EventType[];
  /** The file of what its routes were asked and answered, absolute, for the documents (`npm run docs:examples`). */
  readonly examples?: string;
};

/** One name of a product's catalogue (spec 6.2). */
export type EventType = {
  readonly name: string;
  readonly description: string;
  /** False: received with an empty subscription only (`shipment_updated`). */
  readonly subscribable: boolean;
  /** False: accepted in a subscription and never raised (`awb_departed`). */
  readonly raised: boolean;
  /** The shape of `data`, additional properties allowed (spec 2.4: additional_properties). */
  readonly data: TObject | TSchema;
  /** The fields of `data` that it is found by; several together are one reference, such as a trade lane's two ends. */
  readonly references?: readonly (string | readonly string[])[];
  /** It in one line, for people: `ETA 1 Dec → 3 Dec (+2 days)`. */
  readonly inWords?: InWords;
  /** One `data` as the product raises it, for the documents and for samples. */
  readonly example: JsonObject;
};
