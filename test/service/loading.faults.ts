/** A service that ends while it makes a load plan. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, makeDataFolder, operatorToken, serve, until } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

/** Takes the best part of a second: far longer than an answer. */
const LARGE = {
  cargo: Array.from({ length: 50 }, (_, at) => ({
    ...{ length_mm: 300 + 4 * at, width_mm: 200 + 3 * at, height_mm: 250 + 2 * at },
    ...{ weight_kg: 10, count: 20, upright: ["length", "width", "height"] },
  })),
};

const CARGO = { id: "pallet", length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400, count: 20 };

const ENDINGS = [
  ["SIGTERM", 0],
  ["SIGKILL", null],
] as const;

test("a service that ends while a plan is made leaves no half of it, and plans when it is back", async (t) => {
  const receiver = await startReceiver(t);
  const settings = { BOATHOOK_DATA_DIR: folder, ...receiver.settings };
  let service = await serve(t, settings);
  const path = "/loading/v1/plans";
  for (const [signal, status] of ENDINGS) {
    const client = await newClient(service, operatorToken(folder), receiver, "loading");
    await client.register(service, "loading", signal);
    const making = ask("POST", service.publicUrl + path, client.key, LARGE).catch(() => null);
    // Answered after the plan has been begun.
    await ask("GET", service.publicUrl + path, client.key);
    service.signal(signal);
    assert.equal(await service.ended, status);
    const made = await making;

    service = await serve(t, settings);
    const { data: kept } = (await ask("GET", service.publicUrl + path, client.key)).body;
    if (made !== null) assert.equal(kept.length, made.status === 201 ? 1 : 0);
    // A kill may come after the commit and before the answer. What a draining service did not take, it did not make.
    else
      assert.ok(kept.length <= (signal === "SIGKILL" ? 1 : 0), `${signal}: ${kept.length} plans, no answer`);
    const next = await ask("POST", service.publicUrl + path, client.key, { name: "next", cargo: [CARGO] });
    assert.equal(next.status, 201);
    const delivered = () => receiver.arrivals.filter((arrival) => arrival.path === signal);
    await until(() => delivered().length === kept.length + 1, "every plan is delivered");
    assert.equal(delivered().at(-1)!.data["plan_id"], next.body.data.id);
  }
  assert.deepEqual(receiver.wrong, []);
});
