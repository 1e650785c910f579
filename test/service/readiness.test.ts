import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import { createReadiness, type Checks } from "../../src/service/readiness.ts";
import { manualClock } from "../support/clock.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import {
  createCellHealth,
  databaseCheck,
  exposeCellHealth,
  type CellHealthPorts,
} from "../../src/service/cell-health.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import type { Connection, DatabaseAddress } from "../../src/store/database.ts";
import { createMetrics } from "../../src/service/metrics.ts";
import { watchKeys } from "../../src/service/lacking-keys.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { addEndpoint } from "../cli/add-endpoint.ts";
import { openShell } from "../cli/shell.ts";
import { silentLog } from "../support/log.ts";

/** The readiness of a service that has started. */
function started(checks: Checks, clock = manualClock()) {
  const readiness = createReadiness(checks, clock);
  readiness.started();
  return readiness;
}

test("a service is not ready before it has started, nor once it ends, and then nothing is checked", async () => {
  let checked = 0;
  const check = () => {
    checked += 1;
    return null;
  };
  const readiness = createReadiness({ check }, manualClock());
  assert.deepEqual(await readiness.reasons(), { service: "the service is starting" });
  assert.equal(checked, 0);
  readiness.started();
  assert.deepEqual(await readiness.reasons(), {});
  assert.equal(checked, 1);
  readiness.stopping();
  assert.deepEqual(await readiness.reasons(), { service: "the service is stopping" });
  assert.equal(checked, 1);
});

test("a service that begins to end while it is being checked is not ready", async () => {
  const asked = Promise.withResolvers<null>();
  const readiness = started({ slow: () => asked.promise });
  const reasons = readiness.reasons();
  readiness.stopping();
  asked.resolve(null);
  assert.deepEqual(await reasons, { service: "the service is stopping" });
});

test("every check that has a reason is reported by its name, and no other", async () => {
  let engine: string | null = null;
  const readiness = started({
    database: async () => "the database is away",
    engine: () => engine,
    disk: () => null,
  });
  assert.deepEqual(await readiness.reasons(), { database: "the database is away" });
  engine = "the engine has stopped";
  assert.deepEqual(await readiness.reasons(), {
    database: "the database is away",
    engine: "the engine has stopped",
  });
});

test("a check that hangs is reported after two seconds, and runs once for all callers", async () => {
  const clock = manualClock();
  let asked = 0;
  let answer = (_reason: string | null) => {};
  const database = () => {
    asked += 1;
    return new Promise<string | null>((resolve) => (answer = resolve));
  };
  const readiness = started({ database }, clock);
  const all = [readiness.reasons(), readiness.reasons(), readiness.reasons()];
  await clock.advance(2_000);
  for (const reasons of await Promise.all(all)) {
    assert.deepEqual(reasons, { database: "the database has not answered in 2000 ms" });
  }
  assert.equal(asked, 1);
  const late = readiness.reasons();
  answer(null);
  assert.deepEqual(await late, {});
  assert.equal(asked, 1);
  assert.equal(clock.pending(), 0);
  const next = readiness.reasons();
  answer("it is away");
  assert.deepEqual([await next, asked], [{ database: "it is away" }, 2]);
});

const CELLS = cellsNamed("boathook", 4);
const [cellOf] = CELLS;
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
  const check = databaseCheck({ rows: () => rows() } as unknown as Connection, cellOf);
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

test("a node says of which endpoints it lacks the master key, by its readiness and a metric, and takes it back", async (t) => {
  const boathook = await openShell(t);
  const account = await boathook.json("accounts", "create", "Acme");
  const [own, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  await addEndpoint(boathook, account.id, own);
  const clock = manualClock();
  const { registry } = createMetrics({ version: "1" }, clock);
  const { cells, database } = boathook.test;
  const loops = createLoopMonitor(clock, silentLog);
  const keys = watchKeys(registry, { database, cells, masterKeys: [own], clock, loops });
  t.after(() => keys.stop());
  const metric = async () => /^boathook_unopened_endpoints (\d+)$/m.exec(await registry.metrics())?.[1];
  const counted = (wanted: string) =>
    clock.until(async () => (await metric()) === wanted, `the metric says ${wanted}`);
  keys.start();
  await counted("0");
  assert.deepEqual(keys.trouble(), {});

  const { id } = await addEndpoint(boathook, account.id, other);
  await counted("1");
  assert.match(keys.trouble()["master keys"]!, /lacks the master key of 1 endpoints/);
  for (const cell of cells)
    await boathook.test.queryIn(cell, "delete from cell.endpoints where id = $1", [id]);
  await counted("0");
});
