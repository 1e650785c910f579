import type { DeliveryRecord } from "../../model/delivery.ts";
import { accountClosed, moved, StoreUnavailable } from "../../model/errors.ts";
import type { RaisedEvent, RaiseReceipt } from "../../model/event.ts";
import { sideBySide } from "../../runtime/side-by-side.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { Raised, Sample } from "../engine.ts";
import { commit, type Raiser, type Uncommitted } from "./raise.ts";
import type { Routes } from "./routes.ts";

/** The three ways in: `raise`, `raiseWithin` and `ping` of `Engine`. Each event goes to its account's cell. */
export type AcceptPorts = Pick<NodeContext, "database" | "clock"> & {
  readonly routes: Routes;
  /** The `data` of a ping as JSON text (spec 2.4: ping). */
  readonly pingData: string;
  readonly raiserOf: (cell: Cell) => Raiser;
};

export async function raise(
  { database, routes, raiserOf }: AcceptPorts,
  events: readonly RaisedEvent[],
): Promise<Raised> {
  const byCell = new Map<Cell, RaisedEvent[]>();
  for (const event of events) {
    const route = routes.cached(event.accountId) ?? (await routes.read(event.accountId));
    if (route === null) return { kind: "unknown_account", accountId: event.accountId };
    const group = byCell.get(route.cell);
    if (group === undefined) byCell.set(route.cell, [event]);
    else group.push(event);
  }
  const groups = [...byCell];
  if (groups.length === 1) {
    const [cell, group] = groups[0]!;
    return { kind: "raised", ...(await raiserOf(cell).raise(group)) };
  }
  // All or nothing over the cells of one server: one transaction, one statement a cell.
  const byServer = [...Map.groupBy(groups, ([cell]) => database.homeOf(cell)).values()];
  const ended = await sideBySide(byServer, byServer.length, (some) =>
    commit<Uncommitted>(database, async (tx, pending) => {
      const home = database.homeOf(some[0]![0]);
      for (const [cell, group] of some) {
        // One of them has moved since: no transaction reaches them all any more.
        if (database.homeOf(cell) !== home) throw moved();
        pending.push(await raiserOf(cell).raiseIn(tx, group));
      }
      return true;
    }),
  );
  return { kind: "raised", ...receiptOf(allOf(ended)) };
}

/** Throws the first failure; where other servers have accepted their part, the commit is unknown. */
function allOf(
  ended: readonly PromiseSettledResult<readonly Uncommitted[] | false>[],
): readonly Uncommitted[] {
  const failed = ended.find((one) => one.status === "rejected");
  if (failed === undefined) return ended.flatMap((one) => (one.status === "fulfilled" && one.value) || []);
  const cause: unknown = failed.reason;
  if (!(cause instanceof StoreUnavailable) || !ended.some((one) => one.status === "fulfilled")) throw cause;
  throw new StoreUnavailable(cause.message, { cause, reason: cause.reason });
}

export async function raiseWithin(
  { database, raiserOf }: AcceptPorts,
  cell: Cell,
  change: (tx: Connection) => Promise<readonly RaisedEvent[] | null>,
): Promise<RaiseReceipt | null> {
  const done = await commit<Uncommitted>(database, async (tx, pending) => {
    const events = await change(tx);
    if (events === null) return false;
    if (events.length > 0) pending.push(await raiserOf(cell).raiseIn(tx, events));
    return true;
  });
  return done === false ? null : receiptOf(done);
}

function receiptOf(done: readonly Uncommitted[]): RaiseReceipt {
  return {
    accepted: done.reduce((sum, one) => sum + one.accepted, 0),
    duplicates: done.reduce((sum, one) => sum + one.duplicates.size, 0),
    deliveries: done.reduce((sum, one) => sum + one.deliveryIds.length, 0),
  };
}

/** Queues a ping, or a sample, for one endpoint, whatever its subscription (spec 6.1: ping). */
export async function ping(
  { database, clock, routes, pingData, raiserOf }: AcceptPorts,
  cell: Cell,
  accountId: string,
  endpointId: string,
  { type, data }: Sample = { type: "ping", data: pingData },
): Promise<DeliveryRecord | "inactive" | "missing"> {
  const route = await routes.readIn(cell, accountId);
  if (route === null) throw accountClosed();
  const target = route.targets.find((candidate) => candidate.id === endpointId);
  if (target === undefined) return "missing";
  if (!target.active) return "inactive";
  const event: RaisedEvent = {
    product: target.product,
    accountId,
    type,
    data,
    occurredAtMs: clock.nowMs(),
    onlyEndpointId: endpointId,
  };
  const done = await commit<Uncommitted>(database, async (tx, pending) => {
    const raised = await raiserOf(cell).raiseIn(tx, [event]);
    pending.push(raised);
    // If the endpoint was paused since the read, nobody receives the event: roll it back.
    return raised.deliveryIds.length > 0;
  });
  if (done === false) return "inactive";
  const { deliveryIds, atMs } = done[0]!;
  return {
    id: deliveryIds[0]!,
    eventType: event.type,
    status: "pending",
    attemptCount: 0,
    lastStatusCode: null,
    lastError: null,
    createdAt: new Date(atMs),
    deliveredAt: null,
  };
}
