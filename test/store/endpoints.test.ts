/** Endpoints as clients register, change and delete them, and the routes that raising takes from them. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  deleteEndpoint,
  type EndpointChange,
  insertEndpoint,
  listEndpoints,
  readEndpoint,
  updateEndpoint,
} from "../../src/store/endpoints/endpoints.ts";
import { endpointFind, endpointListOfAccount } from "../../src/store/endpoints/endpoints.sql.ts";
import { readRoute } from "../../src/store/endpoints/routes.ts";
import { targetList } from "../../src/store/endpoints/routes.sql.ts";
import { dateOf, idOf, plain, storeRows } from "./store-rows.ts";

const NOW = 5_000;
const OWNER = { accountId: idOf(1), product: "tracking" };
/** Nobody else's, and of no other product. */
const OTHERS = [
  { ...OWNER, accountId: idOf(2) },
  { ...OWNER, product: "air" },
];
const NEW_URL = { url: "https://b.test/" };

const targetOf = (id: number, fields: object = {}) => ({
  ...{ id, accountId: 1, product: "tracking", url: `https://receiver.test/${id}`, eventTypes: [] },
  ...{ active: true, failureCount: 0, ...fields },
});
/** An endpoint as it is shown, by default one that the rows make. */
const shown = (id: number, fields: object = {}) => ({
  ...targetOf(id),
  ...{ description: "", lastDeliveryAt: null, createdAt: 0, disabledAt: null, disabledReason: null },
  ...{ missedEvents: 0, ...fields },
});

const MANY = 40;

describe("endpoints", () => {
  const rows = storeRows();
  beforeEach(async () => {
    for (const id of [1, 2]) await rows.account(id);
  });

  /** Of both accounts. */
  const versions = () => rows.read("select routing_version::integer from cell.accounts order by id");
  const numbers = (found: readonly { readonly id: string }[]) => plain(found.map(({ id }) => id));
  const change = async (to: EndpointChange, owner = OWNER) =>
    plain(await updateEndpoint(rows.database, rows.cell, owner, idOf(1), to, dateOf(NOW)));

  test("are made and changed at once, and nobody waits for one who waits for him", async () => {
    await rows.endpoint(1);
    await rows.endpoint(2, { account_id: idOf(2) });
    const { database, cell } = rows;
    const given = {
      ...OWNER,
      url: "https://receiver.test/",
      eventTypes: [],
      description: "",
      createdAt: dateOf(NOW),
    };
    const made = { ...given, sealedSecretHash: Buffer.from([1]) };
    const other = { ...OWNER, accountId: idOf(2) };
    const all = Array.from({ length: MANY }, (_, n) => [
      insertEndpoint(database, cell, { ...made, id: idOf(100 + n) }, 1_000),
      updateEndpoint(database, cell, OWNER, idOf(1), { active: n % 2 === 0 }, dateOf(NOW)),
      updateEndpoint(database, cell, other, idOf(2), { active: true }, dateOf(NOW)),
    ]);
    for (const one of await Promise.all(all.flat())) assert.ok(one !== null);
  });

  test("are as many as an account may have on a product, active, without failures, and move its routes on", async () => {
    const described = { url: "https://receiver.test/new", eventTypes: ["eta_changed"], description: "new" };
    const given = { ...OWNER, ...described, createdAt: dateOf(NOW), sealedSecretHash: Buffer.from([1, 2]) };
    const insert = async (id: number) =>
      plain(await insertEndpoint(rows.database, rows.cell, { ...given, id: idOf(id) }, 2));
    await rows.endpoint(1);
    await rows.endpoint(2, { product: "air" });
    await rows.endpoint(3, { account_id: idOf(2) });
    assert.deepEqual(await insert(11), shown(11, { ...described, createdAt: NOW }));
    assert.deepEqual(await versions(), [[2], [1]]);
    assert.equal(await insert(12), null);
    assert.deepEqual(
      await rows.read("select id, sealed_secret_hash from cell.endpoints order by 1 desc limit 2"),
      [
        [11, Buffer.from([1, 2])],
        [3, Buffer.alloc(1)],
      ],
    );
  });

  test("are their account's on their product: nobody else reads, lists, changes or deletes them", async () => {
    const { database, cell } = rows;
    for (const id of [1, 2, 3, 4]) await rows.endpoint(id);
    await rows.endpoint(5, { product: "air" });
    await rows.endpoint(6, { account_id: idOf(2) });
    const list = async (afterId: string | null, limit: number) =>
      numbers(await listEndpoints(database, cell, OWNER, { afterId, limit }));
    assert.deepEqual(
      [await list(null, 10), await list(null, 3), await list(idOf(2), 3)],
      [[4, 3, 2, 1], [4, 3, 2], [1]],
    );
    assert.deepEqual(numbers(await endpointListOfAccount(database, cell, idOf(1))), [5, 4, 3, 2, 1]);
    const one = shown(1);
    assert.deepEqual(plain(await readEndpoint(database, cell, OWNER, idOf(1))), one);
    assert.deepEqual(
      plain(await endpointFind(database, cell, idOf(1))),
      one,
      "the operator's, by its id alone",
    );
    assert.equal(await endpointFind(database, cell, idOf(9)), null);
    for (const other of OTHERS) {
      assert.equal(await readEndpoint(database, cell, other, idOf(1)), null);
      assert.equal(await change({ active: false }, other), null);
      assert.equal(await deleteEndpoint(database, cell, other, idOf(1), dateOf(NOW)), false);
    }
    assert.deepEqual(plain(await readEndpoint(database, cell, OWNER, idOf(1))), one);
    assert.deepEqual(await versions(), [[1], [1]]);
  });

  const PAUSED = { active: false, inactive_since: dateOf(100) };
  type Case = readonly [
    string,
    row: object,
    EndpointChange,
    object,
    since: number | null,
    isRerouted: boolean,
  ];
  const cases: readonly Case[] = [
    ["of nothing leaves all as it is", {}, {}, {}, null, false],
    ["of the url", {}, NEW_URL, NEW_URL, null, true],
    ["of the types", {}, { eventTypes: [] }, { eventTypes: [] }, null, true],
    ["of the description decides nothing", {}, { description: "" }, { description: "" }, null, false],
    ["to inactive keeps the failures", {}, { active: false }, { active: false }, NOW, true],
    ["to active resets the failures", {}, { active: true }, { failureCount: 0 }, null, true],
    ["from paused to active", PAUSED, { active: true }, { failureCount: 0 }, null, true],
    ["from paused to inactive keeps the time", PAUSED, { active: false }, { active: false }, 100, true],
    ["of the url while paused", PAUSED, NEW_URL, { active: false, ...NEW_URL }, 100, true],
  ];
  // spec 4.1: update_active; 3.2: paused, resumed; 2.1: active, failure_count
  for (const [what, row, to, becomes, since, isRerouted] of cases) {
    test(`a change ${what}`, async () => {
      const was = { event_types: ["eta_changed"], description: "was", failure_count: 4 };
      await rows.endpoint(1, { ...was, last_delivery_at: dateOf(7), ...row });
      await rows.endpoint(2);
      const unchanged = {
        eventTypes: ["eta_changed"],
        description: "was",
        failureCount: 4,
        lastDeliveryAt: 7,
      };
      const off = { disabledAt: since, disabledReason: since === NOW ? "paused" : null };
      assert.deepEqual(await change(to), shown(1, { ...unchanged, ...off, ...becomes }));
      assert.deepEqual(await rows.read("select inactive_since from cell.endpoints order by id"), [
        [since],
        [null],
      ]);
      assert.deepEqual(await versions(), [[isRerouted ? 2 : 1], [1]]);
    });
  }

  test("a change to active forgets why it was off and what it missed; nothing else does", async () => {
    const off = { disabledAt: 100, disabledReason: "failures", missedEvents: 7, active: false };
    const row = { disabled_reason: "failures", missed_events: 7, failing_since: dateOf(90) };
    await rows.endpoint(1, { ...PAUSED, ...row });
    assert.deepEqual(await change(NEW_URL), shown(1, { ...off, ...NEW_URL }));
    assert.deepEqual(await change({ active: false }), shown(1, { ...off, ...NEW_URL }));
    assert.deepEqual(await change({ active: true }), shown(1, NEW_URL));
    assert.deepEqual(await rows.read("select failing_since from cell.endpoints"), [[null]]);
  });

  test("a deletion leaves the history to be pruned, and moves the routes on", async () => {
    for (const id of [1, 2]) await rows.endpoint(id);
    assert.equal(await deleteEndpoint(rows.database, rows.cell, OWNER, idOf(1), dateOf(NOW)), true);
    assert.deepEqual(await rows.read("select id from cell.endpoints"), [[2]]);
    assert.deepEqual(await rows.read("select endpoint_id, deleted_at from cell.deleted_endpoints"), [
      [1, NOW],
    ]);
    assert.deepEqual(await versions(), [[2], [1]]);
  });

  test("a route is an account's version and all its endpoints, and there is one without endpoints", async () => {
    const { database, cell } = rows;
    assert.deepEqual(await readRoute(database, cell, idOf(1)), { version: 1, targets: [] });
    assert.equal(await readRoute(database, cell, idOf(9)), null);
    await rows.endpoint(1, { event_types: ["eta_changed"], failure_count: 3 });
    await rows.endpoint(2, { active: false, inactive_since: dateOf(0), product: "air" });
    await rows.endpoint(3, { account_id: idOf(2) });
    await rows.run(`update cell.accounts set routing_version = 7 where id = '${idOf(1)}'`);
    const route = await readRoute(database, cell, idOf(1));
    const sealed = { sealedSecretHash: Buffer.alloc(1) };
    const first = targetOf(1, { eventTypes: ["eta_changed"], failureCount: 3, ...sealed });
    assert.deepEqual(
      plain({ ...route, targets: route?.targets.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }),
      { version: 7, targets: [first, targetOf(2, { active: false, product: "air", ...sealed })] },
    );
    assert.deepEqual(plain(await targetList(database, cell, [idOf(1), idOf(9)])), [first]);
  });
});
