/** Whose key a request carries, from memory and from the directory. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createCallers } from "../../src/http/callers.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { HOUR_MS } from "../../src/runtime/durations.ts";
import type { DirectoryChange } from "../../src/store/accounts/changes.ts";
import type { DirectoryFeed } from "../../src/store/accounts/directory-feed.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";

const DOWN = new StoreUnavailable("down");

/** A directory in which key `k` is of account `of k`, and a feed in the state that the test sets. */
function start() {
  const clock = manualClock();
  const valid = new Set(["a", "b", "c"]);
  const directory = { asked: 0, fault: null as Error | null, answer: Promise.resolve() };
  const database = {
    async rows(_statement: unknown, [hash]: [Buffer]) {
      directory.asked += 1;
      const key = hash.toString();
      const isValid = valid.has(key);
      await directory.answer;
      if (directory.fault !== null) throw directory.fault;
      return isValid ? [{ keyId: key, id: `of ${key}`, name: `asked ${directory.asked}`, cell: 0 }] : [];
    },
  } as unknown as Database;
  const state = { number: 7, isFresh: true, isSilent: false, readAtMs: 0 };
  let tell: (changes: readonly DirectoryChange[] | null) => void = () => assert.fail();
  const feed = {
    number: () => state.number,
    isFresh: () => state.isFresh,
    isSilent: () => state.isSilent,
    readAtMs: () => state.readAtMs,
    subscribe: (onChanges) => void (tell = onChanges),
  } as Partial<DirectoryFeed> as DirectoryFeed;
  const callers = createCallers({ database, cells: cellsNamed("boathook", 1), clock }, feed);
  const read = (key: string) => callers.read(Buffer.from(key));
  return {
    clock,
    valid,
    directory,
    state,
    read,
    /** Whether a key is accepted, and how often the directory was asked for it. */
    async accepts(key: string) {
      const before = directory.asked;
      const caller = await read(key);
      return [caller?.account.id, directory.asked - before];
    },
    apply(changes: readonly DirectoryChange[] | null) {
      state.number += 1;
      tell(changes);
    },
    goSilent() {
      state.isFresh = false;
      state.isSilent = true;
      directory.fault = DOWN;
    },
  };
}

describe("a caller", () => {
  test("is looked up once while the feed is fresh", async () => {
    const { accepts } = start();
    assert.deepEqual(await accepts("a"), ["of a", 1]);
    assert.deepEqual(await accepts("a"), ["of a", 0]);
    assert.deepEqual(await accepts("b"), ["of b", 1]);
  });

  test("is looked up each time while the key is unknown: a new key is good at once", async () => {
    const { accepts, valid } = start();
    assert.deepEqual(await accepts("new"), [undefined, 1]);
    assert.deepEqual(await accepts("new"), [undefined, 1]);
    valid.add("new");
    assert.deepEqual(await accepts("new"), ["of new", 1]);
  });

  // spec 5: rotation
  test("is looked up again when its key or its account has changed, or changes were missed", async () => {
    const { accepts, apply, valid } = start();
    for (const key of ["a", "b", "c"]) await accepts(key);
    valid.delete("a");
    apply([
      { kind: "key", subject: "a" },
      { kind: "account", subject: "of b" },
    ]);
    assert.deepEqual(await accepts("a"), [undefined, 1]);
    assert.deepEqual(await accepts("b"), ["of b", 1]);
    assert.deepEqual(await accepts("c"), ["of c", 0]);
    apply(null);
    assert.deepEqual(await accepts("c"), ["of c", 1]);
  });

  test("is not remembered from a read that a change has overtaken", async () => {
    const { accepts, apply, directory, read, valid } = start();
    const answer = Promise.withResolvers<void>();
    directory.answer = answer.promise;
    const reading = read("a");
    valid.delete("a");
    apply([{ kind: "key", subject: "a" }]);
    answer.resolve();
    assert.equal((await reading)?.keyId, "a");
    assert.deepEqual(await accepts("a"), [undefined, 1]);
  });

  test("is looked up each time while the feed is not fresh and the directory answers", async () => {
    const { accepts, goSilent, state, valid } = start();
    await accepts("a");
    state.isFresh = false;
    assert.deepEqual(await accepts("a"), ["of a", 1]);
    assert.deepEqual(await accepts("b"), ["of b", 1]);
    valid.delete("a");
    assert.deepEqual(await accepts("a"), [undefined, 1]);
    goSilent();
    await assert.rejects(accepts("a"), DOWN, "it is not known any more");
    await assert.rejects(accepts("b"), DOWN, "it was never known: no feed would have reported its end");
  });

  test("stays good while the directory is silent, and another's key is neither good nor bad", async () => {
    const { accepts, goSilent } = start();
    await accepts("a");
    goSilent();
    assert.deepEqual(await accepts("a"), ["of a", 0]);
    await assert.rejects(accepts("b"), DOWN);
    await assert.rejects(accepts("never made"), DOWN);
  });

  test("stays good when a lookup fails or takes too long, before the feed has noticed", async () => {
    const { accepts, clock, directory, state, read } = start();
    await accepts("a");
    state.isFresh = false;
    directory.fault = DOWN;
    assert.deepEqual(await accepts("a"), ["of a", 1]);
    directory.fault = null;
    directory.answer = new Promise(() => undefined);
    const [known, unknown] = [read("a"), read("b")];
    await clock.advance(2_000);
    assert.equal((await known)?.keyId, "a");
    const refused = assert.rejects(unknown, StoreUnavailable);
    await clock.advance(3_000);
    await refused;
    assert.equal(clock.pending(), 0);
  });

  test("that was revoked while its lookup hangs is not good", async () => {
    const { accepts, apply, clock, directory, state, read } = start();
    await accepts("a");
    state.isFresh = false;
    directory.answer = new Promise(() => undefined);
    const refused = assert.rejects(read("a"), StoreUnavailable);
    await clock.advance(1_000);
    apply([{ kind: "key", subject: "a" }]);
    await clock.advance(1_000);
    await refused;
  });

  test("is good for an hour without a word of the directory, and no longer", async () => {
    const { accepts, clock, goSilent, state } = start();
    await accepts("a");
    goSilent();
    state.readAtMs = 1_000;
    await clock.advance(HOUR_MS + 999);
    assert.deepEqual(await accepts("a"), ["of a", 0]);
    await clock.advance(1);
    await assert.rejects(accepts("a"), DOWN);
  });

  test("is refused with the fault itself where that is no silence", async () => {
    const { accepts, directory, state } = start();
    await accepts("a");
    state.isFresh = false;
    directory.fault = new TypeError("a bug");
    await assert.rejects(accepts("a"), TypeError);
  });

  test("is one of so many: those known for the longest are forgotten first", async () => {
    const { accepts, read, valid } = start();
    for (let count = 0; count < 50_001; count += 1) {
      valid.add(`key ${count}`);
      await read(`key ${count}`);
    }
    assert.deepEqual(await accepts("key 1"), ["of key 1", 0]);
    assert.deepEqual(await accepts("key 0"), ["of key 0", 1]);
  });
});
