/** What pieces bear, how high they are piled, and in which order they are unloaded. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned } from "./planned.ts";
import type { TimedPlan } from "./planned-in-thread.ts";

const BOX = { length_mm: 1_000, width_mm: 1_000, height_mm: 1_000 };
const ROOM = { type: "own", length_mm: 2_000, width_mm: 2_000, height_mm: 3_000, max_payload_kg: 9_000 };

function loaded(sent: SentRequest) {
  const plan = planned(sent);
  assert.deepEqual(errorsOfPlan(plan), []);
  return plan;
}

/** How many pieces of a line lie how high in the first container. */
function heights(sent: SentRequest, cargo: string): readonly number[] {
  const { placements } = loaded(sent).containers[0]!;
  return placements
    .filter((one) => one.cargo === cargo)
    .map((one) => one.z_mm)
    .toSorted((a, b) => a - b);
}

test("a tonne is not laid on four pieces that bear five kilograms each", () => {
  const weak: SentCargo = { ...BOX, id: "weak", weight_kg: 1, count: 4, max_load_kg: 5 };
  const press: SentCargo = {
    ...BOX,
    id: "press",
    length_mm: 2_000,
    width_mm: 2_000,
    height_mm: 500,
    weight_kg: 1_000,
    count: 1,
  };
  const containers = [{ ...ROOM, count: 1 }];
  const plan = loaded({ cargo: [weak, press], containers });
  // The press stands below, and bears the weak pieces.
  assert.deepEqual(plan.left, []);
  const alone = loaded({ cargo: [weak, { ...press, stackable: false }], containers });
  assert.deepEqual(alone.left.map(({ cargo }) => cargo).length, 1);
  const strong = loaded({
    cargo: [
      { ...weak, max_load_kg: 250 },
      { ...press, stackable: false },
    ],
    containers,
  });
  assert.deepEqual(strong.left, []);
});

test("the weight of all that lies above counts, however many layers up", () => {
  const line: SentCargo = { ...BOX, id: "box", weight_kg: 100, count: 12, max_load_kg: 150 };
  assert.equal(heights({ cargo: [line], containers: [ROOM] }, "box").at(-1), 1_000);
  assert.equal(heights({ cargo: [{ ...line, max_load_kg: 200 }], containers: [ROOM] }, "box").at(-1), 2_000);
});

test("layers count the piece itself, whatever lies on it", () => {
  const euro: SentCargo = { ...PALLET, height_mm: 700, count: 60, layers_max: 2 };
  const plan = loaded({
    cargo: [euro, { ...euro, id: "light", layers_max: null }],
    containers: [{ type: "40HC" }],
  });
  const top = Math.max(
    ...plan.containers[0]!.placements.filter(({ cargo }) => cargo === "pallet").map((one) => one.z_mm),
  );
  assert.equal(plan.summary.pieces_left, 0);
  assert.ok(top >= 700, "two layers are used");
  assert.deepEqual(
    heights({ cargo: [{ ...BOX, id: "a", weight_kg: 1, count: 4, layers_max: 1 }], containers: [ROOM] }, "a"),
    [0, 0, 0, 0],
  );
});

test("what is unloaded first stands at the door, and nothing of a later stop bars its way or lies on it", () => {
  const at = (id: string, stop: number): SentCargo => ({ ...PALLET, id, stop, count: 16 });
  const cargo = [at("first", 1), at("second", 2), at("third", 3)];
  const { containers, left } = loaded({ cargo, containers: [{ type: "40HC" }] });
  assert.deepEqual([containers.length, left], [1, []]);
  const mean = (id: string) => {
    const own = containers[0]!.placements.filter((one) => one.cargo === id);
    return own.reduce((sum, one) => sum + one.x_mm, 0) / own.length;
  };
  assert.ok(mean("first") > mean("second") && mean("second") > mean("third"));
  // In the order of loading, what is unloaded last comes first.
  const order = containers[0]!.placements.map((one) => one.cargo);
  assert.deepEqual([...new Set(order)], ["third", "second", "first"]);
  assert.deepEqual(
    order,
    order.toSorted((a, b) =>
      a === b ? 0 : ["third", "second", "first"].indexOf(a) - ["third", "second", "first"].indexOf(b),
    ),
  );
});

test("very many pieces with limits are planned within bounds", { timeout: 60_000 }, async () => {
  const cargo = Array.from({ length: 20 }, (_, at) => ({
    id: String(at),
    ...{ length_mm: 80 + at * 3, width_mm: 60 + at, height_mm: 50, weight_kg: 1, count: 1_000 },
    ...{ max_load_kg: 9 + at, layers_max: 12, stop: 1 + (at % 4) },
  }));
  const sent = { cargo, containers: [{ type: "20GP" }] };
  const thread = new Worker(new URL("./planned-in-thread.ts", import.meta.url), {
    workerData: { sent, steps: 120_000_000 },
  });
  const [plan] = (await once(thread, "message")) as [TimedPlan];
  await thread.terminate();
  assert.equal(plan.piecesLeft, 0);
  assert.ok(plan.usedMs < 20_000, `${plan.usedMs} ms`);
});
