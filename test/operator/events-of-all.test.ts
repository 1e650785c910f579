/** Events of all accounts as the operator searches them, and what a page of one, of its deliveries and endpoints says. */
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { before, describe, test } from "node:test";

import { allPages, assertRefused } from "../support/answers.ts";
import { storeDeliveries, storeEvents, uuidAt } from "../support/stored.ts";
import { ofSuite } from "../support/suite.ts";
import { START_MS } from "../support/clock.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";
import { column, columns } from "../support/columns.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const AWAY = "0192d3a0-0000-4000-8000-000000000001";

const at = (ms: number): string => new Date(ms).toISOString();

describe("events of all accounts", () => {
  const service = ofSuite(() => startService());
  const clients: { readonly accountId: string; readonly endpointId: string; readonly secret: string }[] = [];
  const events: string[] = [];
  before(async () => {
    for (const product of ["tracking", "air"]) {
      const { key, accountId } = await createCaller(service, "tracking", ["aircargo"]);
      const { body } = await sendWithKey(service, key, "POST", `/${product}/v1/webhooks`, {
        url: `https://example.com/${product}`,
      });
      clients.push({ accountId, endpointId: body.data.id, secret: body.data.secret });
    }
    // One a minute, the last at the time of the clock: of the accounts and the types in turn.
    for (let index = 0; index < 12; index += 1)
      events.unshift(
        await raise(clients[index % 2]!, START_MS - (11 - index) * MINUTE_MS, `type_${index % 3}`),
      );
  });

  /** An event of the endpoint's account, with deliveries that have failed. */
  async function raise(
    { endpointId }: { readonly endpointId: string },
    atMs: number,
    type: string,
    deliveryIds: readonly string[] = [],
  ): Promise<string> {
    const said = { atMs, type, data: '{"a":1}' };
    const [id] = await storeEvents(service.test, endpointId, [said]);
    await storeDeliveries(
      service.test,
      endpointId,
      deliveryIds.map((delivery) => ({
        ...{ atMs, id: delivery, eventId: id!, isStored: true, status: "dead", error: "timeout: no answer" },
      })),
    );
    return id!;
  }

  /** By pages of two. */
  const all = async (path: string, of: "events" | "deliveries" = "events"): Promise<readonly string[]> => {
    const page = `${path}${path.includes("?") ? "&" : "?"}limit=2`;
    const ask = (cursor: string) => sendAsOperator(service, "GET", page + cursor);
    return column(await allPages(ask, (body) => body[of]), "id");
  };

  const of = (matches: (index: number) => boolean) => events.filter((_id, place) => matches(11 - place));

  test("come newest first, each once, by account, product, type and time, over all cells", async () => {
    assert.deepEqual(await all("/v1/events"), events);
    const [first, second] = clients;
    const odd = of((index) => index % 2 === 1);
    assert.deepEqual(await all(`/v1/events?account_id=${second!.accountId}`), odd);
    assert.deepEqual(await all("/v1/events?product=air"), odd);
    assert.deepEqual(await all(`/v1/events?account_id=${second!.accountId}&product=tracking`), []);
    assert.deepEqual(
      await all("/v1/events?type=type_1"),
      of((index) => index % 3 === 1),
    );
    assert.deepEqual(
      await all(`/v1/events?account_id=${first!.accountId}&type=type_2`),
      of((index) => index % 2 === 0 && index % 3 === 2),
    );
    const since = at(START_MS - 5 * MINUTE_MS);
    const until = at(START_MS - 2 * MINUTE_MS);
    for (const [query, matches] of [
      [`since=${since}`, (index) => index >= 6],
      [`until=${until}`, (index) => index < 9],
      [`since=${since}&until=${until}`, (index) => index >= 6 && index < 9],
      [`since=${since}&product=air`, (index) => index >= 6 && index % 2 === 1],
      [`until=${until}&account_id=${first!.accountId}`, (index) => index < 9 && index % 2 === 0],
    ] as const satisfies readonly (readonly [string, (index: number) => boolean])[])
      assert.deepEqual(await all(`/v1/events?${query}`), of(matches), query);
    assert.deepEqual(await all(`/v1/events?account_id=${AWAY}`), []);
    const upper = second!.accountId.toUpperCase();
    assert.deepEqual(await all(`/v1/events?account_id=${upper}`), odd);
    const backwards = await sendAsOperator(service, "GET", `/v1/events?since=${until}&until=${since}`);
    assertRefused(backwards, 400, "INVALID_REQUEST", /^query\.since must be before until/);
    for (const wrong of ["cursor=x", "limit=101", "since=yesterday", "product=none"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/events?${wrong}`)).status, 400, wrong);
  });

  test("one says what was raised, byte for byte, and what became of its deliveries, gone endpoints' too", async () => {
    const [client] = clients;
    const raisedMs = START_MS - 90_000;
    const ids = [uuidAt(raisedMs + 3), uuidAt(raisedMs + 20_000)] as const;
    const id = await raise(client!, raisedMs, "said", [ids[0]]);
    for (const cell of service.test.cells)
      await service.test.queryIn(
        cell,
        `insert into cell.deliveries (id, event_id, endpoint_id, created_at)
         select $1, id, $3, now() from cell.events where id = $2`,
        [ids[1], id, AWAY],
      );
    const { status, body } = await sendAsOperator(service, "GET", `/v1/events/${id}`);
    assert.equal(status, 200);
    assert.deepEqual(
      [
        body.account_id,
        body.account_name,
        body.product,
        body.type,
        body.data,
        body.data_bytes,
        body.raised_at,
        body.occurred_at,
      ],
      [client!.accountId, "Acme", "tracking", "said", '{"a":1}', 7, at(raisedMs), at(raisedMs)],
    );
    assert.deepEqual(columns(body.deliveries, "id", "url", "status"), [
      [ids[0], "https://example.com/tracking", "dead"],
      [ids[1], null, "pending"],
    ]);
    const delivery = await sendAsOperator(service, "GET", `/v1/deliveries/${ids[0]}`);
    assert.deepEqual([delivery.body.event_id, delivery.body.account_name], [id, "Acme"]);
    const listed = await sendAsOperator(service, "GET", `/v1/events?type=said`);
    assert.deepEqual(columns(listed.body.events, "account_id", "account_name"), [
      [client!.accountId, "Acme"],
    ]);
    const gone = await sendAsOperator(service, "GET", `/v1/deliveries/${ids[1]}`);
    assert.deepEqual([gone.status, gone.body.url], [200, null]);
  });

  test("what may have been pruned is said to be, and what is too young for it is not", async () => {
    const old = uuidAt(START_MS - 40 * DAY_MS);
    for (const [path, what] of [
      [`/v1/events/${old}`, "event"],
      [`/v1/deliveries/${old}`, "delivery"],
      [`/v1/deliveries/${old}/body`, "delivery"],
      [`/v1/deliveries/${old}/signature`, "delivery"],
    ]) {
      const { status, body } = await sendAsOperator(service, "GET", path!);
      assert.equal(status, 404);
      assert.equal(
        body.error.message,
        `the ${what} is unknown, or was pruned: its id is of 2026-09-23, and history is kept for 30 days`,
      );
    }
    for (const id of [uuidAt(START_MS), AWAY, "x"]) {
      const { status, body } = await sendAsOperator(service, "GET", `/v1/events/${id}`);
      assert.deepEqual([status, body.error.message], [404, "there is no event of that id"]);
    }
  });

  test("deliveries are found by time, too", async () => {
    const [client] = clients;
    const ids = [5, 4, 3].map((days) => uuidAt(START_MS - days * DAY_MS));
    for (const id of ids) await raise(client!, START_MS - 5 * DAY_MS, "late", [id]);
    const [since, until] = [at(START_MS - 4.5 * DAY_MS), at(START_MS - 3.5 * DAY_MS)];
    for (const also of ["", `&endpoint_id=${client!.endpointId}`, "&type=late", "&status=dead"])
      assert.deepEqual(await all(`/v1/deliveries?since=${since}&until=${until}${also}`, "deliveries"), [
        ids[1],
      ]);
    assert.equal((await sendAsOperator(service, "GET", "/v1/deliveries?until=now")).status, 400);
  });

  test("a delivery's signature is checked as a receiver does, and its secret is in no answer (spec 5.1: signed_material)", async () => {
    const [client] = clients;
    const deliveryId = uuidAt(START_MS);
    await raise(client!, START_MS, "signed", [deliveryId]);
    const { body: sent } = await sendAsOperator(service, "GET", `/v1/deliveries/${deliveryId}/body`);
    const expected = `sha256=${createHmac("sha256", client!.secret).update(sent.body).digest("hex")}`;
    const path = `/v1/deliveries/${deliveryId}/signature`;
    const { body } = await sendAsOperator(service, "GET", path);
    assert.deepEqual(
      [body.header, body.signature, body.signed_bytes, body.problem, body.received_verifies],
      ["X-Tracking-Signature", expected, sent.body.length, null, null],
    );
    const hash = createHash("sha256").update(client!.secret).digest();
    for (const secret of [client!.secret, hash.toString("hex"), hash.toString("base64")])
      assert.ok(!JSON.stringify(body).includes(secret));
    const check = async (signature: string) =>
      (await sendAsOperator(service, "GET", `${path}?signature=${encodeURIComponent(signature)}`)).body
        .received_verifies;
    assert.equal(await check(` ${expected}\n`), true);
    assert.equal(await check(expected.replace(/.$/, (last) => (last === "0" ? "1" : "0"))), false);
    assert.equal(await check("sha256="), false);
    for (const cell of service.test.cells)
      await service.test.queryIn(
        cell,
        "update cell.endpoints set sealed_secret_hash = '\\x00' where id = $1",
        [client!.endpointId],
      );
    const damaged = (await sendAsOperator(service, "GET", path)).body;
    assert.equal(damaged.signature, null);
    assert.match(damaged.problem, /damaged/);
  });

  test("an endpoint's attempts are counted by steps of time and by why they failed", async () => {
    const { endpointId } = clients[1]!;
    const id = uuidAt(START_MS - 3 * 3_600_000);
    for (const cell of service.test.cells)
      await service.test.queryIn(
        cell,
        `with delivery as (
           insert into cell.deliveries (id, event_id, endpoint_id, attempt_count, status, created_at, delivered_at)
           select $1, $1, id, 3, 'delivered', $3, $6 from cell.endpoints where id = $2 returning id
         )
         insert into cell.attempts (delivery_id, number, ended_at, duration_ms, error, answer_bytes)
         select id, number, ended_at::timestamptz, 5, error, 0
         from delivery, (values (1, $4, 'http_503: Service Unavailable'), (2, $5, 'timeout: no answer')) a (number, ended_at, error)`,
        [
          id,
          endpointId,
          at(START_MS - 180 * MINUTE_MS),
          at(START_MS - 179 * MINUTE_MS),
          at(START_MS - 100 * MINUTE_MS),
          at(START_MS),
        ],
      );
    const { status, body } = await sendAsOperator(service, "GET", `/v1/endpoints/${endpointId}/health`);
    assert.equal(status, 200);
    assert.deepEqual([body.step_seconds, body.steps.length, body.is_complete], [1_800, 48, true]);
    const counted = body.steps.filter(
      (one: Record<string, number>) => one["delivered"]! + one["failed"]! > 0,
    );
    assert.deepEqual(counted, [
      { at: at(START_MS - 180 * MINUTE_MS), delivered: 0, failed: 1 },
      { at: at(START_MS - 120 * MINUTE_MS), delivered: 0, failed: 1 },
      { at: at(START_MS), delivered: 1, failed: 0 },
    ]);
    assert.deepEqual(body.failures, [
      { code: "http_503", attempts: 1 },
      { code: "timeout", attempts: 1 },
    ]);
    const month = await sendAsOperator(service, "GET", `/v1/endpoints/${endpointId}/health?range=month`);
    assert.deepEqual(month.body.steps.at(-1), { at: "2026-11-02T00:00:00.000Z", delivered: 1, failed: 2 });
    for (const none of [AWAY, "x"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/endpoints/${none}/health`)).status, 404);
    assert.equal(
      (await sendAsOperator(service, "GET", `/v1/endpoints/${endpointId}/health?range=year`)).status,
      400,
    );
  });
});
