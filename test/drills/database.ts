/** Faults of databases. */
import pg from "pg";

import { smallDisk, fill } from "../faults/disk-full.ts";
import { atEnd } from "../faults/endings.ts";
import { processesOf } from "../faults/postgres.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { databasePid } from "../service/boathook.ts";
import { query } from "../support/database.ts";
import { join } from "node:path";
import { copyPreparedDatabase } from "../support/prepared-database.ts";
import { mkdirSync } from "node:fs";
import { rate } from "./cells.ts";
import type { Fault, Stage } from "./fault.ts";
import { sleep } from "./stage.ts";

const FAILS = "BoathookDatabaseFails";

/** It works for a tenth of the time. */
async function slowDown({ t, database }: Stage): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processesOf(database!.postgres.pid()!)) process.kill(pid, name);
  };
  let isOver = false;
  atEnd(t, () => {
    isOver = true;
    signal("SIGCONT");
  });
  while (!isOver) {
    signal("SIGSTOP");
    await sleep(900);
    signal("SIGCONT");
    await sleep(100);
  }
}

const errorsOf = (kind: string) =>
  new RegExp(`^boathook_database_errors_total\\{class="(?:${kind})"\\} [1-9]\\d*`, "m");

const sql = async ({ database }: Stage, ...statements: readonly string[]) => {
  for (const statement of statements) await query(database!.postgres.address, statement);
};

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
   where pid <> pg_backend_pid() and application_name like 'boathook%'`;

/** A session that stays. */
async function session(stage: Stage): Promise<pg.Client> {
  const client = new pg.Client(connectionConfig(stage.database!.postgres.address));
  client.on("error", () => undefined);
  await client.connect();
  stage.t.after(() => client.end().catch(() => undefined));
  return client;
}

async function lockEvents(stage: Stage): Promise<void> {
  const client = await session(stage);
  await client.query("begin");
  await client.query("lock table boathook_cell_0.events in access exclusive mode");
}

function freeze(stage: Stage): void {
  const all = processesOf(stage.database!.postgres.pid()!);
  atEnd(stage.t, () => all.forEach((pid) => process.kill(pid, "SIGCONT")));
  for (const pid of all) process.kill(pid, "SIGSTOP");
}

/** What a node has in memory is due to all of them. */
const QUEUE_AGAIN = `insert into boathook_cell_0.queue (delivery_id, endpoint_id, due_at)
   select id, endpoint_id, '2000-01-01' from boathook_cell_0.deliveries where status = 'pending'
   on conflict (delivery_id) do update set node = null, due_at = excluded.due_at`;

const STATUS_UNREACHABLE = ["status", /^The database at \S+ (cannot be used: connect \w+)/m] as const;

export const DATABASE: readonly Fault[] = [
  {
    name: "PostgreSQL is stopped",
    cause: ({ database }) => database!.postgres.stop(),
    shows: {
      readyz: /"database":"(the database cannot be reached[^"]*)/,
      alert: FAILS,
      metric: errorsOf("unreachable"),
      log: /warn: (the database cannot be reached) .*"class":"unreachable"/,
      command: STATUS_UNREACHABLE,
      linesMax: 2,
    },
  },
  {
    name: "PostgreSQL hangs (frozen)",
    cause: freeze,
    shows: {
      readyz: /"database":"([^"]*)/,
      alert: FAILS,
      metric: errorsOf("unreachable"),
      log: /warn: (the database cannot be reached) .*"class":"unreachable"/,
      command: STATUS_UNREACHABLE,
    },
  },
  {
    name: "PostgreSQL is read-only (a standby)",
    cause: (stage) =>
      sql(stage, "alter system set default_transaction_read_only = on", "select pg_reload_conf()"),
    shows: {
      readyz: /"database":"(the database is read-only)/,
      alert: FAILS,
      metric: errorsOf("read_only"),
      log: /warn: ([^{]*) \{"class":"read_only"/,
      command: ["status", /(cannot be used: cannot execute \w+ in a read-only transaction)/],
    },
  },
  {
    name: "PostgreSQL has no room on its disk",
    embedded: true,
    folder(t) {
      const disk = smallDisk(t);
      if ("reason" in disk) return { skip: disk.reason };
      const folder = join(disk.folder, "data");
      mkdirSync(folder);
      copyPreparedDatabase(folder);
      return folder;
    },
    async cause(stage) {
      fill(join(stage.dataFolder, ".."), join(stage.dataFolder, "..", "filler"));
      for (let times = 0; times < 60; times += 1) void stage.raise(500);
    },
    shows: {
      readyz: /"database":"(the database's disk is full)/,
      alert: FAILS,
      metric: errorsOf("disk_full"),
      log: /warn: ([^{]*) \{"class":"disk_full"/,
      command: ["status", /(?:does not answer: |cannot be used: )([^\n]*left|[^\n.]*)/],
      linesMax: 3,
    },
  },
  {
    name: "PostgreSQL has too many connections",
    async cause(stage) {
      const admin = await session(stage);
      const takeAll = async () => {
        for (;;) await session(stage);
      };
      await takeAll().catch(() => undefined);
      await admin.query(endSessions);
      // What the service had goes to others at once.
      await takeAll().catch(() => undefined);
    },
    shows: {
      readyz: /"database":"([^"]*)/,
      alert: FAILS,
      metric: errorsOf("too_many_connections"),
      log: /warn: ([^{]*) \{"class":"too_many_connections"/,
      command: ["status", /(cannot be used: sorry, too many clients already)/],
      linesMax: 2,
    },
  },
  {
    name: "The database's user may not log in any more",
    async cause(stage) {
      const client = await session(stage);
      await client.query("alter role boathook nologin");
      await client.query(endSessions);
    },
    shows: {
      readyz: /"database":"([^"]*)/,
      alert: FAILS,
      metric: errorsOf("access_denied"),
      log: /warn: ([^{]*) \{"class":"access_denied"/,
      command: ["status", /(cannot be used: [^\n]*not permitted to log in)/],
      linesMax: 2,
    },
  },
  {
    name: "A session holds a lock on the table of events",
    cause: lockEvents,
    shows: {
      alert: "BoathookStatementHangs",
      metric: /^boathook_database_oldest_statement_seconds\{[^}]*\} [1-9]\d+/m,
      linesMax: 0,
    },
  },
  {
    name: "Callers wait for connections to the database",
    settings: { BOATHOOK_DATABASE_CONNECTIONS: "2" },
    cause: lockEvents,
    shows: { alert: "BoathookPoolExhausted", metric: /^boathook_database_waiting\{[^}]*\} [1-9]\d*/m },
  },
  {
    name: "A broadcast cannot be raised",
    async cause(stage) {
      await rate(stage, "2000");
      await lockEvents(stage);
      await rate(stage, "2500");
    },
    shows: {
      alert: "BoathookBroadcastsLate",
      metric: /^boathook_broadcasts_oldest_seconds [1-9]\d*/m,
      linesMax: 0,
    },
  },
  {
    name: "Somebody edits the queue in the database",
    settings: { BOATHOOK_SWEEP_INTERVAL: "1s" },
    async cause(stage) {
      stage.receiver.behave(() => null);
      await sleep(2_000);
      await sql(stage, QUEUE_AGAIN);
    },
    shows: {
      alert: "BoathookInvariantBroken",
      metric: /^boathook_broken_invariants_total\{invariant="\w+"\} [1-9]\d*/m,
      log: /error: (an invariant of the engine is broken[^{]*)/,
    },
  },
  {
    name: "PostgreSQL is slow",
    cause: (stage) => void slowDown(stage),
    shows: {
      alert: "BoathookDatabaseSlow",
      metric: /^boathook_database_statement_seconds_bucket\{le="1",class="\w+"\} [1-9]\d*/m,
    },
  },
  {
    name: "The embedded PostgreSQL is killed",
    embedded: true,
    cause({ dataFolder }) {
      for (const pid of processesOf(databasePid(dataFolder)!)) process.kill(pid, "SIGKILL");
    },
    shows: {
      log: /warn: (the embedded PostgreSQL was lost|the database cannot be reached)/,
      metric: errorsOf("unreachable|restarting"),
      linesMax: 3,
    },
  },
  {
    name: "PostgreSQL is restarted",
    async cause({ database, dataFolder }) {
      for (const pid of processesOf(databasePid(dataFolder)!)) process.kill(pid, "SIGKILL");
      await sleep(500);
      await database!.postgres.ensureRunning();
    },
    shows: {
      metric: errorsOf("unreachable|restarting"),
      log: /warn: ([^{]*) \{"class":"(?:unreachable|restarting)"/,
      linesMax: 2,
    },
  },
];
