/**
 * The simulated airport's waybills through the whole service: airlines are asked and push messages, under a clock
 * that goes from one moment at which something is said to the next; store, poller and engine are the real ones.
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

import { AIR_PRODUCT, sourceQueueOf } from "../../src/products/air/air-product.ts";
import { readAirlines, type Airline } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { awbOf } from "../../src/freight/references/awb.ts";
import { createAirlineClient } from "../../src/products/air/sources/airline-client.ts";
import { wakeWaybills } from "../../src/products/air/sources/wake-waybills.ts";
import { createAirPoller } from "../../src/products/air/sources/poller.ts";
import { pushedStatementsOf, storeMessages } from "../../src/products/air/sources/pushed-messages.ts";
import { AIR_POLL_DEFAULTS } from "../../src/products/air/sources/poll-schedule.ts";
import { createAwbTracking, TRACK_DEFAULTS } from "../../src/products/air/tracking/track.ts";
import { POLLER_DEFAULTS } from "../../src/freight/polling/poller.ts";
import type { HttpPort } from "../../src/freight/upstream/http.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { recheckShipment } from "../../src/freight/tracking/store/shipments.ts";
import { getShipmentByReference } from "../../src/freight/tracking/store/shipments-read.ts";
import { airlineEntry } from "../../packages/simulator/src/airport/airlines-file.ts";
import type { Airport } from "../../packages/simulator/src/airport/airport.ts";
import { answerOf } from "../../packages/simulator/src/airport/answers.ts";
import { reportTimes, pushedReportsBetween, type Life } from "../../packages/simulator/src/airport/life.ts";
import { messageOf } from "../../packages/simulator/src/airport/message.ts";
import { truthOf, type TrueEvent } from "../../packages/simulator/src/airport/truth.ts";
import { random, startHarness, type Harness } from "../engine/harness.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { unwatchedLoops } from "../support/loops.ts";

const HOUR_MS = 3_600_000;
/** All that comes about between two of these moments is looked at together, at the second. */
const EVERY_MS = 2 * HOUR_MS;
/** No other wait is as long: the poller looks for what is due when this test says so. */
const IDLE_MS = 1_234;
const AIRPORT_URL = "http://airport.example";

/** A waybill, when it begins to be tracked, and when it is looked at. */
type Tracked = { readonly life: Life; readonly fromMs: number; readonly moments: readonly number[] };

/** What the service raised, and what the truth calls for: lines in one order. */
export type RaisedAndTrue = { readonly raised: readonly string[]; readonly wanted: readonly string[] };

/** Lives through the waybills of these indices, all of which are booked after the harness's clock. */
export async function liveThrough(airport: Airport, indices: readonly number[]): Promise<RaisedAndTrue> {
  const harness = await startHarness({}, undefined, () => realClock);
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

/** From the moment before it is booked, or the first after it at which the airline is there. */
function trackedIn(airport: Airport, index: number, notBeforeMs: number): Tracked {
  const life = airport.lifeOf(airport.waybillAt(index));
  let fromMs = Math.max(Math.floor((life.waybill.bookedMs - 1) / EVERY_MS) * EVERY_MS, notBeforeMs);
  while (airport.outageAt(life.waybill.airline, fromMs) !== null) fromMs += EVERY_MS;
  const moments = reportTimes(life, fromMs).map((ms) => Math.ceil(ms / EVERY_MS) * EVERY_MS);
  return { life, fromMs, moments: [...new Set(moments)] };
}

async function live(
  harness: Harness,
  airport: Airport,
  accountId: string,
  tracked: readonly Tracked[],
): Promise<void> {
  const { clock, cell, test, engine } = harness;
  const { database, cells } = test;
  const [first] = cells as [typeof cell];
  const airlines = airlinesOf(airport);
  const chance = { uuid: random.uuid, fraction: () => 0.5 };
  // Its time stands still while all that is due is looked at.
  let airportMs = clock.nowMs();
  const desk = createAirlineClient({
    airlines,
    http: httpOf(airport, () => airportMs),
    clock,
    random: chance,
  });
  let idle = (): void => undefined;
  const withoutIdling: Clock = {
    ...clock,
    after(delayMs, action) {
      if (delayMs !== IDLE_MS) return clock.after(delayMs, action);
      idle = action;
      return () => undefined;
    },
  };
  const poller = createAirPoller(
    {
      database,
      airlines,
      client: desk,
      pushedStatementsOf: (awb) => pushedStatementsOf(database, first, awb),
      raiseWithin: (one, change) => engine.raiseWithin(one, change),
      check: createEventDataCheck(products),
      clock: withoutIdling,
      random: chance,
      log: silentLog,
      loops: unwatchedLoops,
      // Only what is asked for, and what failed, is looked at.
      polling: { ...AIR_POLL_DEFAULTS, intervalMs: 10_000 * HOUR_MS, notFoundWaitMsMax: HOUR_MS },
    },
    cells,
    { ...POLLER_DEFAULTS, gatherMs: 0, idleMs: IDLE_MS, leaseMs: 1_000 * HOUR_MS },
  );
  const { wake } = poller;
  const ports = { database, airlines, client: desk, clock, random, wake };
  const track = createAwbTracking(ports, { ...TRACK_DEFAULTS, firstWaitMsMax: 0 });
  poller.start();
  try {
    const due = new Set(tracked.flatMap(({ fromMs, moments }) => [fromMs, ...moments]));
    let beforeMs = clock.nowMs();
    for (const atMs of [...due].toSorted((a, b) => a - b)) {
      await clock.advance(atMs - clock.nowMs());
      airportMs = atMs;
      for (const { life, fromMs, moments } of tracked) {
        const { awb } = life.waybill;
        const messages = pushedReportsBetween(life, beforeMs, atMs).map((saying) =>
          Buffer.from(messageOf("FSU", life.waybill, [saying], saying.reportedMs)),
        );
        if (messages.length > 0) {
          const pushed = await storeMessages({ database, cell: first, clock, random }, messages);
          assert.deepEqual([pushed.refused, pushed.problems], [0, []]);
          await wakeWaybills({ database, cells, clock, wake }, pushed.awbs);
        }
        if (fromMs === atMs) await track(cell, accountId, awbOf(awb));
        else if (fromMs < atMs && moments.includes(atMs)) {
          const owner = { product: AIR_PRODUCT, accountId };
          const shipment = await getShipmentByReference(database, cell, owner, awb);
          await recheckShipment(database, cell, owner, shipment!.id);
        }
      }
      await allLookedAt(harness, airport, atMs, () => idle());
      beforeMs = atMs;
    }
  } finally {
    await harness.drive(poller.stop());
  }
}

function airlinesOf(airport: Airport): readonly Airline[] {
  const entries = airport.airlines.map((one) => airlineEntry(one, AIRPORT_URL, "now"));
  const file = readAirlines(JSON.stringify(entries));
  assert.ok(file.kind === "airlines", JSON.stringify(file));
  return file.airlines;
}

/** The airport without sockets, so that thousands of looks take seconds. */
function httpOf(airport: Airport, nowMs: () => number): HttpPort {
  return async (url, { headers, form, body }) => {
    const method = form === undefined && body === undefined ? "GET" : "POST";
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const sent = body?.text ?? new URLSearchParams(form).toString();
    const request = { method, url, headers: Object.fromEntries(lower), body: sent };
    const answer = answerOf(airport, request, nowMs(), 1);
    if (answer.status === 0) return { kind: "failed", reason: "timeout" };
    const told = new Map(Object.entries(answer.headers));
    const header = (name: string): string | null => told.get(name) ?? null;
    return { kind: "answered", status: answer.status, body: answer.body, header };
  };
}

const STEP_MS = 100;
const STEPS_MAX = 1_000;

/** Waits until nothing is due any more but of airlines that are down. */
async function allLookedAt(
  { test, cell, clock }: Harness,
  airport: Airport,
  atMs: number,
  idle: () => void,
): Promise<void> {
  const there = airport.airlines.filter((airline) => airport.outageAt(airline, atMs) === null);
  const lanes = there.map(({ prefix }) => sourceQueueOf(prefix));
  const text = `
    select count(*)::integer as due
    from ${cell.schema}.polls join ${cell.schema}.shipments on shipments.id = polls.shipment_id
    where leased_until is not null or changes_at <= $1 or (next_poll_at <= $1 and source = any ($2))`;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    idle();
    await clock.advance(STEP_MS);
    const parameters = [new Date(clock.nowMs()), lanes];
    const [row] = await test.database.rows<{ due: number }>({ name: "test_waybills_due", text }, parameters);
    if (row?.due === 0) return;
    await delay(1);
  }
  assert.fail("some waybills stayed due");
}

async function raisedIn({ sql }: Harness): Promise<readonly string[]> {
  const rows = await sql("select type, occurred_at, data from cell.events");
  return rows.map(({ type, occurred_at, data }) => {
    const told = JSON.parse(String(data)) as Readonly<Record<string, unknown>>;
    const happened = told["event_date_time"];
    const happenedMs = typeof happened === "string" ? Date.parse(happened) : null;
    const atMs = Math.floor((occurred_at as Date).getTime() / EVERY_MS) * EVERY_MS;
    const about = ["awb", "airline_iata", "status", "origin", "destination"].map((field) => told[field]);
    return lineOf({ atMs, type: type as TrueEvent["type"], happenedMs }, about);
  });
}

function wantedOf({ life, fromMs, moments }: Tracked): readonly string[] {
  const { awb, airline, route } = life.waybill;
  return truthOf(life, fromMs, [fromMs, ...moments.filter((ms) => ms > fromMs)]).events.map((event) =>
    lineOf(event, [awb, airline.iata, event.type.slice("awb_".length), route[0], route.at(-1)]),
  );
}

function lineOf({ atMs, type, happenedMs }: TrueEvent, about: readonly unknown[]): string {
  const happened = happenedMs === null ? "no time" : new Date(happenedMs).toISOString();
  return `${about.join(" ")}: ${type} at ${new Date(atMs).toISOString()} of ${happened}`;
}
