/** One session a server, however many cells live there. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { createSessions, type Session } from "../../src/engine/membership/sessions.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import { topics } from "../../src/store/endpoints/invalidations.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const LISTENERS =
  "select count(*)::int as n from pg_stat_activity where datname = current_database() and query ilike 'listen%'";

describe("the session of a server", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 2 });
  });
  after(() => on.drop());

  /** Opens both cells' sessions, and records what each receives. */
  async function openBoth(): Promise<{ readonly sessions: readonly Session[]; readonly told: string[] }> {
    const { open } = createSessions({ database: on.database, clock: manualClock() }, 10_000);
    const told: string[] = [];
    const sessions = await Promise.all(
      on.cells.map((cell) =>
        open(cell, {
          onNotification: (payload) => told.push(`${cell.number}: ${payload}`),
          onLost: ({ message }) => told.push(`${cell.number}: lost, ${message}`),
        }),
      ),
    );
    return { sessions, told };
  }

  test("is one for all its cells, and notifies each of what is its own", async () => {
    const { sessions, told } = await openBoth();
    const counted = await query(on.address, LISTENERS);
    assert.deepEqual(counted.rows, [{ n: 1 }]);
    const due = on.cells.map((cell) => topics(cell).queue);
    await query(on.address, "select pg_notify('boathook_changes', t) from unnest($1::text[]) t", [
      [due[1], due[0], "of nobody", `"elsewhere".queue`],
    ]);
    await sessions[0]!.rows({ name: "behind", text: "select 1" }, []);
    assert.deepEqual(told, [`1: ${due[1]}`, `0: ${due[0]}`]);
    for (const session of sessions) await session.close();
  });

  test("lasts until its last cell closes it", async () => {
    const { sessions, told } = await openBoth();
    await sessions[0]!.close();
    await sessions[0]!.close();
    assert.deepEqual((await sessions[1]!.rows({ name: "on", text: "select 2 as two" }, [])).length, 1);
    await sessions[1]!.close();
    await assert.rejects(sessions[1]!.rows({ name: "over", text: "select 3" }, []));
    assert.deepEqual(told, []);
  });

  test("ends for all its cells when one of them ends it, once", async () => {
    const { sessions, told } = await openBoth();
    sessions[1]!.end(new Error("no answer"));
    sessions[0]!.end(new Error("no answer again"));
    assert.deepEqual(told, ["0: lost, no answer", "1: lost, no answer"]);
    const again = await openBoth();
    for (const session of again.sessions) await session.close();
  });
});

test("a session that is lost as it begins takes none with it that began before it failed", async () => {
  const home = { url: "postgres://nowhere" };
  const listening: PromiseWithResolvers<void>[] = [];
  const losses: ((cause: Error) => void)[] = [];
  const dedicated = async (_cell: Cell, onLost: (cause: Error) => void) => {
    losses.push(onLost);
    listening.push(Promise.withResolvers());
    const listen = () => listening.at(-1)!.promise;
    return { rows: async () => [], listen, close: async () => undefined };
  };
  const { open } = createSessions(
    { database: { dedicated, homeOf: () => home }, clock: manualClock() },
    10_000,
  );
  const [one, other] = cellsNamed("boathook", 2);
  const user = { onNotification: () => undefined, onLost: () => undefined };
  const first = open(one, user);
  await setImmediate();
  losses[0]!(new Error("lost"));
  const second = open(one, user);
  await setImmediate();
  listening[0]!.reject(new Error("lost"));
  await assert.rejects(first);
  listening[1]!.resolve();
  await second;
  void open(other!, user);
  await setImmediate();
  assert.equal(losses.length, 2, "both cells share the second session");
});
