/** A database that answers and refuses work: what the service reports to monitoring and to clients. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { query } from "../support/database.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { ask, makeDataFolder, serve, until, type Answered, type Serving } from "./boathook.ts";
import { newClient, startReceiver, type Client, type Receiver } from "./client.ts";

const TOKEN = "the-operator-of-this-test";

/** Nobody but the service uses it. */
const ROLE = "boathook_service";

const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`;

const REFUSALS = [
  {
    name: "read_only",
    breaks: ["alter system set default_transaction_read_only = on", "select pg_reload_conf()"],
    mends: ["alter system reset default_transaction_read_only", "select pg_reload_conf()"],
    says: "the database is read-only",
  },
  {
    name: "access_denied",
    breaks: [`revoke insert, update on all tables in schema boathook_cell_0 from ${ROLE}`],
    mends: [`grant insert, update on all tables in schema boathook_cell_0 to ${ROLE}`],
    says: "the database denies Boathook access",
  },
  {
    name: "too_many_connections",
    breaks: [`alter role ${ROLE} connection limit 0`, END_SESSIONS],
    mends: [`alter role ${ROLE} connection limit -1`],
    says: "the database takes no more connections",
  },
] as const;

describe("a database that answers and refuses work", () => {
  const folder = makeDataFolder();
  let postgres: Awaited<ReturnType<typeof startPrivatePostgres>>;
  let databaseUrl: string;
  before(async () => {
    postgres = await startPrivatePostgres();
    const { port, database, socketFolder } = postgres.address;
    await query(
      postgres.address,
      `create role ${ROLE} login; grant create on database ${database} to ${ROLE}`,
    );
    databaseUrl = `postgres://${ROLE}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`;
  });
  after(() => postgres.stop());

  for (const { name, breaks, mends, says } of REFUSALS) {
    test(`${name}: readiness, metric, log and answers report it, and the service recovers once it is fixed`, async (t) => {
      const receiver = await startReceiver(t);
      const service = await serve(t, {
        ...receiver.settings,
        BOATHOOK_DATA_DIR: folder,
        BOATHOOK_DATABASE_URL: databaseUrl,
        BOATHOOK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
        BOATHOOK_OPERATOR_TOKEN: TOKEN,
        BOATHOOK_CELLS: "1",
      });
      const client = await newClient(service, TOKEN, receiver);
      await client.register(service, "rates", "rates");
      assert.equal((await ready(service)).status, 200);

      for (const sql of breaks) await query(postgres.address, sql);
      await until(async () => (await raise(service, client)).status === 503, "events are refused");
      await until(async () => (await raise(service, client)).body.error.message.includes(says), says);
      const { status, body } = await ready(service);
      assert.deepEqual([status, body.checks], [503, { database: says }]);
      const answer = await register(service, client, receiver);
      assert.deepEqual(
        [answer.status, answer.body.error],
        [503, { code: "unavailable", message: `${says} at the moment; try again` }],
      );
      assert.ok((await errorsOf(service, name)) > 0);
      const lines = service
        .err()
        .split("\n")
        .filter((line) => line.includes(`"class":"${name}"`));
      assert.equal(lines.length, 1, "the log has one line of it");
      assert.equal(JSON.parse(lines[0]!).msg, says);

      for (const sql of mends) await query(postgres.address, sql);
      await until(async () => (await raise(service, client)).status === 202, "events are accepted again");
      await until(async () => (await register(service, client, receiver)).status === 201, "endpoints too");
      await until(async () => (await ready(service)).status === 200, "it is ready again");
      await until(() => receiver.arrivals.length > 0, "what was accepted arrives");
      await service.stop();
    });
  }
});

const ready = (service: Serving): Promise<Answered> => ask("GET", `${service.opsUrl}/readyz`, "");

function raise(service: Serving, { accountId }: Client): Promise<Answered> {
  const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
  const event = { product: "rates", account_id: accountId, type: "index_refreshed", data };
  return ask("POST", `${service.opsUrl}/v1/events`, TOKEN, { events: [event] });
}

function register(service: Serving, { key }: Client, receiver: Receiver): Promise<Answered> {
  return ask("POST", `${service.publicUrl}/rates/v1/webhooks`, key, { url: `${receiver.url}/other` });
}

async function errorsOf(service: Serving, name: string): Promise<number> {
  const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
  const found = new RegExp(`^boathook_database_errors_total\\{class="${name}"\\} (\\d+)$`, "m").exec(body);
  return Number(found?.[1]);
}
