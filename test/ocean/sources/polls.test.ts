import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { recheck, startTracking } from "../../../src/products/ocean/tracking/track.ts";
import {
  claimReevaluations,
  claimDuePolls,
  readShipmentRecords,
  writePolls,
  type ClaimedShipment,
  type PollResult,
} from "../../../src/freight/polling/store/polls.ts";
import { pollRelease } from "../../../src/freight/polling/store/polls.sql.ts";
import { pollBacklog } from "../../../src/freight/polling/store/polls.sql.ts";
import { openHarbour, type Harbour } from "../harbour.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 120_000;

let harbour: Harbour;
let accountId: string;
describe("polls", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
    accountId = await harbour.account();
  });
  afterEach(() => harbour.stored.drop());

  let references = 0;

  /** Tracks one more shipment, due at once; of the carrier once it is saved so. */
  async function track(): Promise<string> {
    references += 1;
    const reference = `BOOKING${String(references).padStart(6, "0")}`;
    const started = await startTracking(harbour.ports, harbour.cell, { accountId, reference });
    assert.ok(started.kind === "tracked");
    return started.shipment.id;
  }

  function claim(rooms: Readonly<Record<string, number>>): Promise<readonly ClaimedShipment[]> {
    const queues = Object.entries(rooms).map(([carrier, room]) => ({ source: carrier, limit: room }));
    return claimDuePolls(harbour.ports.database, harbour.cell, queues, harbour.clock.nowMs(), LEASE_MS);
  }

  function change(limit = 10): Promise<readonly ClaimedShipment[]> {
    const { ports, cell, clock } = harbour;
    return claimReevaluations(ports.database, cell, "tracking", limit, clock.nowMs(), LEASE_MS);
  }

  /** An answer of a carrier, and the next look an hour later. */
  function answered(claimed: ClaimedShipment, carrier: string, more: Partial<PollResult> = {}): PollResult {
    const nowMs = harbour.clock.nowMs();
    return {
      claimed,
      nextPollAtMs: nowMs + HOUR_MS,
      failures: 0,
      failure: null,
      refreshedAtMs: nowMs,
      answerDigest: Buffer.alloc(32, 1),
      state: {
        carrier,
        identifierType: "booking",
        status: "in_transit",
        etaMs: null,
        record: JSON.stringify({ carrier }),
        endedAtMs: null,
        changesAtMs: null,
      },
      ...more,
    };
  }

  /** The ids of the written polls. */
  async function save(results: readonly PollResult[]): Promise<readonly string[]> {
    const held = await writePolls(harbour.ports.database, harbour.cell, results);
    return [...held].map(({ claimed }) => claimed.id);
  }

  /** A shipment of a carrier, due an hour from now. */
  async function trackWith(carrier: string, more: Partial<PollResult> = {}): Promise<string> {
    const id = await track();
    const [claimed] = await claim({ "": 1 });
    assert.equal(claimed?.id, id);
    assert.deepEqual(await save([answered(claimed, carrier, more)]), [id]);
    return id;
  }

  const ids = (claims: readonly ClaimedShipment[]): string[] => claims.map(({ id }) => id).toSorted();

  test("each carrier gets its own room, and what has been due longest comes first", async () => {
    const herons: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      herons.push(await trackWith("HRNL"));
      await harbour.clock.advance(60_000);
    }
    const tern = await trackWith("TRNC");
    const fresh = await track();
    await harbour.clock.advance(2 * HOUR_MS);
    const claims = await claim({ "": 2, HRNL: 2, TRNC: 2 });
    assert.deepEqual(ids(claims), [herons[0]!, herons[1]!, tern, fresh].toSorted());
    assert.deepEqual(ids(await claim({ HRNL: 2 })), [herons[2]]);
    assert.deepEqual(await claim({ "": 2, HRNL: 2, TRNC: 2 }), [], "what is claimed is nobody else's");
  });

  test("claims of many nodes at once never share a shipment", async () => {
    const tracked = await Promise.all(Array.from({ length: 60 }, track));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ "": 10 })));
    const claimed = claims.flat().map(({ id }) => id);
    assert.equal(new Set(claimed).size, claimed.length);
    const rest = await claim({ "": 100 });
    assert.deepEqual([...claimed, ...rest.map(({ id }) => id)].toSorted(), tracked.toSorted());
  });

  test("a claim ends with its lease, and what comes of it after that is not written", async () => {
    const id = await trackWith("HRNL");
    await harbour.clock.advance(HOUR_MS);
    const [stale] = await claim({ HRNL: 1 });
    await harbour.clock.advance(LEASE_MS - 1);
    assert.deepEqual(await claim({ HRNL: 1 }), []);
    await harbour.clock.advance(1);
    const [fresh] = await claim({ HRNL: 1 });
    assert.ok(stale !== undefined && fresh !== undefined && fresh.id === id);
    const other = await track();
    const [held] = await claim({ "": 1 });
    // One batch with a stale claim and one that holds: the one that holds is written.
    assert.deepEqual(await save([answered(stale, "TRNC"), answered(held!, "HRNL")]), [other]);
    await pollRelease(harbour.ports.database, harbour.cell, [stale]);
    assert.deepEqual(await claim({ HRNL: 5 }), [], "nor does it give back what another has claimed");
    assert.deepEqual(await save([answered(fresh, "HRNL")]), [id]);
    assert.deepEqual(await save([answered(fresh, "HRNL")]), [], "a claim is good for one write");
    const records = await readShipmentRecords(harbour.ports.database, harbour.cell, [id, other]);
    assert.deepEqual([...records.values()], ['{"carrier":"HRNL"}', '{"carrier":"HRNL"}']);
  });

  test("what is given back is due as before, and keeps its place", async () => {
    const first = await trackWith("HRNL");
    await harbour.clock.advance(1_000);
    await trackWith("HRNL");
    await harbour.clock.advance(HOUR_MS);
    const claims = await claim({ HRNL: 2 });
    await pollRelease(harbour.ports.database, harbour.cell, claims);
    assert.deepEqual(ids(await claim({ HRNL: 1 })), [first]);
  });

  test("a shipment asked for comes before all that is due, also when it is asked for again during the look", async () => {
    for (let count = 0; count < 3; count += 1) await trackWith("HRNL");
    const wanted = await trackWith("HRNL");
    await harbour.clock.advance(2 * HOUR_MS);
    for (let time = 0; time < 3; time += 1) {
      assert.equal(await recheck(harbour.ports, harbour.cell, accountId, wanted), true);
      const [claimed] = await claim({ HRNL: 1 });
      assert.equal(claimed?.id, wanted);
      await recheck(harbour.ports, harbour.cell, accountId, wanted);
      await save([answered(claimed, "HRNL")]);
      const [again] = await claim({ HRNL: 1 });
      assert.equal(again?.id, wanted, "the second wish is not lost to the first look");
      await save([answered(again, "HRNL")]);
    }
    assert.equal((await claim({ HRNL: 10 })).length, 3);
  });

  test("what changes by time is claimed when it does, whatever its carrier, and a nearer moment is not lost", async () => {
    const atMs = harbour.clock.nowMs() + 30_000;
    const [id, next] = [await track(), await track()];
    const results = (await claim({ "": 2 })).map((claimed) => {
      const result = answered(claimed, "GONE");
      return { ...result, state: { ...result.state!, changesAtMs: atMs } };
    });
    await save(results);
    assert.deepEqual(await change(), []);
    await harbour.clock.advance(30_000);
    const claims = await change();
    assert.deepEqual(ids(claims), [id, next].toSorted());
    assert.deepEqual(await change(), []);
    const [one, other] = claims as [ClaimedShipment, ClaimedShipment];
    // Alerting is armed during the poll: the shipment must be evaluated again.
    const sooner = new Date(harbour.clock.nowMs() + 1);
    const sql = "update cell.shipments set changes_at = $1 where id = $2";
    await harbour.stored.queryIn(harbour.cell, sql, [sooner, one.id]);
    await save([answered(one, "GONE"), answered(other, "GONE")]);
    await harbour.clock.advance(1);
    assert.deepEqual(ids(await change()), [one.id]);
  });

  test("a poll without changes writes its own result alone", async () => {
    const id = await trackWith("HRNL");
    await harbour.clock.advance(HOUR_MS);
    const [claimed] = await claim({ HRNL: 1 });
    await save([
      answered(claimed!, "HRNL", {
        state: null,
        failures: 2,
        failure: "not_found",
        refreshedAtMs: null,
        answerDigest: null,
      }),
    ]);
    await harbour.clock.advance(HOUR_MS);
    const [again] = await claim({ HRNL: 1 });
    assert.deepEqual(
      [again?.id, again?.failures, again?.failure, again?.status, again?.carrier],
      [id, 2, "not_found", "in_transit", "HRNL"],
    );
    assert.deepEqual(again?.refreshedAt, claimed?.refreshedAt);
    assert.deepEqual(again?.answerDigest, Buffer.alloc(32, 1));
  });

  test("the backlog shows for each source queue since when the longest due waits, without shipments being polled", async () => {
    await trackWith("HRNL");
    const dueMs = harbour.clock.nowMs() + HOUR_MS;
    await harbour.clock.advance(60_000);
    await trackWith("HRNL");
    await trackWith("TRNC");
    await harbour.clock.advance(HOUR_MS);
    const backlog = () =>
      pollBacklog(harbour.ports.database, harbour.cell, {
        sources: ["HRNL", "TRNC", "NONE"],
        at: harbour.clock.nowMs(),
      });
    assert.deepEqual(await backlog(), [
      { carrier: "HRNL", dueSince: new Date(dueMs) },
      { carrier: "TRNC", dueSince: new Date(dueMs + 60_000) },
    ]);
    await claim({ HRNL: 1, TRNC: 1 });
    assert.deepEqual(await backlog(), [{ carrier: "HRNL", dueSince: new Date(dueMs + 60_000) }]);
  });
});
