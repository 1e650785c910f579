/** The commands that read and write the store, on a database of each test's own. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { isSealedUnder, mintSecret, sealSecret, signingKey } from "../../src/engine/secret.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { readAccount } from "../../src/store/accounts/accounts.ts";
import { insertEndpoint } from "../../src/store/endpoints/endpoints.ts";
import { readSealedSecrets } from "../../src/store/endpoints/secrets.ts";
import type { Cell } from "../../src/store/cell.ts";
import { query } from "../support/database.ts";
import { run } from "./run.ts";
import { openShell, type Shell } from "./shell.ts";

const random = systemRandom();
const ALL_OPENED = { unopened: 0, reason: null };
const UNKNOWN_ID = "01890000-0000-7000-8000-000000000001";

/** An endpoint of an account, with its secret sealed under `masterKey`. */
async function addEndpoint(
  { test: { database, cells } }: Shell,
  accountId: string,
  masterKey: Buffer = randomBytes(32),
  product = "air",
): Promise<{ readonly id: string; readonly cell: Cell; readonly secret: string }> {
  const account = await readAccount(database, cells[0]!, accountId);
  const cell = cells[account!.cell]!;
  const nowMs = Date.now();
  const id = random.uuid(nowMs);
  const secret = mintSecret(random);
  await insertEndpoint(
    database,
    cell,
    {
      id,
      accountId,
      product,
      url: `https://receiver.test/${product}`,
      eventTypes: [],
      description: "",
      createdAt: new Date(nowMs),
      sealedSecretHash: sealSecret(secret, { accountId, endpointId: id }, [masterKey], random),
    },
    100,
  );
  return { id, cell, secret };
}

test("an account is made, shown, listed and changed", async (t) => {
  const boathook = await openShell(t);
  const made = await boathook.json(
    "accounts",
    "create",
    "Acme",
    "--entitlements",
    "aircargo, loading,aircargo",
  );
  assert.deepEqual(made.entitlements, ["aircargo", "loading"]);
  assert.deepEqual(await boathook.json("accounts", "show", made.id), made);
  assert.deepEqual(await boathook.json("accounts", "list"), [made]);

  const changed = await boathook.json(
    ...[
      "accounts",
      "update",
      made.id,
      "--name",
      "Acme & Co",
      "--entitlements",
      "",
      "--demurrage-alerting",
      "on",
    ],
  );
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
      /^Prefix must be one of tracking, schedules, rates, loading/,
      1,
    ],
    [["keys", "revoke", UNKNOWN_ID], /^There is no key of that id/, 1],
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
  const { status, out, err } = await boathook(
    "keys",
    "create",
    account.id,
    "--prefix",
    "tracking",
    "--label",
    "one",
  );
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

test("an account without endpoints has no deliveries, and that is no failure", async (t) => {
  const boathook = await openShell(t);
  const account = await boathook.json("accounts", "create", "Acme");
  assert.deepEqual(await boathook.json("deliveries", "list", "--account", account.id), []);
});

test("rotating the master key seals every secret again, keeps the signatures, and does nothing when repeated", async (t) => {
  const [before, after] = [randomBytes(32), randomBytes(32)];
  const keys = {
    BOATHOOK_MASTER_KEY: after.toString("base64"),
    BOATHOOK_MASTER_KEY_PREVIOUS: before.toString("base64"),
  };
  const boathook = await openShell(t);
  Object.assign(boathook.environment, keys);
  const account = await boathook.json("accounts", "create", "Acme");
  const endpoints = await Promise.all(
    [before, before, after].map((key) => addEndpoint(boathook, account.id, key)),
  );
  const { database } = boathook.test;
  const signatures = async (key: Buffer) => {
    const secrets = await readSealedSecrets(database, endpoints[0]!.cell, { afterId: null, limit: 10 });
    assert.ok(secrets.every(({ sealed }) => isSealedUnder(sealed, [key])));
    return secrets.map((secret) => signingKey(secret.sealed, secret, [key]).export().toString("hex"));
  };

  assert.deepEqual(await boathook.json("rotate-master-key"), { resealed: 2, current: 1, ...ALL_OPENED });
  const rotated = await signatures(after);
  assert.equal(new Set(rotated).size, 3);
  assert.deepEqual(await boathook.json("rotate-master-key"), { resealed: 0, current: 3, ...ALL_OPENED });
  assert.deepEqual(await signatures(after), rotated);
});

test("a rotation without the key that sealed a secret says so, leaves that one, and goes on", async (t) => {
  const [lost, current] = [randomBytes(32), randomBytes(32)];
  const boathook = await openShell(t);
  boathook.environment["BOATHOOK_MASTER_KEY"] = current.toString("base64");
  const account = await boathook.json("accounts", "create", "Acme");
  const { cell } = await addEndpoint(boathook, account.id, lost);
  await addEndpoint(boathook, account.id, current);
  const { status, out, err } = await boathook("rotate-master-key");
  assert.equal(status, 1);
  assert.match(out, /Resealed 0 secrets; 1 were under the current key already/);
  assert.match(err, /^1 secrets could not be opened/);
  assert.match(err, /BOATHOOK_MASTER_KEY_PREVIOUS/);
  const [kept] = await readSealedSecrets(boathook.test.database, cell, { afterId: null, limit: 1 });
  assert.ok(isSealedUnder(kept!.sealed, [lost]));
});

test("with a database URL a command that seals needs the master key, and others do not", async (t) => {
  const boathook = await openShell(t);
  assert.match((await boathook("rotate-master-key")).err, /BOATHOOK_MASTER_KEY must be set/);
  assert.equal((await boathook("migrate")).out, "The database is up to date.\n");
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
