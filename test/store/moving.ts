/** An account with rows in every table that has some of an account, and what is stored of it, to see that all of it moves. */
import { randomUUIDv7 } from "node:crypto";

import type pg from "pg";

import type { Cell } from "../../src/store/cell.ts";

export type QueryIn = (cell: Cell, sql: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** Tables of a cell whose rows are of accounts, how a row is found ($1 the account), and what a move may change. */
export const MOVED: Readonly<Record<string, readonly [where: string, changes?: readonly string[]]>> = {
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

/** Of no account: the cell's own, and what is left of endpoints that are gone. */
export const STAYING = [
  "air_messages",
  "air_statements",
  "announcements",
  "announcing",
  "broadcasts",
  "changes",
  "deleted_endpoints",
  "imported_milestones",
  "migrations",
  "nodes",
  "reference_index",
];

export async function storedOf(queryIn: QueryIn, cell: Cell, accountId: string) {
  const stored: Record<string, unknown[]> = {};
  for (const [table, [where, changes = []]] of Object.entries(MOVED)) {
    const sql = `select to_jsonb(t) - $2::text[] as row from cell.${table} t where ${where} order by 1`;
    const { rows } = await queryIn(cell, sql, [accountId, changes]);
    stored[table] = rows.map(({ row }) => row as unknown);
  }
  return stored;
}

const ids = (count: number) => Array.from({ length: count }, () => randomUUIDv7());

/** Inserts all of it; `extra` deliveries have ended. */
export async function fillAccount(
  queryIn: QueryIn,
  cell: Cell,
  accountId: string,
  extra = 450,
): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => queryIn(cell, sql, values);
  await run(
    "insert into cell.accounts (id, routing_version, demurrage_armed_at, last_arming) values ($1, 7, $2, -3)",
    accountId,
    "2026-11-01T00:00:00.123Z",
  );
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
    [active, extra, false],
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
       select d.id, e.id, $3, $4, 500, $5, $6, '2026-11-20T00:00:00.123456Z', $7
       from unnest($1::uuid[], $2::uuid[]) as pair (id, event_id)
       cross join lateral (select pair.id) d cross join lateral (select pair.event_id as id) e`,
      deliveries,
      events,
      endpoint,
      2,
      isQueued ? "pending" : "delivered",
      isQueued ? "http_500: no" : null,
      isQueued ? null : "2026-11-20T00:00:01Z",
    );
    await addAttempts(run, deliveries);
    if (isQueued)
      await run(
        `insert into cell.queue (delivery_id, endpoint_id, due_at)
         select id, $2, timestamptz '2026-11-22T10:00:00.000001Z' + n % 7 * interval '1 microsecond'
         from unnest($1::uuid[]) with ordinality as d (id, n)`,
        deliveries,
        endpoint,
      );
  }
  await addUnheard(run, accountId);
  await fillTracked(run, accountId);
}

type Run = (sql: string, ...values: unknown[]) => Promise<unknown>;

async function addAttempts(run: Run, deliveries: readonly string[]): Promise<void> {
  await run(
    `insert into cell.attempts (delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes)
     select id, n, '2026-11-20T00:00:00.5Z', 40 * n, '203.0.113.7', 500, 'http_500: no, "really"', 12
     from unnest($1::uuid[]) as id, generate_series(1, 2) n`,
    deliveries,
  );
}

/** Events that no endpoint received. */
async function addUnheard(run: Run, accountId: string): Promise<void> {
  await run(
    `insert into cell.events (id, account_id, product, type, occurred_at, data)
     select id, $2, 'air', 'awb_arrived', '2026-11-20T00:00:00Z', '{"received":"by nobody"}' from unnest($1::uuid[]) as id`,
    ids(210),
    accountId,
  );
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
