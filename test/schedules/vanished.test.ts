/**
 * Departures that vanish from a feed: the search marks them at once, and each is reported before its day, as one voyage,
 * however far the feed looks.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CallStatement } from "../../src/products/schedules/calls/call-statement.ts";
import { callState, departureState } from "../../src/products/schedules/search/call-view.ts";
import { completeScope } from "../../src/products/schedules/sources/feed-client.ts";
import { expectedTime } from "../../src/products/schedules/calls/call-record.ts";
import { START_MS } from "../support/clock.ts";
import { DAY_MS, said, saidFor, type Said } from "./statements.ts";
import { describeScene } from "./scene.ts";
import { readPushed } from "../../src/products/schedules/sources/read-answer.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";

const onDay = (day: number) => START_MS + day * DAY_MS;
const PORTS = ["JPYOK", "KRPUS", "CNSHA", "SGSIN", "NLRTM", "DEHAM", "BEANR"];

/** Calls a week apart, the first of them arriving on the day. */
function voyage(number: string, day: number, more: Said = {}): readonly CallStatement[] {
  const { imo = "9321483" } = more.vessel ?? {};
  const vessel = { imo, name: null, isDummy: false };
  const own = { portName: null, voyage: { import: number, export: number }, ...more, vessel };
  return PORTS.map((port, place) => saidFor(onDay(day + place * 7), { ...own, port }));
}

describeScene("a departure that vanishes", (scene) => {
  /** A feed of the service answers with those calls that lie within its days. */
  const answers = async (calls: readonly CallStatement[], day: number, daysAhead: number, feed = "ovs") => {
    const untilMs = onDay(day + daysAhead);
    const timeOf = ({ departure }: CallStatement) => expectedTime(departure)!.ms;
    const listed = calls.filter((call) => timeOf(call) > onDay(day - 7) && timeOf(call) <= untilMs);
    const scope = { service: "HE1", port: null, vessel: null, untilMs };
    const complete = completeScope("HRNL", scope, listed, onDay(day));
    return scene.say(listed, { feed, atMs: onDay(day), complete });
  };
  const raised = async () =>
    (await scene.raised())
      .filter(({ type }) => type === "blank_sailing")
      .map(({ data }) => [data["kind"], data["reason"], data["voyage"]].join(" "));
  const statesOf = async (number: string) =>
    (await scene.records()).filter(({ voyage: { export: own } }) => own === number).map(callState);

  const keeps = voyage("020E", 3, { vessel: { imo: "9456783", name: null, isDummy: false } });
  for (const daysAhead of [28, 90]) {
    test(`is marked at once and reported once as one voyage, ${daysAhead} days ahead`, async () => {
      const goes = voyage("014E", 20);
      const runsOn = [...keeps, ...voyage("030E", 60)];
      for (const day of [0, 5, 10, 10.75]) await answers([...runsOn, ...goes], day, daysAhead);
      await answers(runsOn, 11, daysAhead);
      assert.deepEqual([...new Set(await statesOf("014E"))], ["uncertain"], "at once");
      assert.deepEqual(await raised(), []);
      await answers(runsOn, 11.25, daysAhead);
      assert.deepEqual(await raised(), ["voyage missing 014E"]);
      for (let day = 12; day < 70; day += 3) {
        await answers(runsOn, day, daysAhead);
        await scene.processDue(onDay(day));
      }
      assert.deepEqual(await raised(), ["voyage missing 014E"]);
    });
  }

  test("is reported a day before it if its feed does not answer again", async () => {
    await answers([...keeps, ...voyage("014E", 20)], 0, 60);
    await answers(keeps, 11, 60);
    await scene.processDue(onDay(20) - 1);
    assert.deepEqual(await raised(), []);
    await scene.processDue(onDay(20));
    assert.deepEqual(await raised(), ["voyage missing 014E"]);
    await scene.processDue(onDay(20));
    assert.equal((await raised()).length, 1);
  });

  test("is reported a day before it if nothing that the answers list lies behind it", async () => {
    const last = voyage("014E", 8);
    const first = voyage("013E", -40);
    await answers([...first, ...last], 0, 60);
    for (const day of [0.5, 1, 3, 5.5]) {
      await answers(first, day, 60);
      await scene.processDue(onDay(day));
    }
    assert.deepEqual(await raised(), []);
    await scene.processDue(onDay(8));
    assert.deepEqual(await raised(), ["voyage missing 014E"]);
  });

  test("stands again with the next answer that lists it, and nothing is raised", async () => {
    const goes = voyage("014E", 20);
    await answers([...keeps, ...goes], 0, 60);
    await answers(keeps, 1, 60);
    await answers([...keeps, ...goes], 1.25, 60);
    await scene.processDue(onDay(30));
    assert.deepEqual([...new Set(await statesOf("014E"))], ["expected"]);
    assert.deepEqual(await raised(), []);
    assert.ok((await scene.records()).every(({ reinstatedMs }) => reinstatedMs === null));
  });

  test("and comes back once it was reported is reinstated", async () => {
    const goes = voyage("014E", 20);
    await answers([...keeps, ...goes], 0, 60);
    for (const day of [1, 1.5]) await answers(keeps, day, 60);
    await answers([...keeps, ...goes], 2, 60);
    const records = (await scene.records()).filter(({ voyage: { export: own } }) => own === "014E");
    assert.ok(records.every(({ reinstatedMs }) => reinstatedMs === onDay(2)));
    assert.deepEqual([...new Set(await statesOf("014E"))], ["expected"]);
  });

  test("is uncertain after a vessel's answer without it, and never gone", async () => {
    const goes = voyage("014E", 20);
    const scope = { service: null, port: null, vessel: "9321483", untilMs: onDay(60) };
    const say = (calls: readonly CallStatement[], day: number) =>
      scene.say(calls, {
        atMs: onDay(day),
        complete: completeScope("HRNL", { ...scope, untilMs: onDay(day + 60) }, calls, onDay(day)),
      });
    const next = voyage("015E", 70);
    await say([...goes, ...next], 11);
    for (const day of [12, 13]) await say(next, day);
    await scene.processDue(onDay(20));
    assert.deepEqual([...new Set(await statesOf("014E"))], ["uncertain"]);
    assert.deepEqual(await raised(), []);
  });

  test("of one vessel is reported though another vessel's voyage has the same number", async () => {
    const other = voyage("014E", 27, { vessel: { imo: "9456783", name: null, isDummy: false } });
    const goes = voyage("014E", 20);
    await answers([...goes, ...other], 0, 90);
    for (const day of [1, 2]) await answers(other, day, 90);
    assert.deepEqual(await raised(), ["voyage missing 014E"]);
    const states = (await scene.records()).map((call) => `${call.vessel.imo} ${callState(call)}`);
    assert.deepEqual(new Set(states), new Set(["9321483 missing", "9456783 expected"]));
  });
});

describeScene("a voyage that one blanked call cancels", (scene) => {
  const calls = (status: "BLNK" | null = null) => [
    saidFor(onDay(10), { voyage: { import: "013W", export: "014E" } }),
    saidFor(onDay(12), { port: "CNSHA", status }),
    saidFor(onDay(20), { port: "SGSIN" }),
    saidFor(onDay(30), { port: "NLRTM", voyage: { import: "014E", export: "015W" } }),
    saidFor(onDay(33), { port: "DEHAM", voyage: { import: "015W", export: "015W" } }),
  ];
  const states = async () =>
    Object.fromEntries((await scene.records()).map((call) => [call.port, departureState(call)]));
  const voyageCalls = (of: "expected" | "blanked") => ({
    JPYOK: of,
    CNSHA: of,
    SGSIN: of,
    NLRTM: "expected",
    DEHAM: "expected",
  });

  test("has none of its legs on sale, and all of them once it is withdrawn", async () => {
    await scene.say(calls());
    const blanked = calls("BLNK");
    await scene.say(blanked, { atMs: onDay(1) });
    assert.deepEqual(await states(), voyageCalls("blanked"));
    const [event, ...more] = await scene.raised();
    assert.deepEqual(more, []);
    assert.equal((event!.data["port_calls"] as unknown[]).length, 3);
    await scene.say(calls(), { atMs: onDay(2) });
    assert.deepEqual(await states(), voyageCalls("expected"));
    const back = (await scene.records()).filter(({ reinstatedMs }) => reinstatedMs === onDay(2));
    assert.equal(back.length, 3);
    await scene.say(blanked, { atMs: onDay(3) });
    assert.equal((await scene.raised()).length, 2);
    assert.ok((await scene.records()).every(({ reinstatedMs }) => reinstatedMs === null));
  });

  test("cancels a call that becomes known later, and no call that a vessel has left", async () => {
    const [first, second, ...others] = calls("BLNK");
    await scene.say([second!]);
    await scene.say([first!, ...others], { atMs: onDay(1) });
    assert.deepEqual(await states(), voyageCalls("blanked"));
    const left = said({ port: "CNSHA", departure: { actual: onDay(13) }, arrival: { actual: onDay(12) } });
    await scene.say([left], { atMs: onDay(14) });
    assert.deepEqual(await states(), { ...voyageCalls("expected"), CNSHA: "departed" });
  });

  test("still has the vessel's arrival on the voyage before", async () => {
    await scene.say(calls());
    await scene.say(calls("BLNK"), { atMs: onDay(1) });
    const yokohama = (await scene.records()).find(({ port }) => port === "JPYOK")!;
    assert.deepEqual([callState(yokohama), departureState(yokohama)], ["expected", "blanked"]);
  });
});

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
