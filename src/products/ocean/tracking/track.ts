/** Starts, reads, lists, rechecks and stops tracked shipments (spec 4.2). */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { ReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import * as store from "../../../freight/tracking/store/shipments.ts";
import * as reads from "../../../freight/tracking/store/shipments-read.ts";
import { billPrefixes, type Carrier } from "../sources/carriers.ts";
import type { GivenReferences } from "../sources/known-references.ts";
import { KINDS } from "../sources/question-schema.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { readReference, type IdentifierType, type Reference } from "../../../freight/references/reference.ts";
import { readScac, SCAC_FORM } from "../../../freight/references/owner-codes.ts";
import type { PositionView, ShipmentDetail, ShipmentView } from "./container-schema.ts";
import { readVesselPositions } from "../store/vessels.ts";
import { imoOf, positionsIn, positionViews } from "./position-view.ts";
import { shipmentDetail, shipmentView } from "./shipment-view.ts";
import {
  shipmentGet,
  shipmentGetByReference,
  shipmentGiveReferences,
  shipmentPositions,
} from "../../../freight/tracking/store/shipments.sql.ts";

export type TrackPorts = Pick<NodeContext, "clock"> & {
  readonly database: Connection;
  readonly index: Pick<ReferenceIndex, "add" | "cellsOf">;
  readonly random: Pick<NodeContext["random"], "uuid">;
  readonly carriers: readonly Carrier[];
  readonly unresolvedMax: number;
  /** `poller.wake`: a shipment of the cell is due. */
  readonly wake: (cell: Cell) => void;
};

/** With the cell that knows of vessels. */
export type ReadPorts = TrackPorts & { readonly directory: Cell };

export type StartedTracking =
  /** `created` is false if the account already tracks this reference. */
  | { readonly kind: "tracked"; readonly created: boolean; readonly shipment: ShipmentView }
  | {
      readonly kind: "refused";
      readonly code: "INVALID_REFERENCE" | "INVALID_REQUEST" | "REFERENCE_LIMIT";
      readonly message: string;
    };

/** The first poll follows at once. */
export async function startTracking(
  ports: TrackPorts,
  cell: Cell,
  input: {
    readonly accountId: string;
    readonly reference: string;
    readonly carrier?: string;
    readonly other_references?: GivenReferences;
  },
): Promise<StartedTracking> {
  const named = input.carrier?.trim() ?? "";
  const hint = readScac(named);
  if (named !== "" && hint === null) {
    return { kind: "refused", code: "INVALID_REQUEST", message: `carrier must be ${SCAC_FORM}` };
  }
  const prefixes = [...billPrefixes(ports.carriers), ...(hint?.length === 4 ? [hint] : [])];
  const read = readReference(input.reference, prefixes);
  if (read.kind === "invalid") return { kind: "refused", code: "INVALID_REFERENCE", message: read.message };
  const others = readOtherReferences(input.other_references ?? {}, read, prefixes);
  if (others.kind === "refused") return others;
  const { database, unresolvedMax } = ports;
  const owner = ownerOf(input.accountId);
  const atMs = ports.clock.nowMs();
  if (await store.hasTooManyUnresolved(database, cell, owner, unresolvedMax, atMs)) {
    const tracked = await shipmentGetByReference(database, cell, { ...owner, reference: read.text });
    if (tracked !== null) return again(ports, cell, owner, others.given, tracked);
    return { kind: "refused", code: "REFERENCE_LIMIT", message: limitMessage(unresolvedMax) };
  }
  await ports.index.add(cell, OCEAN_PRODUCT, [read.text]);
  const { created, shipment } = await store.insertOrGetShipment(database, cell, {
    id: ports.random.uuid(atMs),
    ...owner,
    reference: read.text,
    identifierType: read.type,
    carrierHint: hint,
    atMs,
    source: "",
    isUrgent: false,
    given: others.given,
  });
  if (!created) return again(ports, cell, owner, others.given, shipment);
  ports.wake(cell);
  return { kind: "tracked", created, shipment: shipmentView(shipment) };
}

/** The account tracks it already, and may say more of it. */
async function again(
  { database, wake }: TrackPorts,
  cell: Cell,
  owner: store.ShipmentOwner,
  given: string | null,
  shipment: reads.StoredShipment,
): Promise<StartedTracking> {
  if (given !== null) {
    const said = { ...owner, reference: shipment.reference, given, atOnce: store.AT_ONCE };
    if ((await shipmentGiveReferences(database, cell, said)).length > 0) wake(cell);
  }
  return { kind: "tracked", created: false, shipment: shipmentView(shipment) };
}

type OtherReferences =
  | { readonly kind: "given"; readonly given: string | null }
  | Extract<StartedTracking, { kind: "refused" }>;

/** Normalised, as they are stored. */
function readOtherReferences(
  sent: GivenReferences,
  { text, type }: Reference,
  prefixes: readonly string[],
): OtherReferences {
  const given: Partial<Record<IdentifierType, string>> = {};
  for (const kind of KINDS) {
    const written = sent[kind];
    if (written === undefined) continue;
    const refused = (message: string): OtherReferences => ({
      ...{ kind: "refused", code: "INVALID_REFERENCE" },
      message: `other_references.${kind}: ${message}`,
    });
    const read = readReference(written, prefixes);
    if (read.kind === "invalid") return refused(read.message);
    if ((read.type === "container_id") !== (kind === "container_id"))
      return refused(kind === "container_id" ? "is no container number" : "is a container number");
    if (type === kind && read.text !== text) return refused("reference is one already; leave it out");
    if (type !== kind) given[kind] = read.text;
  }
  const isNone = Object.keys(given).length === 0;
  return { kind: "given", given: isNone ? null : JSON.stringify(given) };
}

function limitMessage(unresolvedMax: number): string {
  return `no carrier knows ${unresolvedMax} of your references yet; wait for answers, or stop tracking some`;
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

/** Null: the account has no such shipment. `id` is a UUID; without a directory, nobody knows where vessels are. */
export async function getShipment(
  {
    database,
    directory,
    clock,
  }: Pick<TrackPorts, "database" | "clock"> & Partial<Pick<ReadPorts, "directory">>,
  cell: Cell,
  accountId: string,
  id: string,
): Promise<ShipmentDetail | null> {
  const shipment = await shipmentGet(database, cell, { ...ownerOf(accountId), id });
  if (shipment === null) return null;
  const imos = shipment.vessels ?? [];
  const vessels = directory === undefined ? undefined : await readVesselPositions(database, directory, imos);
  return shipmentDetail(shipment, clock.nowMs(), vessels);
}

/** Where an account's containers are, by vessel and place: those with the most containers first. */
export async function listPositions(
  { database, directory }: Pick<ReadPorts, "database" | "directory">,
  cell: Cell,
  accountId: string,
): Promise<readonly PositionView[]> {
  const rows = await shipmentPositions(database, cell, { ...ownerOf(accountId), ...reads.MAP_BOUNDS });
  const found = positionsIn(rows);
  const imos = found.flatMap(({ position }) => imoOf(position) ?? []);
  return positionViews(found, await readVesselPositions(database, directory, imos));
}

export function ownerOf(accountId: string): store.ShipmentOwner {
  return { product: OCEAN_PRODUCT, accountId };
}
