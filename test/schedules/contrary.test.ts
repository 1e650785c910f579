/**
 * Small feeds that try to make the record say something false: rotations that repeat a port, swapped ports, voyages
 * that are renumbered midway, vessels that change, calls that are omitted and added again, wrong times, answers that
 * repeat or lose calls, and feeds that contradict each other.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { processDueCalls } from "../../src/products/schedules/events/due-calls.ts";
import type { CallStatement } from "../../src/products/schedules/calls/call-statement.ts";
import { expectedTime } from "../../src/products/schedules/calls/call-record.ts";
import { completeScope } from "../../src/products/schedules/sources/complete-scope.ts";
import { departureState } from "../../src/products/schedules/search/call-view.ts";
import { START_MS } from "../support/clock.ts";
import { DAY_MS, HOUR_MS, said, saidFor, type Said } from "./statements.ts";
import { inEachCell, openScene, type Scene, SETTINGS } from "./scene.ts";

const onDay = (day: number) => START_MS + day * DAY_MS;

/** Calls by port and day of arrival: `JPYOK@10 CNSHA@13`. */
function calls(text: string, more: Said = {}): readonly CallStatement[] {
  return text.split(" ").map((one) => {
    const [port, day] = one.split("@");
    return saidFor(onDay(Number(day)), { port: port!, portName: null, ...more });
  });
}

const numbered = (number: string) => ({ voyage: { import: number, export: number } });
const vesselOf = (imo: string) => ({ vessel: { imo, name: null, isDummy: false } });

describe("a feed", () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  beforeEach(() => scene.clear());
  after(() => scene.on.drop());

  /** A later voyage of the service, so that answers reach far. */
  const far = calls("JPYOK@50 CNSHA@53 SGSIN@57", { ...numbered("090E"), ...vesselOf("9456783") });
  const answers = (listed: readonly CallStatement[], day: number, feed = "ovs", isComplete = true) => {
    const all = [...listed, ...far];
    const scope = { service: "HE1", port: null, vessel: null, untilMs: onDay(day + 60) };
    const complete = isComplete ? completeScope("HRNL", scope, all, onDay(day)) : null;
    return scene.say(all, { feed, atMs: onDay(day), complete });
  };
  const told = async () =>
    (await scene.raised()).map(({ type, data }) =>
      type === "blank_sailing"
        ? [data["kind"], data["reason"], data["voyage"], data["port"] ?? ""].join(" ").trim()
        : [type, data["port"], data["delta_hours"] ?? data["cut_off_code"]].join(" "),
    );
  const states = async () =>
    (await scene.records())
      .filter(({ voyage }) => voyage.export !== "090E")
      .toSorted((one, other) => expectedTime(one.departure)!.ms - expectedTime(other.departure)!.ms)
      .map((call) => `${call.port} ${departureState(call)}`);
  const check = (day: number) => inEachCell(scene.ports, (own) => processDueCalls(own, SETTINGS, onDay(day)));

  test("that calls twice at a port and drops the first call tells that one", async () => {
    await answers(calls("SGSIN@10 IDJKT@13 THLCH@17 SGSIN@22"), 0);
    for (const day of [1, 2]) await answers(calls("IDJKT@13 THLCH@17 SGSIN@22"), day);
    assert.deepEqual(await told(), ["port_call missing 014E SGSIN"]);
    assert.deepEqual(await states(), ["SGSIN missing", "IDJKT expected", "THLCH expected", "SGSIN expected"]);
  });

  test("that calls twice at a port and drops the second call tells that one", async () => {
    await answers(calls("SGSIN@10 IDJKT@13 SGSIN@17 THLCH@22"), 0);
    for (const day of [1, 2]) await answers(calls("SGSIN@10 IDJKT@13 THLCH@22"), day);
    assert.deepEqual(await told(), ["port_call missing 014E SGSIN"]);
    assert.deepEqual(await states(), ["SGSIN expected", "IDJKT expected", "SGSIN missing", "THLCH expected"]);
  });

  test("that swaps two ports tells the moves, and cancels nothing", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20"), 0);
    for (const day of [1, 2]) await answers(calls("CNNGB@10 CNSHA@12 SGSIN@20"), day);
    assert.deepEqual((await told()).toSorted(), ["sailing_slipped CNNGB -48", "sailing_slipped CNSHA 48"]);
  });

  test("that renumbers a voyage midway cancels nothing", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20 NLRTM@40"), 0);
    const rest = calls("SGSIN@20 NLRTM@40", numbered("114E"));
    for (const day of [1, 2, 3]) await answers([...calls("CNSHA@10 CNNGB@12"), ...rest], day);
    await check(19);
    assert.deepEqual(await told(), []);
    const open = (await states()).filter((state) => state.endsWith("expected"));
    assert.deepEqual(open, ["CNSHA expected", "CNNGB expected", "SGSIN expected", "NLRTM expected"]);
  });

  test("that gives a voyage to another vessel cancels nothing", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20", vesselOf("9321483")), 0);
    const swapped = calls("CNSHA@10 CNNGB@12 SGSIN@20", vesselOf("9706906"));
    for (const day of [1, 2]) await answers(swapped, day);
    assert.deepEqual(await told(), []);
    assert.equal((await states()).length, 3);
  });

  test("that phases a vessel in midway cancels nothing", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20 NLRTM@40", vesselOf("9321483")), 0);
    const later = calls("SGSIN@20 NLRTM@40", { ...vesselOf("9706906"), status: "PHIN" });
    const first = calls("CNSHA@10 CNNGB@12", { ...vesselOf("9321483"), status: "PHOT" });
    for (const day of [1, 2]) await answers([...first, ...later], day);
    assert.deepEqual(await told(), []);
  });

  test("that slides a voyage to the next week's and keeps the number tells slips alone", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20"), 0);
    for (const day of [1, 2]) await answers(calls("CNSHA@17 CNNGB@19 SGSIN@27"), day);
    assert.deepEqual((await told()).toSorted(), [
      "sailing_slipped CNNGB 168",
      "sailing_slipped CNSHA 168",
      "sailing_slipped SGSIN 168",
    ]);
  });

  test("that slides one call of a voyage cancels the voyage once", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20"), 0);
    const [first, ...others] = calls("CNSHA@10 CNNGB@12 SGSIN@20");
    for (const day of [1, 2]) await answers([{ ...first!, status: "SLID" }, ...others], day);
    assert.deepEqual(await told(), ["voyage slid 014E"]);
    assert.deepEqual(await states(), ["CNSHA slid", "CNNGB slid", "SGSIN slid"]);
  });

  test("that omits a call and adds it again tells the omission once, and reinstates the call", async () => {
    const all = calls("CNSHA@10 CNNGB@12 SGSIN@20");
    await answers(all, 0);
    await answers([all[0]!, { ...all[1]!, status: "OMIT" }, all[2]!], 1);
    await answers(all, 2);
    assert.deepEqual(await told(), ["port_call omitted 014E CNNGB"]);
    assert.deepEqual(await states(), ["CNSHA expected", "CNNGB expected", "SGSIN expected"]);
    const reinstated = (await scene.records()).filter(({ reinstatedMs }) => reinstatedMs === onDay(2));
    assert.deepEqual(
      reinstated.map(({ port }) => port),
      ["CNNGB"],
    );
  });

  test("that repeats a page says nothing twice", async () => {
    const all = calls("CNSHA@10 CNNGB@12 SGSIN@20");
    await answers(all, 0);
    const result = await answers([...all, ...all], 1);
    assert.deepEqual([result.changed, result.events], [0, 0]);
  });

  test("that loses a page once cancels nothing", async () => {
    const all = calls("CNSHA@10 CNNGB@12 SGSIN@20");
    await answers(all, 0);
    await answers([], 1);
    assert.ok((await states()).every((state) => state.endsWith("uncertain")));
    await answers(all, 1.25);
    await check(9.9);
    assert.deepEqual(await told(), []);
    assert.ok((await states()).every((state) => state.endsWith("expected")));
  });

  test("that answers whole with nothing at all says nothing", async () => {
    await answers(calls("CNSHA@10 CNNGB@12"), 0);
    const scope = { service: "HE1", port: null, vessel: null, untilMs: onDay(61) };
    assert.equal(completeScope("HRNL", scope, [], onDay(1)), null);
  });

  test("that lists only calls of the past says nothing of those to come", async () => {
    const past = calls("CNSHA@-5 CNNGB@-3");
    const scope = { service: "HE1", port: null, vessel: null, untilMs: onDay(60) };
    assert.equal(completeScope("HRNL", scope, past, onDay(0)), null);
  });

  test("that is down for a week and then answers as before tells nothing", async () => {
    const all = calls("CNSHA@10 CNNGB@12 SGSIN@20");
    await answers(all, 0);
    for (let day = 1; day < 8; day += 1) await check(day);
    await answers(all, 8);
    assert.deepEqual(await told(), []);
    assert.ok((await states()).every((state) => state.endsWith("expected")));
  });

  test("that is down for a week and then lacks a voyage tells it before its day", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20"), 0);
    await answers([], 8);
    assert.deepEqual(await told(), []);
    await check(10);
    assert.deepEqual(await told(), ["voyage missing 014E"]);
  });

  test("that looks less far from now on cancels nothing", async () => {
    const all = [...calls("CNSHA@20 CNNGB@22 SGSIN@30 NLRTM@45")];
    await answers(all, 0);
    for (let day = 1; day < 25; day += 1) {
      const near = all.filter(({ arrival }) => expectedTime(arrival)!.ms < onDay(day + 28));
      const scope = { service: "HE1", port: null, vessel: null, untilMs: onDay(day + 60) };
      const complete = completeScope("HRNL", scope, near, onDay(day));
      await scene.say(near, { atMs: onDay(day), complete });
      await check(day);
    }
    assert.deepEqual(await told(), []);
  });

  test("that another one contradicts leaves the call uncertain, and not cancelled", async () => {
    const all = calls("CNSHA@10 CNNGB@12 SGSIN@20");
    await answers(all, 0, "cs");
    await answers(all, 0, "ovs");
    for (const day of [1, 2, 3]) {
      await answers([all[0]!, all[2]!], day, "cs");
      await answers(all, day + 0.1, "ovs");
    }
    await check(12.9);
    assert.deepEqual(await told(), []);
    assert.deepEqual(await states(), ["CNSHA expected", "CNNGB uncertain", "SGSIN expected"]);
  });

  test("that lets another one blank what it lists agrees with the blanking", async () => {
    const all = calls("CNSHA@10 CNNGB@12");
    await answers(all, 0, "cs");
    const blanked = all.map((call): CallStatement => ({ ...call, status: "BLNK" }));
    await answers(blanked, 1, "ovs");
    await answers(all, 2, "cs");
    assert.deepEqual(await states(), ["CNSHA blanked", "CNNGB blanked"]);
  });

  test("that puts a cut-off after the departure warns of it by its own time, and not once the vessel has left", async () => {
    const [call] = calls("CNSHA@10", { cutOffs: { FCO: onDay(12) } });
    await answers([call!], 0);
    await check(10);
    assert.deepEqual(await told(), ["cutoff_approaching CNSHA FCO"]);
    const left = said({ port: "CNSHA", departure: { actual: onDay(10.5) }, arrival: { actual: onDay(10) } });
    await answers([left], 10.6);
    await check(11);
    assert.equal((await told()).length, 1);
  });

  test("that shifts all times by a zone's hours tells nothing", async () => {
    await answers(calls("CNSHA@10 CNNGB@12"), 0);
    const shifted = [10, 12].map((day, place) =>
      saidFor(onDay(day) + 8 * HOUR_MS, { port: ["CNSHA", "CNNGB"][place]!, portName: null }),
    );
    for (const day of [1, 2]) await answers(shifted, day);
    assert.deepEqual(await told(), []);
  });

  test("whose estimate vanishes while the plan moves by a day tells the slip", async () => {
    const at = (planned: number, estimated?: number) =>
      said({
        port: "CNSHA",
        arrival: { planned: onDay(planned - 1) },
        departure: {
          planned: onDay(planned),
          ...(estimated === undefined ? {} : { estimated: onDay(estimated) }),
        },
      });
    await answers([at(10, 10)], 0);
    await answers([at(10)], 1);
    assert.deepEqual(await told(), [], "the plan has not moved");
    await answers([at(11)], 2);
    assert.deepEqual(await told(), ["sailing_slipped CNSHA 24"]);
  });

  test("whose plan moves first, and whose estimate vanishes then, tells the slip", async () => {
    const at = (planned: number, estimated?: number) =>
      said({
        departure: {
          planned: onDay(planned),
          ...(estimated === undefined ? {} : { estimated: onDay(estimated) }),
        },
      });
    await answers([at(10, 10)], 0);
    await answers([at(12, 10)], 1);
    assert.deepEqual(await told(), []);
    await answers([at(12)], 2);
    assert.deepEqual(await told(), ["sailing_slipped JPYOK 48"]);
  });
});
