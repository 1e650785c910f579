/** Operational events in a running service, as their receivers get them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { newClient, raise, startReceiver, type Client } from "../service/client.ts";
import { until } from "../service/boathook.ts";
import { openPlace, run, TOKEN } from "../service/running.ts";
import { operatorAt, productAt } from "../support/clients.ts";

const QUICK = { BOATHOOK_RETRY_WAITS: "1ms,1ms,1ms,1ms,1ms,1ms" };

test("a client learns of its own endpoints, an overseer of all, in whatever cell", async (t) => {
  const receiver = await startReceiver(t);
  const { settings, on } = await openPlace(t, 2);
  const service = await run(t, { ...settings, ...receiver.settings, ...QUICK });
  const operator = operatorAt(service.opsUrl, TOKEN);
  // One after the other: each goes where there are the fewest.
  const clients: Client[] = [];
  while (clients.length < 6) clients.push(await newClient(service, TOKEN, receiver));
  const [client, other, ...overseers] = clients;
  for (const { accountId: id } of overseers)
    await operator.ask("PATCH /v1/accounts/{id}", { id }, { entitlements: ["operations"] });
  const cells = await Promise.all(
    on.cells.map((cell) => on.queryIn(cell, "select id from cell.accounts").then(({ rows }) => rows)),
  );
  const cellOf = (id: string) => cells.findIndex((accounts) => accounts.some((one) => one.id === id));
  assert.equal(new Set(overseers.map(({ accountId }) => cellOf(accountId))).size, 2, "some in each cell");

  const failing = await client!.register(service, "rates", "failing");
  await client!.register(service, "operations", "client");
  await other!.register(service, "operations", "other");
  for (const [index, one] of overseers.entries())
    await one.register(service, "operations", `overseer-${index}`);
  let isWell = false;
  receiver.behave(({ path }) => (path === "failing" && !isWell ? 503 : 204));
  const heardBy = (path: string) => receiver.arrivals.filter((one) => one.path === path);
  const kinds = (path: string) =>
    heardBy(path)
      .map(({ type }) => type)
      .toSorted();

  const isDead = (number: number) => () =>
    kinds("client").filter((one) => one === "delivery_dead").length === number;
  for (const number of [1, 2, 3]) {
    assert.ok(await raise(service, TOKEN, client!.accountId, [number]));
    await until(isDead(number), "its six attempts fail");
  }
  assert.ok(await raise(service, TOKEN, client!.accountId, [4]), "its second is the twentieth in a row");
  const after = ["delivery_dead", "delivery_dead", "delivery_dead", "endpoint_disabled", "endpoint_failing"];
  const all = ["client", ...overseers.map((_one, index) => `overseer-${index}`)];
  await until(() => all.every((path) => kinds(path).length >= after.length), "all have heard");
  for (const path of all) assert.deepEqual(kinds(path), after);

  isWell = true;
  await productAt(`${service.publicUrl}/rates`, client!.key).ask(
    "PATCH /v1/webhooks/{id}",
    { id: failing },
    { active: true },
  );
  await until(() => all.every((path) => kinds(path).includes("endpoint_recovered")), "it works again");
  const off = heardBy("client").find(({ type }) => type === "endpoint_disabled");
  assert.deepEqual(
    { ...off!.data, failing_since: typeof off!.data.failing_since },
    {
      account_id: client!.accountId,
      endpoint_id: failing,
      product: "rates",
      url: `${receiver.url}/failing`,
      last_error: off!.data.last_error,
      failure_count: 20,
      failing_since: "string",
    },
  );
  assert.match(off!.data.last_error, /^http_503/);
  const found = await productAt(`${service.publicUrl}/operations`, client!.key).ask("GET /v1/events", {
    reference: failing,
  });
  assert.equal(found.data.length, 6);
  assert.deepEqual(heardBy("other"), []);
  assert.deepEqual(receiver.wrong, []);
});

test("what cannot be delivered of these events raises none, and nobody's reports are kept", async (t) => {
  const receiver = await startReceiver(t);
  const { settings, on } = await openPlace(t);
  const service = await run(t, { ...settings, ...receiver.settings, ...QUICK });
  const client = await newClient(service, TOKEN, receiver);
  const count = async (what: string) =>
    Number((await on.queryIn(on.cells[0]!, `select count(*) from ${what}`)).rows[0].count);
  const dead = (number: number) => async () =>
    (await count("cell.deliveries where status = 'dead'")) === number;
  receiver.behave(() => 503);

  await client.register(service, "rates", "failing");
  assert.ok(await raise(service, TOKEN, client.accountId, [1]));
  await until(dead(1), "the delivery dies");
  await until(async () => (await count("cell.reports")) === 0, "its report goes");
  assert.equal(await count("cell.events where product = 'operations'"), 0, "for nobody hears it");

  await client.register(service, "operations", "deaf");
  assert.ok(await raise(service, TOKEN, client.accountId, [2]));
  await until(dead(3), "the delivery dies, and what says so");
  await until(async () => (await count("cell.reports")) === 0, "its reports go");
  assert.equal(await count("cell.events where product = 'operations'"), 1);
});

test("an account that is being removed keeps nobody's events waiting", async (t) => {
  const receiver = await startReceiver(t);
  const { settings, on } = await openPlace(t);
  const service = await run(t, { ...settings, ...receiver.settings, ...QUICK });
  const [leaving, staying] = [
    await newClient(service, TOKEN, receiver),
    await newClient(service, TOKEN, receiver),
  ];
  receiver.behave(({ path }) => (path === "failing" ? 503 : 204));
  const endpointId = await leaving.register(service, "rates", "leaving");
  await leaving.register(service, "operations", "left");
  await staying.register(service, "rates", "failing");
  await staying.register(service, "operations", "stayed");
  // As a removal does, which may last, or break off.
  await on.queryIn(
    on.cells[0]!,
    "update cell.accounts set moving = true, closed = true, routing_version = routing_version + 1 where id = $1",
    [leaving.accountId],
  );
  await on.queryIn(
    on.cells[0]!,
    `insert into cell.reports (at, kind, subject, account_id, endpoint_id, failure_count)
     values (now(), 'endpoint_failing', $1, $2, $1, 5)`,
    [endpointId, leaving.accountId],
  );
  assert.ok(await raise(service, TOKEN, staying.accountId, [1]));
  const heardBy = (wanted: string) => receiver.arrivals.filter(({ path }) => path === wanted);
  await until(() => heardBy("stayed").some(({ type }) => type === "delivery_dead"), "the other hears");
  assert.deepEqual(heardBy("left"), []);
});
