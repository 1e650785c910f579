/** Cells move between two servers by the command while two nodes serve, and the command is killed again and again. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";

import { settingsFor } from "../cli/run.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { ask, serve, start, until, type Serving, type Settings } from "./boathook.ts";
import { newClient, raise, startReceiver, type Client, type Receiver } from "./client.ts";

const TOKEN = "operator-token-of-the-tests-of-cells";
const RETRY_MS = 200;
const QUICK = {
  BOATHOOK_RETRY_WAITS: Array.from({ length: 5 }, () => `${RETRY_MS}ms`).join(","),
  BOATHOOK_SWEEP_INTERVAL: "500ms",
};
const KILLS = 6;

const sleep = (ms: number) => new Promise<void>((resolve) => realClock.after(ms, resolve));

/** Two servers, the directory on the one, the other called east; two cells. */
async function openServers(t: TestContext): Promise<Settings> {
  const [one, other] = [await createEmptyDatabase(), await createEmptyDatabase()];
  t.after(async () => {
    await one.drop();
    await other.drop();
  });
  const urlOf = ({ address }: typeof one) =>
    settingsFor({ address, cells: [] } as never)["BOATHOOK_DATABASE_URL"]!;
  return {
    BOATHOOK_DATABASE_URL: urlOf(one),
    BOATHOOK_SERVERS: `east=${urlOf(other)}`,
    BOATHOOK_CELLS: "2",
    BOATHOOK_MASTER_KEY: randomBytes(32).toString("base64"),
    BOATHOOK_OPERATOR_TOKEN: TOKEN,
    BOATHOOK_DATABASE_CONNECTIONS: "8",
  };
}

type Load = {
  readonly accepted: ReadonlySet<number>;
  /** Requests that were not accepted. */
  readonly refused: () => number;
  stop(): Promise<void>;
};

/** Raises one event after the other for every client, through all nodes in turn. */
function startLoad(t: TestContext, nodes: readonly Serving[], clients: readonly Client[]): Load {
  const accepted = new Set<number>();
  let [next, refused, isStopped] = [0, 0, false];
  t.after(() => (isStopped = true));
  const running = clients.map(async ({ accountId }) => {
    while (!isStopped) {
      const number = next++;
      const isAccepted = await raise(nodes[number % nodes.length]!, TOKEN, accountId, [number]);
      if (isAccepted) accepted.add(number);
      else {
        refused += 1;
        await sleep(20);
      }
      await sleep(2);
    }
  });
  return {
    accepted,
    refused: () => refused,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Refuses some first attempts; says which retries came before their time. */
function behave(receiver: Receiver): { readonly early: number[] } {
  const failedAtMs = new Map<number, number>();
  const early: number[] = [];
  receiver.behave(({ data }) => {
    const { number } = data as { number: number };
    const atMs = failedAtMs.get(number);
    if (atMs !== undefined && realClock.monotonicMs() - atMs < RETRY_MS * 0.9) early.push(number);
    if (number % 10 !== 0 || atMs !== undefined) return 204;
    failedAtMs.set(number, realClock.monotonicMs());
    return 503;
  });
  return { early };
}

async function cellsOf(
  t: TestContext,
  settings: Settings,
): Promise<{ number: number; server: string; move: string | null }[]> {
  const listing = start(t, ["cells", "list", "--json"], settings);
  assert.equal(await listing.ended, 0, listing.err());
  return JSON.parse(listing.out());
}

test("cells that move under load, by commands that are killed at any moment, lose nothing, double nothing and send nothing early", async (t) => {
  const settings = await openServers(t);
  const receiver = await startReceiver(t);
  const { early } = behave(receiver);
  const served = { ...settings, ...receiver.settings, ...QUICK };
  const nodes = [await serve(t, served), await serve(t, served)];
  const clients: Client[] = [];
  for (let index = 0; index < 4; index += 1) {
    const client = await newClient(nodes[0]!, TOKEN, receiver);
    await client.register(nodes[index % 2]!, "rates", `client-${index}`);
    clients.push(client);
  }
  assert.deepEqual(
    (await cellsOf(t, settings)).map(({ server }) => server),
    ["directory", "east"],
  );

  const load = startLoad(t, nodes, clients);
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
      await until(() => isEnded || moving.err().split("\n").length > lines, "it is on its way");
      moving.signal("SIGKILL");
      if ((await moving.ended) === null) killed += 1;
    }
    const again = start(t, ["cells", ...words], settings);
    assert.equal(await again.ended, 0, again.err());
    const before = load.accepted.size;
    await until(() => load.accepted.size > before + 50, "the load goes on");
  }
  assert.ok(killed > 0, "commands were killed");
  assert.deepEqual(await cellsOf(t, settings), [
    { number: 0, server: "directory", open: true, accounts: 2, move: null },
    { number: 1, server: "east", open: true, accounts: 2, move: null },
  ]);
  await load.stop();

  const arrived = () => new Set(receiver.arrivals.map(({ data }) => data.number as number));
  const missing = () => [...load.accepted].filter((number) => !arrived().has(number));
  await until(() => missing().length === 0, "everything that was accepted arrives", 60_000);
  assert.deepEqual(receiver.wrong, []);
  assert.deepEqual(early, []);
  const ids = Map.groupBy(receiver.arrivals, ({ data }) => data.number as number);
  for (const [number, arrivals] of ids) {
    assert.equal(new Set(arrivals.map(({ id }) => id)).size, 1, `${number} is one delivery`);
  }
  const again = [...ids].filter(([number, { length }]) => length > (number % 10 === 0 ? 2 : 1)).length;
  t.diagnostic(
    `${load.accepted.size} accepted, ${load.refused()} refused, ${killed} killed, ${again} came again`,
  );
  assert.ok(again <= load.accepted.size / 10, `${again} of ${load.accepted.size} came again`);
  for (const node of nodes) {
    const { status } = await ask("GET", `${node.opsUrl}/readyz`, TOKEN);
    assert.equal(status, 200);
    const lines = node
      .err()
      .split("\n")
      .filter((line) => line.includes('"level":50'));
    assert.deepEqual(lines, [], "no errors are logged");
    node.signal("SIGTERM");
    assert.equal(await node.ended, 0);
  }
});
