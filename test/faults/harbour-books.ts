/** Which shipments are due and what was raised, in a database that may be killed with the poller. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { RaisedEvent } from "../../src/model/event.ts";
import { OCEAN_PRODUCT } from "../../src/products/ocean/ocean-product.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { recheckShipment } from "../../src/freight/tracking/store/shipments.ts";
import { atEnd } from "./endings.ts";
import { addressOf } from "./postgres.ts";

export type Books = ReturnType<typeof openBooks>;

/** The database as the test reads and changes it, alongside the poller. */
export function openBooks(t: TestContext, folder: string) {
  const database = openDatabase(addressOf(folder), {
    sessionName: "boathook test",
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
    onIdleError: () => undefined,
  });
  atEnd(t, () => database.close());
  const cell = cellsNamed(SCHEMA_PREFIX, 1)[0];
  const read = <Row extends object>(name: string, text: string, parameters: readonly unknown[] = []) =>
    database.rows<Row>({ name, text: text.replaceAll("cell.", `${cell.schema}.`) }, parameters);
  return {
    async makeDue(shipments: readonly { readonly accountId: string; readonly id: string }[]): Promise<void> {
      for (const { accountId, id } of shipments) {
        await recheckShipment(database, cell, { product: OCEAN_PRODUCT, accountId }, id);
      }
    },
    /** When time alone changes something next. */
    async nextChangeMs(): Promise<number> {
      const [row] = await read<{ at: Date | null }>("test_next_change", NEXT_CHANGE);
      return row?.at?.getTime() ?? Number.POSITIVE_INFINITY;
    },
    areReadable: () =>
      read("test_readable", "select 1").then(
        () => true,
        () => false,
      ),
    async areClaimsOpen(): Promise<boolean> {
      const [row] = await read<{ open: boolean }>("test_open", OPEN_CLAIMS);
      return row!.open;
    },
    /** Until nothing is due any more at that moment. */
    async allLookedAt(atMs: number): Promise<void> {
      const startedMs = performance.now();
      for (;;) {
        // The database may have died with the poller, and be about to come back.
        const rows = await read<{ due: boolean }>("test_due", DUE, [new Date(atMs)]).catch(() => []);
        if (rows[0]?.due === false) return;
        const waitedMs = performance.now() - startedMs;
        assert.ok(waitedMs < LOOKS_MS_MAX, `something stayed due for ${LOOKS_MS_MAX} ms`);
        await sleep(1);
      }
    },
    raised: () => read<Raised>("test_raised", "select type, data, occurred_at as at from cell.events"),
  };
}

const LOOKS_MS_MAX = 60_000;

const NEXT_CHANGE = "select min(changes_at) as at from cell.shipments where status <> 'pending'";
const OPEN_CLAIMS = "select exists (select from cell.polls where leased_until is not null) as open";
const DUE = `
  select exists (
    select
    from cell.polls
    join cell.shipments on shipments.id = polls.shipment_id
    where next_poll_at <= $1 or leased_until is not null or (changes_at <= $1 and status <> 'pending')
  ) as due`;

type Raised = Pick<RaisedEvent, "type" | "data"> & { readonly at: Date };
