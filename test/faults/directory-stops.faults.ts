/** A directory on a server of its own, which stops, freezes and comes back, and a cell on another. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { startEngine } from "../../src/engine/start.ts";
import { products } from "../../src/products/index.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { databaseCheck } from "../../src/service/cell-health.ts";
import { createReadiness, directoryTrouble } from "../../src/service/readiness.ts";
import { createAccountCells } from "../../src/store/accounts/account-cells.ts";
import { createDirectoryFeed } from "../../src/store/accounts/directory-feed.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import type { EmbeddedPostgres } from "../../src/store/embedded/embedded.ts";
import { insertCell } from "../../src/store/homes/cells.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { realClock as clock } from "../support/real-clock.ts";
import { createCaller, createListeners, send, sendAsOperator, sendWithKey } from "../support/service.ts";
import { atEnd } from "./endings.ts";
import { freeze, killLeftDatabase, startDatabase } from "./postgres.ts";
import { folderFor, QUICK } from "./scene.ts";
import { until } from "./until.ts";

const random = systemRandom();

async function startServer(t: TestContext): Promise<EmbeddedPostgres> {
  const folder = folderFor(t);
  killLeftDatabase(t, folder);
  return (await startDatabase(folder)).postgres;
}

/** A service on both servers, whose receivers answer 200. */
async function startSplit(t: TestContext) {
  const directory = await startServer(t);
  const home = await startServer(t);
  const cells = cellsNamed(SCHEMA_PREFIX, 2);
  const homes = fixedHomes((schema) => (schema?.includes("_cell_") ? home.address : directory.address));
  const options = { connectionsMax: 4, connectTimeoutMs: 2_000, onIdleError: () => undefined };
  const database = openDatabaseOn(homes, { ...options, sessionName: "boathook split" });
  await migrateCells(home.address, [cells[1]!], silentLog, products);
  await insertCell(database, cells[0], { number: 1, open: true }, new Date(clock.nowMs()));
  const ports = { database, cells, clock, random, log: silentLog, masterKeys: [randomBytes(32)] as const };
  const feed = createDirectoryFeed(ports);
  const following = feed.follow({ loops: unwatchedLoops });
  const accountCells = createAccountCells(ports);
  const arrivals: string[] = [];
  const engine = await startEngine(
    { ...DEFAULT_ENGINE_SETTINGS, ...QUICK },
    {
      ...ports,
      accountCells,
      headerTag: (product) => product,
      pingData: '{"message":"ping"}',
      delivers: true,
      send(request, done) {
        arrivals.push(request.url);
        setImmediate(() => done({ kind: "answered", statusCode: 200 }));
      },
    },
  );
  following.start();
  const readiness = createReadiness({ database: databaseCheck(database, cells[0]) }, clock);
  readiness.started();
  const asked: string[] = [];
  const counting: Database = {
    ...database,
    rows(statement, parameters) {
      if (statement.name.split(/[@ ]/)[1] === cells[0].directory) asked.push(statement.name);
      return database.rows(statement, parameters);
    },
  };
  const listeners = createListeners(
    {},
    {
      ...ports,
      database: counting,
      engine,
      feed,
      notReady: async () => ({ checks: await readiness.reasons() }),
      degraded: () => directoryTrouble(feed),
      catchUp: feed.read,
    },
  );
  atEnd(t, async () => {
    await listeners.api.close();
    await listeners.ops.close();
    await following.stop();
    await engine.stop();
    await database.close();
    await home.stop();
    await directory.stop();
  });
  return {
    ...listeners,
    directory,
    accountCells,
    arrivals,
    /** What requests have asked the directory. */
    asked,
    readyz: () => send(listeners.ops, { method: "GET", url: "/readyz" }),
  };
}

type Split = Awaited<ReturnType<typeof startSplit>>;

/** Stops or freezes the directory's server; returns what brings it back. */
type Trouble = (split: Split, t: TestContext) => () => void | Promise<void>;

const TROUBLES: Readonly<Record<string, Trouble>> = {
  stopped({ directory }) {
    process.kill(directory.pid()!, "SIGQUIT");
    return () => directory.ensureRunning();
  },
  frozen({ directory }, t) {
    const wake = freeze(directory.pid()!);
    atEnd(t, wake);
    return wake;
  },
};

const WEBHOOKS = "/tracking/v1/webhooks";

async function goesOnWithout(split: Split, away: () => () => void | Promise<void>): Promise<void> {
  const [known, unknown] = [await createCaller(split, "tracking"), await createCaller(split, "tracking")];
  const change = { demurrage_alerting: true };
  const patched = await sendAsOperator(split, "PATCH", `/v1/accounts/${known.accountId}`, change);
  assert.equal(patched.status, 200, "a change of both servers");
  const url = "https://receiver.test/before";
  const made = await sendWithKey(split, known.key, "POST", WEBHOOKS, { url });
  assert.equal(made.status, 201);
  const raise = async ({ accountId: account_id }: typeof known) => {
    const departed = { previous_status: "pre_departure", new_status: "in_transit" };
    const data = { container_id: random.uuid(0), identifier: "MSCU1000038", ...departed };
    const event = { product: "tracking", account_id, type: "vessel_departed", data };
    return (await sendAsOperator(split, "POST", "/v1/events", { events: [event] })).status;
  };
  const arrived = (count: number) => {
    const wanted = split.arrivals.length + count;
    return () => until(() => split.arrivals.length >= wanted, `${count} arrive`);
  };
  const first = arrived(1);
  assert.equal(await raise(known), 202);
  await first();
  // A node remembers no key while its last reading of the directory is a second old, as on a busy machine.
  const isRemembered = async () => {
    const before = split.asked.length;
    await sendWithKey(split, known.key, "GET", WEBHOOKS);
    return split.asked.length === before;
  };
  await until(isRemembered, "the node answers for the key from memory");

  await split.accountCells.refresh();
  const back = away();
  await until(async () => "checks" in (await split.readyz()).body, "readiness names the directory");
  const { status, body } = await split.readyz();
  assert.deepEqual([status, Object.keys(body.checks)], [200, ["directory"]]);
  const askedBefore = split.asked.length;
  const more = arrived(3);
  assert.equal(await raise(known), 202, "deliveries go on");
  const pinged = await sendWithKey(split, known.key, "POST", `${WEBHOOKS}/${made.body.data.id}/test`);
  assert.equal(pinged.status, 202);
  const another = { url: "https://receiver.test/after" };
  assert.equal((await sendWithKey(split, known.key, "POST", WEBHOOKS, another)).status, 201);
  assert.equal((await sendWithKey(split, known.key, "GET", WEBHOOKS)).body.data.length, 2);
  assert.equal(await raise(known), 202);
  await more();
  assert.deepEqual(split.asked.slice(askedBefore), [], "and wait for nobody");
  assert.equal(await raise(unknown), 202, "also for an account that this node has never raised for");
  const refused = await sendWithKey(split, unknown.key, "GET", WEBHOOKS);
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "5"]);

  await back();
  const statusFor = async ({ key }: typeof known) => (await sendWithKey(split, key, "GET", WEBHOOKS)).status;
  await until(async () => (await statusFor(unknown)) === 200, "others too");
  await until(async () => !("checks" in (await split.readyz()).body), "all is well");
  assert.equal(await raise(unknown), 202);
  await sendAsOperator(split, "DELETE", `/v1/keys/${known.keyId}`);
  await until(async () => (await statusFor(known)) === 401, "a revoked key is refused again");
}

test("deliveries and known keys go on while the directory's server is away, and all heals when it is back", async (t) => {
  const split = await startSplit(t);
  for (const [how, trouble] of Object.entries(TROUBLES))
    await t.test(how, (inner) => goesOnWithout(split, () => trouble(split, inner)));
});
