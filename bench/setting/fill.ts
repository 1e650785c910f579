/** Fills a database with history, as years of use would have, by SQL: ids in the order of time, rows as they are left. */
import type { Account } from "./accounts.ts";
import { dataOf, EVENT_TYPE, SEQUENCE_FIRST } from "./events.ts";
import type { Postgres } from "./postgres.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const ROWS_A_STATEMENT = 250_000;

/** A UUIDv7 of the time `at`, whose tail is the row's number; events and deliveries differ in the variant's bits. */
const idOf = (at: string, variant: string) =>
  `(lpad(to_hex(${at}), 12, '0') || '7000${variant}' || lpad(to_hex(n), 15, '0'))::uuid`;
const EVENT_ID = idOf("at", "8");
const DELIVERY_ID = idOf("at", "9");
const instant = (at: string) => `timestamptz 'epoch' + (${at}) * interval '1 millisecond'`;

/** $1, $2 the numbers of the rows · $3 the time of row 0 · $4 milliseconds a row · $5 who each row is of, in turn */
const ROWS = `(
  select n, ($3 + n * $4::double precision)::bigint as at, ($5::uuid[])[1 + n % cardinality($5::uuid[])] as owner
  from generate_series($1::bigint, $2::bigint) as n
)`;

const EVENTS = `insert into events (id, account_id, product, type, occurred_at, data)
  select ${EVENT_ID}, owner, 'tracking', '${EVENT_TYPE}', ${instant("at")}, '${dataOf(SEQUENCE_FIRST)}' from ${ROWS}`;

const DELIVERED = `insert into deliveries
    (id, event_id, endpoint_id, attempt_count, last_status_code, status, created_at, delivered_at)
  select ${DELIVERY_ID}, ${EVENT_ID}, owner, 1, 200, 'delivered', ${instant("at")}, ${instant("at + 20")} from ${ROWS}`;

const PENDING = `insert into deliveries
    (id, event_id, endpoint_id, attempt_count, last_status_code, status, last_error, created_at)
  select ${DELIVERY_ID}, ${EVENT_ID}, owner, 5, 503, 'pending', 'http_503: Service Unavailable', ${instant("at")} from ${ROWS}`;

const QUEUED = `insert into queue (delivery_id, endpoint_id, due_at)
  select ${DELIVERY_ID}, owner, ${instant(`at + ${60 * MINUTE_MS}`)} from ${ROWS}`;

/** Deliveries that were delivered, over the last five days. */
export function fillDelivered(postgres: Postgres, accounts: readonly Account[], rows: number): Promise<void> {
  return fill(postgres, accounts, rows, [DELIVERED], 5 * DAY_MS);
}

/** Deliveries that wait for a retry, of the last half-hour; the first is due half an hour from now. */
export function fillPending(postgres: Postgres, accounts: readonly Account[], rows: number): Promise<void> {
  return fill(postgres, accounts, rows, [PENDING, QUEUED], 30 * MINUTE_MS);
}

async function fill(
  postgres: Postgres,
  accounts: readonly Account[],
  rows: number,
  ofEndpoints: readonly string[],
  spanMs: number,
): Promise<void> {
  const firstMs = Date.now() - spanMs - MINUTE_MS;
  const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  await postgres.client.query("select make_partitions($1, $2)", [day(firstMs), day(Date.now() + 2 * DAY_MS)]);
  const insert = async (statements: readonly string[], owners: readonly string[]): Promise<void> => {
    const client = await postgres.connect();
    await client.query("set synchronous_commit = off");
    for (let from = 0; from < rows; from += ROWS_A_STATEMENT) {
      const to = Math.min(rows, from + ROWS_A_STATEMENT) - 1;
      for (const statement of statements)
        await client.query(statement, [from, to, firstMs, spanMs / rows, owners]);
    }
    await client.end();
  };
  await Promise.all([
    insert(
      [EVENTS],
      accounts.map(({ id }) => id),
    ),
    insert(
      ofEndpoints,
      accounts.map(({ endpointId }) => endpointId),
    ),
  ]);
  await postgres.client.query("vacuum analyze");
  await postgres.client.query("checkpoint");
}
