import type { RaisedEvent } from "../../model/event.ts";
import { subscribesTo, type Target } from "../../model/endpoint.ts";
import { accountClosed } from "../../model/errors.ts";
import { cellNumbered, type Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { AccountCells } from "../../store/accounts/account-cells.ts";
import { cellOfAccount } from "../../store/accounts/accounts.ts";
import { readRoute, type AccountRoute } from "../../store/endpoints/routes.ts";

/**
 * Caches which endpoints receive an account's events. A route may be stale at any moment: raising sends its
 * version to the database, which refuses a stale one (`events.sql`), and the route is read again.
 */
export type Routes = ReturnType<typeof createRoutes>;

export type Route = AccountRoute & {
  readonly accountId: string;
  readonly cell: Cell;
  /** Results of `receiversOf`, by product and type. */
  readonly receivers: Map<string, readonly Target[]>;
  readonly inactive: readonly Target[];
};

const RECEIVERS_MAX = 1_000;

export function createRoutes(
  connection: Connection,
  cells: readonly Cell[],
  routesMax: number,
  homes: Pick<AccountCells, "cellOf" | "learn" | "forget">,
) {
  const routes = new Map<string, Route>();

  async function readIn(cell: Cell, accountId: string): Promise<Route | null> {
    const read = await readRoute(connection, cell, accountId);
    if (read === null) return null;
    const inactive = read.targets.filter(({ active }) => !active);
    const route = { ...read, accountId, cell, receivers: new Map(), inactive };
    homes.learn(accountId, cell.number);
    setBounded(routes, accountId, route, routesMax);
    return route;
  }

  return {
    cached: (accountId: string): Route | undefined => routes.get(accountId),
    /**
     * Reads the route from the account's cell; null for an unknown account. Asks the directory only where the cell has none.
     * Throws `StoreUnavailable` while the account is closed.
     */
    async read(accountId: string): Promise<Route | null> {
      const known = homes.cellOf(accountId);
      const route = known === undefined ? null : await readIn(cellNumbered(cells, known), accountId);
      if (route !== null) return route;
      const number = await cellOfAccount(connection, cells[0]!, accountId);
      if (number === null) {
        homes.forget(accountId);
        return null;
      }
      const found = await readIn(cellNumbered(cells, number), accountId);
      if (found === null) throw accountClosed();
      return found;
    },
    /** Reads the route from this cell; null when the account is closed, or gone. */
    readIn,
    /** Drops the route: the account may have changed. */
    invalidate: (accountId: string): void => void routes.delete(accountId),
    invalidateAll: (): void => routes.clear(),
  };
}

/** Adds to a bounded map; drops the oldest entry when it is full. */
function setBounded<T>(map: Map<string, T>, key: string, value: T, sizeMax: number): void {
  map.delete(key);
  if (map.size >= sizeMax) map.delete(map.keys().next().value!);
  map.set(key, value);
}

/**
 * The endpoints that receive an event: active, of its product, and subscribed (spec 3.1: raised; 6.1: active_only).
 * Computed once for each event type of a route.
 */
export function receiversOf(route: Route, event: RaisedEvent): readonly Target[] {
  const { product, type, onlyEndpointId } = event;
  if (onlyEndpointId !== undefined) {
    return route.targets.filter((target) => target.active && target.id === onlyEndpointId);
  }
  const key = `${product} ${type}`;
  const known = route.receivers.get(key);
  if (known !== undefined) return known;
  const receivers = route.targets.filter((target) => target.active && takes(target, event));
  // Types come from catalogues, so there are few; the bound guards against a change of that.
  if (route.receivers.size < RECEIVERS_MAX) route.receivers.set(key, receivers);
  return receivers;
}

/** The endpoints that would receive an event if they were active. */
export function absentFrom({ inactive }: Route, event: RaisedEvent): readonly Target[] {
  return inactive.length === 0 || event.onlyEndpointId !== undefined
    ? NO_TARGETS
    : inactive.filter((target) => takes(target, event));
}

const NO_TARGETS: readonly Target[] = [];

function takes(target: Target, event: RaisedEvent): boolean {
  return target.product === event.product && subscribesTo(target, event.type);
}
