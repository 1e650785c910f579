/** Endpoints as clients register, change and delete them, and the routes that raising takes from them. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import {
  deleteEndpoint,
  type EndpointChange,
  insertEndpoint,
  listAccountEndpoints,
  listEndpoints,
  readEndpoint,
  updateEndpoint,
} from "../../src/store/endpoints/endpoints.ts";
import { findEndpoint } from "../../src/store/endpoints/endpoints.ts";
import { readRoute, readTargets } from "../../src/store/endpoints/routes.ts";
import { dateOf, type StoreRows, idOf, openStoreRows, plain, timeOf } from "./store-rows.ts";

const NOW = 5_000;
const OWNER = { accountId: idOf(1), product: "tracking" };

/** An endpoint as it is shown, by default one that the rows make. */
const shown = (id: number, fields: object = {}) => ({
  id,
  accountId: 1,
  product: "tracking",
  url: `https://receiver.test/${id}`,
  eventTypes: [],
  description: "",
  active: true,
  failureCount: 0,
  lastDeliveryAt: null,
  createdAt: 0,
  disabledAt: null,
  disabledReason: null,
  missedEvents: 0,
  ...fields,
});

describe("endpoints", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(async () => {
    await rows.clear();
    await rows.account(1);
    await rows.account(2);
  });

  const versions = () => rows.read("select id, routing_version from cell.accounts order by 1");
  const numbers = (found: readonly { readonly id: string }[]) => found.map(({ id }) => plain(id));

  describe("a registration", () => {
    const insert = (id: number, endpointsMax: number) =>
      insertEndpoint(
        rows.database,
        rows.cell,
        {
          ...OWNER,
          id: idOf(id),
          url: "https://receiver.test/new",
          eventTypes: ["eta_changed"],
          description: "new",
          createdAt: new Date(timeOf(NOW)),
          sealedSecretHash: Buffer.from([1, 2]),
        },
        endpointsMax,
      );

    test("makes an endpoint that is active and has no failures, and moves the account's routes on", async () => {
      assert.deepEqual(
        plain(await insert(11, 1)),
        shown(11, {
          url: "https://receiver.test/new",
          eventTypes: ["eta_changed"],
          description: "new",
          createdAt: NOW,
        }),
      );
      assert.deepEqual(await rows.read("select id, sealed_secret_hash from cell.endpoints"), [
        [11, Buffer.from([1, 2])],
      ]);
      assert.deepEqual(await versions(), [
        [1, "2"],
        [2, "1"],
      ]);
    });

    test("is refused when the account has as many on the product as it may; others do not count", async () => {
      await rows.endpoint(1);
      await rows.endpoint(2, { product: "air" });
      await rows.endpoint(3, { account_id: idOf(2) });
      assert.equal(plain((await insert(11, 2))?.id), 11);
      assert.equal(await insert(12, 2), null);
      assert.deepEqual(await rows.read("select id from cell.endpoints order by 1"), [[1], [2], [3], [11]]);
    });
  });

  test("an endpoint is read by its owner on its product only, and by the operator by its id", async () => {
    const endpoint = {
      event_types: ["eta_changed"],
      description: "mine",
      failure_count: 2,
      last_delivery_at: dateOf(3),
    };
    await rows.endpoint(1, endpoint);
    await rows.endpoint(2, { active: false, inactive_since: dateOf(9) });
    const one = shown(1, {
      eventTypes: ["eta_changed"],
      description: "mine",
      failureCount: 2,
      lastDeliveryAt: 3,
    });
    const { database, cell } = rows;
    assert.deepEqual(plain(await readEndpoint(database, cell, OWNER, idOf(1))), one);
    assert.deepEqual(
      plain(await readEndpoint(database, cell, OWNER, idOf(2))),
      shown(2, { active: false, disabledAt: 9 }),
    );
    assert.equal(await readEndpoint(database, cell, { ...OWNER, product: "air" }, idOf(1)), null);
    assert.equal(await readEndpoint(database, cell, { ...OWNER, accountId: idOf(2) }, idOf(1)), null);
    assert.deepEqual(plain(await findEndpoint(database, cell, idOf(1))), one);
    assert.equal(await findEndpoint(database, cell, idOf(3)), null);
  });

  test("lists are newest first, of one account and product, page by page", async () => {
    for (const id of [1, 2, 3, 4]) await rows.endpoint(id);
    await rows.endpoint(5, { product: "air" });
    await rows.endpoint(6, { account_id: idOf(2) });
    const list = async (afterId: string | null, limit: number) =>
      numbers(await listEndpoints(rows.database, rows.cell, OWNER, { afterId, limit }));
    assert.deepEqual(await list(null, 3), [4, 3, 2]);
    assert.deepEqual(await list(idOf(2), 3), [1]);
    assert.deepEqual(await list(null, 10), [4, 3, 2, 1]);
    const [first] = await listEndpoints(rows.database, rows.cell, OWNER, { afterId: null, limit: 1 });
    assert.deepEqual(plain(first), shown(4));
    const all = await listAccountEndpoints(rows.database, rows.cell, idOf(1));
    assert.deepEqual(numbers(all), [5, 4, 3, 2, 1]);
    assert.deepEqual(plain(all[1]), shown(4));
  });

  describe("a change", () => {
    const was = {
      event_types: ["eta_changed"],
      description: "was",
      failure_count: 4,
      last_delivery_at: dateOf(7),
    };
    const unchanged = shown(1, {
      eventTypes: ["eta_changed"],
      description: "was",
      failureCount: 4,
      lastDeliveryAt: 7,
    });
    const paused = { active: false, inactive_since: dateOf(100) };
    const cases: readonly (readonly [
      what: string,
      row: object,
      change: EndpointChange,
      becomes: object,
      inactiveSince: number | null,
      isRerouted: boolean,
    ])[] = [
      ["of nothing leaves all as it is", {}, {}, {}, null, false],
      ["of the url", {}, { url: "https://b.test/" }, { url: "https://b.test/" }, null, true],
      ["of the types", {}, { eventTypes: [] }, { eventTypes: [] }, null, true],
      ["of the description decides nothing", {}, { description: "" }, { description: "" }, null, false],
      ["to inactive keeps the failures", {}, { active: false }, { active: false }, NOW, true],
      ["to active resets the failures", {}, { active: true }, { failureCount: 0 }, null, true],
      ["from paused to active", paused, { active: true }, { failureCount: 0 }, null, true],
      ["from paused to inactive keeps the time", paused, { active: false }, { active: false }, 100, true],
      [
        "of the url while paused",
        paused,
        { url: "https://b.test/" },
        { active: false, url: "https://b.test/" },
        100,
        true,
      ],
    ];
    for (const [what, row, change, becomes, inactiveSince, isRerouted] of cases) {
      test(what, async () => {
        await rows.endpoint(1, { ...was, ...row });
        await rows.endpoint(2);
        const changed = await updateEndpoint(rows.database, rows.cell, OWNER, idOf(1), change, dateOf(NOW));
        const disabledReason = inactiveSince === NOW ? "paused" : null;
        const off = { disabledAt: inactiveSince, disabledReason };
        assert.deepEqual(plain(changed), { ...unchanged, ...off, ...becomes });
        assert.deepEqual(await rows.read("select inactive_since from cell.endpoints order by id"), [
          [inactiveSince],
          [null],
        ]);
        assert.deepEqual(await versions(), [
          [1, isRerouted ? "2" : "1"],
          [2, "1"],
        ]);
      });
    }

    test("to active forgets why it was off and what it missed; nothing else does", async () => {
      const off = { disabled_reason: "failures", missed_events: 7, failing_since: dateOf(90) };
      await rows.endpoint(1, { ...paused, ...off });
      const change = (to: EndpointChange) =>
        updateEndpoint(rows.database, rows.cell, OWNER, idOf(1), to, dateOf(NOW));
      await change({ url: "https://b.test/" });
      const still = await change({ active: false });
      assert.deepEqual(plain([still?.disabledAt, still?.disabledReason, still?.missedEvents]), [
        100,
        "failures",
        7,
      ]);
      const again = await change({ active: true });
      assert.deepEqual([again?.disabledAt, again?.disabledReason, again?.missedEvents], [null, null, 0]);
      assert.deepEqual(await rows.read("select failing_since from cell.endpoints"), [[null]]);
    });

    test("of what is another's, or on another product, changes nothing", async () => {
      await rows.endpoint(1);
      for (const owner of [
        { ...OWNER, accountId: idOf(2) },
        { ...OWNER, product: "air" },
      ]) {
        const changed = await updateEndpoint(
          rows.database,
          rows.cell,
          owner,
          idOf(1),
          { active: false },
          dateOf(NOW),
        );
        assert.equal(changed, null);
      }
      assert.deepEqual(await rows.read("select active from cell.endpoints"), [[true]]);
      assert.deepEqual(await versions(), [
        [1, "1"],
        [2, "1"],
      ]);
    });
  });

  test("a deletion leaves the history to be pruned and moves the routes on; another's id does nothing", async () => {
    const remove = (owner: object, id: number) =>
      deleteEndpoint(rows.database, rows.cell, { ...OWNER, ...owner }, idOf(id), dateOf(NOW));
    await rows.endpoint(1);
    await rows.endpoint(2);
    assert.equal(await remove({ accountId: idOf(2) }, 1), false);
    assert.equal(await remove({ product: "air" }, 1), false);
    assert.deepEqual(await versions(), [
      [1, "1"],
      [2, "1"],
    ]);
    assert.equal(await remove({}, 1), true);
    assert.deepEqual(await rows.read("select id from cell.endpoints"), [[2]]);
    assert.deepEqual(await rows.read("select endpoint_id, deleted_at from cell.deleted_endpoints"), [
      [1, NOW],
    ]);
    assert.deepEqual(await versions(), [
      [1, "2"],
      [2, "1"],
    ]);
  });

  test("a route is an account's version and all its endpoints, and there is one without endpoints", async () => {
    const { database, cell } = rows;
    const target = (id: number, fields: object = {}) => {
      const { disabledAt: _, disabledReason: __, missedEvents: ___, ...listed } = shown(id);
      const { description: ____, lastDeliveryAt: _____, createdAt: ______, ...of } = listed;
      return { ...of, sealedSecretHash: Buffer.alloc(1), ...fields };
    };
    assert.deepEqual(await readRoute(database, cell, idOf(1)), { version: 1, targets: [] });
    assert.equal(await readRoute(database, cell, idOf(9)), null);
    await rows.endpoint(1, { event_types: ["eta_changed"], failure_count: 3 });
    await rows.endpoint(2, { active: false, inactive_since: dateOf(0), product: "air" });
    await rows.endpoint(3, { account_id: idOf(2) });
    await rows.run(`update cell.accounts set routing_version = 7 where id = '${idOf(1)}'`);
    const route = await readRoute(database, cell, idOf(1));
    const byId = route!.targets.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const first = target(1, { eventTypes: ["eta_changed"], failureCount: 3 });
    assert.deepEqual(plain({ version: route!.version, targets: byId }), {
      version: 7,
      targets: [first, target(2, { active: false, product: "air" })],
    });
    assert.deepEqual(plain(await readTargets(database, cell, [idOf(1), idOf(9)])), [first]);
  });
});
