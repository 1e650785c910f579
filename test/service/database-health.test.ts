/** What a process makes of the errors of its database. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import { STORE_FAULTS } from "../../src/model/errors.ts";
import { watchDatabase } from "../../src/service/database-health.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";

const [cell] = cellsNamed("boathook", 1);

function watching() {
  const registry = new Registry();
  const clock = manualClock();
  const log = recordingLog();
  const health = watchDatabase(registry, clock, log);
  const counts = async (): Promise<Record<string, number>> => {
    const lines = (await registry.metrics()).matchAll(
      /^boathook_database_errors_total\{class="(\w+)"\} (\d+)$/gm,
    );
    return Object.fromEntries([...lines].map(([, name, count]) => [name, Number(count)]));
  };
  return { ...health, clock, log, counts };
}

const FULL = new Error("could not extend file: No space left on device");

test("errors are counted by class, and every class is there from the start", async () => {
  const { watch, counts } = watching();
  const classes = [...Object.keys(STORE_FAULTS), "other"].filter(
    (name) => !["overloaded", "account_closed", "no_open_cell"].includes(name),
  );
  const none = Object.fromEntries(classes.map((name) => [name, 0]));
  assert.deepEqual(await counts(), none);
  for (const fault of ["disk_full", "disk_full", "read_only", "contention", "other"] as const) {
    watch.failed("raise", fault, FULL);
  }
  assert.deepEqual(await counts(), { ...none, disk_full: 2, read_only: 1, contention: 1, other: 1 });
});

test("a statement that was refused counts until it is done, and others that are done prove nothing", () => {
  const { watch, refusal } = watching();
  assert.equal(refusal(cell), null);
  watch.failed("raise", "disk_full", FULL);
  watch.done("node_heartbeat");
  assert.equal(refusal(cell), "the database's disk is full");
  watch.failed("settle", "out_of_resources", FULL);
  assert.equal(refusal(cell), "the database is out of memory or of another resource");
  watch.done("settle");
  assert.equal(refusal(cell), "the database's disk is full");
  watch.done("raise");
  assert.equal(refusal(cell), null);
});

test("a statement that is refused again and again counts as long as it is, and a while longer", async () => {
  const { watch, refusal, clock } = watching();
  for (let tries = 0; tries < 10; tries++) {
    watch.failed("raise", "disk_full", FULL);
    await clock.advance(14_999);
    assert.notEqual(refusal(cell), null);
  }
  await clock.advance(1);
  assert.equal(refusal(cell), null);
});

test("an older refusal counts no longer because a later one has ended", async () => {
  const { watch, refusal, clock } = watching();
  watch.failed("raise", "disk_full", FULL);
  await clock.advance(10_000);
  watch.failed("settle", "disk_full", FULL);
  watch.done("settle");
  assert.notEqual(refusal(cell), null);
  await clock.advance(5_000);
  assert.equal(refusal(cell), null);
});

test("faults of a statement, and faults that readiness detects by itself, are no refusals", () => {
  const { watch, refusal } = watching();
  for (const fault of ["unreachable", "restarting", "contention", "other"] as const) {
    watch.failed("raise", fault, FULL);
  }
  assert.equal(refusal(cell), null);
});

test("a refusal of one cell's statements says nothing of another cell, one of the directory's of all", () => {
  const { watch, refusal } = watching();
  const [one, other] = cellsNamed("boathook", 2);
  watch.failed(`event_raise@${other!.schema} on shards`, "disk_full", FULL);
  assert.deepEqual([refusal(one), refusal(other!)], [null, "the database's disk is full"]);
  watch.failed(`key_insert@${one.directory}`, "read_only", FULL);
  assert.deepEqual([refusal(one), refusal(other!)], Array(2).fill("the database is read-only"));
});

test("the log has one line of a class in a minute, with how many there were", async () => {
  const { watch, clock, log } = watching();
  const logged = () => log.lines.map(({ level, fields, message }) => ({ level, message, ...fields }));
  for (let errors = 0; errors < 500; errors++) watch.failed(`statement ${errors}`, "disk_full", FULL);
  watch.failed("raise", "unreachable", new Error("ECONNREFUSED"));
  const full = {
    level: "warn",
    message: "the database's disk is full",
    class: "disk_full",
    server: "",
    cause: FULL.message,
  };
  assert.deepEqual(logged(), [
    { ...full, errors: 1, statement: "statement 0" },
    {
      level: "warn",
      message: "the database cannot be reached",
      class: "unreachable",
      server: "",
      errors: 1,
      statement: "raise",
      cause: "ECONNREFUSED",
    },
  ]);
  await clock.advance(59_999);
  watch.failed("raise", "disk_full", FULL);
  assert.equal(log.lines.length, 2);
  await clock.advance(1);
  watch.failed("raise", "disk_full", FULL);
  assert.deepEqual(logged().slice(2), [{ ...full, errors: 501, statement: "raise" }]);
  watch.failed("raise", "contention", FULL);
  watch.failed("raise", "other", FULL);
  assert.equal(log.lines.length, 3);
});
