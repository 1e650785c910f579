/** Messages of the directory, and of a product's cell, reach the cells, which live on two servers here, whatever happens to a cell or a node. */
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
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { columns } from "../support/columns.ts";

for (const owner of ["directory", "schedules"])
  describe(`the outbox of ${owner}`, () => {
    let on: TestDatabase;
    let cells: Cells;
    let source: Cell;
    let clock: ManualClock;
    let log: ReturnType<typeof recordingLog>;
    let failures: number[];
    let running: Interval[];
    /** What the handlers were given, `<cell> <payload>`. */
    let applied: string[];
    before(async () => {
      on = await createTestDatabase({ cells: 2, homes: 2 });
      cells = on.cells as Cells;
      source = owner === "directory" ? directoryOf(cells[0]) : on.productCells.of(owner);
    });
    beforeEach(async () => {
      [clock, log, failures, running, applied] = [manualClock(), recordingLog(), [], [], []];
      await query(on.address, `truncate ${source.schema}.outbox, ${source.schema}.outbox_messages`);
    });
    afterEach(async () => {
      for (const one of running) await one.stop();
    });
    after(() => on.drop());

    const write = (payloads: readonly string[], kind = "note", to = cells) =>
      on.database.transaction((tx) => writeMessages(tx, source, to, kind, payloads, clock.nowMs()));

    const noting: MessageHandlers = {
      async note(_db, cell, payload) {
        applied.push(`${cell.number} ${payload}`);
      },
    };
    let isGone = false;
    const goneOnce: MessageHandlers = {
      async note(db, cell, payload, id) {
        if (cell.number === 0 && isGone) throw new StoreUnavailable("gone", { commitUnknown: false });
        await noting["note"]!(db, cell, payload, id);
      },
    };
    const of = (number: number) => applied.filter((one) => one.startsWith(`${number} `));

    function start(handlers: MessageHandlers = noting, settings: Partial<typeof FORWARDER_DEFAULTS> = {}) {
      const { database } = on;
      const onFailure = ({ number }: Cell) => void failures.push(number);
      const ports = { database, source, cells, clock, log, loops: unwatchedLoops, onFailure };
      const forwarder = createForwarder(ports, handlers, { ...FORWARDER_DEFAULTS, ...settings });
      running.push(forwarder);
      forwarder.start();
      return forwarder;
    }

    const left = async () => (await countMessages(on.database, source, cells, 9)).map(({ count }) => count);
    const isEmpty = () =>
      clock.atOnce(async () => (await left()).every((count) => count === 0), "nothing is left");
    /** Passes time until it holds. */
    const inTime = (holds: () => boolean | Promise<boolean>, what: string) => clock.until(holds, what);
    const idle = () => clock.atOnce(() => clock.pending() > 0, "a round is over");

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

    test("messages that are written at once are numbered by what lies between them", async () => {
      const payloads = Array.from({ length: 20 }, (_, kib) => "x".repeat(kib * 1024));
      await Promise.all(payloads.map((payload) => write([payload, "y"])));
      const { rows } = await query(
        on.address,
        `select octet_length(payload) / 1024 + 1 as size, (id - lag(id) over (order by id))::integer as apart
         from ${source.schema}.outbox_messages order by id`,
      );
      assert.equal(rows.length, 40);
      assert.ok(rows.slice(1).every(({ size, apart }) => size === apart));
    });

    if (owner !== "directory") return;

    test("carries nothing of a transaction that is rolled back, and keeps what it does not know for a node that does", async () => {
      const undone = on.database.transaction(async (tx) => {
        await writeMessages(tx, source, cells, "note", ["undone"], clock.nowMs());
        throw new Error("the change is withdrawn");
      });
      await assert.rejects(undone, /withdrawn/);
      assert.deepEqual(await left(), [0, 0]);
      await write(["new"], "of a newer build");
      start();
      await idle();
      assert.deepEqual(await left(), [1, 1]);
    });

    test("carries what is committed with a wake at once, and another process's with the next check", async () => {
      const forwarder = start();
      await idle();
      await write(["woken"]);
      forwarder.wake();
      await clock.atOnce(() => applied.length === 2, "both cells have it");
      await isEmpty();
      await write(["another's"]);
      await inTime(() => applied.length === 4, "both cells have it");
    });

    test("a cell that is gone stops no other, is logged once, and gets its messages when it is back", async () => {
      isGone = true;
      await write(["a", "b"]);
      const forwarder = start(goneOnce);
      await clock.atOnce(() => of(1).length === 2 && failures.length === 1, "the other cell has both");
      for (const payload of ["c", "d"]) {
        await write([payload]);
        forwarder.wake();
        await clock.atOnce(() => of(1).includes(`1 ${payload}`), "the other cell has it at once");
      }
      assert.deepEqual(failures, [0], "the cell is left alone for a while");
      await inTime(() => failures.length === 4, "it is tried again");
      assert.deepEqual(columns(log.lines, "level", "message"), [
        ["warn", "messages wait for a cell that takes none"],
      ]);
      await clock.advance(10 * 60_000);
      await inTime(() => log.lines.length === 2, "the log says again how far it is behind");
      const { cell, messages, oldestAt } = log.lines[1]!.fields as Record<string, unknown>;
      assert.deepEqual([cell, messages, oldestAt instanceof Date], [0, 4, true]);
      isGone = false;
      await inTime(() => of(0).length === 4, "it has all");
      assert.deepEqual(of(0), ["0 a", "0 b", "0 c", "0 d"]);
      await clock.atOnce(() => log.lines.length === 3, "its return is logged");
      assert.equal(log.lines[2]!.level, "info");
    });

    const stored = async () => {
      const { rows } = await query(
        on.address,
        `select payload from ${source.schema}.outbox_messages order by id`,
      );
      return rows.map(({ payload }) => payload as string);
    };

    test("a message is stored once for all cells, and until the last has applied it", async () => {
      isGone = true;
      await write(["a", "b"]);
      start(goneOnce);
      await clock.atOnce(() => of(1).length === 2 && failures.length === 1, "one cell has both");
      assert.deepEqual(await stored(), ["a", "b"]);
      isGone = false;
      await inTime(async () => (await stored()).length === 0, "nothing is kept");
      assert.deepEqual(of(0), ["0 a", "0 b"]);
    });

    test("a cell that is behind by too much is sent nothing more, others are, and nothing is lost", async () => {
      const [gone, well] = [[cells[0]], [cells[1]!]] as const;
      const limited = (to: readonly Cell[], payload: string) =>
        on.database.transaction((tx) =>
          writeMessages(tx, source, to as unknown as Cells, "note", [payload], clock.nowMs(), 5),
        );
      const refused = (error: unknown) =>
        error instanceof StoreUnavailable && error.reason === "overloaded" && !error.commitUnknown;
      await limited(gone, "first");
      await limited(gone, "x".repeat(4 * 1024));
      const since = new Date(clock.nowMs());
      assert.deepEqual(await countMessages(on.database, source, cells, 9), [
        { cell: 0, count: 2, oldestAt: since, behindKib: 5 },
        { cell: 1, count: 0, oldestAt: null, behindKib: 0 },
      ]);
      await limited(well, "of the other");
      await assert.rejects(limited(gone, "too much"), refused);
      await assert.rejects(limited(cells, "too much for one of them"), refused);
      await limited(well, "of the other again");
      start();
      await isEmpty();
      assert.deepEqual([of(0).length, of(1).length], [2, 2]);
      await limited(cells, "goes on");
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
      // A cell is tried at the interval of five seconds that follows its wait.
      const seconds = waits.map((ms) => ms / 1_000);
      assert.deepEqual(seconds, [5, 5, 5, 10, 20, 30, 30], "waits of 1, 2, 4, 8, 16 and 30 s");
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
      await clock.atOnce(() => clock.pending() > 0, "the first cell hangs");
      await clock.advance(FORWARDER_DEFAULTS.cellMsMax);
      await clock.atOnce(() => of(1).length === 1, "the other has its message");
      await write(["second"]);
      forwarder.wake();
      await clock.atOnce(() => of(1).length === 2, "and the next at once");
      wakeUp();
      await clock.atOnce(() => of(0).length === 2, "the one that hung goes on");
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
      await clock.atOnce(() => failures.length === 1, "it fails");
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
        const messages = await claimMessages(on.database, source, cells[1]!, ["note"], clock.nowMs(), bounds);
        return messages.map(({ payload }) => payload);
      };
      assert.deepEqual(await claim(9, 3), ["aaaa"]);
      assert.deepEqual(await claim(9, 4), ["bb", "cc"]);
      assert.deepEqual(await claim(1, 99), ["d"]);
      assert.deepEqual(await claim(9, 99), [], "all are claimed");
      await clock.advance(1_000);
      assert.deepEqual(await claim(2, 99), ["aaaa", "bb"]);
    });
  });
