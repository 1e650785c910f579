/** The order of a rotation of the master key over several nodes, as docs/operations.md gives it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { run, settingsFor } from "../cli/run.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { makeDataFolder, serve, start, until, type Served, type Settings } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder();
const TOKEN = "the-operator-of-this-test";
const [OLD, NEW] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")];

/** What the nodes get, step by step. */
const STEPS: readonly Settings[] = [
  { BOATHOOK_MASTER_KEY: OLD, BOATHOOK_MASTER_KEY_PREVIOUS: NEW },
  { BOATHOOK_MASTER_KEY: NEW, BOATHOOK_MASTER_KEY_PREVIOUS: OLD },
  { BOATHOOK_MASTER_KEY: NEW },
];

test("two nodes take a new master key one after the other, and each signs at every moment for endpoints of the other", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const receiver = await startReceiver(t);
  const usual = {
    ...settingsFor(database),
    ...receiver.settings,
    ...{ BOATHOOK_DATA_DIR: folder, BOATHOOK_OPERATOR_TOKEN: TOKEN, BOATHOOK_LOG_LEVEL: "warn" },
  };
  const nodes: Served[] = [];
  for (const _ of [0, 1]) nodes.push(await serve(t, { ...usual, BOATHOOK_MASTER_KEY: OLD }));
  const client = await newClient(nodes[0]!, TOKEN, receiver);
  const said: string[] = [];

  let [registered, raised] = [0, 0];
  /** Each node registers an endpoint, and raises an event for all. */
  const use = async () => {
    for (const node of nodes) await client.register(node, "rates", `endpoint-${(registered += 1)}`);
    const before = receiver.arrivals.length;
    for (const node of nodes) assert.ok(await raise(node, TOKEN, client.accountId, [(raised += 1)]));
    await until(
      () => receiver.arrivals.length >= before + nodes.length * registered,
      "both nodes' events arrive at all",
    );
  };
  await use();
  const tooEarly = await run(["rotate-master-key"], { environment: { ...usual, ...STEPS[1] } });
  assert.equal(tooEarly.status, 1);
  assert.equal(tooEarly.err.match(/^ {2}boathook \d+ /gm)?.length, 2, tooEarly.err);
  for (const [step, keys] of STEPS.entries()) {
    if (step === STEPS.length - 1) {
      const early = start(t, ["serve"], { ...usual, ...keys, BOATHOOK_LISTEN: "127.0.0.1:0" });
      assert.equal(await early.ended, 1);
      assert.match(early.err(), /sealed under a master key that is not configured/, "while secrets are left");
      const rotated = await run(["rotate-master-key", "--json"], {
        environment: { ...usual, ...STEPS[1] },
      });
      assert.equal(rotated.status, 0, rotated.err);
      assert.ok(JSON.parse(rotated.out).resealed > 0);
    }
    for (const index of nodes.keys()) {
      const node = nodes[index]!;
      await node.stop();
      said.push(node.err());
      nodes[index] = await serve(t, { ...usual, ...keys });
      // One node has the keys of this step, the other may have those of the last.
      await use();
    }
  }
  assert.deepEqual(receiver.wrong, [], "all signed with the secrets that clients have");
  for (const text of [...said, ...nodes.map((node) => node.err())])
    assert.doesNotMatch(text, /"level":(?:50|"error")/, text);
});

test("a node without the new key cannot sign for what another sealed under it, but loses nothing: hence the first step", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const receiver = await startReceiver(t);
  const usual = {
    ...{ ...settingsFor(database), ...receiver.settings, BOATHOOK_SWEEP_INTERVAL: "500ms" },
    ...{ BOATHOOK_DATA_DIR: folder, BOATHOOK_OPERATOR_TOKEN: TOKEN },
  };
  const late = await serve(t, { ...usual, BOATHOOK_MASTER_KEY: OLD });
  const early = await serve(t, { ...usual, BOATHOOK_MASTER_KEY: NEW, BOATHOOK_MASTER_KEY_PREVIOUS: OLD });
  const client = await newClient(early, TOKEN, receiver);
  await client.register(early, "rates", "new");
  await raise(late, TOKEN, client.accountId, [1]);
  late.signal("SIGTERM");
  await late.ended;
  assert.match(late.err(), /master key that is not configured/);
  await until(() => receiver.arrivals.length > 0, "another node sends it", 45_000);
  assert.deepEqual(receiver.wrong, []);
  const dead = "select 1 from boathook_cell_0.deliveries where status = 'dead'";
  assert.deepEqual((await query(database.address, dead)).rows, []);
});
