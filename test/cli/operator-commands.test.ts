/** What an operator asks and does at night: status, failing endpoints, one delivery, an account that goes. */
import assert from "node:assert/strict";
import { randomBytes, randomUUIDv7 } from "node:crypto";
import { test } from "node:test";

import { fingerprintsOf } from "../../src/engine/secret.ts";
import { lockNode, registerNode } from "../../src/store/nodes/nodes.ts";
import { addEndpoint } from "./add-endpoint.ts";
import { run } from "./run.ts";
import { openShell, type Shell } from "./shell.ts";

const SOME_ID = "01890000-0000-7000-8000-000000000001";

/** An endpoint that failures have disabled, with a delivery that waits for it. */
async function disabledEndpoint(boathook: Shell) {
  const account = await boathook.json("accounts", "create", "Acme");
  const [endpoint, event, delivery] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  for (const cell of boathook.test.cells) {
    await boathook.test.queryIn(
      cell,
      `with made as (
         insert into cell.endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash,
           active, failure_count, inactive_since, disabled_reason, created_at)
         select $2, id, 'air', 'https://receiver.test/', '{}', '', '', false, 20, now(), 'failures', now()
         from cell.accounts where id = $1 returning id, account_id
       ), raised as (
         insert into cell.events (id, account_id, product, type, occurred_at, data)
         select $3, account_id, 'air', 'eta_changed', now(), '{}' from made
       ), delivering as (
         insert into cell.deliveries (id, event_id, endpoint_id, attempt_count, last_error, created_at)
         select $4, $3, id, 3, 'http_500: Internal Server Error', now() from made
       )
       insert into cell.queue (delivery_id, endpoint_id, due_at) select $4, id, now() from made`,
      [account.id, endpoint, event, delivery],
    );
  }
  return { account, endpoint, delivery };
}

test("status tells what waits, what fails and why, and ends with 1 while no node runs", async (t) => {
  const boathook = await openShell(t);
  await disabledEndpoint(boathook);
  const { status, out } = await boathook("status", "--json");
  const told = JSON.parse(out);
  assert.equal(status, 1);
  assert.deepEqual(told.nodes, []);
  assert.deepEqual(told.endpoints, { failing: 0, disabled: 1, paused: 0 });
  assert.deepEqual(told.backlog, [{ product: "air", claimed: 0, due: 0, waiting: 0, parked: 1 }]);
  assert.deepEqual(told.failing, [{ reason: "http_500", deliveries: 1, endpoints: 1 }]);
  assert.equal(told.cells.length, boathook.test.cells.length + boathook.test.productCells.all.length);
  const text = await boathook("status");
  assert.match(text.out, /^nodes +none: no service runs$/m);
  assert.match(text.out, /^http_500 +1 +1$/m);
});

test("status tells each node's build, host, roles and the endpoints that it lacks the key of, and then ends with 1", async (t) => {
  const boathook = await openShell(t);
  const held = randomBytes(32);
  const account = await boathook.json("accounts", "create", "Acme");
  const { cell } = await addEndpoint(boathook, account.id, held);
  const join = async (host: string, key: Buffer) => {
    const about = { masterKeys: fingerprintsOf([key]), build: "1.2.3 (1f2e3d4c)", host, roles: "api,poll" };
    const session = await boathook.test.database.dedicated(cell, () => undefined);
    t.after(() => session.close());
    await lockNode(session, cell, await registerNode(session, cell, 0, SOME_ID, "", about));
  };
  await join("node-1", held);
  const well = await boathook("status");
  assert.equal(well.status, 0, well.err);
  assert.match(well.out, /node-1 +1\.2\.3 \(1f2e3d4c\) +api,poll/);
  assert.doesNotMatch(well.out, /LACKS KEY OF/);
  await join("node-2", randomBytes(32));
  const lacking = await boathook("status");
  assert.equal(lacking.status, 1);
  assert.match(lacking.out, /LACKS KEY OF\n.* 1\n/);
});

test("a failing endpoint is found over all accounts, its delivery shown, and enabled", async (t) => {
  const boathook = await openShell(t);
  const { account, endpoint, delivery } = await disabledEndpoint(boathook);
  const [failing] = await boathook.json("endpoints", "list", "--failing");
  assert.deepEqual(
    [failing.id, failing.account_id, failing.disabled_reason],
    [endpoint, account.id, "failures"],
  );
  assert.equal((await boathook("endpoints", "list", "--failing", "--product", "air")).status, 2);
  const shown = await boathook.json("deliveries", "show", delivery);
  assert.deepEqual(
    [shown.endpoint_id, shown.last_error, shown.account_id, typeof shown.parked_until],
    [endpoint, "http_500: Internal Server Error", account.id, "string"],
  );
  assert.match((await boathook("deliveries", "show", delivery)).out, /^parked_until +\d{4}-/m);
  const sent = (...words: string[]) => boathook.json("deliveries", "list", ...words);
  assert.equal((await sent("--since", "2026-01-31")).length, 1);
  assert.equal((await sent("--until", "2026-01-31")).length, 0);
  assert.match(
    (await boathook("deliveries", "list", "--since", "2026-02-31")).err,
    /--since must be a date-time/,
  );
  const enabled = await boathook.json("endpoints", "enable", endpoint);
  assert.deepEqual([enabled.active, enabled.failure_count], [true, 0]);
  assert.deepEqual(await boathook.json("endpoints", "list", "--failing"), []);
  assert.equal((await boathook("endpoints", "enable", delivery)).status, 1);
  assert.equal((await boathook("deliveries", "show", endpoint)).status, 1);
});

test("an account is removed when its name is typed or --yes given, and not otherwise", async (t) => {
  const boathook = await openShell(t);
  const { account } = await disabledEndpoint(boathook);
  const type = (input: string) =>
    run(["accounts", "remove", account.id], { environment: boathook.environment, input });
  const refused = await type("acme\n");
  assert.deepEqual([refused.status, refused.out], [1, ""]);
  assert.equal((await boathook.json("accounts", "list")).length, 1);
  assert.equal((await type("Acme\n")).status, 0);
  assert.deepEqual(await boathook.json("accounts", "list"), []);
  assert.equal((await boathook("accounts", "remove", account.id, "--yes")).status, 1);
  const { id } = await boathook.json("accounts", "create", "Acme");
  assert.deepEqual(await boathook.json("accounts", "remove", id, "--yes"), { id, deleted: true });
});
