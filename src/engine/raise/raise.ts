import { buildDeliveryBody } from "../../model/delivery-body.ts";
import type { InFlightDelivery } from "../../model/delivery.ts";
import type { RaisedEvent, RaiseReceipt } from "../../model/event.ts";
import type { Target } from "../../model/endpoint.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Random } from "../../runtime/random.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection, Database } from "../../store/database.ts";
import {
  claimDedupKeys,
  insertRaised,
  type InsertResult,
  type RaiseBatch,
} from "../../store/deliveries/raising.ts";
import { commit, type PendingWrite } from "./commit.ts";
import { createGroupCommit, type GroupCommitBounds } from "./group-commit.ts";
import { receiversOf, type Route, type Routes } from "./routes.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * Makes events durable. The events of all callers of a few milliseconds share one statement; while it
 * is under way, the next batch gathers. A delivery that finds room in this node's window is inserted
 * as held by this node and goes straight to its lane after the commit; the others go to the queue.
 *
 *      raise ─▶ gathered ─▶ routed ─▶ inserted ─▶ answered, and held or queued
 *                  ▲                     │
 *                  └── routed anew ◀─────┘  an account's endpoints have changed meanwhile, or this
 *                                           node was replaced: then all go to the queue
 */
export type Raiser = {
  /** Resolves after the commit. The accounts must exist, and live in this cell. */
  raise(events: readonly RaisedEvent[]): Promise<RaiseReceipt>;
  /** The same in a transaction that somebody else opened, and tells how it ended. */
  raiseIn(tx: Connection, events: readonly RaisedEvent[]): Promise<Uncommitted>;
};

/** Events written in a transaction that has yet to end. */
export type Uncommitted = PendingWrite & {
  readonly accepted: number;
  /** Those whose key had been seen before. */
  readonly duplicates: ReadonlySet<RaisedEvent>;
  readonly deliveryIds: readonly string[];
  /** When the deliveries were made. */
  readonly atMs: number;
};

export type RaiserPorts = {
  readonly database: Database;
  readonly cell: Cell;
  readonly routes: Routes;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Room for one more delivery to the endpoint: the number of the node that holds it then, or null. */
  readonly reserve: (target: Target, deliveryId: string, bytes: number) => number | null;
  /** What was reserved is durable. */
  readonly enqueue: (delivery: InFlightDelivery) => void;
  /** What was reserved is not to be held: not written, or (`unknown`) perhaps written. */
  readonly cancel: (delivery: InFlightDelivery, unknown: boolean) => void;
  /** Deliveries went to the queue. */
  readonly onQueued: (endpointIds: readonly string[]) => void;
  /** Resolves once the window has room, or after a bounded wait. */
  readonly waitForCapacity: () => Promise<void>;
};

/** An account that changes faster than we can read it is a fault; give up rather than spin. */
const ROUTE_READS_MAX = 20;

const NO_IDS: ReadonlyMap<RaisedEvent, string> = new Map();
const NONE: ReadonlySet<RaisedEvent> = new Set();

export function createRaiser(settings: EngineSettings, ports: RaiserPorts): Raiser {
  async function write(
    connection: Connection,
    events: readonly RaisedEvent[],
    keyedIds: ReadonlyMap<RaisedEvent, string> = NO_IDS,
  ): Promise<Uncommitted> {
    let { reserve } = ports;
    for (let tries = 0; tries < ROUTE_READS_MAX; tries++) {
      const routes = await routesOf(ports.routes, events);
      const draft = emptyDraft(routes, ports.clock.nowMs());
      let inserted: InsertResult;
      try {
        draftBatch(draft, events, keyedIds, routes, { ...ports, reserve });
        inserted = await insertRaised(connection, ports.cell, draft.batch, draft.atMs);
      } catch (cause) {
        const inDoubt = cause instanceof StoreUnavailable && cause.commitUnknown;
        for (const delivery of draft.inFlight) ports.cancel(delivery, inDoubt);
        throw cause;
      }
      if (inserted.kind === "written") return uncommitted(events.length, draft);
      for (const delivery of draft.inFlight) ports.cancel(delivery, false);
      for (const accountId of inserted.staleAccounts) ports.routes.invalidate(accountId);
      if (inserted.nodeReplaced) reserve = () => null;
    }
    throw new Error("the routes of an account changed again and again while an event was raised");
  }

  function uncommitted(accepted: number, draft: Draft): Uncommitted {
    return {
      accepted,
      duplicates: NONE,
      deliveryIds: draft.batch.deliveries.ids,
      atMs: draft.atMs,
      committed() {
        try {
          for (const delivery of draft.inFlight) ports.enqueue(delivery);
          if (draft.queuedFor.length > 0) ports.onQueued(draft.queuedFor);
        } catch (cause) {
          // The events are durable: whoever raised them must not raise them again.
          ports.log.error(
            { err: cause },
            "events are committed, and not all of their deliveries are on their way",
          );
        }
      },
      rolledBack(unknown) {
        for (const delivery of draft.inFlight) ports.cancel(delivery, unknown);
      },
    };
  }

  async function raiseIn(tx: Connection, events: readonly RaisedEvent[]): Promise<Uncommitted> {
    const keyedIds = await claimKeys(tx, ports, events);
    const duplicates = events.filter((event) => event.dedupKey !== undefined && !keyedIds.has(event));
    if (duplicates.length === 0) return write(tx, events, keyedIds);
    const taken = new Set(duplicates);
    const fresh = events.filter((event) => !taken.has(event));
    return { ...(await write(tx, fresh, keyedIds)), duplicates: taken };
  }

  const bounds: GroupCommitBounds = {
    batchEventsMax: settings.raiseBatchMax,
    waitingEventsMax: settings.raiseWaitingEventsMax,
    waitingBytesMax: settings.raiseWaitingBytesMax,
  };
  const plain = createGroupCommit(bounds, ports.waitForCapacity, async (events) => {
    const written = await write(ports.database, events);
    written.committed();
    return NONE;
  });
  const keyed = createGroupCommit(bounds, ports.waitForCapacity, async (events) => {
    const done = await commit<Uncommitted>(ports.database, async (tx, pending) => {
      pending.push(await raiseIn(tx, events));
      return true;
    });
    return done === false ? NONE : done[0]!.duplicates;
  });

  return {
    raise: (events) => (events.some((event) => event.dedupKey !== undefined) ? keyed(events) : plain(events)),
    raiseIn,
  };
}

/** Claims the keys of the events that have one; the ids of the events whose key was new. */
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

async function routesOf(routes: Routes, events: readonly RaisedEvent[]): Promise<ReadonlyMap<string, Route>> {
  const found = new Map<string, Route>();
  for (const { accountId } of events) {
    if (found.has(accountId)) continue;
    const route = routes.cached(accountId) ?? (await routes.read(accountId));
    if (route === null) throw new Error(`account ${accountId} is gone`);
    found.set(accountId, route);
  }
  return found;
}

type Draft = {
  readonly atMs: number;
  readonly batch: RaiseBatch;
  /** What this node has reserved a place for; whoever gives the draft up cancels them. */
  readonly inFlight: InFlightDelivery[];
  readonly queuedFor: string[];
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
  return { atMs, batch, inFlight: [], queuedFor: [] };
}

/** Fills the draft: events and deliveries with their ids, and for each delivery whether this node takes it at once. */
function draftBatch(
  { atMs, batch, inFlight, queuedFor }: Draft,
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
    for (const target of receiversOf(routes.get(event.accountId)!, event)) {
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
