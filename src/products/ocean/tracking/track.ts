/** Starts, reads, lists, rechecks and stops tracked shipments (spec 4.2). */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { ReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import * as store from "../../../freight/tracking/store/shipments.ts";
import * as reads from "../../../freight/tracking/store/shipments-read.ts";
import { billPrefixes, type Carrier } from "../sources/carriers.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { readReference } from "../../../freight/references/reference.ts";
import { readScac, SCAC_FORM } from "../../../freight/references/owner-codes.ts";
import { readFilter, type FilterInput, type ReadFilter } from "./shipment-filter.ts";
import type { ShipmentDetail, ShipmentView } from "./container-schema.ts";
import { shipmentDetail, shipmentView } from "./shipment-view.ts";

export type TrackPorts = Pick<NodeContext, "clock"> & {
  readonly database: Connection;
  readonly index: Pick<ReferenceIndex, "add" | "cellsOf">;
  readonly random: Pick<NodeContext["random"], "uuid">;
  readonly carriers: readonly Carrier[];
  /** `poller.wake`: a shipment of the cell is due. */
  readonly wake: (cell: Cell) => void;
};

export type StartedTracking =
  /** `created` is false if the account already tracks this reference. */
  | { readonly kind: "tracked"; readonly created: boolean; readonly shipment: ShipmentView }
  | {
      readonly kind: "refused";
      readonly code: "INVALID_REFERENCE" | "INVALID_REQUEST";
      readonly message: string;
    };

/** The first poll follows at once. */
export async function startTracking(
  ports: TrackPorts,
  cell: Cell,
  input: { readonly accountId: string; readonly reference: string; readonly carrier?: string },
): Promise<StartedTracking> {
  const named = input.carrier?.trim() ?? "";
  const hint = readScac(named);
  if (named !== "" && hint === null) {
    return { kind: "refused", code: "INVALID_REQUEST", message: `carrier must be ${SCAC_FORM}` };
  }
  const read = readReference(input.reference, [
    ...billPrefixes(ports.carriers),
    ...(hint?.length === 4 ? [hint] : []),
  ]);
  if (read.kind === "invalid") return { kind: "refused", code: "INVALID_REFERENCE", message: read.message };
  await ports.index.add(cell, OCEAN_PRODUCT, [read.text]);
  const atMs = ports.clock.nowMs();
  const { created, shipment } = await store.insertOrGetShipment(ports.database, cell, {
    id: ports.random.uuid(atMs),
    product: OCEAN_PRODUCT,
    accountId: input.accountId,
    reference: read.text,
    identifierType: read.type,
    carrierHint: hint,
    atMs,
    source: "",
    isUrgent: false,
  });
  if (created) ports.wake(cell);
  return { kind: "tracked", created, shipment: shipmentView(shipment) };
}

/** Polls a shipment now (spec 4.2: recheck). False: the account has no such shipment. */
export async function recheck(
  ports: Pick<TrackPorts, "database" | "wake">,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<boolean> {
  const queued = await store.recheckShipment(ports.database, cell, ownerOf(accountId), id);
  if (queued) ports.wake(cell);
  return queued;
}

/** Deletes a shipment; events already raised are still delivered. False: the account has no such shipment. */
export function stopTracking(
  { database }: Pick<TrackPorts, "database">,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<boolean> {
  return store.deleteShipment(database, cell, ownerOf(accountId), id);
}

/** Null: the account has no such shipment. `id` is a UUID. */
export async function getShipment(
  { database, clock }: Pick<TrackPorts, "database" | "clock">,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<ShipmentDetail | null> {
  const shipment = await reads.getShipment(database, cell, ownerOf(accountId), id);
  return shipment === null ? null : shipmentDetail(shipment, clock.nowMs());
}

export type ListInput = FilterInput & { readonly limit: number; readonly afterId?: string | null };

export type ListedShipments =
  | {
      readonly kind: "page";
      readonly shipments: readonly ShipmentView[];
      /** The next page's `afterId`; null at the end. */
      readonly nextAfterId: string | null;
    }
  | Extract<ReadFilter, { kind: "invalid" }>;

/** Newest first. A shipment is listed if it passes all filters. */
export async function listShipments(
  { database, carriers }: Pick<TrackPorts, "database" | "carriers">,
  cell: Cell,
  accountId: string,
  wanted: ListInput,
): Promise<ListedShipments> {
  const read = readFilter(wanted, billPrefixes(carriers));
  if (read.kind === "invalid") return read;
  const { limit, afterId = null } = wanted;
  const page = { afterId, limit: limit + 1 };
  const found = await reads.listShipments(database, cell, ownerOf(accountId), read.filter, page);
  const shown = found.slice(0, limit);
  return {
    kind: "page",
    shipments: shown.map(shipmentView),
    nextAfterId: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

function ownerOf(accountId: string): store.ShipmentOwner {
  return { product: OCEAN_PRODUCT, accountId };
}
