/** The simulated airport as the service meets it: polled over sockets, and pushing messages. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Agent } from "undici";

import { createAirlineClient } from "../../src/products/air/sources/airline-client.ts";
import { readAirlines } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { readMessages } from "../../src/products/air/sources/imp/read-messages.ts";
import { createHttpPort } from "../../src/freight/upstream/http.ts";
import { airlineEntry } from "../../packages/simulator/src/airport/airlines-file.ts";
import { createAirport, type Airport } from "../../packages/simulator/src/airport/airport.ts";
import { pushedMessages } from "../../packages/simulator/src/airport/life.ts";
import { startPushing } from "../../packages/simulator/src/airport/pushing.ts";
import { serveAirport } from "../../packages/simulator/src/airport/server.ts";
import type { Waybill } from "../../packages/simulator/src/airport/waybill.ts";
import { manualClock } from "../support/clock.ts";
import { realClock } from "../support/real-clock.ts";
import { answerAt } from "./airport-life.ts";

const START_MS = Date.UTC(2026, 2, 1);
const HOUR_MS = 3_600_000;
const AIRPORT = createAirport({ seed: 1, waybills: 120, startMs: START_MS });

test("airlines answer over sockets what they know at that time", async () => {
  const atMs = whenOneIsDown(AIRPORT);
  const served = await serveAirport({ airport: AIRPORT, nowMs: () => atMs, speed: 1 });
  const agent = new Agent({ allowH2: false });
  try {
    const written = JSON.stringify(
      AIRPORT.airlines.map((one) => airlineEntry(one, served.url, "answer-date")),
    );
    const file = readAirlines(written);
    assert.ok(file.kind === "entries", JSON.stringify(file));
    const { entries: airlines } = file;
    const random = { fraction: () => 1 };
    const client = createAirlineClient({
      airlines,
      http: createHttpPort(agent, realClock),
      clock: realClock,
      random,
    });
    const kinds = new Map<string, number>();
    for (const waybill of waybillsOf(AIRPORT)) {
      if (waybill.airline.protocol === "fsu") continue;
      const entry = airlines.find(({ iata }) => iata === waybill.airline.iata)!;
      const answer = await client.fetch(entry, waybill.awb);
      const known = answerAt(AIRPORT.lifeOf(waybill), atMs);
      const isDown = AIRPORT.outageAt(waybill.airline, atMs) !== null;
      assert.equal(answer.kind, isDown ? "unavailable" : known.length === 0 ? "not_found" : "statement");
      if (answer.kind === "statement") assert.deepEqual([answer.statement], known);
      kinds.set(answer.kind, (kinds.get(answer.kind) ?? 0) + 1);
    }
    assert.deepEqual([...kinds.keys()].toSorted(), ["not_found", "statement", "unavailable"]);
  } finally {
    await agent.destroy();
    await served.close();
  }
});

/** An hour in which some airline is down, and none leaves a request unanswered. */
function whenOneIsDown({ airlines, outageAt }: Airport): number {
  for (let atMs = START_MS; ; atMs += HOUR_MS) {
    const kinds = airlines.flatMap((airline) => outageAt(airline, atMs)?.kind ?? []);
    if (kinds.length > 0 && !kinds.includes("silent")) return atMs;
  }
}

function waybillsOf({ waybillCount, waybillAt }: Airport): readonly Waybill[] {
  return Array.from({ length: waybillCount }, (_, index) => waybillAt(index));
}

test("each message is pushed once it is due, and again until it is accepted", async () => {
  const clock = manualClock(START_MS);
  const taken: string[] = [];
  let refusals = 3;
  const stop = startPushing({
    airport: AIRPORT,
    clock,
    nowMs: clock.nowMs,
    deliver(messages) {
      refusals -= 1;
      if (refusals < 0) taken.push(...messages);
      return refusals === 0 ? Promise.reject(new Error("no listener")) : Promise.resolve(refusals < 0);
    },
  });
  await clock.advance(10_000);
  assert.equal(taken.length, reportedBy(START_MS));
  clock.jump(20 * 24 * HOUR_MS);
  await clock.advance(1_000);
  assert.equal(taken.length, reportedBy(clock.nowMs()));
  stop();
  assert.equal(clock.pending(), 0);
  const read = taken.flatMap((text) => readMessages(text, START_MS));
  assert.ok(read.every((message) => message.kind === "message" && message.type === "FSU"));
});

function reportedBy(atMs: number): number {
  const pushed = waybillsOf(AIRPORT).flatMap((waybill) => pushedMessages(AIRPORT.lifeOf(waybill)));
  return pushed.filter(([first]) => first!.reportedMs <= atMs).length;
}
