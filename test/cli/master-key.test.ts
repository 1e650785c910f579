/** The commands on the master key: its rotation, and the way on when it is lost. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { fingerprintsOf, isSealedUnder, signingKey } from "../../src/engine/secret.ts";
import type { Cell } from "../../src/store/cell.ts";
import { readSealedSecrets } from "../../src/store/endpoints/secrets.ts";
import { lockNode, registerNode } from "../../src/store/nodes/nodes.ts";
import { nodeLeave } from "../../src/store/nodes/nodes.sql.ts";
import { addEndpoint } from "./add-endpoint.ts";
import { openShell, openShellOn } from "./shell.ts";

const ALL_OPENED = { unopened: 0, reason: null };
const SOME_ID = "01890000-0000-7000-8000-000000000001";

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

test("a rotation is refused while a node that is registered lacks the new key, and names the node", async (t) => {
  const [before, after] = [randomBytes(32), randomBytes(32)];
  const boathook = await openShellOn(2, t);
  Object.assign(boathook.environment, {
    BOATHOOK_MASTER_KEY: after.toString("base64"),
    BOATHOOK_MASTER_KEY_PREVIOUS: before.toString("base64"),
  });
  const account = await boathook.json("accounts", "create", "Acme");
  const { cell } = await addEndpoint(boathook, account.id, before);
  const { database, cells } = boathook.test;
  const node = async (where: Cell, host: string, ...keys: Buffer[]) => {
    const about = { masterKeys: fingerprintsOf(keys), build: "1", host, roles: "api" };
    const session = await database.dedicated(where, () => undefined);
    t.after(() => session.close());
    await lockNode(session, where, await registerNode(session, where, 0, SOME_ID, "", about));
  };
  // Each cell counts: a node may have joined one only.
  await node(cells[0]!, "knows-both", before, after);
  await node(cells.at(-1)!, "knows-the-old", before);
  const refused = await boathook("rotate-master-key");
  assert.equal(refused.status, 1);
  assert.match(refused.err, /knows-the-old.*Nothing was resealed/s);
  assert.doesNotMatch(refused.err, /knows-both/);
  const [kept] = await readSealedSecrets(database, cell, { afterId: null, limit: 1 });
  assert.ok(isSealedUnder(kept!.sealed, [before]));
  assert.equal((await boathook.json("rotate-master-key", "--force")).resealed, 1);
});

test("endpoints whose master key is lost are listed, and removed where you say so and no node has the key", async (t) => {
  const [lost, held, current] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const boathook = await openShell(t);
  boathook.environment["BOATHOOK_MASTER_KEY"] = current.toString("base64");
  const account = await boathook.json("accounts", "create", "Acme");
  const { id } = await addEndpoint(boathook, account.id, lost);
  const ofNode = await addEndpoint(boathook, account.id, held);
  const kept = await addEndpoint(boathook, account.id, current);
  const { database, cells } = boathook.test;
  const about = { masterKeys: fingerprintsOf([held]), build: "1", host: "there", roles: "api" };
  const node = await registerNode(database, cells[0]!, 0, SOME_ID, "", about);

  const ids = (rows: readonly { readonly id: string }[]) => rows.map((one) => one.id).toSorted();
  assert.deepEqual(ids(await boathook.json("endpoints", "lost")), [id, ofNode.id].toSorted());
  const refused = await boathook("endpoints", "lost", "--remove");
  assert.equal(refused.status, 1);
  assert.match(refused.err, /a node has the key of 1 of them/s);
  assert.equal((await boathook.json("endpoints", "lost")).length, 2, "nothing was removed");

  await nodeLeave(database, cells[0]!, node);
  assert.deepEqual(ids(await boathook.json("endpoints", "lost", "--remove")), [id, ofNode.id].toSorted());
  assert.deepEqual(await boathook.json("endpoints", "lost"), []);
  assert.deepEqual(ids(await boathook.json("endpoints", "list", account.id)), [kept.id]);
});
