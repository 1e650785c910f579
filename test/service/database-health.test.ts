/** What a process makes of the errors of its database. */
import assert from "node:assert/strict";
import { test, before, describe } from "node:test";

import { Registry } from "prom-client";

import { STORE_FAULTS, StoreUnavailable } from "../../src/model/errors.ts";
import { watchDatabase } from "../../src/service/database-health.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { query } from "../support/database.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { ask, until } from "./boathook.ts";
import { newClient, startReceiver, type Client, type Receiver } from "./client.ts";
import { openPlace, ownerOfSuite, run, TOKEN, type Running } from "./running.ts";
import { logFaults, withoutFaults } from "../../src/service/fault-log.ts";
import { column, columns } from "../support/columns.ts";

const [cell] = cellsNamed("boathook", 1);

function watching() {
  const registry = new Registry();
  const clock = manualClock();
  const log = recordingLog();
  const health = watchDatabase(registry, clock, log);
  const counts = async (): Promise<Record<string, number>> => {
    const lines = (await registry.metrics()).matchAll(
      /^boathook_database_errors_total\{class="(\w+)"\} (\d+)$/gm,
    );
    return Object.fromEntries([...lines].map(([, name, count]) => [name, Number(count)]));
  };
  return { ...health, clock, log, counts };
}

const FULL = new Error("could not extend file: No space left on device");

test("errors are counted by class, and every class is there from the start", async () => {
  const { watch, counts } = watching();
  const classes = [...Object.keys(STORE_FAULTS), "other"].filter(
    (name) => !["overloaded", "account_closed", "no_open_cell"].includes(name),
  );
  const none = Object.fromEntries(classes.map((name) => [name, 0]));
  assert.deepEqual(await counts(), none);
  for (const fault of ["disk_full", "disk_full", "read_only", "contention", "other"] as const) {
    watch.failed("raise", fault, FULL);
  }
  assert.deepEqual(await counts(), { ...none, disk_full: 2, read_only: 1, contention: 1, other: 1 });
});

test("a statement that was refused counts until it is done, and others that are done prove nothing", () => {
  const { watch, refusal } = watching();
  assert.equal(refusal(cell), null);
  watch.failed("raise", "disk_full", FULL);
  watch.done("node_heartbeat");
  assert.equal(refusal(cell), "the database's disk is full");
  watch.failed("settle", "out_of_resources", FULL);
  assert.equal(refusal(cell), "the database is out of memory or of another resource");
  watch.done("settle");
  assert.equal(refusal(cell), "the database's disk is full");
  watch.done("raise");
  assert.equal(refusal(cell), null);
});

test("a statement that is refused again and again counts as long as it is, and a while longer", async () => {
  const { watch, refusal, clock } = watching();
  for (let tries = 0; tries < 10; tries++) {
    watch.failed("raise", "disk_full", FULL);
    await clock.advance(14_999);
    assert.notEqual(refusal(cell), null);
  }
  await clock.advance(1);
  assert.equal(refusal(cell), null);
});

test("an older refusal counts no longer because a later one has ended", async () => {
  const { watch, refusal, clock } = watching();
  watch.failed("raise", "disk_full", FULL);
  await clock.advance(10_000);
  watch.failed("settle", "disk_full", FULL);
  watch.done("settle");
  assert.notEqual(refusal(cell), null);
  await clock.advance(5_000);
  assert.equal(refusal(cell), null);
});

test("faults of a statement, and faults that readiness detects by itself, are no refusals", () => {
  const { watch, refusal } = watching();
  for (const fault of ["unreachable", "restarting", "contention", "other"] as const) {
    watch.failed("raise", fault, FULL);
  }
  assert.equal(refusal(cell), null);
});

test("a refusal of one cell's statements says nothing of another cell, one of the directory's of all", () => {
  const { watch, refusal } = watching();
  const [one, other] = cellsNamed("boathook", 2);
  watch.failed(`event_raise@${other!.schema} on shards`, "disk_full", FULL);
  assert.deepEqual([refusal(one), refusal(other!)], [null, "the database's disk is full"]);
  watch.failed(`key_insert@${one.directory}`, "read_only", FULL);
  assert.deepEqual([refusal(one), refusal(other!)], Array(2).fill("the database is read-only"));
});

test("the log has one line of a class in a minute, with how many there were", async () => {
  const { watch, clock, log } = watching();
  const logged = () => log.lines.map(({ level, fields, message }) => ({ level, message, ...fields }));
  for (let errors = 0; errors < 500; errors++) watch.failed(`statement ${errors}`, "disk_full", FULL);
  watch.failed("raise", "unreachable", new Error("ECONNREFUSED"));
  const full = {
    level: "warn",
    message: "the database's disk is full",
    class: "disk_full",
    server: "",
    cause: FULL.message,
  };
  assert.deepEqual(logged(), [
    { ...full, errors: 1, statement: "statement 0" },
    {
      level: "warn",
      message: "the database cannot be reached",
      class: "unreachable",
      server: "",
      errors: 1,
      statement: "raise",
      cause: "ECONNREFUSED",
    },
  ]);
  await clock.advance(59_999);
  watch.failed("raise", "disk_full", FULL);
  assert.equal(log.lines.length, 2);
  await clock.advance(1);
  watch.failed("raise", "disk_full", FULL);
  assert.deepEqual(logged().slice(2), [{ ...full, errors: 501, statement: "raise" }]);
  watch.failed("raise", "contention", FULL);
  watch.failed("raise", "other", FULL);
  assert.equal(log.lines.length, 3);
});

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
      assert.deepEqual(column(lines, "message"), [says], "the log has one line of it");

      for (const sql of mends) await query(postgres.address, sql);
      const earlier = receiver.arrivals.length;
      await until(async () => (await raise()).status === 202, "events are accepted again");
      await until(async () => (await register()).status === 201, "endpoints too");
      await until(async () => (await ready()).status === 200, "it is ready again");
      await until(() => receiver.arrivals.length > earlier, "what was accepted arrives");
    });
  }
});

test("each server has a line of its own, and one when it has failed nothing for a while", async () => {
  const clock = manualClock();
  const log = recordingLog();
  const faults = logFaults(clock, log);
  const failure = new Error("ECONNREFUSED");
  for (let second = 0; second < 20; second += 1) {
    for (const server of ["east", "west"]) faults.failed("raise", "unreachable", failure, server);
    faults.done("north");
    await clock.advance(1_000);
  }
  const lines = () =>
    log.lines.map(({ message, fields }) => [message, (fields as { server: string }).server]);
  const began = ["east", "west"].map((server) => ["the database cannot be reached", server]);
  assert.deepEqual(lines(), began);
  await clock.advance(13_000);
  faults.done("east");
  assert.deepEqual(lines(), began, "it may fail again");
  await clock.advance(1_000);
  for (let times = 0; times < 2; times += 1) faults.done("east");
  assert.deepEqual(lines(), [...began, ["the database works again", "east"]]);
  assert.deepEqual(log.lines.at(-1)?.fields, { class: "unreachable", server: "east", seconds: 19 });
});

test("what fails of a known fault is for debugging; what fails for another reason is not", () => {
  const log = recordingLog();
  const others = withoutFaults(log);
  others.warn({ err: new StoreUnavailable("gone") }, "known");
  others.error({ cell: 1, cause: new StoreUnavailable("full", { reason: "disk_full" }) }, "known");
  others.warn({ err: new StoreUnavailable("busy", { reason: "contention" }) }, "busy");
  others.error({ err: new Error("a bug") }, "a bug");
  assert.deepEqual(columns(log.lines, "level", "message"), [
    ["debug", "known"],
    ["debug", "known"],
    ["warn", "busy"],
    ["error", "a bug"],
  ]);
});
