import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { FailureKind } from "../../src/engine/statement-failure.ts";
import { createPendingReleases } from "../../src/engine/claim/pending-releases.ts";
import { recordingLog } from "../support/log.ts";

/** `answer` says of each try what the database says; a try with an id of `bad` fails. */
function start() {
  const log = recordingLog();
  const tries: string[][] = [];
  const returned: string[] = [];
  const state = { bad: new Set<string>(), verdict: "refused" as FailureKind, isAway: false };
  const returns = createPendingReleases({
    async release(ids) {
      tries.push([...ids]);
      if (state.isAway) return "unreachable";
      return ids.some((id) => state.bad.has(id)) ? state.verdict : ids;
    },
    onReleased: (id) => void returned.push(id),
    log,
  });
  return { returns, tries, returned, state, log };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);

describe("pending releases", () => {
  test("go together, later ones with the next statement", async () => {
    const { returns, tries, returned } = start();
    for (const id of ids(3)) returns.add(id);
    const flushing = returns.flush();
    assert.equal(returns.flush(), flushing, "one statement at a time");
    await flushing;
    assert.deepEqual([tries, returned, returns.has("d0")], [[ids(3)], ids(3), false]);
    await returns.flush();
    assert.equal(tries.length, 1);
  });

  test("wait as they are while the database is away", async () => {
    const { returns, tries, state, log } = start();
    for (const id of ids(3)) returns.add(id);
    state.isAway = true;
    await returns.flush();
    assert.deepEqual([tries.length, returns.has("d2"), log.lines], [1, true, []]);
    state.isAway = false;
    await returns.flush();
    assert.deepEqual([tries.length, returns.has("d2")], [2, false]);
  });

  test("leave a refused one behind, which is logged and tried again on request", async () => {
    const { returns, returned, state, log, tries } = start();
    for (const id of ids(8)) returns.add(id);
    state.bad.add("d5");
    await returns.flush();
    assert.deepEqual(
      returned.toSorted(),
      ids(8).filter((id) => id !== "d5"),
    );
    assert.deepEqual(
      [returns.refusedCount(), log.lines.map(({ level, fields }) => [level, fields])],
      [1, [["error", { delivery: "d5" }]]],
    );
    const before = tries.length;
    await returns.flush();
    assert.equal(tries.length, before, "not with every statement");
    state.bad.clear();
    returns.retryRefused();
    assert.equal(returns.refusedCount(), 0);
    await returns.flush();
    assert.equal(returns.has("d5"), false);
  });

  test("are tried apart after a fault of the server's only once a single one is taken back", async () => {
    const { returns, returned, state, tries } = start();
    for (const id of ids(4)) returns.add(id);
    state.verdict = "server_fault";
    state.bad = new Set(ids(4));
    await returns.flush();
    assert.deepEqual(
      [tries.map(({ length }) => length), returned, returns.refusedCount()],
      [[4, 1], [], 0],
      "the whole database may be at fault",
    );
    state.bad = new Set(["d3"]);
    await returns.flush();
    assert.deepEqual([returned.toSorted(), returns.refusedCount()], [["d0", "d1", "d2"], 1]);
  });

  test("need not go once they are claimed, or another's", async () => {
    const { returns, tries } = start();
    for (const id of ids(3)) returns.add(id);
    assert.equal(returns.remove("d1"), true);
    assert.equal(returns.remove("d1"), false);
    await returns.flush();
    assert.deepEqual(tries, [["d0", "d2"]]);
    returns.add("d7");
    returns.clear();
    await returns.flush();
    assert.equal(tries.length, 1);
  });

  test("stop where the database goes away between two halves", async () => {
    const { returns, returned, state, tries } = start();
    for (const id of ids(4)) returns.add(id);
    state.bad.add("d0");
    const flushing = returns.flush();
    await Promise.resolve();
    await Promise.resolve();
    state.isAway = true;
    await flushing;
    assert.deepEqual([returned, returns.refusedCount(), tries.length], [[], 0, 2]);
  });
});
