/** Shipments that are tracked, and which of them are due: written by SQL, as clients and time would. */
import { systemRandom } from "../../src/runtime/system-random.ts";
import { SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { createHarbour } from "../../packages/simulator/src/harbour/harbour.ts";
import type { PolledReference } from "../processes/polling-ceiling.ts";
import type { Postgres } from "./postgres.ts";

const ACCOUNTS = 100;
const ROWS_A_STATEMENT = 10_000;

/** Tracks the whole world, a shipment for each of its boxes, none of them due; gives what they are tracked by. */
export async function trackWorld(
  { client }: Postgres,
  world: { readonly seed: number; readonly boxes: number; readonly startMs: number },
): Promise<readonly PolledReference[]> {
  const random = systemRandom();
  const harbour = createHarbour(world);
  const accounts = Array.from({ length: ACCOUNTS }, () => random.uuid(Date.now()));
  await client.query(
    `insert into ${SCHEMA_PREFIX}.accounts (id, name, cell, created_at)
     select id, 'Bench', 0, now() from unnest($1::uuid[]) as a (id)`,
    [accounts],
  );
  await client.query("insert into accounts (id) select * from unnest($1::uuid[])", [accounts]);
  const tracked: PolledReference[] = [];
  for (let from = 0; from < world.boxes; from += ROWS_A_STATEMENT) {
    const count = Math.min(ROWS_A_STATEMENT, world.boxes - from);
    const boxes = Array.from({ length: count }, (_, index) => harbour.boxAt(from + index));
    tracked.push(...boxes);
    await client.query(INSERT, [
      boxes.map(() => random.uuid(Date.now())),
      boxes.map((_, index) => accounts[index % ACCOUNTS]),
      boxes.map(({ reference }) => reference),
      boxes.map(({ type }) => type),
      boxes.map(({ scac }) => scac),
    ]);
  }
  await client.query("vacuum analyze");
  await client.query("checkpoint");
  return tracked;
}

const INSERT = `with made as (
    insert into shipments (id, account_id, reference, identifier_type, carrier, created_at)
    select id, account_id, reference, identifier_type, carrier, now()
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[])
      as s (id, account_id, reference, identifier_type, carrier)
    returning id, carrier
  )
  insert into polls (shipment_id, source) select id, carrier from made`;

/** Makes some due within the last hour, from all over the table, each of the carriers as many. */
export async function makeDue(
  { client }: Postgres,
  carriers: readonly string[],
  each: number,
): Promise<void> {
  await client.query(
    `update polls
     set next_poll_at = date_trunc('milliseconds', now() - random() * interval '1 hour')
     from unnest($1::text[]) as wanted (carrier)
     cross join lateral (
       select shipment_id from polls where source = wanted.carrier order by random() limit $2
     ) as drawn
     where polls.shipment_id = drawn.shipment_id`,
    [carriers, each],
  );
}

/** Puts off what is still due of a carrier. */
export async function postpone({ client }: Postgres, carrier: string): Promise<void> {
  await client.query(
    "update polls set next_poll_at = now() + interval '1 day' where source = $1 and next_poll_at <= now()",
    [carrier],
  );
}

const CHECK_INTERVAL_MS = 250;
const CHECKS_MAX = 4 * 60 * 15;

/**
 * How many of these carriers' shipments were polled a second, once none is due any more. Leaves out the first and the
 * last tenth of the polls, in which the service begins and ends.
 */
export async function pollRate(
  { client }: Postgres,
  carriers: readonly string[],
  sinceMs: number,
): Promise<number> {
  for (let look = 0; ; look++) {
    if (look === CHECKS_MAX) throw new Error("due shipments were not polled within a quarter of an hour");
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    const { rows } = await client.query<{ left: boolean }>(
      `select exists (select from polls where source = any ($1) and next_poll_at <= now()) as left`,
      [carriers],
    );
    if (!rows[0]!.left) break;
  }
  const { rows } = await client.query<{ looks: number; seconds: number }>(
    `select count(*)::integer as looks,
       extract(epoch from percentile_disc(0.9) within group (order by refreshed_at)
         - percentile_disc(0.1) within group (order by refreshed_at))::float8 as seconds
     from polls where source = any ($1) and refreshed_at >= $2`,
    [carriers, new Date(sinceMs)],
  );
  return (rows[0]!.looks * 0.8) / rows[0]!.seconds;
}
