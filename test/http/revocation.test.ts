/** Two nodes on one database, each of which remembers whose key is whose. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";

import type { MasterKeys } from "../../src/engine/secret.ts";
import { createDirectoryFeed, type DirectoryFeed } from "../../src/store/accounts/directory-feed.ts";
import type { Cells } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import {
  createCaller,
  createListeners,
  sendAsOperator,
  sendWithKey,
  type TestListeners,
} from "../support/service.ts";
import { linksOf, mintLink, openPortal, tokenOf } from "./portal.ts";

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
