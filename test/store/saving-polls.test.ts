/** What a poll writes, and what it must not write. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  claimDuePolls,
  type ClaimedShipment,
  type PollResult,
  writePolls,
} from "../../src/freight/polling/store/polls.ts";
import { dateOf, idOf, storeRows, plain, timeOf } from "./store-rows.ts";

const NOW = 5_000;
const LEASE = 600;

describe("saving polls", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.account(1);
  });

  const numbers = (found: readonly { readonly id: string }[]) => plain(found.map(({ id }) => id).toSorted());
  const claim = () =>
    claimDuePolls(rows.database, rows.cell, [{ source: "HRNL", limit: 1 }], timeOf(NOW), LEASE);

  const result = (claimed: ClaimedShipment, more: Partial<PollResult> = {}): PollResult => ({
    claimed,
    nextPollAtMs: timeOf(9_000),
    failures: 0,
    failure: null,
    refreshedAtMs: timeOf(NOW),
    answerDigest: Buffer.from([9]),
    state: {
      carrier: "TRNC",
      identifierType: "container_id",
      status: "arriving",
      etaMs: timeOf(11),
      record: '{"new":1}',
      endedAtMs: timeOf(12),
      changesAtMs: timeOf(13),
      aboard: { imos: ["9000001", "9000002"], pollPeriod: { from: timeOf(14), until: timeOf(15) } },
      transportDocuments: ["BILL1", "BILL2"],
      awaitedSailings: ["A", "B"],
    },
    ...more,
  });
  const saved = async (results: readonly PollResult[]) =>
    numbers([...(await writePolls(rows.database, rows.cell, results))].map(({ claimed }) => claimed));
  const poll = (id: number) =>
    rows.read(
      `select source, next_poll_at, lease, leased_until, failures, failure, refreshed_at, answer_digest
         from cell.polls where shipment_id = '${idOf(id)}'`,
    );
  const shipment = (id: number) =>
    rows.read(
      `select carrier, identifier_type, status, eta, record, ended_at, changes_at, vessels, vessels_from,
           vessels_until, transport_documents, awaited_sailings
         from cell.shipments where id = '${idOf(id)}'`,
    );
  const UNKNOWN = ["HRNL", null, "in_transit", null, '{"n":1}', null, null, null, null, null, null, null];
  const KNOWN = [
    "TRNC",
    "container_id",
    "arriving",
    11,
    '{"new":1}',
    12,
    13,
    ["9000001", "9000002"],
    14,
    15,
    ["BILL1", "BILL2"],
    ["A", "B"],
  ];

  test("writes all of an answer, and leaves other shipments alone", async () => {
    await rows.shipment(1);
    await rows.shipment(2, {}, { next_poll_at: dateOf(1) });
    const [one] = await claim();
    assert.deepEqual(await saved([result(one!)]), [1]);
    assert.deepEqual(await poll(1), [["TRNC", 9_000, 1, null, 0, null, NOW, Buffer.from([9])]]);
    assert.deepEqual(await shipment(1), [KNOWN]);
    assert.deepEqual(await poll(2), [["HRNL", 1, 0, null, 0, null, null, null]]);
    assert.deepEqual(await shipment(2), [[...UNKNOWN.slice(0, 4), '{"n":2}', ...UNKNOWN.slice(5)]]);
    assert.deepEqual(await saved([result(one!, { failures: 1, failure: "again" })]), [], "once");
    assert.deepEqual(await poll(1), [["TRNC", 9_000, 1, null, 0, null, NOW, Buffer.from([9])]]);
  });

  test("of a failure keeps what was known", async () => {
    await rows.shipment(1, {}, { refreshed_at: dateOf(4), answer_digest: Buffer.from([5]) });
    const [one] = await claim();
    const failed = {
      failures: 3,
      failure: "timeout",
      refreshedAtMs: null,
      answerDigest: null,
      state: null,
    };
    await saved([result(one!, failed)]);
    assert.deepEqual(await poll(1), [["HRNL", 9_000, 1, null, 3, "timeout", 4, Buffer.from([5])]]);
    assert.deepEqual(await shipment(1), [UNKNOWN]);
  });

  test("keeps the kind of reference that the answer does not name", async () => {
    await rows.shipment(1, { identifier_type: "booking" });
    const [one] = await claim();
    const known = {
      ...result(one!).state!,
      identifierType: null,
      aboard: null,
      transportDocuments: [],
      awaitedSailings: [],
    };
    await saved([result(one!, { state: known })]);
    assert.deepEqual(await shipment(1), [
      ["TRNC", "booking", "arriving", 11, '{"new":1}', 12, 13, null, null, null, null, null],
    ]);
  });

  test("keeps due times that a request set during the poll", async () => {
    await rows.shipment(1, { changes_at: dateOf(3) });
    const [one] = await claim();
    await rows.run(`update cell.polls set next_poll_at = '${dateOf(-1).toISOString()}'`);
    await rows.run(`update cell.shipments set changes_at = '${dateOf(-2).toISOString()}'`);
    await saved([result(one!)]);
    assert.deepEqual(await rows.read("select next_poll_at from cell.polls"), [[-1]]);
    assert.deepEqual(await rows.read("select changes_at from cell.shipments"), [[-2]]);
  });

  test("writes nothing for a claim that another has taken over, though the other is written with it", async () => {
    await rows.shipment(1);
    const [late] = await claim();
    await rows.run("update cell.polls set leased_until = null");
    const [current] = await claim();
    const lateKnown = { ...result(late!).state!, status: "delivered" };
    const lateResult = result(late!, { nextPollAtMs: timeOf(1), state: lateKnown });
    assert.deepEqual([late!.lease, current!.lease], [1, 2]);
    assert.deepEqual(await saved([lateResult, result(current!)]), [1]);
    assert.deepEqual(await shipment(1), [KNOWN]);
    assert.deepEqual(await saved([lateResult]), []);
  });

  test("writes nothing for a claim that was given back, though one of another shipment is written with it", async () => {
    await rows.shipment(1);
    await rows.shipment(2);
    const [first, second] = [(await claim())[0]!, (await claim())[0]!];
    assert.deepEqual([first.lease, second.lease], [1, 1]);
    await rows.run(`update cell.polls set leased_until = null where shipment_id = '${second.id}'`);
    assert.deepEqual(await saved([result(first), result(second)]), [plain(first.id)]);
    const carrier = (id: string) => rows.read(`select carrier from cell.shipments where id = '${id}'`);
    assert.deepEqual([await carrier(first.id), await carrier(second.id)], [[["TRNC"]], [["HRNL"]]]);
  });
});
