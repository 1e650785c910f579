import { buildDeliveryBody } from "../../model/delivery-body.ts";
import type { JsonObject } from "../../model/json.ts";
import type { InFlightDelivery } from "../../model/delivery.ts";
import type { RaisedEvent, RaiseReceipt } from "../../model/event.ts";
import type { Target } from "../../model/endpoint.ts";
import { accountClosed } from "../../model/errors.ts";
import type { Connection, Database } from "../../store/database.ts";
import {
  claimDedupKeys,
  insertRaised,
  type InsertResult,
  type RaiseBatch,
} from "../../store/deliveries/raising.ts";
import { createBatch, type RowSize } from "../batch-writer.ts";
import { isCommitUnknown } from "../statement-failure.ts";
import type { CellParts } from "../cell-queues.ts";
import type { Claimer } from "../claim/claim.ts";
import { absentFrom, receiversOf, type Route } from "./routes.ts";

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

type Parts = CellParts & {
  readonly claimer: Claimer;
  /** Inactive endpoints would have received so many events. */
  readonly onMissed: (missed: ReadonlyMap<string, number>) => void;
};

/** An account that changes faster than its route can be read is a fault. */
const ROUTE_READS_MAX = 20;

const NO_IDS: ReadonlyMap<RaisedEvent, string> = new Map();
const NONE: ReadonlySet<RaisedEvent> = new Set();

export function createRaiser(parts: Parts) {
  const { engine, member } = parts;
  const { settings, database } = engine;
  const share = (insert: (events: readonly RaisedEvent[]) => Promise<Uncommitted>) =>
    createBatch<readonly RaisedEvent[], RaiseReceipt>(
      {
        batchMax: settings.raiseBatchMax,
        gatherMs: 0,
        waitingMax: settings.raiseWaitingEventsMax,
        waitingBytesMax: settings.raiseWaitingBytesMax,
      },
      engine.clock,
      async (calls) => {
        const written = await insert(calls.flat());
        return calls.map((events) => receiptOf(events, written));
      },
      { sizeOf, ready: () => engine.waitForCapacity(member.cell) },
    );
  const plain = share(async (events) => {
    const written = await write(parts, database, events, NO_IDS);
    written.committed();
    return written;
  });
  const keyed = share(async (events) => {
    const raiseAll = async (tx: Connection, pending: Uncommitted[]) =>
      pending.push(await raiseIn(parts, tx, events)) > 0;
    const [written] = (await commit(database, raiseAll)) || [];
    return written!;
  });
  return {
    /** Resolves after the commit. The accounts must exist and live in this cell. */
    raise: (events: readonly RaisedEvent[]): Promise<RaiseReceipt> =>
      events.some((event) => event.dedupKey !== undefined) ? keyed(events) : plain(events),
    /** Raises within the caller's transaction; the caller reports how that ended. */
    raiseIn: (tx: Connection, events: readonly RaisedEvent[]): Promise<Uncommitted> =>
      raiseIn(parts, tx, events),
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

async function raiseIn(parts: Parts, tx: Connection, events: readonly RaisedEvent[]): Promise<Uncommitted> {
  const keyedIds = await claimKeys(tx, parts, events);
  const duplicates = new Set(events.filter((event) => event.dedupKey !== undefined && !keyedIds.has(event)));
  if (duplicates.size === 0) return write(parts, tx, events, keyedIds);
  const fresh = events.filter((event) => !duplicates.has(event));
  return { ...(await write(parts, tx, fresh, keyedIds)), duplicates };
}

/** Drafts and inserts until no account's route is stale. */
async function write(
  parts: Parts,
  connection: Connection,
  events: readonly RaisedEvent[],
  keyedIds: ReadonlyMap<RaisedEvent, string>,
): Promise<Uncommitted> {
  const { engine, member } = parts;
  let mayClaim = true;
  for (let tries = 0; tries < ROUTE_READS_MAX; tries++) {
    const routes = await routesOf(parts, events);
    const draft = emptyDraft(routes, engine.clock.nowMs());
    let inserted: InsertResult;
    try {
      draftBatch(draft, events, keyedIds, routes, parts, mayClaim);
      inserted = await insertRaised(connection, member.cell, draft.batch, draft.atMs);
    } catch (cause) {
      cancelAll(parts, draft, isCommitUnknown(cause));
      throw cause;
    }
    if (inserted.kind === "written") return uncommitted(parts, events.length, draft);
    cancelAll(parts, draft, false);
    for (const accountId of inserted.staleAccounts) engine.routes.invalidate(accountId);
    if (inserted.nodeReplaced) mayClaim = false;
  }
  throw new Error("the routes of an account changed again and again while an event was raised");
}

function cancelAll(parts: Parts, { reserved }: Draft, unknown: boolean): void {
  for (const delivery of reserved) {
    unreserve(parts, delivery);
    if (unknown) parts.inFlight.commitUnknown(delivery);
    else parts.inFlight.rolledBack(delivery);
  }
}

/** Reserves memory for one delivery: returns the number of the node that claims it, or null. */
function reserve({ engine, member, queues, inFlight }: Parts, target: Target, id: string, bytes: number) {
  if (!engine.delivers || !member.maySend()) return null;
  const queue = queues.open(target);
  if (queue === null || queues.capacityOf(queue) === 0) return null;
  if (!inFlight.addRaised(id, bytes)) return null;
  queue.reserved += 1;
  return member.node;
}

function unreserve({ engine }: Parts, { endpointId }: InFlightDelivery): void {
  const queue = engine.dispatch.queueOf(endpointId);
  if (queue === undefined || queue.reserved === 0) {
    return engine.invariants.report("reserved_count_not_negative", { endpoint: endpointId });
  }
  queue.reserved -= 1;
}

function uncommitted(parts: Parts, accepted: number, draft: Draft): Uncommitted {
  return {
    accepted,
    duplicates: NONE,
    deliveryIds: draft.batch.deliveries.map(({ id }) => id),
    made: draft.made,
    atMs: draft.atMs,
    committed() {
      try {
        startCommitted(parts, draft);
      } catch (cause) {
        // The events are durable: the caller must not raise them again.
        const text = "events are committed, but not all of their deliveries have started";
        parts.engine.log.error({ err: cause }, text);
      }
    },
    rolledBack: (unknown) => cancelAll(parts, draft, unknown),
  };
}

function startCommitted(parts: Parts, { batch, made, reserved, queuedFor, missed, unheard }: Draft): void {
  const { engine, queues, claimer, onMissed } = parts;
  engine.traces?.raised(
    made,
    batch.deliveries.map(({ id }) => id),
  );
  for (const delivery of reserved) {
    unreserve(parts, delivery);
    queues.enqueue(delivery);
  }
  if (reserved.length > 0) engine.pumpSoon();
  if (engine.delivers) claimer.claimNow(queuedFor);
  else if (queuedFor.length > 0) queues.notifyOthers([...new Set(queuedFor)]);
  if (missed.size > 0) onMissed(missed);
  for (const product of unheard) engine.onUnheard?.(product);
}

/** Claims the events' `dedupKey`s; returns the ids of the events whose key was new. */
async function claimKeys(
  tx: Connection,
  { engine, member }: Parts,
  events: readonly RaisedEvent[],
): Promise<ReadonlyMap<RaisedEvent, string>> {
  const nowMs = engine.clock.nowMs();
  const claims = events.flatMap((event) => {
    const { accountId, product, dedupKey } = event;
    return dedupKey === undefined
      ? []
      : [{ event, accountId, product, dedupKey, eventId: engine.random.uuid(nowMs) }];
  });
  if (claims.length === 0) return NO_IDS;
  const fresh = await claimDedupKeys(tx, member.cell, claims, nowMs);
  return new Map(
    claims.filter((claim) => fresh.has(claim.eventId)).map((claim) => [claim.event, claim.eventId]),
  );
}

/** Without the directory: the caller knows that the accounts live in this cell, or did a moment ago. */
async function routesOf(
  { engine: { routes }, member: { cell } }: Parts,
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
  readonly reserved: InFlightDelivery[];
  readonly queuedFor: string[];
  readonly made: Map<RaisedEvent, number>;
  /** Events that inactive endpoints would have received. */
  readonly missed: Map<string, number>;
  /** The products of the events without a receiver. */
  readonly unheard: string[];
};

function emptyDraft(routes: ReadonlyMap<string, Route>, atMs: number): Draft {
  const accounts = [...routes.values()].map(({ accountId: id, version }) => ({ id, version }));
  const batch: RaiseBatch = { accounts, events: [], references: [], deliveries: [] };
  return { atMs, batch, reserved: [], queuedFor: [], made: new Map(), missed: new Map(), unheard: [] };
}

/** Fills the draft with events and, for each receiver, a delivery that this node claims or leaves queued. */
function draftBatch(
  { atMs, batch, reserved, queuedFor, made, missed, unheard }: Draft,
  events: readonly RaisedEvent[],
  keyedIds: ReadonlyMap<RaisedEvent, string>,
  routes: ReadonlyMap<string, Route>,
  parts: Parts,
  mayClaim: boolean,
): void {
  const { random, referencesOf } = parts.engine;
  for (const event of events) {
    const eventId = keyedIds.get(event) ?? random.uuid(atMs);
    const { accountId, product, type, occurredAtMs, data } = event;
    batch.events.push({ id: eventId, accountId, product, type, occurredAtMs, data });
    const { references = referencesOf?.(product, type, JSON.parse(data) as JsonObject) ?? [] } = event;
    for (const reference of references) batch.references.push({ accountId, reference, eventId });
    const route = routes.get(accountId)!;
    for (const { id } of absentFrom(route, event)) missed.set(id, (missed.get(id) ?? 0) + 1);
    const receivers = receiversOf(route, event);
    made.set(event, receivers.length);
    if (receivers.length === 0) unheard.push(product);
    for (const target of receivers) {
      const id = random.uuid(atMs);
      const body = buildDeliveryBody(id, type, occurredAtMs, data);
      const node = mayClaim ? reserve(parts, target, id, body.length) : null;
      if (node === null) queuedFor.push(target.id);
      else {
        reserved.push({ id, endpointId: target.id, type, body, attemptCount: 0, node, queued: false });
      }
      batch.deliveries.push({ id, eventId, endpointId: target.id, node });
    }
  }
}

/** Something written in a transaction that has not ended yet. */
export type PendingWrite = {
  committed(): void;
  /** `unknown`: the connection was lost, and the transaction may have been committed. */
  rolledBack(unknown: boolean): void;
};

/**
 * Runs `work` in one transaction and tells everything in `pending` how it ended. When `work` resolves with
 * false, rolls back and returns false. Throws what `work` or the database throws.
 */
export async function commit<P extends PendingWrite>(
  database: Database,
  work: (tx: Connection, pending: P[]) => Promise<boolean>,
): Promise<readonly P[] | false> {
  const pending: P[] = [];
  try {
    await database.transaction(async (tx) => {
      // It runs again when the cell has moved; the first try is undone.
      for (const one of pending.splice(0)) one.rolledBack(false);
      if (!(await work(tx, pending))) throw new RollbackRequested();
    });
  } catch (cause) {
    for (const one of pending) one.rolledBack(isCommitUnknown(cause));
    if (cause instanceof RollbackRequested) return false;
    throw cause;
  }
  for (const one of pending) one.committed();
  return pending;
}

/** Rolls a transaction back without being a fault. */
class RollbackRequested extends Error {}
