/**
 * Tracks waybills for clients (spec 4.3: track).
 *
 *     request ─▶ tracked, fresh ─────────────────────────────────▶ answer
 *          ├───▶ tracked, stale ─▶ due before all others ─▶ wait ─▶ answer
 *          └───▶ new ─▶ stored, due before all others ─▶ wait ────▶ answer
 *
 * The wait ends with the poll or after its time; the answer is the state so far.
 */
import { sleep } from "../../../runtime/sleep.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { ReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import {
  deleteShipment,
  hasTooManyUnresolved,
  insertOrGetShipment,
  recheckShipment,
  type ShipmentOwner,
} from "../../../freight/tracking/store/shipments.ts";
import type { DetailedShipment } from "../../../freight/tracking/store/shipments-read.ts";
import type { Poller } from "../../../freight/polling/poller.ts";
import { isUrgent } from "../../../freight/polling/store/polls.ts";
import { AIR_PRODUCT, sourceQueueOf } from "../air-product.ts";
import { configuredAirline, type Airline } from "../sources/airlines/airlines-file.ts";
import { knownAirline } from "../../../freight/references/awb-prefixes.ts";
import type { Awb } from "../../../freight/references/awb.ts";
import type { AirlineClient } from "../sources/airline-client.ts";
import { isPolled } from "../polling/poll-waybill.ts";
import { readWaybillRecord } from "../record/waybill-record.ts";
import { isSilent, waybillView, type AirlineNames, type WaybillView } from "./waybill-view.ts";
import { shipmentGetByReference } from "../../../freight/tracking/store/shipments.sql.ts";

export const TRACK_DEFAULTS = {
  /** How long a client waits for the first poll of a waybill. */
  firstWaitMsMax: 5_000,
  /** How long a client waits for a refresh. */
  refreshWaitMsMax: 3_000,
  /** A record refreshed longer ago is stale. */
  freshMs: 5 * MINUTE_MS,
  /** Clients that wait at the same time; the others get the state so far. */
  waitingMax: 256,
  /** Waybills of an account that no airline knows. */
  unresolvedMax: 2_000,
};

export type TrackSettings = Readonly<typeof TRACK_DEFAULTS>;

type AirTrackPorts = Pick<NodeContext, "database" | "clock" | "random"> &
  Pick<Poller, "wake"> & {
    readonly index: Pick<ReferenceIndex, "add">;
    readonly airlines: readonly Airline[];
    readonly client: Pick<AirlineClient, "isBreakerOpen">;
  };

export type TrackResult =
  | { readonly kind: "waybill"; readonly waybill: WaybillView }
  /** The prefix belongs to no known airline. */
  | { readonly kind: "unknown_airline" }
  /** The airline is known and not configured. */
  | { readonly kind: "not_configured"; readonly airline: AirlineNames }
  /** Its account has as many waybills that no airline knows as it may. */
  | { readonly kind: "limit" }
  /** The airline does not know the waybill yet. */
  | { readonly kind: "not_found"; readonly airline: AirlineNames }
  /** The airline does not answer, and nothing is known so far. */
  | { readonly kind: "unavailable"; readonly airline: AirlineNames; readonly retryAfterMs: number };

/** Reads a waybill, and starts tracking one that is new to the account. */
export type TrackAwb = (cell: Cell, accountId: string, awb: Awb) => Promise<TrackResult>;

export function createAwbTracking(ports: AirTrackPorts, settings: TrackSettings = TRACK_DEFAULTS): TrackAwb {
  const { database, airlines, clock, wake } = ports;
  let waiting = 0;

  const pollAndRead = async (
    prefix: string,
    read: ReadShipment,
    waitMsMax: number,
  ): Promise<DetailedShipment | null> => {
    // No answer comes from an airline whose breaker is open.
    if (waiting >= settings.waitingMax || ports.client.isBreakerOpen(prefix)) return read();
    waiting += 1;
    try {
      return await waitForPoll(clock, read, waitMsMax);
    } finally {
      waiting -= 1;
    }
  };

  const isFull = (cell: Cell, owner: ShipmentOwner): Promise<boolean> =>
    hasTooManyUnresolved(database, cell, owner, settings.unresolvedMax, clock.nowMs());

  return async (cell, accountId, { awb, prefix }) => {
    const configured = configuredAirline(airlines, prefix);
    const airline = configured ?? knownAirline(prefix);
    const owner = { product: AIR_PRODUCT, accountId };
    const read: ReadShipment = () => shipmentGetByReference(database, cell, { ...owner, reference: awb });
    let shipment = await read();
    if (configured !== null && (shipment === null || shouldPollNow(shipment, configured, ports, settings))) {
      if (shipment === null && (await isFull(cell, owner))) return { kind: "limit" };
      const isFirst = shipment === null || shipment.record === null;
      if (shipment === null) await startTracking(ports, cell, accountId, { awb, prefix });
      else if (!isUrgent(shipment)) await recheckShipment(database, cell, owner, shipment.id);
      wake(cell);
      const waitMsMax = isFirst ? settings.firstWaitMsMax : settings.refreshWaitMsMax;
      shipment = await pollAndRead(prefix, read, waitMsMax);
    }
    return resultOf(ports, { awb, prefix }, airline, configured !== null, shipment);
  };
}

/** Events already raised are still delivered. False: the account does not track the waybill. */
export async function stopTrackingAwb(
  database: Connection,
  cell: Cell,
  accountId: string,
  { awb }: Awb,
): Promise<boolean> {
  const owner = { product: AIR_PRODUCT, accountId };
  const shipment = await shipmentGetByReference(database, cell, { ...owner, reference: awb });
  return shipment !== null && deleteShipment(database, cell, owner, shipment.id);
}

type ReadShipment = () => Promise<DetailedShipment | null>;

async function startTracking(
  { database, index, clock, random }: AirTrackPorts,
  cell: Cell,
  accountId: string,
  { awb, prefix }: Awb,
): Promise<void> {
  await index.add(cell, AIR_PRODUCT, [awb]);
  const atMs = clock.nowMs();
  await insertOrGetShipment(database, cell, {
    id: random.uuid(atMs),
    product: AIR_PRODUCT,
    accountId,
    reference: awb,
    identifierType: null,
    carrierHint: null,
    atMs,
    source: sourceQueueOf(prefix),
    isUrgent: true,
  });
}

/** Whether to poll now. A failed poll is retried at its own time: clients do not add load to an airline that is down. */
function shouldPollNow(
  shipment: DetailedShipment,
  configured: Airline,
  { clock }: AirTrackPorts,
  { freshMs }: TrackSettings,
): boolean {
  const { refreshedAt, failure, nextPollAt, status } = shipment;
  if (isUrgent(shipment)) return true;
  if (!isPolled(configured)) return false;
  if (failure !== null && failure !== NOT_FOUND) return false;
  if (nextPollAt === null && status === "delivered") return false;
  return refreshedAt === null || clock.nowMs() - refreshedAt.getTime() >= freshMs;
}

const NOT_FOUND = "not_found";

/** Between two reads while a client waits; the last one repeats. */
const READ_INTERVALS_MS = [20, 30, 50, 100, 150, 250];

/** Reads until the poll has ended or the wait is over. */
async function waitForPoll(
  clock: Clock,
  read: ReadShipment,
  waitMsMax: number,
): Promise<DetailedShipment | null> {
  const endMs = clock.monotonicMs() + waitMsMax;
  for (let attempt = 0; ; attempt += 1) {
    const shipment = await read();
    const leftMs = endMs - clock.monotonicMs();
    if (shipment === null || !isUrgent(shipment) || leftMs <= 0) return shipment;
    const waitMs = Math.min(leftMs, READ_INTERVALS_MS[attempt] ?? READ_INTERVALS_MS.at(-1)!);
    await sleep(clock, waitMs);
  }
}

function resultOf(
  ports: AirTrackPorts,
  { awb, prefix }: Awb,
  airline: AirlineNames | null,
  isConfigured: boolean,
  shipment: DetailedShipment | null,
): TrackResult {
  const record = shipment === null || shipment.record === null ? null : readWaybillRecord(shipment.record);
  const waybill = { kind: "waybill", waybill: waybillView(awb, airline, record) } as const;
  if (record !== null && record.said.length > 0) return waybill;
  if (airline === null) return { kind: "unknown_airline" };
  if (!isConfigured) return { kind: "not_configured", airline };
  const failure = shipment?.failure ?? null;
  if (failure === NOT_FOUND) return { kind: "not_found", airline };
  if (failure !== null) return { kind: "unavailable", airline, retryAfterMs: retryAfterMs(ports, shipment) };
  if (record === null && ports.client.isBreakerOpen(prefix)) {
    return { kind: "unavailable", airline, retryAfterMs: RETRY_AFTER_MS_DEFAULT };
  }
  // An airline that only pushes has not spoken yet.
  return record === null || isSilent(record)
    ? { kind: "waybill", waybill: waybillView(awb, airline, null) }
    : waybill;
}

/** If no poll is scheduled. */
const RETRY_AFTER_MS_DEFAULT = 30_000;
const RETRY_AFTER_MS_MAX = 10 * MINUTE_MS;

/** Until the next poll. */
function retryAfterMs({ clock }: AirTrackPorts, shipment: DetailedShipment | null): number {
  const nextMs = shipment?.nextPollAt?.getTime() ?? 0;
  const waitMs = nextMs - clock.nowMs();
  return waitMs > 0 ? Math.min(waitMs, RETRY_AFTER_MS_MAX) : RETRY_AFTER_MS_DEFAULT;
}
