/** A crowd of accounts, of which some take `api_change_announced`, and whether they have been told. */
import assert from "node:assert/strict";

import type { Cell } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { query } from "../support/database.ts";

const NAMED = "{api_change_announced,eta_changed}";

/**
 * The endpoints of an account, by its number: product, event types, whether it is active. What is named, and what
 * takes everything, is to be told; other names, other products, and who pauses, are not.
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

/** Adds accounts to a cell; a third of them is to be told. */
export async function addCrowd(address: DatabaseAddress, cell: Cell, count: number): Promise<void> {
  const kinds = ENDPOINTS.map(
    ([kind, product, types, active]) => `(${kind}, '${product}', '${types}'::text[], ${active})`,
  );
  await query(
    address,
    `with made as materialized (select gen_random_uuid() as id, number from generate_series(0, $1 - 1) as number),
     home as (insert into ${cell.schema}.accounts (id) select id from made),
     listed as (insert into ${cell.directory}.accounts (id, name, cell, created_at)
       select id, 'Test', $2, $3 from made)
     insert into ${cell.schema}.endpoints (id, account_id, product, url, event_types, description,
       sealed_secret_hash, active, failure_count, inactive_since, created_at)
     select gen_random_uuid(), made.id, product, 'https://receiver.test/', types, '', '\\x00', active, 0,
       case when active then null else $3 end, $3
     from made
     join (values ${kinds.join(", ")}) as kind (number, product, types, active) on made.number % ${TURN} = kind.number`,
    [count, cell.number, new Date(0)],
  );
}

/** How many accounts of a cell have been told of what, by the `id` in the data, and asserts that each was told once, at each of its endpoints. */
export async function toldIn(
  address: DatabaseAddress,
  cell: Cell,
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await query(
    address,
    `with told as (
       select e.account_id, e.data::json ->> 'id' as what, count(distinct e.id) as events, count(d.id) as deliveries
       from ${cell.schema}.events e left join ${cell.schema}.deliveries d on d.event_id = e.id
       group by 1, 2),
     takers as (
       select account_id, count(*) as endpoints from ${cell.schema}.endpoints
       where product = 'tracking' and active and (event_types = '{}' or 'api_change_announced' = any (event_types))
       group by 1)
     select what, count(*)::integer as accounts,
       count(*) filter (where events <> 1 or endpoints is distinct from deliveries)::integer as wrong
     from told left join takers using (account_id)
     group by what`,
  );
  const told = rows as { what: string; accounts: number; wrong: number }[];
  assert.deepEqual(
    told.filter(({ wrong }) => wrong > 0),
    [],
    "each account is told once, at each endpoint that takes it",
  );
  return Object.fromEntries(told.map(({ what, accounts }) => [what, accounts]));
}
