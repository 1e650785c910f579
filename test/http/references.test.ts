/** Events and deliveries by the references that they say, as the client and the operator ask for them. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { START_MS } from "../support/clock.ts";
import { allPages } from "../support/answers.ts";
import { columns } from "../support/columns.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";
import { storeDeliveries, storeEvents } from "../support/stored.ts";
import { ofSuite } from "../support/suite.ts";

const BOX = "MSCU1234566";
const NOBODYS = "01900000-0000-7000-8000-000000000000";

describe("events and deliveries by reference", () => {
  const service = ofSuite(() => startService());
  const clients: { readonly accountId: string; readonly key: string; readonly endpoints: string[] }[] = [];
  before(async () => {
    for (let nth = 0; nth < 2; nth += 1) {
      const { key, accountId } = await createCaller(service, "tracking", ["aircargo"]);
      const endpoints: string[] = [];
      for (const name of ["a", "b"].slice(nth)) {
        const url = `https://example.com/${name}`;
        const made = await sendWithKey(service, key, "POST", "/tracking/v1/webhooks", { url });
        endpoints.push(made.body.data.id);
      }
      clients.push({ key, accountId, endpoints });
    }
    for (const [nth, type, said] of [
      [0, "container_arrived", { identifier: BOX }],
      [1, "container_arrived", { identifier: BOX }],
      [0, "eta_changed", { identifier: "BILL77", equipment_reference: BOX }],
      [0, "eta_changed", { identifier: "MSCU1234571" }],
    ] as const)
      await raise(nth, type, said);
  });

  let atMs = START_MS;
  /** To all endpoints of the client. */
  async function raise(nth: number, type: string, said: object): Promise<void> {
    atMs += 1_000;
    const event = { atMs, type, data: JSON.stringify(said) };
    const { endpoints } = clients[nth]!;
    const [eventId] = await storeEvents(service.test, endpoints[0]!, [event]);
    for (const endpoint of endpoints)
      await storeDeliveries(service.test, endpoint, [
        { ...event, eventId: eventId!, isStored: true, status: "pending" },
      ]);
  }

  const ofClient = (nth: number, path: string) =>
    sendWithKey(service, clients[nth]!.key, "GET", `/tracking/v1${path}`);
  const all = (ask: (cursor: string) => ReturnType<typeof ofClient>, of: string, ...names: string[]) =>
    allPages(ask, (body) => body[of]).then((rows) => columns(rows, ...names));

  test("come in any formatting, newest first, and only the client's own", async () => {
    for (const written of [BOX, "mscu%20123456-6"])
      assert.deepEqual(
        await all((cursor) => ofClient(0, `/events?reference=${written}&limit=1${cursor}`), "data", "type"),
        [["eta_changed"], ["container_arrived"]],
      );
    assert.deepEqual(
      await all((cursor) => ofClient(1, `/events?reference=mscu&limit=1${cursor}`), "data", "type"),
      [["container_arrived"]],
    );
  });

  test("come by a beginning of four letters and digits, and by type", async () => {
    const types = (query: string) =>
      all((cursor) => ofClient(0, `/events?${query}&limit=1${cursor}`), "data", "type");
    assert.deepEqual(await types("reference=MSCU12"), [
      ["eta_changed"],
      ["eta_changed"],
      ["container_arrived"],
    ]);
    assert.deepEqual(await types("reference=MSCU12&type=eta_changed"), [["eta_changed"], ["eta_changed"]]);
    assert.deepEqual(await types("reference=MSC"), []);
    assert.deepEqual(await types("reference=MSCU1234571&since=2100-01-01T00:00:00Z"), []);
  });

  test("say what became of them, at all endpoints of the account", async () => {
    const [a, b] = clients[0]!.endpoints;
    const shown = (query: string) =>
      all(
        (cursor) => ofClient(0, `/deliveries?${query}&limit=1${cursor}`),
        "data",
        "event_type",
        "endpoint_id",
      );
    const pairs = await shown(`reference=${BOX}`);
    assert.deepEqual(
      pairs.map(([type]) => type),
      ["eta_changed", "eta_changed", "container_arrived", "container_arrived"],
    );
    assert.deepEqual(new Set(pairs.map(([, endpoint]) => endpoint)), new Set([a, b]));
    assert.deepEqual(await shown(`reference=${BOX}&status=dead`), []);
    assert.deepEqual(
      new Set((await shown(`reference=${BOX}&endpoint_id=${a}`)).map(([, of]) => of)),
      new Set([a]),
    );
    assert.equal((await shown(`endpoint_id=${b}`)).length, 3);
    for (const none of [clients[1]!.endpoints[0], "none"])
      assert.equal((await ofClient(0, `/deliveries?endpoint_id=${none}`)).status, 404);
    assert.equal((await shown("")).length, 6);
    assert.equal((await shown("event_type=container_arrived&status=pending")).length, 2);
  });

  test("an event says what became of it, to each endpoint, where that is asked for", async () => {
    const { accountId, endpoints } = clients[0]!;
    const path = `/events?reference=${BOX}&include_deliveries=true`;
    const { body } = await ofClient(0, path);
    for (const { id, deliveries } of body.data)
      assert.deepEqual(
        new Set(columns(deliveries, "url", "endpoint_id", "event_id", "status").map(String)),
        new Set(
          endpoints.map((endpoint, nth) => `https://example.com/${"ab"[nth]},${endpoint},${id},pending`),
        ),
      );
    assert.equal(body.data.length, 2);
    const asOperator = await sendAsOperator(service, "GET", `/v1/accounts/${accountId}/tracking/v1${path}`);
    assert.deepEqual(asOperator.body.data, body.data);
    const [without] = (await ofClient(0, `/events?reference=${BOX}`)).body.data;
    assert.ok(!("deliveries" in without));
    const page = await ofClient(0, "/events?include_deliveries=true&limit=1");
    assert.deepEqual([page.body.data.length, page.body.data[0].deliveries.length], [1, 2]);
    assert.ok(page.body.next_cursor);
  });

  test("come to the operator of all accounts, or of one", async () => {
    const asked = (path: string, of: string) =>
      all((cursor) => sendAsOperator(service, "GET", `${path}&limit=1${cursor}`), of, "account_id");
    const [one, other] = clients.map(({ accountId }) => accountId);
    assert.deepEqual(await asked(`/v1/events?reference=${BOX}`, "events"), [[one], [other], [one]]);
    assert.deepEqual(await asked(`/v1/events?reference=${BOX}&account_id=${other}`, "events"), [[other]]);
    assert.deepEqual(await asked(`/v1/deliveries?reference=${BOX}`, "deliveries"), [
      [one],
      [one],
      [other],
      [one],
      [one],
    ]);
    assert.deepEqual(
      await asked(`/v1/deliveries?reference=${BOX}&endpoint_id=${clients[1]!.endpoints[0]}`, "deliveries"),
      [[other]],
    );
    assert.deepEqual(await asked(`/v1/deliveries?reference=${BOX}&account_id=${NOBODYS}`, "deliveries"), []);
  });

  test("that are none, or begin too many, are refused with what to change", async () => {
    const many = Array.from({ length: 51 }, (_, nth) => ({
      ...{ atMs: START_MS, type: "eta_changed", data: JSON.stringify({ identifier: `MANY${nth}` }) },
    }));
    await storeEvents(service.test, clients[1]!.endpoints[0]!, many);
    for (const answer of [
      await ofClient(1, "/events?reference=many"),
      await ofClient(1, "/deliveries?reference=many"),
      await sendAsOperator(service, "GET", "/v1/events?reference=many"),
      await sendAsOperator(service, "GET", "/v1/deliveries?reference=many"),
    ]) {
      assert.equal(answer.status, 400);
      assert.match(answer.body.error.message, /^more than 50 references begin with it; say more/);
    }
    const none = await ofClient(1, "/deliveries?reference=--");
    assert.match(none.body.error.message, /^query.reference must have a letter or a digit/);
  });
});
