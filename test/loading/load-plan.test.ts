/** Cargo onto containers, as a client asks for it and is answered. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { posesOf, type LoadRequest } from "../../src/producers/loading/cargo.ts";
import { planLoad } from "../../src/producers/loading/load-plan.ts";
import { planDetail, planSummary, type Placement } from "../../src/producers/loading/plan-view.ts";
import {
  readLoadRequest,
  type SentCargo,
  type SentRequest,
} from "../../src/producers/loading/read-request.ts";
import { flawsOfPieces, type Piece } from "./pieces.ts";

const UNITS = 100_000;

function read(sent: SentRequest): LoadRequest {
  const found = readLoadRequest(sent);
  if (found.kind === "invalid") throw new Error(found.message);
  return found.request;
}

function planned(sent: SentRequest, units = UNITS) {
  const request = read(sent);
  const plan = planLoad(request, units);
  return { request, plan, ...planDetail(request, plan), summary: planSummary(request, plan) };
}

const PALLET: SentCargo = {
  id: "pallet",
  length_mm: 1_200,
  width_mm: 800,
  height_mm: 1_000,
  weight_kg: 400,
  count: 1,
};
const typesOf = (sent: SentRequest) => planned(sent).summary.containers;

function pieceOf(request: LoadRequest, placement: Placement): Piece {
  const { cargo, x_mm: x, y_mm: y, z_mm: z, length_mm: dx, width_mm: dy, height_mm: dz } = placement;
  return { item: request.cargo.findIndex(({ id }) => id === cargo), x, y, z, dx, dy, dz };
}

/** All that is wrong with a plan, from what a client sees of it. */
function flawsOf({ request, containers, left, summary }: ReturnType<typeof planned>): readonly string[] {
  const flaws: string[] = [];
  const seen = request.cargo.map(() => 0);
  for (const container of containers) {
    const choice = request.containers.find(({ type }) => type.code === container.type)!;
    const pieces = container.placements.map((placement) => pieceOf(request, placement));
    const room = { length: container.length_mm, width: container.width_mm, height: container.height_mm };
    flaws.push(...flawsOfPieces(pieces, room, (item) => request.cargo[item]!.stackable));
    for (const { item, dx, dy, dz } of pieces) {
      seen[item]! += 1;
      const ways = posesOf(request.cargo[item]!, choice.type);
      if (!ways.some((pose) => pose.dx === dx && pose.dy === dy && pose.dz === dz))
        flaws.push("a pose of its own");
    }
    const grams = pieces.reduce((sum, { item }) => sum + request.cargo[item]!.weightG, 0);
    if (grams > choice.type.payloadG) flaws.push("too much weight");
    if (grams !== Math.round(container.weight_kg * 1_000)) flaws.push("another weight");
    if (container.pieces !== pieces.length || pieces.length === 0) flaws.push("another number of pieces");
  }
  for (const { cargo, count } of left) seen[request.cargo.findIndex(({ id }) => id === cargo)]! += count;
  request.cargo.forEach(({ count }, line) => {
    if (seen[line] !== count) flaws.push(`${seen[line]} of ${count} pieces of line ${line}`);
  });
  for (const { type, count } of request.containers) {
    const used = containers.filter((container) => container.type === type.code).length;
    if (count !== null && used > count) flaws.push(`${used} of ${count} ${type.code}`);
  }
  if (summary.pieces_placed + summary.pieces_left !== summary.pieces)
    flaws.push("a summary that does not add up");
  return flaws;
}

const edges = fc.uniqueArray(fc.constantFrom("length", "width", "height" as const), { minLength: 1 });

const line = fc.record({
  length_mm: fc.integer({ min: 1, max: 900 }),
  width_mm: fc.integer({ min: 1, max: 600 }),
  height_mm: fc.integer({ min: 1, max: 500 }),
  weight_kg: fc.integer({ min: 0, max: 300_000 }).map((grams) => grams / 1_000),
  count: fc.integer({ min: 1, max: 30 }),
  stackable: fc.boolean(),
  upright: edges,
  turnable: fc.boolean(),
});

const offered = fc.record({
  length_mm: fc.integer({ min: 300, max: 1_500 }),
  width_mm: fc.integer({ min: 200, max: 800 }),
  height_mm: fc.integer({ min: 200, max: 800 }),
  door_height_mm: fc.integer({ min: 100, max: 800 }),
  max_payload_kg: fc.integer({ min: 0, max: 2_000 }),
  count: fc.option(fc.integer({ min: 1, max: 3 })),
});

const sentRequest: fc.Arbitrary<SentRequest> = fc.record({
  cargo: fc.array(line, { minLength: 1, maxLength: 6 }),
  containers: fc
    .array(offered, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((one, at) => ({ ...one, type: `own ${at}` }))),
});

test("whatever is asked for, pieces lie inside, apart and supported, within weights and counts, and add up", () => {
  fc.assert(
    fc.property(sentRequest, (sent) => {
      assert.deepEqual(flawsOf(planned(sent, 20_000)), []);
    }),
    { numRuns: 150 },
  );
});

test("the same request gives the same plan", () => {
  fc.assert(
    fc.property(sentRequest, (sent) => {
      assert.deepEqual(planned(sent, 20_000).containers, planned(sent, 20_000).containers);
    }),
    { numRuns: 30 },
  );
});

test("what fits one container takes the smallest that it fits", () => {
  assert.deepEqual(typesOf({ cargo: [{ ...PALLET, count: 20 }] }), [{ type: "20GP", count: 1 }]);
  assert.deepEqual(typesOf({ cargo: [{ ...PALLET, count: 24, stackable: false }] }), [
    { type: "40GP", count: 1 },
  ]);
});

test("costs decide where they are given, and the fewest containers where not", () => {
  const cargo = [{ ...PALLET, count: 40 }];
  const containers = [{ type: "20GP" }, { type: "40HC" }];
  assert.deepEqual(typesOf({ cargo, containers }), [{ type: "40HC", count: 1 }]);
  const priced = [
    { type: "20GP", cost: 100 },
    { type: "40HC", cost: 250 },
  ];
  assert.deepEqual(typesOf({ cargo, containers: priced }), [{ type: "20GP", count: 2 }]);
});

test("pieces stay behind for the reason that holds", () => {
  const { left, summary } = planned({
    cargo: [
      { ...PALLET, id: "mast", length_mm: 13_000 },
      { ...PALLET, id: "tower", length_mm: 2_000, width_mm: 2_000, height_mm: 2_300 },
      { ...PALLET, id: "press", weight_kg: 29_000 },
      { ...PALLET, count: 60 },
    ],
    containers: [{ type: "20GP", count: 1 }],
  });
  assert.deepEqual(
    left.map(({ cargo, reason }) => [cargo, reason]),
    [
      ["mast", "too_large"],
      // As high as the container is inside, and higher than its door.
      ["tower", "too_large"],
      ["press", "too_heavy"],
      ["pallet", "no_room"],
    ],
  );
  assert.equal(summary.left_by_reason.too_large, 2);
  assert.equal(summary.pieces_placed + summary.pieces_left, 63);
});

test("weight fills a container before volume does", () => {
  const { containers } = planned({
    cargo: [{ ...PALLET, weight_kg: 3_000, count: 20 }],
    containers: [{ type: "20GP" }],
  });
  assert.deepEqual(
    containers.map(({ pieces, weight_kg: kg }) => [pieces, kg]),
    [
      [9, 27_000],
      [9, 27_000],
      [2, 6_000],
    ],
  );
});

test("an edge that may not stand upright never does, and what may not be turned lies along the container", () => {
  const { containers } = planned({
    cargo: [{ ...PALLET, upright: ["width"], turnable: false, count: 5 }],
    containers: [{ type: "20GP" }],
  });
  for (const { length_mm, width_mm, height_mm } of containers[0]!.placements) {
    assert.deepEqual([length_mm, width_mm, height_mm], [1_200, 1_000, 800]);
  }
});

test("a weight of three decimals is kept as it was said", () => {
  for (const kg of [0.1, 1.005, 310.5, 0.001, 2.675]) {
    assert.equal(read({ cargo: [{ ...PALLET, weight_kg: kg }] }).cargo[0]!.weightG, Math.round(kg * 1_000));
  }
  assert.equal(read({ cargo: [{ ...PALLET, weight_kg: 0.0001 }] }).cargo[0]!.weightG, 1);
});

/** Looks are counted, so that these take as long on any machine as the work allowed. */
for (const [what, cargo] of [
  [
    "very many small pieces",
    [{ ...PALLET, length_mm: 1, width_mm: 1, height_mm: 1, weight_kg: 0, count: 20_000 }],
  ],
  [
    "very thin pieces",
    [{ ...PALLET, length_mm: 11_000, width_mm: 1, height_mm: 1, weight_kg: 0.1, count: 20_000 }],
  ],
  ["pieces that fit nothing", [{ ...PALLET, length_mm: 20_000, count: 20_000 }]],
  [
    "pieces that each fill a container",
    [{ ...PALLET, length_mm: 5_000, width_mm: 2_000, height_mm: 2_000, count: 20_000 }],
  ],
  [
    "a thousand kinds",
    Array.from({ length: 1_000 }, (_, at) => ({
      ...PALLET,
      id: String(at),
      length_mm: 100 + ((at * 7_919) % 1_100),
      width_mm: 100 + ((at * 104_729) % 700),
      height_mm: 50 + ((at * 1_299_709) % 600),
      weight_kg: 10,
      count: 3,
      upright: ["length", "width", "height"] as const,
    })),
  ],
] as const) {
  test(`${what} are planned within bounds, and add up`, { timeout: 60_000 }, () => {
    const { summary, containers } = planned({ cargo, containers: [{ type: "20GP" }] }, 1);
    assert.equal(summary.pieces_placed + summary.pieces_left, summary.pieces);
    assert.ok(containers.length <= 500);
    if (what === "a thousand kinds") assert.equal(summary.pieces_left, 0);
  });
}
