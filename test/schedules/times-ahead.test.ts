/** Actual times that lie ahead of now: estimates, until they come. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { expectedTime } from "../../src/products/schedules/calls/call-record.ts";
import { readPushed } from "../../src/products/schedules/sources/read-answer.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { departureState } from "../../src/products/schedules/search/call-view.ts";
import { START_MS } from "../support/clock.ts";
import { DAY_MS } from "./statements.ts";
import { describeScene } from "./scene.ts";

const onDay = (day: number) => START_MS + day * DAY_MS;

describeScene("an actual time ahead", (scene) => {
  const feed = { name: "ovs", carrier: "HRNL", kind: "ovs-service-schedules" } as const;
  /** Stamps by type, classifier and day: `ARRI ACT 10`. */
  const answer = (stamps: readonly string[], nowMs: number) => {
    const timestamps = stamps.map((one) => {
      const [eventTypeCode, eventClassifierCode, day] = one.split(" ");
      const eventDateTime = new Date(onDay(Number(day))).toISOString();
      return { eventTypeCode, eventClassifierCode, eventDateTime };
    });
    const call = { carrierExportVoyageNumber: "014E", location: { UNLocationCode: "JPYOK" }, timestamps };
    const vessel = { vesselName: "HERON DAWN", vesselIMONumber: "9321483", transportCalls: [call] };
    const read = runToEnd(
      readPushed(feed, [{ carrierServiceCode: "HE1", vesselSchedules: [vessel] }], nowMs),
    );
    assert.ok(typeof read !== "string");
    return read;
  };
  const say = async (day: number, ...stamps: readonly string[]) => {
    const { calls: read, problems } = answer(stamps, onDay(day));
    await scene.say(read, { atMs: onDay(day) });
    return problems.map(({ message }) => message);
  };
  const call = async () => (await scene.records())[0]!;

  test("is a problem and an estimate, and what follows is heard", async () => {
    const problems = await say(0, "ARRI ACT 10", "DEPA EST 11");
    assert.deepEqual(problems, ["is ACT and lies ahead: it is an estimate until then"]);
    assert.equal(departureState(await call()), "expected");
    assert.equal((await call()).arrival.estimated?.ms, onDay(10));
    await say(1, "ARRI EST 3", "DEPA EST 4");
    assert.equal((await call()).arrival.estimated?.ms, onDay(3));
    await scene.processDue(onDay(10));
    assert.equal((await call()).arrival.actual, null, "it was withdrawn");
  });

  test("does not replace an estimate beside it", async () => {
    await say(0, "DEPA ACT 10", "DEPA EST 4");
    assert.equal((await call()).departure.estimated?.ms, onDay(4));
  });

  test("is withdrawn with the estimate that it was", async () => {
    await say(0, "DEPA PLN 4", "DEPA ACT 10");
    await say(1, "DEPA PLN 4");
    assert.equal(expectedTime((await call()).departure)?.ms, onDay(4));
  });

  test("counts when its time comes, though no answer repeats it", async () => {
    await say(0, "DEPA ACT 10");
    await scene.processDue(onDay(10) - 1);
    assert.equal(departureState(await call()), "expected");
    await scene.processDue(onDay(10));
    assert.equal(departureState(await call()), "departed");
    assert.equal(await scene.processDue(onDay(11)), false);
  });

  test("does not count once its feed leaves the call out", async () => {
    const { calls } = answer(["DEPA ACT 10"], START_MS);
    const complete = { carrier: "HRNL", service: null, port: null, fromMs: START_MS, toMs: onDay(60) };
    await scene.say(calls, { complete });
    for (const day of [1, 2]) await scene.say([], { complete, atMs: onDay(day) });
    await scene.processDue(onDay(10));
    assert.equal(departureState(await call()), "missing");
  });

  test("of fifteen hours at most is believed", async () => {
    assert.deepEqual(await say(0, `DEPA ACT ${15 / 24}`), []);
    assert.equal(departureState(await call()), "departed");
  });
});
