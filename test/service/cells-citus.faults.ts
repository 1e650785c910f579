/** Cells move between the workers of a real Citus by the command while a node serves. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { noCitus, startCitus } from "../support/citus.ts";
import { run as runCommand } from "../cli/run.ts";
import { serve, until } from "./boathook.ts";
import { allCellsOf, cellsOf, checkLoad, QUICK, runWell, SETTINGS, startLoad, TOKEN } from "./cell-load.ts";
import { newClient, startReceiver, type Client } from "./client.ts";

test(
  "on Citus, cells that the command moves, drains and spreads under load lose nothing",
  { skip: noCitus() },
  async (t) => {
    const cluster = await startCitus();
    t.after(() => cluster.stop());
    const { coordinator } = await cluster.createDatabase("moving");
    assert.ok("url" in coordinator);
    const workers = cluster.workers.map(({ port }) => `127.0.0.1:${port}`);
    const settings = { ...SETTINGS, BOATHOOK_DATABASE_URL: coordinator.url, BOATHOOK_CELLS: "2" };
    const receiver = await startReceiver(t);
    const node = await serve(t, { ...settings, ...receiver.settings, ...QUICK });
    const clients: Client[] = [];
    for (let index = 0; index < 2; index += 1) {
      const client = await newClient(node, TOKEN, receiver);
      await client.register(node, "rates", `client-${index}`);
      clients.push(client);
    }
    const places = async () => (await cellsOf(settings)).map(({ server }) => server);
    const run = (...words: string[]) => runWell(["cells", ...words], settings);
    assert.deepEqual((await places()).toSorted(), workers.toSorted(), "each worker has one");

    const load = startLoad(t, [node], clients, receiver);
    await until(() => load.accepted.size > 20, "the load runs");
    const [first] = await places();
    const other = workers.find((worker) => worker !== first)!;
    await run("move", "0", other);
    assert.deepEqual(await places(), [other, other]);
    await run("move", "0", other);
    assert.deepEqual(JSON.parse(await run("rebalance", "--dry-run", "--json")).length, 1);
    await run("rebalance");
    assert.deepEqual((await places()).toSorted(), workers.toSorted());
    await run("drain", workers[0]!);
    assert.deepEqual(await places(), [workers[1], workers[1]]);
    const schedules = async () => (await allCellsOf(settings)).find(({ name }) => name === "schedules_0")!;
    for (const to of workers) {
      await run("move", "schedules_0", to);
      assert.equal((await schedules()).server, to);
      const calls = `${node.publicUrl}/schedules/public/port-calls?port=NLRTM`;
      await until(async () => (await fetch(calls)).status === 200, "the node follows the cell");
    }
    const refused = await runCommand(["cells", "move", "0", "nowhere:1"], { environment: settings });
    assert.equal(refused.status, 2);
    assert.match(refused.err, /Cell 0 cannot live on nowhere:1/);
    const before = load.accepted.size;
    await until(() => load.accepted.size > before + 20, "the load goes on");
    const { again } = await checkLoad(load, receiver);
    t.diagnostic(`${load.accepted.size} accepted, ${load.refused()} refused, ${again} came again`);
  },
);
