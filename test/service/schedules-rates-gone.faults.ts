/**
 * The cells of schedules and rates on a server of their own, which is killed while the service runs: what needs them
 * gets 503, deliveries and everything else go on, and nothing is lost once the server is back.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";

import { isOurs } from "../../src/store/embedded/postmaster.ts";
import { run, settingsFor } from "../cli/run.ts";
import { processesOf, startDatabase } from "../faults/postgres.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { ask, databasePid, makeDataFolder, serve, until, type Settings } from "./boathook.ts";
import { allCellsOf, QUICK, TOKEN } from "./cell-load.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder();
const LANE = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", currency: "USD" };
const OF_PRODUCTS = ["schedules_0", "rates_0"];

/** The directory and the accounts on one server, nothing yet on the other, called east. */
async function openServers(t: TestContext, eastUrl: string): Promise<Settings> {
  const { address, drop } = await createEmptyDatabase();
  t.after(drop);
  return {
    BOATHOOK_DATABASE_URL: settingsFor({ address, cells: [] })["BOATHOOK_DATABASE_URL"]!,
    BOATHOOK_SERVERS: `east=${eastUrl}`,
    BOATHOOK_CELLS: "1",
    BOATHOOK_MASTER_KEY: randomBytes(32).toString("base64"),
    BOATHOOK_OPERATOR_TOKEN: TOKEN,
    BOATHOOK_DATABASE_CONNECTIONS: "8",
  };
}

async function killEast(): Promise<void> {
  const pid = databasePid(folder)!;
  for (const one of processesOf(pid)) process.kill(one, "SIGKILL");
  await until(() => !isOurs(pid, `${folder}/postgres`), "the server ends");
}

test("while the server of schedules and rates is gone, deliveries go on and only what needs it is refused", async (t) => {
  const east = await startDatabase(folder);
  t.after(() => east.postgres.stop().catch(() => undefined));
  const settings = await openServers(t, east.databaseUrl);
  const receiver = await startReceiver(t);
  const served = { ...settings, ...receiver.settings, ...QUICK };
  const node = await serve(t, served);
  const client = await newClient(node, TOKEN, receiver);
  await client.register(node, "rates", "rates");
  const load = (base: string) =>
    ask("POST", `${node.opsUrl}/v1/rates`, TOKEN, { rates: [{ ...LANE, valid_from: "2020-01-01", base }] });
  assert.equal((await load("2000")).status, 200);

  const command = (...words: string[]) => run(["cells", ...words], { environment: settings });
  for (const name of OF_PRODUCTS) {
    const { status, err } = await command("move", name, "east");
    assert.equal(status, 0, err);
  }
  const whereAll = async () => (await allCellsOf(settings)).map(({ name, server }) => `${name} ${server}`);
  assert.deepEqual(await whereAll(), ["0 directory", "schedules_0 east", "rates_0 east"]);
  assert.equal(JSON.parse((await command("rebalance", "--dry-run", "--json")).out).length, 0);
  const opened = await command("open", "256");
  assert.equal(opened.status, 2, "it is for accounts");
  const ratesAt = (at = node) => ask("GET", `${at.publicUrl}/rates/v1/lanes`, client.key);
  await until(
    async () => (await ratesAt()).body.data?.[0]?.rate?.base === "2000.00",
    "rates are read from there",
  );
  assert.equal((await load("2100")).body.changes, 1);
  await until(() => receiver.arrivals.length === 1, "their events come from there");

  await killEast();
  const calls = (at = node) => fetch(`${at.publicUrl}/schedules/public/port-calls?port=NLRTM`);
  for (const answer of [
    await calls(),
    await fetch(`${node.publicUrl}/rates/v1/lanes`, { headers: { authorization: `Bearer ${client.key}` } }),
  ]) {
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers.get("retry-after")) > 0, "the answer says when to ask again");
  }
  assert.equal((await load("2200")).status, 503);
  assert.ok(await raise(node, TOKEN, client.accountId, [1]), "events are raised");
  await until(() => receiver.arrivals.length === 2, "and delivered");
  assert.equal((await ask("GET", `${node.publicUrl}/rates/v1/webhooks`, client.key)).status, 200);
  const other = await newClient(node, TOKEN, receiver);
  assert.equal((await ask("GET", `${node.publicUrl}/tracking/v1/containers`, other.key)).status, 200);
  const ready = await ask("GET", `${node.opsUrl}/readyz`, TOKEN);
  assert.deepEqual([ready.status, Object.keys(ready.body.cells)], [200, OF_PRODUCTS]);
  const { body: figures } = await ask("GET", `${node.opsUrl}/metrics`, TOKEN);
  for (const [name, up] of [["0", 1], ...OF_PRODUCTS.map((one) => [one, 0])]) {
    assert.match(figures, new RegExp(`^boathook_cell_up\\{cell="${name}"\\} ${up}$`, "m"));
  }

  const second = await serve(t, served);
  assert.ok(await raise(second, TOKEN, client.accountId, [2]), "a node starts without it");
  assert.equal((await ratesAt(second)).status, 503);

  const again = await startDatabase(folder);
  t.after(() => again.postgres.stop());
  for (const at of [node, second]) {
    await until(async () => (await ratesAt(at)).status === 200, "the node goes on with it");
    assert.equal((await calls(at)).status, 200);
    await until(
      async () => (await ask("GET", `${at.opsUrl}/readyz`, TOKEN)).body.cells === undefined,
      "all cells are well",
    );
  }
  assert.equal((await ratesAt()).body.data[0].rate.base, "2100.00", "what was refused was not written");
  assert.equal((await load("2200")).body.changes, 1);
  await until(() => receiver.arrivals.length === 4, "the change arrives");

  const drained = await command("drain", "east");
  assert.equal(drained.status, 0, drained.err);
  assert.deepEqual(await whereAll(), ["0 directory", "schedules_0 directory", "rates_0 directory"]);
  await until(
    async () => (await ratesAt(second)).body.data?.[0]?.rate?.base === "2200.00",
    "and are read again",
  );
  assert.deepEqual(receiver.wrong, []);
  for (const at of [node, second]) {
    await at.stop();
  }
});
