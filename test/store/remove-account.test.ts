/** Accounts that are removed: none of their rows is left, however often the removal breaks off. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { describe, test, after, before } from "node:test";

import { updateAccount } from "../../src/store/accounts/accounts.ts";
import { readChanges } from "../../src/store/accounts/changes.ts";
import { removeAccount, type RemovalPorts } from "../../src/store/account-removal/remove-account.ts";
import { deleteEndpoint, insertEndpoint, updateEndpoint } from "../../src/store/endpoints/endpoints.ts";
import { readRoute } from "../../src/store/endpoints/routes.ts";
import { targetList } from "../../src/store/endpoints/routes.sql.ts";
import { query, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { products } from "../../src/products/index.ts";
import type { Cell, Cells } from "../../src/store/cell.ts";
import type { Connection, Database } from "../../src/store/database.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { addMissingCells } from "../../src/store/homes/cells.ts";
import { realClock } from "../support/real-clock.ts";

const DAY_MS = 86_400_000;

/** Tables of a cell whose rows are of accounts, how a row is found ($1 the account), and what the fence may change. */
const OF_ACCOUNTS: Readonly<Record<string, readonly [where: string, changes?: readonly string[]]>> = {
  accounts: ["id = $1", ["routing_version", "moving", "closed"]],
  endpoints: ["account_id = $1"],
  event_keys: ["account_id = $1"],
  event_references: ["account_id = $1"],
  events: ["account_id = $1"],
  deliveries: ["endpoint_id in (select id from cell.endpoints where account_id = $1)"],
  attempts: [
    `delivery_id in (select id from cell.deliveries where endpoint_id in
       (select id from cell.endpoints where account_id = $1))`,
  ],
  queue: ["endpoint_id in (select id from cell.endpoints where account_id = $1)"],
  shipments: ["account_id = $1"],
  reports: ["account_id = $1"],
  polls: ["shipment_id in (select id from cell.shipments where account_id = $1)", ["lease", "leased_until"]],
  load_plans: ["account_id = $1"],
};

const NOTHING = Object.fromEntries(Object.keys(OF_ACCOUNTS).map((table) => [table, []]));

type AccountRows = {
  readonly on: TestDatabase;
  readonly cells: Cells;
  readonly ports: RemovalPorts;
  /** An account of the first cell; returns its id. */
  fillTable(): Promise<string>;
  stored(
    cell: Cell,
    accountId: string,
  ): Promise<Readonly<Record<string, readonly { readonly id?: string }[]>>>;
};

/** In two cells, for the tests of the `describe` that calls it. */
function accountRows(): AccountRows {
  const rows = {} as AccountRows;
  let drop: () => Promise<void>;
  before(async () => {
    const on = await createTestDatabase({ cells: 2, partitions: "none" });
    drop = on.drop;
    const cells = on.cells as Cells;
    const nowMs = realClock.nowMs();
    await addMissingCells(on.database, cells[0], 2, new Date(nowMs));
    await makePartitions(on.database, cells[0], nowMs - DAY_MS, nowMs + DAY_MS);
    // Waits take no time: no node runs here.
    const clock = { ...realClock, after: (_ms: number, run: () => void) => realClock.after(0, run) };
    const accountTables = products.flatMap((product) => product.accountTables ?? []);
    const ports = { database: on.database, cells, clock, accountTables };
    Object.assign(rows, { on, cells, ports, fillTable: () => fillTable(on), stored });
    async function stored(cell: Cell, accountId: string) {
      const found: Record<string, unknown[]> = {};
      for (const [table, [where, changes = []]] of Object.entries(OF_ACCOUNTS)) {
        const sql = `select to_jsonb(t) - $2::text[] as row from cell.${table} t where ${where} order by 1`;
        found[table] = (await on.queryIn(cell, sql, [accountId, changes])).rows.map(
          ({ row }) => row as unknown,
        );
      }
      return found;
    }
  });
  after(() => drop());
  return rows;
}

/** Whose process ends when it has done so many statements and commits. */
function dyingAfter(database: Database, countMax: number): Database {
  let count = 0;
  const done = <T>(result: T): T => {
    count += 1;
    if (count >= countMax) throw new Error("killed");
    return result;
  };
  const watched = (connection: Connection): Connection => ({
    rows: async (statement, parameters) => done(await connection.rows(statement, parameters)),
  });
  return {
    ...database,
    ...watched(database),
    transaction: async (work) => done(await database.transaction((tx) => work(watched(tx)))),
  };
}

const ids = (count: number) => Array.from({ length: count }, () => randomUUIDv7());

type Run = (sql: string, ...values: unknown[]) => Promise<unknown>;

/** More than a batch has of every kind of row. */
async function fillTable({ address, cells, queryIn }: TestDatabase): Promise<string> {
  const cell = cells[0]!;
  const accountId = randomUUIDv7();
  const run = (sql: string, ...values: unknown[]) => queryIn(cell, sql, values);
  await query(
    address,
    `insert into ${cell.directory}.accounts (id, name, cell, created_at) values ($1, 'Acme', 0, now())`,
    [accountId],
  );
  await run(
    "insert into cell.accounts (id, routing_version, demurrage_armed_at, last_arming) values ($1, 7, $2, -3)",
    accountId,
    "2026-11-01T00:00:00.123Z",
  );
  await fillRaised(run, accountId);
  // Events that no endpoint received.
  await run(
    `insert into cell.events (id, account_id, product, type, occurred_at, data)
     select id, $2, 'air', 'awb_arrived', '2026-11-20T00:00:00Z', '{"received":"by nobody"}' from unnest($1::uuid[]) as id`,
    ids(210),
    accountId,
  );
  await fillTracked(run, accountId);
  return accountId;
}

async function fillTracked(run: Run, accountId: string): Promise<void> {
  await run(
    `insert into cell.event_keys (account_id, product, dedup_key, event_id, created_at)
     select $1, 'tracking', 'key ' || n, $2, now() - n * interval '1 minute' from generate_series(1, 2100) n`,
    accountId,
    randomUUIDv7(),
  );
  await run(
    `insert into cell.event_references (account_id, reference, event_id)
     select $1, 'ABCU' || n, $2 from generate_series(1, 2100) n`,
    accountId,
    randomUUIDv7(),
  );
  await run(
    `insert into cell.shipments (id, account_id, product, reference, identifier_type, carrier, status, eta, record,
       ended_at, created_at, changes_at, vessels, vessels_from, vessels_until, transport_documents, awaited_sailings,
       given_references)
     select id, $2, 'tracking', 'ABCU' || n, 'container_id', 'MAEU', 'in_transit', now(), '{"a" : 1}', null, now(),
       now(), '{9321483}', now(), now(), '{DOC1,DOC2}', null,
       '{"booking":"HRN0040001"}'
     from unnest($1::uuid[]) with ordinality as s (id, n)`,
    ids(130),
    accountId,
  );
  await run(
    `insert into cell.polls (shipment_id, source, next_poll_at, lease, failures, failure, refreshed_at, answer_digest)
     select id, 'MAEU', now() + interval '1 hour', 4, 1, 'timeout', now(), '\\x0102' from cell.shipments where account_id = $1`,
    accountId,
  );
  await run(
    `insert into cell.load_plans (id, account_id, name, revision, request, summary, detail, created_at, updated_at)
     select id, $2, 'plan', 2, '{}', '{}', '[1, 2]', now(), now() from unnest($1::uuid[]) as id`,
    ids(7),
    accountId,
  );
}

async function fillRaised(run: Run, accountId: string): Promise<void> {
  const [active, paused] = ids(2) as [string, string];
  for (const [id, inactiveSince] of [
    [active, null],
    [paused, "2026-11-21T10:00:00.123456Z"],
  ]) {
    await run(
      `insert into cell.endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash, active,
         failure_count, last_delivery_at, inactive_since, created_at)
       values ($1, $2, 'tracking', 'https://x.test/é"', '{eta_changed,"a,b"}', E'two\\nlines', '\\x00ff10', $3::timestamptz is null, 3,
         '2026-11-20T01:02:03.004Z', $3, '2026-11-01T00:00:00Z')`,
      id,
      accountId,
      inactiveSince,
    );
  }
  for (const [endpoint, count, isQueued] of [
    [active, 210, false],
    [active, 230, true],
    [paused, 3, true],
  ] as const) {
    const [events, deliveries] = [ids(count), ids(count)];
    await run(
      `insert into cell.events (id, account_id, product, type, occurred_at, data)
       select id, $2, 'tracking', 'eta_changed', '2026-11-20T00:00:00.123456Z', '{"b":1, "a":"\\u00e9 \\""}'
       from unnest($1::uuid[]) as id`,
      events,
      accountId,
    );
    await run(
      `insert into cell.deliveries (id, event_id, endpoint_id, attempt_count, last_status_code, status, last_error,
         created_at, delivered_at)
       select pair.id, event_id, $3, 2, 500, $4, $5, '2026-11-20T00:00:00.123456Z', $6
       from unnest($1::uuid[], $2::uuid[]) as pair (id, event_id)`,
      deliveries,
      events,
      endpoint,
      isQueued ? "pending" : "delivered",
      isQueued ? "http_500: no" : null,
      isQueued ? null : "2026-11-20T00:00:01Z",
    );
    await run(
      `insert into cell.attempts (delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes)
       select id, n, '2026-11-20T00:00:00.5Z', 40 * n, '203.0.113.7', 500, 'http_500: no, "really"', 12
       from unnest($1::uuid[]) as id, generate_series(1, 2) n`,
      deliveries,
    );
    if (isQueued)
      await run(
        `insert into cell.queue (delivery_id, endpoint_id, due_at)
         select id, $2, timestamptz '2026-11-22T10:00:00.000001Z' + n % 7 * interval '1 microsecond'
         from unnest($1::uuid[]) with ordinality as d (id, n)`,
        deliveries,
        endpoint,
      );
  }
}

/** The cell's own, and what is left of endpoints that are gone. */
const OF_NO_ACCOUNT =
  "air_messages air_statements announcements announcing broadcasts changes deleted_endpoints " +
  "imported_milestones migrations migrations_loading nodes reference_index";
/** Tables that refer to accounts, besides those of products. */
const OF_THE_STORE = ["endpoints", "reports", "shipments"];

describe("an account that is removed", () => {
  const rows = accountRows();

  /** With a key, a link of the portal and a message in the directory. */
  async function fill(): Promise<string> {
    const id = await rows.fillTable();
    const ofAccount = async (table: string, columns: string, values: string) =>
      query(
        rows.on.address,
        `insert into boathook.${table} (id, account_id, ${columns}) values ($1, $2, ${values})`,
        [...[randomUUIDv7(), id]],
      );
    await ofAccount(
      "api_keys",
      "prefix, hash, created_at",
      "'tracking', sha256($1::uuid::text::bytea), now()",
    );
    await ofAccount("portal_links", "product, created_at, ends_at", "'tracking', now(), now()");
    await updateAccount(
      rows.on.database,
      rows.cells,
      id,
      { demurrageAlerting: true },
      rows.ports.clock.nowMs(),
    );
    return id;
  }
  const inDirectory = async (id: string) => {
    const count = `select (select count(*)::int from boathook.accounts where id = $1) as accounts,
      (select count(*)::int from boathook.api_keys where account_id = $1) as keys,
      (select count(*)::int from boathook.api_keys where account_id = $1 and revoked_at is null) as open,
      (select count(*)::int from boathook.portal_links where account_id = $1) as links,
      (select count(*)::int from boathook.outbox join boathook.outbox_messages using (id)
        where outbox_messages.payload::json ->> 'accountId' = $1::uuid::text) as messages`;
    return (await query(rows.on.address, count, [id])).rows[0];
  };
  const assertGone = async (id: string) => {
    assert.deepEqual(await rows.stored(rows.cells[0], id), NOTHING);
    assert.deepEqual(await inDirectory(id), { accounts: 0, keys: 0, open: 0, links: 0, messages: 0 });
  };

  test("goes with all that is its, and with nothing of another's", async () => {
    const [accountId, otherId] = [await fill(), await fill()];
    const [home] = rows.cells;
    const other = await rows.stored(home, otherId);
    const { number } = await readChanges(rows.on.database, home, 0);
    assert.equal(await removeAccount(rows.ports, accountId), true);
    await assertGone(accountId);
    const change = { kind: "account", subject: accountId };
    assert.deepEqual((await readChanges(rows.on.database, home, number)).changes, [change, change]);
    assert.deepEqual(await rows.stored(home, otherId), other);
    assert.deepEqual(await inDirectory(otherId), { accounts: 1, keys: 1, open: 1, links: 1, messages: 1 });
    assert.equal(await removeAccount(rows.ports, accountId), false);
  });

  test("goes with the next removal where one breaks off, and none of its keys works from its beginning", async () => {
    const accountId = await fill();
    let runs = 0;
    for (let isLeft = true; isLeft; runs += 1) {
      const database = dyingAfter(rows.on.database, 3 + 2 * runs);
      isLeft = await removeAccount({ ...rows.ports, database }, accountId).then(
        () => false,
        (cause: Error) => assert.equal(cause.message, "killed") ?? true,
      );
      if (runs > 0) assert.equal((await inDirectory(accountId)).open, 0);
    }
    assert.ok(runs > 5, `${runs} runs`);
    await assertGone(accountId);
  });

  test("refuses every change once it is closed, raises nothing, and reads as it was", async () => {
    const accountId = await fill();
    const [home] = rows.cells;
    const { database } = rows.on;
    const stored = await rows.stored(home, accountId);
    await rows.on.queryIn(home, "update cell.accounts set moving = true, closed = true where id = $1", [
      accountId,
    ]);
    const owner = { accountId, product: "tracking" };
    const at = new Date();
    const endpointId = stored["endpoints"]![0]!.id!;
    const endpoint = { ...owner, id: randomUUIDv7(), url: "https://x.test", eventTypes: [], description: "" };
    for (const change of [
      () => updateEndpoint(database, home, owner, endpointId, { active: true }, at),
      () => deleteEndpoint(database, home, owner, endpointId, at),
      () =>
        insertEndpoint(
          database,
          home,
          { ...endpoint, createdAt: at, sealedSecretHash: Buffer.alloc(1) },
          100,
        ),
    ])
      await assert.rejects(change(), { name: "StoreUnavailable", reason: "account_closed" });
    assert.equal(await readRoute(database, home, accountId), null);
    const targets = await targetList(database, home, [endpointId]);
    assert.deepEqual(
      targets.map(({ active }) => active),
      [false],
    );
    assert.deepEqual(await rows.stored(home, accountId), stored);
  });

  test("is known by every table of a cell: a new one must be named here", async () => {
    const found = await rows.on.queryIn(
      rows.cells[0],
      `select relname as name from pg_class where relnamespace = '${rows.cells[0].schema}'::regnamespace
       and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    assert.deepEqual(
      found.rows.map(({ name }) => String(name)),
      [...Object.keys(OF_ACCOUNTS), ...OF_NO_ACCOUNT.split(" ")].toSorted(),
    );
  });

  test("owns what refers to it: a product's table with an account is in its manifest", async () => {
    const found = await rows.on.queryIn(
      rows.cells[0],
      `select conrelid::regclass::text as name from pg_constraint where contype = 'f'
       and confrelid = 'cell.accounts'::regclass and connamespace = '${rows.cells[0].schema}'::regnamespace`,
    );
    const named = found.rows.map(({ name }) => String(name).split(".").at(-1)!);
    assert.deepEqual(named.toSorted(), [...OF_THE_STORE, ...rows.ports.accountTables].toSorted());
  });
});
