/**
 * Boxes of the simulated harbour through the store, the poller and HTTP: what is committed is what the
 * truth calls for.
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe, test } from "node:test";

import { Agent } from "undici";

import { POLLER_DEFAULTS, type Poller } from "../../src/freight/polling/poller.ts";
import { createPoller } from "../../src/products/ocean/sources/poll-shipment.ts";
import { recheck, startTracking } from "../../src/products/ocean/tracking/track.ts";
import { createHttpPort } from "../../src/freight/upstream/http.ts";
import { carrierEntry } from "../../packages/simulator/src/harbour/carriers-file.ts";
import {
  createHarbour,
  type Harbour,
  type HarbourBox,
} from "../../packages/simulator/src/harbour/harbour.ts";
import { serveHarbour, type ServedHarbour } from "../../packages/simulator/src/harbour/server.ts";
import { answerChangeTimes, truthOf } from "../../packages/simulator/src/harbour/truth.ts";
import { START_MS } from "../support/clock.ts";
import { query } from "../support/database.ts";
import { eventDifferences, FREE_DAYS, tariffsOf } from "./harbour-comparison.ts";
import { toldEvent } from "./harbour-life.ts";
import { openHarbour, type Harbour as Quay } from "./harbour.ts";

const DAY_MS = 24 * 3_600_000;
const DAYS = 30;
const SHIPMENTS = 30;
/** Lines that always answer: the breaker's clock stands still here. */
const LINES = ["AVCT", "DOVE", "FNCH", "GULL", "JAYL"];
/** Tokens outlive the test: their expiry follows that clock, too. */
const TOKEN_LIVES = 100 * 24;

// The server of the tests stops before the hooks of a file run, so these belong to a suite.
describe("the harbour's boxes in the store", () => {
  const world = createHarbour({ seed: 1, boxes: 200, startMs: START_MS });
  const agent = new Agent({ allowH2: false });
  let served: ServedHarbour;
  let quay: Quay;
  let nowMs = (): number => START_MS;

  before(async () => {
    const harbour = {
      ...world,
      token: (scac: string, form: URLSearchParams, atMs: number) =>
        world.token(scac, form, atMs, TOKEN_LIVES),
    };
    served = await serveHarbour({ harbour, clock: { nowMs: () => nowMs() }, startMs: START_MS, speed: 1 });
    const carriers = world.lines.map((line) => carrierEntry(line, served.url, "now"));
    quay = await openHarbour(carriers);
    nowMs = quay.clock.nowMs;
    quay.answer = createHttpPort(agent, quay.clock);
  });
  after(async () => {
    await served.close();
    await agent.destroy();
    await quay.stored.drop();
  });

  test("the events committed for some boxes are exactly the expected ones, each once", async () => {
    const ports = { ...quay.ports, tariffs: () => tariffsOf(world) };
    const poller = createPoller(ports, quay.stored.cells, { ...POLLER_DEFAULTS, gatherMs: 0, idleMs: 1 });
    const accountId = await quay.account();
    const armed = `update ${quay.cell.schema}.accounts set demurrage_armed_at = $1 where id = $2`;
    await query(quay.stored.address, armed, [new Date(START_MS), accountId]);
    const boxes = quietBoxes(world);
    const tracked = new Map<HarbourBox, string>();
    poller.start();
    for (const box of boxes) {
      const { scac: carrier, reference } = box;
      const started = await startTracking(ports, quay.cell, { accountId, reference, carrier });
      assert.ok(started.kind === "tracked");
      tracked.set(box, started.shipment.id);
    }
    await liveOn(quay, world, poller, accountId, tracked);
    await poller.stop();

    for (const [box, id] of tracked) {
      const options = { fromMs: START_MS, armedFromMs: START_MS, freeDays: FREE_DAYS };
      const truth = truthOf(world.lifeAt(box.index), options).events;
      const raised = quay.raised
        .filter(({ data }) => (JSON.parse(data) as { container_id: string }).container_id === id)
        .map((event) => toldEvent(box, event, event.occurredAtMs));
      const due = truth.filter(({ atMs }) => atMs <= quay.clock.nowMs());
      assert.deepEqual(eventDifferences(due, raised), [], `box ${box.index}`);
    }
    assert.ok(quay.raised.length > SHIPMENTS);
  });
});

function quietBoxes(world: Harbour): readonly HarbourBox[] {
  const all = Array.from({ length: world.boxCount }, (_, index) => world.boxAt(index));
  return all.filter(({ scac }) => LINES.includes(scac)).slice(0, SHIPMENTS);
}

/** From one moment at which an answer changes, or time alone changes something, to the next. */
async function liveOn(
  quay: Quay,
  world: Harbour,
  poller: Poller,
  accountId: string,
  tracked: ReadonlyMap<HarbourBox, string>,
): Promise<void> {
  const { clock, cell } = quay;
  const ports = { ...quay.ports, wake: poller.wake };
  const moments = new Map(
    [...tracked].map(([box, id]) => [id, answerChangeTimes(world.lifeAt(box.index), START_MS)] as const),
  );
  for (let last = START_MS - 1; last < START_MS + DAYS * DAY_MS;) {
    const at = Math.min(
      ...[...moments.values()].map((ms) => ms.find((one) => one > last) ?? Number.POSITIVE_INFINITY),
      (await nextChangeMs(quay)) ?? Number.POSITIVE_INFINITY,
    );
    if (at === Number.POSITIVE_INFINITY) return;
    clock.jump(at - clock.nowMs());
    for (const [id, ms] of moments) if (ms.includes(at)) await recheck(ports, cell, accountId, id);
    await allLookedAt(quay);
    last = at;
  }
}

/** When time alone changes something of a shipment next. */
async function nextChangeMs({ stored, cell }: Quay): Promise<number | null> {
  const next = `select min(changes_at) as at from ${cell.schema}.shipments where status <> 'pending'`;
  const [row] = await stored.database.rows<{ at: Date | null }>(
    { name: "test_next_change", text: next, schema: cell.schema },
    [],
  );
  return row?.at?.getTime() ?? null;
}

/** Waits until nothing is due any more, at most ten seconds. */
async function allLookedAt({ stored, cell, clock }: Quay): Promise<void> {
  const { schema } = cell;
  const due = `
    select count(*)::integer as due
    from ${schema}.polls join ${schema}.shipments on shipments.id = polls.shipment_id
    where next_poll_at <= $1 or leased_until is not null or (changes_at <= $1 and status <> 'pending')`;
  for (let attempt = 0; attempt < 5_000; attempt += 1) {
    await clock.advance(1);
    const [row] = await stored.database.rows<{ due: number }>({ name: "test_due", text: due, schema }, [
      new Date(clock.nowMs()),
    ]);
    if (row?.due === 0) return;
    await delay(2);
  }
  assert.fail("something stayed due for ten seconds");
}
