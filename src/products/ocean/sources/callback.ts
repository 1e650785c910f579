/**
 * A carrier's callback makes the shipments that it names due now. Its events are not ingested: a callback may come
 * twice, late or out of order, and is partial. The answer to the poll is complete.
 */
import type { Clock } from "../../../runtime/clock.ts";
import { SECOND_MS } from "../../../runtime/durations.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import { readJsonSteps } from "../../../model/json.ts";
import type { OnPushed } from "../../../operator/ports.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { inCells } from "../../../store/in-cells.ts";
import type { ReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import { vesselKey } from "../../../freight/reference-index/store/reference-index.ts";
import { billForms, billPrefixes, type Carrier } from "./carriers.ts";
import { EVENTS_MAX, hasValidSignature, referencesIn, vesselsIn } from "./dcsa/notification.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { spellingWith } from "../../../freight/dcsa/spelling.ts";
import {
  shipmentDueByReference,
  shipmentDueByVessel,
} from "../../../freight/tracking/store/shipments.sql.ts";
import { AT_ONCE } from "../../../freight/tracking/store/shipments.ts";

export type CallbackPorts = {
  readonly database: Connection;
  readonly index: Pick<ReferenceIndex, "cellsOf">;
  readonly clock: Clock;
  readonly carriers: readonly Carrier[];
  /** Wakes the poller for a cell. */
  readonly wake: (cell: Cell) => void;
  readonly onPushed?: OnPushed;
};

/** The name of a carrier's callbacks. */
export const callbacksOf = (scac: string): string => `ocean ${scac} callbacks`;

export type CarrierCallbacks = ReturnType<typeof createCarrierCallbacks>;

export type CallbackOutcome =
  /** `due`: the number of shipments made due. */
  | { readonly kind: "accepted"; readonly due: number }
  /** No carrier of that name sends callbacks here. */
  | { readonly kind: "unknown" }
  | { readonly kind: "unsigned" }
  /** Signed, but not readable: see `message`. */
  | { readonly kind: "unreadable"; readonly message: string };

export function createCarrierCallbacks(ports: CallbackPorts) {
  const { database, carriers } = ports;
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
      const note = (message: string | null): void =>
        ports.onPushed?.(callbacksOf(scac), {
          subject: null,
          isRead: message === null,
          problems: message === null ? [] : [message],
        });
      const unreadable = (message: string): CallbackOutcome => {
        note(message);
        return { kind: "unreadable", message };
      };
      const reading = await runInSlices(readJsonSteps(body), ports.clock);
      if (!reading.ok) return unreadable(reading.message);
      const spelling = spellingWith(sender.spelling);
      const read = referencesIn(reading.value, spelling);
      if (read === null) return unreadable("the body holds no list of events");
      if (read === "too_many") return unreadable(`the body has more than ${EVENTS_MAX} events`);
      note(null);
      // A client may have given a bill of lading in another form.
      const references = [...new Set(read.flatMap((one) => billForms(sender, one, prefixes)))];
      const of = { product: OCEAN_PRODUCT, carrier: scac, atOnce: AT_ONCE };
      const named = await makeDue(ports, references, (cell) =>
        shipmentDueByReference(database, cell, { ...of, references }),
      );
      // If no transport document of a container is known, only the vessel ties it to its call.
      const vessels = named.due > 0 ? [] : vesselsIn(reading.value, spelling);
      const aboard = await makeDue(ports, vessels.map(vesselKey), (cell) =>
        shipmentDueByVessel(database, cell, { ...of, imos: vessels, aboardMax: ABOARD_MAX }),
      );
      const due = named.due + aboard.due;
      const failures = [...named.failures, ...aboard.failures];
      // The carrier sends it again.
      const [failure] = failures;
      if (failure !== undefined) throw failure;
      return { kind: "accepted", due };
    },
  };
}

/** Shipments that one callback makes due by their vessel; the largest ships carry some 10,000 boxes of all lines. */
const ABOARD_MAX = 1_000;

/** A cell that takes longer has failed. */
const CELL_MS_MAX = 5 * SECOND_MS;

/** In the cells that may track one of the keys. */
async function makeDue(
  { index, clock, wake }: CallbackPorts,
  keys: readonly string[],
  makeDueIn: (cell: Cell) => Promise<readonly unknown[]>,
): Promise<{ readonly due: number; readonly failures: readonly Error[] }> {
  if (keys.length === 0) return { due: 0, failures: [] };
  const cells = await index.cellsOf(OCEAN_PRODUCT, keys);
  const { answers, failures } = await inCells(clock, cells, CELL_MS_MAX, async (cell) => {
    const due = await makeDueIn(cell);
    if (due.length > 0) wake(cell);
    return due.length;
  });
  return { due: answers.reduce((sum, count) => sum + count, 0), failures };
}
