/**
 * The public container lookup, without a key (spec 4.2: public_lookup).
 *
 * Guessing numbers should reveal little. The answer holds only what carriers show to anyone who knows the number,
 * without the terminal: nothing about who tracks the container, since when, or how often. A container that nobody
 * tracks, that no carrier has reported yet, or whose journey is long over is not found. Bills of lading and
 * bookings are between a shipper and a carrier: no lookup.
 */
import { SECOND_MS } from "../../../runtime/durations.ts";
import { inCells } from "../../../store/in-cells.ts";
import type { CarrierEvent, Place } from "../sources/carrier-event.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { leastAdvancedBox, readRecord } from "../record/record.ts";
import { readReference } from "../../../freight/references/reference.ts";
import { eventView, placeView, isoTime } from "./shipment-view.ts";
import type { PublicContainer } from "./container-schema.ts";
import type { TrackPorts } from "./track.ts";
import { shipmentLookup } from "../../../freight/tracking/store/shipments.sql.ts";

export type LookupResult =
  | { readonly kind: "found"; readonly container: PublicContainer }
  | { readonly kind: "unknown" }
  | { readonly kind: "invalid"; readonly message: string };

/** Of a popular number, an answer of so many cells is late enough. */
const CELLS_ASKED_MAX = 4;
const CELL_MS_MAX = 2 * SECOND_MS;

/** The latest answer of any account. Throws if only a cell that does not answer may know the container. */
export async function lookupContainer(
  { database, index, clock }: Pick<TrackPorts, "database" | "index" | "clock">,
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
  const cells = [...(await index.cellsOf(OCEAN_PRODUCT, [read.text]))];
  let failure: Error | undefined;
  while (cells.length > 0) {
    const asked = cells.splice(0, CELLS_ASKED_MAX);
    const { answers, failures } = await inCells(clock, asked, CELL_MS_MAX, (cell) =>
      shipmentLookup(database, cell, { reference: read.text, product: OCEAN_PRODUCT }),
    );
    failure ??= failures[0];
    const [latest] = answers
      .flatMap((one) => one ?? [])
      .toSorted((one, other) => other.refreshedAt.getTime() - one.refreshedAt.getTime());
    if (latest !== undefined) return { kind: "found", container: publicContainer(read.text, latest.record) };
  }
  if (failure !== undefined) throw failure;
  return { kind: "unknown" };
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

function publicEvent(event: CarrierEvent): PublicContainer["last_event"] {
  const { equipment_reference: _1, kind: _2, classifier: _3, document_type: _4, ...shown } = eventView(event);
  return { ...shown, place: publicPlace(event.place) };
}

function publicPlace(place: Place | null): PublicContainer["origin"] {
  const shown = placeView(place);
  if (shown === null) return null;
  const { unlocode, name, time_zone } = shown;
  return { unlocode, name, time_zone };
}
