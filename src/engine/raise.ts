import { bodyOf } from "../model/body.ts";
import type { HeldDelivery } from "../model/delivery.ts";
import { StoreUnavailable } from "../model/errors.ts";
import type { RaisedEvent, RaiseReceipt } from "../model/event.ts";
import type { Target } from "../model/endpoint.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Random } from "../runtime/random.ts";
import type { Cell } from "../store/cell.ts";
import type { Connection, Database } from "../store/database.ts";
import { claimEventKeys, insertRaised, type RaiseBatch } from "../store/raising.ts";
import { receiversOf, type Route, type Routes } from "./route.ts";
import type { EngineSettings } from "./settings.ts";

/**
 * Makes events durable. The events of all callers of a few milliseconds share one statement; while it
 * is under way, the next batch gathers. A delivery that finds room in this node's window is inserted
 * as held by this node and goes straight to its lane after the commit; the others go to the queue.
 *
 *      raise ─▶ gathered ─▶ routed ─▶ inserted ─▶ answered, and held or queued
 *                  ▲                     │
 *                  └── routed anew ◀─────┘  an account's endpoints have changed meanwhile
 */
export type Raiser = {
  /** Resolves after the commit. The accounts must exist, and live in this cell. */
  raise(events: readonly RaisedEvent[]): Promise<RaiseReceipt>;
  /** The same in a transaction that somebody else opened, and tells how it ended. */
  raiseIn(tx: Connection, events: readonly RaisedEvent[]): Promise<Uncommitted>;
};

/** Events written in a transaction that has yet to end. */
export type Uncommitted = {
  readonly receipt: RaiseReceipt;
  readonly deliveryIds: readonly string[];
  /** When the deliveries were made. */
  readonly atMs: number;
  committed(): void;
  /** `unknown`: the connection was lost, and it may have been committed all the same. */
  rolledBack(unknown: boolean): void;
};

export type RaiserPorts = {
  readonly database: Database;
  readonly cell: Cell;
  readonly routes: Routes;
  readonly clock: Clock;
  readonly random: Random;
  /** Room for one more delivery to the endpoint: the number of the node that holds it then, or null. */
  readonly reserve: (target: Target, deliveryId: string, bytes: number) => number | null;
  /** What was reserved is durable. */
  readonly hold: (delivery: HeldDelivery) => void;
  /** What was reserved is not to be held: not written, or (`unknown`) perhaps written. */
  readonly cancel: (delivery: HeldDelivery, unknown: boolean) => void;
  /** Deliveries went to the queue. */
  readonly onQueued: (endpointIds: readonly string[]) => void;
  /** Resolves once the window has room, or after a bounded wait. */
  readonly room: () => Promise<void>;
};

type Call = {
  readonly events: readonly RaisedEvent[];
  readonly resolve: (receipt: RaiseReceipt) => void;
  readonly reject: (cause: unknown) => void;
};

/** An account that changes faster than we can read it is a fault; give up rather than spin. */
const REROUTES_MAX = 20;

const NO_IDS: ReadonlyMap<RaisedEvent, string> = new Map();

export function createRaiser(settings: EngineSettings, ports: RaiserPorts): Raiser {
  let gathered: Call[] = [];
  let underWay = false;

  async function run(): Promise<void> {
    if (underWay) return;
    underWay = true;
    while (gathered.length > 0) {
      await ports.room();
      const calls = takeBatch();
      const events = calls.flatMap((call) => call.events);
      try {
        const written = await write(ports.database, events);
        written.committed();
        for (const call of calls) call.resolve({ accepted: call.events.length, duplicates: 0 });
      } catch (cause) {
        for (const call of calls) call.reject(cause);
      }
    }
    underWay = false;
  }

  function takeBatch(): Call[] {
    let events = 0;
    let count = 0;
    while (count < gathered.length && (count === 0 || events < settings.raiseBatchMax)) {
      events += gathered[count++]!.events.length;
    }
    const calls = gathered.slice(0, count);
    gathered = gathered.slice(count);
    return calls;
  }

  async function write(
    connection: Connection,
    events: readonly RaisedEvent[],
    keyedIds: ReadonlyMap<RaisedEvent, string> = NO_IDS,
  ): Promise<Uncommitted> {
    for (let tries = 0; tries < REROUTES_MAX; tries++) {
      const routes = await routesOf(ports.routes, events);
      const draft = draftBatch(events, keyedIds, routes, ports);
      let stale: readonly string[];
      try {
        stale = await insertRaised(connection, ports.cell, draft.batch, draft.atMs);
      } catch (cause) {
        for (const delivery of draft.held) ports.cancel(delivery, true);
        throw cause;
      }
      if (stale.length === 0) return uncommitted(events.length, draft);
      for (const delivery of draft.held) ports.cancel(delivery, false);
      for (const accountId of stale) ports.routes.forget(accountId);
    }
    throw new Error("the routes of an account changed again and again while an event was raised");
  }

  function uncommitted(accepted: number, draft: Draft): Uncommitted {
    return {
      receipt: { accepted, duplicates: 0 },
      deliveryIds: draft.batch.deliveries.ids,
      atMs: draft.atMs,
      committed() {
        for (const delivery of draft.held) ports.hold(delivery);
        if (draft.queuedFor.length > 0) ports.onQueued(draft.queuedFor);
      },
      rolledBack(unknown) {
        for (const delivery of draft.held) ports.cancel(delivery, unknown);
      },
    };
  }

  async function raiseIn(tx: Connection, events: readonly RaisedEvent[]): Promise<Uncommitted> {
    const keyedIds = await claimKeys(tx, ports, events);
    const fresh = events.filter((event) => event.dedupKey === undefined || keyedIds.has(event));
    const written = await write(tx, fresh, keyedIds);
    return { ...written, receipt: { accepted: fresh.length, duplicates: events.length - fresh.length } };
  }

  return {
    raise(events) {
      if (events.some((event) => event.dedupKey !== undefined)) {
        return commit(ports.database, async (tx) => [await raiseIn(tx, events)]).then((done) => done![0]!.receipt);
      }
      return new Promise((resolve, reject) => {
        gathered.push({ events, resolve, reject });
        void run();
      });
    },
    raiseIn,
  };
}

/**
 * Runs raises in one transaction, and tells each how it ended. Null when `work` answers null: then the
 * transaction is rolled back.
 */
export async function commit(
  database: Database,
  work: (tx: Connection) => Promise<readonly Uncommitted[] | null>,
): Promise<readonly Uncommitted[] | null> {
  const written: Uncommitted[] = [];
  try {
    await database.transaction(async (tx) => {
      const raised = await work(tx);
      if (raised === null) throw new Withdrawn();
      written.push(...raised);
    });
  } catch (cause) {
    if (cause instanceof Withdrawn) return null;
    for (const one of written) one.rolledBack(cause instanceof StoreUnavailable);
    throw cause;
  }
  for (const one of written) one.committed();
  return written;
}

/** Rolls a transaction back without being a fault. */
class Withdrawn extends Error {
  override readonly name = "Withdrawn";
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
  const fresh = await claimEventKeys(tx, ports.cell, claims, nowMs);
  return new Map(
    claims.filter((claim) => fresh.has(claim.eventId)).map((claim) => [claim.event, claim.eventId]),
  );
}

async function routesOf(routes: Routes, events: readonly RaisedEvent[]): Promise<ReadonlyMap<string, Route>> {
  const found = new Map<string, Route>();
  for (const { accountId } of events) {
    if (found.has(accountId)) continue;
    const route = routes.known(accountId) ?? (await routes.read(accountId));
    if (route === null) throw new Error(`account ${accountId} is gone`);
    found.set(accountId, route);
  }
  return found;
}

type Draft = {
  readonly atMs: number;
  readonly batch: RaiseBatch;
  readonly held: readonly HeldDelivery[];
  readonly queuedFor: readonly string[];
};

/** Events and deliveries with their ids, and for each delivery whether this node takes it at once. */
function draftBatch(
  events: readonly RaisedEvent[],
  keyedIds: ReadonlyMap<RaisedEvent, string>,
  routes: ReadonlyMap<string, Route>,
  ports: RaiserPorts,
): Draft {
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
  const held: HeldDelivery[] = [];
  const queuedFor: string[] = [];
  const nowMs = ports.clock.nowMs();
  for (const event of events) {
    const eventId = keyedIds.get(event) ?? ports.random.uuid(nowMs);
    batch.events.ids.push(eventId);
    batch.events.accountIds.push(event.accountId);
    batch.events.products.push(event.product);
    batch.events.types.push(event.type);
    batch.events.occurredAtMs.push(event.occurredAtMs);
    batch.events.data.push(event.data);
    for (const target of receiversOf(routes.get(event.accountId)!, event)) {
      const id = ports.random.uuid(nowMs);
      const body = bodyOf(id, event.type, event.occurredAtMs, event.data);
      const node = ports.reserve(target, id, body.length);
      batch.deliveries.ids.push(id);
      batch.deliveries.eventIds.push(eventId);
      batch.deliveries.endpointIds.push(target.id);
      batch.deliveries.nodes.push(node);
      if (node === null) queuedFor.push(target.id);
      else {
        held.push({ id, endpointId: target.id, type: event.type, body, attemptCount: 0, node, queued: false });
      }
    }
  }
  return { atMs: nowMs, batch, held, queuedFor };
}
