/** Cells that are added while services run, which take them up without a restart. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { noCitus, startCitus } from "../support/citus.ts";
import { run } from "../cli/run.ts";
import { ask, serve, until, type Served, type Settings } from "./boathook.ts";
import { cellsOf, checkLoad, QUICK, runWell, SETTINGS, startLoad, TOKEN, oneServer } from "./cell-load.ts";
import { newClient, raise, startReceiver, type Client, type Receiver } from "./client.ts";

/** A node looks for new cells every five seconds. */
const TAKEN_UP_MS_MAX = 15_000;

/** An account that the node has put into a cell, with an endpoint that the other node has registered. */
async function clientIn(nodes: readonly [Served, Served], receiver: Receiver, path: string): Promise<Client> {
  const client = await newClient(nodes[0], TOKEN, receiver);
  await client.register(nodes[1], "rates", path);
  return client;
}

/** Events raised at each node for the account arrive. */
async function checkDelivers(
  nodes: readonly Served[],
  { accountId }: Client,
  receiver: Receiver,
  firstNumber: number,
): Promise<void> {
  const numbers = nodes.map((_, index) => firstNumber + index);
  for (const [index, node] of nodes.entries()) {
    assert.ok(await raise(node, TOKEN, accountId, [numbers[index]!]), `node ${index} takes the event`);
  }
  const arrived = () => new Set(receiver.arrivals.map(({ data }) => data.number as number));
  await until(() => numbers.every((number) => arrived().has(number)), "events raised at each node arrive");
}

const accountsIn = async (settings: Settings) =>
  (await cellsOf(settings)).map(({ accounts, open }) => (open ? accounts : "closed"));

async function checkHealth(nodes: readonly Served[], cells: number): Promise<void> {
  for (const node of nodes) {
    const { status, body } = await ask("GET", `${node.opsUrl}/readyz`, TOKEN);
    assert.deepEqual([status, body.cells], [200, undefined]);
    const metrics = await ask("GET", `${node.opsUrl}/metrics`, TOKEN);
    assert.match(metrics.body, new RegExp(`boathook_cell_up\\{cell="${cells - 1}"\\} 1`));
    const failed = node.err().match(/"level":"error".*/g) ?? [];
    assert.deepEqual(failed, [], "nothing is logged as an error");
    await node.stop();
  }
}

async function checkAdded(t: TestContext, settings: Settings): Promise<void> {
  const receiver = await startReceiver(t);
  const served = { ...settings, ...receiver.settings, ...QUICK };
  const nodes = [await serve(t, served), await serve(t, { ...served, BOATHOOK_WORKERS: "2" })] as const;
  const load = startLoad(t, nodes, [await clientIn(nodes, receiver, "old")], receiver);
  await until(() => load.accepted.size > 20, "the load runs");

  await runWell(["cells", "add", "--closed"], settings);
  assert.deepEqual(await accountsIn(settings), [1, "closed"]);
  await runWell(["cells", "open", "1"], settings);
  const client = await clientIn(nodes, receiver, "new");
  assert.deepEqual(await accountsIn(settings), [1, 1], "the new account lands in the new cell");
  await checkDelivers([...nodes, ...nodes, ...nodes], client, receiver, 1_000_000);
  const before = load.accepted.size;
  await until(() => load.accepted.size > before + 20, "the load goes on");
  await checkLoad(load, receiver);
  assert.equal(load.refused(), 0, "no request for an account of the old cell fails");
  await checkHealth(nodes, 2);
}

test("two services, one with two workers, take up a cell that is added while they serve", async (t) => {
  await checkAdded(t, await oneServer(t, 1));
});

test(
  "on Citus, two services take up a cell that is added while they serve",
  { skip: noCitus() },
  async (t) => {
    const cluster = await startCitus();
    t.after(() => cluster.stop());
    const { coordinator } = await cluster.createDatabase("adding");
    assert.ok("url" in coordinator);
    const url = { BOATHOOK_DATABASE_URL: coordinator.url, BOATHOOK_CELLS: "1" };
    await checkAdded(t, { ...SETTINGS, ...url });
  },
);

test("a node that is killed at any step of taking a cell up, and starts again, keeps no account from it", async (t) => {
  const settings = await oneServer(t, 1);
  const receiver = await startReceiver(t);
  const served = { ...settings, ...receiver.settings, ...QUICK };
  const node = await serve(t, served);
  await clientIn([node, node], receiver, "old");
  const steps = [
    async () => undefined,
    async (cell: number) => until(async () => (await cellsOf(settings)).length > cell, "it is listed"),
    async (cell: number, other: Served) => {
      const isUsed = () => other.err().includes(`"cell":${cell},"msg":"a cell was added`);
      await until(isUsed, "it is taken up", TAKEN_UP_MS_MAX);
    },
  ];
  for (const [index, step] of steps.entries()) {
    const cell = index + 1;
    const other = await serve(t, served);
    const adding = run(["cells", "add"], { environment: settings });
    await step(cell, other);
    other.signal("SIGKILL");
    const again = await serve(t, served);
    const { status, err } = await adding;
    assert.equal(status, 0, err);
    const states = (await cellsOf(settings)).map(({ open }) => open);
    assert.equal(states[cell], true, err);
    const client = await clientIn([again, node], receiver, `new-${cell}`);
    assert.equal((await accountsIn(settings))[cell], 1);
    await checkDelivers([node, again], client, receiver, cell * 100);
    await again.stop();
  }
  await checkHealth([node], steps.length + 1);
});
