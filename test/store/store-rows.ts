/**
 * A cell's tables as a test writes and reads them, beside the store's own functions: ids are small numbers, and
 * times are milliseconds from a moment of the test's.
 */
import { after, before, beforeEach } from "node:test";

import pg from "pg";

import type { Cell } from "../../src/store/cell.ts";
import { connectionConfig, type Database, type DatabaseAddress } from "../../src/store/database.ts";
import type { ProductCells } from "../../src/store/homes/product-cells.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const ID_PREFIX = "01900000-0000-7000-8000-";
const MOMENT_MS = Date.UTC(2026, 10, 2, 12);

/** The id of a number; ids are in the order of their numbers. */
export function idOf(number: number): string {
  return ID_PREFIX + number.toString(16).padStart(12, "0");
}

export function timeOf(ms: number): number {
  return MOMENT_MS + ms;
}

/** What `plain` makes of the moment that sorts before all that is merely due, and of the one after it. */
export const AT_ONCE = -MOMENT_MS;
export const AT_ONCE_AGAIN = AT_ONCE + 1;

export function dateOf(ms: number): Date {
  return new Date(timeOf(ms));
}

/** Ids as their numbers and dates as their milliseconds, in rows and lists of whatever depth. */
export function plain(value: unknown): unknown {
  if (typeof value === "string")
    return value.startsWith(ID_PREFIX) ? Number.parseInt(value.slice(ID_PREFIX.length), 16) : value;
  if (value instanceof Date) return value.getTime() - MOMENT_MS;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

type Row = Readonly<Record<string, unknown>>;

export type StoreRows = {
  readonly database: Database;
  readonly cell: Cell;
  readonly productCells: ProductCells;
  /** The cell of schedules, and that of rates. */
  readonly schedules: Cell;
  readonly rates: Cell;
  readonly address: DatabaseAddress;
  readonly forward: TestDatabase["forward"];
  insert(table: string, row: Row): Promise<void>;
  account(id: number): Promise<void>;
  /** Of account 1 on tracking unless the row says otherwise. */
  endpoint(id: number, row?: Row): Promise<void>;
  /** With its event, which has the same id. */
  delivery(id: number, row?: Row): Promise<void>;
  queued(deliveryId: number, row?: Row): Promise<void>;
  node(id: number, row?: Row): Promise<void>;
  /** The rows of a query as lists of plain values. */
  read(text: string): Promise<unknown>;
  run(text: string): Promise<void>;
  /** A shipment of account 1 that is tracked, answered for by its carrier HRNL unless the row says otherwise. */
  shipment(id: number, row?: Row, poll?: Row): Promise<void>;
  /** Removes every row. */
  clear(): Promise<void>;
  drop(): Promise<void>;
};

/**
 * Rows for the tests of the `describe` that calls it, cleared before each; the tables are those of tracking and the
 * engine unless `clear` says which.
 */
export function storeRows(clear = (rows: StoreRows): Promise<void> => rows.clear()): StoreRows {
  const rows = {} as StoreRows;
  before(async () => {
    Object.assign(rows, await openStoreRows());
  });
  after(() => rows.drop());
  beforeEach(() => clear(rows));
  return rows;
}

export async function openStoreRows(): Promise<StoreRows> {
  const test = await createTestDatabase({ cells: 1 });
  const cell = test.cells[0]!;
  const client = new pg.Client(connectionConfig(test.address));
  await client.connect();
  const sql = (text: string, values: unknown[] = []) =>
    client.query<Row>(text.replaceAll(/\bcell\./g, `${cell.schema}.`), values);
  const insert = async (table: string, row: Row) => {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    await sql(
      `insert into cell.${table} (${names.join(", ")}) overriding system value values (${places.join(", ")})`,
      Object.values(row),
    );
  };
  return {
    database: test.database,
    cell,
    productCells: test.productCells,
    schedules: test.productCells.of("schedules"),
    rates: test.productCells.of("rates"),
    address: test.address,
    forward: test.forward,
    insert,
    account: (id) => insert("accounts", { id: idOf(id) }),
    endpoint: (id, row = {}) =>
      insert("endpoints", {
        ...{ id: idOf(id), account_id: idOf(1), product: "tracking", url: `https://receiver.test/${id}` },
        ...{ event_types: [], description: "", sealed_secret_hash: Buffer.alloc(1), active: true },
        ...{ failure_count: 0, created_at: dateOf(0), ...row },
      }),
    async delivery(id, row = {}) {
      await insert("events", {
        ...{ id: idOf(id), account_id: idOf(1), product: "tracking", type: "eta_changed" },
        ...{ occurred_at: dateOf(id), data: `{"n":${id}}` },
      });
      const times = { created_at: dateOf(0), delivered_at: row["status"] === "delivered" ? dateOf(1) : null };
      await insert("deliveries", {
        id: idOf(id),
        event_id: idOf(id),
        endpoint_id: idOf(1),
        ...times,
        ...row,
      });
    },
    queued: (deliveryId, row = {}) =>
      insert("queue", { delivery_id: idOf(deliveryId), endpoint_id: idOf(1), due_at: dateOf(0), ...row }),
    node: (id, row = {}) => insert("nodes", { id, started_at: dateOf(0), oldest_held: idOf(0), ...row }),
    async shipment(id, row = {}, poll = {}) {
      const isPending = row["status"] === "pending";
      const known = isPending ? {} : { carrier: "HRNL", status: "in_transit", record: `{"n":${id}}` };
      const own = { id: idOf(id), account_id: idOf(1), reference: `BOOKING${id}`, created_at: dateOf(id) };
      await insert("shipments", { ...own, ...known, ...row });
      await insert("polls", { shipment_id: idOf(id), source: "HRNL", next_poll_at: dateOf(0), ...poll });
    },
    async read(text) {
      return plain((await sql(text)).rows.map((row) => Object.values(row)));
    },
    async run(text) {
      await sql(text);
    },
    async clear() {
      await sql(
        `truncate cell.accounts, cell.endpoints, cell.events, cell.event_references, cell.deliveries, cell.queue, cell.nodes,
           cell.event_keys, cell.deleted_endpoints,
           cell.shipments, cell.polls, cell.broadcasts cascade`,
      );
    },
    async drop() {
      await client.end();
      await test.drop();
    },
  };
}
