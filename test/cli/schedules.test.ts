/** `boathook schedules` and `boathook plans`, on a database of each test's own. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { accountRead } from "../../src/store/accounts/accounts.sql.ts";
import { addFeeds, claimFeeds, finishFeed } from "../../src/products/schedules/store/schedule-feeds.ts";
import { insertPlan } from "../../src/products/loading/store/plans.ts";
import { createTestDatabase } from "../support/database.ts";
import { START_MS } from "../support/clock.ts";
import { DAY_MS, saidFor } from "../schedules/statements.ts";
import { openScene } from "../schedules/scene.ts";
import { run, settingsFor } from "./run.ts";

test("feeds are listed with what their last fetch came to, and when the next is", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const folder = await mkdtemp(join(tmpdir(), "boathook-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "schedules.json");
  const kind = "cs-port-schedules";
  const url = "https://api.heron.example/v1/port-schedules";
  await writeFile(
    file,
    JSON.stringify([
      { name: "heron-ports", carrier: "HRNL", kind, url, ports: ["NLRTM"] },
      { name: "gull-pushed", carrier: "GULL", kind, secret: "a-secret-of-gull-line" },
    ]),
  );
  const { database: store, cells } = database;
  const [directory] = cells as [(typeof cells)[0] & {}];
  const names = ["heron-ports", "former"];
  await addFeeds(
    store,
    directory,
    names.map((name) => ({ name, everyMs: DAY_MS })),
    START_MS,
  );
  const claim = { id: randomUUID(), atMs: START_MS, leaseMs: 60_000, limit: 1 };
  await claimFeeds(store, directory, ["heron-ports"], claim);
  await finishFeed(store, directory, "heron-ports", claim.id, {
    nextFetchMs: START_MS + 60_000,
    atMs: START_MS,
    outcome: "http_503",
    calls: null,
    failures: 3,
  });
  const environment = { ...settingsFor(database), BOATHOOK_SCHEDULES_FILE: file };
  const { out } = await run(["schedules", "feeds"], { environment });
  const lines = out.split("\n").map((line) => line.split(/ {2,}/));
  assert.deepEqual(
    lines.map(([name, carrier, , , outcome, , , next]) => [name, carrier, outcome, next]),
    [
      ["FEED", "CARRIER", "OUTCOME", "NEXT"],
      ["former", "-", "-", "not in the schedules file"],
      ["gull-pushed", "GULL", "-", "pushed only"],
      ["heron-ports", "HRNL", "It failed on its own side.", "2026-11-02T12:01:00Z"],
      ["", undefined, undefined, undefined],
    ],
  );
  const without = await run(["schedules", "feeds"], { environment: settingsFor(database) });
  assert.match(without.err, /^There is no BOATHOOK_SCHEDULES_FILE here/);
  assert.doesNotMatch(without.out, /not in the schedules file/);
  assert.match(without.out, /^heron-ports .*2026-11-02T12:01:00Z$/m);
  const shown = JSON.parse((await run(["schedules", "feeds", "--json"], { environment })).out);
  assert.deepEqual([shown[2].failures, shown[2].is_being_asked, shown[2].kind], [3, false, kind]);
});

test("calls at a port are listed with the feeds that report them, omitted calls included", async (t) => {
  const scene = await openScene();
  t.after(() => scene.on.drop());
  const arrivalMs = START_MS + 3 * DAY_MS;
  await scene.say([saidFor(arrivalMs)], { feed: "heron-ovs" });
  await scene.say([saidFor(arrivalMs)], { feed: "heron-cs" });
  const other = { voyage: { import: "015E", export: "015E" }, status: "OMIT" } as const;
  await scene.say([saidFor(arrivalMs + DAY_MS, other)], { feed: "heron-ovs" });
  const environment = settingsFor(scene.on);
  const listed = (...words: string[]) =>
    run(["schedules", "calls", "--from", "2026-11-02", ...words], { environment });
  const { out, err } = await listed("--port", "jpyok");
  const [, first, second] = out.split("\n");
  assert.match(first ?? err, /^HRNL +HE1 +014E +HERON DAWN +9321483 .* expected +heron-cs, heron-ovs$/);
  assert.match(second ?? "", /^HRNL +HE1 +015E .* omitted +heron-ovs$/);
  const [call, ...more] = JSON.parse((await listed("--port", "JPYOK", "--json", "--departures")).out);
  assert.deepEqual([call.port, call.feeds.length, call.feeds[0].gone_at, more.length], ["JPYOK", 2, null, 1]);
  assert.equal((await listed("--port", "JPYOK", "--carrier", "TERN")).out.trim().split("\n").length, 1);
  for (const [words, said] of [
    [[], /^Required option '--port /],
    [["--port", "Rotterdam"], /^--port must be a UN\/LOCODE/],
    [["--port", "NLRTM", "--vessel", "9321480"], /^--vessel /],
    [["--port", "NLRTM", "--from", "soon"], /^--from must be a day/],
  ] as const) {
    const refused = await listed(...words);
    assert.equal(refused.status, 2);
    assert.match(refused.err, said);
  }
});

test("a call's history is shown by its id", async (t) => {
  const scene = await openScene();
  t.after(() => scene.on.drop());
  const arrivalMs = START_MS + 3 * DAY_MS;
  await scene.say([saidFor(arrivalMs)], { feed: "heron-ovs" });
  await scene.say([saidFor(arrivalMs + DAY_MS)], { feed: "heron-ovs" });
  const environment = settingsFor(scene.on);
  const boathook = (...words: string[]) => run(["schedules", ...words], { environment });
  const [call] = JSON.parse(
    (await boathook("calls", "--port", "JPYOK", "--from", "2026-11-02", "--json")).out,
  );
  const { out, err } = await boathook("history", call.id);
  const [heading, change] = out.split("\n");
  assert.match(heading ?? err, /^CHANGED +FIELD +FROM +TO +HOURS$/);
  assert.match(change ?? "", /^2026-\S+Z +arrival\.\w+ +2026-\S+Z +2026-\S+Z +24$/);
  const { changes } = JSON.parse((await boathook("history", call.id, "--json")).out);
  assert.equal(changes[0].shift_hours, 24);
  for (const id of ["01a1f3c2-7c1e-7b3a-9c55-3f1f0a5d2b10", "no-id"]) {
    const refused = await boathook("history", id);
    assert.deepEqual([refused.status, refused.err.includes(id)], [1, true]);
  }
});

test("an account's load plans are listed with the containers that each takes", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const environment = settingsFor(database);
  const boathook = (...words: string[]) => run(words, { environment });
  const account = JSON.parse((await boathook("accounts", "create", "Acme", "--json")).out).id as string;
  const summary = { containers: [{ type: "40HC", count: 2 }], pieces: 40, pieces_left: 1 };
  const plan = { id: randomUUID(), accountId: account, atMs: START_MS, name: "Spring" };
  const content = { request: "{}", summary: JSON.stringify(summary), detail: "{}" };
  const home = await accountRead(database.database, database.cells[0]!, account);
  await insertPlan(database.database, database.cells[home!.cell]!, { ...plan, ...content }, 10);
  const { out, err } = await boathook("plans", "list", "--account", account);
  assert.match(out || err, new RegExp(`${plan.id} +Spring +2 x 40HC +40 +1 +1 +2026-11-02T12:00:00Z`));
});
