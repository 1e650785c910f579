import assert from "node:assert/strict";
import { test } from "node:test";

import { createScheduleMaintenance } from "../../src/products/schedules/maintenance.ts";
import { computeServiceDays } from "../../src/products/schedules/reliability/service-days.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";

import { silentLog } from "../support/log.ts";
import { DAY_MS, HOUR_MS, said } from "./statements.ts";
import { describeScene, SETTINGS } from "./scene.ts";
import { unwatchedLoops } from "../support/loops.ts";

describeScene("measuring how well services keep their schedules", (scene) => {
  /** Calls that arrive on a day, some on time and some three days late. */
  const arrive = async (day: number, onTime: number, late: number) => {
    const atMs = START_MS + day * DAY_MS;
    const call = (place: number, delayMs: number) => {
      const voyage = `${day}-${place}`;
      const own = { voyage: { import: voyage, export: voyage } };
      return [
        said({ ...own, arrival: { estimated: atMs - delayMs } }),
        said({ ...own, arrival: { actual: atMs } }),
      ] as const;
    };
    const calls = [
      ...Array.from({ length: onTime }, (_, place) => call(place, 0)),
      ...Array.from({ length: late }, (_, place) => call(onTime + place, 3 * DAY_MS)),
    ];
    const say = (which: 0 | 1, at: number) =>
      scene.say(
        calls.map((both) => both[which]),
        { atMs: at },
      );
    await say(0, atMs - 20 * DAY_MS);
    await say(1, atMs + HOUR_MS);
  };

  const days = async () => {
    const rows = await scene.on.queryEach(
      [scene.on.productCells.of("schedules")],
      "select day::text, on_time, measured, reference from cell.service_reliability order by day",
    );
    return rows.map((row: Record<string, unknown>) => Object.values(row));
  };

  const compute = (nowMs: number) => computeServiceDays(scene.ports, SETTINGS, nowMs);
  const maintenanceAt = (clock: ManualClock) =>
    createScheduleMaintenance({ ...scene.ports, clock, log: silentLog, loops: unwatchedLoops }, SETTINGS);
  const endOf = (day: number) => START_MS + (day + 1) * DAY_MS;

  test("a day is measured once it has ended, and a fall raises one event, whichever node is first", async () => {
    await arrive(0, 9, 1);
    const both = (nowMs: number) => Promise.all([compute(nowMs), compute(nowMs)]);
    await both(endOf(0));
    assert.deepEqual(await days(), [["2026-11-02", 9, 10, 900]]);
    await arrive(1, 1, 4);
    await both(endOf(1));
    await both(endOf(1));
    assert.deepEqual((await days()).at(-1), ["2026-11-03", 10, 15, 667]);
    const [event, ...more] = await scene.raised();
    assert.deepEqual(more, []);
    assert.equal(event!.type, "reliability_drop");
    assert.equal(event!.data["on_time_percent"], 66.7);
    assert.equal(event!.data["previous_percent"], 90);
    await both(endOf(2));
    assert.equal((await scene.raised()).length, 1);
  });

  test("arrivals before the window do not count", async () => {
    await arrive(0, 9, 1);
    await arrive(5, 4, 6);
    await compute(endOf(0));
    await compute(endOf(100));
    assert.deepEqual((await days()).at(-1), ["2027-02-04", 4, 10, 400]);
  });

  test("missed days are measured later", async () => {
    await arrive(0, 9, 1);
    await compute(endOf(0));
    await compute(endOf(3));
    assert.equal((await days()).length, 4);
  });

  test("calls that are ingested after the start are counted within minutes", async () => {
    const clock = manualClock(endOf(0));
    const keeping = maintenanceAt(clock);
    keeping.start();
    await clock.atOnce(() => keeping.callCount() === 0, "the first round has ended");
    await arrive(0, 9, 1);
    for (let runs = 0; runs < 12; runs += 1) await clock.advance(10_000);
    await clock.atOnce(() => keeping.callCount() === 10, "they are counted");
    await keeping.stop();
  });

  test("maintenance processes due calls, measures days and prunes old calls", async () => {
    await arrive(0, 9, 1);
    const clock = manualClock(endOf(0));
    const keeping = maintenanceAt(clock);
    keeping.start();
    const isMeasured = async () => keeping.callCount() === 10 && (await days()).length === 1;
    await clock.atOnce(isMeasured, "the first round has ended");
    clock.jump(250 * DAY_MS);
    await clock.until(() => keeping.callCount() === 0, "old calls are forgotten");
    await keeping.stop();
    assert.deepEqual(await scene.records(), []);
  });
});
