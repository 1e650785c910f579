/**
 * Small feeds that try to make the record say something false: rotations that repeat a port, swapped ports, voyages
 * that are renumbered midway, vessels that change, calls that are omitted and added again, wrong times, answers that
 * repeat or lose calls, and feeds that contradict each other.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CallStatement } from "../../src/products/schedules/calls/call-statement.ts";
import { expectedTime } from "../../src/products/schedules/calls/call-record.ts";
import { completeScope } from "../../src/products/schedules/sources/feed-client.ts";
import { departureState } from "../../src/products/schedules/search/call-view.ts";
import { START_MS } from "../support/clock.ts";
import { DAY_MS, said, saidFor, type Said } from "./statements.ts";
import { describeScene } from "./scene.ts";

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

describeScene("a feed", (scene) => {
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
  const check = (day: number) => scene.processDue(onDay(day));

  const slipped = (...moves: readonly string[]) => moves.map((move) => `sailing_slipped ${move}`);
  const first = calls("CNSHA@10 CNNGB@12 SGSIN@20");
  const [anyone, other] = [vesselOf("9321483"), vesselOf("9706906")];
  /** First answer, answer from then on, what is raised and, where it matters, how the calls stand. */
  const STORIES: readonly (readonly [
    what: string,
    first: readonly CallStatement[],
    then: readonly CallStatement[],
    told: readonly string[],
    states?: string,
  ])[] = [
    [
      "calls twice at a port and drops the first call tells that one",
      calls("SGSIN@10 IDJKT@13 THLCH@17 SGSIN@22"),
      calls("IDJKT@13 THLCH@17 SGSIN@22"),
      ["port_call missing 014E SGSIN"],
      "SGSIN missing, IDJKT expected, THLCH expected, SGSIN expected",
    ],
    [
      "calls twice at a port and drops the second call tells that one",
      calls("SGSIN@10 IDJKT@13 SGSIN@17 THLCH@22"),
      calls("SGSIN@10 IDJKT@13 THLCH@22"),
      ["port_call missing 014E SGSIN"],
      "SGSIN expected, IDJKT expected, SGSIN missing, THLCH expected",
    ],
    [
      "swaps two ports tells the moves, and cancels nothing",
      calls("CNSHA@10 CNNGB@12 SGSIN@20"),
      calls("CNNGB@10 CNSHA@12 SGSIN@20"),
      slipped("CNNGB -48", "CNSHA 48"),
    ],
    [
      "gives a voyage to another vessel cancels nothing",
      calls("CNSHA@10 CNNGB@12 SGSIN@20", anyone),
      calls("CNSHA@10 CNNGB@12 SGSIN@20", other),
      [],
      "CNSHA expected, CNNGB expected, SGSIN expected",
    ],
    [
      "phases a vessel in midway cancels nothing",
      calls("CNSHA@10 CNNGB@12 SGSIN@20 NLRTM@40", anyone),
      [
        ...calls("CNSHA@10 CNNGB@12", { ...anyone, status: "PHOT" }),
        ...calls("SGSIN@20 NLRTM@40", { ...other, status: "PHIN" }),
      ],
      [],
    ],
    [
      "slides a voyage to the next week's and keeps the number tells slips alone",
      first,
      calls("CNSHA@17 CNNGB@19 SGSIN@27"),
      slipped("CNNGB 168", "CNSHA 168", "SGSIN 168"),
    ],
    [
      "slides one call of a voyage cancels the voyage once",
      first,
      first.map((call, place) => (place === 0 ? { ...call, status: "SLID" } : call)),
      ["voyage slid 014E"],
      "CNSHA slid, CNNGB slid, SGSIN slid",
    ],
    ["repeats a page says nothing twice", first, [...first, ...first], []],
    [
      "shifts all times by a zone's hours tells nothing",
      calls("CNSHA@10 CNNGB@12"),
      calls(`CNSHA@${10 + 1 / 3} CNNGB@${12 + 1 / 3}`),
      [],
    ],
  ];
  for (const [what, before, then, expected, how] of STORIES) {
    test(`that ${what}`, async () => {
      await answers(before, 0);
      for (const day of [1, 2]) await answers(then, day);
      assert.deepEqual((await told()).toSorted(), expected);
      if (how !== undefined) assert.equal((await states()).join(", "), how);
    });
  }

  test("that renumbers a voyage midway cancels nothing", async () => {
    await answers(calls("CNSHA@10 CNNGB@12 SGSIN@20 NLRTM@40"), 0);
    const rest = calls("SGSIN@20 NLRTM@40", numbered("114E"));
    for (const day of [1, 2, 3]) await answers([...calls("CNSHA@10 CNNGB@12"), ...rest], day);
    await check(19);
    assert.deepEqual(await told(), []);
    assert.equal((await states()).filter((state) => state.endsWith("expected")).length, 4);
  });

  test("that omits a call and adds it again tells the omission once, and reinstates the call", async () => {
    await answers(first, 0);
    await answers([first[0]!, { ...first[1]!, status: "OMIT" }, first[2]!], 1);
    await answers(first, 2);
    assert.deepEqual(await told(), ["port_call omitted 014E CNNGB"]);
    assert.deepEqual(await states(), ["CNSHA expected", "CNNGB expected", "SGSIN expected"]);
    const reinstated = (await scene.records()).filter(({ reinstatedMs }) => reinstatedMs === onDay(2));
    assert.equal(reinstated.map(({ port }) => port).join(), "CNNGB");
  });

  for (const [name, listed, isListed, gone] of [
    [
      "an empty list is a statement: its calls are uncertain, then gone by confirmation",
      [],
      true,
      ["voyage missing 014E", "voyage missing 090E"],
    ],
    ["that is no list leaves its calls uncertain", [], false, []],
  ] as const)
    test(name, async () => {
      await answers(first, 0);
      const scope = { service: "HE1", port: null, vessel: null, untilMs: onDay(61) };
      for (const [day, told_] of [
        [1, []],
        [1.25, gone],
      ] as const) {
        const complete = completeScope("HRNL", scope, listed, onDay(day), isListed);
        await scene.say(listed, { atMs: onDay(day), complete });
        assert.deepEqual(await told(), told_);
        if (told_.length === 0) assert.ok((await states()).every((state) => state.endsWith("uncertain")));
      }
    });

  test("that looks less far from now on cancels nothing", async () => {
    const all = [...calls("CNSHA@20 CNNGB@22 SGSIN@30 NLRTM@45")];
    await answers(all, 0);
    for (let day = 1; day < 25; day += 2) {
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

  test("whose estimate vanishes tells the slip once its plan has moved, before or after", async () => {
    const at = (planned: number, estimated?: number) =>
      said({
        departure: {
          planned: onDay(planned),
          ...(estimated === undefined ? {} : { estimated: onDay(estimated) }),
        },
      });
    for (const [second, third, told_] of [
      [at(10), at(11), "24"],
      [at(12, 10), at(12), "48"],
    ] as const) {
      await scene.clear();
      await answers([at(10, 10)], 0);
      await answers([second], 1);
      assert.deepEqual(await told(), []);
      await answers([third], 2);
      assert.deepEqual(await told(), slipped(`JPYOK ${told_}`));
    }
  });
});
