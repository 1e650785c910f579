/** Accounts with rows in every table that has some of an account, and what is stored of them: all of it goes with the account. */
import { randomUUIDv7 } from "node:crypto";
import { after, before } from "node:test";

import { products } from "../../src/products/index.ts";
import type { Cell, Cells } from "../../src/store/cell.ts";
import type { Connection, Database } from "../../src/store/database.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { addMissingCells } from "../../src/store/homes/cells.ts";
import type { RemovalPorts } from "../../src/store/account-removal/remove-account.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";

const DAY_MS = 86_400_000;

/** Tables of a cell whose rows are of accounts, how a row is found ($1 the account), and what the fence may change. */
export const OF_ACCOUNTS: Readonly<Record<string, readonly [where: string, changes?: readonly string[]]>> = {
  accounts: ["id = $1", ["routing_version", "moving", "closed"]],
  endpoints: ["account_id = $1"],
  event_keys: ["account_id = $1"],
  events: ["account_id = $1"],
  deliveries: ["endpoint_id in (select id from cell.endpoints where account_id = $1)"],
  attempts: [
    `delivery_id in (select id from cell.deliveries where endpoint_id in
       (select id from cell.endpoints where account_id = $1))`,
  ],
  queue: ["endpoint_id in (select id from cell.endpoints where account_id = $1)"],
  shipments: ["account_id = $1"],
  polls: ["shipment_id in (select id from cell.shipments where account_id = $1)", ["lease", "leased_until"]],
  load_plans: ["account_id = $1"],
};

export const NOTHING = Object.fromEntries(Object.keys(OF_ACCOUNTS).map((table) => [table, []]));

export type AccountRows = {
  readonly on: TestDatabase;
  readonly cells: Cells;
  readonly ports: RemovalPorts;
  /** An account of the first cell; returns its id. */
  fill(): Promise<string>;
  stored(
    cell: Cell,
    accountId: string,
  ): Promise<Readonly<Record<string, readonly { readonly id?: string }[]>>>;
};

/** In two cells, for the tests of the `describe` that calls it. */
export function accountRows(): AccountRows {
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
    Object.assign(rows, { on, cells, ports, fill: () => fill(on), stored });
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
export function dyingAfter(database: Database, countMax: number): Database {
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
async function fill({ address, cells, queryIn }: TestDatabase): Promise<string> {
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
