/** Actual times that lie ahead of now: estimates, until they come. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { processDueCalls } from "../../src/products/schedules/events/due-calls.ts";
import { expectedTime } from "../../src/products/schedules/calls/call-record.ts";
import { readPushed } from "../../src/products/schedules/sources/read-answer.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { departureState } from "../../src/products/schedules/search/call-view.ts";
import { START_MS } from "../support/clock.ts";
import { DAY_MS, HOUR_MS } from "./statements.ts";
import { inEachCell, openScene, type Scene, SETTINGS } from "./scene.ts";

const onDay = (day: number) => START_MS + day * DAY_MS;

describe("an actual time ahead", () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  beforeEach(() => scene.clear());
  after(() => scene.on.drop());

  const feed = { name: "ovs", carrier: "HRNL", kind: "ovs-service-schedules" } as const;
  const answer = (
    stamps: readonly (readonly [type: string, classifier: string, ms: number])[],
    nowMs: number,
  ) => {
    const timestamps = stamps.map(([eventTypeCode, eventClassifierCode, ms]) => ({
      eventTypeCode,
      eventClassifierCode,
      eventDateTime: new Date(ms).toISOString(),
    }));
    const call = { carrierExportVoyageNumber: "014E", location: { UNLocationCode: "JPYOK" }, timestamps };
    const vessel = { vesselName: "HERON DAWN", vesselIMONumber: "9321483", transportCalls: [call] };
    const read = runToEnd(
      readPushed(feed, [{ carrierServiceCode: "HE1", vesselSchedules: [vessel] }], nowMs),
    );
    assert.ok(typeof read !== "string");
    return read;
  };
  const say = async (stamps: Parameters<typeof answer>[0], day: number) => {
    const { calls: read, problems } = answer(stamps, onDay(day));
    await scene.say(read, { atMs: onDay(day) });
    return problems.map(({ message }) => message);
  };
  const call = async () => (await scene.records())[0]!;

  test("is a problem and an estimate, and what follows is heard", async () => {
    const problems = await say(
      [
        ["ARRI", "ACT", onDay(10)],
        ["DEPA", "EST", onDay(11)],
      ],
      0,
    );
    assert.deepEqual(problems, ["is ACT and lies ahead: it is an estimate until then"]);
    assert.equal(departureState(await call()), "expected");
    assert.equal((await call()).arrival.estimated?.ms, onDay(10));
    await say(
      [
        ["ARRI", "EST", onDay(3)],
        ["DEPA", "EST", onDay(4)],
      ],
      1,
    );
    assert.equal((await call()).arrival.estimated?.ms, onDay(3));
    await inEachCell(scene.ports, (own) => processDueCalls(own, SETTINGS, onDay(10)));
    assert.equal((await call()).arrival.actual, null, "it was withdrawn");
  });

  test("does not replace an estimate beside it", async () => {
    await say(
      [
        ["DEPA", "ACT", onDay(10)],
        ["DEPA", "EST", onDay(4)],
      ],
      0,
    );
    assert.equal((await call()).departure.estimated?.ms, onDay(4));
  });

  test("is withdrawn with the estimate that it was", async () => {
    await say(
      [
        ["DEPA", "PLN", onDay(4)],
        ["DEPA", "ACT", onDay(10)],
      ],
      0,
    );
    await say([["DEPA", "PLN", onDay(4)]], 1);
    assert.equal(expectedTime((await call()).departure)?.ms, onDay(4));
  });

  test("counts when its time comes, though no answer repeats it", async () => {
    await say([["DEPA", "ACT", onDay(10)]], 0);
    await inEachCell(scene.ports, (own) => processDueCalls(own, SETTINGS, onDay(10) - 1));
    assert.equal(departureState(await call()), "expected");
    await inEachCell(scene.ports, (own) => processDueCalls(own, SETTINGS, onDay(10)));
    assert.equal(departureState(await call()), "departed");
    assert.equal(await inEachCell(scene.ports, (own) => processDueCalls(own, SETTINGS, onDay(11))), false);
  });

  test("does not count once its feed leaves the call out", async () => {
    const { calls } = answer([["DEPA", "ACT", onDay(10)]], START_MS);
    const complete = { carrier: "HRNL", service: null, port: null, fromMs: START_MS, toMs: onDay(60) };
    await scene.say(calls, { complete });
    for (const day of [1, 2]) await scene.say([], { complete, atMs: onDay(day) });
    await inEachCell(scene.ports, (own) => processDueCalls(own, SETTINGS, onDay(10)));
    assert.equal(departureState(await call()), "missing");
  });

  test("of fifteen hours at most is believed", async () => {
    assert.deepEqual(await say([["DEPA", "ACT", START_MS + 15 * HOUR_MS]], 0), []);
    assert.equal(departureState(await call()), "departed");
  });
});
