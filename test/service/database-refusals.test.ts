/** A database that answers and refuses work: what the service reports to monitoring and to clients. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { query } from "../support/database.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { ask, until } from "./boathook.ts";
import { newClient, startReceiver, type Client, type Receiver } from "./client.ts";
import { openPlace, ownerOfSuite, run, TOKEN, type Running } from "./running.ts";

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
  const owner = ownerOfSuite();
  let postgres: Awaited<ReturnType<typeof startPrivatePostgres>>;
  let service: Running;
  let receiver: Receiver;
  let client: Client;

  before(async () => {
    receiver = await startReceiver(owner);
    postgres = await startPrivatePostgres();
    owner.after(() => postgres.stop());
    const { port, database, socketFolder } = postgres.address;
    const role = `create role ${ROLE} login; grant create on database ${database} to ${ROLE}`;
    await query(postgres.address, role);
    service = await run(owner, {
      ...(await openPlace(owner)).settings,
      ...receiver.settings,
      BOATHOOK_DATABASE_URL: `postgres://${ROLE}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`,
    });
    client = await newClient(service, TOKEN, receiver);
    await client.register(service, "rates", "rates");
  });

  const ready = () => ask("GET", `${service.opsUrl}/readyz`, "");
  const raise = () => {
    const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
    const event = { product: "rates", account_id: client.accountId, type: "index_refreshed", data };
    return ask("POST", `${service.opsUrl}/v1/events`, TOKEN, { events: [event] });
  };
  const register = () =>
    ask("POST", `${service.publicUrl}/rates/v1/webhooks`, client.key, { url: `${receiver.url}/other` });

  for (const { name, breaks, mends, says } of REFUSALS) {
    test(`${name}: readiness, metric, log and answers report it, and the service recovers once it is fixed`, async () => {
      await until(async () => (await ready()).status === 200, "it is ready");
      for (const sql of breaks) await query(postgres.address, sql);
      await until(async () => (await raise()).status === 503, "events are refused");
      await until(async () => (await raise()).body.error.message.includes(says), says);
      const { status, body } = await ready();
      assert.deepEqual([status, body.checks], [503, { database: says }]);
      const answer = await register();
      assert.deepEqual(
        [answer.status, answer.body.error],
        [503, { code: "unavailable", message: `${says} at the moment; try again` }],
      );
      const { body: metrics } = await ask("GET", `${service.opsUrl}/metrics`, "");
      assert.match(metrics, new RegExp(`^boathook_database_errors_total\\{class="${name}"\\} [1-9]`, "m"));
      const lines = service.log.filter(({ fields }) => "class" in fields && fields.class === name);
      assert.deepEqual(
        lines.map(({ message }) => message),
        [says],
        "the log has one line of it",
      );

      for (const sql of mends) await query(postgres.address, sql);
      const earlier = receiver.arrivals.length;
      await until(async () => (await raise()).status === 202, "events are accepted again");
      await until(async () => (await register()).status === 201, "endpoints too");
      await until(async () => (await ready()).status === 200, "it is ready again");
      await until(() => receiver.arrivals.length > earlier, "what was accepted arrives");
    });
  }
});
