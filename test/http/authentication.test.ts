/** Keys and entitlements (spec 5). */
import assert from "node:assert/strict";
import { describe, test, after, before } from "node:test";
import { randomBytes } from "node:crypto";

import { mintKey } from "../../src/model/api-key.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import {
  sendWithKey,
  createCaller,
  sendAsOperator,
  send,
  startService,
  type Method,
  createListeners,
  type TestListeners,
} from "../support/service.ts";
import type { MasterKeys } from "../../src/engine/secret.ts";
import { createDirectoryFeed, type DirectoryFeed } from "../../src/store/accounts/directory-feed.ts";
import type { Cells } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { linksOf, mintLink, openPortal, tokenOf } from "./portal.ts";

describe("keys and entitlements", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  const read = async (tag: string, headers: Readonly<Record<string, string>>) =>
    (await send(service.api, { method: "GET", url: `/${tag}/v1/webhooks`, headers })).status;

  // spec 5: bearer, prefixes, unauthorized, family_key; 7: unauthorized
  test("a key is accepted by the products of its prefix and by no other", async () => {
    for (const [prefix, accepted] of [
      ["tracking", ["tracking", "air", "rates"]],
      ["schedules", ["schedules"]],
      ["rates", ["rates"]],
      ["loading", ["loading"]],
    ] as const) {
      const { key } = await createCaller(service, prefix);
      for (const tag of ["tracking", "air", "schedules", "rates", "loading"]) {
        const expected = (accepted as readonly string[]).includes(tag) ? 200 : 401;
        assert.equal(await read(tag, { authorization: `Bearer ${key}` }), expected, `${prefix} ${tag}`);
      }
    }
  });

  // spec 5: x_api_key, bearer
  test("every product takes the key in x-api-key as well, and prefers Authorization", async () => {
    const { key } = await createCaller(service, "tracking");
    for (const tag of ["tracking", "air", "rates"]) {
      assert.equal(await read(tag, { "x-api-key": key }), 200);
    }
    assert.equal(await read("tracking", { "x-api-key": "wrong", authorization: `Bearer ${key}` }), 200);
    for (const authorization of [`bearer ${key}`, `BEARER  ${key} `])
      assert.equal(await read("tracking", { authorization }), 200, authorization);
    for (const authorization of [
      "Bearer wrong",
      "Basic dTpw",
      "",
      "Bearer",
      `bearer${key}`,
      `Bearer ${key} x`,
    ])
      assert.equal(await read("tracking", { "x-api-key": key, authorization }), 401, authorization);
  });

  test("without a key each prefix that is good is named, as a beginning", async () => {
    const { body } = await send(service.api, { method: "GET", url: "/rates/v1/webhooks" });
    assert.match(body.error.message, /^send a key as Authorization: Bearer \w+_… or \w+_…$/);
  });

  test("a mistyped key and another product's key cost no lookup, and a key that never existed costs one", async () => {
    const { key } = await createCaller(service, "tracking");
    const slip = key.slice(0, -7) + (key.at(-7) === "x" ? "y" : "x") + key.slice(-6);
    service.fault = new Error("asked the database");
    try {
      assert.equal(await read("tracking", { authorization: `Bearer ${slip}` }), 401);
      assert.equal(await read("schedules", { authorization: `Bearer ${key}` }), 401);
    } finally {
      service.fault = null;
    }
    const neverMade = mintKey("tracking", systemRandom());
    assert.equal(await read("tracking", { authorization: `Bearer ${neverMade}` }), 401);
  });

  // spec 5: rotation
  test("a revoked key stops at once, and another of the account goes on", async () => {
    const { accountId, key, keyId } = await createCaller(service, "tracking");
    const keys = `/v1/accounts/${accountId}/keys`;
    const other = await sendAsOperator(service, "POST", keys, { prefix: "tracking" });
    assert.equal(await read("tracking", { authorization: `Bearer ${key}` }), 200);
    await sendAsOperator(service, "DELETE", `/v1/keys/${keyId}`);
    assert.equal(await read("tracking", { authorization: `Bearer ${key}` }), 401);
    assert.equal(await read("tracking", { authorization: `Bearer ${other.body.key}` }), 200);
  });

  for (const [tag, prefix, entitlement] of [
    ["air", "tracking", "aircargo"],
    ["rates", "tracking", "freightrates"],
    ["loading", "loading", "loading"],
  ] as const) {
    // spec 5: entitlements; 4.1: register_entitlement; 7: entitlement
    test(`${tag}: without ${entitlement} an account reads, changes and deletes, but neither registers nor tests`, async () => {
      const { accountId, key } = await createCaller(service, prefix, [entitlement]);
      const url = `/${tag}/v1/webhooks`;
      const ask = (method: Method, path: string, body?: object) =>
        sendWithKey(service, key, method, url + path, body);
      const { id } = (await ask("POST", "", { url: "https://example.com/" })).body.data;
      await sendAsOperator(service, "PATCH", `/v1/accounts/${accountId}`, { entitlements: [] });
      for (const answer of [
        await ask("POST", "", { url: "https://example.com/" }),
        await ask("POST", "", {}),
        await ask("POST", `/${id}/test`),
      ]) {
        const code = tag === "loading" ? "ENTITLEMENT_REQUIRED" : "entitlement_required";
        assertRefused(answer, 403, code, new RegExp(entitlement));
      }
      assert.equal((await ask("GET", "")).status, 200);
      assert.equal((await ask("GET", `/${id}`)).status, 200);
      assert.equal((await ask("PATCH", `/${id}`, { active: false })).status, 200);
      assert.equal((await ask("DELETE", `/${id}`)).status, 200);
    });
  }
});

type Node = TestListeners & { readonly feed: DirectoryFeed; lookups: number };

describe("two nodes", () => {
  let stored: TestDatabase;
  let clock: ManualClock;
  const masterKeys: MasterKeys = [randomBytes(32)];
  let nodes: readonly [Node, Node];
  const stops: (() => Promise<unknown>)[] = [];

  function startNode(): Node {
    const database: Database = {
      ...stored.database,
      async rows(statement, parameters) {
        if (/^(key|portal_link)_account/.test(statement.name)) node.lookups += 1;
        return stored.database.rows(statement, parameters);
      },
    };
    const cells = stored.cells as Cells;
    const feed = createDirectoryFeed({ database, cells, clock, log: silentLog });
    const following = feed.follow({ loops: unwatchedLoops });
    const ports = { database, cells, clock, log: silentLog, engine: fakeEngine(), feed };
    const listeners = createListeners({}, { ...ports, masterKeys });
    const node: Node = { ...listeners, feed, lookups: 0 };
    following.start();
    stops.push(
      following.stop,
      () => node.api.close(),
      () => node.ops.close(),
    );
    return node;
  }
  before(async () => {
    stored = await createTestDatabase();
    clock = manualClock();
    nodes = [startNode(), startNode()];
    await clock.atOnce(() => nodes.every(({ feed }) => feed.isFresh()), "both have read");
  });
  after(async () => {
    for (const stop of stops) await stop();
    await stored.drop();
  });

  /** Both have read what is committed, by their own intervals. */
  async function readBy(): Promise<void> {
    await clock.advance(500);
    for (const { feed } of nodes) assert.equal(feed.readAtMs(), clock.monotonicMs());
  }

  const list = async (node: Node, key: string) =>
    (await sendWithKey(node, key, "GET", "/tracking/v1/webhooks")).status;
  async function knownByBoth(prefix = "tracking") {
    const caller = await createCaller(nodes[0], prefix, ["aircargo"]);
    for (const node of nodes) assert.equal(await list(node, caller.key), 200, "at once");
    const lookups = nodes.map((node) => node.lookups);
    for (const node of nodes) assert.equal(await list(node, caller.key), 200);
    assert.deepEqual(
      nodes.map((node) => node.lookups),
      lookups,
      "from memory",
    );
    return caller;
  }

  // spec 5: rotation
  test("refuse a key within a second of its revocation on one of them", async () => {
    const { key, keyId } = await knownByBoth();
    assert.equal((await sendAsOperator(nodes[0], "DELETE", `/v1/keys/${keyId}`)).status, 200);
    await readBy();
    for (const node of nodes) assert.equal(await list(node, key), 401);
  });

  test("refuse it then even if they could not read of it", async () => {
    const { key, keyId } = await knownByBoth();
    await sendAsOperator(nodes[0], "DELETE", `/v1/keys/${keyId}`);
    // Fires no timer: a process that was frozen.
    const { monotonicMs } = clock;
    Object.assign(clock, { monotonicMs: () => monotonicMs() + 1_000 });
    try {
      assert.equal(await list(nodes[1], key), 401);
    } finally {
      Object.assign(clock, { monotonicMs });
    }
  });

  test("end the sessions of a link to the portal within a second of its revocation on one of them", async () => {
    const { accountId } = await createCaller(nodes[0], "tracking");
    const { text: link, id } = await mintLink(nodes[0], accountId);
    const token = await tokenOf(nodes[1], { link });
    for (const node of nodes) assert.equal(await list(node, token), 200);
    const lookups = nodes.map((node) => node.lookups);
    for (const node of nodes) assert.equal(await list(node, token), 200, "from memory");
    assert.deepEqual(
      nodes.map((node) => node.lookups),
      lookups,
    );
    const revoked = await sendAsOperator(nodes[0], "DELETE", `${linksOf(accountId)}/${id}`);
    assert.equal(revoked.status, 200);
    for (const node of nodes)
      assert.equal((await openPortal(node, { link })).status, 401, "the link, at once");
    await readBy();
    for (const node of nodes) assert.equal(await list(node, token), 401);
  });

  // spec 5: entitlements
  test("take a new entitlement in within a second", async () => {
    const { key, accountId } = await knownByBoth();
    const register = async (node: Node) =>
      (await sendWithKey(node, key, "POST", "/air/v1/webhooks", { url: "https://example.com/" })).status;
    assert.equal(await register(nodes[1]), 201);
    await sendAsOperator(nodes[0], "PATCH", `/v1/accounts/${accountId}`, { entitlements: [] });
    await readBy();
    assert.equal(await register(nodes[1]), 403);
    await sendAsOperator(nodes[0], "PATCH", `/v1/accounts/${accountId}`, { entitlements: ["aircargo"] });
    await readBy();
    assert.equal(await register(nodes[1]), 201);
  });
});
