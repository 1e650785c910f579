import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { CompleteScope } from "../../src/products/schedules/calls/call-statement.ts";
import { readPushed } from "../../src/products/schedules/sources/read-answer.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { START_MS, manualClock, type ManualClock } from "../support/clock.ts";
import { query } from "../support/database.ts";
import { DAY_MS, HOUR_MS, said, saidFor } from "./statements.ts";
import { describeScene, SETTINGS } from "./scene.ts";
import { createScheduleMaintenance } from "../../src/products/schedules/maintenance.ts";
import { computeServiceDays } from "../../src/products/schedules/reliability/service-days.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

const ARRIVAL_MS = START_MS + 30 * DAY_MS;
const WHOLE: CompleteScope = {
  carrier: "HRNL",
  service: null,
  port: null,
  fromMs: START_MS,
  toMs: START_MS + 60 * DAY_MS,
};

describeScene("ingesting what feeds say", (scene) => {
  const voyage = (ports: readonly string[], more: Parameters<typeof saidFor>[1] = {}) =>
    ports.map((port, place) => saidFor(ARRIVAL_MS + place * 3 * DAY_MS, { port, ...more }));

  test("the feeds of one carrier make one call of what they say", async () => {
    await scene.say([saidFor(ARRIVAL_MS)]);
    await scene.say(
      [
        said({
          departure: { planned: ARRIVAL_MS + DAY_MS },
          voyage: { import: null, export: "014E" },
          service: { code: null, name: "Heron Express", universal: null },
          terminal: "HMB",
          cutOffs: { FCO: ARRIVAL_MS - DAY_MS },
        }),
      ],
      { feed: "cs", atMs: START_MS + 1 },
    );
    const [record, ...others] = await scene.records();
    assert.equal(others.length, 0);
    assert.equal(record!.arrival.estimated?.ms, ARRIVAL_MS);
    assert.equal(record!.departure.planned?.ms, ARRIVAL_MS + DAY_MS);
    assert.deepEqual(record!.cutOffs, [{ code: "FCO", at: { ms: ARRIVAL_MS - DAY_MS, offsetMinutes: 540 } }]);
    assert.equal(record!.terminal, "HMB");
    assert.deepEqual(await scene.raised(), []);
  });

  test("a record is stored under the names of the first release", async () => {
    await scene.say([saidFor(ARRIVAL_MS)]);
    const rows = await scene.on.queryEach(
      [scene.on.productCells.of("schedules")],
      "select record from cell.port_calls",
    );
    const stored = JSON.parse((rows[0] as { readonly record: string }).record) as object;
    const [record] = await scene.records();
    const { words, told: raised } = stored as Record<string, unknown>;
    assert.deepEqual({ reports: words, raised }, { reports: record!.reports, raised: record!.raised });
    assert.deepEqual(Object.values(stored), Object.values(record!));
  });

  test("a repeated update writes nothing", async () => {
    const calls = voyage(["JPYOK", "CNSHA", "SGSIN"]);
    assert.deepEqual(await scene.say(calls), { calls: 3, added: 3, changed: 0, missing: 0, events: 0 });
    const again = await scene.say(calls, { atMs: START_MS + HOUR_MS });
    assert.deepEqual(again, { calls: 3, added: 0, changed: 0, missing: 0, events: 0 });
  });

  test("updates count again once a clock that was ahead is set back", async () => {
    await scene.say([saidFor(ARRIVAL_MS)], { atMs: START_MS + 300 * DAY_MS });
    await scene.say([saidFor(ARRIVAL_MS + DAY_MS)], { atMs: START_MS });
    await scene.say([saidFor(ARRIVAL_MS + 2 * DAY_MS)], { atMs: START_MS - 60_000 });
    assert.equal((await scene.records())[0]!.arrival.estimated?.ms, ARRIVAL_MS + DAY_MS);
  });

  test("a call that a complete fetch leaves out raises an event, and a whole voyage raises one", async () => {
    const other = voyage(["JPYOK", "CNSHA"], { voyage: { import: "015E", export: "015E" } });
    const first = voyage(["JPYOK", "CNSHA", "SGSIN"]);
    await scene.say([...first, ...other], { complete: WHOLE });
    const left = { complete: WHOLE };
    const result = await scene.say([first[0]!, first[2]!], { ...left, atMs: START_MS + HOUR_MS });
    assert.equal(result.missing, 3);
    await scene.say([first[0]!, first[2]!], { ...left, atMs: START_MS + 2 * HOUR_MS - 1 });
    assert.deepEqual(await scene.raised(), [], "an answer once more within the hour");
    await scene.say([first[0]!, first[2]!], { ...left, atMs: START_MS + 2 * HOUR_MS });
    const events = (await scene.raised()).map(({ data }) =>
      [data["kind"], data["reason"], data["voyage"]].join(" "),
    );
    assert.deepEqual(new Set(events), new Set(["port_call missing 014E", "voyage missing 015E"]));
    await scene.say([first[0]!, first[2]!], { ...left, atMs: START_MS + 4 * HOUR_MS });
    assert.equal((await scene.raised()).length, 2);
    await scene.say([...first, ...other], { ...left, atMs: START_MS + 5 * HOUR_MS });
    assert.ok((await scene.records()).every(({ goneMs }) => goneMs === null));
  });

  test("a call is gone without waiting for a removed feed", async () => {
    const calls = voyage(["JPYOK", "CNSHA", "SGSIN"]);
    await scene.say(calls, { feed: "former", complete: WHOLE });
    await scene.say(calls, { complete: WHOLE });
    const left = { feed: "ovs", calls: [calls[0]!, calls[2]!], complete: WHOLE };
    await ingest(scene.ports, SETTINGS, { ...left, atMs: START_MS + HOUR_MS });
    assert.deepEqual(await scene.raised(), []);
    const settings = { ...SETTINGS, feeds: new Set(["ovs"]) };
    await ingest(scene.ports, settings, { ...left, atMs: START_MS + 2 * HOUR_MS });
    assert.equal((await scene.raised()).length, 1);
  });

  describe("with a horizon", () => {
    const calls = voyage(["JPYOK", "CNSHA", "SGSIN"]);
    const other = voyage(["JPYOK", "CNSHA", "SGSIN"], {
      voyage: { import: "015E", export: "015E" },
      vessel: { imo: "9456783", name: "HERON DUSK", isDummy: false },
    });
    /** Complete until this many days after the first arrival, of a request for a month more. */
    const until = (days: number): CompleteScope => ({
      ...WHOLE,
      toMs: ARRIVAL_MS + days * DAY_MS,
      horizonMs: ARRIVAL_MS + (days + 30) * DAY_MS,
      asked: { fromMs: START_MS, untilMs: ARRIVAL_MS + (days + 37) * DAY_MS },
    });
    const leavesOut = async (listed: typeof calls, complete: CompleteScope) => {
      await scene.say([...calls, ...other], { complete: until(30) });
      for (const hours of [1, 2]) {
        await scene.say([...listed, ...other], { atMs: START_MS + hours * HOUR_MS, complete });
      }
      return (await scene.raised()).map(({ data }) => [data["kind"], data["port"] ?? null].join(" "));
    };

    test("a call is gone if the fetch lists a later one of its voyage", async () => {
      assert.deepEqual(await leavesOut([calls[0]!, calls[2]!], until(-10)), ["port_call CNSHA"]);
    });

    test("a voyage's last call is not gone after the scope's end", async () => {
      assert.deepEqual(await leavesOut([calls[0]!, calls[1]!], until(5)), []);
    });

    test("a voyage without a listed call is gone as a whole with the first call that the fetch covers", async () => {
      assert.deepEqual(await leavesOut([], until(0)), []);
      await scene.clear();
      assert.deepEqual(await leavesOut([], until(1)), ["voyage "]);
    });
  });

  test("nodes that ingest the same update at once keep each call once and raise each event once", async () => {
    const calls = voyage(["JPYOK", "CNSHA", "SGSIN"]);
    const both = <T>(work: () => Promise<T>) => Promise.all([work(), work(), work()]);
    await both(() => scene.say(calls));
    assert.equal((await scene.records()).length, 3);
    const blanked = voyage(["JPYOK", "CNSHA", "SGSIN"], { status: "BLNK" });
    await both(() => scene.say(blanked, { atMs: START_MS + HOUR_MS }));
    assert.equal((await scene.raised()).length, 1);
  });

  test("a batch that is rolled back leaves nothing, and its repetition has the same result", async () => {
    const { database } = scene.ports;
    const calls = voyage(["JPYOK", "CNSHA", "SGSIN"]);
    await scene.say(calls);
    const known = await scene.records();
    const failing = {
      ...scene.ports,
      database: {
        ...database,
        transaction: <T>(work: Parameters<typeof database.transaction<T>>[0]) =>
          database.transaction(async (tx) => {
            await work(tx);
            throw new Error("the process was killed");
          }),
      },
    };
    const update = {
      feed: "ovs",
      atMs: START_MS + HOUR_MS,
      calls: voyage(["JPYOK", "CNSHA", "SGSIN"], { status: "BLNK" }),
      complete: null,
    };
    await assert.rejects(ingest(failing, SETTINGS, update), /killed/);
    assert.deepEqual(await scene.records(), known);
    assert.deepEqual(await scene.raised(), []);
    await ingest(scene.ports, SETTINGS, update);
    await ingest(scene.ports, SETTINGS, update);
    assert.equal((await scene.raised()).length, 1);
  });

  test("due calls are found by an index of due calls alone", async () => {
    const { schema } = scene.on.productCells.of("schedules");
    await query(
      scene.on.address,
      `insert into ${schema}.port_calls
         (id, carrier, service, voyage, import_voyage, port, nth, calls_at, record, due_at, updated_at)
       select gen_random_uuid(), 'HRNL', 'HE1', number::text, '', 'JPYOK', 1, now(), '{}',
         case when number % 10 = 0 then now() + number * interval '1 minute' end, now()
       from generate_series(1, 20000) as number`,
    );
    await query(scene.on.address, `analyze ${schema}.port_calls`);
    const { rows } = await query(
      scene.on.address,
      `explain select id from ${schema}.port_calls where due_at <= now() order by due_at limit 500`,
    );
    const plan = rows.map((row: Record<string, string>) => row["QUERY PLAN"]).join("\n");
    assert.match(plan, /Index Scan using port_calls_due/);
  });

  test("names that the store cannot hold are read as names that it can", async () => {
    const feed = { name: "ovs", carrier: "HRNL", kind: "ovs-service-schedules" } as const;
    const call = {
      transportCallReference: "a\0b",
      carrierImportVoyageNumber: `014E\0${"x".repeat(5_000)}`,
      location: { UNLocationCode: "JPYOK", locationName: "Yoko\0hama" },
      timestamps: [
        { eventTypeCode: "DEPA", eventClassifierCode: "EST", eventDateTime: "2026-12-01T12:00:00Z" },
      ],
    };
    const vessel = { vesselName: "HERON\0 DAWN", vesselIMONumber: "9321483", isDummyVessel: false };
    const vesselSchedules = [{ ...vessel, transportCalls: [call] }];
    const body = [{ carrierServiceCode: "HE1\0", carrierServiceName: "x", vesselSchedules }];
    const read = runToEnd(readPushed(feed, body, START_MS));
    assert.ok(typeof read !== "string");
    assert.equal((await scene.say(read.calls)).added, 1);
    assert.equal((await scene.records())[0]!.vessel.name, "HERON DAWN");
  });
});

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
