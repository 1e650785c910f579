/** The commands that read and write the store, on a database of each test's own. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { systemRandom } from "../../src/runtime/system-random.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { run, settingsFor } from "./run.ts";
import { addEndpoint } from "./add-endpoint.ts";
import { openShell } from "./shell.ts";

const random = systemRandom();
/** The number of the user that owns nothing. */
const NOBODY = 65_534;

const UNKNOWN_ID = "01890000-0000-7000-8000-000000000001";

test("an account is made, shown, listed and changed", async (t) => {
  const boathook = await openShell(t);
  const entitled = ["--entitlements", "aircargo, loading,aircargo"];
  const made = await boathook.json("accounts", "create", "Acme", ...entitled);
  assert.deepEqual(made.entitlements, ["aircargo", "loading"]);
  assert.deepEqual(await boathook.json("accounts", "show", made.id), made);
  assert.deepEqual(await boathook.json("accounts", "list"), [made]);

  const words = ["--name", "Acme & Co", "--entitlements", "", "--demurrage-alerting", "on"];
  const changed = await boathook.json("accounts", "update", made.id, ...words);
  assert.deepEqual(changed, { ...made, name: "Acme & Co", entitlements: [], demurrage_alerting: true });
  assert.match((await boathook("accounts", "list")).out, new RegExp(`^ID .*\n${made.id} +Acme & Co +- +on`));
});

test("all accounts are listed, however many pages that is", async (t) => {
  const boathook = await openShell(t);
  const [first] = boathook.test.cells;
  await query(
    boathook.test.address,
    `insert into ${first!.directory}.accounts (id, name, cell, created_at)
     select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'n' || n, 0, now()
     from generate_series(1, 205) n`,
  );
  const listed = (await boathook.json("accounts", "list")) as { name: string }[];
  assert.deepEqual([listed.length, listed[0]!.name, listed.at(-1)!.name], [205, "n205", "n1"]);
});

test("a refused change of an account is reported in the words of the operator's API", async (t) => {
  const boathook = await openShell(t);
  boathook.environment["BOATHOOK_MASTER_KEY"] = randomBytes(32).toString("base64");
  const refusals: readonly (readonly [words: string[], message: RegExp, status: number])[] = [
    [["accounts", "create", ""], /^Name must /, 1],
    [
      ["accounts", "create", "A", "--entitlements", "gold"],
      /^There is no entitlement gold; there are aircargo/,
      1,
    ],
    [["accounts", "show", UNKNOWN_ID], /^There is no account of that id/, 1],
    [["accounts", "show", "../keys"], /^There is no account of that id/, 1],
    [["accounts", "update", UNKNOWN_ID], /^Nothing to change/, 2],
    [["accounts", "update", UNKNOWN_ID, "--demurrage-alerting", "yes"], /'yes' .* one of on, off/, 2],
    [["keys", "create", UNKNOWN_ID, "--prefix", "tracking"], /^There is no account of that id/, 1],
    [
      ["keys", "create", UNKNOWN_ID, "--prefix", "air"],
      /^Option '--prefix .* one of tracking, schedules, rates, loading/,
      2,
    ],
    [["keys", "revoke", UNKNOWN_ID], /^There is no key of that id/, 1],
    [["portal-link", UNKNOWN_ID, "--product", "air"], /^There is no account of that id/, 1],
    [["portal-link", UNKNOWN_ID, "--product", "none"], /^Option '--product .* one of tracking, air/, 2],
    [["portal-links", "list", UNKNOWN_ID], /^There is no account of that id/, 1],
    [["portal-links", "revoke", UNKNOWN_ID, UNKNOWN_ID], /^The account has no portal link of that id/, 1],
    [["portal-link", UNKNOWN_ID, "--product", "air", "--expires-in", "9"], /whole number from 10 to 3600/, 2],
    [["endpoints", "list", UNKNOWN_ID], /^There is no account/, 1],
    [["deliveries", "list", "--account", UNKNOWN_ID], /^There is no account/, 1],
    [["deliveries", "list", "--endpoint", UNKNOWN_ID], /^There is no endpoint/, 1],
  ];
  for (const [words, message, status] of refusals) {
    const ran = await boathook(...words);
    assert.match(ran.err, message, words.join(" "));
    assert.deepEqual([ran.status, ran.out], [status, ""]);
  }
});

test("a key is shown when it is made and never again, and is listed as revoked once it is", async (t) => {
  const boathook = await openShell(t);
  const account = await boathook.json("accounts", "create", "Acme");
  const make = ["keys", "create", account.id, "--prefix", "tracking", "--label", "one"];
  const { status, out, err } = await boathook(...make);
  assert.equal(status, 0);
  assert.match(out, /^tracking_[0-9A-Za-z]{36}\n$/);
  assert.match(err, /not shown again/);
  const [key] = await boathook.json("keys", "list", account.id);
  assert.deepEqual([key.prefix, key.label, key.revoked_at, "key" in key], ["tracking", "one", null, false]);
  assert.notEqual((await boathook.json("keys", "revoke", key.id)).revoked_at, null);
  assert.match((await boathook("keys", "list", account.id)).out, /tracking_ +one +\S+Z +\S+Z\n$/);
});

test("an account's endpoints are listed, on all products or on one", async (t) => {
  const boathook = await openShell(t);
  const account = await boathook.json("accounts", "create", "Acme");
  const air = await addEndpoint(boathook, account.id);
  const loading = await addEndpoint(boathook, account.id, randomBytes(32), "loading");
  const all = await boathook.json("endpoints", "list", account.id);
  assert.deepEqual(
    all.map((endpoint: { id: string }) => endpoint.id),
    [loading.id, air.id],
  );
  assert.ok(all.every((endpoint: object) => !("secret" in endpoint)));
  assert.deepEqual(await boathook.json("endpoints", "list", "--account", account.id), all);
  const some = await boathook("endpoints", "list", account.id, "--product", "air");
  assert.match(some.out, new RegExp(`^ID .*\n${air.id} +air +yes +0 +- +all +https://receiver.test/air\n$`));
});

test("deliveries are listed newest first, by endpoint or account, with why they failed and what is next", async (t) => {
  const boathook = await openShell(t);
  const account = await boathook.json("accounts", "create", "Acme");
  const { id: endpointId, cell } = await addEndpoint(boathook, account.id);
  const event = random.uuid(Date.now());
  const ids = Array.from({ length: 3 }, () => random.uuid(Date.now()));
  const sql = (text: string, values: unknown[]) => query(boathook.test.address, text, values);
  await sql(
    `insert into ${cell.schema}.events (id, account_id, product, type, occurred_at, data)
     values ($1, $2, 'air', 'awb_arrived', now(), '{}')`,
    [event, account.id],
  );
  const insert = `insert into ${cell.schema}.deliveries (id, event_id, endpoint_id, attempt_count, last_status_code, status,
       last_error, created_at, delivered_at) values ($1, $2, $3, $4, $5, $6, $7, now(), $8)`;
  await sql(insert, [ids[0], event, endpointId, 1, 200, "delivered", null, new Date()]);
  await sql(insert, [ids[1], event, endpointId, 6, null, "dead", "timeout: no answer in 10 s", null]);
  await sql(insert, [ids[2], event, endpointId, 1, 503, "pending", "http_503", null]);
  const due = "2026-11-02T12:00:00.000Z";
  await sql(`insert into ${cell.schema}.queue (delivery_id, endpoint_id, due_at) values ($1, $2, $3)`, [
    ids[2],
    endpointId,
    due,
  ]);

  const all = await boathook.json("deliveries", "list", "--endpoint", endpointId);
  assert.deepEqual(
    all.map((delivery: { id: string }) => delivery.id),
    ids.toReversed(),
  );
  assert.deepEqual(
    [all[0].next_attempt_at, all[0].last_error, all[0].event_type],
    [due, "http_503", "awb_arrived"],
  );
  assert.deepEqual(await boathook.json("deliveries", "list", "--account", account.id), all);
  assert.equal(
    (await boathook.json("deliveries", "list", "--account", account.id, "--limit", "2")).length,
    2,
  );
  const dead = await boathook("deliveries", "list", "--account", account.id, "--status", "dead");
  assert.match(
    dead.out,
    new RegExp(
      `^ENDPOINT +ID .*\n${endpointId} +${ids[1]} +awb_arrived +dead +6 .* timeout: no answer in 10 s\n$`,
    ),
  );
  const headings = async (status: string) =>
    (await boathook("deliveries", "list", "--endpoint", endpointId, "--status", status)).out.split("\n")[0];
  assert.equal((await headings("delivered"))!.match(/DELIVERED|NEXT|ERROR/g)!.join(), "DELIVERED");
  assert.equal((await headings("pending"))!.match(/DELIVERED|NEXT|ERROR/g)!.join(), "NEXT,ERROR");
});

test("with a database URL and no master key, what makes a service ready is refused before anything is migrated", async (t) => {
  const { address, drop } = await createEmptyDatabase();
  t.after(drop);
  const environment = { ...settingsFor({ address, cells: [] }), BOATHOOK_CELLS: "1", BOATHOOK_WORKERS: "1" };
  for (const words of [["config"], ["serve"], ["migrate"], ["rotate-master-key"]]) {
    const { status, err } = await run(words, { environment });
    assert.equal(status, 2);
    assert.match(err, /BOATHOOK_MASTER_KEY must be set along with BOATHOOK_DATABASE_URL: .*openssl rand/);
  }
  const schemas = "select nspname from pg_namespace where nspname like 'boathook%'";
  assert.deepEqual((await query(address, schemas)).rows, []);
  const boathook = await openShell(t);
  assert.equal((await boathook("accounts", "list")).status, 0, "a command that seals nothing needs none");
});

test("a data folder that this user may not read is not taken for one without a Boathook", async (t) => {
  const parent = mkdtempSync(join(tmpdir(), "boathook-commands-"));
  const folder = join(parent, "data");
  mkdirSync(join(folder, "postgres"), { recursive: true });
  const environment = { BOATHOOK_DATA_DIR: folder };
  // Loads what the command needs.
  await run(["accounts", "list"], { environment });
  const own = process.geteuid!();
  chmodSync(parent, 0o755);
  t.after(() => {
    process.seteuid!(own);
    chmodSync(folder, 0o700);
    rmSync(parent, { recursive: true });
  });
  for (const closed of [folder, join(folder, "postgres")]) {
    chmodSync(folder, 0o755);
    chmodSync(closed, 0);
    // Root may read everything.
    if (own === 0) process.seteuid!(NOBODY);
    const { status, err } = await run(["accounts", "list"], { environment });
    process.seteuid!(own);
    chmodSync(closed, 0o755);
    assert.equal(status, 1);
    assert.match(err, /^\/.*data cannot be read by this user \(EACCES\)/);
  }
});

test("in a database without Boathook, a command says so and makes none", async (t) => {
  const { address, drop } = await createEmptyDatabase();
  t.after(drop);
  const environment = { ...settingsFor({ address, cells: [] }), BOATHOOK_CELLS: "1" };
  for (const words of [
    ["accounts", "list"],
    ["accounts", "create", "Acme"],
    ["status"],
    ["waybills", "show", UNKNOWN_ID],
    ["endpoints", "lost", "--remove"],
  ]) {
    const { status, out, err } = await run(words, { environment });
    assert.deepEqual([status, out], [1, ""]);
    assert.match(err, /^There is no Boathook in the database .*BOATHOOK_DATABASE_URL.*`boathook migrate`/);
  }
  const schemas = "select nspname from pg_namespace where nspname like 'boathook%'";
  assert.deepEqual((await query(address, schemas)).rows, []);
  await query(address, "create schema boathook");
  assert.equal((await run(["accounts", "list"], { environment })).status, 1, "an empty schema is no store");
  const key = Buffer.alloc(32).toString("base64");
  const made = await run(["migrate"], { environment: { ...environment, BOATHOOK_MASTER_KEY: key } });
  assert.equal(made.status, 0, made.err);
  assert.equal((await run(["accounts", "list"], { environment })).status, 0);
});

test("where there is no Boathook, a command says where it looked and makes none", async (t) => {
  const parent = mkdtempSync(join(tmpdir(), "boathook-commands-"));
  t.after(() => rmSync(parent, { recursive: true }));
  const [missing, empty] = [join(parent, "missing"), join(parent, "empty")];
  mkdirSync(empty);
  for (const folder of [missing, empty]) {
    for (const words of [["accounts", "list"], ["waybills", "show", UNKNOWN_ID], ["rotate-master-key"]]) {
      const { status, out, err } = await run(words, { environment: { BOATHOOK_DATA_DIR: folder } });
      assert.deepEqual([status, out], [1, ""]);
      assert.ok(err.startsWith(`There is no Boathook in ${folder}. Set BOATHOOK_DATA_DIR`), err);
    }
  }
  assert.deepEqual([existsSync(missing), readdirSync(empty)], [false, []]);
});
