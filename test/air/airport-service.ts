/**
 * The simulated airport's waybills through the whole service: airlines are polled and push messages, under a clock that
 * goes from one report to the next; store, poller and engine are the real ones.
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import type { Cells } from "../../src/store/cell.ts";
import { POLLER_DEFAULTS, type Poller } from "../../src/freight/polling/poller.ts";
import { AIR_PRODUCT, sourceQueueOf } from "../../src/products/air/air-product.ts";
import { readAirlines, type Airline } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { awbOf } from "../../src/freight/references/awb.ts";
import { createAirlineClient } from "../../src/products/air/sources/airline-client.ts";
import { createAirPoller, wakeWaybills } from "../../src/products/air/polling/poller.ts";
import { storeMessages } from "../../src/products/air/sources/pushed-messages.ts";
import { AIR_POLL_DEFAULTS } from "../../src/products/air/polling/poll-schedule.ts";
import { createAwbTracking, TRACK_DEFAULTS, type TrackAwb } from "../../src/products/air/tracking/track.ts";
import type { HttpPort } from "../../src/freight/upstream/http.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { recheckShipment } from "../../src/freight/tracking/store/shipments.ts";
import { airlineEntry } from "../../packages/simulator/src/airport/airlines-file.ts";
import type { Airport } from "../../packages/simulator/src/airport/airport.ts";
import { answerOf } from "../../packages/simulator/src/airport/answers.ts";
import { reportTimes, pushedMessagesBetween, type Life } from "../../packages/simulator/src/airport/life.ts";
import { messageOf } from "../../packages/simulator/src/airport/message.ts";
import { truthOf, type TrueEvent } from "../../packages/simulator/src/airport/truth.ts";
import { random, startHarness, type Harness } from "../engine/harness.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { shipmentGetByReference } from "../../src/freight/tracking/store/shipments.sql.ts";

const HOUR_MS = 3_600_000;
/** All reports of such a time are polled together, at its end. */
const EVERY_MS = 2 * HOUR_MS;
/** No other wait is as long: this test ends the poller's idle time itself. */
const IDLE_MS = 1_234;
const AIRPORT_URL = "http://airport.example";

/** A waybill, the start of its tracking, and the times of its polls. */
type Tracked = { readonly life: Life; readonly fromMs: number; readonly moments: readonly number[] };

/** The events that the service raised, and the true ones: sorted lines. */
export type RaisedAndTrue = { readonly raised: readonly string[]; readonly wanted: readonly string[] };

/** Runs the waybills of these indices, all booked after the time of the harness. */
export async function liveThrough(airport: Airport, indices: readonly number[]): Promise<RaisedAndTrue> {
  const harness = await startHarness({}, {}, () => realClock);
  try {
    const accountId = await harness.account();
    const tracked = indices.map((index) => trackedIn(airport, index, harness.clock.nowMs()));
    await live(harness, airport, accountId, tracked);
    return {
      raised: (await raisedIn(harness)).toSorted(byText),
      wanted: tracked.flatMap(wantedOf).toSorted(byText),
    };
  } finally {
    await harness.stop();
  }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** From just before the booking, or the first time after it at which the airline is up. */
function trackedIn(airport: Airport, index: number, notBeforeMs: number): Tracked {
  const life = airport.lifeOf(airport.waybillAt(index));
  let fromMs = Math.max(Math.floor((life.waybill.bookedMs - 1) / EVERY_MS) * EVERY_MS, notBeforeMs);
  while (airport.outageAt(life.waybill.airline, fromMs) !== null) fromMs += EVERY_MS;
  const moments = reportTimes(life, fromMs).map((ms) => Math.ceil(ms / EVERY_MS) * EVERY_MS);
  return { life, fromMs, moments: [...new Set(moments)] };
}

/** The service's parts under test; the airport's time stands still while all that is due is polled. */
type Scene = {
  readonly harness: Harness;
  readonly airport: Airport;
  readonly accountId: string;
  readonly poller: Poller;
  readonly track: TrackAwb;
  /** Polls again without waiting for the idle time. */
  readonly endIdle: () => void;
  readonly setAirportTime: (ms: number) => void;
};

async function live(
  harness: Harness,
  airport: Airport,
  accountId: string,
  tracked: readonly Tracked[],
): Promise<void> {
  const scene = sceneOf(harness, airport, accountId);
  const { clock } = harness;
  scene.poller.start();
  try {
    const due = new Set(tracked.flatMap(({ fromMs, moments }) => [fromMs, ...moments]));
    let beforeMs = clock.nowMs();
    for (const atMs of [...due].toSorted((a, b) => a - b)) {
      await clock.advance(atMs - clock.nowMs());
      scene.setAirportTime(atMs);
      for (const one of tracked) {
        await pushMessages(scene, one, beforeMs, atMs);
        await pollOrTrack(scene, one, atMs);
      }
      await allPolled(scene, atMs);
      beforeMs = atMs;
    }
  } finally {
    await harness.drive(scene.poller.stop());
  }
}

function sceneOf(harness: Harness, airport: Airport, accountId: string): Scene {
  const { clock, test, engine } = harness;
  const { database, cells } = test;
  const airlines = airlinesOf(airport);
  const chance = { uuid: random.uuid, fraction: () => 0.5 };
  let airportMs = clock.nowMs();
  const http = httpOf(airport, () => airportMs);
  const client = createAirlineClient({ airlines, http, clock, random: chance });
  // Polls and reevaluations idle each by itself.
  const idle = new Set<() => void>();
  const withoutIdling: Clock = {
    ...clock,
    after(delayMs, action) {
      if (delayMs !== IDLE_MS) return clock.after(delayMs, action);
      idle.add(action);
      return () => void idle.delete(action);
    },
  };
  const endIdle = (): void => {
    const actions = [...idle];
    idle.clear();
    for (const action of actions) action();
  };
  const index = createReferenceIndex({ database, cells, clock });
  const poller = createAirPoller(
    {
      database,
      airlines,
      client,
      isEntitled: async () => true,
      cells: cells as Cells,
      index,
      raiseWithin: (one, change) => engine.raiseWithin(one, change),
      check: createEventDataCheck(products),
      clock: withoutIdling,
      random: chance,
      log: silentLog,
      loops: unwatchedLoops,
      // Only requested and failed polls are due.
      polling: { ...AIR_POLL_DEFAULTS, intervalMs: 10_000 * HOUR_MS, notFoundWaitMsMax: HOUR_MS },
    },
    { ...POLLER_DEFAULTS, gatherMs: 0, idleMs: IDLE_MS, leaseMs: 1_000 * HOUR_MS },
  );
  const ports = { database, index, airlines, client, clock, random, wake: poller.wake };
  const track = createAwbTracking(ports, { ...TRACK_DEFAULTS, firstWaitMsMax: 0 });
  const setAirportTime = (ms: number): void => void (airportMs = ms);
  return { harness, airport, accountId, poller, track, endIdle, setAirportTime };
}

async function pushMessages(
  { harness: { clock, test }, poller: { wake } }: Scene,
  { life }: Tracked,
  beforeMs: number,
  atMs: number,
): Promise<void> {
  const { database, cells } = test;
  const index = createReferenceIndex({ database, cells, clock });
  const messages = pushedMessagesBetween(life, beforeMs, atMs).map((reports) =>
    Buffer.from(messageOf("FSU", life.waybill, reports, reports[0]!.reportedMs)),
  );
  if (messages.length === 0) return;
  const pushed = await storeMessages({ database, index, clock, random }, messages);
  // Airlines of the airport send a quantity that nobody can read now and then.
  const problems = pushed.problems.filter(({ message }) => !message.startsWith("a quantity such as"));
  assert.deepEqual([pushed.refused, problems], [0, []]);
  await wakeWaybills({ database, index, clock, wake }, pushed.awbs);
}

async function pollOrTrack(
  { harness: { cell, test }, accountId, track }: Scene,
  { life, fromMs, moments }: Tracked,
  atMs: number,
): Promise<void> {
  const { awb } = life.waybill;
  if (fromMs === atMs) await track(cell, accountId, awbOf(awb));
  else if (fromMs < atMs && moments.includes(atMs)) {
    const owner = { product: AIR_PRODUCT, accountId };
    const shipment = await shipmentGetByReference(test.database, cell, { ...owner, reference: awb });
    await recheckShipment(test.database, cell, owner, shipment!.id);
  }
}

function airlinesOf(airport: Airport): readonly Airline[] {
  const entries = airport.airlines.map((one) => airlineEntry(one, AIRPORT_URL, "now"));
  const file = readAirlines(JSON.stringify(entries));
  assert.ok(file.kind === "entries", JSON.stringify(file));
  return file.entries;
}

/** The airport without sockets, so that thousands of polls take seconds. */
function httpOf(airport: Airport, nowMs: () => number): HttpPort {
  return async (url, { headers, form, body }) => {
    const method = form === undefined && body === undefined ? "GET" : "POST";
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const sent = body?.text ?? new URLSearchParams(form).toString();
    const request = { method, url, headers: Object.fromEntries(lower), body: sent };
    const answer = answerOf(airport, request, nowMs(), 1);
    if (answer.status === 0) return { kind: "failed", reason: "timeout" };
    const headersByName = new Map(Object.entries(answer.headers));
    const header = (name: string): string | null => headersByName.get(name) ?? null;
    return { kind: "answered", status: answer.status, body: answer.body, header };
  };
}

const STEP_MS = 100;
const STEPS_MAX = 1_000;

/** Waits until only waybills of airlines that are down are due. */
async function allPolled(
  { harness: { test, cell, clock }, airport, endIdle }: Scene,
  atMs: number,
): Promise<void> {
  const up = airport.airlines.filter((airline) => airport.outageAt(airline, atMs) === null);
  const queues = up.map(({ prefix }) => sourceQueueOf(prefix));
  const text = `
    select count(*)::integer as due
    from ${cell.schema}.polls join ${cell.schema}.shipments on shipments.id = polls.shipment_id
    where leased_until is not null or changes_at <= $1 or (next_poll_at <= $1 and source = any ($2))`;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    endIdle();
    await clock.advance(STEP_MS);
    const query = { name: "test_waybills_due", text, schema: cell.schema };
    const [row] = await test.database.rows<{ due: number }>(query, [new Date(clock.nowMs()), queues]);
    if (row?.due === 0) return;
    await delay(1);
  }
  assert.fail("some waybills stayed due");
}

async function raisedIn({ sql }: Harness): Promise<readonly string[]> {
  const rows = await sql("select type, occurred_at, data from cell.events");
  return rows.map(({ type, occurred_at, data }) => {
    const fields = JSON.parse(String(data)) as Readonly<Record<string, unknown>>;
    const happened = fields["event_date_time"];
    const happenedMs = typeof happened === "string" ? Date.parse(happened) : null;
    const atMs = Math.floor((occurred_at as Date).getTime() / EVERY_MS) * EVERY_MS;
    const about = ["awb", "airline_iata", "status", "origin", "destination"].map((field) => fields[field]);
    return lineOf({ atMs, type: type as TrueEvent["type"], happenedMs }, about);
  });
}

function wantedOf({ life, fromMs, moments }: Tracked): readonly string[] {
  const { awb, airline, origin, destination } = life.waybill;
  return truthOf(life, fromMs, [fromMs, ...moments.filter((ms) => ms > fromMs)]).events.map((event) =>
    lineOf(event, [awb, airline.iata, event.type.slice("awb_".length), origin, destination]),
  );
}

function lineOf({ atMs, type, happenedMs }: TrueEvent, about: readonly unknown[]): string {
  const happened = happenedMs === null ? "no time" : new Date(happenedMs).toISOString();
  return `${about.join(" ")}: ${type} at ${new Date(atMs).toISOString()} of ${happened}`;
}
