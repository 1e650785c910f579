/** What clients do with tracked shipments (spec 4.2), ready for thin routes. */
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import * as store from "../../store/shipments.ts";
import * as reads from "../../store/shipments-read.ts";
import type { CarrierEvent, Place } from "./carrier-event.ts";
import { billPrefixes, type Carrier } from "./carriers.ts";
import { companionTimes } from "./changes.ts";
import type { ShipmentRecord } from "./record.ts";
import { readReference } from "./reference.ts";

export type TrackPorts = {
  readonly database: Connection;
  readonly carriers: readonly Carrier[];
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid">;
  /** Tells the poller that something is due; `poller.wake`. */
  readonly wake: () => void;
};

/** The fields of spec 2.5, and what lists show beside them. */
export type ShipmentView = {
  readonly id: string;
  readonly reference: string;
  readonly identifier_type: string | null;
  /** The SCAC of the carrier found, until then the client's hint, else empty. */
  readonly carrier: string;
  /** `pending` until a carrier has answered, then a container status. */
  readonly status: string;
  readonly eta: string | null;
  readonly created_at: string;
};

export type ShipmentDetail = ShipmentView & {
  readonly container: string | null;
  readonly vessel: {
    readonly name: string | null;
    readonly imo: string | null;
    readonly voyage: string | null;
  } | null;
  readonly origin: PlaceView | null;
  readonly discharge: PlaceView | null;
  readonly destination: PlaceView | null;
  /** Why the last look had no answer: `not_found`, `not_permitted`, `unavailable_…`. */
  readonly last_failure: string | null;
  readonly refreshed_at: string | null;
  readonly events: readonly object[];
};

type PlaceView = { readonly unlocode: string | null; readonly name: string | null };

export type StartedTracking =
  /** `created` is false when the account tracks this reference already: 200 instead of 201. */
  | { readonly kind: "tracked"; readonly created: boolean; readonly shipment: ShipmentView }
  | {
      readonly kind: "refused";
      readonly code: "INVALID_REFERENCE" | "INVALID_REQUEST";
      readonly message: string;
    };

/** A client's carrier hint: a SCAC in any case. */
const SCAC = /^[A-Z]{2,4}$/;

/** Starts tracking a reference for an account; the first look follows at once. */
export async function startTracking(
  ports: TrackPorts,
  cell: Cell,
  input: { readonly accountId: string; readonly reference: string; readonly carrier?: string },
): Promise<StartedTracking> {
  const hint = input.carrier?.trim().toUpperCase() ?? "";
  if (hint !== "" && !SCAC.test(hint)) {
    return { kind: "refused", code: "INVALID_REQUEST", message: "carrier is a SCAC: two to four letters" };
  }
  const read = readReference(input.reference, [
    ...billPrefixes(ports.carriers),
    ...(hint.length === 4 ? [hint] : []),
  ]);
  if (read.kind === "invalid") return { kind: "refused", code: "INVALID_REFERENCE", message: read.message };
  const atMs = ports.clock.nowMs();
  const { created, shipment } = await store.insertOrGetShipment(ports.database, cell, {
    id: ports.random.uuid(atMs),
    accountId: input.accountId,
    reference: read.text,
    identifierType: read.type,
    carrierHint: hint === "" ? null : hint,
    atMs,
  });
  if (created) ports.wake();
  return { kind: "tracked", created, shipment: view(shipment) };
}

/** Has a shipment looked at now (spec 4.2 recheck). False: the account has no such shipment. */
export async function recheck(
  ports: TrackPorts,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<boolean> {
  const queued = await store.recheckShipment(ports.database, cell, accountId, id);
  if (queued) ports.wake();
  return queued;
}

/** Null: the account has no such shipment. `id` is a UUID. */
export async function getShipment(
  ports: TrackPorts,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<ShipmentDetail | null> {
  const shipment = await reads.getShipment(ports.database, cell, accountId, id);
  return shipment === null ? null : detail(shipment);
}

export type ShipmentPage = {
  readonly shipments: readonly ShipmentView[];
  /** The id to go on from; null at the end. */
  readonly nextAfterId: string | null;
};

/** An account's shipments, newest first. */
export async function listShipments(
  ports: TrackPorts,
  cell: Cell,
  accountId: string,
  page: { readonly limit: number; readonly afterId?: string },
): Promise<ShipmentPage> {
  const found = await reads.listShipments(
    ports.database,
    cell,
    accountId,
    { reference: null, carrier: null, statuses: null },
    { afterId: page.afterId ?? null, limit: page.limit + 1 },
  );
  const shown = found.slice(0, page.limit);
  return {
    shipments: shown.map(view),
    nextAfterId: found.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

function view(shipment: reads.StoredShipment): ShipmentView {
  return {
    id: shipment.id,
    reference: shipment.reference,
    identifier_type: shipment.identifierType,
    carrier: shipment.carrier ?? shipment.carrierHint ?? "",
    status: shipment.status,
    eta: shipment.eta?.toISOString() ?? null,
    created_at: shipment.createdAt.toISOString(),
  };
}

function detail(shipment: reads.DetailedShipment): ShipmentDetail {
  const record = shipment.record === null ? null : (JSON.parse(shipment.record) as ShipmentRecord);
  return {
    ...view(shipment),
    container: record?.equipment ?? null,
    vessel: record?.vessel ? { ...record.vessel, voyage: record.voyage } : null,
    origin: placeView(record?.origin ?? null),
    discharge: placeView(record?.discharge ?? null),
    destination: placeView(record?.destination ?? null),
    last_failure: shipment.failure,
    refreshed_at: shipment.refreshedAt?.toISOString() ?? null,
    events: record?.timeline.map(eventView) ?? [],
  };
}

function placeView(place: Place | null): PlaceView | null {
  return place === null ? null : { unlocode: place.unlocode, name: place.name };
}

function eventView(event: CarrierEvent): object {
  return {
    kind: event.kind,
    code: event.code,
    classifier: event.classifier,
    ...companionTimes(event.at),
    place: placeView(event.place),
    mode: event.mode,
    vessel: event.vessel,
    voyage: event.voyage,
    laden: event.laden,
    document_type: event.documentType,
  };
}
