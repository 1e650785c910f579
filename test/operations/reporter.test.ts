/** Who receives reports, also while the cell of an overseer is away, and what is reported of sources. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createSourceLog } from "../../src/freight/sources/source-log.ts";
import type { UpstreamAnswer } from "../../src/freight/upstream/upstream.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { createReporter, type ReporterPorts } from "../../src/products/operations/reporter.ts";
import { insertAccount } from "../../src/store/accounts/accounts.ts";
import type { Cells } from "../../src/store/cell.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { idOf } from "../store/store-rows.ts";

const AWAY = new StoreUnavailable("the cell is away", { commitUnknown: false });

describe("reporting", () => {
  let on: TestDatabase;
  let clock: ManualClock;
  let raised: RaisedEvent[];
  /** Cells that take nothing. */
  let away: readonly number[];
  let cellOf: Map<string, number>;
  let node: Pick<ReporterPorts, "database" | "cells" | "clock" | "log" | "loops">;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    on = await createTestDatabase({ cells: 3 });
    clock = manualClock();
    raised = [];
    away = [];
    cellOf = new Map();
    node = { database: on.database, cells: on.cells as Cells, clock, log: silentLog, loops: unwatchedLoops };
    // 1 has its endpoint fail, 2 oversees in the same cell, 3 in the other, 4 has no endpoint.
    await account(1, 0, []);
    for (const [number, cell] of [
      [2, 0],
      [3, 1],
      [4, 1],
    ] as const)
      await account(number, cell, ["operations"]);
    for (const number of [1, 2, 3]) await endpoint(number, number === 3 ? 1 : 0, "operations");
    await endpoint(9, 0, "air", 1);
    const reporter = createReporter({
      ...node,
      onReported: () => undefined,
      engine: {
        async raise(events) {
          if (events.some(({ accountId }) => away.includes(cellOf.get(accountId)!))) throw AWAY;
          raised.push(...events);
          return { kind: "raised", accepted: events.length, duplicates: 0, deliveries: 0 };
        },
        async raiseWithin(_cell, change) {
          const events = await on.database.transaction(change);
          raised.push(...(events ?? []));
          return null;
        },
      },
    });
    stop = reporter.stop;
    reporter.start();
  });
  afterEach(async () => {
    await stop();
    await on.drop();
  });

  async function account(number: number, cell: number, entitlements: readonly string[]) {
    const id = idOf(number);
    cellOf.set(id, cell);
    const known = { id, name: "Acme", entitlements, demurrageAlerting: false, cell };
    await insertAccount(on.database, on.cells[cell]!, { ...known, createdAt: new Date(START_MS) });
  }
  const endpoint = (number: number, cell: number, product: string, owner = number) =>
    on.queryIn(
      on.cells[cell]!,
      `insert into cell.endpoints
         (id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count, created_at)
       values ($1, $2, $3, 'https://receiver.example', '{}', '', '\\x', true, 0, $4)`,
      [idOf(number), idOf(owner), product, new Date(START_MS)],
    );
  const report = (endpointNumber = 9, error: string | null = null) =>
    on.queryIn(
      on.cells[0]!,
      `insert into cell.reports (at, kind, subject, account_id, endpoint_id, failure_count, error)
       values ($1, 'endpoint_failing', $2, $3, $2, 5, $4)`,
      [new Date(clock.nowMs()), idOf(endpointNumber), idOf(1), error],
    );
  const left = async () => (await on.queryIn(on.cells[0]!, "select from cell.reports")).rows.length;
  const heard = () => raised.map(({ accountId, type }) => `${Number(accountId.slice(-4))} ${type}`);

  test("everybody who listens hears once; while a cell is away the others hear, and it hears later of the same", async () => {
    away = [1];
    await report();
    await clock.until(async () => raised.length >= 2, "the first cell has heard");
    assert.deepEqual([heard(), await left()], [["1 endpoint_failing", "2 endpoint_failing"], 1]);
    away = [];
    await clock.until(async () => (await left()) === 0, "the other cell is back");
    const ofThree = raised.filter(({ accountId }) => accountId === idOf(3));
    assert.equal(ofThree.length, 1);
    assert.equal(
      new Set(raised.map(({ dedupKey }) => dedupKey)).size,
      1,
      "the key keeps what is repeated out",
    );
    assert.equal(
      new Set(raised.map(({ accountId }) => accountId)).size,
      3,
      "not the one without an endpoint",
    );
  });

  test("a cell that is away keeps waiting neither what overseers of other cells hear, nor any later report", async () => {
    await account(5, 2, ["operations"]);
    await endpoint(5, 2, "operations");
    away = [1];
    await on.queryIn(
      on.cells[0]!,
      `insert into cell.reports (at, kind, subject, account_id, endpoint_id, failure_count)
       select $1::timestamptz + make_interval(secs => n), 'endpoint_failing', $2, $3, $2, 5 from generate_series(1, 501) n`,
      [new Date(START_MS - 1_000_000), idOf(9), idOf(1)],
    );
    const keys = (number: number) =>
      new Set(raised.filter((one) => one.accountId === idOf(number)).map(({ dedupKey }) => dedupKey)).size;
    await clock.until(() => keys(1) > 0, "the first are heard");
    assert.deepEqual([1, 2, 5, 3].map(keys), [501, 501, 501, 0]);
    assert.equal(await left(), 501);
    away = [];
    await clock.until(async () => (await left()) === 0, "the cell is back");
    assert.equal(keys(3), 501);
  });

  test("a clock that is put back does not keep a report waiting", async () => {
    await report();
    clock.jump(-3_600_000);
    const startedMs = clock.monotonicMs();
    await clock.until(async () => (await left()) === 0, "it is raised");
    assert.ok(clock.monotonicMs() - startedMs <= 60_000);
  });

  test("what a name of the operator's network resolves to is not said", async () => {
    await report(9, "blocked_address: Deliveries go to public addresses only. (10.1.2.3 is private)");
    await clock.until(async () => (await left()) === 0, "it is raised");
    for (const { data } of raised)
      assert.equal(JSON.parse(data).last_error, "blocked_address: Deliveries go to public addresses only.");
    assert.equal(raised.length, 3);
  });

  test("of an endpoint that is gone nothing is said", async () => {
    await report(99);
    await clock.until(async () => (await left()) === 0, "the report goes");
    assert.deepEqual(raised, []);
  });

  test("a source is down once it has only failed for five minutes, works with its next answer, and overseers learn it", async () => {
    const log = createSourceLog(node);
    log.start();
    const answered: UpstreamAnswer = { kind: "answered", status: 200, header: () => null, body: "" };
    const failed: UpstreamAnswer = { kind: "failed", reason: "timeout" };
    const minutes = async (...answers: readonly UpstreamAnswer[]) => {
      for (const answer of answers) {
        log.onUpstreamAnswer("ocean HRNL", answer, null);
        await clock.advance(60_000);
      }
    };
    await minutes(answered, failed, failed, failed, answered, failed, failed, failed, failed, failed);
    assert.deepEqual(heard(), []);
    await minutes(failed, failed);
    assert.deepEqual(heard().toSorted(), ["2 source_down", "3 source_down"]);
    await minutes(answered, answered, failed);
    assert.deepEqual(heard().slice(2).toSorted(), ["2 source_recovered", "3 source_recovered"]);
    const since = new Date(START_MS + 5 * 60_000).toISOString();
    assert.deepEqual(
      raised.map(({ data }) => JSON.parse(data)),
      raised.map(() => ({
        source: "ocean HRNL",
        down_since: since,
        failure: "timeout",
        text: "It did not answer in time.",
      })),
    );
    await log.stop();
  });

  test("what cannot be reported is not counted twice", async () => {
    const log = createSourceLog(node);
    log.start();
    const rename = (from: string, to: string) =>
      on.queryIn(on.cells[0]!, `alter table ${on.cells[0]!.directory}.${from} rename to ${to}`);
    await rename("source_reports", "hidden");
    log.onUpstreamAnswer("ocean HRNL", { kind: "failed", reason: "timeout" }, null);
    await clock.advance(20_000);
    await rename("hidden", "source_reports");
    await clock.advance(20_000);
    const { rows } = await on.queryIn(
      on.cells[0]!,
      `select requests, failures from ${on.cells[0]!.directory}.source_answers`,
    );
    assert.deepEqual(rows, [{ requests: "1", failures: "1" }]);
    await log.stop();
  });
});
