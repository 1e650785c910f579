/** What an idle node asks of its databases, so that a hundred cells stay cheap. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { startEngine, type RunningEngine } from "../../src/engine/start.ts";
import { createBroadcaster } from "../../src/freight/broadcasts/broadcaster.ts";
import { POLLER_DEFAULTS } from "../../src/freight/polling/poller.ts";
import { createAirPoller } from "../../src/products/air/polling/poller.ts";
import { createPoller } from "../../src/products/ocean/sources/poll-shipment.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { notifyWork } from "../../src/store/endpoints/invalidations.ts";
import { openHarbour, type Harbour } from "../ocean/harbour.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";

const CELLS = 100;
const MINUTE_S = 60;

/** Statements of all pollers and of the broadcasts, a cell and minute. */
const LOOPS_MAX = 12;
/** Of the engine: heartbeats every five seconds, two sweeps, and what prunes every few minutes. */
const ENGINE_MAX = 18;

describe("an idle node", () => {
  let harbour: Harbour;
  let on: TestDatabase;
  before(async () => {
    harbour = await openHarbour();
    on = await createTestDatabase({ cells: 2 });
  });
  after(async () => {
    await harbour.stored.drop();
    await on.drop();
  });

  test("asks a hundred cells for polls and broadcasts a bounded number of times a minute", async () => {
    const cells = cellsNamed("boathook", CELLS);
    const { clock } = harbour;
    const { asked, database } = empty();
    const ports = { ...harbour.ports, database };
    const airPorts = { ...ports, cells, airlines: [], polling: { intervalMs: 1, afterDeliveryMs: 1 } };
    const loops = [
      createPoller(ports, cells, POLLER_DEFAULTS),
      createAirPoller(airPorts as never, POLLER_DEFAULTS),
      createBroadcaster(ports, cells),
    ];
    for (const loop of loops) loop.start();
    await clock.advance(10_000);
    asked.length = 0;
    await clock.advance(MINUTE_S * 1_000);
    for (const loop of loops) await loop.stop();
    assert.ok(asked.length / CELLS <= LOOPS_MAX, `${asked.length / CELLS} statements a cell`);
    assert.ok(asked.length / CELLS >= 2, "each loop asks each cell within half a minute");
  });

  for (const [words, count] of [
    ["one of a hundred cells", CELLS],
    ["its only cell", 1],
  ] as const)
    test(`notifies the others of what it makes due in ${words}, and asks one that it is notified of`, async () => {
      await notifiesAndIsNotified(count);
    });

  async function notifiesAndIsNotified(count: number): Promise<void> {
    const cells = cellsNamed("boathook", count);
    const { clock } = harbour;
    const { asked, database } = empty();
    const notify: ((cell: Cell) => void)[] = [];
    const onWork = (listener: (cell: Cell) => void) => void notify.push(listener);
    const poller = createPoller({ ...harbour.ports, database, onWork }, cells, POLLER_DEFAULTS);
    const cell = cells[70 % count]!;
    const askedOfIt = () => asked.filter((name) => name.endsWith(`@${cell.schema}`));
    poller.wake(cell);
    poller.wake(cell);
    await clock.advance(200);
    assert.deepEqual(askedOfIt(), [`work_notify@${cell.schema}`], "it does not poll itself");
    poller.start();
    const next = [`poll_next_due@${cell.schema}`, `poll_next_reevaluation@${cell.schema}`];
    await clock.advance(10_000);
    asked.length = 0;
    poller.wake(cell);
    await clock.advance(1);
    assert.ok(askedOfIt().includes(next[1]!), "a wake asks at once what is to be evaluated again");
    await clock.advance(10_000);
    asked.length = 0;
    for (const listener of notify) listener(cell);
    await clock.advance(1_000);
    for (const name of next) assert.ok(askedOfIt().includes(name), name);
    await poller.stop();
  }

  test("beats and sweeps with a bounded number of statements a minute", async () => {
    const asked: string[] = [];
    const clock = manualClock();
    const engine = await startWith(counting(on.database, asked), clock, on);
    await clock.advance(MINUTE_S * 1_000);
    asked.length = 0;
    await clock.advance(MINUTE_S * 1_000);
    const each = asked.length / on.cells.length;
    assert.ok(each <= ENGINE_MAX, `${each} statements a cell: ${[...new Set(asked)].join(", ")}`);
    assert.ok(each >= 12, "its heart beats");
    await stop(engine, clock);
  });

  test("hears that another node has made something due", async () => {
    const clock = manualClock();
    const heard: Cell[] = [];
    const engine = await startWith(on.database, clock, on, (cell) => heard.push(cell));
    heard.length = 0;
    await notifyWork(on.database, on.cells[1]!);
    await clock.atOnce(() => heard.length > 0, "the notification");
    assert.deepEqual(heard, [on.cells[1]]);
    await stop(engine, clock);
  });
});

function startWith(
  database: Database,
  clock: ReturnType<typeof manualClock>,
  { cells }: TestDatabase,
  onWork?: (cell: Cell) => void,
): Promise<RunningEngine> {
  return startEngine(DEFAULT_ENGINE_SETTINGS, {
    database,
    cells,
    clock,
    random: systemRandom(),
    log: silentLog,
    masterKeys: [Buffer.alloc(32, 7)],
    send: () => assert.fail("nothing is sent here"),
    headerTag: (product) => product,
    pingData: "{}",
    delivers: true,
    onWork,
  });
}

async function stop(engine: RunningEngine, clock: ReturnType<typeof manualClock>): Promise<void> {
  await clock.drive(engine.stop());
}

/** Has nothing, and names the statements that it is asked for. */
function empty() {
  const asked: string[] = [];
  const rows = async ({ name }: { readonly name: string }) => {
    asked.push(name);
    return [];
  };
  return { asked, database: { rows } };
}

/** Names the statements in `asked`. */
function counting(database: Database, asked: string[]): Database {
  const counted = <C extends Pick<Database, "rows">>(connection: C): C => ({
    ...connection,
    rows(statement: { readonly name: string }, parameters: readonly unknown[]) {
      asked.push(statement.name);
      return connection.rows(statement as never, parameters);
    },
  });
  return {
    ...counted(database),
    dedicated: async (...wanted) => counted(await database.dedicated(...wanted)),
    owner: (cell) => counted(database.owner(cell)),
  };
}
