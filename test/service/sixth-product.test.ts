/** The shape of the house: a product with a route, a table and a poller of its own is one folder and one line. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { products } from "../../src/products/index.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { openServiceStore } from "../../src/service/store.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { ask, until } from "./boathook.ts";
import { rail } from "./rail/product.ts";
import { openPlace, run, TOKEN } from "./running.ts";

/** The line that adds it. */
const SIX = [...products, rail];

test("its own migrations run once, and its own route, table and poller work in a running service, which removes its rows with their account", async (t) => {
  const { settings: place } = await openPlace(t);
  const settings = { ...place, BOATHOOK_RAIL_POLL_INTERVAL: "50ms" };
  const read = readConfiguration(settings, SIX);
  assert.ok(read.kind === "settings");
  const migrated = async (): Promise<readonly string[]> => {
    const store = await openServiceStore(read.settings, realClock, silentLog, { products: SIX });
    await store.close();
    return store.migrated.ran;
  };
  assert.deepEqual(await migrated(), ["boathook_cell_0/rail/001_trains"]);
  assert.deepEqual(await migrated(), []);

  const service = await run(t, settings, { products: SIX });
  const api = `${service.publicUrl}/rail/v1`;
  const account = await ask("POST", `${service.opsUrl}/v1/accounts`, TOKEN, { name: "Acme" });
  const keys = `${service.opsUrl}/v1/accounts/${account.body.id}/keys`;
  const { key } = (await ask("POST", keys, TOKEN, { prefix: "rail" })).body;
  const endpoint = await ask("POST", `${api}/webhooks`, key, { url: "https://receiver.example/rail" });
  assert.equal(endpoint.status, 201);
  for (const train of [7, 8]) {
    const { status, body } = await ask("POST", `${api}/trains`, key, { train });
    assert.deepEqual([status, body.data], [201, { train }]);
  }
  const raised = async (): Promise<readonly string[]> => {
    const { body } = await ask("GET", `${api}/webhooks/${endpoint.body.data.id}`, key);
    return body.data.recent_deliveries.map((one: { event_type: string }) => one.event_type);
  };
  await until(async () => (await raised()).length > 0, "the poller finds the train that has left");
  assert.deepEqual(await raised(), ["train_departed"]);

  const removal = await ask("DELETE", `${service.opsUrl}/v1/accounts/${account.body.id}`, TOKEN);
  assert.deepEqual([removal.status, removal.body], [200, { id: account.body.id, deleted: true }]);
});
