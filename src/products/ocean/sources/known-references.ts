/**
 * What is known of a shipment by other references than its own: some carriers can only be asked with two.
 *
 *     the request ─▶ imports, the latest first ─▶ the record, the latest event first
 */
import type { IdentifierType } from "../../../freight/references/reference.ts";
import { plainReference } from "../timeline/transport-documents.ts";
import type { ShipmentRecord } from "../record/shipment-record.ts";
import type { CarrierEvent } from "./carrier-event.ts";

/** Those to be tried first come first. */
export type KnownReferences = { readonly [type in IdentifierType]: readonly string[] };

export const NOTHING_KNOWN: KnownReferences = { container_id: [], bill_of_lading: [], booking: [] };

/** Of one shipment; rejects where the store does not answer. */
export type ReadKnownReferences = () => Promise<KnownReferences>;

/** One of each kind at most. */
export type GivenReferences = { readonly [type in IdentifierType]?: string };

/** Of each kind. */
const KNOWN_MAX = 500;

export function knownReferences(
  given: GivenReferences,
  imported: readonly CarrierEvent[],
  record: ShipmentRecord | null,
): KnownReferences {
  const stated = [
    ...imported.toSorted((one, other) => (other.createdAtMs ?? 0) - (one.createdAtMs ?? 0)),
    ...(record?.boxes ?? []).flatMap(({ timeline }) => timeline.toReversed()),
  ];
  const documents = stated.flatMap((event) => event.documents);
  const ofType = (...types: readonly string[]): readonly string[] =>
    documents.filter(({ type }) => types.includes(type)).map(({ value }) => plainReference(value));
  const boxes = [
    ...stated.map(({ equipment }) => equipment),
    ...(record?.boxes ?? []).map(({ equipment }) => equipment),
  ];
  return {
    container_id: firstOnes(
      given.container_id,
      boxes.filter((box) => box !== null),
    ),
    bill_of_lading: firstOnes(given.bill_of_lading, ofType("TRD")),
    booking: firstOnes(given.booking, ofType("BKG", "CBR")),
  };
}

function firstOnes(given: string | undefined, others: readonly string[]): readonly string[] {
  const all = new Set([...(given === undefined ? [] : [given]), ...others]);
  all.delete("");
  return [...all].slice(0, KNOWN_MAX);
}

/** As stored, JSON; null: nothing was given. */
export function readGiven(stored: string | null): GivenReferences {
  return stored === null ? {} : (JSON.parse(stored) as GivenReferences);
}
