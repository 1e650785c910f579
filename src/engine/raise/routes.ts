import type { RaisedEvent } from "../../model/event.ts";
import type { Target } from "../../model/endpoint.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { cellOfAccount } from "../../store/accounts/accounts.ts";
import { readRoute, type AccountRoute } from "../../store/endpoints/routes.ts";

/**
 * Caches which endpoints receive an account's events. A route may be stale at any moment: raising sends its
 * version to the database, which refuses a stale one (`event_raise.sql`), and the route is read again.
 */
export type Routes = {
  cached(accountId: string): Route | undefined;
  /** Reads the route from the database; null for an unknown account. */
  read(accountId: string): Promise<Route | null>;
  /** Drops the route: the account may have changed. */
  invalidate(accountId: string): void;
  invalidateAll(): void;
};

export type Route = AccountRoute & {
  readonly accountId: string;
  readonly cell: Cell;
  /** Results of `receiversOf`, by product and type. */
  readonly receivers: Map<string, readonly Target[]>;
};

const RECEIVERS_MAX = 1_000;

export function createRoutes(connection: Connection, cells: readonly Cell[], routesMax: number): Routes {
  const routes = new Map<string, Route>();
  /** An account does not change its cell while the process runs. */
  const homes = new Map<string, Cell>();

  async function homeOf(accountId: string): Promise<Cell | null> {
    const known = homes.get(accountId);
    if (known !== undefined) return known;
    const number = await cellOfAccount(connection, cells[0]!, accountId);
    const home = number === null ? undefined : cells[number];
    if (home === undefined) return null;
    setBounded(homes, accountId, home, routesMax);
    return home;
  }

  return {
    cached: (accountId) => routes.get(accountId),
    async read(accountId) {
      const cell = await homeOf(accountId);
      if (cell === null) return null;
      const read = await readRoute(connection, cell, accountId);
      if (read === null) return null;
      const route = { ...read, accountId, cell, receivers: new Map() };
      setBounded(routes, accountId, route, routesMax);
      return route;
    },
    invalidate: (accountId) => void routes.delete(accountId),
    invalidateAll: () => routes.clear(),
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
  const receivers = route.targets.filter(
    ({ active, product: own, eventTypes }) =>
      active && own === product && (eventTypes.length === 0 || eventTypes.includes(type)),
  );
  // Types come from catalogues, so there are few; the bound guards against a change of that.
  if (route.receivers.size < RECEIVERS_MAX) route.receivers.set(key, receivers);
  return receivers;
}
