/** Polls: whose turn it is, what a node that claims one gets, and what it may write. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  claimDuePolls,
  type ClaimedShipment,
  claimReevaluations,
  type PollResult,
  readNextPoll,
  readNextReevaluation,
  writePolls,
} from "../../src/freight/polling/store/polls.ts";
import {
  pollRelease,
  pollCountUnconfigured,
  pollBacklog,
} from "../../src/freight/polling/store/polls.sql.ts";
import { dateOf, idOf, plain, storeRows, timeOf } from "./store-rows.ts";

const NOW = 5_000;
const LEASE = 600;
const LEASED = NOW + LEASE;

describe("polls", () => {
  const rows = storeRows();
  beforeEach(() => rows.account(1));

  const byId = <T extends { readonly id: string }>(found: readonly T[]) =>
    found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const numbers = (found: readonly { readonly id: string }[]) => plain(byId(found).map(({ id }) => id));
  const claim = async (...queues: readonly (readonly [source: string, limit: number])[]) => {
    const asked = queues.map(([source, limit]) => ({ source, limit }));
    return byId(await claimDuePolls(rows.database, rows.cell, asked, timeOf(NOW), LEASE));
  };
  const change = async (limit: number) =>
    byId(await claimReevaluations(rows.database, rows.cell, "tracking", limit, timeOf(NOW), LEASE));
  const leases = () => rows.read("select lease, leased_until from cell.polls order by shipment_id");
  const sinceNoon = (at: number | null) => at && at - timeOf(0);

  test("are claimed by one node each, the longest due of each source queue, up to its limit, until their lease ends", async () => {
    await rows.shipment(1, {}, { next_poll_at: dateOf(300) });
    await rows.shipment(2, {}, { next_poll_at: dateOf(100), lease: 4 });
    await rows.shipment(3, {}, { next_poll_at: dateOf(200), leased_until: dateOf(NOW) });
    await rows.shipment(4, {}, { next_poll_at: dateOf(0), leased_until: dateOf(NOW + 1) });
    await rows.shipment(5, {}, { source: "TRNC", next_poll_at: dateOf(NOW) });
    await rows.shipment(6, {}, { source: "TRNC", next_poll_at: dateOf(NOW + 1) });
    await rows.shipment(7, {}, { source: "OTHR", next_poll_at: null });
    const next = async (...sources: readonly string[]) =>
      sinceNoon(await readNextPoll(rows.database, rows.cell, sources));
    assert.deepEqual(
      [await next("HRNL"), await next("TRNC"), await next("OTHR"), await next("TRNC", "HRNL")],
      [0, NOW, null, 0],
    );
    assert.deepEqual(numbers(await claim(["HRNL", 2], ["TRNC", 9])), [2, 3, 5]);
    const [none, other] = [
      [0, null],
      [1, LEASED],
    ];
    assert.deepEqual(await leases(), [none, [5, LEASED], other, [0, NOW + 1], other, none, none]);
    assert.deepEqual(numbers(await claim(["HRNL", 2], ["OTHR", 9])), [1]);
  });

  test("are claimed by one node each where many claim at once", async () => {
    const all = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const id of all) await rows.shipment(id);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(["HRNL", 10])));
    claims.push(await claim(["HRNL", 60]));
    assert.deepEqual(numbers(claims.flat()), all);
  });

  test("by time are claimed of one product, whatever their source queue", async () => {
    await rows.shipment(1, { changes_at: dateOf(1) }, { source: "TRNC" });
    await rows.shipment(2, { changes_at: dateOf(NOW) }, { leased_until: dateOf(NOW) });
    await rows.shipment(3, { changes_at: dateOf(0) }, { leased_until: dateOf(NOW + 1) });
    await rows.shipment(4, { changes_at: dateOf(NOW + 1) });
    await rows.shipment(5, { changes_at: dateOf(0), product: "air" });
    await rows.shipment(6, { changes_at: dateOf(0), status: "pending" });
    await rows.shipment(7);
    const next = async (product: string) =>
      sinceNoon(await readNextReevaluation(rows.database, rows.cell, product));
    assert.deepEqual([await next("tracking"), await next("air"), await next("rates")], [0, 0, null]);
    assert.deepEqual([numbers(await change(1)), numbers(await change(9))], [[6], [1, 2]]);
    assert.deepEqual(await change(9), []);
  });

  test("give a claim all that a poll takes", async () => {
    await rows.run(`update cell.accounts set demurrage_armed_at = '${dateOf(6).toISOString()}'`);
    const row = { identifier_type: "booking", carrier_hint: "HINT" };
    const times = { eta: dateOf(1), ended_at: dateOf(2), changes_at: dateOf(3) };
    const polled = {
      failures: 2,
      failure: "timeout",
      refreshed_at: dateOf(4),
      answer_digest: Buffer.from([5]),
    };
    await rows.shipment(1, { ...row, ...times }, polled);
    const [claimed] = await claim(["HRNL", 1]);
    assert.deepEqual(plain(claimed), {
      ...{ id: 1, accountId: 1, reference: "BOOKING1", identifierType: "booking", carrierHint: "HINT" },
      ...{ carrier: "HRNL", status: "in_transit", eta: 1, endedAt: 2, changesAt: 3, createdAt: 1 },
      ...{ source: "HRNL", nextPollAt: 0, lease: 1, failures: 2, failure: "timeout", refreshedAt: 4 },
      ...{ answerDigest: Buffer.from([5]), armedAt: 6 },
    });
    await pollRelease(rows.database, rows.cell, [claimed!]);
    assert.deepEqual(await change(9), [{ ...claimed, lease: 2 }]);
  });

  test("are given back by a release, where the claim still holds", async () => {
    for (const id of [1, 2, 3]) await rows.shipment(id);
    const [one, two] = await claim(["HRNL", 9]);
    await rows.run(`update cell.polls set lease = 2 where shipment_id = '${idOf(2)}'`);
    await pollRelease(rows.database, rows.cell, [one!, two!]);
    assert.deepEqual(await leases(), [
      [1, null],
      [2, LEASED],
      [1, LEASED],
    ]);
  });

  test("that wait are reported by source queue, requested refreshes excepted, and counted where no node polls it", async () => {
    await rows.shipment(1, {}, { next_poll_at: dateOf(300) });
    await rows.shipment(2, {}, { next_poll_at: dateOf(200), leased_until: dateOf(NOW) });
    await rows.shipment(3, {}, { next_poll_at: dateOf(100), leased_until: dateOf(NOW + 1) });
    await rows.shipment(4, {}, { next_poll_at: new Date(1_000) });
    await rows.shipment(5, {}, { source: "TRNC", next_poll_at: dateOf(NOW) });
    await rows.shipment(6, {}, { source: "LATE", next_poll_at: dateOf(NOW + 1) });
    await rows.shipment(7, {}, { source: "LATE", next_poll_at: null });
    await rows.shipment(8, {}, { source: "" });
    const backlog = await pollBacklog(rows.database, rows.cell, {
      sources: ["HRNL", "TRNC", "LATE"],
      at: timeOf(NOW),
    });
    assert.deepEqual(
      (plain(backlog) as { carrier: string }[]).toSorted((a, b) => (a.carrier < b.carrier ? -1 : 1)),
      [
        { carrier: "HRNL", dueSince: 200 },
        { carrier: "TRNC", dueSince: NOW },
      ],
    );
    assert.deepEqual(
      await pollCountUnconfigured(rows.database, rows.cell, { asked: ["HRNL", "NONE"], countedMax: 100 }),
      [
        { source: "LATE", count: 1 },
        { source: "TRNC", count: 1 },
      ],
    );
  });

  describe("are written", () => {
    const result = (claimed: ClaimedShipment, more: Partial<PollResult> = {}): PollResult => ({
      ...{ claimed, nextPollAtMs: timeOf(9_000), failures: 0, failure: null, refreshedAtMs: timeOf(NOW) },
      answerDigest: Buffer.from([9]),
      state: {
        ...{ carrier: "TRNC", identifierType: "container_id", status: "arriving", etaMs: timeOf(11) },
        ...{ record: '{"new":1}', endedAtMs: timeOf(12), changesAtMs: timeOf(13) },
        aboard: { imos: ["9000001", "9000002"], pollPeriod: { from: timeOf(14), until: timeOf(15) } },
        ...{ transportDocuments: ["BILL1", "BILL2"], awaitedSailings: ["A", "B"] },
      },
      ...more,
    });
    const saved = async (...results: readonly PollResult[]) =>
      numbers([...(await writePolls(rows.database, rows.cell, results))].map(({ claimed }) => claimed));
    const polls = () =>
      rows.read(
        `select source, next_poll_at, lease, leased_until, failures, failure, refreshed_at, answer_digest
         from cell.polls order by shipment_id`,
      );
    const shipments = () =>
      rows.read(
        `select carrier, identifier_type, status, eta, record, ended_at, changes_at, vessels, vessels_from,
           vessels_until, transport_documents, awaited_sailings
         from cell.shipments order by id`,
      );
    const NULLS = [null, null, null, null, null];
    const known = (id: number) => ["HRNL", null, "in_transit", null, `{"n":${id}}`, ...NULLS, null, null];
    const STATE = ["arriving", 11, '{"new":1}', 12, 13];
    const ABOARD = [["9000001", "9000002"], 14, 15, ["BILL1", "BILL2"], ["A", "B"]];

    test("with all of an answer, once, and no other shipment", async () => {
      await rows.shipment(1);
      await rows.shipment(2, {}, { next_poll_at: dateOf(1) });
      const [one] = await claim(["HRNL", 1]);
      assert.deepEqual([await saved(result(one!)), await saved(result(one!, { failures: 1 }))], [[1], []]);
      assert.deepEqual(await polls(), [
        ["TRNC", 9_000, 1, null, 0, null, NOW, Buffer.from([9])],
        ["HRNL", 1, 0, null, 0, null, null, null],
      ]);
      assert.deepEqual(await shipments(), [["TRNC", "container_id", ...STATE, ...ABOARD], known(2)]);
    });

    test("of a failure with what was known, and with the kind of reference that the answer does not name", async () => {
      await rows.shipment(1, {}, { refreshed_at: dateOf(4), answer_digest: Buffer.from([5]) });
      await rows.shipment(2, { identifier_type: "booking" });
      const [one, two] = await claim(["HRNL", 2]);
      const failed = {
        failures: 3,
        failure: "timeout",
        refreshedAtMs: null,
        answerDigest: null,
        state: null,
      };
      const nothing = { identifierType: null, aboard: null, transportDocuments: [], awaitedSailings: [] };
      const second = result(two!);
      await saved(result(one!, failed), { ...second, state: { ...second.state!, ...nothing } });
      assert.deepEqual(((await polls()) as unknown[])[0], [
        ...["HRNL", 9_000, 1, null, 3, "timeout", 4, Buffer.from([5])],
      ]);
      assert.deepEqual(await shipments(), [known(1), ["TRNC", "booking", ...STATE, ...NULLS]]);
    });

    test("with the due times that a request set during the poll", async () => {
      await rows.shipment(1, { changes_at: dateOf(3) });
      const [one] = await claim(["HRNL", 1]);
      await rows.run(`update cell.polls set next_poll_at = '${dateOf(-1).toISOString()}'`);
      await rows.run(`update cell.shipments set changes_at = '${dateOf(-2).toISOString()}'`);
      await saved(result(one!));
      assert.deepEqual(await rows.read("select next_poll_at from cell.polls"), [[-1]]);
      assert.deepEqual(await rows.read("select changes_at from cell.shipments"), [[-2]]);
    });

    test("by the claim that holds alone: not by one that was taken over or given back, though others go with it", async () => {
      await rows.shipment(1);
      const [late] = await claim(["HRNL", 1]);
      await rows.run("update cell.polls set leased_until = null");
      const [current] = await claim(["HRNL", 1]);
      await rows.shipment(2);
      const [released] = await claim(["HRNL", 1]);
      await pollRelease(rows.database, rows.cell, [released!]);
      const wrong = [late!, released!].map((claimed) => result(claimed, { nextPollAtMs: timeOf(1) }));
      assert.deepEqual(await saved(...wrong, result(current!)), [1]);
      assert.deepEqual(await rows.read("select next_poll_at from cell.polls order by shipment_id"), [
        [9_000],
        [0],
      ]);
      assert.deepEqual(await rows.read("select carrier from cell.shipments order by id"), [
        ["TRNC"],
        ["HRNL"],
      ]);
    });
  });
});
