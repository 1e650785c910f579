/** A load plan from the request to the delivery of its event, through a running service. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, makeDataFolder, until } from "./boathook.ts";
import { serveClient } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

const CARGO = { id: "pallet", length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400, count: 20 };

test("a plan is made by the running service, and its making and its change are delivered", async (t) => {
  const { receiver, service, client } = await serveClient(t, folder, "loading", { prefix: "loading" });
  const plans = `${service.publicUrl}/loading/v1/plans`;

  const made = await ask("POST", plans, client.key, { name: "first", cargo: [CARGO] });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id, summary } = made.body.data;
  await until(() => receiver.arrivals.length === 1, "the plan's making arrives");
  const changed = await ask("PUT", `${plans}/${id}`, client.key, { name: "second", cargo: [CARGO] });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await until(() => receiver.arrivals.length === 2, "the plan's change arrives");

  assert.deepEqual(
    receiver.arrivals.map(({ type, data }) => [type, data]),
    [
      ["plan_created", { plan_id: id, name: "first", revision: 1, ...summary }],
      ["plan_updated", { plan_id: id, name: "second", revision: 2, ...summary }],
    ],
  );
  assert.deepEqual(receiver.wrong, []);
});
