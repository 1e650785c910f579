import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createReplay } from "../../../packages/simulator/src/replay/replay.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import type { HttpPort } from "../../../src/freight/upstream/http.ts";
import {
  type ClaimedShipment,
  claimDuePolls,
  readShipmentRecords,
} from "../../../src/freight/polling/store/polls.ts";
import { DAY_MS, HOUR_MS } from "../../../src/runtime/durations.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { liveThrough } from "../life.ts";
import { HERON, TERN } from "../shipping-lines.ts";
import { answers, BOOKED, claim as claimDue, departed, refresh, refreshDue, track } from "./polling.ts";
import { StoreUnavailable } from "../../../src/model/errors.ts";
import type { RaisedEvent } from "../../../src/model/event.ts";
import type { PollUpdate } from "../../../src/freight/polling/poll-handler.ts";
import { createPollWriter } from "../../../src/freight/polling/poll-writer.ts";
import { startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { column } from "../../support/columns.ts";

let harbour: Harbour;
describe("polling a shipment", () => {
  beforeEach(async () => {
    harbour = await openHarbour();
  });
  afterEach(() => harbour.stored.drop());

  async function claimOne(): Promise<ClaimedShipment> {
    const [claimed, ...more] = await claimDue(harbour);
    assert.ok(claimed, "nothing is due");
    assert.deepEqual(more, []);
    return claimed;
  }
  const types = () => harbour.raised.map(({ type }) => type);

  // spec 1: container_tracking
  test("a shipment lives through its journey in the store as it does in the pure replay", async () => {
    const { clock } = harbour;
    const recordings = await readRecordings(JOURNEYS_FOLDER);
    const journey = recordings.find(({ name }) => name === "rail-segot-usatl");
    assert.ok(journey);
    const shipment = await track(harbour, "PLVU6200035", { carrier: "HRNL" });
    const replay = createReplay({ recordings, speed: 1, clock, startMs: clock.nowMs() });
    harbour.answer = async ({ pathname: path, searchParams: query }) => {
      const { status, body, headers } = replay.handle({ path, query });
      return answered(status, body, { ...headers });
    };
    for (const { atMs, record, raised } of liveThrough(journey)) {
      // The answer's date has whole seconds.
      await clock.advance(atMs + 1_000 - replay.nowMs(journey));
      harbour.raised.length = 0;
      for (const _ of ["a poll", "the same answer once more"]) {
        await shipment.recheck();
        await refresh(harbour, await claimOne());
        assert.equal((await shipment.read()).status, record.status);
      }
      assert.deepEqual(types(), column(raised, "type"));
    }
    const { status, carrier, destination, events } = await shipment.read();
    assert.deepEqual(
      [status, carrier, destination?.unlocode, events.length],
      ["returned_empty", "HRNL", "USATL", 20],
    );
  });

  test("carriers are asked until one knows the reference, and it alone from then on, and a paper's kind is found out", async () => {
    const shipment = await track(harbour, "100AAAAAA0002V");
    const polled: string[] = [];
    harbour.answer = async ({ host, search }) => {
      polled.push(host.split(".")[0] + search);
      return host === "tern.example" && search.startsWith("?carrierBookingReference")
        ? answered(200, JSON.stringify([BOOKED]))
        : answered(404, "");
    };
    assert.equal(await refresh(harbour, await claimOne()), "changed");
    assert.deepEqual(polled.toSorted(), [
      "heron?carrierBookingReference=100AAAAAA0002V",
      "heron?transportDocumentReference=100AAAAAA0002V",
      "tern?carrierBookingReference=100AAAAAA0002V",
      "tern?transportDocumentReference=100AAAAAA0002V",
    ]);
    const { carrier, identifier_type } = await shipment.read();
    assert.deepEqual([carrier, identifier_type], ["TRNC", "booking"]);
    await harbour.clock.advance(5 * HOUR_MS);
    polled.length = 0;
    await refresh(harbour, await claimOne());
    assert.deepEqual(polled, ["tern?carrierBookingReference=100AAAAAA0002V"]);
  });

  test("the shipment shows distinct failures, and is polled with growing waits until it is too old", async () => {
    const shipment = await track(harbour, "HRNU4000017", { carrier: "HRNL" });
    const failureOf = async () => (await shipment.read()).last_failure?.code ?? null;
    const failing: readonly (readonly [HttpPort, string])[] = [
      [async () => answered(404, ""), "not_found"],
      [async () => answered(403, ""), "not_permitted"],
      [async () => answered(503, ""), "unavailable"],
      [async () => ({ kind: "failed", reason: "timeout" }), "unavailable"],
    ];
    let waitMs = 60_000;
    for (const [answer, failure] of failing) {
      harbour.answer = answer;
      await refresh(harbour, await claimOne());
      assert.equal(await failureOf(), failure);
      await harbour.clock.advance(waitMs - 1);
      assert.deepEqual(await claimDue(harbour), []);
      await harbour.clock.advance(1);
      waitMs *= 2;
    }
    harbour.answer = async () => answered(404, "");
    await harbour.clock.advance(14 * DAY_MS);
    await refresh(harbour, await claimOne());
    await harbour.clock.advance(365 * DAY_MS);
    assert.deepEqual(await claimDue(harbour), [], "no carrier knows it, and none is asked any more");
    await shipment.recheck();
    answers(harbour, BOOKED);
    assert.equal(await refresh(harbour, await claimOne()), "changed");
    assert.equal(await failureOf(), null);
  });

  test("a reference that is unknown for days, while its box has sailed, resolves without an event, for each account", async () => {
    const tracked = [await track(harbour, "HRNU4000017"), await track(harbour, "HRNU4000017")];
    for (let day = 0; day < 3; day += 1) {
      assert.deepEqual(await refreshDue(harbour), ["not_found", "not_found"]);
      await harbour.clock.advance(DAY_MS);
    }
    const answer = async (...events: readonly object[]) => {
      answers(harbour, ...events);
      for (const { recheck } of tracked) await recheck();
      assert.deepEqual(await refreshDue(harbour), ["changed", "changed"]);
    };
    await answer(BOOKED, departed("JPYOK"));
    assert.deepEqual(harbour.raised, []);
    await answer(BOOKED, departed("JPYOK"), {
      ...{ ...departed("USOAK", 5), eventType: "EQUIPMENT", equipmentEventTypeCode: "GTOT" },
      ...{ equipmentReference: "HRNU4000017", emptyIndicatorCode: "LADEN" },
      transportCall: { UNLocationCode: "USOAK", modeOfTransport: "TRUCK" },
    });
    const deliveries = harbour.raised.filter(({ type }) => type === "container_delivered");
    const accountsOf = (all: readonly { readonly accountId: string }[]) =>
      new Set(all.map(({ accountId }) => accountId));
    assert.deepEqual(accountsOf(deliveries), accountsOf(tracked));
    assert.equal(deliveries.length, 2);
    assert.equal(new Set(deliveries.map(({ dedupKey }) => dedupKey)).size, 2);
  });

  test("an event that breaks its schema is left out and logged, and the poll is saved with all others", async () => {
    const shipment = await track(harbour, "HRNU4000017");
    answers(harbour, BOOKED);
    await refreshDue(harbour);
    await harbour.clock.advance(5 * HOUR_MS);
    const loaded = departed("JPYOK");
    const transportCall = { ...loaded.transportCall, vessel: { vesselName: "HERON DAWN" } };
    answers(harbour, BOOKED, { ...loaded, transportCall });
    const check = (_: string, type: string) =>
      type === "vessel_departed"
        ? ({ ok: false, message: "data.eta is wrong" } as const)
        : ({ ok: true } as const);
    harbour.raised.length = 0;
    assert.equal(await refresh(harbour, await claimOne(), { ...harbour.ports, check }), "changed");
    assert.equal((await shipment.read()).status, "in_transit");
    assert.deepEqual(types(), ["shipment_updated"]);
    assert.match(JSON.stringify(harbour.log.lines), /vessel_departed.*breaks its schema/);
    await harbour.clock.advance(5 * HOUR_MS);
    await refreshDue(harbour);
    assert.equal(harbour.raised.length, 1, "the next poll has nothing to make up for");
  });

  test("an actual time in the future is logged", async () => {
    await track(harbour, "HRNU4000017");
    answers(harbour, BOOKED, { ...departed("JPYOK"), eventDateTime: "2027-01-01T00:00:00Z" });
    await refreshDue(harbour);
    assert.match(JSON.stringify(harbour.log.lines), /DEPA 2027.*lie in the future/);
  });

  test("a cut answer is logged and kept with the record, retracts nothing, and is asked for as the account's", async () => {
    await harbour.stored.drop();
    const heron = { ...HERON };
    harbour = await openHarbour([heron, TERN]);
    const shipment = await track(harbour, "HRNU4000017");
    Object.assign(heron, {
      question: { limit: { max: 2 } },
      accounts: { [shipment.accountId]: { parameters: { behalfOf: "4711" } } },
    });
    answers(harbour, departed("JPYOK"));
    await refreshDue(harbour);
    await harbour.clock.advance(5 * HOUR_MS);
    harbour.answer = async ({ search }) =>
      answered(search.endsWith("&behalfOf=4711") ? 200 : 403, JSON.stringify([BOOKED, BOOKED]));
    await refreshDue(harbour);
    const { status, incomplete } = await shipment.read();
    assert.deepEqual([status, incomplete], ["in_transit", true]);
    assert.match(JSON.stringify(harbour.log.lines), /an answer was cut/);
  });
});

const BATCHES = { batchMax: 100, gatherMs: 0 };

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
    assert.deepEqual(column(saved, "kind"), ["overtaken", "saved"]);
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
    assert.deepEqual(column(saved, "kind"), ["saved", "refused", "saved", "refused"]);
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
