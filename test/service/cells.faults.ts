/** Cells move between two servers by the command while two nodes serve, and the command is killed again and again. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, serve, start, until } from "./boathook.ts";
import { cellsOf, checkLoad, QUICK, runWell, startLoad, TOKEN, twoServers } from "./cell-load.ts";
import { newClient, startReceiver, type Client } from "./client.ts";

const KILLS = 6;

test("cells that move under load, by commands that are killed at any moment, lose nothing, double nothing and send nothing early", async (t) => {
  const settings = await twoServers(t, 2);
  const receiver = await startReceiver(t);
  const served = { ...settings, ...receiver.settings, ...QUICK };
  const nodes = [await serve(t, served), await serve(t, served)];
  const clients: Client[] = [];
  for (let index = 0; index < 4; index += 1) {
    const client = await newClient(nodes[0]!, TOKEN, receiver);
    await client.register(nodes[index % 2]!, "rates", `client-${index}`);
    clients.push(client);
  }
  assert.deepEqual(
    (await cellsOf(settings)).map(({ server }) => server),
    ["directory", "east"],
  );

  const load = startLoad(t, nodes, clients, receiver);
  await until(() => load.accepted.size > 50, "the load runs");
  const moves = [
    ["move", "0", "east"],
    ["drain", "east"],
    ["move", "1", "east"],
  ];
  let killed = 0;
  for (const [index, words] of moves.entries()) {
    for (let kill = 0; kill < KILLS / moves.length; kill += 1) {
      const moving = start(t, ["cells", ...words], settings);
      // Behind one step or another.
      const lines = 1 + ((index + kill * 3) % 6);
      let isEnded = false;
      void moving.ended.then(() => (isEnded = true));
      await until(() => isEnded || moving.err().split("\n").length > lines, "the step is reported");
      moving.signal("SIGKILL");
      if ((await moving.ended) === null) killed += 1;
    }
    await runWell(["cells", ...words], settings);
    const before = load.accepted.size;
    await until(() => load.accepted.size > before + 50, "the load goes on");
  }
  assert.ok(killed > 0, "commands were killed");
  assert.deepEqual(await cellsOf(settings), [
    { number: 0, name: "0", server: "directory", open: true, accounts: 2, move: null },
    { number: 1, name: "1", server: "east", open: true, accounts: 2, move: null },
  ]);
  const { again } = await checkLoad(load, receiver);
  t.diagnostic(
    `${load.accepted.size} accepted, ${load.refused()} refused, ${killed} killed, ${again} came again`,
  );
  for (const node of nodes) {
    const { status } = await ask("GET", `${node.opsUrl}/readyz`, TOKEN);
    assert.equal(status, 200);
    const logged = node.err().match(/"level":"error".*"msg":"[^"]*"|"msg":"a heartbeat failed"/g) ?? [];
    assert.deepEqual(logged, [], "nothing is logged as an error");
    await node.stop();
  }
});
