/** What a service logs of a database that fails it, while events are raised and several loops ask: one line. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { cellsNamed } from "../../src/store/cell.ts";
import { atEnd } from "./endings.ts";
import { freeze, killLeftDatabase, startDatabase } from "./postgres.ts";
import { folderFor } from "./scene.ts";
import { ask, serve, until, type Serving } from "../service/boathook.ts";
import { newClient, startReceiver } from "../service/client.ts";

const TOKEN = "the-operator-of-this-test";
/** Of heartbeats, sweeps, feeds and requests, so that each has failed several times. */
const FAILURES = 150;
const CELLS = cellsNamed("boathook", 2);

type Database = Awaited<ReturnType<typeof startDatabase>>;

type Fault = {
  readonly classes: readonly string[];
  cause(t: TestContext, database: Database): Promise<void>;
};

const FAULTS: Readonly<Record<string, Fault>> = {
  "refuses connections": {
    classes: ["unreachable", "restarting"],
    cause: async (_t, { postgres }) => void (await postgres.stop()),
  },
  hangs: {
    classes: ["unreachable"],
    async cause(t, { postgres }) {
      atEnd(t, freeze(postgres.pid()!));
    },
  },
};

for (const [name, { classes, cause }] of Object.entries(FAULTS)) {
  test(`a database that ${name} has one line of its class in the log, and a metric`, async (t) => {
    const dataFolder = folderFor(t);
    killLeftDatabase(t, dataFolder);
    const database = await startDatabase(dataFolder);
    const receiver = await startReceiver(t);
    const service = await serve(t, {
      ...receiver.settings,
      BOATHOOK_DATA_DIR: dataFolder,
      BOATHOOK_DATABASE_URL: database.databaseUrl,
      BOATHOOK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
      BOATHOOK_OPERATOR_TOKEN: TOKEN,
      BOATHOOK_CELLS: String(CELLS.length),
      BOATHOOK_SWEEP_INTERVAL: "500ms",
    });
    const client = await newClient(service, TOKEN, receiver);
    await client.register(service, "rates", "rates");
    await until(async () => (await raise(service, client.accountId)) === 202, "an event is raised");
    const before = service.err().length;
    const linesSince = (): readonly string[] =>
      service
        .err()
        .slice(before)
        .split("\n")
        .slice(0, -1)
        .filter((line) => line !== "");

    await cause(t, database);
    const asked: Promise<unknown>[] = [];
    await until(async () => {
      asked.push(raise(service, client.accountId).catch(() => null));
      return (await failuresOf(service)) >= FAILURES && linesSince().length > 0;
    }, "its statements fail again and again, and it says so");
    const lines = linesSince();
    const found = lines.map((line) => JSON.parse(line) as { class?: string });
    assert.ok(found.length > 0 && found.length <= classes.length, lines.join("\n"));
    assert.equal(new Set(found.map((line) => line.class)).size, found.length, lines.join("\n"));
    for (const line of found) assert.ok(classes.includes(line.class ?? ""), lines.join("\n"));
    const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
    for (const line of found)
      assert.match(body, new RegExp(`^boathook_database_errors_total\\{class="${line.class}"\\} [1-9]`, "m"));
    await Promise.all(asked);
  });
}

async function raise(service: Serving, account_id: string): Promise<number> {
  const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
  const events = [{ product: "rates", account_id, type: "index_refreshed", data }];
  return (await ask("POST", `${service.opsUrl}/v1/events`, TOKEN, { events })).status;
}

/** How often the database has failed a statement or a session. */
async function failuresOf(service: Serving): Promise<number> {
  const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
  const counts = String(body).matchAll(/^boathook_database_errors_total\{class="\w+"\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
