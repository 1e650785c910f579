/** Which cells a process can serve: their servers are asked side by side. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import { StoreUnavailable } from "../../src/model/errors.ts";
import {
  createCellHealth,
  databaseCheck,
  exposeCellHealth,
  type CellHealthPorts,
} from "../../src/service/cell-health.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import type { Connection, DatabaseAddress } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";

const CELLS = cellsNamed("boathook", 4);
const [cell] = CELLS;
const ADDRESSES: readonly DatabaseAddress[] = [{ url: "postgres://one" }, { url: "postgres://two" }];

/** Cells 0 and 2 live on the first server, 1 and 3 on the second, which answers as the test says. */
function watching(second: () => Promise<object[]>, more: Partial<CellHealthPorts> = {}) {
  const clock = manualClock();
  const asked: string[] = [];
  const homeOf = ({ number }: Cell) => ADDRESSES[number % 2]!;
  const rows = ({ schema }: { schema?: string }) => {
    asked.push(schema!);
    return schema!.endsWith("0") || schema!.endsWith("2") ? Promise.resolve([{ writable: true }]) : second();
  };
  const health = createCellHealth({
    database: { rows, homeOf } as CellHealthPorts["database"],
    cells: CELLS,
    productCells: [],
    clock,
    illInEngine: () => new Map(),
    refusal: () => null,
    ...more,
  });
  return { health, clock, asked };
}

test("a server that does not answer makes its cells ill after two seconds, and each server is asked once", async () => {
  const { health, clock, asked } = watching(() => new Promise(() => undefined));
  const [ill, noneWell] = [health.ill(), health.noneWell()];
  await clock.advance(2_000);
  const late = "the database has not answered in 2000 ms";
  assert.deepEqual(Object.fromEntries(await ill), { 1: late, 3: late });
  assert.equal(await noneWell, null);
  assert.equal(asked.length, 2);
});

test("a cell is ill for what the engine says of it, or what its statements were refused", async () => {
  const { health } = watching(async () => [{ writable: true }], {
    illInEngine: () => new Map([[CELLS[1]!, "a loop does not get on"]]),
    refusal: ({ number }) => (number === 2 ? "the disk is full" : null),
  });
  const reasons = { 1: "a loop does not get on", 2: "the disk is full" };
  assert.deepEqual(Object.fromEntries(await health.ill()), reasons);
});

test("only a process that can serve no cell has a reason", async () => {
  const { health } = watching(() => Promise.reject(new StoreUnavailable("the database cannot be reached")), {
    illInEngine: () => new Map(CELLS.map((one) => [one, "it hangs"])),
  });
  assert.equal(await health.noneWell(), "it hangs; the database cannot be reached");
});

test("the cell of a product that is ill is named, and takes no process out of service", async () => {
  const productCells = cellsNamed("boathook", 2, "schedules");
  // The second of them lives on the second server.
  const down = () => Promise.reject(new StoreUnavailable("the database cannot be reached"));
  const { health } = watching(down, { cells: [CELLS[0], CELLS[2]!], productCells });
  assert.deepEqual([...(await health.ill())], [["schedules_1", "the database cannot be reached"]]);
  const ofAccounts = watching(down, { cells: [CELLS[1]!], productCells: [productCells[0]] });
  assert.equal(
    await ofAccounts.health.noneWell(),
    "the database cannot be reached",
    "a product's cell serves no accounts",
  );
  const registry = new Registry();
  exposeCellHealth(registry, health, { isSilent: () => true });
  assert.match(await registry.metrics(), /^boathook_cell_up\{cell="schedules_1"\} 0$/m);
  assert.match(await registry.metrics(), /^boathook_directory_up 0$/m);
});

test("a cell that is taken up while the process runs is watched, too", async () => {
  const cells = [CELLS[0]];
  const productCells = cellsNamed("boathook", 1, "schedules");
  const down = () => Promise.reject(new StoreUnavailable("the database cannot be reached"));
  const { health } = watching(down, { cells, productCells });
  const registry = new Registry();
  exposeCellHealth(registry, health, { isSilent: () => false });
  assert.match(await registry.metrics(), /^boathook_cell_up\{cell="0"\} 1$/m);
  assert.doesNotMatch(await registry.metrics(), /cell="1"/);
  cells.push(CELLS[1]!);
  assert.deepEqual([...(await health.ill()).keys()], ["1"]);
  assert.match(await registry.metrics(), /^boathook_cell_up\{cell="1"\} 0$/m);
});

test("the database check tests for an answer and for writes, and reports errors in words", async () => {
  let rows: () => Promise<object[]> = async () => [{ writable: true }];
  const check = databaseCheck({ rows: () => rows() } as unknown as Connection, cell);
  assert.equal(await check(), null);
  rows = async () => [{ writable: false }];
  assert.equal(await check(), "the database is read-only");
  rows = () => Promise.reject(new StoreUnavailable("the database cannot be reached"));
  assert.equal(await check(), "the database cannot be reached");
  rows = () => Promise.reject(new Error('relation "accounts" does not exist'));
  assert.equal(await check(), 'the database refuses the check: relation "accounts" does not exist');
  rows = async () => [{ writable: true }];
  assert.equal(await check(), null);
});
