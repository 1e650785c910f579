/** Records of products in several cells: which holds what, and reading from all as from one. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import fc from "fast-check";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { insertCalls, type PortCallRow } from "../../src/products/schedules/store/port-calls.ts";
import {
  listCallsOfVessel,
  listPortCalls,
  type CallListKey,
} from "../../src/products/schedules/store/schedules-read.ts";
import { listLanes, type StoredLane } from "../../src/products/rates/store/reading/rate-lanes-read.ts";
import { addLanes, placeKey, type LaneKey } from "../../src/products/rates/store/rate-lanes.ts";
import { nameOfCell, SCHEMA_PREFIX, type Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { findInCells } from "../../src/store/homes/ask-cells.ts";
import { createProductCells, type KeyedCells } from "../../src/store/homes/product-cells.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { callOf, IMO } from "./call-rows.ts";
import { idOf, timeOf } from "./store-rows.ts";

const CARRIERS = ["ALFA", "BRVO", "CHRL", "DLTA", "ECHO"];

describe("records of products in two cells on two servers", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 2, homes: 2 });
  });
  after(() => on.drop());
  beforeEach(async () => {
    await query(on.address, `truncate ${SCHEMA_PREFIX}.slots`);
    await on.queryEach(on.productCells.of("schedules").all, "truncate cell.port_calls");
    await on.queryEach(on.productCells.of("rates").all, "truncate cell.rate_lanes");
  });

  /** What a node knows that has just started. */
  function keyed(tag: string, cells: number, database: Database = on.database): KeyedCells {
    const [first, ...others] = on.productCells.of(tag).all;
    return createProductCells(database, [[tag, [first, ...others.slice(0, cells - 1)]]]).of(tag);
  }
  const cellOf = async (own: KeyedCells, key: string): Promise<string> =>
    nameOfCell([...(await own.place([key], (one) => one))][0]![0]);

  test("a key stays where it was placed when a cell is added, and new keys go to the emptiest", async () => {
    const one = keyed("schedules", 1);
    assert.equal(await cellOf(one, "ALFA"), "schedules_0");
    assert.equal(await cellOf(one, "BRVO"), "schedules_0");
    const two = keyed("schedules", 2);
    const placed = [];
    for (const carrier of CARRIERS) placed.push(await cellOf(two, carrier));
    const wanted = [0, 0, 1, 1, 0].map((nth) => `schedules_${nth}`);
    assert.deepEqual(placed, wanted);
    assert.equal(await cellOf(keyed("rates", 2), "ALFA"), "rates_0", "each product has slots of its own");
  });

  test("nodes that place keys at once agree, and items keep their order", async () => {
    const nodes = Array.from({ length: 4 }, () => keyed("schedules", 2));
    const items = CARRIERS.flatMap((carrier, nth) => [`${carrier} ${nth}`, `${carrier} ${nth + 9}`]);
    const carrierOf = (item: string) => item.split(" ")[0]!;
    const placed = await Promise.all(nodes.map((own) => own.place(items, carrierOf)));
    const plain = placed.map((byCell) => [...byCell].map(([{ number }, some]) => [number, some] as const));
    for (const one of plain) assert.deepEqual(one, plain[0]);
    for (const [, some] of plain[0]!)
      assert.deepEqual(
        some,
        items.filter((item) => some.includes(item)),
      );
  });

  test("a process that does not know the cell of a key says what to do, and others find the key in it", async () => {
    const [old, two] = [keyed("schedules", 1), keyed("schedules", 2)];
    await cellOf(two, "ALFA");
    await cellOf(two, "BRVO");
    await assert.rejects(cellOf(old, "BRVO"), /restart this process/);
    const fresh = keyed("schedules", 2);
    assert.deepEqual(await fresh.holders(["BRVO", "ECHO", null]), [[fresh.all[1]], [], fresh.all]);
    const down = { ...on.database, rows: () => Promise.reject(new StoreUnavailable("down")) };
    const alone = keyed("schedules", 2, down);
    assert.deepEqual(await alone.holders(["BRVO"]), [alone.all], "without the directory, all may have it");
  });

  test("calls at a port and of a vessel are listed as if they were in one cell, page after page", async () => {
    const call = fc.record({
      carrier: fc.constantFrom(...CARRIERS),
      ms: fc.integer({ min: 0, max: 8 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 8 }),
        async (calls, limit, nowMs) => {
          run += 1;
          const own = keyed("schedules", 2);
          await on.queryEach(own.all, "truncate cell.port_calls");
          const rows: readonly PortCallRow[] = calls.map(({ carrier, ms }, nth) =>
            callOf(run * 100 + nth, {
              ...{ carrier, arrivalMs: timeOf(ms), callsAtMs: timeOf(ms), vesselImo: IMO },
              record: JSON.stringify([nth]),
            }),
          );
          for (const [cell, some] of await own.place(rows, ({ carrier }) => carrier)) {
            await insertCalls(on.database, cell, some, 0);
          }
          const sorted = rows.toSorted(
            (one, other) => one.callsAtMs - other.callsAtMs || (one.id < other.id ? -1 : 1),
          );
          const filter = {
            ...{ port: "NLRTM", kind: "arrival" as const, fromMs: timeOf(0), beforeMs: timeOf(99) },
            ...{ carrier: null, vessel: null, withCancelled: true },
          };
          const listed: string[] = [];
          for (let behind: CallListKey | null = null; ;) {
            const page = await listPortCalls(on.database, own.all, filter, behind, limit);
            listed.push(...page.map(({ id }) => id));
            const last = page.at(-1);
            if (page.length < limit || last === undefined) break;
            behind = { ms: last.at.getTime(), id: last.id };
          }
          assert.deepEqual(
            listed,
            sorted.map(({ id }) => id),
          );
          const past = sorted.filter(({ callsAtMs }) => callsAtMs < timeOf(nowMs));
          const since = sorted.filter(({ callsAtMs }) => callsAtMs >= timeOf(nowMs));
          assert.deepEqual(
            await listCallsOfVessel(on.database, own.all, IMO, timeOf(nowMs), limit),
            [...past.slice(-limit), ...since.slice(0, limit)].map(({ record }) => record),
          );
        },
      ),
      { numRuns: 12 },
    );
  });

  const PORTS = ["CNSHA", "NLRTM", "SGSIN", "USLAX"];

  test("trade lanes are listed as if they were in one cell, page after page", async () => {
    const lanes: readonly (LaneKey & { readonly id: string })[] = PORTS.flatMap((origin) =>
      PORTS.filter((port) => port !== origin).flatMap((destination) =>
        ["", "HRNL"].map((carrier) => ({
          ...{ origin, destination, equipment: "40HC", carrier, currency: "USD" },
          ...{ kind: "" as const, contract: "", commodity: "FAK" },
        })),
      ),
    ).map((lane, nth) => ({ ...lane, id: idOf((nth * 7) % 24) }));
    const own = keyed("rates", 2);
    const byCell = await own.place(lanes, placeKey);
    assert.equal(byCell.size, 2);
    for (const [cell, some] of byCell) await addLanes(on.database, cell, some, 0);
    for (const filter of [
      { origin: null, destination: null },
      { origin: null, destination: "SGSIN" },
      { origin: "SGSIN", destination: null },
      { origin: "USLAX", destination: "CNSHA" },
    ]) {
      const wanted = lanes.filter(
        (lane) =>
          (filter.origin ?? lane.origin) === lane.origin &&
          (filter.destination ?? lane.destination) === lane.destination,
      );
      const listed: StoredLane[] = [];
      for (let isOver = false; !isOver;) {
        const page = { afterId: listed.at(-1)?.id ?? null, limit: 5 };
        const offer = { kind: null, contract: null, commodity: null };
        const rest = { equipment: null, carrier: null, ...offer, day: "2026-03-01" };
        const found = await listLanes(on.database, keyed("rates", 2), { ...filter, ...rest }, page);
        listed.push(...found);
        isOver = found.length < page.limit;
      }
      assert.deepEqual(
        listed.map(({ id }) => id),
        wanted.map(({ id }) => id),
        JSON.stringify(filter),
      );
    }
  });

  test("what a cell that answers has is found while another fails; what none has may be in that one", async () => {
    const cells = on.productCells.of("rates").all;
    const gone = new StoreUnavailable("gone");
    const find = (has: boolean) => async (cell: Cell) => {
      if (cell === cells[0]) throw gone;
      return has ? "it" : null;
    };
    assert.deepEqual(await findInCells(cells, find(true)), { cell: cells[1], found: "it" });
    await assert.rejects(findInCells(cells, find(false)), gone);
    assert.equal(await findInCells(cells, async () => null), null);
  });
});
