/** What registering and changing make of what is sent (spec 3.2, 4.1, 6.1). */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import { assertRefused } from "../support/answers.ts";
import { createClient, startService } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";

const URL = "https://example.com/";

describe("what registering and changing make of what is sent", () => {
  const service = ofSuite(() => startService());
  let client: Awaited<ReturnType<typeof createClient>>;
  beforeEach(async () => {
    client = await createClient(service, products[0]!);
  });

  const post = (body: object) => client.request("POST", "/webhooks", body);
  const register = (body: object = {}) => client.register({ url: URL, ...body });
  const patch = (id: string, body: object) => client.request("PATCH", `/webhooks/${id}`, body);
  const change = async (id: string, body: object) => (await patch(id, body)).body.data;

  // spec 4.1: register_all_unknown, register_event_types; 2.1: event_types; 6.1: ping, unknown_names
  // spec 7: event_types
  test("no subscription, an empty one and one of unknown names mean every type; others are kept once, in the order sent", async () => {
    for (const body of [
      {},
      { event_types: [] },
      { event_types: ["vessel_rollover", "shipment_updated", "ping"] },
    ])
      assert.deepEqual((await register(body)).event_types, []);
    const sent = ["eta_changed", "nope", "customs_hold", "eta_changed", "container_arrived", "customs_hold"];
    const kept = ["eta_changed", "customs_hold", "container_arrived"];
    assert.deepEqual((await register({ event_types: sent })).event_types, kept);
  });

  test("what is of the wrong type or too long is refused by a message that says where", async () => {
    for (const [body, message] of [
      [{ event_types: "ping" }, /^body\.event_types must be an array/],
      [{ event_types: null }, /^body\.event_types must be an array/],
      [{ event_types: [1] }, /^body\.event_types\[0\]/],
      [{ description: {} }, /^body\.description must be a string/],
      [{ description: "x".repeat(1_001) }, /^body\.description/],
      [{ description: `e${"\u0301".repeat(1_000)}` }, /^body\.description/],
    ] as const)
      assertRefused(await post({ url: URL, ...body }), 400, "INVALID_REQUEST", message);
    const { id } = await register();
    for (const body of [{ active: "false" }, { active: 0 }, { event_types: 5 }, { description: 5 }, []])
      assertRefused(await patch(id, body), 400, "INVALID_REQUEST");
  });

  test("a URL that leads nowhere public is refused by a message that says where deliveries go", async () => {
    const message =
      /^url: it is forbidden; deliveries go to public addresses only, on ports of web servers such as 443 and 8443$/;
    assertRefused(await post({ url: "https://forbidden.example/" }), 400, "INVALID_URL", message);
  });

  test("fields that nobody knows are ignored", async () => {
    const { active, id, secret } = await register({ active: false, id: "mine", secret: "mine" });
    assert.deepEqual([active, id === "mine", secret === "mine"], [true, false, false]);
  });

  // spec 4.1: update_event_types, update_description, update_url
  test("a change touches what was sent, which null is not, and nothing else", async () => {
    const { id } = await register({ event_types: ["eta_changed"], description: "one" });
    const fields = { id, url: URL, event_types: ["eta_changed"], description: "one", active: true };
    assert.deepEqual(await change(id, {}), fields);
    for (const [body, changed] of [
      [{ event_types: ["customs_hold", "nope"] }, { event_types: ["customs_hold"] }],
      [{ event_types: ["nope"] }, { event_types: [] }],
      [{ description: "" }, { description: "" }],
      [{ url: "https://example.org/new" }, { url: "https://example.org/new" }],
      [{ url: null, event_types: null, description: null, active: null }, {}],
      [{ url: null, event_types: null, description: null, active: false }, { active: false }],
      [{ active: true }, { active: true }],
    ])
      assert.deepEqual(await change(id, body!), Object.assign(fields, changed));
  });

  // spec 4.1: update_url; 7: patch_url
  test("a change to a URL that cannot be delivered to is ignored, and the rest of it done", async () => {
    const { id } = await register();
    for (const url of ["http://example.com/", "", "ftp://x", "https://forbidden.example/"]) {
      const changed = await change(id, { url, description: url });
      assert.deepEqual([changed.url, changed.description], [URL, url]);
    }
  });

  test("of many concurrent registrations, a hundred succeed and the rest ask the client to delete one first", async () => {
    const answers = await Promise.all(Array.from({ length: 110 }, () => post({ url: URL })));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 10);
    for (const answer of refused) assertRefused(answer, 409, "ENDPOINT_LIMIT");
    const { id } = answers.find(({ status }) => status === 201)!.body.data;
    await client.request("DELETE", `/webhooks/${id}`);
    assert.equal((await post({ url: URL })).status, 201);
  });
});
