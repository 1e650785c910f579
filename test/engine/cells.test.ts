import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Cell } from "../../src/store/cell.ts";
import { query } from "../support/database.ts";
import { eventFor, eventsFor, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

describe("one call over two cells", () => {
  let on: Harness;
  before(async () => {
    // All or nothing holds for the cells of one server.
    on = await startHarness({}, { cells: 2 });
  });
  after(() => on.stop());

  const eventsIn = async (schema: string, accountId: string) =>
    (await query(on.test.address, `select id from ${schema}.events where account_id = $1`, [accountId])).rows
      .length;

  test("is raised in both, and delivered from both", async () => {
    const [first, second] = [await on.account(on.test.cells[0]), await on.account(on.test.cells[1])];
    await on.endpoint(second);
    const events = [eventFor(first), eventFor(second), eventFor(second, { dedupKey: "k" })];
    assert.deepEqual(await on.raise(events), {
      kind: "raised",
      accepted: 3,
      duplicates: 0,
      deliveries: 2,
    });
    await on.until(() => on.arrivals.length === 2, "two arrivals");
    assert.equal(await eventsIn("boathook_cell_0", first), 1);
    assert.equal(await eventsIn("boathook_cell_1", second), 2);
    assert.deepEqual(await on.raise(events), {
      kind: "raised",
      accepted: 2,
      duplicates: 1,
      deliveries: 1,
    });
  });

  test("that fails in one raises nothing in the other, and gives its capacity back", async () => {
    const [first, second] = [await on.account(on.test.cells[1]), await on.account(on.test.cells[0])];
    await on.endpoint(first);
    await on.settle();
    const usedBefore = on.engine.gauges().inFlight;
    // Text with a NUL cannot be stored: the second cell's statement is refused.
    const events = [eventFor(first), eventFor(second, { type: "nul\u0000" })];
    await assert.rejects(on.raise(events), /invalid byte sequence/);
    assert.equal(await eventsIn("boathook_cell_1", first), 0);
    await on.settle();
    assert.equal(on.engine.gauges().inFlight, usedBefore);
  });

  test("that cannot be stored does not fail the calls it shares a commit with", async () => {
    const { account } = await on.receiver();
    on.arrivals.length = 0;
    const good = on.engine.raise([eventFor(account)]);
    const bad = on.engine.raise([eventFor(account, { type: "nul\u0000" })]);
    const alsoGood = on.engine.raise([eventFor(account)]);
    await assert.rejects(on.drive(bad), /invalid byte sequence/);
    assert.deepEqual(await on.drive(Promise.all([good, alsoGood])), [
      { kind: "raised", accepted: 1, duplicates: 0, deliveries: 1 },
      { kind: "raised", accepted: 1, duplicates: 0, deliveries: 1 },
    ]);
    await on.until(() => on.arrivals.length === 2, "two arrivals");
  });
});

test("an engine that cannot join one of its cells leaves the others as it found them", async () => {
  const on = await startHarness({}, { cells: 2 });
  const [first, last] = on.test.cells.map(({ schema }) => schema);
  const sql = async (text: string) => (await query(on.test.address, text)).rows;
  const traces = async () => [
    await sql(`select id from ${first}.nodes`),
    await sql(`select objid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database()) order by 1`),
  ];
  const found = await traces();
  await sql(`alter table ${last}.nodes add constraint closed check (false) not valid`);
  await assert.rejects(on.drive(on.join()), /closed/);
  await on.settle();
  assert.deepEqual(await traces(), found);
  await sql(`alter table ${last}.nodes drop constraint closed`);
  await on.stop();
});

describe("two cells in one memory budget", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness({ ...HOURS_PASS, memoryDeliveriesMax: 40, capacityWaitMsMax: 10 }, { cells: 2 });
  });
  after(() => on.stop());

  const fill = async (account: string, cell: Cell, deliveries: number) => {
    for (let index = 0; index < 6; index++) await on.endpoint(account, { cell });
    const already = on.engine.gauges().inFlight;
    await on.raise(eventsFor(10, account));
    await on.until(
      () => on.engine.gauges().inFlight - already === deliveries,
      `${deliveries} more in flight`,
    );
  };

  test("one that makes no progress leaves the other its part, and what that had no capacity for follows at once", async () => {
    const [one, other] = on.test.cells as [Cell, Cell];
    const [full, waiting, last] = [await on.account(one), await on.account(other), await on.account(other)];
    const { id } = await on.endpoint(last);
    on.answer = () => "hang";
    await fill(full, one, 30);
    const ofFull = on.hanging.length;
    await fill(waiting, other, 10);
    await on.raise([eventFor(last)]);
    await on.settle();
    const arrival = () => on.arrivals.find(({ url }) => url.endsWith(id));
    assert.equal(arrival(), undefined);
    on.answer = () => OK;
    const madeMs = on.clock.nowMs();
    for (const done of on.hanging.splice(0, ofFull)) done(OK);
    await on.until(() => arrival() !== undefined, "the delivery that waited");
    // Results are written 20 ms after they came, and what they make room for follows those of two rounds.
    assert.equal(arrival()!.atMs - madeMs, 60);
    for (const done of on.hanging.splice(0)) done(OK);
  });
});

describe("a cell that is added while the engine runs", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness({}, { cells: 2 });
  });
  after(() => on.stop());

  const nodesIn = async (schema: string) =>
    (await query(on.test.address, `select id from ${schema}.nodes`)).rows.length;

  // spec 8: sweep
  test("is joined, raised in, delivered from, swept and left like the others", async () => {
    const [first, added] = on.test.cells as [Cell, Cell];
    // The engine of the harness would deliver as well.
    await on.drive(on.engine.stop());
    const cells = [first];
    const engine = await on.drive(on.join({}, cells));
    assert.equal(await nodesIn(added.schema), 0);
    engine.addCell(added);
    cells.push(added);
    await on.until(async () => (await nodesIn(added.schema)) === 1, "it is a node of the cell");
    const account = await on.account(added);
    await on.endpoint(account, { cell: added });
    on.answer = () => ({ kind: "answered", statusCode: on.arrivals.length === 1 ? 500 : 200 });
    await on.drive(engine.raise([eventFor(account)]));
    await on.until(() => on.arrivals.length === 2, "the delivery and its retry");
    assert.ok(engine.loops().length === 3, "its loops are watched");
    await on.drive(engine.stop());
    assert.equal(await nodesIn(added.schema), 0);
  });

  test("takes nothing until its server can be reached, which makes no other cell ill", async () => {
    const [first, added] = on.test.cells as [Cell, Cell];
    const cells = [first];
    const engine = await on.drive(on.join({}, cells));
    await query(on.test.address, `alter table ${added.schema}.nodes rename to nodes_away`);
    engine.addCell(added);
    cells.push(added);
    const account = await on.account(added);
    await on.clock.advance(3_000);
    await assert.rejects(on.drive(engine.raise([eventFor(account)])), StoreUnavailable);
    assert.deepEqual([...engine.illCells().keys()], [added]);
    await query(on.test.address, `alter table ${added.schema}.nodes_away rename to nodes`);
    await on.until(() => engine.illCells().size === 0, "the cell is used");
    assert.equal((await on.drive(engine.raise([eventFor(account)]))).kind, "raised");
    await on.drive(engine.stop());
  });
});
