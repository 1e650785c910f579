/** `boathook waybills`, on a database of each test's own. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { AIR_PRODUCT, sourceQueueOf } from "../../src/products/air/air-product.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { accountRead } from "../../src/store/accounts/accounts.sql.ts";
import type { Cell } from "../../src/store/cell.ts";
import { insertOrGetShipment } from "../../src/freight/tracking/store/shipments.ts";
import { AWB, event, recorded } from "../air/statements.ts";
import { query } from "../support/database.ts";
import { run, settingsFor } from "./run.ts";
import { openShell, type Shell } from "./shell.ts";

const OTHER_AWB = "90100000011";

type Account = { readonly id: string; readonly cell: Cell };

type AccountShell = Shell & { readonly account: Account };

/** With an account, on a service with an airline of its own beside the table's. */
async function shell(t: TestContext): Promise<AccountShell> {
  const boathook = await openShell(t);
  const falcon = { name: "Falcon Cargo", iata: "F8", prefixes: ["901"], sources: [{ kind: "push" }] };
  const file = await boathook.file("airlines.json", JSON.stringify([falcon]));
  boathook.environment["BOATHOOK_AIRLINES_FILE"] = file;
  const { id } = await boathook.json("accounts", "create", "Acme");
  const { database, cells } = boathook.test;
  const found = await accountRead(database, cells[0]!, id);
  return Object.assign(boathook, { account: { id, cell: cells[found!.cell]! } });
}

async function track({ test: { database }, account }: AccountShell, awb: string): Promise<string> {
  const random = systemRandom();
  const atMs = Date.now();
  const { shipment } = await insertOrGetShipment(database, account.cell, {
    id: random.uuid(atMs),
    product: AIR_PRODUCT,
    accountId: account.id,
    reference: awb,
    identifierType: null,
    carrierHint: null,
    atMs,
    source: sourceQueueOf(awb.slice(0, 3)),
    isUrgent: true,
  });
  return shipment.id;
}

async function learn({ test: { address }, account }: AccountShell, id: string): Promise<void> {
  const { schema } = account.cell;
  const known = recorded([event("RCS", "FRA", 1), event("ARR", "SIN", 20)]);
  await query(
    address,
    `update ${schema}.shipments set carrier = $2, status = $3, eta = $4, record = $5 where id = $1`,
    [id, sourceQueueOf(AWB.slice(0, 3)), known.status, new Date(known.eta!.at.ms), JSON.stringify(known)],
  );
  await query(
    address,
    `update ${schema}.polls set refreshed_at = '2026-11-02T12:00:00Z', failures = 1,
     failure = 'unavailable_http_503' where shipment_id = $1`,
    [id],
  );
}

test("what an account tracks is listed, with whose it is and what exactly went wrong", async (t) => {
  const boathook = await shell(t);
  const [known, pending] = [await track(boathook, AWB), await track(boathook, OTHER_AWB)];
  await learn(boathook, known);
  const list = (...words: string[]) =>
    boathook.json("waybills", "list", "--account", boathook.account.id, ...words);
  const ids = async (...words: string[]) => (await list(...words)).map(({ id }: { id: string }) => id);
  assert.deepEqual((await ids()).toSorted(), [known, pending].toSorted());
  assert.deepEqual(await ids("--status", "arrived"), [known]);
  assert.deepEqual(await ids("--awb", "901-0000 0011"), [pending]);
  assert.equal((await ids("--limit", "1")).length, 1);
  const [one] = await list("--status", "pending");
  assert.deepEqual([one.awb, one.airline_iata, one.failure], [OTHER_AWB, "F8", null]);
  const { out } = await boathook("waybills", "list", "--account", boathook.account.id, "--status", "arrived");
  assert.match(
    out,
    new RegExp(
      `^ID .*\n${known} +020-12345675 +LH +arrived +2026-11-01T20:00:00Z +2026-11-02T12:00:00Z +It failed on its own side\\.\n$`,
    ),
  );
});

test("without the airlines file airlines are those of the table, and of others it is said how to see them", async (t) => {
  const boathook = await shell(t);
  const environment = settingsFor(boathook.test);
  const list = ["waybills", "list", "--account", boathook.account.id];
  await track(boathook, AWB);
  const ofTable = await run(list, { environment });
  assert.match(ofTable.out, / 020-12345675 +LH /);
  assert.equal(ofTable.err, "");
  const other = await track(boathook, OTHER_AWB);
  for (const words of [list, ["waybills", "show", other]]) {
    const { status, err } = await run(words, { environment });
    assert.equal(status, 0);
    assert.match(err, /^To see airlines that only .* BOATHOOK_AIRLINES_FILE names, .*\n$/);
  }
  assert.equal((await boathook(...list)).err, "");
});

test("a waybill is shown with its way and what happened to it, and is gone when it is stopped", async (t) => {
  const boathook = await shell(t);
  const id = await track(boathook, AWB);
  assert.match((await boathook("waybills", "show", id)).out, /Status +Pending\n/);
  assert.equal((await boathook.json("waybills", "show", "AWB 020-1234 5675")).id, id);
  await learn(boathook, id);
  const { out } = await boathook("waybills", "show", id.toUpperCase());
  assert.match(out, /Number +020-12345675\nAirline +LH Lufthansa.*\nStatus +Arrived\nRoute +FRA > SIN\n/);
  assert.match(out, /Cargo +10 pieces, 100 kg\n/);
  assert.match(out, /ETA +2026-11-01T20:00:00Z \(arrived\)\n/);
  assert.match(out, /\n2026-11-01T01:00:00Z +RCS +Received from shipper +FRA\n/);
  const json = await boathook.json("waybills", "show", id);
  assert.deepEqual(
    [json.id, json.account_id, json.awb, json.events.length],
    [id, boathook.account.id, AWB, 2],
  );
  const container = await boathook("containers", "show", id);
  assert.deepEqual([container.status, container.err], [1, `There is no container ${id}.\n`]);
  assert.equal((await boathook("waybills", "stop", id)).out, `Tracking of ${id} has stopped.\n`);
  for (const verb of ["show", "stop"]) {
    const { status, err } = await boathook("waybills", verb, id);
    assert.deepEqual([status, err], [1, `There is no waybill ${id}.\n`]);
  }
  assert.deepEqual(await boathook.json("waybills", "list", "--account", boathook.account.id), []);
});
