/** Operational events while the service is killed. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { makeDataFolder, operatorToken, serve, until } from "../service/boathook.ts";
import { newClient, raise, startReceiver } from "../service/client.ts";
import { productAt } from "../support/clients.ts";

const folder = makeDataFolder({ withDatabase: true });

const DEATHS = 60;
const KILLS = 5;

test("every delivery that dies between kills is reported once, and reports that fail cause no others", async (t) => {
  const receiver = await startReceiver(t);
  const settings = {
    BOATHOOK_DATA_DIR: folder,
    ...receiver.settings,
    BOATHOOK_RETRY_WAITS: "20ms,20ms,20ms,20ms,20ms",
    BOATHOOK_SWEEP_INTERVAL: "500ms",
    // Else the endpoint is off before its deliveries die.
    BOATHOOK_DISABLE_AFTER_FAILURES: "100000",
  };
  let service = await serve(t, settings);
  const token = operatorToken(folder);
  const client = await newClient(service, token, receiver);
  await client.register(service, "rates", "failing");
  await client.register(service, "operations", "reports");
  const tried = new Set<string>();
  receiver.behave(({ path, id }) => {
    if (path === "failing") return 503;
    // The first attempt of each report fails, too.
    if (tried.has(id)) return 204;
    tried.add(id);
    return 500;
  });
  const dead = () => new Set(receiver.arrivals.flatMap(({ data }) => data.delivery_id ?? []));

  const each = DEATHS / KILLS;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const numbers = Array.from({ length: each }, (_, index) => kill * each + index);
    assert.ok(await raise(service, token, client.accountId, numbers));
    // While the first of them die.
    await until(() => dead().size >= kill * each, "the ones before are reported");
    service.signal("SIGKILL");
    await service.ended;
    service = await serve(t, settings);
  }
  await until(() => dead().size === DEATHS, "all are reported", 60_000);

  const { ask } = productAt(`${service.publicUrl}/operations`, client.key);
  const { data: events } = await ask("GET /v1/events", { limit: 100, type: "delivery_dead" });
  assert.equal(events.length, DEATHS, "each is raised once");
  assert.deepEqual(receiver.wrong, []);
});
