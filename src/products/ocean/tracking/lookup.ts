/**
 * What anybody is told of a container without a key (spec 5, public container look-up).
 *
 * Whoever guesses numbers should learn little by it. So the answer is made only from what the carrier
 * says, and is what carriers show to anybody who knows the number, less the terminal that a box stands
 * in: nothing of who tracks it, since when, or how often. A container that nobody tracks, that no carrier
 * has told of yet, or whose journey is long over looks the same: not found. Bills of lading and bookings
 * are between a shipper and a carrier, and are not looked up at all.
 */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { lookupReference } from "../../../freight/tracking/store/shipments-read.ts";
import type { CarrierEvent, Place, Vessel } from "../sources/carrier-event.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { leastAdvancedBox, readRecord } from "../record/record.ts";
import { readReference } from "../../../freight/references/reference.ts";
import { isoTime } from "./shipment-view.ts";
import { eventView, placeView, type EventView, type PlaceView } from "./timeline-view.ts";

type PublicPlace = Omit<PlaceView, "facility">;

export type PublicContainer = {
  readonly reference: string;
  readonly carrier: string;
  readonly status: string;
  readonly origin: PublicPlace | null;
  readonly discharge: PublicPlace | null;
  readonly destination: PublicPlace | null;
  readonly transshipments: readonly PublicPlace[];
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  readonly eta: string | null;
  readonly eta_is_actual: boolean;
  /** What happened last to the box or its vessel. */
  readonly last_event: PublicEvent | null;
};

type PublicEvent = Omit<
  EventView,
  "equipment_reference" | "kind" | "classifier" | "document_type" | "place"
> & {
  readonly place: PublicPlace | null;
};

export type LookupResult =
  | { readonly kind: "found"; readonly container: PublicContainer }
  | { readonly kind: "unknown" }
  | { readonly kind: "invalid"; readonly message: string };

/** Of all that is tracked by anybody in any cell, what was learnt last. */
export async function lookupContainer(
  database: Connection,
  cells: readonly Cell[],
  sent: string,
): Promise<LookupResult> {
  const read = readReference(sent, []);
  if (read.kind === "invalid") return read;
  if (read.type !== "container_id") {
    return {
      kind: "invalid",
      message: "only container numbers are looked up without a key, such as MSCU1234566",
    };
  }
  const known = await Promise.all(
    cells.map((cell) => lookupReference(database, cell, OCEAN_PRODUCT, read.text)),
  );
  const [latest] = known
    .flatMap((one) => one ?? [])
    .toSorted((one, other) => other.refreshedAt.getTime() - one.refreshedAt.getTime());
  if (latest === undefined) return { kind: "unknown" };
  return { kind: "found", container: publicContainer(read.text, latest.record) };
}

function publicContainer(reference: string, stored: string): PublicContainer {
  const record = readRecord(stored);
  const box = leastAdvancedBox(record);
  const last = box.timeline.findLast((event) => event.classifier === "actual" && event.kind !== "shipment");
  return {
    reference,
    carrier: record.carrier,
    status: box.status,
    origin: publicPlace(box.origin),
    discharge: publicPlace(box.discharge),
    destination: publicPlace(box.destination),
    transshipments: box.transshipments.flatMap((place) => publicPlace(place) ?? []),
    vessel: box.vessel,
    voyage: box.voyage,
    eta: isoTime(box.eta?.at.ms ?? null),
    eta_is_actual: box.eta?.actual ?? false,
    last_event: last === undefined ? null : publicEvent(last),
  };
}

function publicEvent(event: CarrierEvent): PublicEvent {
  const { equipment_reference: _1, kind: _2, classifier: _3, document_type: _4, ...shown } = eventView(event);
  return { ...shown, place: publicPlace(event.place) };
}

function publicPlace(place: Place | null): PublicPlace | null {
  const shown = placeView(place);
  if (shown === null) return null;
  const { facility: _, ...rest } = shown;
  return rest;
}
