/** What registering and changing make of what is sent (spec 3.2, 4.1, 6.1). */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { query } from "../support/database.ts";
import { sendWithKey, createCaller, startService, type TestService } from "../support/service.ts";

describe("what registering and changing make of what is sent", () => {
  let service: TestService;
  let key: string;
  let accountId: string;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(async () => {
    ({ key, accountId } = await createCaller(service, "tracking"));
  });

  const WEBHOOKS = "/tracking/v1/webhooks";
  const post = (body: object) => sendWithKey(service, key, "POST", WEBHOOKS, body);
  const register = async (body: object = {}) =>
    (await post({ url: "https://example.com/", ...body })).body.data;
  const change = async (id: string, body: object) =>
    (await sendWithKey(service, key, "PATCH", `${WEBHOOKS}/${id}`, body)).body.data;

  // spec 4.1: register_all_unknown, register_event_types; 2.1: event_types; 6.1: ping, unknown_names
  // spec 7: event_types
  test("no subscription, an empty one and one of unknown names all mean every type", async () => {
    for (const body of [
      {},
      { event_types: [] },
      { event_types: ["vessel_rollover", "shipment_updated", "ping"] },
    ]) {
      assert.deepEqual((await register(body)).event_types, []);
    }
  });

  // spec 4.1: register_event_types; 6.1: unknown_names; 7: event_types
  test("names are kept once, in the order sent", async () => {
    const sent = ["eta_changed", "nope", "customs_hold", "eta_changed", "container_arrived", "customs_hold"];
    assert.deepEqual((await register({ event_types: sent })).event_types, [
      "eta_changed",
      "customs_hold",
      "container_arrived",
    ]);
  });

  for (const [what, body, message] of [
    [
      "event types that are no array",
      { url: "https://a.example", event_types: "ping" },
      /^body\.event_types must be an array/,
    ],
    [
      "event types that are null",
      { url: "https://a.example", event_types: null },
      /^body\.event_types must be an array/,
    ],
    [
      "an event type that is no text",
      { url: "https://a.example", event_types: [1] },
      /^body\.event_types\[0\]/,
    ],
    [
      "a description that is no text",
      { url: "https://a.example", description: {} },
      /^body\.description must be a string/,
    ],
    [
      "a description that is too long",
      { url: "https://a.example", description: "x".repeat(1001) },
      /^body\.description/,
    ],
    [
      "one that looks short",
      { url: "https://a.example", description: "e" + "\u0301".repeat(1000) },
      /^body\.description/,
    ],
  ] as const) {
    test(`${what} is refused by a message that says where`, async () => {
      const answer = await post(body);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, "INVALID_REQUEST");
      assert.match(answer.body.error.message, message);
    });
  }

  test("fields that nobody knows are ignored", async () => {
    const made = await register({ active: false, id: "mine", secret: "mine" });
    assert.equal(made.active, true);
    assert.notEqual(made.id, "mine");
    assert.notEqual(made.secret, "mine");
  });

  // spec 4.1: update_event_types, update_description, update_url
  test("a change touches what was sent and nothing else", async () => {
    const made = await register({ event_types: ["eta_changed"], description: "one" });
    assert.deepEqual(await change(made.id, {}), {
      id: made.id,
      url: "https://example.com/",
      event_types: ["eta_changed"],
      description: "one",
      active: true,
    });
    assert.deepEqual((await change(made.id, { event_types: ["customs_hold", "nope"] })).event_types, [
      "customs_hold",
    ]);
    assert.deepEqual((await change(made.id, { event_types: ["nope"] })).event_types, []);
    assert.equal((await change(made.id, { description: "" })).description, "");
    assert.equal((await change(made.id, { url: "https://example.org/new" })).url, "https://example.org/new");
  });

  // spec 4.1: update_url; 7: patch_url
  test("a change to a URL that cannot be delivered to is ignored, and the rest of it done", async () => {
    const made = await register();
    for (const url of ["http://example.com/", "", "ftp://x", "https://forbidden.example/"]) {
      const changed = await change(made.id, { url, description: url });
      assert.equal(changed.url, "https://example.com/");
      assert.equal(changed.description, url);
    }
  });

  test("a change of the wrong type is refused", async () => {
    const made = await register();
    for (const body of [
      { active: "false" },
      { active: null },
      { active: 0 },
      { event_types: null },
      { url: 1 },
      [],
    ]) {
      const answer = await sendWithKey(service, key, "PATCH", `${WEBHOOKS}/${made.id}`, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
    }
  });

  // spec 4.1: update_active; 3.2: resumed; 2.1: failure_count
  test("activating sets the failures to nothing, whether or not the endpoint was active", async () => {
    const made = await register();
    for (const active of [true, false]) {
      for (const cell of service.test.cells) {
        await query(
          service.test.address,
          `update ${cell.schema}.endpoints set failure_count = 7, active = $2, inactive_since = $3 where id = $1`,
          [made.id, active, active ? null : new Date(0)],
        );
      }
      const paused = await sendWithKey(service, key, "GET", `${WEBHOOKS}/${made.id}`);
      assert.deepEqual([paused.body.data.active, paused.body.data.failure_count], [active, 7]);
      await change(made.id, { active: true });
      const again = await sendWithKey(service, key, "GET", `${WEBHOOKS}/${made.id}`);
      assert.deepEqual([again.body.data.active, again.body.data.failure_count], [true, 0]);
    }
  });

  // spec 3.2: paused, resumed; 2.1: active
  test("pausing and resuming keep the secret", async () => {
    const made = await register();
    const kept = () =>
      Promise.all(
        service.test.cells.map(async ({ schema }) => {
          const text = `select sealed_secret_hash, created_at from ${schema}.endpoints where id = $1`;
          return (await query(service.test.address, text, [made.id])).rows;
        }),
      );
    const first = await kept();
    for (const active of [false, true]) {
      assert.equal((await change(made.id, { active })).active, active);
      assert.deepEqual(await kept(), first);
    }
  });

  test("pausing twice keeps the time of the first pause", async () => {
    const made = await register();
    await change(made.id, { active: false });
    await service.clock.advance(60_000);
    await change(made.id, { active: false });
    const since = await Promise.all(
      service.test.cells.map(({ schema }) =>
        query(service.test.address, `select inactive_since from ${schema}.endpoints where id = $1`, [
          made.id,
        ]),
      ),
    );
    const [row] = since.flatMap((found) => found.rows);
    assert.equal(row.inactive_since.getTime(), service.clock.nowMs() - 60_000);
  });

  test("every change that decides who receives what moves the account's routes on", async () => {
    const version = async () => {
      const found = await Promise.all(
        service.test.cells.map(({ schema }) =>
          query(
            service.test.address,
            `select routing_version::int as v from ${schema}.accounts where id = $1`,
            [accountId],
          ),
        ),
      );
      return found.flatMap(({ rows }) => rows)[0].v as number;
    };
    let last = await version();
    const moves = async (act: () => Promise<unknown>, by: number) => {
      await act();
      assert.equal(await version(), last + by);
      last += by;
    };
    let id = "";
    await moves(async () => ({ id } = await register()), 1);
    await moves(() => change(id, { event_types: ["eta_changed"] }), 1);
    await moves(() => change(id, { url: "https://example.org/" }), 1);
    await moves(() => change(id, { active: false }), 1);
    await moves(() => change(id, { description: "only read by people" }), 0);
    await moves(() => change("01900000-0000-7000-8000-000000000000", { active: false }), 0);
    await moves(() => sendWithKey(service, key, "DELETE", `${WEBHOOKS}/${id}`), 1);
  });

  test("of many concurrent registrations, a hundred succeed and the rest ask the client to delete one first", async () => {
    const answers = await Promise.all(
      Array.from({ length: 110 }, () => post({ url: "https://example.com/" })),
    );
    const refused = answers.filter((answer) => answer.status !== 201);
    assert.equal(refused.length, 10);
    for (const answer of refused) {
      assert.equal(answer.status, 409);
      assert.equal(answer.body.error.code, "ENDPOINT_LIMIT");
    }
    const { id } = answers.find((answer) => answer.status === 201)!.body.data;
    await sendWithKey(service, key, "DELETE", `${WEBHOOKS}/${id}`);
    assert.equal((await post({ url: "https://example.com/" })).status, 201);
  });

  test("an endpoint of one product is none of another's, for the same key", async () => {
    ({ key } = await createCaller(service, "tracking", ["aircargo"]));
    const { id } = await register();
    assert.equal((await sendWithKey(service, key, "GET", `/air/v1/webhooks/${id}`)).status, 404);
    assert.deepEqual((await sendWithKey(service, key, "GET", "/air/v1/webhooks")).body, { data: [] });
  });

  test("an id in capitals is the same id", async () => {
    const { id } = await register();
    const answer = await sendWithKey(service, key, "GET", `/tracking/v1/webhooks/${id.toUpperCase()}`);
    assert.equal(answer.body.data.id, id);
  });
});
