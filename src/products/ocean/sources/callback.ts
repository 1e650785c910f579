/**
 * A carrier's callback makes the shipments that it names due now. Its events are not ingested: a callback may come
 * twice, late or out of order, and is partial. The answer to the poll is complete.
 */
import { readJson } from "../../../model/json.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { makeDueByReference, makeDueByVessel } from "../../../freight/tracking/store/shipments-due.ts";
import { billForms, billPrefixes, type Carrier } from "./carriers.ts";
import { hasValidSignature, referencesIn, vesselsIn } from "./dcsa/notification.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { spellingWith } from "../../../freight/dcsa/spelling.ts";

export type CallbackPorts = {
  readonly database: Connection;
  readonly cells: readonly Cell[];
  readonly carriers: readonly Carrier[];
  /** Wakes the poller. */
  readonly wake: () => void;
};

export type CarrierCallbacks = ReturnType<typeof createCarrierCallbacks>;

export type CallbackOutcome =
  /** `due`: the number of shipments made due. */
  | { readonly kind: "accepted"; readonly due: number }
  /** No carrier of that name sends callbacks here. */
  | { readonly kind: "unknown" }
  | { readonly kind: "unsigned" }
  /** Signed, but not readable: see `message`. */
  | { readonly kind: "unreadable"; readonly message: string };

export function createCarrierCallbacks({ database, cells, carriers, wake }: CallbackPorts) {
  const senders = new Map(
    carriers.flatMap((carrier) =>
      carrier.callbackSecrets === undefined
        ? []
        : [[carrier.scac, { ...carrier, secrets: carrier.callbackSecrets }] as const],
    ),
  );
  const prefixes = billPrefixes(carriers);
  return {
    /** The standard of a carrier's callbacks; null: they are not accepted. */
    apiOf: (scac: string): Carrier["api"] | null => senders.get(scac)?.api ?? null,
    async handle(scac: string, signature: string | undefined, body: Buffer): Promise<CallbackOutcome> {
      const sender = senders.get(scac);
      if (sender === undefined) return { kind: "unknown" };
      if (!hasValidSignature(signature, body, sender.secrets)) return { kind: "unsigned" };
      const reading = readJson(body);
      if (!reading.ok) return { kind: "unreadable", message: reading.message };
      const spelling = spellingWith(sender.spelling);
      const named = referencesIn(reading.value, spelling);
      if (named === null) return { kind: "unreadable", message: "the body holds no list of events" };
      // A client may have given a bill of lading in another form.
      const references = [...new Set(named.flatMap((one) => billForms(sender, one, prefixes)))];
      let due = 0;
      if (references.length > 0) {
        for (const cell of cells)
          due += await makeDueByReference(database, cell, OCEAN_PRODUCT, scac, references);
      }
      // If no transport document of a container is known, only the vessel ties it to its call.
      const vessels = due > 0 ? [] : vesselsIn(reading.value, spelling);
      if (vessels.length > 0) {
        for (const cell of cells) due += await makeDueByVessel(database, cell, OCEAN_PRODUCT, scac, vessels);
      }
      if (due > 0) wake();
      return { kind: "accepted", due };
    },
  };
}
