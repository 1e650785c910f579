import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { planMoves, type PlacedCell } from "../../src/store/homes/plan-moves.ts";

const cell = (number: number, server: string, accounts = 0): PlacedCell => ({ number, server, accounts });

describe("moves of cells", () => {
  test("are refused where nowhere is left to go", () => {
    assert.throws(() => planMoves([cell(0, "a")], ["a"], ["a"]), /no other server is left/);
  });

  test("leave servers even, and move no cell twice", () => {
    const servers = ["a", "b", "c", "d"];
    const placed = fc.array(fc.constantFrom(...servers), { maxLength: 30 });
    fc.assert(
      fc.property(placed, fc.subarray(servers, { maxLength: 3 }), (where, drained) => {
        const cells = where.map((server, number) => cell(number, server, number % 5));
        const moves = planMoves(cells, servers, drained);
        const after = new Map(cells.map(({ number, server }) => [number, server]));
        for (const { cell: number, from, to } of moves) {
          assert.equal(after.get(number), from);
          after.set(number, to);
        }
        assert.equal(new Set(moves.map((move) => move.cell)).size, moves.length);
        const counts = servers
          .filter((server) => !drained.includes(server))
          .map((server) => [...after.values()].filter((one) => one === server).length);
        assert.equal(
          counts.reduce((sum, one) => sum + one, 0),
          cells.length,
        );
        assert.ok(Math.max(...counts) - Math.min(...counts) < 2);
      }),
    );
  });
});
