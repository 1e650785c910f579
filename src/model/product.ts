import type { TObject, TSchema } from "typebox";

/**
 * One product of the family, as data (spec 1: products, differences). All that differs between products is
 * here; the engine, the store and the routes know none of them by name.
 */
export type Product = {
  /** The tag, which is the first segment of the base address as well: `tracking`, `air` … */
  readonly tag: string;
  readonly title: string;
  /** `Tracking` in `X-Tracking-Signature` and `User-Agent: Tracking-Webhooks/1` (spec 5.1). */
  readonly headerTag: string;
  /** The prefixes of keys that the product accepts, without the underscore (spec 5: prefixes). */
  readonly keyPrefixes: readonly string[];
  /** What registering and testing require (spec 4.1: register_entitlement), null where nothing is metered. */
  readonly entitlement: string | null;
  /** `{ok, data}` and codes in upper case, or `{data}` and lower case (spec 4.1: envelope_ok, envelope_data). */
  readonly envelope: "ok-and-data" | "data-only";
  /** API versions, oldest first; empty where the product's answers carry none (spec 9: api_version). */
  readonly versions: readonly string[];
  /**
   * The specification does not give the events' data (spec 6.4): what Boathook raises itself has the shape that the
   * catalogue says, and what an operator raises may be any object.
   */
  readonly arePayloadsOpen?: true;
  readonly catalogue: readonly EventType[];
};

/** One name of a product's catalogue (spec 6.2). */
export type EventType = {
  readonly name: string;
  readonly description: string;
  /** False: received with an empty subscription only (`shipment_updated`). */
  readonly subscribable: boolean;
  /** False: accepted in a subscription and never raised (`awb_departed`). */
  readonly raised: boolean;
  /** The shape of `data`, additional properties allowed (spec 2.4). */
  readonly data: TObject | TSchema;
};
