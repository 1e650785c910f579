/**
 * From one machine to many (docs/scale.md), as an operator does it, with load before, during and after each step: what was
 * accepted arrives, and keys, secrets and history stay.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { settingsFor } from "../cli/run.ts";
import { noCitus, startCitus } from "../support/citus.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { ask, makeDataFolder, serve, start, until, type Served, type Settings } from "./boathook.ts";
import { allCellsOf, cellsOf, checkLoad, QUICK, runWell, startLoad, TOKEN } from "./cell-load.ts";
import { newClient, startReceiver, type Client } from "./client.ts";

const RATES = ["CNSHA", "CNYTN", "CNNGB"].map((origin) => ({
  ...{ origin, destination: "NLRTM", equipment: "40HC", currency: "USD" },
  ...{ valid_from: "2020-01-01", base: "2000" },
}));

/** A service with load and rates on it, which stops and starts again with other settings. */
async function openScene(t: TestContext, first: Settings) {
  const receiver = await startReceiver(t);
  const nodes: Served[] = [];
  const run = async (settings: Settings) => {
    nodes[0] = await serve(t, { ...settings, ...receiver.settings, ...QUICK });
  };
  const stop = async () => {
    await nodes[0]!.stop();
  };
  await run(first);
  const clients: (Client & { readonly endpoint: string })[] = [];
  for (const name of ["one", "two", "three", "four"]) {
    const client = await newClient(nodes[0]!, TOKEN, receiver);
    clients.push({ ...client, endpoint: await client.register(nodes[0]!, "rates", name) });
  }
  const load = startLoad(t, nodes, clients, receiver, { mayBeDown: true });
  const loadRates = async () =>
    (await ask("POST", `${nodes[0]!.opsUrl}/v1/rates`, TOKEN, { rates: RATES })).body.unchanged;
  const tradeLanes = async () =>
    (await ask("GET", `${nodes[0]!.publicUrl}/rates/v1/lanes`, clients[0]!.key)).body.data;
  assert.equal(await loadRates(), 0);
  const known = await tradeLanes();
  assert.equal(known.length, RATES.length);
  const moreLoad = async () => {
    const before = load.accepted.size;
    await until(() => load.accepted.size > before + 100, "the load goes on");
    await until(async () => (await loadRates()) === RATES.length, "the rates are known again");
    assert.deepEqual(await tradeLanes(), known);
    const calls = await fetch(`${nodes[0]!.publicUrl}/schedules/public/port-calls?port=NLRTM`);
    assert.equal(calls.status, 200);
  };
  await moreLoad();
  return {
    run,
    moreLoad,
    /** Stops the service for as long as `work` takes; returns for how long nothing was served, in milliseconds. */
    async without(work: () => Promise<void>, next: Settings): Promise<number> {
      const stoppedMs = realClock.monotonicMs();
      await stop();
      await work();
      await run(next);
      const downMs = Math.round(realClock.monotonicMs() - stoppedMs);
      await moreLoad();
      return downMs;
    },
    /** Everything has arrived, and is known at the service that runs last. */
    async check(settings: Settings) {
      const { again } = await checkLoad(load, receiver);
      for (const { key, endpoint } of clients) {
        const { status, body } = await ask(
          "GET",
          `${nodes[0]!.publicUrl}/rates/v1/webhooks/${endpoint}`,
          key,
        );
        assert.deepEqual([status, body.data.active, body.data.recent_deliveries.length], [200, true, 20]);
      }
      const ids = new Set(receiver.arrivals.map(({ id }) => id));
      t.diagnostic(
        `${load.accepted.size} accepted, ${load.refused()} not, ${ids.size} deliveries, ${again} came again`,
      );
      const cells = (await cellsOf(settings)).map(({ number }) => `boathook_cell_${number}`);
      const url = settings["BOATHOOK_DATABASE_URL"]!;
      const kept = async () => {
        const sql = (schema: string) =>
          `select id::text from ${schema}.deliveries where status = 'delivered'`;
        return new Set((await query({ url }, cells.map(sql).join(" union all "))).rows.map(({ id }) => id));
      };
      const lost = async () => ids.difference(await kept()).size;
      await until(async () => (await lost()) === 0, "the history has all of them");
      await stop();
    },
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

const EMBEDDED = () => ({
  BOATHOOK_DATA_DIR: makeDataFolder({ withDatabase: true }),
  BOATHOOK_OPERATOR_TOKEN: TOKEN,
});

const masterKeyIn = (folder: string) => readFileSync(join(folder, "master.key"), "utf8").trim();

/** Runs a command; with `killedAt`, kills it behind so many lines of progress. */
async function command(t: TestContext, words: readonly string[], settings: Settings, killedAt?: number) {
  if (killedAt === undefined) {
    await runWell(words, settings);
    return 0;
  }
  const running = start(t, words, settings);
  let status: number | null | undefined;
  void running.ended.then((ended) => (status = ended));
  await until(
    () => status !== undefined || running.err().split("\n").length > killedAt,
    "the step is reported",
  );
  running.signal("SIGKILL");
  return running.ended;
}

/** All at once, by a command that is killed behind one step after the other, and undone in between. */
async function moveWhole(t: TestContext, scene: Scene, before: Settings, after: Settings): Promise<void> {
  const words = ["move-store"];
  await scene.without(async () => {
    assert.equal(await command(t, words, before, 3), null, "it was killed amid the copy");
    const refused = start(t, ["serve"], before);
    assert.equal(await refused.ended, 1, "nothing starts behind the fence");
    assert.match(refused.err(), /repeat it, or undo the move by its --undo/);
    await command(t, [...words, "--undo"], before);
  }, before);
  const downMs = await scene.without(async () => {
    for (const lines of [1, 2, 4, 12]) await command(t, words, before, lines);
    await command(t, words, before);
    await command(t, words, before);
  }, after);
  t.diagnostic(`all moved by six commands: nothing was served for ${downMs} ms`);
}

test("from the embedded PostgreSQL to one's own, by a command that is killed at every step", async (t) => {
  const own = await createEmptyDatabase();
  t.after(own.drop);
  const url = settingsFor({ address: own.address, cells: [] })["BOATHOOK_DATABASE_URL"]!;
  const embedded = EMBEDDED();
  const scene = await openScene(t, embedded);
  const after = {
    BOATHOOK_DATABASE_URL: url,
    BOATHOOK_MASTER_KEY: masterKeyIn(embedded.BOATHOOK_DATA_DIR),
    BOATHOOK_OPERATOR_TOKEN: TOKEN,
  };
  await moveWhole(t, scene, { ...embedded, BOATHOOK_NEW_DATABASE_URL: url }, after);
  assert.deepEqual(
    (await allCellsOf(after)).map(({ name, server }) => `${name} ${server}`),
    ["0 directory", "schedules_0 directory", "rates_0 directory"],
  );
  await scene.check(after);
  const old = start(t, ["serve"], embedded);
  assert.equal(await old.ended, 1);
  assert.match(old.err(), /The store has moved from this database to another/);
});

test(
  "from the embedded PostgreSQL to one's own, and from there to the workers of Citus",
  { skip: noCitus() },
  async (t) => {
    const cluster = await startCitus();
    t.after(() => cluster.stop());
    const own = await cluster.createPlainDatabase("own");
    assert.ok("url" in own);
    const embedded = { ...EMBEDDED(), BOATHOOK_CELLS: "2" };
    const scene = await openScene(t, embedded);
    const after = {
      BOATHOOK_DATABASE_URL: own.url,
      BOATHOOK_MASTER_KEY: masterKeyIn(embedded.BOATHOOK_DATA_DIR),
      BOATHOOK_OPERATOR_TOKEN: TOKEN,
      BOATHOOK_CELLS: "2",
    };
    await moveWhole(t, scene, { ...embedded, BOATHOOK_NEW_DATABASE_URL: own.url }, after);
    const places = async () => (await cellsOf(after)).map(({ server }) => server);
    assert.deepEqual(await places(), ["directory", "directory"]);

    const downMs = await scene.without(() => cluster.addCitus("own").then(() => {}), after);
    t.diagnostic(`Citus was added: nothing was served for ${downMs} ms`);
    const workers = cluster.workers.map(({ port }) => `127.0.0.1:${port}`);
    assert.deepEqual((await places()).toSorted(), workers.toSorted(), "each worker has a cell");
    const ofProducts = async () =>
      (await allCellsOf(after)).filter(({ name }) => /^(?:schedules|rates)_0$/.test(name));
    const left = (await ofProducts()).filter(({ server }) => !workers.includes(server));
    assert.deepEqual(left, [], "those of products are on workers, too");
    await command(t, ["cells", "drain", workers[0]!], after);
    assert.deepEqual(await places(), [workers[1], workers[1]]);
    assert.ok((await ofProducts()).every(({ server }) => server === workers[1]));
    await scene.moreLoad();
    await command(t, ["cells", "rebalance"], after);
    assert.deepEqual((await places()).toSorted(), workers.toSorted());
    await scene.moreLoad();
    await scene.check(after);
  },
);
