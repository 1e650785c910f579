import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { StoreUnavailable } from "../../../src/model/errors.ts";
import type { RaisedEvent } from "../../../src/model/event.ts";
import type { PollUpdate } from "../../../src/freight/polling/poll-handler.ts";
import { createPollWriter } from "../../../src/freight/polling/poll-writer.ts";
import { startTracking } from "../../../src/products/ocean/tracking/track.ts";
import {
  claimDuePolls,
  readShipmentRecords,
  type ClaimedShipment,
} from "../../../src/freight/polling/store/polls.ts";
import { pollRelease } from "../../../src/freight/polling/store/polls.sql.ts";
import { openHarbour, type Harbour } from "../harbour.ts";

const BATCHES = { batchMax: 100, gatherMs: 0 };

let harbour: Harbour;
describe("what a poll writes", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
  });
  afterEach(() => harbour.stored.drop());

  async function claimed(count: number): Promise<readonly ClaimedShipment[]> {
    const accountId = await harbour.account();
    for (let index = 0; index < count; index += 1) {
      await startTracking(harbour.ports, harbour.cell, { accountId, reference: `BOOKING00${index}` });
    }
    const queues = [{ source: "", limit: count }];
    return claimDuePolls(harbour.ports.database, harbour.cell, queues, harbour.clock.nowMs(), 120_000);
  }

  /** What a poll came to: a record, and an event named after the shipment where it raises one. */
  function findingOf(one: ClaimedShipment, raises: boolean, record = '{"known":true}'): PollUpdate {
    const event: RaisedEvent = {
      product: "tracking",
      accountId: one.accountId,
      type: "shipment_updated",
      data: JSON.stringify({ container_id: one.id, changed_fields: ["eta"] }),
      occurredAtMs: 0,
    };
    return {
      events: raises ? [event] : [],
      result: {
        claimed: one,
        nextPollAtMs: null,
        failures: 0,
        failure: null,
        refreshedAtMs: harbour.clock.nowMs(),
        answerDigest: null,
        state: {
          carrier: "HRNL",
          identifierType: null,
          status: "in_transit",
          etaMs: null,
          record,
          endedAtMs: null,
          changesAtMs: null,
        },
      },
    };
  }

  const raisedFor = () =>
    harbour.raised.map(({ data }) => (JSON.parse(data) as { container_id: string }).container_id);

  test("of a batch, those whose claim still holds are written and raised, and the others neither", async () => {
    const claims = await claimed(4);
    await pollRelease(harbour.ports.database, harbour.cell, [claims[1]!, claims[3]!]);
    const save = createPollWriter(harbour.ports, harbour.cell, BATCHES);
    const saved = await Promise.all(claims.map((one, index) => save(findingOf(one, index < 2))));
    assert.deepEqual(
      saved.map(({ kind }) => kind),
      ["saved", "overtaken", "saved", "overtaken"],
    );
    assert.deepEqual(raisedFor(), [claims[0]!.id]);
    const ids = claims.map(({ id }) => id);
    const records = await readShipmentRecords(harbour.ports.database, harbour.cell, ids);
    assert.deepEqual([...records.keys()].toSorted(), [claims[0]!.id, claims[2]!.id].toSorted());
  });

  test("of two polls of one shipment, written together, only the later one is raised and kept", async () => {
    const [first, stale] = await claimed(2);
    await harbour.clock.advance(120_000);
    const queues = [{ source: "", limit: 2 }];
    const again = await claimDuePolls(
      harbour.ports.database,
      harbour.cell,
      queues,
      harbour.clock.nowMs(),
      120_000,
    );
    const fresh = again.find(({ id }) => id === stale!.id)!;
    const save = createPollWriter(harbour.ports, harbour.cell, BATCHES);
    // While this one is written, the two that follow gather.
    const before = save(
      findingOf(
        again.find(({ id }) => id === first!.id)!,
        false,
      ),
    );
    const saved = await Promise.all([save(findingOf(stale!, true, "1")), save(findingOf(fresh, true, "2"))]);
    assert.equal((await before).kind, "saved");
    assert.deepEqual(
      saved.map(({ kind }) => kind),
      ["overtaken", "saved"],
    );
    assert.deepEqual(raisedFor(), [fresh.id]);
    const records = await readShipmentRecords(harbour.ports.database, harbour.cell, [fresh.id]);
    assert.equal(records.get(fresh.id), "2");
  });

  test("polls that come together are written together", async () => {
    const claims = await claimed(20);
    let statements = 0;
    const { database } = harbour.stored;
    const counting: Harbour["ports"]["database"] = {
      rows(statement, parameters) {
        statements += 1;
        return database.rows(statement, parameters);
      },
    };
    const save = createPollWriter({ ...harbour.ports, database: counting }, harbour.cell, BATCHES);
    const saved = await Promise.all(claims.map((one) => save(findingOf(one, false))));
    assert.ok(saved.every(({ kind }) => kind === "saved"));
    assert.equal(statements, 1);
  });

  test("one look that the database refuses fails none of the others", async () => {
    const claims = await claimed(4);
    const save = createPollWriter(harbour.ports, harbour.cell, BATCHES);
    // PostgreSQL stores no NUL.
    const saved = await Promise.all(
      claims.map((one, index) => save(findingOf(one, index < 2, index % 2 === 1 ? "\0" : "{}"))),
    );
    assert.deepEqual(
      saved.map(({ kind }) => kind),
      ["saved", "refused", "saved", "refused"],
    );
    assert.deepEqual(raisedFor(), [claims[0]!.id]);
  });

  test("what the database has undone is written once more, and what it may have done is not", async () => {
    const [one, other] = (await claimed(2)) as [ClaimedShipment, ClaimedShipment];
    const { raiseWithin } = harbour.ports;
    for (const [claim, inDoubt] of [
      [one, false],
      [other, true],
    ] as const) {
      let tries = 0;
      const failing: typeof raiseWithin = async (cell, change) => {
        tries += 1;
        if (tries === 1)
          throw new StoreUnavailable("a deadlock, or a lost connection", { commitUnknown: inDoubt });
        return raiseWithin(cell, change);
      };
      const save = createPollWriter({ ...harbour.ports, raiseWithin: failing }, harbour.cell, BATCHES);
      if (inDoubt) await assert.rejects(save(findingOf(claim, true)), StoreUnavailable);
      else assert.equal((await save(findingOf(claim, true))).kind, "saved");
      assert.equal(tries, inDoubt ? 1 : 2);
    }
    assert.deepEqual(raisedFor(), [one.id]);
  });
});
