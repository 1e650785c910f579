import { buildDeliveryBody } from "../../model/delivery-body.ts";
import type { InFlightDelivery } from "../../model/delivery.ts";
import type { RaisedEvent, RaiseReceipt } from "../../model/event.ts";
import type { Target } from "../../model/endpoint.ts";
import { accountClosed } from "../../model/errors.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import {
  claimDedupKeys,
  insertRaised,
  type InsertResult,
  type RaiseBatch,
} from "../../store/deliveries/raising.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { createBatch, isCommitUnknown, type RowSize } from "../batch-writer.ts";
import { commit, type PendingWrite } from "./commit.ts";
import { absentFrom, receiversOf, type Route, type Routes } from "./routes.ts";
import type { EngineSettings } from "../settings.ts";
import type { DeliveryTraces } from "../traces.ts";

/**
 * Makes events durable (spec 3.1: raised). The events that all callers raise within a few milliseconds share one
 * statement; while it runs, the next batch gathers. A delivery that fits into this node's memory budget is
 * inserted as claimed by this node and goes straight to its endpoint queue after the commit; the others go
 * to the queue table.
 *
 *      raise ─▶ gathered ─▶ routed ─▶ inserted ─▶ answered; in flight, or in the queue table
 *                             ▲          │
 *                             └─ stale ◀─┘  an account's endpoints have changed, or this node was
 *                                           replaced: then all deliveries go to the queue table
 */
export type Raiser = ReturnType<typeof createRaiser>;

/** Events written in a transaction that has not ended yet. */
export type Uncommitted = PendingWrite & {
  readonly accepted: number;
  /** Events whose `dedupKey` had been used before. */
  readonly duplicates: ReadonlySet<RaisedEvent>;
  readonly deliveryIds: readonly string[];
  /** How many of them are each event's. */
  readonly made: ReadonlyMap<RaisedEvent, number>;
  /** When the deliveries were created. */
  readonly atMs: number;
};

export type RaiserPorts = Pick<NodeContext, "database" | "clock" | "random" | "log"> & {
  readonly cell: Cell;
  readonly routes: Routes;
  /** Reserves memory for one delivery: returns the number of the node that claims it, or null. */
  readonly reserve: (target: Target, deliveryId: string, bytes: number) => number | null;
  /** A delivery with a reservation is durable. */
  readonly enqueue: (delivery: InFlightDelivery) => void;
  /** A delivery with a reservation was not written, or (`unknown`) may have been. */
  readonly cancel: (delivery: InFlightDelivery, unknown: boolean) => void;
  /** Deliveries of these endpoints went to the queue table. */
  readonly onQueued: (endpointIds: readonly string[]) => void;
  /** The event is durable, and no endpoint gets it. */
  readonly onUnheard?: ((product: string) => void) | undefined;
  /** Resolves once the memory budget has free capacity, or after a bounded wait. */
  readonly waitForCapacity: () => Promise<void>;
  /** Inactive endpoints would have received so many events. */
  readonly onMissed: (missed: ReadonlyMap<string, number>) => void;
  readonly traces?: DeliveryTraces | undefined;
};

/** An account that changes faster than its route can be read is a fault. */
const ROUTE_READS_MAX = 20;

const NO_IDS: ReadonlyMap<RaisedEvent, string> = new Map();
const NONE: ReadonlySet<RaisedEvent> = new Set();

export function createRaiser(settings: EngineSettings, ports: RaiserPorts) {
  const share = (insert: (events: readonly RaisedEvent[]) => Promise<Uncommitted>) =>
    createBatch<readonly RaisedEvent[], RaiseReceipt>(
      {
        batchMax: settings.raiseBatchMax,
        gatherMs: 0,
        waitingMax: settings.raiseWaitingEventsMax,
        waitingBytesMax: settings.raiseWaitingBytesMax,
      },
      ports.clock,
      async (calls) => {
        const written = await insert(calls.flat());
        return calls.map((events) => receiptOf(events, written));
      },
      { sizeOf, ready: ports.waitForCapacity },
    );
  const plain = share(async (events) => {
    const written = await write(ports, ports.database, events, NO_IDS);
    written.committed();
    return written;
  });
  const keyed = share(async (events) => {
    const raiseAll = async (tx: Connection, pending: Uncommitted[]) =>
      pending.push(await raiseIn(ports, tx, events)) > 0;
    const [written] = (await commit(ports.database, raiseAll)) || [];
    return written!;
  });
  return {
    /** Resolves after the commit. The accounts must exist and live in this cell. */
    raise: (events: readonly RaisedEvent[]): Promise<RaiseReceipt> =>
      events.some((event) => event.dedupKey !== undefined) ? keyed(events) : plain(events),
    /** Raises within the caller's transaction; the caller reports how that ended. */
    raiseIn: (tx: Connection, events: readonly RaisedEvent[]): Promise<Uncommitted> =>
      raiseIn(ports, tx, events),
  };
}

function sizeOf(events: readonly RaisedEvent[]): RowSize {
  return { count: events.length, bytes: events.reduce((sum, { data }) => sum + data.length, 0) };
}

function receiptOf(events: readonly RaisedEvent[], { duplicates, made }: Uncommitted): RaiseReceipt {
  const repeated = duplicates.size === 0 ? 0 : events.filter((event) => duplicates.has(event)).length;
  const deliveries = events.reduce((sum, event) => sum + (made.get(event) ?? 0), 0);
  return { accepted: events.length - repeated, duplicates: repeated, deliveries };
}

async function raiseIn(
  ports: RaiserPorts,
  tx: Connection,
  events: readonly RaisedEvent[],
): Promise<Uncommitted> {
  const keyedIds = await claimKeys(tx, ports, events);
  const duplicates = new Set(events.filter((event) => event.dedupKey !== undefined && !keyedIds.has(event)));
  if (duplicates.size === 0) return write(ports, tx, events, keyedIds);
  const fresh = events.filter((event) => !duplicates.has(event));
  return { ...(await write(ports, tx, fresh, keyedIds)), duplicates };
}

/** Drafts and inserts until no account's route is stale. */
async function write(
  ports: RaiserPorts,
  connection: Connection,
  events: readonly RaisedEvent[],
  keyedIds: ReadonlyMap<RaisedEvent, string>,
): Promise<Uncommitted> {
  let { reserve } = ports;
  for (let tries = 0; tries < ROUTE_READS_MAX; tries++) {
    const routes = await routesOf(ports, events);
    const draft = emptyDraft(routes, ports.clock.nowMs());
    let inserted: InsertResult;
    try {
      draftBatch(draft, events, keyedIds, routes, { ...ports, reserve });
      inserted = await insertRaised(connection, ports.cell, draft.batch, draft.atMs);
    } catch (cause) {
      cancelAll(ports, draft, isCommitUnknown(cause));
      throw cause;
    }
    if (inserted.kind === "written") return uncommitted(ports, events.length, draft);
    cancelAll(ports, draft, false);
    for (const accountId of inserted.staleAccounts) ports.routes.invalidate(accountId);
    if (inserted.nodeReplaced) reserve = () => null;
  }
  throw new Error("the routes of an account changed again and again while an event was raised");
}

function cancelAll(ports: RaiserPorts, { inFlight }: Draft, unknown: boolean): void {
  for (const delivery of inFlight) ports.cancel(delivery, unknown);
}

function uncommitted(ports: RaiserPorts, accepted: number, draft: Draft): Uncommitted {
  return {
    accepted,
    duplicates: NONE,
    deliveryIds: draft.batch.deliveries.ids,
    made: draft.made,
    atMs: draft.atMs,
    committed() {
      try {
        ports.traces?.raised(draft.made, draft.batch.deliveries.ids);
        for (const delivery of draft.inFlight) ports.enqueue(delivery);
        if (draft.queuedFor.length > 0) ports.onQueued(draft.queuedFor);
        if (draft.missed.size > 0) ports.onMissed(draft.missed);
        for (const product of draft.unheard) ports.onUnheard?.(product);
      } catch (cause) {
        // The events are durable: the caller must not raise them again.
        ports.log.error({ err: cause }, "events are committed, but not all of their deliveries have started");
      }
    },
    rolledBack: (unknown) => cancelAll(ports, draft, unknown),
  };
}

/** Claims the events' `dedupKey`s; returns the ids of the events whose key was new. */
async function claimKeys(
  tx: Connection,
  ports: RaiserPorts,
  events: readonly RaisedEvent[],
): Promise<ReadonlyMap<RaisedEvent, string>> {
  const nowMs = ports.clock.nowMs();
  const claims = events.flatMap((event) => {
    const { accountId, product, dedupKey } = event;
    return dedupKey === undefined
      ? []
      : [{ event, accountId, product, dedupKey, eventId: ports.random.uuid(nowMs) }];
  });
  if (claims.length === 0) return NO_IDS;
  const fresh = await claimDedupKeys(tx, ports.cell, claims, nowMs);
  return new Map(
    claims.filter((claim) => fresh.has(claim.eventId)).map((claim) => [claim.event, claim.eventId]),
  );
}

/** Without the directory: the caller knows that the accounts live in this cell, or did a moment ago. */
async function routesOf(
  { routes, cell }: RaiserPorts,
  events: readonly RaisedEvent[],
): Promise<ReadonlyMap<string, Route>> {
  const found = new Map<string, Route>();
  for (const { accountId } of events) {
    if (found.has(accountId)) continue;
    const cached = routes.cached(accountId);
    const route = cached?.cell === cell ? cached : await routes.readIn(cell, accountId);
    if (route === null) throw accountClosed();
    found.set(accountId, route);
  }
  return found;
}

type Draft = {
  readonly atMs: number;
  readonly batch: RaiseBatch;
  /** Deliveries with a reservation; dropping the draft cancels them. */
  readonly inFlight: InFlightDelivery[];
  readonly queuedFor: string[];
  readonly made: Map<RaisedEvent, number>;
  /** Events that inactive endpoints would have received. */
  readonly missed: Map<string, number>;
  /** The products of the events without a receiver. */
  readonly unheard: string[];
};

function emptyDraft(routes: ReadonlyMap<string, Route>, atMs: number): Draft {
  const batch: RaiseBatch = {
    accountIds: [],
    versions: [],
    events: { ids: [], accountIds: [], products: [], types: [], occurredAtMs: [], data: [] },
    deliveries: { ids: [], eventIds: [], endpointIds: [], nodes: [] },
  };
  for (const route of routes.values()) {
    batch.accountIds.push(route.accountId);
    batch.versions.push(route.version);
  }
  return { atMs, batch, inFlight: [], queuedFor: [], made: new Map(), missed: new Map(), unheard: [] };
}

/** Fills the draft with events and, for each receiver, a delivery that this node claims or leaves queued. */
function draftBatch(
  { atMs, batch, inFlight, queuedFor, made, missed, unheard }: Draft,
  events: readonly RaisedEvent[],
  keyedIds: ReadonlyMap<RaisedEvent, string>,
  routes: ReadonlyMap<string, Route>,
  ports: RaiserPorts,
): void {
  for (const event of events) {
    const eventId = keyedIds.get(event) ?? ports.random.uuid(atMs);
    batch.events.ids.push(eventId);
    batch.events.accountIds.push(event.accountId);
    batch.events.products.push(event.product);
    batch.events.types.push(event.type);
    batch.events.occurredAtMs.push(event.occurredAtMs);
    batch.events.data.push(event.data);
    const route = routes.get(event.accountId)!;
    for (const { id } of absentFrom(route, event)) missed.set(id, (missed.get(id) ?? 0) + 1);
    const receivers = receiversOf(route, event);
    made.set(event, receivers.length);
    if (receivers.length === 0) unheard.push(event.product);
    for (const target of receivers) {
      const id = ports.random.uuid(atMs);
      const body = buildDeliveryBody(id, event.type, event.occurredAtMs, event.data);
      const node = ports.reserve(target, id, body.length);
      if (node === null) queuedFor.push(target.id);
      else {
        const { type } = event;
        inFlight.push({ id, endpointId: target.id, type, body, attemptCount: 0, node, queued: false });
      }
      batch.deliveries.ids.push(id);
      batch.deliveries.eventIds.push(eventId);
      batch.deliveries.endpointIds.push(target.id);
      batch.deliveries.nodes.push(node);
    }
  }
}
