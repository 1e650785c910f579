/** A crowd of accounts, some subscribed to `api_change_announced`, and whether they have been notified. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import type { Cell } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { query, type TestDatabase } from "../support/database.ts";

const NAMED = "{api_change_announced,eta_changed}";

/**
 * The endpoints of an account, by its number: product, event types, whether it is active. An endpoint must be
 * notified if it names the type or takes every type, unless it is paused or belongs to another product.
 */
const ENDPOINTS = [
  [0, "tracking", "{}", true],
  [0, "tracking", NAMED, true],
  [1, "tracking", NAMED, true],
  [1, "tracking", "{eta_changed}", true],
  [2, "tracking", "{eta_changed}", true],
  [3, "tracking", "{}", false],
  [4, "air", "{}", true],
] as const;

/** Accounts in turn have the endpoints above; the last of the turn has none. */
const TURN = 6;

/** Adds accounts to a cell; a third of them must be notified. */
export async function addCrowd(on: TestDatabase, cell: Cell, count: number): Promise<void> {
  const kinds = ENDPOINTS.map(
    ([kind, product, types, active]) => `(${kind}, '${product}', '${types}'::text[], ${active})`,
  );
  const ids = Array.from({ length: count }, () => randomUUID());
  await query(
    on.address,
    `insert into ${cell.directory}.accounts (id, name, cell, created_at)
     select id, 'Test', $2, $3 from unnest($1::uuid[]) as id`,
    [ids, cell.number, new Date(0)],
  );
  await on.queryIn(
    cell,
    `with made as materialized (
       select id, place - 1 as number from unnest($1::uuid[]) with ordinality as made (id, place)
     ),
     home as (insert into cell.accounts (id) select id from made)
     insert into cell.endpoints (id, account_id, product, url, event_types, description,
       sealed_secret_hash, active, failure_count, inactive_since, created_at)
     select gen_random_uuid(), made.id, product, 'https://receiver.test/', types, '', '\\x00', active, 0,
       case when active then null else $2::timestamptz end, $2::timestamptz
     from made
     join (values ${kinds.join(", ")}) as kind (number, product, types, active) on made.number % ${TURN} = kind.number`,
    [ids, new Date(0)],
  );
}

/**
 * Counts a cell's notified accounts by the `id` in the data. Asserts that each was notified once, at each subscribed
 * endpoint.
 */
export async function toldIn(
  address: DatabaseAddress,
  cell: Cell,
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await query(
    address,
    `with notified as (
       select e.account_id, e.data::json ->> 'id' as what, count(distinct e.id) as events, count(d.id) as deliveries
       from ${cell.schema}.events e left join ${cell.schema}.deliveries d on d.event_id = e.id
       group by 1, 2),
     takers as (
       select account_id, count(*) as endpoints from ${cell.schema}.endpoints
       where product = 'tracking' and active and (event_types = '{}' or 'api_change_announced' = any (event_types))
       group by 1)
     select what, count(*)::integer as accounts,
       count(*) filter (where events <> 1 or endpoints is distinct from deliveries)::integer as wrong
     from notified left join takers using (account_id)
     group by what`,
  );
  const told = rows as { what: string; accounts: number; wrong: number }[];
  assert.deepEqual(
    told.filter(({ wrong }) => wrong > 0),
    [],
    "each account is notified once, at each endpoint that takes the type",
  );
  return Object.fromEntries(told.map(({ what, accounts }) => [what, accounts]));
}
