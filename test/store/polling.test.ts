/** Whose turn it is to be polled. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  claimReevaluations,
  claimDuePolls,
  countUnconfigured,
  readNextPoll,
  readNextReevaluation,
  readPollBacklog,
  readShipmentRecords,
  releasePolls,
} from "../../src/freight/polling/store/polls.ts";
import { dateOf, idOf, storeRows, plain, timeOf } from "./store-rows.ts";

const NOW = 5_000;
const LEASE = 600;

describe("polling", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.account(1);
  });

  const numbers = (found: readonly { readonly id: string }[]) => plain(found.map(({ id }) => id).toSorted());
  const claim = (...lanes: readonly (readonly [source: string, limit: number])[]) => {
    const asked = lanes.map(([carrier, room]) => ({ source: carrier, limit: room }));
    return claimDuePolls(rows.database, rows.cell, asked, timeOf(NOW), LEASE);
  };
  const polls = () =>
    rows.read("select shipment_id, next_poll_at, lease, leased_until from cell.polls order by 1");

  test("the next due time is that of the first of the sources, or of the product, claimed ones included", async () => {
    const { database, cell } = rows;
    const next = async (...sources: readonly string[]) => {
      const at = await readNextPoll(database, cell, sources);
      return at === null ? null : at - timeOf(0);
    };
    assert.equal(await next("HRNL"), null);
    await rows.shipment(1, {}, { next_poll_at: dateOf(300) });
    await rows.shipment(2, {}, { next_poll_at: dateOf(200), leased_until: dateOf(NOW) });
    await rows.shipment(3, {}, { source: "TRNC", next_poll_at: dateOf(100) });
    await rows.shipment(4, {}, { source: "OTHR", next_poll_at: null });
    assert.deepEqual(
      [await next("HRNL"), await next("HRNL", "TRNC"), await next("OTHR"), await next()],
      [200, 100, null, null],
    );
    const changing = async (product: string) => {
      const at = await readNextReevaluation(database, cell, product);
      return at === null ? null : at - timeOf(0);
    };
    assert.equal(await changing("tracking"), null);
    await rows.shipment(5, { changes_at: dateOf(400) }, { leased_until: dateOf(NOW) });
    await rows.shipment(6, { changes_at: dateOf(500) });
    await rows.shipment(7, { changes_at: dateOf(3), status: "pending" });
    await rows.shipment(8, { changes_at: dateOf(2), product: "air" });
    assert.deepEqual([await changing("tracking"), await changing("air")], [400, 2]);
  });

  describe("a claim", () => {
    test("takes the longest due polls of each source queue, up to its limit", async () => {
      await rows.shipment(1, {}, { next_poll_at: dateOf(300) });
      await rows.shipment(2, {}, { next_poll_at: dateOf(100), lease: 4 });
      await rows.shipment(3, {}, { next_poll_at: dateOf(200), leased_until: dateOf(NOW) });
      await rows.shipment(4, {}, { next_poll_at: dateOf(0), leased_until: dateOf(NOW + 1) });
      await rows.shipment(5, {}, { source: "TRNC", next_poll_at: dateOf(NOW) });
      await rows.shipment(6, {}, { source: "TRNC", next_poll_at: dateOf(NOW + 1) });
      await rows.shipment(7, {}, { source: "OTHR" });
      await rows.shipment(8, {}, { source: "TRNC", next_poll_at: null });
      assert.deepEqual(numbers(await claim(["HRNL", 2], ["TRNC", 9])), [2, 3, 5]);
      assert.deepEqual(await polls(), [
        [1, 300, 0, null],
        [2, 100, 5, NOW + LEASE],
        [3, 200, 1, NOW + LEASE],
        [4, 0, 0, NOW + 1],
        [5, NOW, 1, NOW + LEASE],
        [6, NOW + 1, 0, null],
        [7, 0, 0, null],
        [8, null, 0, null],
      ]);
    });

    const whole = {
      identifier_type: "booking",
      carrier_hint: "HINT",
      eta: dateOf(1),
      ended_at: dateOf(2),
      changes_at: dateOf(3),
    };
    const polled = {
      failures: 2,
      failure: "timeout",
      refreshed_at: dateOf(4),
      answer_digest: Buffer.from([5]),
    };
    const claimed = {
      id: 1,
      accountId: 1,
      reference: "BOOKING1",
      identifierType: "booking",
      carrierHint: "HINT",
      carrier: "HRNL",
      status: "in_transit",
      eta: 1,
      endedAt: 2,
      changesAt: 3,
      createdAt: 1,
      source: "HRNL",
      nextPollAt: 0,
      lease: 1,
      failures: 2,
      failure: "timeout",
      refreshedAt: 4,
      answerDigest: Buffer.from([5]),
      armedAt: 6,
    };

    test("gives all that a poll takes", async () => {
      await rows.account(2);
      await rows.run(
        `update cell.accounts set demurrage_armed_at = '${dateOf(6).toISOString()}' where id = '${idOf(1)}'`,
      );
      await rows.shipment(1, whole, polled);
      await rows.shipment(2, { account_id: idOf(2) });
      const [first, second] = (await claim(["HRNL", 2])).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      assert.deepEqual(plain(first), claimed);
      assert.equal(second!.armedAt, null);
    });

    test("by time takes the shipments of one product that time changes, whatever their source queue", async () => {
      await rows.account(2);
      await rows.run(
        `update cell.accounts set demurrage_armed_at = '${dateOf(6).toISOString()}' where id = '${idOf(1)}'`,
      );
      await rows.shipment(1, whole, polled);
      await rows.shipment(2, { changes_at: dateOf(1), account_id: idOf(2) }, { source: "TRNC" });
      await rows.shipment(3, { changes_at: dateOf(NOW) }, { leased_until: dateOf(NOW) });
      await rows.shipment(4, { changes_at: dateOf(0) }, { leased_until: dateOf(NOW + 1) });
      await rows.shipment(5, { changes_at: dateOf(NOW + 1) });
      await rows.shipment(6, { changes_at: dateOf(0), product: "air" });
      await rows.shipment(7, { changes_at: dateOf(0), status: "pending" });
      await rows.shipment(8);
      const change = (limit: number) =>
        claimReevaluations(rows.database, rows.cell, "tracking", limit, timeOf(NOW), LEASE);
      const found = (await change(2)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      assert.deepEqual(plain(found[0]), claimed);
      assert.deepEqual(plain(found.map(({ id, armedAt }) => [id, armedAt])), [
        [1, 6],
        [2, null],
      ]);
      assert.deepEqual(numbers(await change(9)), [3]);
      const leases = (await polls()) as unknown[][];
      assert.deepEqual(
        leases.map(([, , ...lease]) => lease),
        [
          [1, NOW + LEASE],
          [1, NOW + LEASE],
          [1, NOW + LEASE],
          [0, NOW + 1],
          [0, null],
          [0, null],
          [0, null],
          [0, null],
        ],
      );
    });
  });

  test("records are read for the shipments that have one", async () => {
    await rows.shipment(1);
    await rows.shipment(2, { status: "pending" });
    await rows.shipment(3);
    const read = await readShipmentRecords(rows.database, rows.cell, [idOf(1), idOf(2)]);
    assert.deepEqual([...read], [[idOf(1), '{"n":1}']]);
  });

  test("a release gives back the claims that still hold", async () => {
    await rows.shipment(1);
    await rows.shipment(2);
    await rows.shipment(3);
    await rows.shipment(4, {}, { leased_until: dateOf(NOW + 1), lease: 1 });
    const claims = (await claim(["HRNL", 9])).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await rows.run(`update cell.polls set lease = 2 where shipment_id = '${idOf(2)}'`);
    await releasePolls(rows.database, rows.cell, claims.slice(0, 2));
    const leases = (await polls()) as unknown[][];
    assert.deepEqual(
      leases.map(([, , ...lease]) => lease),
      [
        [1, null],
        [2, NOW + LEASE],
        [1, NOW + LEASE],
        [1, NOW + 1],
      ],
    );
  });

  test("the backlog of a source queue is the due time of its longest due poll, except requested refreshes", async () => {
    await rows.shipment(1, {}, { next_poll_at: dateOf(300) });
    await rows.shipment(2, {}, { next_poll_at: dateOf(200), leased_until: dateOf(NOW) });
    await rows.shipment(3, {}, { next_poll_at: dateOf(100), leased_until: dateOf(NOW + 1) });
    await rows.shipment(4, {}, { next_poll_at: new Date(0) });
    await rows.shipment(5, {}, { next_poll_at: new Date(1_000) });
    await rows.shipment(6, {}, { source: "TRNC", next_poll_at: dateOf(NOW) });
    await rows.shipment(7, {}, { source: "TRNC", next_poll_at: dateOf(NOW + 1) });
    await rows.shipment(8, {}, { source: "LATE", next_poll_at: dateOf(NOW + 1) });
    await rows.shipment(9, {}, { source: "OTHR", next_poll_at: dateOf(100) });
    const backlog = async (...lanes: string[]) =>
      plain(await readPollBacklog(rows.database, rows.cell, lanes, timeOf(NOW)));
    assert.deepEqual(await backlog("HRNL"), [{ carrier: "HRNL", dueSince: 200 }]);
    assert.deepEqual(await backlog("TRNC", "LATE"), [{ carrier: "TRNC", dueSince: NOW }]);
    await rows.run(`delete from cell.polls where source = 'OTHR'`);
    assert.deepEqual(await backlog("OTHR"), []);
  });

  test("source queues that no node polls are counted, except shipments whose carrier is unknown", async () => {
    await rows.shipment(1);
    await rows.shipment(2, {}, { source: "TRNC" });
    await rows.shipment(3, {}, { source: "TRNC", next_poll_at: dateOf(99_000) });
    await rows.shipment(4, {}, { source: "TRNC", next_poll_at: null });
    await rows.shipment(5, {}, { source: "" });
    await rows.shipment(6, {}, { source: "AAAA" });
    await rows.shipment(7, {}, { source: "ZZZZ", next_poll_at: null });
    await rows.shipment(8, {}, { source: "0000", next_poll_at: null });
    assert.deepEqual(await countUnconfigured(rows.database, rows.cell, ["HRNL", "NONE"]), [
      { source: "AAAA", count: 1 },
      { source: "TRNC", count: 2 },
    ]);
  });
});
