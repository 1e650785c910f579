/** Which endpoints receive an event. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createRoutes, receiversOf, type Route } from "../../src/engine/raise/routes.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import type { Target } from "../../src/model/endpoint.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";
import type { Statement } from "../../src/store/sql.ts";
import { TARGET } from "./endpoint.ts";

const routeTo = (...targets: readonly Partial<Target>[]): Route =>
  ({
    accountId: "a",
    targets: targets.map((target, index) => ({ ...TARGET, id: `${index}`, ...target })),
    receivers: new Map(),
  }) as unknown as Route;

const EVENT: RaisedEvent = {
  product: "tracking",
  accountId: "a",
  type: "eta_changed",
  data: "{}",
  occurredAtMs: 0,
};
const receivers = (route: Route, event: Partial<RaisedEvent> = {}) =>
  receiversOf(route, { ...EVENT, ...event }).map(({ id }) => id);

describe("an event goes to", () => {
  test("endpoints of its product that are active and subscribed, or to everything", () => {
    const route = routeTo(
      {},
      { eventTypes: ["eta_changed", "customs_hold"] },
      { eventTypes: ["customs_hold"] },
      { active: false },
      { product: "air" },
    );
    assert.deepEqual(receivers(route), ["0", "1"]);
    assert.deepEqual(receivers(route, { type: "customs_hold" }), ["0", "1", "2"]);
    assert.deepEqual(receivers(route, { product: "air" }), ["4"]);
    assert.deepEqual(receivers(route), ["0", "1"], "the second time as the first");
  });

  test("the one endpoint that is named, whatever its subscription, while it is active", () => {
    const route = routeTo({}, { eventTypes: ["customs_hold"] }, { active: false });
    assert.deepEqual(receivers(route, { type: "ping", onlyEndpointId: "1" }), ["1"]);
    assert.deepEqual(receivers(route, { type: "ping", onlyEndpointId: "2" }), []);
    assert.equal(route.receivers.size, 0);
  });

  test("the same endpoints without asking again, for a bounded number of types", () => {
    const route = routeTo({});
    assert.equal(receiversOf(route, EVENT), receiversOf(route, EVENT));
    for (let count = 0; count < 1_010; count += 1) receivers(route, { type: `type_${count}` });
    assert.equal(route.receivers.size, 1_000);
    assert.deepEqual(receivers(route, { type: "one_more" }), ["0"]);
  });
});

describe("the routes in memory", () => {
  const cells = [0, 1].map((number) => ({ number, schema: `c${number}`, directory: "d" }));

  /** A database in which each account has one endpoint, and lives in the cell that is named. */
  function start(homes: Readonly<Record<string, number>>, routesMax = 10, gone: readonly string[] = []) {
    const asked: string[] = [];
    /** Reads that find nothing. */
    const left: string[] = [];
    const connection = {
      async rows({ name }: Statement, [accountId]: readonly unknown[] = []) {
        asked.push(`${name} ${String(accountId)}`);
        const home = homes[String(accountId)];
        if (name.startsWith("account_cell")) return home === undefined ? [] : [{ cell: home }];
        if (left.includes(asked.at(-1)!)) return [];
        return gone.includes(String(accountId)) ? [] : [{ ...TARGET, version: 7 }];
      },
    } as unknown as Connection;
    const known = new Map<string, number>();
    const accountCells = {
      cellOf: (accountId: string) => known.get(accountId),
      learn: (accountId: string, number: number) => void known.set(accountId, number),
      forget: (accountId: string) => void known.delete(accountId),
    };
    return { asked, left, known, routes: createRoutes(connection, cells, routesMax, accountCells) };
  }

  test("are read once, from the account's own cell, whose number is asked for once", async () => {
    const { asked, routes } = start({ a: 1 });
    assert.equal(routes.cached("a"), undefined);
    const route = await routes.read("a");
    assert.deepEqual(route, {
      version: 7,
      targets: [TARGET],
      accountId: "a",
      cell: cells[1],
      receivers: new Map(),
      inactive: [],
    });
    assert.equal(routes.cached("a"), route);
    assert.notEqual(await routes.read("a"), route);
    assert.deepEqual(asked, ["account_cell@d a", "route_read@c1 a", "route_read@c1 a"]);
  });

  test("are none of an account that does not exist, and unknown for one of a cell that is new", async () => {
    const { asked, routes } = start({ early: 2, gone: 0 }, 10, ["gone"]);
    assert.equal(await routes.read("nobody"), null);
    await assert.rejects(routes.read("early"), StoreUnavailable);
    // It lives there by the directory: it is being removed.
    await assert.rejects(routes.read("gone"), { name: "StoreUnavailable", reason: "account_closed" });
    assert.deepEqual(asked.at(-1), "route_read@c0 gone");
    assert.equal(routes.cached("gone"), undefined);
  });

  test("are none of an account that was removed, whose cell is forgotten", async () => {
    const homes: Record<string, number> = { a: 1 };
    const gone: string[] = [];
    const { asked, known, routes } = start(homes, 10, gone);
    await routes.read("a");
    assert.equal(known.get("a"), 1);
    delete homes["a"];
    gone.push("a");
    assert.equal(await routes.read("a"), null);
    assert.equal(known.has("a"), false);
    assert.equal(await routes.read("a"), null);
    assert.deepEqual(asked.slice(-3), ["route_read@c1 a", "account_cell@d a", "account_cell@d a"]);
  });

  test("are read in a cell that the caller names without the directory, and from then on from there", async () => {
    const { asked, routes } = start({}, 10, ["gone"]);
    const route = await routes.readIn(cells[1]!, "a");
    assert.equal(route?.cell, cells[1]);
    assert.equal(routes.cached("a"), route);
    assert.equal((await routes.read("a"))?.cell, cells[1]);
    assert.equal(await routes.readIn(cells[1]!, "gone"), null);
    assert.deepEqual(asked, ["route_read@c1 a", "route_read@c1 a", "route_read@c1 gone"]);
  });

  test("are forgotten one by one, and all together", async () => {
    const { routes } = start({ a: 0, b: 0, c: 0 });
    for (const accountId of ["a", "b", "c"]) await routes.read(accountId);
    const known = () => ["a", "b", "c"].filter((accountId) => routes.cached(accountId) !== undefined);
    routes.invalidate("b");
    assert.deepEqual(known(), ["a", "c"]);
    routes.invalidateAll();
    assert.deepEqual(known(), []);
  });

  test("are so many and no more: what was read first goes first, unless it was read again", async () => {
    const { routes, asked } = start({ a: 0, b: 0, c: 0 }, 2);
    for (const accountId of ["a", "b", "a", "c"]) await routes.read(accountId);
    assert.deepEqual(
      ["a", "b", "c"].filter((accountId) => routes.cached(accountId) !== undefined),
      ["a", "c"],
    );
    await routes.read("a");
    await routes.read("b");
    const timesAsked = (id: string) => asked.filter((one) => one === `account_cell@d ${id}`).length;
    assert.deepEqual([timesAsked("a"), timesAsked("b")], [1, 1], "the cells are known");
  });
});
