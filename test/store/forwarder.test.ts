/** Messages from the directory reach the cells, which live on two servers here, whatever happens to a cell or a node. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Interval } from "../../src/runtime/interval.ts";
import { type Cell, type Cells, directoryOf } from "../../src/store/cell.ts";
import { createForwarder, FORWARDER_DEFAULTS } from "../../src/store/outbox/forwarder.ts";
import {
  claimMessages,
  countMessages,
  writeMessages,
  type MessageHandlers,
} from "../../src/store/outbox/outbox.ts";
import { until } from "../faults/until.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

describe("the outbox", () => {
  let on: TestDatabase;
  let cells: Cells;
  let clock: ManualClock;
  let log: ReturnType<typeof recordingLog>;
  let failures: number[];
  let running: Interval[];
  /** What the handlers were given, `<cell> <payload>`. */
  let applied: string[];
  before(async () => {
    on = await createTestDatabase({ cells: 2, homes: 2 });
    cells = on.cells as Cells;
  });
  beforeEach(async () => {
    [clock, log, failures, running, applied] = [manualClock(), recordingLog(), [], [], []];
    await query(on.address, `truncate ${cells[0].directory}.outbox`);
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
  });
  after(() => on.drop());

  const write = (payloads: readonly string[], kind = "note", to = cells) =>
    on.database.transaction((tx) =>
      writeMessages(tx, directoryOf(cells[0]), to, kind, payloads, clock.nowMs()),
    );

  const noting: MessageHandlers = {
    async note(_db, cell, payload) {
      applied.push(`${cell.number} ${payload}`);
    },
  };
  const of = (number: number) => applied.filter((one) => one.startsWith(`${number} `));

  function start(handlers: MessageHandlers = noting, settings: Partial<typeof FORWARDER_DEFAULTS> = {}) {
    const { database } = on;
    const onFailure = ({ number }: Cell) => void failures.push(number);
    const source = directoryOf(cells[0]);
    const ports = { database, source, cells, clock, log, loops: unwatchedLoops, onFailure };
    const forwarder = createForwarder(ports, handlers, { ...FORWARDER_DEFAULTS, ...settings });
    running.push(forwarder);
    forwarder.start();
    return forwarder;
  }

  const left = async () =>
    (await countMessages(on.database, directoryOf(cells[0]), cells, 9)).map(({ count }) => count);
  const isEmpty = () => until(async () => (await left()).every((count) => count === 0), "nothing is left");
  /** Passes time until it holds. */
  const inTime = (holds: () => boolean | Promise<boolean>, what: string) =>
    until(async () => {
      if (await holds()) return true;
      await clock.advance(100);
      return false;
    }, what);
  const idle = () => until(() => clock.pending() > 0, "a round is over");

  test("carries each message to each cell once, in the order in which they were written", async () => {
    await write(["a", "b"]);
    await write(["c"], "note", [cells[1]!]);
    start(noting, { messagesMax: 2 });
    await isEmpty();
    assert.deepEqual(
      [of(0), of(1)],
      [
        ["0 a", "0 b"],
        ["1 a", "1 b", "1 c"],
      ],
    );
  });

  test("carries what is committed with a wake at once, and another process's with the next check", async () => {
    const forwarder = start();
    await idle();
    await write(["woken"]);
    forwarder.wake();
    await until(() => applied.length === 2, "both cells have it");
    await isEmpty();
    await write(["another's"]);
    await inTime(() => applied.length === 4, "both cells have it");
  });

  test("carries nothing of a transaction that is rolled back", async () => {
    const undone = on.database.transaction(async (tx) => {
      await writeMessages(tx, directoryOf(cells[0]), cells, "note", ["undone"], clock.nowMs());
      throw new Error("the change is withdrawn");
    });
    await assert.rejects(undone, /withdrawn/);
    assert.deepEqual(await left(), [0, 0]);
  });

  test("keeps what it does not know for a node that does", async () => {
    await write(["new"], "of a newer build");
    start();
    await idle();
    assert.deepEqual(await left(), [1, 1]);
  });

  test("a cell that is gone stops no other, is logged once, and gets its messages when it is back", async () => {
    let isGone = true;
    const handlers: MessageHandlers = {
      async note(db, cell, payload, id) {
        if (cell.number === 0 && isGone) throw new StoreUnavailable("gone", { commitUnknown: false });
        await noting["note"]!(db, cell, payload, id);
      },
    };
    await write(["a", "b"]);
    const forwarder = start(handlers);
    await until(() => of(1).length === 2 && failures.length === 1, "the other cell has both");
    for (const payload of ["c", "d"]) {
      await write([payload]);
      forwarder.wake();
      await until(() => of(1).includes(`1 ${payload}`), "the other cell has it at once");
    }
    assert.deepEqual(failures, [0], "the cell is left alone for a while");
    await inTime(() => failures.length === 4, "it is tried again");
    assert.deepEqual(
      log.lines.map(({ level, message }) => [level, message]),
      [["warn", "messages wait for a cell that takes none"]],
    );
    isGone = false;
    await inTime(() => of(0).length === 4, "it has all");
    assert.deepEqual(of(0), ["0 a", "0 b", "0 c", "0 d"]);
    await until(() => log.lines.length === 2, "its return is logged");
    assert.equal(log.lines[1]!.level, "info");
  });

  test("the time between tries grows to a bound", async () => {
    const startedMs = clock.monotonicMs();
    const triedMs: number[] = [];
    await write(["a"], "note", [cells[0]]);
    start({
      async note() {
        triedMs.push(clock.monotonicMs() - startedMs);
        throw new StoreUnavailable("gone", { commitUnknown: false });
      },
    });
    await inTime(() => triedMs.length === 8, "eight tries");
    const waits = triedMs.slice(1).map((ms, index) => ms - triedMs[index]!);
    assert.ok(
      waits.every((ms, index) => ms >= Math.min(1_000 * 2 ** index, 30_000)),
      String(waits),
    );
    assert.ok(
      waits.every((ms) => ms <= 36_000),
      String(waits),
    );
  });

  test("a cell that does not answer keeps no other waiting", async () => {
    let wakeUp: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (wakeUp = resolve));
    const handlers: MessageHandlers = {
      async note(db, cell, payload, id) {
        if (cell.number === 0 && payload === "first") await hanging;
        await noting["note"]!(db, cell, payload, id);
      },
    };
    await write(["first"]);
    const forwarder = start(handlers, { cellsMax: 1 });
    await until(() => clock.pending() > 0, "the first cell hangs");
    await clock.advance(FORWARDER_DEFAULTS.cellMsMax);
    await until(() => of(1).length === 1, "the other has its message");
    await write(["second"]);
    forwarder.wake();
    await until(() => of(1).length === 2, "and the next at once");
    wakeUp();
    await until(() => of(0).length === 2, "the one that hung goes on");
    assert.deepEqual(of(0), ["0 first", "0 second"]);
  });

  test("a message that fails by itself lets the others pass, and is tried again when its lease ends", async () => {
    let isBroken = true;
    const handlers: MessageHandlers = {
      async note(db, cell, payload, id) {
        if (payload === "broken" && isBroken) throw new Error("a bug");
        await noting["note"]!(db, cell, payload, id);
      },
    };
    await write(["a", "broken", "b"], "note", [cells[1]!]);
    start(handlers);
    await until(() => failures.length === 1, "it fails");
    assert.deepEqual(
      [of(1), await left()],
      [
        ["1 a", "1 b"],
        [0, 1],
      ],
    );
    assert.equal(log.lines[0]!.level, "error");
    isBroken = false;
    await inTime(() => of(1).length === 3, "it is applied");
    assert.ok(clock.monotonicMs() >= FORWARDER_DEFAULTS.leaseMs);
  });

  test("a claim is bounded in messages and bytes, and takes one whatever it has", async () => {
    await write(["aaaa", "bb", "cc", "d"]);
    const claim = async (messagesMax: number, bytesMax: number) => {
      const bounds = { leaseMs: 1_000, messagesMax, bytesMax };
      const messages = await claimMessages(
        on.database,
        directoryOf(cells[0]),
        cells[1]!,
        ["note"],
        clock.nowMs(),
        bounds,
      );
      return messages.map(({ payload }) => payload);
    };
    assert.deepEqual(await claim(9, 3), ["aaaa"]);
    assert.deepEqual(await claim(9, 4), ["bb", "cc"]);
    assert.deepEqual(await claim(1, 99), ["d"]);
    assert.deepEqual(await claim(9, 99), [], "all are claimed");
    await clock.advance(1_000);
    assert.deepEqual(await claim(2, 99), ["aaaa", "bb"]);
  });

  test("shows how many messages wait for each cell, and since when", async () => {
    const since = clock.nowMs();
    await write(["a"], "note", [cells[1]!]);
    await clock.advance(5_000);
    await write(["b", "c"], "note", [cells[1]!]);
    assert.deepEqual(await countMessages(on.database, directoryOf(cells[0]), cells, 2), [
      { cell: 0, count: 0, oldestAt: null },
      { cell: 1, count: 2, oldestAt: new Date(since) },
    ]);
  });
});
